package schema

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
)

// enumeration lowers a schema that lists its values.
func (r *rewriting) enumeration(s *node, at string, depth int) (*node, *form) {
	values := validOf(s)
	types := typesOfValues(array(values...))
	switch {
	case !isScalar(array(values...)):
		return r.asText(s, at, "it lists values that are objects or arrays")
	case len(types) == 0:
		return r.asText(s, at, "no value is valid")
	case len(types) > 1:
		var all []*node
		for _, t := range types {
			b := object()
			b.add("type", str(t))
			b.add("enum", array(ofType(values, t)...))
			all = append(all, b)
		}
		return r.split(annotationsOf(s), all, at, depth)
	case types[0] == "null":
		return r.scalar(s, "null", at)
	case r.dialect.openAPI && (types[0] != "string" || slices.ContainsFunc(values, isEmpty)):
		return r.table(s, values, at)
	}
	if t := s.get("type"); t.str() != "" {
		types[0] = t.str()
	}
	out := object()
	out.add("type", str(types[0]))
	out.add("enum", array(values...))
	return r.finish(s, at, "", out), r.anyCase(values, at)
}

func isEmpty(v *node) bool { return v.text == `""` }

func ofType(values []*node, t string) []*node {
	return slices.DeleteFunc(slices.Clone(values), func(v *node) bool { return typesOfValues(array(v))[0] != t })
}

// validOf returns the values that a schema lists and that are valid by its other
// keywords, each once.
func validOf(s *node) []*node {
	valid, err := jsonschema.Parse(s.without(slices.Concat(annotations, silent, []string{"enum", "const"})...).raw())
	var values []*node
	seen := map[string]bool{}
	for _, v := range enumOf(s).values {
		text := string(v.raw())
		if v.is('"') {
			text = str(v.str()).text // of all ways to write it, one
		}
		if !seen[text] && (err != nil || len(faultsOf(valid, v.raw())) == 0) {
			values = append(values, v)
		}
		seen[text] = true
	}
	return values
}

// anyCase is the form of strings whose case the provider does not keep.
func (r *rewriting) anyCase(values []*node, at string) *form {
	if !r.dialect.anyCase || !values[0].is('"') {
		return nil
	}
	f := &form{kind: tableForm}
	folded := map[string]bool{}
	for _, v := range values {
		if lower := strings.ToLower(v.str()); folded[lower] {
			r.lose(Dropped, at, "the case of %s: values that differ in nothing else may be mixed up", v.text)
		} else {
			folded[lower] = true
		}
		f.values = append(f.values, value{v, v.str()})
	}
	return f
}

// table lowers the schema of some values to strings that stand for them.
func (r *rewriting) table(s *node, values []*node, at string) (*node, *form) {
	r.lose(Rewritten, at, "values become strings that stand for them")
	f := &form{kind: tableForm}
	var said, wire []string
	for _, v := range values {
		text := string(v.raw())
		if v.is('"') {
			text = v.str()
		}
		if text == "" {
			for text = "(empty)"; slices.ContainsFunc(values, func(v *node) bool { return v.str() == text }); {
				text = "(" + text + ")"
			}
			said = append(said, str(text).text+" stands for the empty string.")
		}
		wire = append(wire, text)
		f.values = append(f.values, value{v, text})
	}
	out := object()
	out.add("type", str("string"))
	out.add("enum", strs(wire))
	return r.finish(s, at, "", out, said...), f
}
