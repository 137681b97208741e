package leaves

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Check returns what of a value, which has a text, is not of the original, and what
// of the original should be in it and is not, in the order of places.
func (r *Rule) Check(after *jsontext.Node, text string) []tool.Fault {
	c := r.comparison(text)
	c.repeated("", after)
	c.pair("", r.Value, after, r.root())
	inOrder(c.wanted)
	if r.Value == nil {
		p := &prose{text: r.Text, used: make([]bool, len(r.Text))}
		c.wanted, c.names = p.take(c.judge, c.wanted), p.take(c.judge, c.names)
	} else {
		c.wanted, c.names = c.take(c.leaves, c.wanted), c.take(c.sources.names, c.names)
	}
	for _, w := range slices.Concat(c.wanted, c.names) {
		c.invented(w.at, w.node)
	}
	for _, s := range c.leaves {
		if s.must && !s.used {
			c.lost(s.at, s.node)
		}
	}
	if c.Err() != nil {
		c.fault("", "a value that can be compared with the original", "one that takes too long")
	}
	slices.SortStableFunc(c.faults, func(a, b tool.Fault) int { return strings.Compare(a.Pointer, b.Pointer) })
	return c.faults
}

// repeated notes names that an object has twice: they are read one way or the other.
func (c *comparison) repeated(at string, n *jsontext.Node) {
	if m := n.Repeated(); m != nil {
		c.fault(jsontext.Within(at, m.Name()), words.EachKey, "one twice")
	}
	for i, m := range n.Items {
		if n.Kind == jsontext.Object {
			c.repeated(jsontext.Within(at, m.Name()), m)
		} else {
			c.repeated(jsontext.Within(at, strconv.Itoa(i)), m)
		}
	}
}
