package model

// refState says whether a type has a part that is a Ref.
type refState int8

const (
	refsUnknown refState = iota
	noRefs
	hasRefs
)

// fewTypes is how many types are looked through each time that it matters whether one of
// them is a Ref.
const fewTypes = 16

// SettleRefs finds out for all types that t is made of whether they have a part that is a
// Ref, so that HoldsRef need not look through many of them each time. None of them may
// change afterward.
func (t *Type) SettleRefs() {
	var all []*Type
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
	if len(all) <= fewTypes {
		for _, part := range all {
			part.refs = refsUnknown
		}
		return
	}
	wholes := map[*Type][]*Type{} // by a part
	var found []*Type
	for _, whole := range all {
		for _, part := range whole.parts() {
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

// isLeaf reports whether a type is not made of others, as most are.
func (t *Type) isLeaf() bool { return t.Elem == nil && len(t.Fields) == 0 }

// parts are the types that a type is made of, keys of maps aside.
func (t *Type) parts() []*Type {
	parts := []*Type{t.Elem}
	for _, f := range t.Fields {
		parts = append(parts, f.Type)
	}
	return parts
}
