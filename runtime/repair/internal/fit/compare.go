package fit

import (
	"iter"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/tool"
)

// comparison compares the original with the repaired value.
type comparison struct {
	*Fitter
	rule   *ModelRepair
	faults []tool.Fault
	sources
	wanted, names []want
}

// newComparison returns a comparison of the original with a repaired value, whose JSON is text. The length of the
// longer of the two determines how many steps the comparison may take.
func (r *ModelRepair) newComparison(text string) *comparison {
	if len(text) < len(r.Text) {
		text = r.Text
	}
	return &comparison{Fitter: New(text), rule: r}
}

func (c *comparison) addFault(at, expected, found string) {
	c.faults = append(c.faults, tool.Fault{Pointer: at, Expected: expected, Found: found})
}

// comparePair compares a value of the original with the value of the repair at the same pointer; one of them
// may be nil.
func (c *comparison) comparePair(at string, before, after *jsontext.Node, p schemaPlace) {
	switch {
	case c.rule.Free != nil && c.rule.Free(at):
	case before == nil:
		c.compareAdded(at, after, p, p.rule == placeDefined)
	case after == nil:
		c.compareRemoved(at, before, p)
	case isLeaf(after) && jsontext.Equal(before, after):
	case before.Kind == after.Kind && !isLeaf(after):
		c.compareParts(at, before, after, p)
	case isLeaf(after) && after.Kind >= jsontext.Array && !isLeaf(before), c.wasValid(at, before, p):
		c.compareReplaced(at, before, after, p)
	case c.isReading(after, before, p):
	default:
		if inner := reader.ParseString(before); inner != nil && inner.Kind == after.Kind {
			c.comparePair(at, inner, after, p)
			return
		}
		c.compareReplaced(at, before, after, p)
	}
}

// compareReplaced handles a value of the original that the repair replaced with another one.
func (c *comparison) compareReplaced(at string, before, after *jsontext.Node, p schemaPlace) {
	c.compareRemoved(at, before, p)
	c.compareAdded(at, after, p, p.rule == placeDefined)
}

// wasValid reports whether a value of the original was valid at its place.
func (c *comparison) wasValid(at string, n *jsontext.Node, p schemaPlace) bool {
	return !c.rule.touchesRefused(at) && (c.fitsPlace(n, p) || n.Is(jsontext.String) && c.rule.Stands != nil && c.rule.Stands(n.Str()))
}

// compareParts compares the members or elements of two values of the same kind.
func (c *comparison) compareParts(at string, before, after *jsontext.Node, p schemaPlace) {
	schemas := c.applicableSchemas(p.schemas, after)
	if before.Kind == jsontext.Array {
		for i := range max(len(before.Items), len(after.Items)) {
			c.comparePair(jsontext.JoinNames(at, strconv.Itoa(i)), itemAt(before, i), itemAt(after, i), elementPlace(schemas, i))
		}
		return
	}
	membersBefore, membersAfter := indexMembers(before), indexMembers(after)
	for _, m := range before.Items {
		if name := m.Name(); membersBefore[name] == m { // of members with the same name, only the last counts
			c.comparePair(jsontext.JoinNames(at, name), m, membersAfter[name], memberPlace(schemas, name))
		}
	}
	for _, m := range after.Items {
		if name := m.Name(); membersBefore[name] == nil {
			c.compareAddedMember(at, m, schemas, memberPlace(schemas, name).rule == placeDefined)
		}
	}
}

func indexMembers(n *jsontext.Node) map[string]*jsontext.Node {
	members := make(map[string]*jsontext.Node, len(n.Items))
	for _, m := range n.Items {
		members[m.Name()] = m
	}
	return members
}

func itemAt(n *jsontext.Node, i int) *jsontext.Node {
	if i >= len(n.Items) {
		return nil
	}
	return n.Items[i]
}

