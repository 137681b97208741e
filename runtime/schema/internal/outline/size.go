package outline

import (
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Limits are the limits of a request or of a schema; 0 means no limit.
type Limits struct {
	Tools    int
	Optional int // properties that may be absent, of all tools
	Unions   int // anyOf, of all tools

	members  int // properties of a schema
	values   int // values of all enumerations of a schema
	text     int // characters of all names and enumeration values of a schema
	longEnum int // characters of the values of an enumeration with more than 250 strings
}

// manyValues is the number of enumeration values above which their length is limited.
const manyValues = 250

// Size is the size of schemas.
type Size struct {
	Optional, Unions, members, values, text int
	longestEnum                             int // of the longest enumeration whose length is limited
}

// AddSchema adds a lowered schema with everything in it.
func (x *Size) AddSchema(s *jsontext.Node) {
	properties := s.Member("properties")
	x.Optional += len(ItemsOf(properties)) - len(ItemsOf(s.Member("required")))
	x.members += len(ItemsOf(properties))
	if s.Member("anyOf") != nil {
		x.Unions++
	}
	values, long := ItemsOf(s.Member("enum")), 0
	for _, v := range values {
		long += utf8.RuneCountInString(v.Str())
	}
	x.values += len(values)
	x.text += long
	if len(values) > manyValues {
		x.longestEnum = max(x.longestEnum, long)
	}
	for _, of := range []*jsontext.Node{properties, s.Member("$defs")} {
		for _, v := range ItemsOf(of) {
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

// CheckLimits records where a lowered schema exceeds the limits.
func (l *Lowering) CheckLimits(s *jsontext.Node) {
	var x Size
	x.AddSchema(s)
	for _, y := range []struct {
		count, most int
		what        string
	}{
		{x.members, l.Limits.members, "properties"},
		{x.values, l.Limits.values, "values in enumerations"},
		{x.text, l.Limits.text, "characters in names and values of enumerations"},
		{x.longestEnum, l.Limits.longEnum, "characters in one enumeration"},
	} {
		if y.most > 0 && y.count > y.most {
			l.AddLoss(Refused, Input, "there are %d %s, the limit is %d", y.count, y.what, y.most)
		}
	}
}
