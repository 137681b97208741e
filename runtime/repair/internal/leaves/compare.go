package leaves

import (
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/tool"
)

// comparison goes through the original and what was made of it, side by side.
type comparison struct {
	judge
	rule   *Rule
	faults []tool.Fault
	sources
	wanted, names []want
}

// comparison begins one with a text, whose length bounds how long it takes.
func (r *Rule) comparison(with string) *comparison {
	if len(with) < len(r.Text) {
		with = r.Text
	}
	return &comparison{judge: judge{fit.New(with)}, rule: r}
}

func (c *comparison) fault(at, expected, found string) {
	c.faults = append(c.faults, tool.Fault{Pointer: at, Expected: expected, Found: found})
}

// pair compares what stands at a place before and after; one of them may be nil.
func (c *comparison) pair(at string, before, after *jsontext.Node, p place) {
	switch {
	case c.rule.Free != nil && c.rule.Free(at):
	case before == nil:
		c.added(at, after, p, p.says == known)
	case after == nil:
		c.gone(at, before, p)
	case isLeaf(after) && jsontext.Equal(before, after):
	case before.Kind == after.Kind && !isLeaf(after):
		c.parts(at, before, after, p)
	case isLeaf(after) && after.Kind >= jsontext.Array && !isLeaf(before): // a new leaf
		c.replaced(at, before, after, p)
	case !c.holds(at, before, p) && c.isReading(after, before, p):
	default:
		if inner := reader.Parsed(before); inner != nil && inner.Kind == after.Kind && !c.holds(at, before, p) {
			c.pair(at, inner, after, p)
			return
		}
		c.replaced(at, before, after, p)
	}
}

// replaced notes that something else stands at a place.
func (c *comparison) replaced(at string, before, after *jsontext.Node, p place) {
	c.gone(at, before, p)
	c.added(at, after, p, p.says == known)
}

// holds tells whether a value was right at its place.
func (c *comparison) holds(at string, n *jsontext.Node, p place) bool {
	return !c.rule.touches(at) && (c.fits(n, p) || c.rule.Stands != nil && c.rule.Stands(n))
}

// parts compares the members or elements of values of one kind.
func (c *comparison) parts(at string, before, after *jsontext.Node, p place) {
	schemas := c.applying(p.schemas, after)
	if before.Kind == jsontext.Array {
		for i := range max(len(before.Items), len(after.Items)) {
			c.pair(jsontext.Within(at, strconv.Itoa(i)), item(before, i), item(after, i), element(schemas, i))
		}
		return
	}
	was, is := byName(before), byName(after)
	for _, m := range before.Items {
		if name := m.Name(); was[name] == m { // the last of the name
			c.pair(jsontext.Within(at, name), m, is[name], member(schemas, name))
		}
	}
	for _, m := range after.Items {
		if name := m.Name(); was[name] == nil {
			c.addedMember(at, m, schemas, member(schemas, name).says == known)
		}
	}
}

func byName(n *jsontext.Node) map[string]*jsontext.Node {
	members := make(map[string]*jsontext.Node, len(n.Items))
	for _, m := range n.Items {
		members[m.Name()] = m
	}
	return members
}

func item(n *jsontext.Node, i int) *jsontext.Node {
	if i >= len(n.Items) {
		return nil
	}
	return n.Items[i]
}

// gone notes what is not at its place any more.
func (c *comparison) gone(at string, n *jsontext.Node, p place) {
	switch {
	case c.rule.Free != nil && c.rule.Free(at):
	case p.says != known:
		c.gather(at, n, p.says == open)
	case c.holds(at, n, p):
		c.lost(at, n)
	case isLeaf(n) || c.rule.refuses(at): // it was wrong
	case !c.takesKind(n, p):
		c.gather(at, n, false)
	default:
		schemas := c.applying(p.schemas, n)
		none := c.isNone(schemas, n)
		for i, m := range n.Items {
			at, p := jsontext.Within(at, strconv.Itoa(i)), element(schemas, i)
			if n.Kind == jsontext.Object {
				at, p = jsontext.Within(at, m.Name()), member(schemas, m.Name())
			}
			if none && len(p.schemas) == 0 {
				p.says = closed // nobody knows what may be there
			}
			c.gone(at, m, p)
		}
	}
}

// takesKind tells whether a value is of a kind that its place takes.
func (j judge) takesKind(n *jsontext.Node, p place) bool {
	return !slices.ContainsFunc(j.applying(p.schemas, n), func(s *jsonschema.Schema) bool { return !takes(s, n.Kind) })
}

// added notes what was not at its place before. It may come from elsewhere, if the
// schema knows the place, or one that it is in.
func (c *comparison) added(at string, n *jsontext.Node, p place, may bool) {
	switch {
	case c.rule.Free != nil && c.rule.Free(at), p.says == known && c.isDefault(n, p):
	case isLeaf(n) && may:
		c.wanted = append(c.wanted, want{at: at, node: n, place: p})
	case isLeaf(n):
		c.invented(at, n)
	default:
		schemas := c.applying(p.schemas, n)
		for i, m := range n.Items {
			if n.Kind == jsontext.Object {
				c.addedMember(at, m, schemas, may)
			} else {
				c.added(jsontext.Within(at, strconv.Itoa(i)), m, element(schemas, i), may)
			}
		}
	}
}

// addedMember notes a member that was not there before. Its name is a leaf, too, if the
// schema does not have it.
func (c *comparison) addedMember(at string, m *jsontext.Node, schemas []*jsonschema.Schema, may bool) {
	p := member(schemas, m.Name())
	at = jsontext.Within(at, m.Name())
	if !p.declared {
		c.names = append(c.names, want{at: at, node: text(m.Name())})
	}
	c.added(at, m, p, may || p.says == known)
}

func (c *comparison) lost(at string, n *jsontext.Node) {
	c.fault(at, jsonschema.Found(n)+", as before", words.Nothing+" of that")
}

func (c *comparison) invented(at string, n *jsontext.Node) {
	c.fault(at, "what stands in the original, or nothing", jsonschema.Found(n))
}
