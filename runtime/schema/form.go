package schema

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// form is how values of one schema are written for a target, where that differs
// from the neutral form; nil where it does not. Values that are not of the form
// they should have are left as they are.
type form struct {
	kind     formKind
	fields   []field        // of an object, in the order of the schema
	wire     map[string]int // the fields by their names for the target
	key      *form          // of pairs
	elem     *form          // of lists, pairs, maps and references
	values   []value        // of a table
	branches []branch       // of a union
}

type formKind int

const (
	fieldsForm formKind = iota // an object whose members are other ones
	listForm                   // an array of others
	pairsForm                  // a map as a list of {key, value}
	textForm                   // any value as JSON text in a string
	tableForm                  // a value as one of some strings
	unionForm                  // the form of the branch that a value is of
	refForm                    // another form, which may hold this one
	memberForm                 // a value as the only member of an object
)

// field is a member of an object.
type field struct {
	name, wire string
	form       *form
	forced     bool // it is always there for the target, though it may be absent
	absent     bool // null stands for one that is not there
}

// value is one of an enumeration.
type value struct {
	neutral *jsontext.Node
	wire    string
}

// branch is one alternative of a union.
type branch struct {
	neutral, wire shape
	form          *form
}

// The members of a map's list, and what the arguments are a member of if they are
// no object of named ones.
const (
	keyMember      = "key"
	valueMember    = "value"
	argumentMember = "arguments"
)

// raise returns a value that was written for the target in the neutral form.
func (f *form) raise(v *jsontext.Node) *jsontext.Node {
	if f == nil {
		return v
	}
	switch f.kind {
	case fieldsForm:
		return f.raiseFields(v)
	case listForm:
		return eachOf(v, jsontext.Array, f.elem.raise)
	case pairsForm:
		return f.raisePairs(v)
	case textForm:
		return raiseText(v)
	case tableForm:
		return f.raiseValue(v)
	case unionForm:
		for _, b := range f.branches {
			if b.wire.fits(v) {
				return b.form.raise(v)
			}
		}
	case refForm:
		return f.elem.raise(v)
	case memberForm:
		if inner := v.Member(argumentMember); inner != nil && len(v.Items) == 1 {
			return f.elem.raise(inner)
		}
	}
	return v
}

func (f *form) raiseFields(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.Object) {
		return v
	}
	out := object()
	for _, member := range v.Items {
		at, known := f.wire[member.Name()]
		if !known {
			out.Add(member)
			continue
		}
		if x := f.fields[at]; !x.absent || !member.Is(jsontext.Null) {
			addTo(out, x.name, x.form.raise(member))
		}
	}
	return out
}

// raisePairs makes an object of a list of keys and values. One that is an object
// already was written as the neutral schema has it.
func (f *form) raisePairs(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.Array) {
		return eachOf(v, jsontext.Object, f.elem.raise)
	}
	out := object()
	for _, pair := range v.Items {
		key, value := f.key.raise(memberOrNull(pair, keyMember)), pair.Member(valueMember)
		if !key.Is(jsontext.String) || value == nil || len(pair.Items) != 2 {
			return v
		}
		out.Add(keyed(key.Text, f.elem.raise(value)))
	}
	return out
}

// raiseText returns the value that a string is the JSON text of. Text that is
// none is a string that was not written as JSON.
func raiseText(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.String) || !utf8.ValidString(v.Text) {
		return v
	}
	if inner, err := parse([]byte(v.Str())); err == nil {
		return inner
	}
	return v
}

// raiseValue returns the value that a string stands for. Providers do not all
// keep the case of what they hold the model to.
func (f *form) raiseValue(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.String) {
		return v
	}
	var found *jsontext.Node
	for _, x := range f.values {
		switch text := v.Str(); {
		case x.wire == text:
			return x.neutral
		case strings.EqualFold(x.wire, text) && found != nil:
			return v // it could be either
		case strings.EqualFold(x.wire, text):
			found = x.neutral
		}
	}
	if found != nil {
		return found
	}
	return v
}

// encode is the inverse of raise.
func (f *form) encode(v *jsontext.Node) *jsontext.Node {
	if f == nil {
		return v
	}
	switch f.kind {
	case fieldsForm:
		return f.encodeFields(v)
	case listForm:
		return eachOf(v, jsontext.Array, f.elem.encode)
	case pairsForm:
		return f.encodePairs(v)
	case textForm:
		return str(string(rawOf(v)))
	case tableForm:
		at := slices.IndexFunc(f.values, func(x value) bool { return jsontext.Equal(x.neutral, v) })
		if at >= 0 {
			return str(f.values[at].wire)
		}
	case unionForm:
		for _, b := range f.branches {
			if b.neutral.fits(v) {
				return b.form.encode(v)
			}
		}
	case refForm:
		return f.elem.encode(v)
	case memberForm:
		out := object()
		addTo(out, argumentMember, f.elem.encode(v))
		return out
	}
	return v
}

// encodeFields writes members in the order of the schema, and then others.
func (f *form) encodeFields(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.Object) {
		return v
	}
	members := map[string]*jsontext.Node{}
	for _, member := range v.Items {
		members[member.Name()] = member
	}
	out, known := object(), map[string]bool{}
	for _, x := range f.fields {
		known[x.name] = true
		if member := members[x.name]; member != nil {
			addTo(out, x.wire, x.form.encode(member))
		} else if x.forced {
			addTo(out, x.wire, nullNode)
		}
	}
	for _, member := range v.Items {
		if !known[member.Name()] {
			out.Add(member)
		}
	}
	return out
}

func (f *form) encodePairs(v *jsontext.Node) *jsontext.Node {
	if !v.Is(jsontext.Object) {
		return v
	}
	out := array()
	for _, value := range v.Items {
		pair := object()
		addTo(pair, keyMember, f.key.encode(&jsontext.Node{Kind: jsontext.String, Text: value.Key}))
		addTo(pair, valueMember, f.elem.encode(value))
		out.Items = append(out.Items, pair)
	}
	return out
}
