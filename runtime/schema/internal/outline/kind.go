package outline

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// IsRecord reports whether a schema describes objects with named members.
func IsRecord(s *jsontext.Node) bool {
	if HasKeyword(s, "$ref", "allOf") {
		return false
	}
	if len(ItemsOf(s.Member("properties"))) > 0 {
		return true
	}
	return s.Member("anyOf") == nil && s.Member("oneOf") == nil && !IsOpen(s)
}

// IsMap reports whether a schema of objects names none of their members.
func IsMap(s *jsontext.Node) bool {
	return len(ItemsOf(s.Member("properties"))) == 0 && (IsOpen(s) || s.Member("properties") == nil && s.Member("additionalProperties") == nil)
}

// IsOpen reports whether a schema explicitly allows members that it does not name.
func IsOpen(s *jsontext.Node) bool {
	rest := s.Member("additionalProperties")
	return rest != nil && !IsWord(rest, "false") || len(ItemsOf(s.Member("patternProperties"))) > 0
}

// IsScalar reports whether none of the values is an array or an object.
func IsScalar(values *jsontext.Node) bool {
	return !slices.ContainsFunc(ItemsOf(values), func(v *jsontext.Node) bool { return v.Kind >= jsontext.Array })
}

// IsNull reports whether a schema allows only null.
func IsNull(s *jsontext.Node) bool {
	return slices.Equal(TypesOf(s), []string{"null"})
}

// HasKeyword reports whether a schema has at least one of the keywords.
func HasKeyword(s *jsontext.Node, keywords ...string) bool {
	return slices.ContainsFunc(keywords, func(name string) bool { return s.Member(name) != nil })
}

// BranchesOf splits a schema into one schema for each of the types, without annotations.
func BranchesOf(s *jsontext.Node, types []string) []*jsontext.Node {
	rest := WithoutMembers(s, slices.Concat(Annotations, []string{"type"})...)
	var all []*jsontext.Node
	for _, t := range types {
		b := NewMember("type", NewString(t))
		for _, v := range rest.Items {
			AddMember(b, v.Name(), v)
		}
		all = append(all, b)
	}
	return all
}

// OrEmpty returns s if it is an object, and {} otherwise, also for nil.
func OrEmpty(s *jsontext.Node) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return NewObject()
	}
	return s
}
