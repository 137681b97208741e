package tool

import (
	"encoding/json"
	"strings"
)

// schema is a JSON Schema, or an absent one. It may be any that a program was
// given: what is not understood is left alone.
type schema struct{ v Value }

const maxSchemaDepth = 1000

// parseSchema returns the schema in a text, an absent one if it is no object.
func parseSchema(text json.RawMessage) schema {
	d := &decoder{text: string(text), maxDepth: maxSchemaDepth}
	if len(text) == 0 || !d.scan() || d.tape[0].kind != kindObject {
		return schema{}
	}
	return schema{Value{d: d}}
}

// is reports whether v is there and of the given kind.
func (v Value) is(k kind) bool { return v.d != nil && v.d.tape[v.at].kind == k }

// get returns a member of the schema, absent if there is none.
func (s schema) get(name string) Value {
	if !s.v.is(kindObject) {
		return Value{}
	}
	o := s.v.Object()
	return o.take(name)
}

// text returns a member of the schema that is a string, else "".
func (s schema) text(name string) string {
	if v := s.get(name); v.is(kindString) {
		return v.Str()
	}
	return ""
}

// elements returns a member of the schema that is an array.
func (s schema) elements(name string) (all []Value) {
	v := s.get(name)
	if !v.is(kindArray) {
		return nil
	}
	return Slice(v, func(v Value) Value { return v })
}

// member is a member of a JSON object.
type member struct {
	key   int // its place on the tape
	name  string
	value Value
}

// members returns the members of an object, in their order; none of others.
func (v Value) members() (all []member) {
	if !v.is(kindObject) {
		return nil
	}
	o := v.Object()
	for key := range o.keys() {
		all = append(all, member{key, v.d.str(&v.d.tape[key]), Value{v.d, key + 1}})
	}
	return all
}

type property struct {
	name     string
	schema   schema
	required bool
}

// properties returns the properties of an object, in their order.
func (s schema) properties() (all []property) {
	required := s.required()
	for _, m := range s.get("properties").members() {
		all = append(all, property{m.name, schema{m.value}, required[m.name]})
	}
	return all
}

func (s schema) required() map[string]bool {
	names := map[string]bool{}
	for _, v := range s.elements("required") {
		if v.is(kindString) {
			names[v.Str()] = true
		}
	}
	return names
}

const (
	referencePattern = "^<<var:[A-Za-z0-9_.-]{1,64}>>$"

	// referenceSchema is the JSON Schema of a reference.
	referenceSchema = `{"type":"string","pattern":"` + referencePattern + `","description":"a reference to a variable"}`
)

// isReference reports whether nothing but a reference is valid.
func (s schema) isReference() bool { return s.text("pattern") == referencePattern }

// admitReferences lets each property of an input schema be a reference, too.
func admitReferences(input json.RawMessage) json.RawMessage {
	var b []byte
	done := 0 // how much of the text was copied
	for _, m := range parseSchema(input).get("properties").members() {
		e := &m.value.d.tape[m.value.at]
		b = append(b, input[done:e.start]...)
		b = schema{m.value}.appendOrReference(b)
		done = int(e.end)
	}
	return append(b, input[done:]...)
}

// appendOrReference appends the schema of what is valid and of references. What
// says what the value is for stays at the top.
func (s schema) appendOrReference(b []byte) []byte {
	d := s.v.d
	whole := d.text[d.tape[s.v.at].start:d.tape[s.v.at].end]
	if s.isReference() {
		return append(b, whole...)
	}
	var said, rest []string
	for _, m := range s.v.members() {
		text := d.text[d.tape[m.key].start:d.tape[m.value.at].end]
		switch m.name {
		case "title", "description", "default":
			said = append(said, text)
		default:
			rest = append(rest, text)
		}
	}
	if s.v.is(kindObject) {
		whole = "{" + strings.Join(rest, ",") + "}"
	}
	said = append(said, `"anyOf":[`+whole+","+referenceSchema+"]")
	return append(b, "{"+strings.Join(said, ",")+"}"...)
}
