package jsontext

import (
	"math"
	"slices"
)

// Kind is the type of a value.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// A Span is the range of a value in a text.
type Span struct{ Start, End int32 }

// A Node is a JSON value as it was written, with its name if it is a member of an object. An object keeps
// repeated members and the order of all members, a string keeps its escapes, and a number keeps its digits. Do
// not modify the nodes of a tree, because trees may share nodes.
type Node struct {
	Kind  Kind
	Mark  uint8   // for use by the creator of the node
	Text  string  // JSON of a scalar
	Key   string  // JSON of a member's name
	Items []*Node // elements or members

	Span
	KeySpan Span
}

// Arena allocates nodes in blocks. The zero Arena is ready for use.
type Arena struct {
	free []Node // the rest of the last block
	size int    // of the last block
}

// NewNode returns a new node of a kind that begins at a position of the text.
func (a *Arena) NewNode(k Kind, start int) *Node {
	if len(a.free) == 0 {
		a.size = min(max(8, 2*a.size), 512)
		a.free = make([]Node, a.size)
	}
	n := &a.free[0]
	a.free = a.free[1:]
	n.Kind, n.Start = k, int32(start)
	return n
}

// Is reports whether the node is not nil and has a kind.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Name returns the name of a member, or "".
func (n *Node) Name() string {
	if n.Key == "" {
		return ""
	}
	return Unquote(n.Key)
}

// Str returns the value of a string, or "" for other values.
func (n *Node) Str() string {
	if !n.Is(String) {
		return ""
	}
	return Unquote(n.Text)
}

// Member returns the last member with a name, which is the one that most JSON parsers use, or nil.
func (n *Node) Member(name string) *Node {
	if n.Is(Object) {
		for i := len(n.Items) - 1; i >= 0; i-- {
			if n.Items[i].Name() == name {
				return n.Items[i]
			}
		}
	}
	return nil
}

// At returns the value at a JSON Pointer, or nil.
func (n *Node) At(pointer string) *Node {
	if !IsPointer(pointer) {
		return nil
	}
	for name := range Names(pointer) {
		n = n.child(name)
	}
	return n
}

// child returns the element at an index or the last member with a name, or nil.
func (n *Node) child(name string) *Node {
	if !n.Is(Array) {
		return n.Member(name)
	}
	if i, ok := Index(name); ok && i < len(n.Items) {
		return n.Items[i]
	}
	return nil
}

// A Lookup finds elements and members like [Node.At], for callers that look up many members of the same objects. It
// indexes large objects. The zero Lookup is ready for use.
type Lookup struct {
	members map[*Node]map[string]*Node // of large objects
}

// Child returns the element of n at an index or the last member with a name, or nil.
func (l *Lookup) Child(n *Node, name string) *Node {
	const few = 16
	if !n.Is(Object) || len(n.Items) <= few {
		return n.child(name)
	}
	all := l.members[n]
	if all == nil {
		all = map[string]*Node{}
		for _, m := range n.Items {
			all[m.Name()] = m
		}
		if l.members == nil {
			l.members = map[*Node]map[string]*Node{}
		}
		l.members[n] = all
	}
	return all[name]
}

// FirstRepeated returns the first member of an object whose name occurred before, or nil.
func (n *Node) FirstRepeated() *Node {
	const few = 8 // up to this number of members, comparing all pairs is faster than a map
	seen := map[string]bool{}
	for i, m := range n.Items {
		if !n.Is(Object) {
			return nil
		}
		if len(n.Items) <= few {
			for _, other := range n.Items[:i] {
				if other.Key == m.Key || other.Name() == m.Name() {
					return m
				}
			}
			continue
		}
		if seen[m.Name()] {
			return m
		}
		seen[m.Name()] = true
	}
	return nil
}

// LastMembers returns the elements or members of a value. Of members with the same name, it returns only the last, which
// most JSON parsers use.
func (n *Node) LastMembers() []*Node {
	if n.FirstRepeated() == nil {
		return n.Items
	}
	last := map[string]*Node{}
	for _, m := range n.Items {
		last[m.Name()] = m
	}
	return slices.DeleteFunc(slices.Clone(n.Items), func(m *Node) bool { return last[m.Name()] != m })
}

// Add appends an element or a member to a value that is not complete yet.
func (n *Node) Add(item *Node) { n.Items = append(n.Items, item) }

// Append appends the value as JSON without white space.
func (n *Node) Append(b []byte) []byte { return n.AppendMost(b, math.MaxInt) }

// AppendMost is like Append, but omits the remaining elements and members when b has more than limit
// bytes.
func (n *Node) AppendMost(b []byte, limit int) []byte {
	brackets := "[]"
	switch n.Kind {
	case Array:
	case Object:
		brackets = "{}"
	default:
		return append(b, n.Text...)
	}
	b = append(b, brackets[0])
	for i, item := range n.Items {
		if len(b) > limit {
			break
		}
		if i > 0 {
			b = append(b, ',')
		}
		if n.Kind == Object {
			b = append(append(b, item.Key...), ':')
		}
		b = item.AppendMost(b, limit)
	}
	return append(b, brackets[1])
}

// String returns the value as JSON without white space.
func (n *Node) String() string {
	if n.Kind < Array {
		return n.Text
	}
	return string(n.Append(nil))
}
