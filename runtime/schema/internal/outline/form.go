package outline

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Form describes how a model writes the values of a schema for a target (the wire form), as opposed
// to how the original schema describes them (the neutral form). A nil Form means that both are the
// same. Conversions do not change a value that does not have the expected form.
type Form struct {
	Kind     FormKind
	Fields   []Field        // for Fields, in the order of the schema
	Wire     map[string]int // for Fields: index into Fields by wire name
	Key      *Form          // for Pairs
	Elem     *Form          // for List, Pairs, Ref and Member
	Name     string         // for Member: ArgumentMember or ValueMember
	Values   []Value        // for Table
	Branches []Branch       // for Union
}

// FormKind is the kind of a [Form]. It determines which other fields of the form are used.
type FormKind int

// The kinds of forms.
const (
	Fields FormKind = iota // an object whose members have other names or forms
	List                   // an array whose items have another form
	Pairs                  // a map, written as a list of {key, value}
	Text                   // any value, written as JSON text in a string
	Table                  // a value, written as one of several strings
	Union                  // the form of the branch that the value follows
	Ref                    // a reference to the form of a definition, which may contain the reference
	Member                 // a value, written as the only member of an object
)

// Field is a member of an object.
type Field struct {
	Name, Wire string // neutral name and wire name
	Form       *Form
	Forced     bool // the target requires the member, although it is optional
	Absent     bool // null means that the member is absent
}

// Value is a value of an enumeration.
type Value struct {
	Neutral *jsontext.Node
	Wire    string
}

// Branch is one alternative of a union, with the shapes of its values in both forms.
type Branch struct {
	Neutral, Wire Shape
	Form          *Form
}

// The names of members that forms add: those of a pair or a box, and the only member of arguments
// whose original schema does not describe an object with named members.
const (
	KeyMember      = "key"
	ValueMember    = "value"
	ArgumentMember = "arguments"
)

// Raise converts a value that was written for the target to the neutral form.
func (f *Form) Raise(v *jsontext.Node) *jsontext.Node {
	if f == nil {
		return v
	}
	switch f.Kind {
	case Fields:
		return f.raiseFields(v)
	case List:
		return mapItems(v, jsontext.Array, f.Elem.Raise)
	case Pairs:
		return f.raisePairs(v)
	case Text:
		return raiseText(v)
	case Table:
		return f.raiseValue(v)
	case Union:
		for _, b := range f.Branches {
			if b.Wire.FitsValue(v) {
				return b.Form.Raise(v)
			}
		}
	case Ref:
		return f.Elem.Raise(v)
	case Member:
		if inner := v.Member(f.Name); inner != nil && len(v.Items) == 1 {
			return f.Elem.Raise(inner)
		}
	}
	return v
}

func (f *Form) raiseFields(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.Object) {
		return v
	}
	out := NewObject()
	for _, member := range v.Items {
		i, ok := f.Wire[member.Name()]
		if !ok {
			out.Add(member)
			continue
		}
		if x := f.Fields[i]; !x.Absent || !member.Is(jsontext.Null) {
			AddMember(out, x.Name, x.Form.Raise(member))
		}
	}
	return out
}

// raisePairs converts a list of keys and values to an object. It also accepts an object, because the
// model may have written the map in the neutral form.
func (f *Form) raisePairs(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.Array) {
		return mapItems(v, jsontext.Object, f.Elem.Raise)
	}
	out := NewObject()
	for _, pair := range v.Items {
		key, value := pair.Member(KeyMember), pair.Member(ValueMember)
		if key == nil || value == nil || len(pair.Items) != 2 {
			return v
		}
		if key = f.Key.Raise(key); !key.Is(jsontext.String) {
			return v
		}
		out.Add(WithKey(key.Text, f.Elem.Raise(value)))
	}
	return out
}

// raiseText parses the JSON text in a string. It returns other values unchanged.
func raiseText(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.String) || !utf8.ValidString(v.Text) {
		return v
	}
	if inner, err := Parse([]byte(v.Str())); err == nil {
		return inner
	}
	return v
}

// raiseValue returns the enumeration value that is written as the string v. It ignores case if only
// one value matches, because some providers do not enforce the case of enumeration values.
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
			return v // ambiguous
		case strings.EqualFold(x.Wire, text):
			found = x.Neutral
		}
	}
	if found != nil {
		return found
	}
	return v
}

// Encode is the inverse of Raise.
func (f *Form) Encode(v *jsontext.Node) *jsontext.Node {
	if f == nil {
		return v
	}
	switch f.Kind {
	case Fields:
		return f.encodeFields(v)
	case List:
		return mapItems(v, jsontext.Array, f.Elem.Encode)
	case Pairs:
		return f.encodePairs(v)
	case Text:
		return NewString(string(RawJSON(v)))
	case Table:
		i := slices.IndexFunc(f.Values, func(x Value) bool { return jsontext.Equal(x.Neutral, v) })
		if i >= 0 {
			return NewString(f.Values[i].Wire)
		}
	case Union:
		for _, b := range f.Branches {
			if b.Neutral.FitsValue(v) {
				return b.Form.Encode(v)
			}
		}
	case Ref:
		return f.Elem.Encode(v)
	case Member:
		return NewMember(f.Name, f.Elem.Encode(v))
	}
	return v
}

// encodeFields writes the members in the order of the schema, followed by members that the schema
// does not name.
func (f *Form) encodeFields(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.Object) {
		return v
	}
	members := map[string]*jsontext.Node{}
	for _, member := range v.Items {
		members[member.Name()] = member
	}
	out, listed := NewObject(), map[string]bool{}
	for _, x := range f.Fields {
		listed[x.Name] = true
		if member := members[x.Name]; member != nil {
			AddMember(out, x.Wire, x.Form.Encode(member))
		} else if x.Forced {
			AddMember(out, x.Wire, Null)
		}
	}
	for _, member := range v.Items {
		if !listed[member.Name()] {
			out.Add(member)
		}
	}
	return out
}

func (f *Form) encodePairs(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.Object) {
		return v
	}
	out := NewArray()
	for _, value := range v.Items {
		pair := NewMember(KeyMember, f.Key.Encode(&jsontext.Node{Kind: jsontext.String, Text: value.Key}))
		AddMember(pair, ValueMember, f.Elem.Encode(value))
		out.Items = append(out.Items, pair)
	}
	return out
}

// BranchesDiffer reports whether every value, in either form, follows at most one branch. Two branches
// without a form may overlap, because their values are not converted.
func (f *Form) BranchesDiffer() bool {
	for i, x := range f.Branches {
		for _, y := range f.Branches[:i] {
			if (x.Form != nil || y.Form != nil) && !(x.Wire.IsDisjoint(y.Wire) && x.Neutral.IsDisjoint(y.Neutral)) {
				return false
			}
		}
	}
	return true
}
