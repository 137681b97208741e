package aion

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/syntax"
	"github.com/aiongen/aiongen/internal/toolname"
)

// checkName holds a tool's name against what every model provider accepts.
func (r *reader) checkName(text Text) {
	name := text.Value
	if text.empty() {
		r.Errorf("bad-name", text.Span, "the name is empty").WithHelp("models call the tool by its name: write one")
		return
	}
	bad := strings.IndexFunc(name, func(c rune) bool { return !toolname.Has(c) })
	problem := ""
	switch {
	case bad >= 0:
		problem = fmt.Sprintf("has %q in it", []rune(name[bad:])[0])
	case '0' <= name[0] && name[0] <= '9' || name[0] == '-':
		problem = fmt.Sprintf("starts with %q", name[0])
	case len(name) > toolname.Max:
		problem = fmt.Sprintf("has %d characters", len(name))
	default:
		r.names[name] = true
		return
	}
	d := r.Errorf("bad-name", text.Span, "the name %q %s", name, problem).
		WithHelp("a name is a letter or _, then letters, digits, _ and -, at most %d in all", toolname.Max)
	if latin, ok := toolname.Latin(name); ok {
		if sound := toolname.Sound(latin); sound != "" {
			sound = toolname.Free(sound, r.names)
			d.WithHelp("write %q", sound).WithFixIf(latin == name, text.Rewrite(sound)...)
		}
	}
}

// unwrapMarkdown returns the URL of a link in Markdown, [text](url).
func unwrapMarkdown(link string) string {
	link = strings.Trim(link, " \t\r\n")
	if inner, ok := strings.CutPrefix(link, "["); ok {
		if _, target, ok := strings.Cut(inner, "]("); ok && strings.HasSuffix(target, ")") {
			return strings.TrimSuffix(target, ")")
		}
	}
	return link
}

// checkURL holds a link against the rule that it is an absolute http(s) URL.
func (r *reader) checkURL(text Text) {
	u, err := url.Parse(text.Value)
	switch {
	case err != nil || strings.ContainsAny(text.Value, " \t\r\n"):
		r.Errorf("bad-url", text.Span, "the link %q is no URL", text.Value).
			WithHelp(`write an absolute URL, "https://…", or "[text](https://…)"`)
	case u.Scheme == "":
		absolute := "https://" + strings.TrimLeft(text.Value, "/")
		d := r.Errorf("bad-url", text.Span, "the link %q is not absolute", text.Value).WithHelp("write \"%s\"", absolute)
		if written := syntax.Value(text.raw); strings.Count(written, text.Value) == 1 {
			at := strings.Index(written, text.Value)
			d.WithGuess(diag.Edit{Span: Text{Span: text.Span, raw: text.raw}.Between(at, at+len(text.Value)), Text: absolute})
		}
	case u.Scheme != "http" && u.Scheme != "https":
		r.Errorf("bad-url", text.Span, "the scheme of the link %q is neither http nor https", text.Value)
	case u.Host == "":
		r.Errorf("bad-url", text.Span, "the link %q has no host", text.Value)
	}
}