// compareRemoved handles a value of the original at whose place the repair has no value.
func (c *comparison) compareRemoved(at string, n *jsontext.Node, p schemaPlace) {
	switch {
	case c.rule.Free != nil && c.rule.Free(at):
	case p.rule != placeDefined:
		c.addLeaves(at, n, p.rule == placeIgnored)
	case c.wasValid(at, n, p):
		c.reportLost(at, n)
	case isLeaf(n) || c.rule.isRefused(at): // the value was invalid
	case !c.takesKind(n, p):
		c.addLeaves(at, n, false)
	default:
		none := c.matchesNoAlternative(c.applicableSchemas(p.schemas, n), n)
		for at, x := range c.allParts(at, n, p) {
			if none && len(x.place.schemas) == 0 {
				x.place.rule = placeForbidden // no alternative says what is allowed here
			}
			c.compareRemoved(at, x.node, x.place)
		}
	}
}

// allParts yields the members or elements of the value n with their pointers and places. It yields nothing if the
// schemas of the place p do not allow a value of this kind.
func (c *comparison) allParts(at string, n *jsontext.Node, p schemaPlace) iter.Seq2[string, valuePart] {
	return func(yield func(string, valuePart) bool) {
		if !c.takesKind(n, p) {
			return
		}
		schemas := c.applicableSchemas(p.schemas, n)
		for i, item := range n.Items {
			if n.Kind == jsontext.Array && !yield(jsontext.JoinNames(at, strconv.Itoa(i)), valuePart{item, elementPlace(schemas, i)}) ||
				n.Kind == jsontext.Object && !yield(jsontext.JoinNames(at, item.Name()), valuePart{item, memberPlace(schemas, item.Name())}) {
				return
			}
		}
	}
}

// valuePart is a member or element with its place in the schema.
type valuePart struct {
	node  *jsontext.Node
	place schemaPlace
}

// takesKind reports whether the schemas of a place allow values of the kind of n.
func (f *Fitter) takesKind(n *jsontext.Node, p schemaPlace) bool {
	return !slices.ContainsFunc(f.applicableSchemas(p.schemas, n), func(s *jsonschema.Schema) bool { return !takesKind(s, n.Kind) })
}

// compareAdded handles a value of the repair at whose place the original has no value. If movable is true, the
// schema defines this place or a place around it, so the value may come from another place in the original.
func (c *comparison) compareAdded(at string, n *jsontext.Node, p schemaPlace, movable bool) {
	switch {
	case c.rule.Free != nil && c.rule.Free(at), p.rule == placeDefined && c.isDefault(n, p):
	case isLeaf(n) && movable:
		c.wanted = append(c.wanted, want{at: at, node: n, place: p})
	case isLeaf(n):
		c.reportInvented(at, n)
	default:
		schemas := c.applicableSchemas(p.schemas, n)
		for i, m := range n.Items {
			if n.Kind == jsontext.Object {
				c.compareAddedMember(at, m, schemas, movable)
			} else {
				c.compareAdded(jsontext.JoinNames(at, strconv.Itoa(i)), m, elementPlace(schemas, i), movable)
			}
		}
	}
}

// compareAddedMember handles a new member. If the schema does not declare its name, the name must come from the
// original, too.
func (c *comparison) compareAddedMember(at string, m *jsontext.Node, schemas []*jsonschema.Schema, movable bool) {
	p := memberPlace(schemas, m.Name())
	at = jsontext.JoinNames(at, m.Name())
	if !p.declared {
		c.names = append(c.names, want{at: at, node: textNode(m.Name())})
	}
	c.compareAdded(at, m, p, movable || p.rule == placeDefined)
}

func (c *comparison) reportLost(at string, n *jsontext.Node) {
	c.addFault(at, jsonschema.Found(n)+", as in the original", "another value or nothing")
}

func (c *comparison) reportInvented(at string, n *jsontext.Node) {
	c.addFault(at, "a value from the original, or nothing", jsonschema.Found(n))
}
