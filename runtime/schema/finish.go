package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

// lowerAny lowers a schema that states no type.
func (r *rewriting) lowerAny(s *jsontext.Node, at string) (*jsontext.Node, *outline.Form) {
	if r.Dialect.Anything {
		return r.finishSchema(s, at, "", outline.NewObject()), nil
	}
	if r.isAny(s) {
		r.addLoss(Quoted, at, "a value of any kind becomes its JSON text in a string")
		return r.textSchema(s, "Any JSON value, as JSON text: a string in quotes, a number, an object."), &outline.Form{Kind: outline.Text}
	}
	return r.lowerToText(s, at, "no type is given")
}

// isAny reports whether a schema accepts any value.
func (r *rewriting) isAny(s *jsontext.Node) bool {
	return len(outline.WithoutMembers(s, slices.Concat(outline.Annotations, outline.Silent)...).Items) == 0
}

// longestSchema is the maximum length of a schema that lowerToText copies into a description, in bytes.
const longestSchema = 2000

// lowerToText replaces a schema that the target cannot express with the schema of a string. The model writes the value
// into this string as JSON text. The reason is why, formatted with values as by fmt.Sprintf.
func (r *rewriting) lowerToText(s *jsontext.Node, at, why string, values ...any) (*jsontext.Node, *outline.Form) {
	r.addLoss(Quoted, at, "%s; the value becomes its JSON text in a string", fmt.Sprintf(why, values...))
	words := "A string with the JSON text of a value"
	if s.Is(jsontext.Object) {
		if text := string(outline.RawJSON(outline.WithoutMembers(s, "description", "title"))); len(text) <= longestSchema {
			words += " that is valid against the JSON Schema " + text
		} else {
			r.addLoss(Dropped, at, "the schema of the value, which is longer than %d bytes", longestSchema)
		}
	}
	return r.textSchema(s, words+"."), &outline.Form{Kind: outline.Text}
}

func (r *rewriting) textSchema(s *jsontext.Node, words string) *jsontext.Node {
	out := outline.NewMember("description", outline.AppendSentences(s.Member("description").Str(), []string{words}))
	outline.AddMember(out, "type", outline.NewString("string"))
	return out
}

// finishSchema completes out, the lowered schema of s, with the keywords of s that other methods have not lowered.
// Keywords that the target accepts stay keywords. Most others become sentences of the description, after the given
// sentences. Keywords that do not constrain values of the given kind are ignored, such as minLength for a number.
func (r *rewriting) finishSchema(s *jsontext.Node, at, kind string, out *jsontext.Node, sentences ...string) *jsontext.Node {
	keywords, assertions := outline.NewObject(), outline.NewObject()
	for _, v := range s.Items {
		name := v.Name()
		c, constrains := outline.Constraints[name]
		switch {
		case slices.Contains(outline.Silent, name), structureKeywords[name], constrains && c.Kinds != kind: // about the document, already lowered, or about values of another kind
		case (constrains || name == "title") && r.Dialect.Takes(name, v):
			outline.AddMember(keywords, name, v)
		case constrains:
			r.addLoss(Worded, at, "%s is only stated in the description", name)
			sentences = append(sentences, c.Words(v))
		case name == "default":
			r.addLoss(Worded, at, "the default is only stated in the description")
			sentences = append(sentences, "The default is "+string(outline.RawJSON(v))+".")
		case name == "examples" && len(outline.ItemsOf(v)) > 0:
			r.addLoss(Worded, at, "examples are only stated in the description")
			sentences = append(sentences, "Examples: "+joinTexts(v.Items, ", ", (*jsontext.Node).String)+".")
		case assertionKeywords[name]:
			outline.AddMember(assertions, name, v)
		case !annotationKeywords[name]:
			r.addLoss(Dropped, at, "%s", name)
		}
	}
	if len(assertions.Items) > 0 {
		r.addLoss(Worded, at, "%s is only stated in the description", assertions.Items[0].Name())
		sentences = append(sentences, describeSchema(assertions))
	}
	result := outline.NewMember("description", outline.AppendSentences(s.Member("description").Str(), sentences))
	result.Items = slices.Concat(result.Items, out.Items, keywords.Items)
	return isolateRef(result)
}

// isolateRef changes {"$ref": …, "title": …} to {"title": …, "anyOf": [{"$ref": …}]}, because providers refuse
// keywords next to $ref.
func isolateRef(s *jsontext.Node) *jsontext.Node {
	ref := s.Member("$ref")
	if ref == nil || len(s.Items) == 1 {
		return s
	}
	branch, out := outline.NewObject(), outline.WithoutMembers(s, "$ref")
	outline.AddMember(branch, "$ref", ref)
	outline.AddMember(out, "anyOf", outline.NewArray(branch))
	return out
}

// structureKeywords are the keywords that other methods have lowered before finishSchema.
var structureKeywords = newWordSet("type properties required additionalProperties patternProperties propertyNames items enum const description $ref")

// assertionKeywords are the keywords that constrain values and that no target accepts.
var assertionKeywords = newWordSet("anyOf oneOf allOf not if then else contains minContains maxContains dependentRequired dependentSchemas " +
	"dependencies unevaluatedItems unevaluatedProperties prefixItems additionalItems $dynamicRef")

// annotationKeywords are the keywords whose removal is not a loss, because they do not constrain values.
var annotationKeywords = newWordSet("examples deprecated readOnly writeOnly")

func newWordSet(words string) map[string]bool {
	m := map[string]bool{}
	for _, word := range strings.Fields(words) {
		m[word] = true
	}
	return m
}

// lowerScalar lowers a schema of strings, numbers, booleans or null.
func (r *rewriting) lowerScalar(s *jsontext.Node, typ, at string) (*jsontext.Node, *outline.Form) {
	if typ == "null" && r.Dialect.OpenAPI {
		return r.lowerToStrings(s, []*jsontext.Node{outline.Null}, at)
	}
	out := outline.NewMember("type", outline.NewString(typ))
	return r.finishSchema(s, at, outline.KindOfType[typ], out), nil
}

// lowerToStrings lowers a schema that lists its values to an enumeration of strings, one for each value. For
// example, the values 1 and 2 become "1" and "2".
func (r *rewriting) lowerToStrings(s *jsontext.Node, values []*jsontext.Node, at string) (*jsontext.Node, *outline.Form) {
	r.addLoss(Rewritten, at, "each value becomes a string that stands for it")
	f := &outline.Form{Kind: outline.Table}
	var sentences, wire []string
	for _, v := range values {
		text := string(outline.RawJSON(v))
		if v.Is(jsontext.String) {
			text = v.Str()
		}
		if text == "" {
			for text = "(empty)"; slices.ContainsFunc(values, func(v *jsontext.Node) bool { return v.Str() == text }); {
				text = "(" + text + ")"
			}
			sentences = append(sentences, outline.NewString(text).Text+" stands for the empty string.")
		}
		wire = append(wire, text)
		f.Values = append(f.Values, outline.Value{Neutral: v, Wire: text})
	}
	out := outline.NewMember("type", outline.NewString("string"))
	outline.AddMember(out, "enum", outline.NewStrings(wire))
	return r.finishSchema(s, at, "", out, sentences...), f
}
