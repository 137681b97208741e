package emit

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// If a variant of a union is a struct, its fields and the member that names the variant are in the same
// object: {"type":"circle","radius":1}. The functions that read and write the struct do not see that
// member. Other variants are in a member named value: {"type":"name","value":"x"}.

// readUnion adds a switch statement that reads a variant. The member t.Member says which one it is.
func (c Codec) readUnion(l *Lines, t *model.Type) {
	names := []string{strconv.Quote(t.Member)}
	for _, f := range t.Fields {
		names = append(names, strconv.Quote(f.Name))
	}
	l.addBlock("switch "+Call(c.Member("v", "Variant"), names...)+" {", func() {
		for _, f := range t.Fields {
			l.add("case ", strconv.Quote(f.Name), ":")
			c.readVariant(l, f)
		}
	}, "}")
}

// readVariant adds the statements that read one variant.
func (c Codec) readVariant(l *Lines, f *model.Field) {
	v, x := c.Local("v"), c.Local("x")
	if f.VariantObject() == nil {
		v = c.Member("v", "VariantValue()")
	}
	if f.Type.Reader == "" {
		value := c.readValue(f.Type, v)
		if slices.Contains(unnamedKinds, f.Type.Kind) {
			value = Call(c.GoType(f.Type.Go), value)
		}
		l.add("*", x, " = ", value)
		return
	}
	variant := c.Local("variant")
	l.add("var ", variant, " ", c.GoType(f.Type.Go))
	l.add(Call(c.readerInto(f.Type), v, "&"+variant))
	l.add("*", x, " = ", variant)
}

// unnamedKinds are the kinds that are read as a Go type without a name.
var unnamedKinds = []model.Kind{model.Slice, model.Map, model.Bytes}

// writeUnion adds a switch statement that writes a variant. For a variant T, it also accepts *T, which
// implements the interface as well.
func (c Codec) writeUnion(l *Lines, t *model.Type) {
	e, lead, v := c.Local("e"), c.Local("lead"), c.Local("v")
	l.addBlock("switch "+v+" := (*"+v+").(type) {", func() {
		write := func(goType, p string, f *model.Field) {
			elem := f.Type
			if elem.Kind == model.Pointer {
				elem = elem.Elem
			}
			function := "EncodeVariantValue"
			if f.VariantObject() != nil {
				function = "EncodeVariant"
			}
			member := jsontext.Quote(t.Member) + ":" + jsontext.Quote(f.Name)
			l.add("case ", goType, ":")
			l.add(Call(c.wire(function), e, lead, Literal(member), p, c.fromFunc(elem)))
		}
		l.add("case nil:")
		l.add(Call(e+".Null", lead))
		for _, f := range t.Fields {
			if f.Type.Kind == model.Pointer {
				write(c.GoType(f.Type.Go), v, f)
				continue
			}
			write(c.GoType(f.Type.Go), "&"+v, f)
			if !hasPointerVariant(t, f) {
				write("*"+c.GoType(f.Type.Go), v, f)
			}
		}
		l.add("default:")
		l.add(Call(c.wire("UnknownVariant"), e, lead, v))
	}, "}")
}

// hasPointerVariant reports whether a pointer to a variant is a variant with its own name.
func hasPointerVariant(t *model.Type, variant *model.Field) bool {
	return slices.ContainsFunc(t.Fields, func(f *model.Field) bool {
		return f.Type.Kind == model.Pointer && reflect.DeepEqual(f.Type.Elem.Go, variant.Type.Go)
	})
}
