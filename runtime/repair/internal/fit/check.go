package fit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Check compares a repaired value, whose JSON is text, with the original. It reports the leaves and names that
// the repair invented, and the values of the original that the repaired value must contain but does not, sorted
// by pointer.
func (r *ModelRepair) Check(after *jsontext.Node, text string) []tool.Fault {
	c := r.newComparison(text)
	c.reportRepeated("", after)
	c.comparePair("", r.Value, after, r.rootPlace())
	slices.SortStableFunc(c.wanted, func(a, b want) int { return strings.Compare(a.at, b.at) })
	if r.Value == nil {
		p := &proseText{text: r.Text, used: make([]bool, len(r.Text))}
		c.wanted, c.names = p.takeWanted(c.Fitter, c.wanted), p.takeWanted(c.Fitter, c.names)
	} else {
		c.wanted, c.names = c.takeSources(c.leaves, c.wanted), c.takeSources(c.sources.names, c.names)
	}
	for _, w := range slices.Concat(c.wanted, c.names) {
		c.reportInvented(w.at, w.node)
	}
	for _, s := range c.leaves {
		if s.required && !s.used {
			c.reportLost(s.at, s.node)
		}
	}
	if c.Err() != nil {
		c.addFault("", "a value that can be compared with the original", "one that takes too long")
	}
	slices.SortStableFunc(c.faults, func(a, b tool.Fault) int { return strings.Compare(a.Pointer, b.Pointer) })
	return c.faults
}

// reportRepeated reports names that occur twice in an object: parsers of JSON disagree about which value counts.
func (c *comparison) reportRepeated(at string, n *jsontext.Node) {
	if m := n.FirstRepeated(); m != nil {
		c.addFault(jsontext.JoinNames(at, m.Name()), words.EachKey, "one twice")
	}
	for i, m := range n.Items {
		if n.Kind == jsontext.Object {
			c.reportRepeated(jsontext.JoinNames(at, m.Name()), m)
		} else {
			c.reportRepeated(jsontext.JoinNames(at, strconv.Itoa(i)), m)
		}
	}
}
