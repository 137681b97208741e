// Package tree makes trees of JSON and changes them, where package jsontext reads and
// writes them. Nothing changes a value that may be in another tree: it is copied
// under its new name.
package tree

import (
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Parse reads a JSON text.
func Parse(text []byte) (*jsontext.Node, error) { return jsontext.Parse(string(text), jsontext.Depth) }

// Values that are made.

// Object returns an object without members.
func Object() *jsontext.Node { return &jsontext.Node{Kind: jsontext.Object} }

// One returns an object of one member, or of none if the value is nil.
func One(name string, value *jsontext.Node) *jsontext.Node {
	n := Object()
	Add(n, name, value)
	return n
}

// Array returns an array.
func Array(values ...*jsontext.Node) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.Array, Items: values}
}

// String returns a string.
func String(s string) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(s)}
}

// Strings returns an array of strings.
func Strings(list []string) *jsontext.Node {
	n := Array()
	for _, s := range list {
		n.Add(String(s))
	}
	return n
}

var (
	False = &jsontext.Node{Kind: jsontext.Bool, Text: "false"}
	True  = &jsontext.Node{Kind: jsontext.Bool, Text: "true"}
	Null  = &jsontext.Node{Kind: jsontext.Null, Text: "null"}
)

// What is asked of values that may be nil.

// First returns what a value begins with: one of {["0tn, where 0 stands for
// numbers and t for both booleans.
func First(n *jsontext.Node) byte { return `nt0"[{`[n.Kind] }

// Is reports whether there is a value and it is true, false or a number so written.
func Is(n *jsontext.Node, word string) bool { return n != nil && n.Text == word }

// Items returns the values in an array or an object.
func Items(n *jsontext.Node) []*jsontext.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// StringsIn returns the values of an array of strings.
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

// MemberOrNull returns a member of an object, or null.
func MemberOrNull(n *jsontext.Node, name string) *jsontext.Node {
	if v := n.Member(name); v != nil {
		return v
	}
	return Null
}

// Raw returns the value as minified JSON.
func Raw(n *jsontext.Node) json.RawMessage { return n.Append(nil) }

// Changes. Values that are there already may be in other trees, so they are copied
// under their new names.

// Keyed returns a value under a name, which is written as JSON.
func Keyed(key string, value *jsontext.Node) *jsontext.Node {
	if value.Key == key {
		return value
	}
	c := *value
	c.Key = key
	return &c
}

// Add appends a member to an object, unless it is nil.
func Add(n *jsontext.Node, name string, value *jsontext.Node) {
	if value != nil {
		n.Add(Keyed(jsontext.Quote(name), value))
	}
}

// Set replaces a member, or appends it.
func Set(n *jsontext.Node, name string, value *jsontext.Node) {
	for i, m := range n.Items {
		if m.Name() == name {
			n.Items[i] = Keyed(m.Key, value)
			return
		}
	}
	Add(n, name, value)
}

// Without returns an object that lacks some members.
func Without(n *jsontext.Node, names ...string) *jsontext.Node {
	out := Object()
	for _, m := range n.Items {
		if !slices.Contains(names, m.Name()) {
			out.Add(m)
		}
	}
	return out
}

// Each returns an array or an object whose values were changed, and other values
// as they are.
func Each(n *jsontext.Node, k jsontext.Kind, change func(*jsontext.Node) *jsontext.Node) *jsontext.Node {
	if !n.Is(k) {
		return n
	}
	out := &jsontext.Node{Kind: k, Key: n.Key}
	for _, v := range n.Items {
		out.Add(Keyed(v.Key, change(v)))
	}
	return out
}

// Prepend returns an object of the members of two.
func Prepend(a, b *jsontext.Node) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.Object, Key: a.Key, Items: slices.Concat(a.Items, b.Items)}
}

func Names(n *jsontext.Node) (names []string) {
	for _, m := range n.Items {
		names = append(names, m.Name())
	}
	return names
}
