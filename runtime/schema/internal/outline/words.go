package outline

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema/text"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// constraint is a keyword that narrows values of some kinds.
type constraint struct {
	Kinds string // of values that it is for; see tree.First
	Words func(v *jsontext.Node) string
}

// Constraints are those of draft 2020-12 that are no structure, and what is said
// of them in a description to a model.
var Constraints = map[string]constraint{
	"minimum":          {"0", must("be at least %s")},
	"maximum":          {"0", must("be at most %s")},
	"exclusiveMinimum": {"0", must("be more than %s")},
	"exclusiveMaximum": {"0", must("be less than %s")},
	"multipleOf":       {"0", must("be a multiple of %s")},
	"minLength":        {`"`, count("at least", "character")},
	"maxLength":        {`"`, count("at most", "character")},
	"pattern":          {`"`, func(v *jsontext.Node) string { return "Must match the regular expression `" + v.Str() + "`." }},
	"format": {`"`, func(v *jsontext.Node) string {
		return "Must be " + text.Words(v.Str()) + "."
	}},
	"contentEncoding":  {`"`, must("be encoded as %s")},
	"contentMediaType": {`"`, must("hold %s")},
	"contentSchema":    {`"`, must("hold JSON that is valid against the JSON Schema %s")},
	"minItems":         {"[", count("at least", "item")},
	"maxItems":         {"[", count("at most", "item")},
	"uniqueItems":      {"[", func(*jsontext.Node) string { return "Must not have the same item twice." }},
	"minProperties":    {"{", count("at least", "member")},
	"maxProperties":    {"{", count("at most", "member")},
}

// must returns words with the value of a keyword in them.
func must(text string) func(*jsontext.Node) string {
	return func(v *jsontext.Node) string {
		value := string(tree.Raw(v))
		if v.Is(jsontext.String) {
			value = v.Str()
		}
		return fmt.Sprintf("Must "+text+".", value)
	}
}

// count returns words for a keyword that bounds how many things there are.
func count(bound, thing string) func(*jsontext.Node) string {
	return func(v *jsontext.Node) string {
		things := thing
		if v.Text != "1" {
			things += "s"
		}
		return "Must have " + bound + " " + string(tree.Raw(v)) + " " + things + "."
	}
}

// Describe puts sentences behind a description.
func Describe(description string, sentences []string) *jsontext.Node {
	text := strings.Join(sentences, " ")
	if description != "" && text != "" {
		text = description + "\n" + text
	}
	if text = cmp.Or(text, description); text == "" {
		return nil
	}
	return tree.String(text)
}

// Renamed tells the model what the name of a member was.
func Renamed(out *jsontext.Node, name string) *jsontext.Node {
	whole := tree.One("description", Describe(out.Member("description").Str(), []string{"This is " + tree.String(name).Text + "."}))
	rest := tree.Without(out, "description")
	whole.Items = append(whole.Items, rest.Items...)
	return whole
}
