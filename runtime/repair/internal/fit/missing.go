package fit

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Missing returns the pointers of required values that are absent or null, the pointers of absent or invalid values
// that no value of the original can replace, and the original without its invalid parts. If the original is prose,
// nothing is missing, because prose may contain everything.
func (r *ModelRepair) Missing() (absent, nowhere []string, rest *jsontext.Node) {
	if r.Value == nil {
		return nil, nil, nil
	}
	m := &missingFinder{comparison: r.newComparison("")}
	m.gatherMovable("", r.Value, r.rootPlace())
	rest = m.validPart("", r.Value, r.rootPlace())
	m.checkRequired("", r.Value, r.rootPlace())
	if m.Err() != nil {
		return nil, nil, nil
	}
	return m.absent, m.nowhere, rest
}

// missingFinder finds missing parts.
type missingFinder struct {
	*comparison
	absent, nowhere []string // see Missing
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
		m.absent = append(m.absent, at)
	}
	if len(m.leaves) > 0 && (m.mayHaveParts(p) || slices.ContainsFunc(m.leaves, func(s *source) bool { return m.readAt(s.node, p) != nil })) {
		return
	}
	m.nowhere = append(m.nowhere, at)
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
