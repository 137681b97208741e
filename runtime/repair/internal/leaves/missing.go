package leaves

import (
	"iter"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Missing is what an original lacks.
type Missing struct {
	Absent  []string       // pointers of values that there have to be and are not, or null
	Nowhere []string       // of such and wrong ones that nothing in the original can be
	Rest    *jsontext.Node // what is right, or has one reading; nil of prose
}

// Missing returns what is missing. A text that is prose may have everything in it.
func (r *Rule) Missing() Missing {
	if r.Value == nil {
		return Missing{}
	}
	m := &missing{comparison: r.comparison("")}
	m.movable("", r.Value, r.root())
	m.found.Rest = m.known("", r.Value, r.root())
	m.need("", r.Value, r.root())
	if m.Err() != nil {
		return Missing{}
	}
	return m.found
}

// missing finds what there is not.
type missing struct {
	*comparison
	found Missing
}

// parts yields the parts of a value that is of a kind that its place takes, with
// their pointers and places.
func (m *missing) parts(at string, n *jsontext.Node, p place) iter.Seq2[string, part] {
	return func(yield func(string, part) bool) {
		if !m.takesKind(n, p) {
			return
		}
		schemas := m.applying(p.schemas, n)
		for i, item := range n.Items {
			if n.Kind == jsontext.Array && !yield(jsontext.Within(at, strconv.Itoa(i)), part{item, element(schemas, i)}) ||
				n.Kind == jsontext.Object && !yield(jsontext.Within(at, item.Name()), part{item, member(schemas, item.Name())}) {
				return
			}
		}
	}
}

type part struct {
	node  *jsontext.Node
	place place
}

// movable gathers what may stand elsewhere.
func (m *missing) movable(at string, n *jsontext.Node, p place) {
	switch {
	case p.says != known:
		m.gather(at, n, false)
	case !isLeaf(n) && !m.takesKind(n, p):
		m.gather(at, n, false)
	default:
		for at, x := range m.parts(at, n, p) {
			m.movable(at, x.node, x.place)
		}
	}
}

// known returns a value without what is wrong in it; nil if it is wrong itself.
func (m *missing) known(at string, n *jsontext.Node, p place) *jsontext.Node {
	switch {
	case p.says == closed || m.rule.refuses(at):
		return nil
	case m.holds(at, n, p):
		return n
	case n.Kind != jsontext.Object || !m.takesKind(n, p):
		return m.reading(n, p)
	}
	object := &jsontext.Node{Kind: n.Kind, Key: n.Key}
	for at, x := range m.parts(at, n, p) {
		if right := m.known(at, x.node, x.place); right != nil {
			copied := *right
			copied.Key = x.node.Key
			object.Add(&copied)
		}
	}
	if at != "" && isLeaf(object) && !isLeaf(n) {
		return nil // an empty one would say something else
	}
	return object
}

// need notes what a value has to have and nothing can be.
func (m *missing) need(at string, n *jsontext.Node, p place) {
	switch {
	case m.holds(at, n, p):
		return
	case isLeaf(n) && n.Kind != jsontext.Object || !m.takesKind(n, p):
		m.lack(at, n, p)
		return
	case n.Kind == jsontext.Array:
		for at, x := range m.parts(at, n, p) {
			m.need(at, x.node, x.place)
		}
		return
	}
	var seen []string
	for _, s := range m.applying(p.schemas, n) {
		for _, name := range s.Required {
			if slices.Contains(seen, name) {
				continue
			}
			seen = append(seen, name)
			at, p := jsontext.Within(at, name), member(m.applying(p.schemas, n), name)
			if x := n.Member(name); x != nil && p.says == known {
				m.need(at, x, p)
			} else if x == nil {
				m.lack(at, nil, p)
			}
		}
	}
}

// lack notes that there is no value at a place, or a wrong one, if nothing can stand
// there instead.
func (m *missing) lack(at string, wrong *jsontext.Node, p place) {
	if wrong != nil && !m.rule.refuses(at) && (m.reading(wrong, p) != nil || m.nearest(wrong, p) != "") {
		return
	}
	none := wrong == nil || wrong.Kind == jsontext.Null
	null := &jsontext.Node{Kind: jsontext.Null, Text: "null"}
	for _, s := range m.applying(p.schemas, null) {
		if s.Node.Member("default") != nil {
			return
		}
	}
	if none {
		m.found.Absent = append(m.found.Absent, at)
	}
	if len(m.leaves) > 0 && (m.mayHaveParts(p) || slices.ContainsFunc(m.leaves, func(s *source) bool { return m.reading(s.node, p) != nil })) {
		return
	}
	m.found.Nowhere = append(m.found.Nowhere, at)
}

// mayHaveParts tells whether the value of a place may be made of several.
func (m *missing) mayHaveParts(p place) bool {
	for _, s := range p.schemas {
		if k := s.Speaks(); k != 0 && !k.Has(jsontext.Object) && !k.Has(jsontext.Array) {
			return false
		}
	}
	return true
}
