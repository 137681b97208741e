package reader

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// These are the marks of a value that was read. The text of such a value is always valid JSON. Where the source
// is valid JSON, the text is a copy of it, so that reading loses nothing, such as digits of a number.
const (
	Bare   = 1 << iota // a string that had no quotes
	Hole               // the value is missing in the text
	Listed             // a list was added around the value, which is its only element
)

// HasMark reports whether a value has a mark.
func HasMark(n *jsontext.Node, mark uint8) bool { return n.Mark&mark != 0 }

// HoleIn returns the first node with the mark Hole in a value; nil if there is none.
func HoleIn(n *jsontext.Node) *jsontext.Node {
	if HasMark(n, Hole) {
		return n
	}
	for _, m := range n.Items {
		if hole := HoleIn(m); hole != nil {
			return hole
		}
	}
	return nil
}

// DescribeHole describes a missing value.
func DescribeHole(n *jsontext.Node) string {
	if n.Key == "" {
		return "a value is missing"
	}
	return "the value of " + CutShown(n.Key) + " is missing"
}

// TextOf returns the content of a string, or the JSON of another scalar.
func TextOf(n *jsontext.Node) string {
	if n.Kind == jsontext.String {
		return jsontext.Unquote(n.Text)
	}
	return n.Text
}

// ShowValue returns the beginning of a value as JSON.
func ShowValue(n *jsontext.Node) string {
	return CutShown(string(n.AppendMost(nil, longestShown)))
}

// OnlyItem returns the only element or member of a value; nil if there is none or more than one.
func OnlyItem(n *jsontext.Node) *jsontext.Node {
	if len(n.Items) != 1 {
		return nil
	}
	return n.Items[0]
}

// ReplaceNode gives n the position and the name of other, because n replaces other, and returns n.
func ReplaceNode(n, other *jsontext.Node) *jsontext.Node {
	n.Span, n.KeySpan, n.Key = other.Span, other.KeySpan, other.Key
	return n
}

// Relocate sets the positions of n and of all values in it to p.
func Relocate(n *jsontext.Node, p jsontext.Span) {
	n.Span, n.KeySpan = p, p
	for _, m := range n.Items {
		Relocate(m, p)
	}
}

// IsNothing reports whether a value is null, or a string that is empty or a word for null.
func IsNothing(n *jsontext.Node) bool {
	if n.Kind != jsontext.String {
		return n.Kind == jsontext.Null
	}
	switch strings.TrimSpace(TextOf(n)) {
	case "", "null", "None":
		return true
	}
	return false
}
