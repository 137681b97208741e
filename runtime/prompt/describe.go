package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Text describes tools in the compact form that prompts of models without tool
// calls need: of each its name and what it returns, what it does, and its arguments
// with their types and meanings, optional ones with a question mark; and an example
// of a call, that of the first tool that has arguments, and each that a tool was
// annotated with. What several tools return has a name after the first.
//
//	find_ticket -> list[T1 = {id: integer, title: string}]
//	  Finds tickets by words in their titles.
//	  - words: string (what to look for)
//	  - status?: open|closed
//	  - limit?: integer = 10 (how many at most)
//	  {"name":"find_ticket","arguments":{"words":"printer"}}
//
//	get_ticket(id: integer) -> T1
//	  Gets a ticket.
func Text(definitions []tool.Definition) string {
	var b strings.Builder
	results := newTypes(definitions, resultDepth)
	example := false
	for i, d := range definitions {
		if i > 0 {
			b.WriteByte('\n')
		}
		input := parseSchema(d.Input)
		input.explained = true
		b.WriteString(d.Name)
		writeArguments(&b, d.Description, input.properties(), results.result(d))
		if d.Example != nil || !example && (len(input.properties()) > 0 || len(definitions) == 1) {
			if arguments := sample(d, input); arguments != nil {
				b.WriteString("  " + `{"name":` + jsontext.Quote(d.Name) + `,"arguments":` + string(arguments) + "}\n")
				example = true
			}
		}
	}
	return b.String()
}

// writeArguments writes what is behind the name of a tool: arguments that have no
// meaning but their names on its line, else each on one of its own.
func writeArguments(b *strings.Builder, description string, arguments []property, result string) {
	bare := !slices.ContainsFunc(arguments, func(p property) bool { return p.meaning() != "" })
	if bare {
		b.WriteString("(" + join(arguments, ", ", func(p property) string { return p.text(argumentDepth) }) + ")")
	}
	b.WriteString(result + "\n")
	for line := range strings.Lines(description) {
		b.WriteString(strings.TrimRight("  "+line, " \r\n") + "\n")
	}
	if bare {
		return
	}
	for _, p := range arguments {
		b.WriteString("  - " + p.text(argumentDepth) + "\n")
	}
}

// How many levels of objects are written out.
const (
	argumentDepth = 2
	resultDepth   = 1
)

func (p property) text(depth int) string {
	text := word(p.name)
	if !p.required {
		text += "?"
	}
	text += ": " + p.schema.short(depth)
	if value := p.schema.Member("default"); value != nil {
		text += " = " + value.String()
	}
	if meaning := p.meaning(); meaning != "" {
		text += " (" + meaning + ")"
	}
	return text
}

// meaning returns what a property means and, if that is wanted, its bounds, on one line.
func (p property) meaning() string {
	if !p.schema.explained {
		return ""
	}
	var all []string
	for line := range strings.Lines(p.schema.text("description")) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			all = append(all, line)
		}
	}
	text := ""
	for i, line := range all {
		switch {
		case i == 0:
		case isValueLine(line) && !strings.ContainsRune(".;:,!?", rune(text[len(text)-1])):
			text += "; "
		default:
			text += " "
		}
		text += line
	}
	if bounds := p.schema.bounds(); bounds != "" && p.schema.bounded {
		if text != "" {
			text += "; "
		}
		text += bounds
	}
	return text
}

// isValueLine reports whether a line explains one value, as in "open: nobody works on it".
func isValueLine(line string) bool {
	value, _, found := strings.Cut(line, ": ")
	return found && !strings.ContainsRune(value, ' ')
}

// limits are the keywords of bounds, and how they are written.
var limits = []struct{ keyword, form string }{
	{"minimum", "at least %s"}, {"exclusiveMinimum", "more than %s"}, {"maximum", "at most %s"}, {"exclusiveMaximum", "less than %s"}, {"multipleOf", "a multiple of %s"},
	{"minLength", "at least %s characters"}, {"maxLength", "at most %s characters"}, {"minItems", "at least %s elements"}, {"maxItems", "at most %s elements"}, {"pattern", "matches %s"},
}

// bounds returns the bounds of values.
func (s schema) bounds() string {
	var all []string
	for _, l := range limits {
		if n := s.Member(l.keyword); n != nil && len(n.Text) <= 64 && !s.isReference() {
			all = append(all, fmt.Sprintf(l.form, n.String()))
		}
	}
	return strings.Join(all, ", ")
}

// short returns the type in short form. Objects below the given depth are not
// written out.
func (s schema) short(depth int) string {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if all := s.elements(keyword); all != nil {
			return alternatives(all, func(n *jsontext.Node) string { return s.at(n).short(depth) })
		}
	}
	switch {
	case s.isReference():
		return "<<var:name>>"
	case s.Member("const") != nil:
		return literal(s.Member("const"))
	case s.Member("enum") != nil:
		return alternatives(s.elements("enum"), literal)
	case s.Member("$ref") != nil:
		if to := s.referred(); to.Node != nil && depth > 0 {
			return to.short(depth)
		}
		return "object"
	case s.Member("type").Is(jsontext.Array):
		return alternatives(s.elements("type"), func(n *jsontext.Node) string { return s.shortType(literal(n), depth) })
	}
	return s.shortType(s.text("type"), depth)
}

func (s schema) shortType(name string, depth int) string {
	switch name {
	case "string":
		if format := cmp.Or(s.text("format"), s.text("contentEncoding")); format != "" {
			return format
		}
	case "array":
		return "list[" + s.at(s.Member("items")).short(depth) + "]"
	case "object":
		return s.shortObject(depth)
	case "":
		return "any"
	}
	return name
}

func (s schema) shortObject(depth int) string {
	if properties := s.properties(); len(properties) > 0 && depth > 0 {
		shape := func() string {
			return "{" + join(properties, ", ", func(p property) string { return p.text(depth - 1) }) + "}"
		}
		if s.types != nil {
			return s.types.named(s, shape)
		}
		return shape()
	}
	if values := s.at(s.Member("additionalProperties")); values.Is(jsontext.Object) {
		return "dict[string, " + values.short(depth) + "]"
	}
	return "object"
}

func join[T any](all []T, between string, text func(T) string) string {
	var b strings.Builder
	for i, x := range all {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(text(x))
	}
	return b.String()
}

// alternatives joins texts, each once, by vertical bars.
func alternatives(all []*jsontext.Node, text func(*jsontext.Node) string) string {
	var words []string
	for _, n := range all {
		if w := text(n); !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, "|")
}

// literal returns a JSON value, a string without quotes where it is a word.
func literal(n *jsontext.Node) string {
	if n.Is(jsontext.String) {
		return word(n.Str())
	}
	return n.String()
}

// word returns a text as it is if nothing else can be read from it, else quoted.
func word(text string) string {
	for i, c := range []byte(text) {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		inside := '0' <= c && c <= '9' || c == '-' || c == '.'
		if !letter && (i == 0 || !inside) {
			return jsontext.Quote(text)
		}
	}
	switch text {
	case "", "true", "false", "null":
		return `"` + text + `"`
	}
	return text
}
