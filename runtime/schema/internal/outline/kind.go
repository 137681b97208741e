package outline

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// IsRecord reports whether values are objects of members with names.
func IsRecord(s *jsontext.Node) bool {
	for _, keyword := range []string{"$ref", "allOf"} {
		if s.Member(keyword) != nil {
			return false
		}
	}
	if len(tree.Items(s.Member("properties"))) > 0 {
		return true
	}
	return s.Member("anyOf") == nil && s.Member("oneOf") == nil && !IsOpen(s)
}

// IsMap reports whether values are objects of members whose names are not known.
func IsMap(s *jsontext.Node) bool {
	return len(tree.Items(s.Member("properties"))) == 0 && (IsOpen(s) || s.Member("properties") == nil && s.Member("additionalProperties") == nil)
}

// IsOpen reports whether a schema says that there may be members that it does not
// name.
func IsOpen(s *jsontext.Node) bool {
	rest := s.Member("additionalProperties")
	return rest != nil && !tree.Is(rest, "false") || len(tree.Items(s.Member("patternProperties"))) > 0
}

// IsScalar reports whether none of some values holds others.
func IsScalar(values *jsontext.Node) bool {
	return !slices.ContainsFunc(tree.Items(values), func(v *jsontext.Node) bool { return v.Kind >= jsontext.Array })
}

// IsNull reports whether null is the only value.
func IsNull(s *jsontext.Node) bool {
	return slices.Equal(TypesOf(s), []string{"null"})
}

// HasAny reports whether a schema has one of some keywords.
func HasAny(s *jsontext.Node, keywords ...string) bool {
	return slices.ContainsFunc(keywords, func(name string) bool { return s.Member(name) != nil })
}

// BranchesOf splits a schema by types.
func BranchesOf(s *jsontext.Node, types []string) []*jsontext.Node {
	rest := tree.Without(s, slices.Concat(Annotations, []string{"type"})...)
	var all []*jsontext.Node
	for _, t := range types {
		b := tree.One("type", tree.String(t))
		for _, v := range rest.Items {
			tree.Add(b, v.Name(), v)
		}
		all = append(all, b)
	}
	return all
}

// OrEmpty returns a schema as an object: {} for true.
func OrEmpty(s *jsontext.Node) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return tree.Object()
	}
	return s
}
