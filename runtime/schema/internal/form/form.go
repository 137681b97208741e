// Package form turns values from the form in which a model writes them for a target
// into that of the neutral schema, and back.
package form

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// Form is how values of one schema are written for a target, where that differs
// from the neutral form; nil where it does not. Values that are not of the form
// they should have are left as they are.
type Form struct {
	Kind     Kind
	Fields   []Field        // of an object, in the order of the schema
	Wire     map[string]int // the fields by their names for the target
	Key      *Form          // of pairs
	Elem     *Form          // of lists, pairs, maps and references
	Values   []Value        // of a table
	Branches []Branch       // of a union
}

// Kind says what differs, and so which of the members of a [Form] count.
type Kind int

const (
	Fields Kind = iota // an object whose members are other ones
	List               // an array of others
	Pairs              // a map as a list of {key, value}
	Text               // any value as JSON text in a string
	Table              // a value as one of some strings
	Union              // the form of the branch that a value is of
	Ref                // another form, which may hold this one
	Member             // a value as the only member of an object
)

// Field is a member of an object.
type Field struct {
	Name, Wire string
	Form       *Form
	Forced     bool // it is always there for the target, though it may be absent
	Absent     bool // null stands for one that is not there
}

// Value is one of an enumeration.
type Value struct {
	Neutral *jsontext.Node
	Wire    string
}

// Branch is one alternative of a union.
type Branch struct {
	Neutral, Wire outline.Shape
	Form          *Form
}

// The members of a map's list, and what the arguments are a member of if they are
// no object of named ones.
const (
	KeyMember      = "key"
	ValueMember    = "value"
	ArgumentMember = "arguments"
)

// Raise returns a value that was written for the target in the neutral form.
func (f *Form) Raise(v *jsontext.Node) *jsontext.Node {
	if f == nil {
		return v
	}
	switch f.Kind {
	case Fields:
		return f.raiseFields(v)
	case List:
		return tree.Each(v, jsontext.Array, f.Elem.Raise)
	case Pairs:
		return f.raisePairs(v)
	case Text:
		return raiseText(v)
	case Table:
		return f.raiseValue(v)
	case Union:
		for _, b := range f.Branches {
			if b.Wire.Fits(v) {
				return b.Form.Raise(v)
			}
		}
	case Ref:
		return f.Elem.Raise(v)
	case Member:
		if inner := v.Member(ArgumentMember); inner != nil && len(v.Items) == 1 {
			return f.Elem.Raise(inner)
		}
	}
	return v
}

func (f *Form) raiseFields(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.Object) {
		return v
	}
	out := tree.Object()
	for _, member := range v.Items {
		at, known := f.Wire[member.Name()]
		if !known {
			out.Add(member)
			continue
		}
		if x := f.Fields[at]; !x.Absent || !member.Is(jsontext.Null) {
			tree.Add(out, x.Name, x.Form.Raise(member))
		}
	}
	return out
}

// raisePairs makes an object of a list of keys and values. One that is an object
// already was written as the neutral schema has it.
func (f *Form) raisePairs(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.Array) {
		return tree.Each(v, jsontext.Object, f.Elem.Raise)
	}
	out := tree.Object()
	for _, pair := range v.Items {
		key, value := f.Key.Raise(tree.MemberOrNull(pair, KeyMember)), pair.Member(ValueMember)
		if !key.Is(jsontext.String) || value == nil || len(pair.Items) != 2 {
			return v
		}
		out.Add(tree.Keyed(key.Text, f.Elem.Raise(value)))
	}
	return out
}

// raiseText returns the value that a string is the JSON text of. Text that is
// none is a string that was not written as JSON.
func raiseText(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.String) || !utf8.ValidString(v.Text) {
		return v
	}
	if inner, err := tree.Parse([]byte(v.Str())); err == nil {
		return inner
	}
	return v
}

// raiseValue returns the value that a string stands for. Providers do not all
// keep the case of what they hold the model to.
func (f *Form) raiseValue(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.String) {
		return v
	}
	var found *jsontext.Node
	for _, x := range f.Values {
		switch text := v.Str(); {
		case x.Wire == text:
			return x.Neutral
		case strings.EqualFold(x.Wire, text) && found != nil:
			return v // it could be either
		case strings.EqualFold(x.Wire, text):
			found = x.Neutral
		}
	}
	if found != nil {
		return found
	}
	return v
}

// Encode is the inverse of raise.
func (f *Form) Encode(v *jsontext.Node) *jsontext.Node {
	if f == nil {
		return v
	}
	switch f.Kind {
	case Fields:
		return f.encodeFields(v)
	case List:
		return tree.Each(v, jsontext.Array, f.Elem.Encode)
	case Pairs:
		return f.encodePairs(v)
	case Text:
		return tree.String(string(tree.Raw(v)))
	case Table:
		at := slices.IndexFunc(f.Values, func(x Value) bool { return jsontext.Equal(x.Neutral, v) })
		if at >= 0 {
			return tree.String(f.Values[at].Wire)
		}
	case Union:
		for _, b := range f.Branches {
			if b.Neutral.Fits(v) {
				return b.Form.Encode(v)
			}
		}
	case Ref:
		return f.Elem.Encode(v)
	case Member:
		out := tree.One(ArgumentMember, f.Elem.Encode(v))
		return out
	}
	return v
}

// encodeFields writes members in the order of the schema, and then others.
func (f *Form) encodeFields(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.Object) {
		return v
	}
	members := map[string]*jsontext.Node{}
	for _, member := range v.Items {
		members[member.Name()] = member
	}
	out, known := tree.Object(), map[string]bool{}
	for _, x := range f.Fields {
		known[x.Name] = true
		if member := members[x.Name]; member != nil {
			tree.Add(out, x.Wire, x.Form.Encode(member))
		} else if x.Forced {
			tree.Add(out, x.Wire, tree.Null)
		}
	}
	for _, member := range v.Items {
		if !known[member.Name()] {
			out.Add(member)
		}
	}
	return out
}

func (f *Form) encodePairs(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.Object) {
		return v
	}
	out := tree.Array()
	for _, value := range v.Items {
		pair := tree.One(KeyMember, f.Key.Encode(&jsontext.Node{Kind: jsontext.String, Text: value.Key}))
		tree.Add(pair, ValueMember, f.Elem.Encode(value))
		out.Items = append(out.Items, pair)
	}
	return out
}

// Distinct reports whether the branches are apart that differ in their forms, to
// who writes a value and to who reads it.
func (f *Form) Distinct() bool {
	for i, x := range f.Branches {
		for _, y := range f.Branches[:i] {
			if (x.Form != nil || y.Form != nil) && !(x.Wire.Apart(y.Wire) && x.Neutral.Apart(y.Neutral)) {
				return false
			}
		}
	}
	return true
}
