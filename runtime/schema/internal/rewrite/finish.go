package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/form"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
	"github.com/aiongen/aiongen/runtime/schema/internal/rules"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// anything lowers the schema of all values.
func (r *rewriting) anything(s *jsontext.Node, at string) (*jsontext.Node, *form.Form) {
	if r.Dialect.Anything {
		return r.finish(s, at, "", tree.Object()), nil
	}
	if r.isAny(s) {
		r.Lose(rules.Quoted, at, "a value of any kind becomes its JSON text in a string")
		return r.text(s, "Any JSON value, as JSON text: a string in quotes, a number, an object."), &form.Form{Kind: form.Text}
	}
	return r.asText(s, at, "no type is given")
}

func (r *rewriting) isAny(s *jsontext.Node) bool {
	return len(tree.Without(s, slices.Concat(outline.Annotations, outline.Silent)...).Items) == 0
}

// longestSchema bounds the schemas in descriptions, in bytes.
const longestSchema = 2000

// asText lowers a schema that the target cannot be told, with the reason why.
func (r *rewriting) asText(s *jsontext.Node, at, why string, values ...any) (*jsontext.Node, *form.Form) {
	r.Lose(rules.Quoted, at, "%s; the value becomes its JSON text in a string", fmt.Sprintf(why, values...))
	words := "JSON text, in a string, of a value"
	if s.Is(jsontext.Object) {
		if text := string(tree.Raw(tree.Without(s, "description", "title"))); len(text) <= longestSchema {
			words += " that is valid against the JSON Schema " + text
		} else {
			r.Lose(rules.Dropped, at, "the schema of the value, which is longer than %d bytes", longestSchema)
		}
	}
	return r.text(s, words+"."), &form.Form{Kind: form.Text}
}

func (r *rewriting) text(s *jsontext.Node, words string) *jsontext.Node {
	out := tree.One("description", outline.Describe(s.Member("description").Str(), []string{words}))
	tree.Add(out, "type", tree.String("string"))
	return out
}

// finish adds to a schema what else is said of values of a kind: keywords that are
// taken, and the others in words.
func (r *rewriting) finish(s *jsontext.Node, at, kind string, out *jsontext.Node, said ...string) *jsontext.Node {
	end, apart := tree.Object(), tree.Object()
	for _, v := range s.Items {
		name := v.Name()
		c, constrains := outline.Constraints[name]
		switch {
		case slices.Contains(outline.Silent, name) || structure[name]:
		case constrains && c.Kinds != kind: // and says nothing
		case (constrains || name == "title") && r.Dialect.Takes(name, v):
			tree.Add(end, name, v)
		case constrains:
			r.Lose(rules.Worded, at, "%s is only told in the description", name)
			said = append(said, c.Words(v))
		case name == "default":
			r.Lose(rules.Worded, at, "the default is only told in the description")
			said = append(said, "The default is "+string(tree.Raw(v))+".")
		case name == "examples" && len(tree.Items(v)) > 0:
			r.Lose(rules.Worded, at, "examples are only told in the description")
			said = append(said, "Examples: "+list(v)+".")
		case assertions[name]:
			tree.Add(apart, name, v)
		case name != "examples" && name != "deprecated" && name != "readOnly" && name != "writeOnly":
			r.Lose(rules.Dropped, at, "%s", name)
		}
	}
	if len(apart.Items) > 0 {
		r.Lose(rules.Worded, at, "%s is only told in the description", apart.Items[0].Name())
		said = append(said, "Must be valid against the JSON Schema "+string(tree.Raw(apart))+".")
	}
	whole := tree.One("description", outline.Describe(s.Member("description").Str(), said))
	whole.Items = slices.Concat(whole.Items, out.Items, end.Items)
	return refAlone(whole)
}

// refAlone returns a schema whose $ref has nothing beside it, which would be
// refused: what else is said is said of an anyOf with that one branch.
func refAlone(s *jsontext.Node) *jsontext.Node {
	ref := s.Member("$ref")
	if ref == nil || len(s.Items) == 1 {
		return s
	}
	branch, out := tree.Object(), tree.Without(s, "$ref")
	tree.Add(branch, "$ref", ref)
	tree.Add(out, "anyOf", tree.Array(branch))
	return out
}

// list returns values as a text.
func list(values *jsontext.Node) string {
	var texts []string
	for _, v := range values.Items {
		texts = append(texts, string(tree.Raw(v)))
	}
	return strings.Join(texts, ", ")
}

// structure are the keywords that other methods than finish see to.
var structure = set("type properties required additionalProperties patternProperties propertyNames items enum const description $ref")

// assertions are keywords that constrain values in ways that no target takes.
var assertions = set("anyOf oneOf allOf not if then else contains minContains maxContains dependentRequired dependentSchemas " +
	"dependencies unevaluatedItems unevaluatedProperties prefixItems additionalItems $dynamicRef")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, word := range strings.Fields(words) {
		m[word] = true
	}
	return m
}

// scalar lowers the schema of strings, numbers, booleans or null.
func (r *rewriting) scalar(s *jsontext.Node, typ, at string) (*jsontext.Node, *form.Form) {
	if typ == "null" && r.Dialect.OpenAPI {
		return r.table(s, []*jsontext.Node{tree.Null}, at)
	}
	out := tree.One("type", tree.String(typ))
	return r.finish(s, at, outline.KindOfType[typ], out), nil
}

// table lowers the schema of some values to strings that stand for them.
func (r *rewriting) table(s *jsontext.Node, values []*jsontext.Node, at string) (*jsontext.Node, *form.Form) {
	r.Lose(rules.Rewritten, at, "values become strings that stand for them")
	f := &form.Form{Kind: form.Table}
	var said, wire []string
	for _, v := range values {
		text := string(tree.Raw(v))
		if v.Is(jsontext.String) {
			text = v.Str()
		}
		if text == "" {
			for text = "(empty)"; slices.ContainsFunc(values, func(v *jsontext.Node) bool { return v.Str() == text }); {
				text = "(" + text + ")"
			}
			said = append(said, tree.String(text).Text+" stands for the empty string.")
		}
		wire = append(wire, text)
		f.Values = append(f.Values, form.Value{Neutral: v, Wire: text})
	}
	out := tree.One("type", tree.String("string"))
	tree.Add(out, "enum", tree.Strings(wire))
	return r.finish(s, at, "", out, said...), f
}
