package tool

import (
	"encoding/json"
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

func (d Definition) text(b *strings.Builder) {
	input := parseSchema(d.Input)
	var parameters []string
	for _, p := range input.properties() {
		parameters = append(parameters, p.text(2))
	}
	b.WriteString(d.Name + "(" + strings.Join(parameters, ", ") + ")")
	if result := parseSchema(d.Output); result.v.Ok() && result.name() != "null" {
		b.WriteString(" -> " + result.short(2))
	}
	b.WriteByte('\n')
	for line := range strings.Lines(d.Description) {
		b.WriteString("  " + strings.TrimSuffix(line, "\n") + "\n")
	}
	for _, p := range input.properties() {
		if text := p.schema.text("description"); text != "" {
			b.WriteString("  - " + p.name + ": " + strings.Join(strings.Fields(text), " ") + "\n")
		}
	}
	if example := d.example(input); example != nil {
		b.WriteString("  " + `{"name":` + string(appendString(nil, d.Name)) + `,"arguments":` + string(example) + "}\n")
	}
}

// example returns the arguments of an example call: those that were given, else
// some that the schema takes; nil if it says too much to make any up.
func (d Definition) example(input schema) json.RawMessage {
	if d.Example != nil {
		return d.Example
	}
	b, ok := input.example(nil, maxExample)
	if !ok {
		return nil
	}
	return b
}

const (
	maxSchemaDepth = 1000
	maxExample     = 8 // how deep an example goes
)

// schema is a JSON Schema, or an absent one.
type schema struct{ v Value }

func parseSchema(text json.RawMessage) schema {
	d := &decoder{text: string(text), maxDepth: maxSchemaDepth}
	if len(text) == 0 || !d.scan() || d.tape[0].kind != kindObject {
		return schema{}
	}
	return schema{Value{d: d}}
}

// get returns a member of the schema, absent if there is none.
func (s schema) get(name string) Value {
	if !s.v.Ok() || s.v.d.tape[s.v.at].kind != kindObject {
		return Value{}
	}
	o := s.v.Object()
	return o.Opt(name)
}

// text returns a member of the schema that is a string.
func (s schema) text(name string) string {
	if v := s.get(name); v.Ok() && v.d.tape[v.at].kind == kindString {
		return v.Str()
	}
	return ""
}

// name returns the type.
func (s schema) name() string { return s.text("type") }

type property struct {
	name     string
	schema   schema
	required bool
}

// properties returns the properties of an object, in their order.
func (s schema) properties() (all []property) {
	v := s.get("properties")
	if !v.Ok() {
		return nil
	}
	required := Slice(s.get("required"), Value.Str)
	o := v.Object()
	for key := range o.keys() {
		name := v.d.str(&v.d.tape[key])
		all = append(all, property{name, schema{Value{v.d, key + 1}}, slices.Contains(required, name)})
	}
	return all
}

func (p property) text(depth int) string {
	text := p.name
	if !p.required {
		text += "?"
	}
	text += ": " + p.schema.short(depth)
	if def := p.schema.get("default"); def.Ok() {
		text += " = " + string(def.Raw())
	}
	return text
}

// short returns the type in short form. Objects below the given depth are not
// written out.
func (s schema) short(depth int) string {
	if enum := s.get("enum"); enum.Ok() {
		return s.alternatives(Slice(enum, func(v Value) string { return strings.Trim(string(v.Raw()), `"`) }))
	}
	if any := s.get("anyOf"); any.Ok() {
		return s.alternatives(Slice(any, func(v Value) string { return schema{v}.short(depth) }))
	}
	switch name := s.name(); name {
	case "array":
		return "list[" + schema{s.get("items")}.short(depth) + "]"
	case "object":
		if values := s.get("additionalProperties"); values.Ok() && values.d.tape[values.at].kind == kindObject {
			return "dict[" + schema{values}.short(depth) + "]"
		}
		properties := s.properties()
		if depth == 0 || len(properties) == 0 {
			return "object"
		}
		var members []string
		for _, p := range properties {
			members = append(members, p.text(depth-1))
		}
		return "{" + strings.Join(members, ", ") + "}"
	case "":
		if s.get("$ref").Ok() {
			return "object"
		}
		return "any"
	default:
		return name
	}
}

func (s schema) alternatives(words []string) string { return strings.Join(words, "|") }

// example appends a value that the schema takes, with the members of objects
// that are required.
func (s schema) example(b []byte, depth int) (_ []byte, ok bool) {
	for _, keyword := range []string{"pattern", "contentEncoding", "$ref", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"} {
		if s.get(keyword).Ok() {
			return b, false
		}
	}
	if depth == 0 {
		return b, false
	}
	if def := s.get("default"); def.Ok() {
		return append(b, def.Raw()...), true
	}
	for _, keyword := range []string{"enum", "anyOf"} {
		if v := s.get(keyword); v.Ok() && v.d.tape[v.at].count > 0 {
			first := Value{v.d, v.at + 1}
			if keyword == "anyOf" {
				return schema{first}.example(b, depth-1)
			}
			return append(b, first.Raw()...), true
		}
	}
	switch s.name() {
	case "string":
		return s.exampleString(b)
	case "integer", "number":
		return s.exampleNumber(b), true
	case "boolean":
		return append(b, "true"...), true
	case "array":
		return s.exampleArray(b, depth)
	case "object":
		return s.exampleObject(b, depth)
	}
	return append(b, "null"...), s.name() == "null" || s.name() == ""
}

var exampleFormats = map[string]string{
	"": "text", "date-time": "2026-01-31T09:30:00Z", "duration": "PT1H30M", "uri": "https://example.com/",
	"email": "ada@example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uuid": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
}

func (s schema) exampleString(b []byte) ([]byte, bool) {
	text, ok := exampleFormats[s.text("format")]
	if least := s.get("minLength"); least.Ok() {
		ok = ok && least.Int() <= len(text)
	}
	if most := s.get("maxLength"); most.Ok() && most.Int() < len(text) {
		text = text[:max(most.Int(), 0)]
		ok = ok && s.text("format") == ""
	}
	return appendString(b, text), ok
}

func (s schema) exampleNumber(b []byte) []byte {
	if least := s.get("minimum"); least.Ok() && least.Float64() > 1 {
		return append(b, least.Raw()...)
	}
	if most := s.get("maximum"); most.Ok() && most.Float64() < 1 {
		return append(b, most.Raw()...)
	}
	return append(b, '1')
}

func (s schema) exampleArray(b []byte, depth int) ([]byte, bool) {
	n := 1
	if least := s.get("minItems"); least.Ok() {
		n = max(n, least.Int())
	}
	if most := s.get("maxItems"); most.Ok() {
		n = min(n, most.Int())
	}
	ok := n <= maxExample
	b = append(b, '[')
	for i := 0; i < n && ok; i++ {
		if i > 0 {
			b = append(b, ',')
		}
		b, ok = schema{s.get("items")}.example(b, depth-1)
	}
	return append(b, ']'), ok
}

func (s schema) exampleObject(b []byte, depth int) (_ []byte, ok bool) {
	ok = true
	b = append(b, '{')
	for _, p := range s.properties() {
		if !p.required {
			continue
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(appendString(b, p.name), ':')
		var fine bool
		b, fine = p.schema.example(b, depth-1)
		ok = ok && fine
	}
	return append(b, '}'), ok
}
