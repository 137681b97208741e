package aion

import (
	"reflect"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// A Note describes an argument, a result or a field: its type, what it is, and
// what values it takes. Whether the type exists is not known here. What a note says
// are its parts; Format keeps the words of the file as long as they say the same.
type Note struct {
	Span        diag.Span // of its text, with the quotes
	Type        string    // as written, without a trailing ?; empty in prose
	Description string
	Optional    bool     // said, or implied by a default
	Default     *Literal // nil when absent, as are the bounds
	Enum        []Literal
	Min, Max    *Literal // numbers
	Open        bool     // an enum type takes other values, too

	raw string // as it stands in the file
}

// ParseNote reads the text of a note, for a document that is made in Go.
func ParseNote(text string) (Note, diag.List) {
	n := noteReader{faults: &faults{}, text: Text{Value: text}}
	n.read()
	return n.Note, n.list
}

// text is the note as a document has it. It is not ok if no text says what the parts
// of the note say.
func (n *Note) text() (text Text, ok bool) {
	if n.raw != "" {
		text = Text{Value: textValue(n.raw), Span: n.Span, raw: n.raw}
		if n.isSaidBy(text) {
			return text, true
		}
	}
	text = Text{Value: n.compose(), Span: n.Span}
	return text, n.isSaidBy(text)
}

// isSaidBy reports whether reading a text yields the note.
func (n *Note) isSaidBy(text Text) bool {
	r := noteReader{faults: &faults{}, text: text}
	r.read()
	want := *n
	want.Span, want.raw = r.Span, r.raw
	want.Optional = n.Optional || n.Default != nil
	if len(n.Enum) == 0 {
		want.Enum = nil
	}
	return r.list.Err() == nil && reflect.DeepEqual(want, r.Note)
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

// note reads a note and holds it against the rules for notes.
func (r *reader) note(text Text) Note {
	n := noteReader{faults: &r.faults, text: text, Note: Note{Span: text.Span, raw: text.raw}}
	n.read()
	return n.Note
}

// A noteReader reads a note from its parts.
type noteReader struct {
	Note
	*faults
	text  Text
	given map[string]notePart // the options, by name
}

// A notePart is what stands between two bars of a note, white space around it aside.
type notePart struct {
	text string
	at   int // its offset in the note
}

// place is where a part stands in the file.
func (n *noteReader) place(p notePart) diag.Span {
	return diag.Span{File: n.text.Span.File, Start: n.text.Pos(p.at), End: n.text.Pos(p.at + len(p.text))}
}

// bad reports a fault in a part of the note.
func (n *noteReader) bad(code diag.Code, p notePart, format string, args ...any) *diag.Diagnostic {
	return n.report(code, n.place(p), format, args...)
}

func (n *noteReader) read() {
	parts := splitNote(n.text.Value)
	head, options := parts[0], parts[1:]
	described, form := n.head(head.text)
	switch {
	case form:
	case literalType(head.text):
		n.badType(head)
		return
	case head.text == "" || isOption(head):
		n.report("missing-type", n.Span, "the note %q does not start with a type", n.text.Value).
			WithHelp(`write a type first: "string (what it is)"`)
		return
	case slices.ContainsFunc(options, isOption):
		n.missingType(head, options)
		return
	case !strings.ContainsAny(head.text, " \t\r\n"):
		n.badType(head)
		return
	default:
		n.prose(head, options)
		return
	}
	n.options(options, described)
	n.toWrite(n.Description, n.Span)
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

// missingType reports options behind a part that is no type.
func (n *noteReader) missingType(head notePart, options []notePart) {
	d := n.bad("missing-type", head, "the note starts with %q, which is no type, but has options", head.text)
	parts := []string{meantNote(head.text)}
	for _, option := range options {
		parts = append(parts, option.text)
	}
	switch {
	case barInParenthesis(head, options):
		n.helpWithBar(d)
		return
	case parts[0] == "":
		parts[0] = "string"
		parts = append(parts, head.text)
	}
	d.WithHelp("write a type first: %q", strings.Join(parts, " | "))
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
func (n *noteReader) badType(head notePart) {
	word := head.text
	d := n.bad("bad-type", head, "%q is no type", word)
	element, array := strings.CutSuffix(word, "[]")
	generic := strings.NewReplacer("<", "[", ">", "]").Replace(word)
	switch {
	case array && isType(element):
		d.WithHelp("write %q", "list["+element+"]")
	case generic != word && isType(generic):
		d.WithHelp("write %q", generic)
	case strings.HasPrefix(word, "interface"):
		d.WithHelp(`write "any", or the name of a Go type`)
	case literalType(word):
		d.WithHelp("a note cannot hold a literal type: give the type a name in Go, and write that")
	default:
		d.WithHelp("a single word is always a type: string, int, list[string], a Go type …\nprose has more than one word")
	}
}

// options reads the parts behind the first. Those that are no option belong to
// the description.
func (n *noteReader) options(parts []notePart, described string) {
	var description []string
	if described != "" {
		description = append(description, described)
	}
	n.given = map[string]notePart{}
	for i, part := range parts {
		name := optionName(part.text)
		switch {
		case name == "":
			n.suspectOption(part)
			description = append(description, part.text)
		case n.given[name].text != "":
			n.bad("repeated-option", part, "%q is given twice in the note", strings.TrimSuffix(name, "="))
		default:
			n.given[name] = part
			n.option(name, strings.Trim(part.text[len(name):], " \t\r\n"))
			n.suspectBars(parts[i:])
			if name == "default=" || name == "enum=" {
				n.suspectRow(part)
			}
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
		if strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]") {
			n.bad("bad-enum", n.given[name], "the values of an enum stand without brackets").
				WithHelp("write %s%s", name, strings.Trim(value, "[]"))
			return
		}
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
		n.bad("bad-literal", n.given[option], "the value of %q %s", option, problem).
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
	d := n.bad("bad-literal", n.given[option], "the value of %q is %q, not a number", option, value)
	if row := barred(n.given[option].text); row != "" {
		d.WithHelp("a bar ends the value of an option: write %q", row)
	}
	return nil
}

func isOption(part notePart) bool { return optionName(part.text) != "" }

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
func splitNote(text string) []notePart {
	var parts []notePart
	for at := 0; ; at++ { // over the bar
		end := at + partEnd(text[at:])
		start := min(skipBlank(text, at), end)
		parts = append(parts, notePart{strings.TrimRight(text[start:end], " \t\r\n"), start})
		if end == len(text) {
			return parts
		}
		at = end
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
