package fit

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// schemaPlace is what a schema says about one place in a value, such as the member "a" of the root.
type schemaPlace struct {
	schemas  []*jsonschema.Schema // the schemas of the value at this place
	rule     placeRule
	declared bool // the name of the member is in "properties" or "patternProperties"
}

// placeRule states whether a schema allows a value at a place.
type placeRule uint8

const (
	placeIgnored   placeRule = iota // the schema declares other members, and allows any value for this one
	placeForbidden                  // no value is allowed
	placeDefined                    // the schema has a schema for this place, or declares no names, as for a map
)

// applicableSchemas returns schemas together with the schemas in them that apply to the same value, such as those
// of "allOf". Of alternatives, such as those of "anyOf", it includes only those that the value matches. It
// returns each schema once.
func (f *Fitter) applicableSchemas(schemas []*jsonschema.Schema, n *jsontext.Node) (all []*jsonschema.Schema) {
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
			if f.Fits(n, x) {
				add(x)
			}
		}
		if s.If != nil && f.Fits(n, s.If) {
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

// matchesNoAlternative reports whether a value must match an alternative and matches none.
func (f *Fitter) matchesNoAlternative(schemas []*jsonschema.Schema, n *jsontext.Node) bool {
	none := func(alternatives []*jsonschema.Schema) bool {
		return len(alternatives) > 0 && !slices.ContainsFunc(alternatives, func(s *jsonschema.Schema) bool { return f.Fits(n, s) })
	}
	return slices.ContainsFunc(schemas, func(s *jsonschema.Schema) bool { return none(s.AnyOf) || none(s.OneOf) })
}

// memberPlace returns the place of a member, given the schemas that apply to the object.
func memberPlace(schemas []*jsonschema.Schema, name string) (p schemaPlace) {
	isMap := true
	for _, s := range schemas {
		isMap = isMap && len(s.Properties) == 0
		own := s.Property(name) != nil || slices.ContainsFunc(s.Patterns, func(x jsonschema.PatternProperty) bool { return x.Pattern.Match(name) })
		p.declared = p.declared || own
		for _, x := range s.AppendMemberSchemas(nil, name) {
			p.addSchema(x, own)
		}
		if !takesKind(s, jsontext.Object) || s.UnevaluatedProperties != nil && s.UnevaluatedProperties.Never {
			p.rule = max(p.rule, placeForbidden)
		}
	}
	if isMap && p.rule == placeIgnored {
		p.rule = placeDefined
	}
	return p
}

// elementPlace returns the place of an element, given the schemas that apply to the list.
func elementPlace(schemas []*jsonschema.Schema, i int) (p schemaPlace) {
	for _, s := range schemas {
		switch {
		case i < len(s.Prefix):
			p.addSchema(s.Prefix[i], true)
		case s.Items != nil:
			p.addSchema(s.Items, false)
		}
		if !takesKind(s, jsontext.Array) || s.UnevaluatedItems != nil && s.UnevaluatedItems.Never {
			p.rule = max(p.rule, placeForbidden)
		}
	}
	if p.rule == placeIgnored {
		p.rule = placeDefined
	}
	return p
}

// addSchema adds a schema of the place; own reports whether the schema is only for this name or index.
func (p *schemaPlace) addSchema(s *jsonschema.Schema, own bool) {
	switch {
	case s.Never:
		p.rule = max(p.rule, placeForbidden)
	case own || s.Node.Is(jsontext.Object) && len(s.Node.Items) > 0: // "additionalProperties": {} is ignored
		p.rule = placeDefined
		p.schemas = append(p.schemas, s)
	}
}

// takesKind reports whether a schema allows values of a kind.
func takesKind(s *jsonschema.Schema, k jsontext.Kind) bool { return s.Types == 0 || s.Types.Has(k) }

// fitsPlace reports whether a value is valid at a place.
func (f *Fitter) fitsPlace(n *jsontext.Node, p schemaPlace) bool {
	return !slices.ContainsFunc(p.schemas, func(s *jsonschema.Schema) bool { return !f.Fits(n, s) })
}

// readAt converts a value to match all schemas of a place. It returns nil if that is impossible.
func (f *Fitter) readAt(n *jsontext.Node, p schemaPlace) *jsontext.Node {
	for _, s := range p.schemas {
		if n = f.readAs(n, s); n == nil {
			return nil
		}
	}
	if !f.fitsPlace(n, p) {
		return nil
	}
	return n
}

// isReading reports whether n is a valid correction of the original value at a place. It must be equal to the
// original, be the only possible conversion of it, or be an enum value that differs from it by one letter.
func (f *Fitter) isReading(n, original *jsontext.Node, p schemaPlace) bool {
	f.Spend(1)
	if jsontext.Equal(n, original) {
		return true
	}
	if read := f.readAt(original, p); read != nil && jsontext.Equal(n, read) {
		return true
	}
	return n.Str() != "" && original.Is(jsontext.String) && f.nearestEnum(original, p) == n.Str()
}

// nearestEnum returns the only enum value that differs from a text by one letter; "" if there is none.
func (f *Fitter) nearestEnum(n *jsontext.Node, p schemaPlace) (found string) {
	for _, s := range f.applicableSchemas(p.schemas, n) {
		if s.Values == nil {
			continue
		}
		for _, v := range s.Values.List {
			switch text := v.Str(); {
			case text == "" || !isNear(words.FoldName(text), words.FoldName(n.Str())):
			case found != "" && found != text:
				return ""
			default:
				found = text
			}
		}
	}
	return found
}

// isDefault reports whether a value is the default of a schema at its place.
func (f *Fitter) isDefault(n *jsontext.Node, p schemaPlace) bool {
	for _, s := range f.applicableSchemas(p.schemas, n) {
		if d := s.Node.Member("default"); d != nil && jsontext.Equal(d, n) {
			return true
		}
	}
	return false
}
