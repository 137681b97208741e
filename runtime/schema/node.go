package schema

import (
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// parse reads a JSON text.
func parse(text []byte) (*jsontext.Node, error) { return jsontext.Parse(string(text), MaxDepth) }

// Values that are made.

func object() *jsontext.Node { return &jsontext.Node{Kind: jsontext.Object} }

func array(values ...*jsontext.Node) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.Array, Items: values}
}

func str(s string) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(s)}
}

func strs(list []string) *jsontext.Node {
	n := array()
	for _, s := range list {
		n.Add(str(s))
	}
	return n
}

var (
	falseNode = &jsontext.Node{Kind: jsontext.Bool, Text: "false"}
	trueNode  = &jsontext.Node{Kind: jsontext.Bool, Text: "true"}
	nullNode  = &jsontext.Node{Kind: jsontext.Null, Text: "null"}
)

// What is asked of values that may be nil.

// kindOf returns what a value begins with: one of {["0tn, where 0 stands for
// numbers and t for both booleans.
func kindOf(n *jsontext.Node) byte { return `nt0"[{`[n.Kind] }

func isWord(n *jsontext.Node, word string) bool { return n != nil && n.Text == word }

// itemsOf returns the values in an array or an object.
func itemsOf(n *jsontext.Node) []*jsontext.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// stringsIn returns the values of an array of strings.
func stringsIn(n *jsontext.Node) (all []string) {
	if n.Is(jsontext.Array) {
		for _, v := range n.Items {
			if v.Is(jsontext.String) {
				all = append(all, v.Str())
			}
		}
	}
	return all
}

// memberOrNull returns a member of an object, or null.
func memberOrNull(n *jsontext.Node, name string) *jsontext.Node {
	if v := n.Member(name); v != nil {
		return v
	}
	return nullNode
}

// rawOf returns the value as minified JSON.
func rawOf(n *jsontext.Node) json.RawMessage { return n.Append(nil) }

// Changes. Values that are there already may be in other trees, so they are copied
// under their new names.

// keyed returns a value under a name, which is written as JSON.
func keyed(key string, value *jsontext.Node) *jsontext.Node {
	if value.Key == key {
		return value
	}
	c := *value
	c.Key = key
	return &c
}

// addTo appends a member to an object, unless it is nil.
func addTo(n *jsontext.Node, name string, value *jsontext.Node) {
	if value != nil {
		n.Add(keyed(jsontext.Quote(name), value))
	}
}

// setIn replaces a member, or appends it.
func setIn(n *jsontext.Node, name string, value *jsontext.Node) {
	for i, m := range n.Items {
		if m.Name() == name {
			n.Items[i] = keyed(m.Key, value)
			return
		}
	}
	addTo(n, name, value)
}

// without returns an object that lacks some members.
func without(n *jsontext.Node, names ...string) *jsontext.Node {
	out := object()
	for _, m := range n.Items {
		if !slices.Contains(names, m.Name()) {
			out.Add(m)
		}
	}
	return out
}

// eachOf returns an array or an object whose values were changed, and other values
// as they are.
func eachOf(n *jsontext.Node, k jsontext.Kind, change func(*jsontext.Node) *jsontext.Node) *jsontext.Node {
	if !n.Is(k) {
		return n
	}
	out := &jsontext.Node{Kind: k, Key: n.Key}
	for _, v := range n.Items {
		out.Add(keyed(v.Key, change(v)))
	}
	return out
}
