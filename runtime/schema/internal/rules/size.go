package rules

import (
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// Limits bound what a request has, or a schema; 0 is no limit.
type Limits struct {
	Tools    int
	Optional int // properties that may be absent, of all tools
	Unions   int // anyOf, of all tools

	members int // properties of a schema
	values  int // in all enumerations of a schema
	text    int // characters of all names and of all values of enumerations of a schema
	long    int // characters of all values of an enumeration of more than 250 strings
}

// manyValues is how many values an enumeration may have before their length
// counts.
const manyValues = 250

// Size is how complex schemas are.
type Size struct {
	Optional, Unions, members, values, text int
	long                                    int // the longest of the enumerations whose length counts
}

// Add adds a lowered schema and all that are in it.
func (x *Size) Add(s *jsontext.Node) {
	properties := s.Member("properties")
	x.Optional += len(tree.Items(properties)) - len(tree.Items(s.Member("required")))
	x.members += len(tree.Items(properties))
	if s.Member("anyOf") != nil {
		x.Unions++
	}
	values, long := tree.Items(s.Member("enum")), 0
	for _, v := range values {
		long += utf8.RuneCountInString(v.Str())
	}
	x.values += len(values)
	x.text += long
	if len(values) > manyValues {
		x.long = max(x.long, long)
	}
	for _, of := range []*jsontext.Node{properties, s.Member("$defs")} {
		for _, v := range tree.Items(of) {
			x.text += utf8.RuneCountInString(v.Name())
			x.Add(v)
		}
	}
	for _, v := range tree.Items(s.Member("anyOf")) {
		x.Add(v)
	}
	if items := s.Member("items"); items != nil {
		x.Add(items)
	}
}

// Limit tells what a lowered schema has too much of.
func (l *Lowering) Limit(s *jsontext.Node) {
	var x Size
	x.Add(s)
	for _, y := range []struct {
		count, most int
		what        string
	}{
		{x.members, l.Limits.members, "properties"},
		{x.values, l.Limits.values, "values in enumerations"},
		{x.text, l.Limits.text, "characters in names and values of enumerations"},
		{x.long, l.Limits.long, "characters in one enumeration"},
	} {
		if y.most > 0 && y.count > y.most {
			l.Lose(Refused, Input, "there are %d %s, and at most %d are taken", y.count, y.what, y.most)
		}
	}
}
