package tree

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/report"
)

// What is to be known of a value that was read. Its texts are JSON already: those
// that were right in the source are cut out of it, so that nothing is lost in
// between.
const (
	Bare   = 1 << iota // a string that had no quotes
	Void               // there is no value in the text
	Listed             // the only element of a list that was made for it
)

func Is(n *jsontext.Node, mark uint8) bool { return n.Mark&mark != 0 }

// HoleIn returns what of a value is missing in the text; nil if nothing is.
func HoleIn(n *jsontext.Node) *jsontext.Node {
	if Is(n, Void) {
		return n
	}
	for _, m := range n.Items {
		if hole := HoleIn(m); hole != nil {
			return hole
		}
	}
	return nil
}

// Missing describes a hole.
func Missing(n *jsontext.Node) string {
	if n.Key == "" {
		return "a value is missing"
	}
	return "the value of " + report.Cut(n.Key) + " is missing"
}

// TextOf returns what a string says, and of another scalar its JSON.
func TextOf(n *jsontext.Node) string {
	if n.Kind == jsontext.String {
		return jsontext.Unquote(n.Text)
	}
	return n.Text
}

// Shown returns the beginning of a value as JSON.
func Shown(n *jsontext.Node) string {
	return report.Cut(string(n.AppendMost(nil, report.LongestShown)))
}

// Only returns the only element or member of a value; nil if there is none, or
// more.
func Only(n *jsontext.Node) *jsontext.Node {
	if len(n.Items) != 1 {
		return nil
	}
	return n.Items[0]
}

// Like puts n in the place of another value: in the text, and under its name.
func Like(n, other *jsontext.Node) *jsontext.Node {
	n.Span, n.KeySpan, n.Key = other.Span, other.KeySpan, other.Key
	return n
}

// Arena hands out nodes, a block of them at a time.
type Arena struct {
	free []jsontext.Node
	size int // of the last block
}

func (a *Arena) Node(k jsontext.Kind, at int) *jsontext.Node {
	if len(a.free) == 0 {
		a.size = min(max(8, 2*a.size), 512)
		a.free = make([]jsontext.Node, a.size)
	}
	n := &a.free[0]
	a.free = a.free[1:]
	n.Kind, n.Start = k, int32(at)
	return n
}

// Relocate sets the place of all that is in n.
func Relocate(n *jsontext.Node, p jsontext.Span) {
	n.Span, n.KeySpan = p, p
	for _, m := range n.Items {
		Relocate(m, p)
	}
}

// IsNothing tells whether a value, or what a string says, is null or empty.
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
