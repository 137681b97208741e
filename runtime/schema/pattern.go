package schema

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// isGoOnly reports whether a regular expression has what Go knows and ECMA-262,
// by which others read patterns, does not: flags, groups (?P<name>…), \A, \z,
// \Q…\E, \C, \a, \x{…}, \pN and classes such as [[:alpha:]].
func isGoOnly(pattern string) bool {
	class := false
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case rest[0] == '\\' && len(rest) > 1:
			if strings.IndexByte("AzQECa", rest[1]) >= 0 || strings.HasPrefix(rest[1:], "x{") {
				return true
			}
			if (rest[1] == 'p' || rest[1] == 'P') && (len(rest) == 2 || rest[2] != '{') {
				return true
			}
			i++
		case class && strings.HasPrefix(rest, "[:"):
			return true
		case class:
			class = rest[0] != ']'
		case rest[0] == '[':
			class = true
			for _, open := range []string{"[^]", "[]"} { // where ] is the first character of the class
				if strings.HasPrefix(rest, open) {
					return true // which is all, or nothing, for others
				}
			}
		case strings.HasPrefix(rest, "(?"):
			if !isGroup(rest[len("(?"):]) {
				return true
			}
		}
	}
	return false
}

// isGroup reports whether what stands behind (? begins a group that ECMA-262 has.
func isGroup(rest string) bool {
	return rest != "" && strings.IndexByte(":=!<", rest[0]) >= 0
}

// withoutGoPatterns tells the patterns in a schema that only Go knows in the
// descriptions: others would refuse the schema for them, or the tool with it.
func (l *lowering) withoutGoPatterns(s *jsontext.Node, at string) *jsontext.Node {
	if !s.Is(jsontext.Object) {
		return s
	}
	out := prepend(s, object())
	for i, v := range s.Items {
		name := v.Name()
		switch name {
		case "properties", "patternProperties", "$defs", "definitions":
			all := prepend(v, object())
			for k, member := range v.Items {
				all.Items[k] = l.withoutGoPatterns(member, jsontext.Join(at+"/"+name, member.Name()))
			}
			if v.Is(jsontext.Object) {
				out.Items[i] = all
			}
		case "items", "additionalProperties", "propertyNames":
			out.Items[i] = l.withoutGoPatterns(v, at+"/"+name)
		case "anyOf", "oneOf", "allOf":
			out.Items[i] = eachOf(v, jsontext.Array, func(one *jsontext.Node) *jsontext.Node { return l.withoutGoPatterns(one, at+"/"+name) })
		}
	}
	pattern := s.Member("pattern")
	if !pattern.Is(jsontext.String) || !isGoOnly(pattern.Str()) {
		return out
	}
	l.lose(Worded, at, "pattern is only told in the description: it is written as Go alone reads it")
	told := object()
	addTo(told, "description", describe(s.Member("description").Str(), []string{constraints["pattern"].words(pattern)}))
	return keyed(s.Key, prepend(told, without(out, "pattern", "description")))
}
