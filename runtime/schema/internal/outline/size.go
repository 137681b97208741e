package outline

import (
	"fmt"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Size is the total size of schemas or, in [Rules], a limit on it, where 0 means no limit.
type Size struct {
	Tools    int
	Optional int // optional properties
	Unions   int // schemas with anyOf

	members  int // properties
	values   int // values of all enumerations
	text     int // characters of all names and enumeration values
	longEnum int // characters of the longest enumeration, of those with more than manyValues values
}

// manyValues is the number of enumeration values above which their length is limited.
const manyValues = 250

// AddSchema adds the size of a lowered schema and its subschemas.
func (x *Size) AddSchema(s *jsontext.Node) {
	properties := s.Member("properties")
	x.Optional += len(ItemsOf(properties)) - len(ItemsOf(s.Member("required")))
	x.members += len(ItemsOf(properties))
	if s.Member("anyOf") != nil {
		x.Unions++
	}
	values, length := ItemsOf(s.Member("enum")), 0
	for _, v := range values {
		length += utf8.RuneCountInString(v.Str())
	}
	x.values += len(values)
	x.text += length
	if len(values) > manyValues {
		x.longEnum = max(x.longEnum, length)
	}
	for _, container := range []*jsontext.Node{properties, s.Member("$defs")} {
		for _, v := range ItemsOf(container) {
			x.text += utf8.RuneCountInString(v.Name())
			x.AddSchema(v)
		}
	}
	for _, v := range ItemsOf(s.Member("anyOf")) {
		x.AddSchema(v)
	}
	if items := s.Member("items"); items != nil {
		x.AddSchema(items)
	}
}

// DescribeExcess returns a text for each limit that the size exceeds.
func (x Size) DescribeExcess(limits Size) (texts []string) {
	for _, y := range []struct {
		count, limit int
		what         string
	}{
		{x.Tools, limits.Tools, "tools"},
		{x.Optional, limits.Optional, "optional parameters in all tools"},
		{x.Unions, limits.Unions, "parameters of a union in all tools"},
		{x.members, limits.members, "properties"},
		{x.values, limits.values, "values in enumerations"},
		{x.text, limits.text, "characters in names and values of enumerations"},
		{x.longEnum, limits.longEnum, "characters in one enumeration"},
	} {
		if y.limit > 0 && y.count > y.limit {
			texts = append(texts, fmt.Sprintf("there are %d %s, the limit is %d", y.count, y.what, y.limit))
		}
	}
	return texts
}
