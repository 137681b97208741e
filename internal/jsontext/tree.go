package jsontext

import "math"

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

// A Span is where something is in a text.
type Span struct{ Start, End int32 }

// A Node is a value as it was written, and as a member its name: objects keep
// their order and members that are there twice, strings their escapes, numbers
// their digits. Nodes that are in a tree are not changed; another tree may share
// them.
type Node struct {
	Kind  Kind
	Mark  uint8   // for those who made the node
	Text  string  // of a scalar, as JSON
	Key   string  // of a member, as JSON
	Items []*Node // elements or members

	Span
	KeySpan Span
}

// Is reports whether there is a value, of the given kind.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Name returns what the key says; nothing of what is no member.
func (n *Node) Name() string {
	if n.Key == "" {
		return ""
	}
	return Unquote(n.Key)
}

// Str returns what a string says; nothing of other values.
func (n *Node) Str() string {
	if !n.Is(String) {
		return ""
	}
	return Unquote(n.Text)
}

// Member returns the last member of a name, as most readers of JSON do; nil if
// there is none.
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

// At returns the value at a JSON Pointer; nil if there is none.
func (n *Node) At(pointer string) *Node {
	if !IsPointer(pointer) {
		return nil
	}
	for name := range Names(pointer) {
		if n.Is(Array) {
			i, ok := Index(name)
			if !ok || i >= len(n.Items) {
				return nil
			}
			n = n.Items[i]
			continue
		}
		if n = n.Member(name); n == nil {
			return nil
		}
	}
	return n
}

// Repeated returns the first member of an object whose name was there before; nil
// if there is none.
func (n *Node) Repeated() *Node {
	const few = 8 // that are compared with each other
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

// Add appends an element or a member to a value that is being made.
func (n *Node) Add(item *Node) { n.Items = append(n.Items, item) }

// Append appends the value as JSON without blanks.
func (n *Node) Append(b []byte) []byte { return n.AppendMost(b, math.MaxInt) }

// AppendMost is as Append, but leaves out what comes when there are more bytes than
// most.
func (n *Node) AppendMost(b []byte, most int) []byte {
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
		if len(b) > most {
			break
		}
		if i > 0 {
			b = append(b, ',')
		}
		if n.Kind == Object {
			b = append(append(b, item.Key...), ':')
		}
		b = item.AppendMost(b, most)
	}
	return append(b, brackets[1])
}

// String returns the value as JSON without blanks.
func (n *Node) String() string {
	if n.Kind < Array {
		return n.Text
	}
	return string(n.Append(nil))
}
