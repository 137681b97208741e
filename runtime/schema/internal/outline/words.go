package outline

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// constraint describes a keyword that constrains values of some kinds.
type constraint struct {
	Kinds string // kinds of the constrained values; see firstByte
	Words func(v *jsontext.Node) string
}

// Constraints are the constraining keywords of draft 2020-12 without structure, with the sentences that
// describe them to a model.
var Constraints = map[string]constraint{
	"minimum":          {"0", describeValue("be at least %s")},
	"maximum":          {"0", describeValue("be at most %s")},
	"exclusiveMinimum": {"0", describeValue("be more than %s")},
	"exclusiveMaximum": {"0", describeValue("be less than %s")},
	"multipleOf":       {"0", describeValue("be a multiple of %s")},
	"minLength":        {`"`, describeCount("at least", "character")},
	"maxLength":        {`"`, describeCount("at most", "character")},
	"pattern":          {`"`, func(v *jsontext.Node) string { return "Must match the regular expression `" + v.Str() + "`." }},
	"format": {`"`, func(v *jsontext.Node) string {
		return "Must be " + jsonschema.DescribeFormat(v.Str()) + "."
	}},
	"contentEncoding":  {`"`, describeValue("be encoded as %s")},
	"contentMediaType": {`"`, describeValue("hold %s")},
	"contentSchema":    {`"`, describeValue("hold JSON that is valid against the JSON Schema %s")},
	"minItems":         {"[", describeCount("at least", "item")},
	"maxItems":         {"[", describeCount("at most", "item")},
	"uniqueItems":      {"[", func(*jsontext.Node) string { return "Must not have the same item twice." }},
	"minProperties":    {"{", describeCount("at least", "member")},
	"maxProperties":    {"{", describeCount("at most", "member")},
}

// describeValue returns a function that puts the value of a keyword into text.
func describeValue(text string) func(*jsontext.Node) string {
	return func(v *jsontext.Node) string {
		value := string(RawJSON(v))
		if v.Is(jsontext.String) {
			value = v.Str()
		}
		return fmt.Sprintf("Must "+text+".", value)
	}
}

// describeCount returns a function that describes a limit on a number of things.
func describeCount(bound, thing string) func(*jsontext.Node) string {
	return func(v *jsontext.Node) string {
		things := thing
		if v.Text != "1" {
			things += "s"
		}
		return "Must have " + bound + " " + string(RawJSON(v)) + " " + things + "."
	}
}

// AppendSentences returns a description followed by sentences.
func AppendSentences(description string, sentences []string) *jsontext.Node {
	text := strings.Join(sentences, " ")
	if description != "" && text != "" {
		text = description + "\n" + text
	}
	if text = cmp.Or(text, description); text == "" {
		return nil
	}
	return NewString(text)
}

// DescribeRename adds the original name of a member to its description.
func DescribeRename(out *jsontext.Node, name string) *jsontext.Node {
	whole := NewMember("description", AppendSentences(out.Member("description").Str(), []string{"This is " + NewString(name).Text + "."}))
	rest := WithoutMembers(out, "description")
	whole.Items = append(whole.Items, rest.Items...)
	return whole
}
