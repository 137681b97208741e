package model

// A refState says whether a type contains a Ref.
type refState int8

const (
	refsUnknown refState = iota
	noRefs
	hasRefs
)

// maxUnsettled is the number of parts up to which HoldsRef searches a type each time.
const maxUnsettled = 16

// takeUnsettled returns t and its parts whose state is not known, and sets the state to noRefs.
func (t *Type) takeUnsettled() (all []*Type) {
	for next := []*Type{t}; len(next) > 0; {
		last := next[len(next)-1]
		next = next[:len(next)-1]
		if last == nil || last.refs != refsUnknown || last.isLeaf() {
			continue
		}
		last.refs = noRefs
		all = append(all, last)
		next = append(next, last.Elem)
		for _, f := range last.Fields {
			next = append(next, f.Type)
		}
	}
	return all
}

// SettleRefs determines for t and all its parts whether they contain a Ref, so that HoldsRef
// need not search large types each time. No part may change afterward.
func (t *Type) SettleRefs() {
	all := t.takeUnsettled()
	if len(all) <= maxUnsettled {
		for _, part := range all {
			part.refs = refsUnknown
		}
		return
	}
	wholes := map[*Type][]*Type{} // types by one of their parts
	var found []*Type
	for _, whole := range all {
		for _, part := range whole.listParts() {
			switch {
			case part == nil:
			case part.Kind == Ref || part.refs == hasRefs:
				found = append(found, whole)
			case !part.isLeaf():
				wholes[part] = append(wholes[part], whole)
			}
		}
	}
	for len(found) > 0 {
		last := found[len(found)-1]
		found = found[:len(found)-1]
		if last.refs != hasRefs {
			last.refs = hasRefs
			found = append(found, wholes[last]...)
		}
	}
}

// isLeaf reports whether a type has no parts, as most types.
func (t *Type) isLeaf() bool { return t.Elem == nil && len(t.Fields) == 0 }

// listParts returns the parts of a type except the keys of maps.
func (t *Type) listParts() []*Type {
	parts := []*Type{t.Elem}
	for _, f := range t.Fields {
		parts = append(parts, f.Type)
	}
	return parts
}
