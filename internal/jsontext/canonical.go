package jsontext

import (
	"slices"
	"strings"
)

// Equal reports whether two values are equal in the sense of JSON Schema: 1 equals 1.0, and
// the order of members does not matter.
func Equal(a, b *Node) bool {
	switch {
	case a == b:
		return true
	case a.Kind != b.Kind || len(a.Items) != len(b.Items):
		return false
	case a.Kind < Number:
		return a.Text == b.Text
	}
	return string(a.AppendCanonical(nil)) == string(b.AppendCanonical(nil))
}

// EqualTexts reports whether two texts are JSON with at most depth levels of nesting, and their values are equal.
func EqualTexts(a, b []byte, depth int) bool {
	x, err := Parse(string(a), depth)
	y, errB := Parse(string(b), depth)
	return err == nil && errB == nil && Equal(x, y)
}

// AppendCanonical appends the value as canonical JSON, which is the same for values that are equal in
// the sense of [Equal].
func (n *Node) AppendCanonical(b []byte) []byte {
	switch n.Kind {
	case Number:
		return ParseDecimal(n.Text).appendTo(b)
	case String:
		return AppendQuoted(b, Unquote(n.Text))
	case Array:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.AppendCanonical(b)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		for i, m := range n.sortedMembers() {
			if i > 0 {
				b = append(b, ',')
			}
			b = m.node.AppendCanonical(append(AppendQuoted(b, m.name), ':'))
		}
		return append(b, '}')
	}
	return append(b, n.Text...)
}

type member struct {
	name string
	node *Node
}

func (n *Node) sortedMembers() []*member {
	members := make([]*member, len(n.Items))
	for i, m := range n.Items {
		members[i] = &member{m.Name(), m}
	}
	slices.SortStableFunc(members, func(a, b *member) int { return strings.Compare(a.name, b.name) })
	return members
}
