package aion

import (
	"reflect"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// A Note describes an argument, a result or a field: its type, what it is, and
// what values it takes. Whether the type exists is not known here.
type Note struct {
	Text
	Type        string // as written, without a trailing ?; empty in prose
	Description string
	Optional    bool     // said, or implied by a default
	Default     *Literal // nil when absent, as are the bounds
	Enum        []Literal
	Min, Max    *Literal // numbers
	Open        bool     // an enum type takes other values, too
}

// noteOptions are the parts of a note that are no description, with a = where
// a value follows.
var noteOptions = []string{"default=", "enum=", "min=", "max=", "optional", "open"}

// text is the note as a document has it: the text of a note that was read, and
// of one that was made in Go its parts.
func (n *Note) text() *Text {
	if n.Value != "" {
		return &n.Text
	}
	text := n.Text
	text.Value = n.compose()
	return &text
}

// compose writes a note from its parts.
func (n *Note) compose() string {
	if n.Type == "" {
		return n.Description
	}
	head, rest := n.Type, ""
	if n.Optional && n.Default == nil {
		head += "?"
	}
	if strings.Contains(n.Description, "|") {
		rest = n.Description
	} else if n.Description != "" {
		head += " (" + n.Description + ")"
	}
	parts := []string{head}
	if n.Default != nil {
		parts = append(parts, "default="+n.Default.String())
	}
	if len(n.Enum) > 0 {
		var values []string
		for _, l := range n.Enum {
			values = append(values, l.String())
		}
		parts = append(parts, "enum="+strings.Join(values, ","))
	}
	if n.Min != nil {
		parts = append(parts, "min="+n.Min.String())
	}
	if n.Max != nil {
		parts = append(parts, "max="+n.Max.String())
	}
	if n.Open {
		parts = append(parts, "open")
	}
	if rest != "" {
		parts = append(parts, rest)
	}
	return strings.Join(parts, " | ")
}

// misread reports whether a note that was made in Go reads as another one. The
// text of one that was read is its own.
func (n *Note) misread() bool {
	if n.Value != "" {
		return false
	}
	r := noteReader{faults: &faults{}, Note: Note{Text: *n.text()}}
	r.read()
	want := *n
	want.Text, want.Optional = r.Text, n.Optional || n.Default != nil
	return len(r.list) > 0 || !reflect.DeepEqual(want, r.Note)
}

// note reads a note and holds it against the rules for notes.
func (r *reader) note(text Text) Note {
	n := noteReader{faults: &r.faults, Note: Note{Text: text}}
	n.read()
	return n.Note
}

type noteReader struct {
	Note
	*faults
}

// bad reports a fault in the note, which stands at the quote that opens it.
func (n *noteReader) bad(code diag.Code, format string, args ...any) *diag.Diagnostic {
	return n.report(code, n.Span, format, args...)
}

func (n *noteReader) read() {
	parts := splitNote(n.Value)
	head, options := parts[0], parts[1:]
	described, form := n.head(head)
	switch {
	case form:
	case literalType(head):
		n.badType(head)
		return
	case head == "" || isOption(head):
		n.bad("missing-type", "the note %q does not start with a type", n.Value).
			WithHelp(`write a type first: "string (what it is)"`)
		return
	case slices.ContainsFunc(options, isOption):
		n.bad("missing-type", "the note starts with %q, which is no type, but has options", head).
			WithHelp("write a type first: %q", "string | "+strings.Join(append(options, head), " | "))
		return
	case !strings.ContainsAny(head, " \t\r\n"):
		n.badType(head)
		return
	default:
		n.Description = strings.Trim(n.Value, " \t\r\n")
		n.suspect(head)
		return
	}
	n.options(options, described)
	if kind := WordOf(n.Type).Kind; kind != 0 {
		n.contradictions(kind)
	}
}

// head reads the first part, `type`, `type?` or `type (description)`. It
// returns false if the part does not have that form.
func (n *noteReader) head(part string) (description string, ok bool) {
	end, ok := typeEnd(part)
	if !ok || literalType(part) {
		return "", false
	}
	rest, optional := strings.CutPrefix(part[end:], "?")
	rest = strings.TrimLeft(rest, " \t\r\n")
	if inner, open := strings.CutPrefix(rest, "("); open && strings.HasSuffix(inner, ")") {
		description = strings.Trim(strings.TrimSuffix(inner, ")"), " \t\r\n")
	} else if rest != "" {
		return "", false
	}
	n.Type, n.Optional = part[:end], optional
	return description, true
}

// literalType reports whether a note's first part starts with a type literal of
// Go, which is no type for a note.
func literalType(head string) bool {
	for _, word := range []string{"func", "struct", "interface"} {
		rest, ok := strings.CutPrefix(head, word)
		if rest = strings.TrimLeft(rest, " "); ok && (rest == "" || word == "func" && rest[0] == '(' || rest[0] == '{') {
			return true
		}
	}
	return false
}

// isType reports whether a text is a type and nothing else.
func isType(text string) bool {
	end, ok := typeEnd(text)
	return ok && end == len(text)
}

// badType reports a word that cannot be a type.
func (n *noteReader) badType(head string) {
	d := n.bad("bad-type", "%q is no type", head)
	element, array := strings.CutSuffix(head, "[]")
	generic := strings.NewReplacer("<", "[", ">", "]").Replace(head)
	switch {
	case array && isType(element):
		d.WithHelp("write %q", "list["+element+"]")
	case generic != head && isType(generic):
		d.WithHelp("write %q", generic)
	case strings.HasPrefix(head, "interface"):
		d.WithHelp(`write "any", or the name of a Go type`)
	case literalType(head):
		d.WithHelp("a note cannot hold a literal type: give the type a name in Go, and write that")
	default:
		d.WithHelp("a single word is always a type: string, int, list[string], a Go type …\nprose has more than one word")
	}
}

// suspect warns of prose that looks like a note with a slip in it.
func (n *noteReader) suspect(head string) {
	word, rest, open := strings.Cut(head, "(")
	word = strings.Trim(word, " \t\r\n")
	if open && WordOf(word).Kind != 0 && !strings.Contains(rest, ")") {
		n.list.Warnf("suspicious-note", n.Span, "the note is prose, since its parenthesis is not closed").
			WithHelp("write %q", word+" ("+strings.Trim(rest, " \t\r\n")+")")
	}
}

// options reads the parts behind the first. Those that are no option belong to
// the description.
func (n *noteReader) options(parts []string, described string) {
	var description []string
	if described != "" {
		description = append(description, described)
	}
	given := map[string]bool{}
	for _, part := range parts {
		name := optionName(part)
		switch {
		case name == "":
			n.suspectOption(part)
			description = append(description, part)
		case given[name]:
			n.bad("repeated-option", "%q is given twice in the note", strings.TrimSuffix(name, "="))
		default:
			given[name] = true
			n.option(name, strings.Trim(part[len(name):], " \t\r\n"))
		}
	}
	n.Description = strings.Trim(strings.Join(description, " | "), " \t\r\n")
}

func (n *noteReader) option(name, value string) {
	switch name {
	case "optional":
		n.Optional = true
	case "open":
		n.Open = true
	case "default=":
		n.Default, n.Optional = n.literal(name, value), true
	case "enum=":
		for _, item := range splitEnum(value) {
			if l := n.literal(name, item); l != nil {
				n.Enum = append(n.Enum, *l)
			}
		}
	case "min=":
		n.Min = n.number(name, value)
	case "max=":
		n.Max = n.number(name, value)
	}
}

// literal reads the value of an option. It is nil if that is none, which it reports.
func (n *noteReader) literal(option, value string) *Literal {
	literal, problem := parseLiteral(value)
	if problem != "" {
		n.bad("bad-literal", "the value of %q %s", option, problem).
			WithHelp("write %s5, %sword or %s'some text'", option, option, option)
		return nil
	}
	return &literal
}

// number reads the value of min or max.
func (n *noteReader) number(option, value string) *Literal {
	if literal, problem := parseLiteral(value); problem == "" && literal.Kind == NumberLiteral {
		return &literal
	}
	n.bad("bad-literal", "the value of %q is %q, not a number", option, value)
	return nil
}

// suspectOption warns of a part of the description that looks like an option.
func (n *noteReader) suspectOption(part string) {
	name, value, ok := strings.Cut(part, "=")
	if !ok {
		return
	}
	name = strings.Trim(name, " \t\r\n") + "="
	if near := diag.Nearest(name, noteOptions); strings.HasSuffix(near, "=") {
		n.list.Warnf("suspicious-note", n.Span, "%q is read as description", part).
			WithHelp("did you mean %q?", near+strings.Trim(value, " \t\r\n"))
	}
}

func isOption(part string) bool { return optionName(part) != "" }

// optionName is the option that a part of a note is, with its =, or empty.
func optionName(part string) string {
	for _, name := range noteOptions {
		if part == name || strings.HasSuffix(name, "=") && strings.HasPrefix(part, name) {
			return name
		}
	}
	return ""
}

// splitNote splits a note at its bars, except those in quoted literals, and
// trims the parts.
func splitNote(text string) []string {
	var parts []string
	for {
		end := partEnd(text)
		parts = append(parts, strings.Trim(text[:end], " \t\r\n"))
		if end == len(text) {
			return parts
		}
		text = text[end+1:]
	}
}

// partEnd returns the offset of the bar that ends the first part, or the length
// of the text. A quote opens a literal only where a literal can start.
func partEnd(text string) int {
	at := skipBlank(text, 0)
	option := ""
	for _, name := range []string{"default=", "enum="} {
		if strings.HasPrefix(text[at:], name) {
			option = name
			at += len(name)
		}
	}
	for option != "" {
		at = literalEnd(text, at)
		if at == len(text) || text[at] == '|' {
			return at
		}
		at++ // a comma
		if option != "enum=" {
			break
		}
	}
	if bar := strings.IndexByte(text[at:], '|'); bar >= 0 {
		return at + bar
	}
	return len(text)
}

// literalEnd returns the offset of the bar or comma behind the literal at an
// offset, or the length of the text.
func literalEnd(text string, at int) int {
	at = skipBlank(text, at)
	if at < len(text) && text[at] == '\'' {
		if end := strings.IndexByte(text[at+1:], '\''); end >= 0 {
			at += end + 2
		}
	}
	if end := strings.IndexAny(text[at:], ",|"); end >= 0 {
		return at + end
	}
	return len(text)
}

// splitEnum splits the values of an enum at its commas, except those in quotes.
func splitEnum(value string) []string {
	var items []string
	for at := 0; ; at++ {
		end := literalEnd(value, at)
		for end < len(value) && value[end] == '|' { // in a quote that is not closed
			end = literalEnd(value, end+1)
		}
		items = append(items, strings.Trim(value[at:end], " \t\r\n"))
		if end == len(value) {
			return items
		}
		at = end
	}
}
