package keep

import (
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
	"github.com/aiongen/aiongen/runtime/schema/internal/rules"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// withoutGoPatterns tells the patterns in a schema that only Go knows in the
// descriptions: others would refuse the schema for them, or the tool with it.
func (k keeping) withoutGoPatterns(s *jsontext.Node, at string) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return s
	}
	out := tree.Prepend(s, tree.Object())
	for i, v := range s.Items {
		name := v.Name()
		switch name {
		case "properties", "patternProperties", "$defs", "definitions":
			all := tree.Prepend(v, tree.Object())
			for j, member := range v.Items {
				all.Items[j] = k.withoutGoPatterns(member, jsontext.Join(at+"/"+name, member.Name()))
			}
			if v.Is(jsontext.Object) {
				out.Items[i] = all
			}
		case "items", "additionalProperties", "propertyNames":
			out.Items[i] = k.withoutGoPatterns(v, at+"/"+name)
		case "anyOf", "oneOf", "allOf":
			out.Items[i] = tree.Each(v, jsontext.Array, func(one *jsontext.Node) *jsontext.Node { return k.withoutGoPatterns(one, at+"/"+name) })
		}
	}
	pattern := s.Member("pattern")
	if !pattern.Is(jsontext.String) || !rules.IsGoOnly(pattern.Str()) {
		return out
	}
	k.Lose(rules.Worded, at, "pattern is only told in the description: it is written as Go alone reads it")
	told := tree.One("description", outline.Describe(s.Member("description").Str(), []string{outline.Constraints["pattern"].Words(pattern)}))
	return tree.Keyed(s.Key, tree.Prepend(told, tree.Without(out, "pattern", "description")))
}
