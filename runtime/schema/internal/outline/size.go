package outline

import (
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Limits contains the limits for all tools of a request, and for one schema. 0 means no limit.
type Limits struct {
	Tools    int
	Optional int // optional properties in all tools
	Unions   int // schemas with anyOf in all tools

	members  int // properties in a schema
	values   int // values of all enumerations in a schema
	text     int // characters of all names and enumeration values in a schema
	longEnum int // characters of all values of an enumeration with more than manyValues values
}

// manyValues is the number of enumeration values above which their length is limited.
const manyValues = 250

// Size is the total size of schemas. Its fields correspond to those of [Limits].
type Size struct {
	Optional, Unions, members, values, text int
	longestEnum                             int // maximum over the enumerations with more than manyValues values
}

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
		x.longestEnum = max(x.longestEnum, length)
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

// CheckLimits adds a loss for each limit that a lowered schema exceeds.
func (l *Lowering) CheckLimits(s *jsontext.Node) {
	var x Size
	x.AddSchema(s)
	for _, y := range []struct {
		count, limit int
		what         string
	}{
		{x.members, l.Limits.members, "properties"},
		{x.values, l.Limits.values, "values in enumerations"},
		{x.text, l.Limits.text, "characters in names and values of enumerations"},
		{x.longestEnum, l.Limits.longEnum, "characters in one enumeration"},
	} {
		if y.limit > 0 && y.count > y.limit {
			l.AddLoss(Refused, Input, "there are %d %s, the limit is %d", y.count, y.what, y.limit)
		}
	}
}
