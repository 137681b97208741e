package outline

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// constraint describes a keyword that constrains values of one kind.
type constraint struct {
	Kinds string                        // kind of the constrained values; see firstByte
	Words func(v *jsontext.Node) string // sentence for the model about the keyword with the value v
}

// Constraints contains the keywords of draft 2020-12 that constrain values directly, not through the schemas of
// members or items.
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

// describeValue returns a function that describes a keyword in words; text is a format for its value.
func describeValue(text string) func(*jsontext.Node) string {
	return func(v *jsontext.Node) string {
		value := string(RawJSON(v))
		if v.Is(jsontext.String) {
			value = v.Str()
		}
		return fmt.Sprintf("Must "+text+".", value)
	}
}

// describeCount returns a function that describes a bound on a number of things, as in "Must have at least 2
// items."
func describeCount(bound, thing string) func(*jsontext.Node) string {
	return func(v *jsontext.Node) string {
		things := thing
		if v.Text != "1" {
			things += "s"
		}
		return "Must have " + bound + " " + string(RawJSON(v)) + " " + things + "."
	}
}

// AppendSentences returns a description followed by sentences, or nil if both are empty.
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

// Describe returns a schema with sentences at the end of its description, which becomes the first member.
func Describe(s *jsontext.Node, sentences ...string) *jsontext.Node {
	described := NewMember("description", AppendSentences(s.Member("description").Str(), sentences))
	return JoinObjects(described, WithoutMembers(s, "description"))
}

// DescribeRename adds the original name of a member to its description.
func DescribeRename(s *jsontext.Node, name string) *jsontext.Node {
	return Describe(s, "This is "+NewString(name).Text+".")
}
