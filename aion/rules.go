package aion

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/words"
)

// checkName checks that every model provider accepts a tool's name.
func (r *reader) checkName(text Text) {
	name := text.Value
	if text.isBlank() {
		r.Errorf("bad-name", text.Span, "the name is empty").WithHelp("add a name: models call the tool by this name")
		return
	}
	bad := strings.IndexFunc(name, func(c rune) bool { return !words.IsToolNameChar(c) })
	problem := ""
	switch {
	case bad >= 0:
		problem = fmt.Sprintf("contains %q", []rune(name[bad:])[0])
	case '0' <= name[0] && name[0] <= '9' || name[0] == '-':
		problem = fmt.Sprintf("starts with %q", name[0])
	case len(name) > words.MaxToolName:
		problem = fmt.Sprintf("has %d characters", len(name))
	default:
		r.names[name] = true
		return
	}
	d := r.Errorf("bad-name", text.Span, "the name %q %s", name, problem).
		WithHelp("a name starts with a letter or _, continues with letters, digits, _ and -, and has at most %d characters", words.MaxToolName)
	if latin, ok := words.SpellInASCII(name); ok {
		if valid := words.ToolName(latin); valid != "" {
			valid = words.FreeToolName(valid, r.names)
			certain := !strings.ContainsFunc(name, func(c rune) bool { return !words.IsToolNameChar(c) && !strings.ContainsRune(" .:/", c) })
			d.WithHelp("write %q", valid).WithFixIf(certain, text.Rewrite(valid)...)
		}
	}
}

// unwrapMarkdown returns the URL of a Markdown link, [text](url), or the text unchanged.
func unwrapMarkdown(link string) string {
	link = strings.Trim(link, " \t\r\n")
	if inner, ok := strings.CutPrefix(link, "["); ok {
		if _, target, ok := strings.Cut(inner, "]("); ok && strings.HasSuffix(target, ")") {
			return strings.TrimSuffix(target, ")")
		}
	}
	return link
}

// checkURL checks that a link is an absolute http or https URL.
func (r *reader) checkURL(text Text) {
	u, err := url.Parse(text.Value)
	switch {
	case err != nil || strings.ContainsAny(text.Value, " \t\r\n"):
		r.Errorf("bad-url", text.Span, "invalid URL %q", text.Value).
			WithHelp(`write an absolute URL, "https://…", or "[text](https://…)"`)
	case u.Scheme == "":
		absolute := "https://" + strings.TrimLeft(text.Value, "/")
		d := r.Errorf("bad-url", text.Span, "the link %q is not absolute", text.Value).WithHelp("write \"%s\"", absolute)
		if written := syntax.TextValue(text.raw); strings.Count(written, text.Value) == 1 {
			at := strings.Index(written, text.Value)
			d.WithGuess(diag.Edit{Span: Text{Span: text.Span, raw: text.raw}.Between(at, at+len(text.Value)), Text: absolute})
		}
	case u.Scheme != "http" && u.Scheme != "https":
		r.Errorf("bad-url", text.Span, "the scheme of the link %q is neither http nor https", text.Value)
	case u.Host == "":
		r.Errorf("bad-url", text.Span, "the link %q has no host", text.Value)
	}
}
