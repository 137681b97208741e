package rewrite

import (
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/schema/internal/form"
	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
	"github.com/aiongen/aiongen/runtime/schema/internal/rules"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// union lowers a schema with anyOf or oneOf.
func (r *rewriting) union(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form.Form) {
	keyword := "anyOf"
	if s.Member(keyword) == nil {
		keyword = "oneOf"
	}
	around := tree.Without(s, slices.Concat(outline.Annotations, outline.Silent, []string{keyword})...)
	var all []*jsontext.Node
	var places []int
	for i, b := range tree.Items(s.Member(keyword)) {
		if tree.Is(b, "false") {
			continue
		}
		if tree.Is(b, "true") {
			b = tree.Object()
		}
		if b = r.Merge(tree.Without(b, "title"), around); b == nil {
			return r.asText(s, at, "%s stands beside keywords that its schemas have, too", keyword)
		}
		all, places = append(all, b), append(places, i)
	}
	if keyword == "oneOf" && len(all) > 1 {
		r.Lose(rules.Dropped, at, "that one schema of oneOf alone may be valid")
	}
	return r.branches(outline.AnnotationsOf(s), all, at, func(i int) string { return jsontext.Within(at, keyword, strconv.Itoa(places[i])) }, depth)
}

// split lowers alternatives that are no schemas of their own, but one for values of
// all their kinds.
func (r *rewriting) split(s *jsontext.Node, all []*jsontext.Node, at string, depth int) (*jsontext.Node, *form.Form) {
	return r.branches(s, all, at, func(int) string { return at }, depth)
}

// branches lowers alternatives. Where it could not be told which one a value is
// of, but has to be, the value becomes its JSON text.
func (r *rewriting) branches(s *jsontext.Node, all []*jsontext.Node, at string, places func(i int) string, depth int) (*jsontext.Node, *form.Form) {
	before := len(r.Losses)
	f := &form.Form{Kind: form.Union}
	var lowered []*jsontext.Node
	null, same := false, true
	for i, b := range all {
		if r.Dialect.OpenAPI && outline.IsNull(b) {
			null = true
			continue
		}
		out, of := r.schema(b, places(i), depth)
		lowered = append(lowered, out)
		f.Branches = append(f.Branches, form.Branch{Neutral: r.ShapeOf(b), Wire: r.wireShape(out), Form: of})
		same = same && of == nil
	}
	if same {
		f = nil
	} else if !f.Distinct() {
		r.Losses = r.Losses[:before]
		whole := tree.One("description", s.Member("description"))
		tree.Add(whole, "anyOf", tree.Array(all...))
		return r.asText(whole, at, "it cannot be told which of the schemas a value is of")
	}
	switch {
	case len(lowered) == 0:
		return r.asText(s, at, "no value is valid")
	case len(lowered) > 1 && !r.Dialect.OpenAPI:
		out := tree.One("anyOf", tree.Array(lowered...))
		return r.finish(s, at, "", out), f
	}
	r.describeFirst(s, lowered, at, null)
	if len(lowered) == 1 {
		return lowered[0], f
	}
	out := tree.One("anyOf", tree.Array(lowered...))
	return out, f
}

// describeFirst tells at the first of some alternatives what holds for all: it is
// the only one, or Gemini's, whose anyOf stands alone.
func (r *rewriting) describeFirst(s *jsontext.Node, lowered []*jsontext.Node, at string, null bool) {
	if inner := lowered[0].Member("anyOf"); inner != nil && r.Dialect.OpenAPI {
		r.describeFirst(s, inner.Items, at, null)
		return
	}
	lowered[0] = r.describedBy(s, lowered[0], at)
	if null && !(lowered[0].Member("nullable") != nil) {
		tree.Add(lowered[0], "nullable", tree.True)
	}
}

// describedBy returns what a schema was lowered to with what is said around it.
func (r *rewriting) describedBy(s, out *jsontext.Node, at string) *jsontext.Node {
	inner := out.Member("description").Str()
	out = tree.Without(out, "description")
	if s.Member("title") != nil {
		out = tree.Without(out, "title")
	}
	var said []string
	if inner != "" {
		said = append(said, inner)
	}
	return r.finish(s, at, "", out, said...)
}

// wireShape returns the shape of what a schema was lowered to.
func (r *rewriting) wireShape(out *jsontext.Node) outline.Shape {
	var target func(ref string, depth int) outline.Shape
	target = func(ref string, depth int) outline.Shape {
		neutral := r.Resolve(ref)
		if lowered := r.defs[neutral]; lowered != nil {
			return r.ShapeIn(lowered, target, depth)
		}
		return r.shapeToBe(r.Plain(neutral))
	}
	if one := tree.Items(out.Member("anyOf")); len(one) == 1 {
		out = one[0] // see refAlone
	}
	x := r.ShapeIn(out, target, outline.MaxChain)
	x.AnyCase = r.Dialect.AnyCase
	return x
}

// shapeToBe returns the shape of what a definition will be lowered to, which is
// still under way: it holds the schema that asks. What may become text is.
func (r *rewriting) shapeToBe(s *jsontext.Node) outline.Shape {
	types := outline.TypesOf(s)
	switch {
	case len(types) != 1 || outline.HasAny(s, "anyOf", "oneOf", "allOf", "$ref", "enum", "const"):
		return outline.AnyShape
	case types[0] == "array" || types[0] == "object" && outline.IsMap(s):
		return outline.Shape{Kinds: `["`}
	case types[0] != "object":
		return r.ShapeOf(s)
	}
	x := outline.Shape{Kinds: "{", Closed: true, Members: map[string]*jsontext.Node{}, Required: map[string]struct{}{}}
	names, schemas, required := r.members(s)
	for i, name := range names {
		x.Members[name], x.Required[name] = nil, struct{}{}
		if required[name] && outline.IsScalar(outline.EnumOf(schemas[i])) && !outline.HasAny(schemas[i], "anyOf", "oneOf", "allOf", "$ref") {
			x.Members[name] = outline.EnumOf(schemas[i])
		}
	}
	return x
}
