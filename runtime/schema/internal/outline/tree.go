package outline

import (
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Parse reads a JSON text.
func Parse(text []byte) (*jsontext.Node, error) { return jsontext.Parse(string(text), jsontext.Depth) }

// The following functions create values.

// NewObject returns an object without members.
func NewObject() *jsontext.Node { return &jsontext.Node{Kind: jsontext.Object} }

// NewMember returns an object with one member, or without members if the value is nil.
func NewMember(name string, value *jsontext.Node) *jsontext.Node {
	n := NewObject()
	AddMember(n, name, value)
	return n
}

// NewArray returns an array.
func NewArray(values ...*jsontext.Node) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.Array, Items: values}
}

// NewString returns a string.
func NewString(s string) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(s)}
}

// NewStrings returns an array of strings.
func NewStrings(list []string) *jsontext.Node {
	n := NewArray()
	for _, s := range list {
		n.Add(NewString(s))
	}
	return n
}

// The literals of JSON.
var (
	False = &jsontext.Node{Kind: jsontext.Bool, Text: "false"}
	True  = &jsontext.Node{Kind: jsontext.Bool, Text: "true"}
	Null  = &jsontext.Node{Kind: jsontext.Null, Text: "null"}
)

// The following functions accept nil.

// firstByte returns the kind of a value as the first byte of its JSON: '{', '[', '"', '0' for all numbers, 't'
// for both booleans, or 'n' for null.
func firstByte(n *jsontext.Node) byte { return `nt0"[{`[n.Kind] }

// IsWord reports whether the JSON of n is the given word: "true", "false", "null" or a number.
func IsWord(n *jsontext.Node, word string) bool { return n != nil && n.Text == word }

// ItemsOf returns the values in an array or an object.
func ItemsOf(n *jsontext.Node) []*jsontext.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// StringsIn returns the strings in an array.
func StringsIn(n *jsontext.Node) (all []string) {
	if n.Is(jsontext.Array) {
		for _, v := range n.Items {
			if v.Is(jsontext.String) {
				all = append(all, v.Str())
			}
		}
	}
	return all
}

// RawJSON returns the value as compact JSON.
func RawJSON(n *jsontext.Node) json.RawMessage { return n.Append(nil) }

// The following functions build and change objects. A node may belong to several trees, so it is copied before
// it gets another name.

// WithKey returns a value as a member whose name is the JSON string key.
func WithKey(key string, value *jsontext.Node) *jsontext.Node {
	if value.Key == key {
		return value
	}
	c := *value
	c.Key = key
	return &c
}

// AddMember appends a member to an object, unless the value is nil.
func AddMember(n *jsontext.Node, name string, value *jsontext.Node) {
	if value != nil {
		n.Add(WithKey(jsontext.Quote(name), value))
	}
}

// SetMember replaces the member with this name, or appends it.
func SetMember(n *jsontext.Node, name string, value *jsontext.Node) {
	for i, m := range n.Items {
		if m.Name() == name {
			n.Items[i] = WithKey(m.Key, value)
			return
		}
	}
	AddMember(n, name, value)
}

// WithoutMembers returns a copy of an object without the named members.
func WithoutMembers(n *jsontext.Node, names ...string) *jsontext.Node {
	out := NewObject()
	for _, m := range n.Items {
		if !slices.Contains(names, m.Name()) {
			out.Add(m)
		}
	}
	return out
}

// mapItems applies change to each value in n if n is an array or object of kind k. Otherwise, it returns n.
func mapItems(n *jsontext.Node, k jsontext.Kind, change func(*jsontext.Node) *jsontext.Node) *jsontext.Node {
	if !n.Is(k) {
		return n
	}
	out := &jsontext.Node{Kind: k, Key: n.Key}
	for _, v := range n.Items {
		out.Add(WithKey(v.Key, change(v)))
	}
	return out
}

// JoinObjects returns an object with the members of a, followed by those of b.
func JoinObjects(a, b *jsontext.Node) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.Object, Key: a.Key, Items: slices.Concat(a.Items, b.Items)}
}

// MemberNames returns the names of the members of an object, in order.
func MemberNames(n *jsontext.Node) (names []string) {
	for _, m := range n.Items {
		names = append(names, m.Name())
	}
	return names
}
