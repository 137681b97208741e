package schema

import (
	"fmt"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Check returns everything that is lost when the tools of one request are lowered
// for a target, and what the target will refuse of all of them together: how many
// they are, two of one name, how complex their schemas are. Definitions are in the
// order of the request.
func Check(target Target, definitions ...tool.Definition) ([]Loss, error) {
	var losses []Loss
	var sum size
	refuse := func(tool, at, format string, values ...any) {
		losses = append(losses, Loss{tool, at, Refused, fmt.Sprintf(format, values...)})
	}
	named := map[string]string{}
	for _, d := range definitions {
		l, err := Lower(target, d)
		if err != nil {
			return nil, err
		}
		losses = append(losses, l.Losses...)
		if other, taken := named[l.Name]; taken {
			refuse(d.Name, "/name", "it becomes %q, as %q does", l.Name, other)
		}
		named[l.Name] = d.Name
		schema, err := parse(l.Input)
		if err != nil {
			return nil, err
		}
		sum.add(schema)
	}
	limits := limitsOf[target]
	for _, x := range []struct {
		count, most int
		what        string
	}{
		{len(definitions), limits.tools, "tools"},
		{sum.optional, limits.optional, "optional parameters in all tools"},
		{sum.unions, limits.unions, "parameters of a union in all tools"},
	} {
		if x.most > 0 && x.count > x.most {
			refuse("", "", "there are %d %s, and at most %d are taken", x.count, x.what, x.most)
		}
	}
	return losses, nil
}

// limits bound what a request has, or a schema; 0 is no limit.
type limits struct {
	tools    int
	optional int // properties that may be absent, of all tools
	unions   int // anyOf, of all tools

	members int // properties of a schema
	values  int // in all enumerations of a schema
	text    int // characters of all names and of all values of enumerations of a schema
	long    int // characters of all values of an enumeration of more than 250 strings
}

var limitsOf = map[Target]limits{
	OpenAI:          {tools: 128},
	OpenAIStrict:    {tools: 128, members: 5000, values: 1000, text: 120_000, long: 15_000},
	AnthropicStrict: {tools: 20, optional: 24, unions: 16},
	Gemini:          {tools: 512},
}

// manyValues is how many values an enumeration may have before their length
// counts.
const manyValues = 250

// size is how complex schemas are.
type size struct {
	optional, unions, members, values, text int
	long                                    int // the longest of the enumerations whose length counts
}

// add adds a lowered schema and all that are in it.
func (x *size) add(s *jsontext.Node) {
	properties := s.Member("properties")
	x.optional += len(itemsOf(properties)) - len(itemsOf(s.Member("required")))
	x.members += len(itemsOf(properties))
	if s.Member("anyOf") != nil {
		x.unions++
	}
	values, long := itemsOf(s.Member("enum")), 0
	for _, v := range values {
		long += utf8.RuneCountInString(v.Str())
	}
	x.values += len(values)
	x.text += long
	if len(values) > manyValues {
		x.long = max(x.long, long)
	}
	for _, of := range []*jsontext.Node{properties, s.Member("$defs"), s.Member("definitions")} {
		for _, v := range itemsOf(of) {
			x.text += utf8.RuneCountInString(v.Name())
			x.add(v)
		}
	}
	for _, v := range itemsOf(s.Member("anyOf")) {
		x.add(v)
	}
	if items := s.Member("items"); items != nil {
		x.add(items)
	}
}

// limit tells what a lowered schema has too much of.
func (l *lowering) limit(s *jsontext.Node) {
	var x size
	x.add(s)
	limits := limitsOf[l.target]
	for _, y := range []struct {
		count, most int
		what        string
	}{
		{x.members, limits.members, "properties"},
		{x.values, limits.values, "values in enumerations"},
		{x.text, limits.text, "characters in names and values of enumerations"},
		{x.long, limits.long, "characters in one enumeration"},
	} {
		if y.most > 0 && y.count > y.most {
			l.lose(Refused, inputPointer, "there are %d %s, and at most %d are taken", y.count, y.what, y.most)
		}
	}
}
