package schema

import (
	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

// describeUnsupported moves keywords that the target does not understand from a schema and its subschemas into
// their descriptions. Otherwise some servers would reject the schema, the whole tool, or valid values.
func (l *lowering) describeUnsupported(s *jsontext.Node, at string) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return s
	}
	out := jsonschema.MapSubschemas(l.describeConditions(s, at), at, l.describeUnsupported)
	remaining := out
	var sentences []string
	for _, v := range s.Items {
		why := l.WhyUnsupported(s, v)
		if why == "" || out.Member(v.Name()) == nil {
			continue
		}
		l.addLoss(Worded, at, "%s is only stated in the description: %s", v.Name(), why)
		remaining = outline.WithoutMembers(remaining, v.Name())
		if c, ok := outline.Constraints[v.Name()]; ok {
			sentences = append(sentences, c.Words(v))
			continue
		}
		lost := outline.NewMember(v.Name(), v)
		if additional := s.Member("additionalProperties"); additional != nil && v.Name() == "patternProperties" {
			outline.AddMember(lost, "additionalProperties", additional)
			remaining = outline.WithoutMembers(remaining, "additionalProperties")
			outline.AddMember(remaining, "additionalProperties", outline.True)
		}
		sentences = append(sentences, describeSchema(lost))
	}
	if len(sentences) == 0 {
		return out
	}
	return outline.Describe(remaining, sentences...)
}

// describeConditions moves each condition that contains an unsupported keyword into the description. If only the
// keyword were removed, the condition would accept more values, and the schema might reject valid ones: for
// example, {"not": {"pattern": "x"}} would become {"not": {}}. A oneOf becomes an anyOf instead.
func (l *lowering) describeConditions(s *jsontext.Node, at string) *jsontext.Node {
	for _, keywords := range findConditions(s) {
		keyword, why := l.findUnsupported(s.Member(keywords[0]))
		if keyword == "" {
			continue
		}
		if keywords[0] == "oneOf" && s.Member("anyOf") == nil {
			l.addLoss(Rewritten, at, "oneOf becomes anyOf: it contains %s, and %s", keyword, why)
			all := s.Member("oneOf")
			s = outline.WithoutMembers(s, "oneOf")
			outline.AddMember(s, "anyOf", all)
			continue
		}
		l.addLoss(Worded, at, "%s is only stated in the description: it contains %s, and %s", keywords[0], keyword, why)
		s = describeLost(s, outline.WithoutMembers(s, keywords...))
	}
	return s
}

// findConditions returns the keywords that describeConditions handles, such as not: if their subschemas accepted
// more values, the schema would accept fewer. Each is followed by the keywords that have no meaning without it.
func findConditions(s *jsontext.Node) [][]string {
	conditions := [][]string{{"not"}, {"oneOf"}, {"if", "then", "else"}}
	if s.Member("maxContains") != nil {
		conditions = append(conditions, []string{"contains", "minContains", "maxContains"})
	}
	return conditions
}

// findUnsupported searches n, a schema or a list of schemas, for a keyword that the target does not understand.
// It returns the keyword and the reason, or two empty strings.
func (l *lowering) findUnsupported(n *jsontext.Node) (keyword, why string) {
	for _, v := range outline.ItemsOf(n) {
		if n.Is(jsontext.Object) {
			keyword, why = v.Name(), l.WhyUnsupported(n, v)
		}
		if why == "" {
			keyword, why = l.findUnsupported(v)
		}
		if why != "" {
			return keyword, why
		}
	}
	return "", ""
}

// describeLost returns the schema remaining, which lacks keywords of s, with a description that states them.
func describeLost(s, remaining *jsontext.Node) *jsontext.Node {
	return outline.Describe(remaining, describeSchema(outline.WithoutMembers(s, outline.MemberNames(remaining)...)))
}

func describeSchema(s *jsontext.Node) string {
	return "Must be valid against the JSON Schema " + string(outline.RawJSON(s)) + "."
}
