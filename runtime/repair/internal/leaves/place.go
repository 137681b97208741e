package leaves

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
)

// place is where a value stands.
type place struct {
	schemas  []*jsonschema.Schema // of the value
	says     says
	declared bool // the schema has the name itself, not just any
}

// says is what a schema says of a place.
type says uint8

const (
	open   says = iota // nothing: it knows other names, and leaves others alone
	closed             // there may be no value
	known              // what values may be there; any, where names are data
)

// judge knows what values are by schemas.
type judge struct{ *fit.Fitter }

// applying returns the schemas that a value is held against by others, each once: of
// alternatives those that it is one of.
func (j judge) applying(schemas []*jsonschema.Schema, n *jsontext.Node) (all []*jsonschema.Schema) {
	var add func(*jsonschema.Schema)
	add = func(s *jsonschema.Schema) {
		if s == nil || slices.Contains(all, s) {
			return
		}
		all = append(all, s)
		add(s.Ref)
		for _, x := range s.AllOf {
			add(x)
		}
		for _, x := range slices.Concat(s.AnyOf, s.OneOf) {
			if j.Fits(n, x) {
				add(x)
			}
		}
		if s.If != nil && j.Fits(n, s.If) {
			add(s.Then)
		} else if s.If != nil {
			add(s.Else)
		}
		for _, d := range s.DependentSchemas {
			if n.Member(d.Name) != nil {
				add(d.Schema)
			}
		}
	}
	for _, s := range schemas {
		add(s)
	}
	return all
}

// isNone tells whether a value is to be one of several schemas, and is none.
func (j judge) isNone(schemas []*jsonschema.Schema, n *jsontext.Node) bool {
	none := func(alternatives []*jsonschema.Schema) bool {
		return len(alternatives) > 0 && !slices.ContainsFunc(alternatives, func(s *jsonschema.Schema) bool { return j.Fits(n, s) })
	}
	return slices.ContainsFunc(schemas, func(s *jsonschema.Schema) bool { return none(s.AnyOf) || none(s.OneOf) })
}

// member returns the place of a member, by the schemas that apply to the object.
func member(schemas []*jsonschema.Schema, name string) (p place) {
	data := true
	for _, s := range schemas {
		data = data && len(s.Properties) == 0
		own := s.Property(name) != nil || slices.ContainsFunc(s.Patterns, func(x jsonschema.PatternProperty) bool { return x.Pattern.Match(name) })
		p.declared = p.declared || own
		for _, x := range s.AppendOf(nil, name) {
			p.add(x, own)
		}
		if !takes(s, jsontext.Object) || s.UnevaluatedProperties != nil && s.UnevaluatedProperties.Never {
			p.says = max(p.says, closed)
		}
	}
	if data && p.says == open {
		p.says = known
	}
	return p
}

// element returns the place of an element, by the schemas that apply to the list.
func element(schemas []*jsonschema.Schema, i int) (p place) {
	for _, s := range schemas {
		switch {
		case i < len(s.Prefix):
			p.add(s.Prefix[i], true)
		case s.Items != nil:
			p.add(s.Items, false)
		}
		if !takes(s, jsontext.Array) || s.UnevaluatedItems != nil && s.UnevaluatedItems.Never {
			p.says = max(p.says, closed)
		}
	}
	if p.says == open {
		p.says = known
	}
	return p
}

// add notes a schema of the place: its own, or that of all that have no own.
func (p *place) add(s *jsonschema.Schema, own bool) {
	switch {
	case s.Never:
		p.says = max(p.says, closed)
	case own || s.Node.Is(jsontext.Object) && len(s.Node.Items) > 0: // {} says nothing
		p.says = known
		p.schemas = append(p.schemas, s)
	}
}

// takes tells whether a schema allows values of a kind.
func takes(s *jsonschema.Schema, k jsontext.Kind) bool { return s.Types == 0 || s.Types.Has(k) }

// fits tells whether a value may stand at a place.
func (j judge) fits(n *jsontext.Node, p place) bool {
	return !slices.ContainsFunc(p.schemas, func(s *jsonschema.Schema) bool { return !j.Fits(n, s) })
}

// reading returns what a value is at a place, if there is one such; else nil.
func (j judge) reading(n *jsontext.Node, p place) *jsontext.Node {
	for _, s := range p.schemas {
		if n = j.Reading(n, s); n == nil {
			return nil
		}
	}
	if !j.fits(n, p) {
		return nil
	}
	return n
}

// isReading tells whether a value is what another one is at a place: the same, its
// one reading, or the value of an enum that it is another spelling of.
func (j judge) isReading(n, original *jsontext.Node, p place) bool {
	j.Spend(1)
	if jsontext.Equal(n, original) {
		return true
	}
	if read := j.reading(original, p); read != nil && jsontext.Equal(n, read) {
		return true
	}
	return n.Str() != "" && original.Is(jsontext.String) && j.nearest(original, p) == n.Str()
}

// nearest returns the one value of an enum that a text becomes by one letter; "" if
// there is none.
func (j judge) nearest(n *jsontext.Node, p place) (found string) {
	for _, s := range j.applying(p.schemas, n) {
		if s.Values == nil {
			continue
		}
		for _, v := range s.Values.List {
			switch text := v.Str(); {
			case text == "" || !fit.Near(words.Folded(text), words.Folded(n.Str())):
			case found != "" && found != text:
				return ""
			default:
				found = text
			}
		}
	}
	return found
}

// isDefault tells whether a value is the default of its place.
func (j judge) isDefault(n *jsontext.Node, p place) bool {
	for _, s := range j.applying(p.schemas, n) {
		if d := s.Node.Member("default"); d != nil && jsontext.Equal(d, n) {
			return true
		}
	}
	return false
}
