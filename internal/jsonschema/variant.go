package jsonschema

import (
	"slices"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// variants are alternatives for objects, in which one member names the alternative.
type variants struct {
	member string
	names  *Values
	all    []*Schema // in the order of names
}

// variantsOf returns the alternatives for objects if one member names each of them; otherwise nil.
func (h *validation) variantsOf(all []*Schema) *variants {
	var objects []*Schema
	for _, s := range all {
		s = s.followRefs()
		if h.Spend(1 + len(s.Properties)/16); s.Types == TypesOf(jsontext.Object) {
			objects = append(objects, s)
		} else if s.Types == 0 || s.Types.Has(jsontext.Object) {
			return nil
		}
	}
	if len(objects) < 2 {
		return nil
	}
	for _, p := range objects[0].Properties {
		if names := variantNames(objects, p.Name); names != nil {
			return &variants{p.Name, names, objects}
		}
		if h.Spend(len(objects)); h.err != nil {
			break
		}
	}
	return nil
}

// variantNames returns the strings that schemas require as the value of a member. It returns nil unless each schema
// requires one string, and all strings differ.
func variantNames(all []*Schema, member string) *Values {
	names := &Values{kinds: TypesOf(jsontext.String)}
	seen := map[string]bool{}
	for _, s := range all {
		p := s.byName[member]
		if p == nil || p.Values == nil || len(p.Values.List) != 1 || !p.Values.List[0].Is(jsontext.String) || !slices.Contains(s.Required, member) {
			return nil
		}
		name := p.Values.List[0]
		if seen[name.Text] {
			return nil
		}
		seen[name.Text] = true
		names.List = append(names.List, name)
		names.size += len(name.Text)
	}
	return names
}

// reportVariant reports the faults of an object against the variant that it names. If it does not name one, that is the
// fault.
func (h *validation) reportVariant(variants *variants) {
	i := slices.IndexFunc(h.v.Items, func(m *jsontext.Node) bool { return m.Name() == variants.member })
	h.Spend(weight(h.v))
	if i >= 0 {
		for _, s := range variants.all {
			if s.byName[variants.member].Values.Lists(h.v.Items[i]) {
				h.require(s)
				return
			}
		}
	}
	h.Spend(variants.names.describeCost())
	if i >= 0 {
		h.reportPart(i, variants.names.String(), Found(h.v.Items[i]))
		return
	}
	h.failed = true
	h.addFault(variants.names.String(), words.Nothing, variants.member)
}
