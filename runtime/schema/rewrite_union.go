package schema

import (
	"slices"
	"strconv"
)

// union lowers a schema with anyOf or oneOf.
func (r *rewriting) union(s *node, at string, depth int) (*node, *form) {
	keyword := "anyOf"
	if !s.has(keyword) {
		keyword = "oneOf"
	}
	around := s.without(slices.Concat(annotations, silent, []string{keyword})...)
	var all []*node
	var places []int
	for i, b := range s.get(keyword).elements() {
		if b.isWord("false") {
			continue
		}
		if b.isWord("true") {
			b = object()
		}
		if b = merge(b.without("title"), around); b == nil {
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
func (r *rewriting) split(s *node, all []*node, at string, depth int) (*node, *form) {
	return r.branches(s, all, at, func(int) string { return at }, depth)
}

// branches lowers alternatives. Where it could not be told which one a value is
// of, but has to be, the value becomes its JSON text.
func (r *rewriting) branches(s *node, all []*node, at string, places func(i int) string, depth int) (*node, *form) {
	before := len(r.losses)
	f := &form{kind: unionForm}
	var lowered []*node
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
		whole.add("description", s.get("description"))
		whole.add("anyOf", array(all...))
		return r.asText(whole, at, "it cannot be told which of the schemas a value is of")
	}
	switch {
	case len(lowered) == 0:
		return r.asText(s, at, "no value is valid")
	case len(lowered) > 1 && !r.dialect.openAPI:
		out := object()
		out.add("anyOf", array(lowered...))
		return r.finish(s, at, "", out), f
	}
	r.describeFirst(s, lowered, at, null)
	if len(lowered) == 1 {
		return lowered[0], f
	}
	out := object()
	out.add("anyOf", array(lowered...))
	return out, f
}

// describeFirst tells at the first of some alternatives what holds for all: it is
// the only one, or Gemini's, whose anyOf stands alone.
func (r *rewriting) describeFirst(s *node, lowered []*node, at string, null bool) {
	if inner := lowered[0].get("anyOf"); inner != nil && r.dialect.openAPI {
		r.describeFirst(s, inner.values, at, null)
		return
	}
	lowered[0] = r.describedBy(s, lowered[0], at)
	if null && !lowered[0].has("nullable") {
		lowered[0].add("nullable", trueNode)
	}
}

// describedBy returns what a schema was lowered to with what is said around it.
func (r *rewriting) describedBy(s, out *node, at string) *node {
	inner := out.get("description").str()
	out = out.without("description")
	if s.has("title") {
		out = out.without("title")
	}
	var said []string
	if inner != "" {
		said = append(said, inner)
	}
	return r.finish(s, at, "", out, said...)
}

// isNull reports whether null is the only value.
func isNull(s *node) bool {
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
func (r *rewriting) wireShape(out *node) shape {
	var target func(ref string, depth int) shape
	target = func(ref string, depth int) shape {
		neutral := resolve(r.root, ref)
		if lowered := r.defs[neutral]; lowered != nil {
			return r.shapeIn(lowered, target, depth)
		}
		return r.shapeToBe(plain(neutral, r.root))
	}
	if one := out.get("anyOf").elements(); len(one) == 1 {
		out = one[0] // see refAlone
	}
	x := r.shapeIn(out, target, maxChain)
	x.anyCase = r.dialect.anyCase
	return x
}

// shapeToBe returns the shape of what a definition will be lowered to, which is
// still under way: it holds the schema that asks. What may become text is.
func (r *rewriting) shapeToBe(s *node) shape {
	types := typesOf(s)
	switch {
	case len(types) != 1 || hasAny(s, "anyOf", "oneOf", "allOf", "$ref", "enum", "const"):
		return anyShape
	case types[0] == "array" || types[0] == "object" && isMap(s):
		return shape{kinds: `["`}
	case types[0] != "object":
		return r.shapeOf(s, r.root)
	}
	x := shape{kinds: "{", closed: true, members: map[string]*node{}, required: map[string]struct{}{}}
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
func isScalar(values *node) bool {
	return !slices.ContainsFunc(values.elements(), func(v *node) bool { return v.bracket != 0 })
}

func hasAny(s *node, keywords ...string) bool { return slices.ContainsFunc(keywords, s.has) }
