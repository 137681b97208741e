package schema

import (
	"slices"
	"strings"
	"unicode/utf8"
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
	neutral *node
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
func (f *form) raise(v *node) *node {
	if f == nil {
		return v
	}
	switch f.kind {
	case fieldsForm:
		return f.raiseFields(v)
	case listForm:
		return v.each('[', f.elem.raise)
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
		if inner := v.get(argumentMember); inner != nil && len(v.values) == 1 {
			return f.elem.raise(inner)
		}
	}
	return v
}

func (f *form) raiseFields(v *node) *node {
	if !v.is('{') {
		return v
	}
	out := object()
	for i, member := range v.values {
		at, known := f.wire[v.name(i)]
		if !known {
			out.keys, out.values = append(out.keys, v.keys[i]), append(out.values, member)
			continue
		}
		if x := f.fields[at]; !x.absent || !member.is('n') {
			out.add(x.name, x.form.raise(member))
		}
	}
	return out
}

// raisePairs makes an object of a list of keys and values. One that is an object
// already was written as the neutral schema has it.
func (f *form) raisePairs(v *node) *node {
	if !v.is('[') {
		return v.each('{', f.elem.raise)
	}
	out := object()
	for _, pair := range v.values {
		key, value := f.key.raise(pair.getOrNull(keyMember)), pair.get(valueMember)
		if !key.is('"') || value == nil || len(pair.values) != 2 {
			return v
		}
		out.keys, out.values = append(out.keys, key.text), append(out.values, f.elem.raise(value))
	}
	return out
}

// raiseText returns the value that a string is the JSON text of. Text that is
// none is a string that was not written as JSON.
func raiseText(v *node) *node {
	if !v.is('"') || !utf8.ValidString(v.text) {
		return v
	}
	if inner, err := parse([]byte(v.str())); err == nil {
		return inner
	}
	return v
}

// raiseValue returns the value that a string stands for. Providers do not all
// keep the case of what they hold the model to.
func (f *form) raiseValue(v *node) *node {
	if !v.is('"') {
		return v
	}
	var found *node
	for _, x := range f.values {
		switch text := v.str(); {
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
func (f *form) encode(v *node) *node {
	if f == nil {
		return v
	}
	switch f.kind {
	case fieldsForm:
		return f.encodeFields(v)
	case listForm:
		return v.each('[', f.elem.encode)
	case pairsForm:
		return f.encodePairs(v)
	case textForm:
		return str(string(v.raw()))
	case tableForm:
		at := slices.IndexFunc(f.values, func(x value) bool { return x.neutral.equal(v) })
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
		out.add(argumentMember, f.elem.encode(v))
		return out
	}
	return v
}

// encodeFields writes members in the order of the schema, and then others.
func (f *form) encodeFields(v *node) *node {
	if !v.is('{') {
		return v
	}
	members := map[string]*node{}
	for i, member := range v.values {
		members[v.name(i)] = member
	}
	out, known := object(), map[string]bool{}
	for _, x := range f.fields {
		known[x.name] = true
		if member := members[x.name]; member != nil {
			out.add(x.wire, x.form.encode(member))
		} else if x.forced {
			out.add(x.wire, nullNode)
		}
	}
	for i, member := range v.values {
		if !known[v.name(i)] {
			out.keys, out.values = append(out.keys, v.keys[i]), append(out.values, member)
		}
	}
	return out
}

func (f *form) encodePairs(v *node) *node {
	if !v.is('{') {
		return v
	}
	out := array()
	for i, value := range v.values {
		pair := object()
		pair.add(keyMember, f.key.encode(&node{text: v.keys[i]}))
		pair.add(valueMember, f.elem.encode(value))
		out.values = append(out.values, pair)
	}
	return out
}
