// Package callform converts JSON Schemas to HTML forms, and sent forms to JSON. [New] reads the schema of an
// object. [Form.Arguments] returns the JSON of a sent form, [Form.Values] is its inverse, and [Form.Inputs]
// returns the fields of the form for a template.
//
// A form distinguishes members that are left out, empty and null. Values that have no input element of their
// own, such as lists of objects, are entered as JSON.
package callform

import (
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// Limits of a form. If a schema exceeds them, it has no form, or some of its values are entered as JSON.
const (
	maxFields  = 200
	maxLevels  = 5
	maxChoices = 200
	maxLinks   = 16 // references and alternatives to follow for one value
)

// Form is the form of an object. It is safe for concurrent use.
type Form struct {
	prefix string
	root   *field
	// JSONOnly reports that the schema has no form: it does not describe an object with known members, or it is too
	// large.
	JSONOnly bool
}

// Kind says how a value is entered.
type Kind string

// The kinds of fields.
const (
	Text   Kind = "text"   // a string
	Number Kind = "number" // a number
	Choice Kind = "choice" // one of a few values
	Lines  Kind = "lines"  // a list of strings or numbers, one in each line
	JSON   Kind = "json"   // any value as JSON
	Group  Kind = "group"  // an object with its own fields
)

// field is a member of an object.
type field struct {
	pointer     string // JSON Pointer in the object
	name        string
	kind        Kind
	description string
	required    bool
	nullable    bool
	numbers     bool     // the elements of Lines are numbers
	choices     []string // JSON of the values of a Choice
	members     []*field
}

// New returns the form of a schema. The names of all its input elements begin with the prefix, so that one
// HTML form can contain several. No schema means an object without members.
func New(schema json.RawMessage, prefix string) *Form {
	f := &Form{prefix: prefix, root: &field{kind: Group, required: true}}
	if len(schema) == 0 {
		return f
	}
	s, err := jsonschema.Parse(schema)
	if err != nil {
		f.JSONOnly = true
		return f
	}
	r := reader{left: maxFields}
	f.root = r.readField(s, "", "", true)
	f.JSONOnly = f.root.kind != Group && !isEmptyObject(s) || r.left < 0
	if f.JSONOnly || f.root.kind != Group {
		f.root = &field{kind: Group, required: true}
	}
	return f
}

// isEmptyObject reports whether a schema allows only an object without members.
func isEmptyObject(s *jsonschema.Schema) bool {
	return s.Types == jsonschema.TypesOf(jsontext.Object) && len(s.Properties) == 0 && len(s.Patterns) == 0 && s.Additional != nil && s.Additional.Never
}

// reader converts schemas to fields.
type reader struct {
	left int                  // number of fields that may be added
	open []*jsonschema.Schema // the objects around a field
}

// readField returns the field of a value.
func (r *reader) readField(s *jsonschema.Schema, pointer, name string, required bool) *field {
	r.left--
	f := &field{pointer: pointer, name: name, required: required, kind: JSON}
	s = f.resolve(s)
	if s == nil {
		return f
	}
	types := s.Types &^ jsonschema.TypesOf(jsontext.Null)
	f.nullable = f.nullable || types != s.Types
	switch numbers := jsonschema.TypesOf(jsontext.Number, jsonschema.Integer); {
	case s.Values != nil:
		f.setChoices(s.Values)
	case types == jsonschema.TypesOf(jsontext.Bool):
		f.kind, f.choices = Choice, []string{"true", "false"}
		if f.nullable {
			f.choices = append(f.choices, "null")
		}
	case types == jsonschema.TypesOf(jsontext.String):
		f.kind = Text
	case types != 0 && types&^numbers == 0:
		f.kind = Number
	case types == jsonschema.TypesOf(jsontext.Array):
		f.setLines(s)
	case types == jsonschema.TypesOf(jsontext.Object):
		r.setMembers(f, s)
	}
	return f
}

// resolve follows references and alternatives to the only schema that describes values other than null. It
// returns nil if there are several. It sets the description of f, and whether f is nullable.
func (f *field) resolve(s *jsonschema.Schema) *jsonschema.Schema {
	for range maxLinks {
		if f.description == "" && s.Node.Is(jsontext.Object) {
			f.description = s.Node.Member("description").Str()
		}
		links := f.dropNulls(slices.Concat(s.AllOf, s.AnyOf, s.OneOf))
		if s.Ref != nil {
			links = append(links, s.Ref)
		}
		switch describesValues := s.Types != 0 || len(s.Properties) > 0 || s.Values != nil; {
		case len(links) == 0:
			return s
		case len(links) > 1 || describesValues:
			return nil
		}
		s = links[0]
	}
	return nil
}

// dropNulls returns the schemas that allow values other than null. If it drops one, it makes f nullable.
func (f *field) dropNulls(schemas []*jsonschema.Schema) (others []*jsonschema.Schema) {
	for _, s := range schemas {
		if s.Types == jsonschema.TypesOf(jsontext.Null) {
			f.nullable = true
		} else {
			others = append(others, s)
		}
	}
	return others
}

// setChoices makes f a choice of values, unless there are too many.
func (f *field) setChoices(values *jsonschema.Values) {
	if len(values.List) > maxChoices {
		return
	}
	f.kind = Choice
	hasNull := false
	for _, v := range values.List {
		f.choices = append(f.choices, v.String())
		hasNull = hasNull || v.Is(jsontext.Null)
	}
	if f.nullable && !hasNull {
		f.choices = append(f.choices, "null")
	}
}

// setLines makes f a list with one element in each line, if its elements are strings or numbers.
func (f *field) setLines(s *jsonschema.Schema) {
	if s.Items == nil || len(s.Prefix) > 0 {
		return
	}
	items := new(field).resolve(s.Items)
	numbers := jsonschema.TypesOf(jsontext.Number, jsonschema.Integer)
	switch {
	case items == nil:
	case items.Types == jsonschema.TypesOf(jsontext.String):
		f.kind = Lines
	case items.Types != 0 && items.Types&^numbers == 0:
		f.kind, f.numbers = Lines, true
	}
}

// setMembers makes f a group, if its members are known and few, and the schema is not recursive.
func (r *reader) setMembers(f *field, s *jsonschema.Schema) {
	if len(s.Properties) == 0 || len(s.Patterns) > 0 || s.Additional != nil && !s.Additional.Never ||
		len(r.open) > maxLevels || slices.Contains(r.open, s) {
		return
	}
	r.open = append(r.open, s)
	defer func() { r.open = r.open[:len(r.open)-1] }()
	f.kind = Group
	for _, p := range s.Properties {
		if r.left < 0 {
			return
		}
		f.members = append(f.members, r.readField(p.Schema, jsontext.Join(f.pointer, p.Name), p.Name, slices.Contains(s.Required, p.Name)))
	}
}
