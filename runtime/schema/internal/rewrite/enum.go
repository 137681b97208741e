package rewrite

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/form"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
	"github.com/aiongen/aiongen/runtime/schema/internal/rules"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// enumeration lowers a schema that lists its values.
func (r *rewriting) enumeration(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form.Form) {
	values := validOf(s)
	types := outline.TypesOfValues(tree.Array(values...))
	switch {
	case !outline.IsScalar(tree.Array(values...)):
		return r.asText(s, at, "it lists values that are objects or arrays")
	case len(types) == 0:
		return r.asText(s, at, "no value is valid")
	case len(types) > 1:
		var all []*jsontext.Node
		for _, t := range types {
			b := tree.One("type", tree.String(t))
			tree.Add(b, "enum", tree.Array(ofType(values, t)...))
			all = append(all, b)
		}
		return r.split(outline.AnnotationsOf(s), all, at, depth)
	case types[0] == "null":
		return r.scalar(s, "null", at)
	case r.Dialect.OpenAPI && (types[0] != "string" || slices.ContainsFunc(values, isEmpty)):
		return r.table(s, values, at)
	}
	if t := s.Member("type"); t.Str() != "" {
		types[0] = t.Str()
	}
	out := tree.One("type", tree.String(types[0]))
	tree.Add(out, "enum", tree.Array(values...))
	return r.finish(s, at, "", out), r.anyCase(values, at)
}

func isEmpty(v *jsontext.Node) bool { return v.Text == `""` }

func ofType(values []*jsontext.Node, t string) []*jsontext.Node {
	return slices.DeleteFunc(slices.Clone(values), func(v *jsontext.Node) bool { return outline.TypesOfValues(tree.Array(v))[0] != t })
}

// validOf returns the values that a schema lists and that are valid by its other
// keywords, each once.
func validOf(s *jsontext.Node) []*jsontext.Node {
	valid, err := jsonschema.Parse(tree.Raw(tree.Without(s, slices.Concat(outline.Annotations, outline.Silent, []string{"enum", "const"})...)))
	var values []*jsontext.Node
	seen := map[string]bool{}
	for _, v := range outline.EnumOf(s).Items {
		text := string(tree.Raw(v))
		if v.Is(jsontext.String) {
			text = tree.String(v.Str()).Text // of all ways to write it, one
		}
		if !seen[text] && (err != nil || len(valid.Check(v, len(text))) == 0) {
			values = append(values, v)
		}
		seen[text] = true
	}
	return values
}

// anyCase is the form of strings whose case the provider does not keep.
func (r *rewriting) anyCase(values []*jsontext.Node, at string) *form.Form {
	if !r.Dialect.AnyCase || !values[0].Is(jsontext.String) {
		return nil
	}
	f := &form.Form{Kind: form.Table}
	folded := map[string]bool{}
	for _, v := range values {
		if lower := strings.ToLower(v.Str()); folded[lower] {
			r.Lose(rules.Dropped, at, "the case of %s: values that differ in nothing else may be mixed up", v.Text)
		} else {
			folded[lower] = true
		}
		f.Values = append(f.Values, form.Value{Neutral: v, Wire: v.Str()})
	}
	return f
}
