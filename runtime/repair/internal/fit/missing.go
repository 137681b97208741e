package fit

import (
	"iter"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// MissingParts lists the required values that an original does not contain.
type MissingParts struct {
	Absent  []string       // pointers of required values that are absent or null
	Nowhere []string       // pointers of absent or invalid values that no value of the original can replace
	Rest    *jsontext.Node // the original without its invalid parts; nil for prose
}

// Missing returns the missing parts. If the original is prose, there are none, because prose may contain
// everything.
func (r *ModelRepair) Missing() MissingParts {
	if r.Value == nil {
		return MissingParts{}
	}
	m := &missingFinder{comparison: r.newComparison("")}
	m.gatherMovable("", r.Value, r.rootPlace())
	m.found.Rest = m.validPart("", r.Value, r.rootPlace())
	m.checkRequired("", r.Value, r.rootPlace())
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

// allParts yields the members or elements of the value n with their pointers and places. It yields nothing if the
// schemas of the place p do not allow a value of this kind.
func (m *missingFinder) allParts(at string, n *jsontext.Node, p schemaPlace) iter.Seq2[string, valuePart] {
	return func(yield func(string, valuePart) bool) {
		if !m.takesKind(n, p) {
			return
		}
		schemas := m.applicableSchemas(p.schemas, n)
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

// gatherMovable adds the leaves that a repair may move elsewhere to m.sources.
func (m *missingFinder) gatherMovable(at string, n *jsontext.Node, p schemaPlace) {
	switch {
	case p.rule != placeDefined:
		m.addLeaves(at, n, false)
	case !isLeaf(n) && !m.takesKind(n, p):
		m.addLeaves(at, n, false)
	default:
		for at, x := range m.allParts(at, n, p) {
			m.gatherMovable(at, x.node, x.place)
		}
	}
}

// validPart returns the valid part of a value; nil if there is none. It removes the invalid members of an object,
// and converts any other value if necessary.
func (m *missingFinder) validPart(at string, n *jsontext.Node, p schemaPlace) *jsontext.Node {
	switch {
	case p.rule == placeForbidden || m.rule.isRefused(at):
		return nil
	case m.wasValid(at, n, p):
		return n
	case n.Kind != jsontext.Object || !m.takesKind(n, p):
		return m.readAt(n, p)
	}
	object := &jsontext.Node{Kind: n.Kind, Key: n.Key}
	for at, x := range m.allParts(at, n, p) {
		if valid := m.validPart(at, x.node, x.place); valid != nil {
			copied := *valid
			copied.Key = x.node.Key
			object.Add(&copied)
		}
	}
	if at != "" && isLeaf(object) && !isLeaf(n) {
		return nil // an empty object would mean something else
	}
	return object
}

// checkRequired records the values required in n that are missing or invalid.
func (m *missingFinder) checkRequired(at string, n *jsontext.Node, p schemaPlace) {
	switch {
	case m.wasValid(at, n, p):
		return
	case isLeaf(n) && n.Kind != jsontext.Object || !m.takesKind(n, p):
		m.recordMissing(at, n, p)
		return
	case n.Kind == jsontext.Array:
		for at, x := range m.allParts(at, n, p) {
			m.checkRequired(at, x.node, x.place)
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
			if x := n.Member(name); x != nil && p.rule == placeDefined {
				m.checkRequired(at, x, p)
			} else if x == nil {
				m.recordMissing(at, nil, p)
			}
		}
	}
}

// recordMissing records that a value is missing. If invalid is not nil, it is the invalid value at that place.
// recordMissing records nothing if the invalid value can be corrected or the schema has a default.
func (m *missingFinder) recordMissing(at string, invalid *jsontext.Node, p schemaPlace) {
	if invalid != nil && !m.rule.isRefused(at) && (m.readAt(invalid, p) != nil || m.nearestEnum(invalid, p) != "") {
		return
	}
	null := &jsontext.Node{Kind: jsontext.Null, Text: "null"}
	for _, s := range m.applicableSchemas(p.schemas, null) {
		if s.Node.Member("default") != nil {
			return
		}
	}
	if invalid == nil || invalid.Kind == jsontext.Null {
		m.found.Absent = append(m.found.Absent, at)
	}
	if len(m.leaves) > 0 && (m.mayHaveParts(p) || slices.ContainsFunc(m.leaves, func(s *source) bool { return m.readAt(s.node, p) != nil })) {
		return
	}
	m.found.Nowhere = append(m.found.Nowhere, at)
}

// mayHaveParts reports whether a place may contain an object or a list.
func (m *missingFinder) mayHaveParts(p schemaPlace) bool {
	for _, s := range p.schemas {
		if k := s.Kinds(); k != 0 && !k.Has(jsontext.Object) && !k.Has(jsontext.Array) {
			return false
		}
	}
	return true
}
