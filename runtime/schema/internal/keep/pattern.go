package keep

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema/parts"
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
	out := parts.Map(k.withoutConditions(s, at), at, k.withoutGoPatterns)
	pattern := s.Member("pattern")
	if !isGoOnly(pattern) {
		return out
	}
	k.Lose(rules.Worded, at, "pattern is only told in the description: it is written as Go alone reads it")
	told := tree.One("description", outline.Describe(out.Member("description").Str(), []string{outline.Constraints["pattern"].Words(pattern)}))
	return tree.Prepend(told, tree.Without(out, "pattern", "description"))
}

// withoutConditions is a schema without the conditions that have patterns which only Go
// knows: without the pattern they would hold for more, and their schema for less. They
// are told as a whole, but for oneOf, of which any may hold then.
func (k keeping) withoutConditions(s *jsontext.Node, at string) *jsontext.Node {
	for _, keywords := range conditionsOf(s) {
		if !hasGoPattern(s.Member(keywords[0])) {
			continue
		}
		if keywords[0] == "oneOf" && s.Member("anyOf") == nil {
			k.Lose(rules.Rewritten, at, "oneOf becomes anyOf: it has a pattern as Go alone reads it")
			all := s.Member("oneOf")
			s = tree.Without(s, "oneOf")
			tree.Add(s, "anyOf", all)
			continue
		}
		k.Lose(rules.Worded, at, "%s is only told in the description: it has a pattern as Go alone reads it", keywords[0])
		s = inWords(s, tree.Without(s, keywords...))
	}
	return s
}

// conditionsOf are the keywords of a schema whose schemas must not hold for more, each
// with those that mean nothing without it.
func conditionsOf(s *jsontext.Node) [][]string {
	conditions := [][]string{{"not"}, {"oneOf"}, {"if", "then", "else"}}
	if s.Member("maxContains") != nil {
		conditions = append(conditions, []string{"contains", "minContains", "maxContains"})
	}
	return conditions
}

func isGoOnly(pattern *jsontext.Node) bool {
	return pattern.Is(jsontext.String) && rules.IsGoOnly(pattern.Str())
}

func hasGoPattern(n *jsontext.Node) bool {
	return n.Is(jsontext.Object) && isGoOnly(n.Member("pattern")) || slices.ContainsFunc(tree.Items(n), hasGoPattern)
}

// inWords is what is kept of a schema, with the other keywords in its description.
func inWords(s, kept *jsontext.Node) *jsontext.Node {
	told := tree.Without(s, tree.Names(kept)...)
	words := "Must be valid against the JSON Schema " + string(tree.Raw(told)) + "."
	described := tree.One("description", outline.Describe(s.Member("description").Str(), []string{words}))
	return tree.Prepend(described, tree.Without(kept, "description"))
}
