package schema

import (
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// union lowers a schema with anyOf or oneOf.
func (r *rewriting) union(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form) {
	keyword := "anyOf"
	if s.Member(keyword) == nil {
		keyword = "oneOf"
	}
	around := without(s, slices.Concat(annotations, silent, []string{keyword})...)
	var all []*jsontext.Node
	var places []int
	for i, b := range itemsOf(s.Member(keyword)) {
		if isWord(b, "false") {
			continue
		}
		if isWord(b, "true") {
			b = object()
		}
		if b = merge(without(b, "title"), around); b == nil {
			return r.asText(s, at, "%s stands beside keywords that its schemas have, too", keyword)
		}
		all, places = append(all, b), append(places, i)
	}
	if keyword == "oneOf" && len(all) > 1 {
		r.lose(Dropped, at, "that one schema of oneOf alone may be valid")
	}
	return r.branches(annotationsOf(s), all, at, func(i int) string { return at + "/" + keyword + "/" + strconv.Itoa(places[i]) }, depth)
}

// split lowers alternatives that are no schemas of their own, but one for values of
// all their kinds.
func (r *rewriting) split(s *jsontext.Node, all []*jsontext.Node, at string, depth int) (*jsontext.Node, *form) {
	return r.branches(s, all, at, func(int) string { return at }, depth)
}

// branches lowers alternatives. Where it could not be told which one a value is
// of, but has to be, the value becomes its JSON text.
func (r *rewriting) branches(s *jsontext.Node, all []*jsontext.Node, at string, places func(i int) string, depth int) (*jsontext.Node, *form) {
	before := len(r.losses)
	f := &form{kind: unionForm}
	var lowered []*jsontext.Node
	null, same := false, true
	for i, b := range all {
		if r.dialect.openAPI && isNull(b) {
			null = true
			continue
		}
		out, of := r.schema(b, places(i), depth)
		lowered = append(lowered, out)
		f.branches = append(f.branches, branch{r.shapeOf(b, r.root), r.wireShape(out), of})
		same = same && of == nil
	}
	if same {
		f = nil
	} else if !f.distinct() {
		r.losses = r.losses[:before]
		whole := object()
		addTo(whole, "description", s.Member("description"))
		addTo(whole, "anyOf", array(all...))
		return r.asText(whole, at, "it cannot be told which of the schemas a value is of")
	}
	switch {
	case len(lowered) == 0:
		return r.asText(s, at, "no value is valid")
	case len(lowered) > 1 && !r.dialect.openAPI:
		out := object()
		addTo(out, "anyOf", array(lowered...))
		return r.finish(s, at, "", out), f
	}
	r.describeFirst(s, lowered, at, null)
	if len(lowered) == 1 {
		return lowered[0], f
	}
	out := object()
	addTo(out, "anyOf", array(lowered...))
	return out, f
}

// describeFirst tells at the first of some alternatives what holds for all: it is
// the only one, or Gemini's, whose anyOf stands alone.
func (r *rewriting) describeFirst(s *jsontext.Node, lowered []*jsontext.Node, at string, null bool) {
	if inner := lowered[0].Member("anyOf"); inner != nil && r.dialect.openAPI {
		r.describeFirst(s, inner.Items, at, null)
		return
	}
	lowered[0] = r.describedBy(s, lowered[0], at)
	if null && !(lowered[0].Member("nullable") != nil) {
		addTo(lowered[0], "nullable", trueNode)
	}
}

// describedBy returns what a schema was lowered to with what is said around it.
func (r *rewriting) describedBy(s, out *jsontext.Node, at string) *jsontext.Node {
	inner := out.Member("description").Str()
	out = without(out, "description")
	if s.Member("title") != nil {
		out = without(out, "title")
	}
	var said []string
	if inner != "" {
		said = append(said, inner)
	}
	return r.finish(s, at, "", out, said...)
}

// isNull reports whether null is the only value.
func isNull(s *jsontext.Node) bool {
	if types := typesOf(s); len(types) == 1 && types[0] == "null" {
		return true
	}
	return false
}

// distinct reports whether the branches are apart that differ in their forms, to
// who writes a value and to who reads it.
func (f *form) distinct() bool {
	for i, x := range f.branches {
		for _, y := range f.branches[:i] {
			if (x.form != nil || y.form != nil) && !(x.wire.apart(y.wire) && x.neutral.apart(y.neutral)) {
				return false
			}
		}
	}
	return true
}

// wireShape returns the shape of what a schema was lowered to.
func (r *rewriting) wireShape(out *jsontext.Node) shape {
	var target func(ref string, depth int) shape
	target = func(ref string, depth int) shape {
		neutral := resolve(r.root, ref)
		if lowered := r.defs[neutral]; lowered != nil {
			return r.shapeIn(lowered, target, depth)
		}
		return r.shapeToBe(plain(neutral, r.root))
	}
	if one := itemsOf(out.Member("anyOf")); len(one) == 1 {
		out = one[0] // see refAlone
	}
	x := r.shapeIn(out, target, maxChain)
	x.anyCase = r.dialect.anyCase
	return x
}

// shapeToBe returns the shape of what a definition will be lowered to, which is
// still under way: it holds the schema that asks. What may become text is.
func (r *rewriting) shapeToBe(s *jsontext.Node) shape {
	types := typesOf(s)
	switch {
	case len(types) != 1 || hasAny(s, "anyOf", "oneOf", "allOf", "$ref", "enum", "const"):
		return anyShape
	case types[0] == "array" || types[0] == "object" && isMap(s):
		return shape{kinds: `["`}
	case types[0] != "object":
		return r.shapeOf(s, r.root)
	}
	x := shape{kinds: "{", closed: true, members: map[string]*jsontext.Node{}, required: map[string]struct{}{}}
	names, schemas, required := r.members(s)
	for i, name := range names {
		x.members[name], x.required[name] = nil, struct{}{}
		if required[name] && isScalar(enumOf(schemas[i])) && !hasAny(schemas[i], "anyOf", "oneOf", "allOf", "$ref") {
			x.members[name] = enumOf(schemas[i])
		}
	}
	return x
}

// isScalar reports whether none of some values holds others.
func isScalar(values *jsontext.Node) bool {
	return !slices.ContainsFunc(itemsOf(values), func(v *jsontext.Node) bool { return v.Kind >= jsontext.Array })
}

func hasAny(s *jsontext.Node, keywords ...string) bool {
	return slices.ContainsFunc(keywords, func(name string) bool { return s.Member(name) != nil })
}
