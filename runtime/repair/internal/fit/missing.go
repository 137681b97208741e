package fit

import (
	"iter"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// MissingParts lists what an original lacks.
type MissingParts struct {
	Absent  []string       // pointers of required values that are absent or null
	Nowhere []string       // pointers of such values, and of wrong ones, that nothing in the original can be
	Rest    *jsontext.Node // the valid part, or what has one reading; nil for prose
}

// Missing returns what is missing. Prose may contain everything.
func (r *ModelRepair) Missing() MissingParts {
	if r.Value == nil {
		return MissingParts{}
	}
	m := &missingFinder{comparison: r.newComparison("")}
	m.gatherMovable("", r.Value, r.rootPlace())
	m.found.Rest = m.rightPart("", r.Value, r.rootPlace())
	m.checkNeeded("", r.Value, r.rootPlace())
	if m.Err() != nil {
		return MissingParts{}
	}
	return m.found
}

// missingFinder finds missing parts.
type missingFinder struct {
	*comparison
	found MissingParts
}

// allParts yields the parts of a value, with pointers and places, if the place accepts the kind of the value.
func (m *missingFinder) allParts(at string, n *jsontext.Node, p schemaPlace) iter.Seq2[string, neededPart] {
	return func(yield func(string, neededPart) bool) {
		if !m.takesKind(n, p) {
			return
		}
		schemas := m.applicableSchemas(p.schemas, n)
		for i, item := range n.Items {
			if n.Kind == jsontext.Array && !yield(jsontext.JoinNames(at, strconv.Itoa(i)), neededPart{item, elementPlace(schemas, i)}) ||
				n.Kind == jsontext.Object && !yield(jsontext.JoinNames(at, item.Name()), neededPart{item, memberPlace(schemas, item.Name())}) {
				return
			}
		}
	}
}

type neededPart struct {
	node  *jsontext.Node
	place schemaPlace
}

// gatherMovable adds the values that may move elsewhere.
func (m *missingFinder) gatherMovable(at string, n *jsontext.Node, p schemaPlace) {
	switch {
	case p.rule != schemaKnown:
		m.addLeaves(at, n, false)
	case !isLeaf(n) && !m.takesKind(n, p):
		m.addLeaves(at, n, false)
	default:
		for at, x := range m.allParts(at, n, p) {
			m.gatherMovable(at, x.node, x.place)
		}
	}
}

// rightPart returns a value without its wrong parts; nil if the value itself is wrong.
func (m *missingFinder) rightPart(at string, n *jsontext.Node, p schemaPlace) *jsontext.Node {
	switch {
	case p.rule == noneAllowed || m.rule.isRefused(at):
		return nil
	case m.wasRight(at, n, p):
		return n
	case n.Kind != jsontext.Object || !m.takesKind(n, p):
		return m.readAt(n, p)
	}
	object := &jsontext.Node{Kind: n.Kind, Key: n.Key}
	for at, x := range m.allParts(at, n, p) {
		if right := m.rightPart(at, x.node, x.place); right != nil {
			copied := *right
			copied.Key = x.node.Key
			object.Add(&copied)
		}
	}
	if at != "" && isLeaf(object) && !isLeaf(n) {
		return nil // an empty object would mean something else
	}
	return object
}

// checkNeeded records required parts of a value that nothing can be.
func (m *missingFinder) checkNeeded(at string, n *jsontext.Node, p schemaPlace) {
	switch {
	case m.wasRight(at, n, p):
		return
	case isLeaf(n) && n.Kind != jsontext.Object || !m.takesKind(n, p):
		m.noteLack(at, n, p)
		return
	case n.Kind == jsontext.Array:
		for at, x := range m.allParts(at, n, p) {
			m.checkNeeded(at, x.node, x.place)
		}
		return
	}
	var seen []string
	for _, s := range m.applicableSchemas(p.schemas, n) {
		for _, name := range s.Required {
			if slices.Contains(seen, name) {
				continue
			}
			seen = append(seen, name)
			at, p := jsontext.JoinNames(at, name), memberPlace(m.applicableSchemas(p.schemas, n), name)
			if x := n.Member(name); x != nil && p.rule == schemaKnown {
				m.checkNeeded(at, x, p)
			} else if x == nil {
				m.noteLack(at, nil, p)
			}
		}
	}
}

// noteLack records that a value is missing or wrong at a place, unless something can replace it.
func (m *missingFinder) noteLack(at string, wrong *jsontext.Node, p schemaPlace) {
	if wrong != nil && !m.rule.isRefused(at) && (m.readAt(wrong, p) != nil || m.nearestEnum(wrong, p) != "") {
		return
	}
	none := wrong == nil || wrong.Kind == jsontext.Null
	null := &jsontext.Node{Kind: jsontext.Null, Text: "null"}
	for _, s := range m.applicableSchemas(p.schemas, null) {
		if s.Node.Member("default") != nil {
			return
		}
	}
	if none {
		m.found.Absent = append(m.found.Absent, at)
	}
	if len(m.leaves) > 0 && (m.mayHaveParts(p) || slices.ContainsFunc(m.leaves, func(s *source) bool { return m.readAt(s.node, p) != nil })) {
		return
	}
	m.found.Nowhere = append(m.found.Nowhere, at)
}

// mayHaveParts reports whether the value of a place may consist of several values.
func (m *missingFinder) mayHaveParts(p schemaPlace) bool {
	for _, s := range p.schemas {
		if k := s.Speaks(); k != 0 && !k.Has(jsontext.Object) && !k.Has(jsontext.Array) {
			return false
		}
	}
	return true
}
