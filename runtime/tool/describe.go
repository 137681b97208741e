package tool

import (
	"cmp"
	"slices"
	"strings"
)

// Text describes tools in the compact form that prompts of models without tool
// calls need: of each the call with its arguments and their types, optional ones
// with a question mark, what it does, what each argument means, and an example.
//
//	find_ticket(words: string, status?: open|closed, limit?: integer = 10) -> list[object]
//	  Finds tickets by words in their titles.
//	  - words: what to look for
//	  {"name":"find_ticket","arguments":{"words":"printer"}}
func Text(definitions []Definition) string {
	var b strings.Builder
	for i, d := range definitions {
		if i > 0 {
			b.WriteByte('\n')
		}
		d.text(&b)
	}
	return b.String()
}

// textDepth is how many levels of objects are written out.
const textDepth = 2

func (d Definition) text(b *strings.Builder) {
	input := parseSchema(d.Input)
	properties := input.properties()
	b.WriteString(d.Name + "(" + join(properties, ", ", func(p property) string { return p.text(textDepth) }) + ")")
	if output := parseSchema(d.Output); output.v.Ok() && output.text("type") != "null" {
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
	if arguments := d.sample(input); arguments != nil {
		b.WriteString("  " + `{"name":` + string(appendString(nil, d.Name)) + `,"arguments":` + string(arguments) + "}\n")
	}
}

func (p property) text(depth int) string {
	text := word(p.name)
	if !p.required {
		text += "?"
	}
	text += ": " + p.schema.short(depth)
	if value := p.schema.get("default"); value.Ok() {
		text += " = " + string(value.Raw())
	}
	return text
}

// short returns the type in short form. Objects below the given depth are not
// written out.
func (s schema) short(depth int) string {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if all := s.elements(keyword); all != nil {
			return alternatives(all, func(v Value) string { return schema{v}.short(depth) })
		}
	}
	switch {
	case s.isReference():
		return refOpen + "name" + refClose
	case s.get("const").Ok():
		return literal(s.get("const"))
	case s.get("enum").Ok():
		return alternatives(s.elements("enum"), literal)
	case s.get("$ref").Ok():
		return "object"
	case s.get("type").is(kindArray):
		return alternatives(s.elements("type"), func(v Value) string { return s.shortType(literal(v), depth) })
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
		return "list[" + schema{s.get("items")}.short(depth) + "]"
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
	if values := (schema{s.get("additionalProperties")}); values.v.is(kindObject) {
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
func alternatives(all []Value, text func(Value) string) string {
	var words []string
	for _, v := range all {
		if w := text(v); !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, "|")
}

// literal returns a JSON value, a string without quotes where it is a word.
func literal(v Value) string {
	if v.is(kindString) {
		return word(v.Str())
	}
	return string(v.Raw())
}

// word returns a text as it is if nothing else can be read from it, else quoted.
func word(text string) string {
	for i, c := range []byte(text) {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		if !letter && (i == 0 || !isDigit(c) && c != '-' && c != '.') {
			return string(appendString(nil, text))
		}
	}
	switch text {
	case "", "true", "false", "null":
		return `"` + text + `"`
	}
	return text
}
