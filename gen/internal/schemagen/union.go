package schemagen

import (
	"github.com/invopop/jsonschema"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// buildUnion returns the schema of a union: an object for each variant, in which a constant names the variant.
func (b *builder) buildUnion(t *model.Type) *jsonschema.Schema {
	s := b.newSchema(jsonschema.Schema{})
	for _, f := range t.Fields {
		variant := b.newObject()
		variant.Properties.Set(t.Member, b.newSchema(jsonschema.Schema{Type: "string", Const: f.Name}))
		variant.Required = append(variant.Required, t.Member)
		object := f.VariantObject()
		if object != nil {
			b.addMembers(variant, object)
			if !b.output {
				variant.Description = object.Description
			}
		} else {
			variant.Properties.Set(model.VariantValue, b.buildSchema(variantElem(f)))
			variant.Required = append(variant.Required, model.VariantValue)
		}
		s.AnyOf = append(s.AnyOf, variant)
	}
	if len(s.AnyOf) == 1 {
		return s.AnyOf[0]
	}
	return s
}

// addNull returns the schema of a value that is a union or null.
func (b *builder) addNull(union *jsonschema.Schema) *jsonschema.Schema {
	s := b.orNull(union)
	if len(union.AnyOf) > 0 {
		s.AnyOf = append(union.AnyOf, s.AnyOf[1])
	}
	return s
}

// variantElem returns the type of the value of a variant that is not a struct. For a pointer, it is the
// type of the element, because a nil pointer makes the whole union null.
func variantElem(f *model.Field) *model.Type {
	if f.Type.Kind == model.Pointer {
		return f.Type.Elem
	}
	return f.Type
}
