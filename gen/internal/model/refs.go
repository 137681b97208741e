package model

// A refState says whether a type is known to contain a Ref.
type refState int8

const (
	refsUnknown refState = iota
	noRefs
	hasRefs
)

// maxUnsettled is the largest number of types for which SettleRefs records nothing, because HoldsRef can
// search so few types quickly.
const maxUnsettled = 16

// markUnsettled returns those of t and the types in it whose state is unknown. It sets their state to
// noRefs.
func (t *Type) markUnsettled() (all []*Type) {
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

// SettleRefs records in t and in every type that it contains whether there is a Ref inside, so that HoldsRef
// need not search large types each time. These types must not change afterward.
func (t *Type) SettleRefs() {
	all := t.markUnsettled()
	if len(all) <= maxUnsettled {
		for _, part := range all {
			part.refs = refsUnknown
		}
		return
	}
	containers := map[*Type][]*Type{} // by a type that they directly contain
	var pending []*Type
	for _, container := range all {
		for _, part := range container.listParts() {
			switch {
			case part == nil:
			case part.Kind == Ref || part.refs == hasRefs:
				pending = append(pending, container)
			case !part.isLeaf():
				containers[part] = append(containers[part], container)
			}
		}
	}
	for len(pending) > 0 {
		last := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if last.refs != hasRefs {
			last.refs = hasRefs
			pending = append(pending, containers[last]...)
		}
	}
}

// isLeaf reports whether a type contains no other types.
func (t *Type) isLeaf() bool { return t.Elem == nil && len(t.Fields) == 0 }

// listParts returns the types that t directly contains, except the key of a map.
func (t *Type) listParts() []*Type {
	parts := []*Type{t.Elem}
	for _, f := range t.Fields {
		parts = append(parts, f.Type)
	}
	return parts
}
