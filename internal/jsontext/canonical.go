package jsontext

import (
	"slices"
	"strings"
)

// Equal reports whether two values are the same in the sense of JSON Schema: 1 and
// 1.0 are, and objects whose members are in another order.
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

// Same reports whether two texts are JSON of equal values that nest at most so deeply.
func Same(a, b []byte, depth int) bool {
	x, err := Parse(string(a), depth)
	y, other := Parse(string(b), depth)
	return err == nil && other == nil && Equal(x, y)
}

// AppendCanonical appends the value as JSON that is the same for all that are
// equal to it.
func (n *Node) AppendCanonical(b []byte) []byte {
	switch n.Kind {
	case Number:
		return ParseDecimal(n.Text).append(b)
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
		for i, m := range n.sorted() {
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

func (n *Node) sorted() []*member {
	members := make([]*member, len(n.Items))
	for i, m := range n.Items {
		members[i] = &member{m.Name(), m}
	}
	slices.SortStableFunc(members, func(a, b *member) int { return strings.Compare(a.name, b.name) })
	return members
}
