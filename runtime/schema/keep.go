package schema

import "strings"

// keepRoot lowers the input schema for a target that takes JSON Schema as it is,
// but for its root, which has to be an object.
func (l *lowering) keepRoot(s *node) (*node, *form) {
	if s.get("type").str() == "object" {
		return s, nil
	}
	out := object()
	out.add("type", str("object"))
	for i, v := range s.without("type").values {
		out.add(s.without("type").name(i), v)
	}
	return out, nil
}

// movedRefs returns a schema that was at the root of a document and is now at
// another place, but for its $defs, which stay.
func movedRefs(s *node, place string) *node {
	out := *s
	out.values = nil
	for i, v := range s.values {
		if ref := v.str(); s.is('{') && s.name(i) == "$ref" && strings.HasPrefix(ref, "#") && !strings.HasPrefix(ref, "#/$defs/") {
			v = str(place + ref[1:])
		} else {
			v = movedRefs(v, place)
		}
		out.values = append(out.values, v)
	}
	return &out
}
