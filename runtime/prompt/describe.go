package prompt

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Text describes tools in the compact form that prompts of models without tool
// calls need: of each the call with its arguments and their types, optional ones
// with a question mark, what it does, what each argument means, and an example.
//
//	find_ticket(words: string, status?: open|closed, limit?: integer = 10) -> list[object]
//	  Finds tickets by words in their titles.
//	  - words: what to look for
//	  {"name":"find_ticket","arguments":{"words":"printer"}}
func Text(definitions []tool.Definition) string {
	var b strings.Builder
	for i, d := range definitions {
		if i > 0 {
			b.WriteByte('\n')
		}
		describe(&b, d)
	}
	return b.String()
}

// textDepth is how many levels of objects are written out.
const textDepth = 2

func describe(b *strings.Builder, d tool.Definition) {
	input := parseSchema(d.Input)
	properties := input.properties()
	b.WriteString(d.Name + "(" + join(properties, ", ", func(p property) string { return p.text(textDepth) }) + ")")
	if output := parseSchema(d.Output); output.Node != nil && output.text("type") != "null" {
		b.WriteString(" -> " + output.short(textDepth))
	}
	b.WriteByte('\n')
	for line := range strings.Lines(d.Description) {
		b.WriteString(strings.TrimRight("  "+line, " \r\n") + "\n")
	}
	for _, p := range properties {
		if text := strings.Fields(p.schema.text("description")); len(text) > 0 {
			b.WriteString("  - " + word(p.name) + ": " + strings.Join(text, " ") + "\n")
		}
	}
	if arguments := sample(d, input); arguments != nil {
		b.WriteString("  " + `{"name":` + jsontext.Quote(d.Name) + `,"arguments":` + string(arguments) + "}\n")
	}
}

func (p property) text(depth int) string {
	text := word(p.name)
	if !p.required {
		text += "?"
	}
	text += ": " + p.schema.short(depth)
	if value := p.schema.Member("default"); value != nil {
		text += " = " + value.String()
	}
	return text
}

// short returns the type in short form. Objects below the given depth are not
// written out.
func (s schema) short(depth int) string {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if all := s.elements(keyword); all != nil {
			return alternatives(all, func(n *jsontext.Node) string { return schema{n}.short(depth) })
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
			return "string (" + format + ")"
		}
	case "array":
		return "list[" + schema{s.Member("items")}.short(depth) + "]"
	case "object":
		return s.shortObject(depth)
	case "":
		return "any"
	}
	return name
}

func (s schema) shortObject(depth int) string {
	if properties := s.properties(); len(properties) > 0 && depth > 0 {
		return "{" + join(properties, ", ", func(p property) string { return p.text(depth - 1) }) + "}"
	}
	if values := (schema{s.Member("additionalProperties")}); values.Is(jsontext.Object) {
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
