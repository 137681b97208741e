package schema

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// enumeration lowers a schema that lists its values.
func (r *rewriting) enumeration(s *jsontext.Node, at string, depth int) (*jsontext.Node, *form) {
	values := validOf(s)
	types := typesOfValues(array(values...))
	switch {
	case !isScalar(array(values...)):
		return r.asText(s, at, "it lists values that are objects or arrays")
	case len(types) == 0:
		return r.asText(s, at, "no value is valid")
	case len(types) > 1:
		var all []*jsontext.Node
		for _, t := range types {
			b := object()
			addTo(b, "type", str(t))
			addTo(b, "enum", array(ofType(values, t)...))
			all = append(all, b)
		}
		return r.split(annotationsOf(s), all, at, depth)
	case types[0] == "null":
		return r.scalar(s, "null", at)
	case r.dialect.openAPI && (types[0] != "string" || slices.ContainsFunc(values, isEmpty)):
		return r.table(s, values, at)
	}
	if t := s.Member("type"); t.Str() != "" {
		types[0] = t.Str()
	}
	out := object()
	addTo(out, "type", str(types[0]))
	addTo(out, "enum", array(values...))
	return r.finish(s, at, "", out), r.anyCase(values, at)
}

func isEmpty(v *jsontext.Node) bool { return v.Text == `""` }

func ofType(values []*jsontext.Node, t string) []*jsontext.Node {
	return slices.DeleteFunc(slices.Clone(values), func(v *jsontext.Node) bool { return typesOfValues(array(v))[0] != t })
}

// validOf returns the values that a schema lists and that are valid by its other
// keywords, each once.
func validOf(s *jsontext.Node) []*jsontext.Node {
	valid, err := jsonschema.Parse(rawOf(without(s, slices.Concat(annotations, silent, []string{"enum", "const"})...)))
	var values []*jsontext.Node
	seen := map[string]bool{}
	for _, v := range enumOf(s).Items {
		text := string(rawOf(v))
		if v.Is(jsontext.String) {
			text = str(v.Str()).Text // of all ways to write it, one
		}
		if !seen[text] && (err != nil || len(faultsOf(valid, rawOf(v))) == 0) {
			values = append(values, v)
		}
		seen[text] = true
	}
	return values
}

// anyCase is the form of strings whose case the provider does not keep.
func (r *rewriting) anyCase(values []*jsontext.Node, at string) *form {
	if !r.dialect.anyCase || !values[0].Is(jsontext.String) {
		return nil
	}
	f := &form{kind: tableForm}
	folded := map[string]bool{}
	for _, v := range values {
		if lower := strings.ToLower(v.Str()); folded[lower] {
			r.lose(Dropped, at, "the case of %s: values that differ in nothing else may be mixed up", v.Text)
		} else {
			folded[lower] = true
		}
		f.values = append(f.values, value{v, v.Str()})
	}
	return f
}

// table lowers the schema of some values to strings that stand for them.
func (r *rewriting) table(s *jsontext.Node, values []*jsontext.Node, at string) (*jsontext.Node, *form) {
	r.lose(Rewritten, at, "values become strings that stand for them")
	f := &form{kind: tableForm}
	var said, wire []string
	for _, v := range values {
		text := string(rawOf(v))
		if v.Is(jsontext.String) {
			text = v.Str()
		}
		if text == "" {
			for text = "(empty)"; slices.ContainsFunc(values, func(v *jsontext.Node) bool { return v.Str() == text }); {
				text = "(" + text + ")"
			}
			said = append(said, str(text).Text+" stands for the empty string.")
		}
		wire = append(wire, text)
		f.values = append(f.values, value{v, text})
	}
	out := object()
	addTo(out, "type", str("string"))
	addTo(out, "enum", strs(wire))
	return r.finish(s, at, "", out, said...), f
}
