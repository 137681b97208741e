package codec

import (
	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// writer is the function that writes a type from where it is.
func (c Codec) writer(t *model.Type) *jen.Statement {
	v, lead := c.Local("v"), c.Local("lead")
	return jen.Func().Id(t.Writer).Params(c.writerParams(t)...).BlockFunc(func(g *jen.Group) {
		switch t.Kind {
		case model.StructKind:
			c.writeFields(g, t)
		case model.Array:
			g.Add(c.writeElems(c.Local("e"), lead, t, v.Clone().Index(jen.Empty(), jen.Empty())))
		case model.Null:
			g.If(jen.Op("!").Add(v.Clone()).Dot("Valid")).Block(
				c.Local("e").Dot("Null").Call(lead),
				jen.Return(),
			)
			g.Add(c.Write(c.Local("e"), lead, t.Elem, v.Clone().Dot(t.Value)))
		default:
			g.Add(c.writeInPlace(c.Local("e"), lead, t, jen.Op("*").Add(v.Clone())))
		}
	})
}

// writerParams are those of a function that writes a type from where it is.
func (c Codec) writerParams(t *model.Type) []jen.Code {
	return []jen.Code{
		c.Local("e").Op("*").Add(code.Wire("Encoder")),
		c.Local("lead").String(),
		c.Local("v").Op("*").Add(code.GoType(t.Go)),
	}
}

// writeFields prints a struct member by member. Every member has a comma in
// front; the encoder drops the one that follows the opening.
func (c Codec) writeFields(g *jen.Group, t *model.Type) {
	g.If(jen.Op("!").Add(c.Local("e")).Dot("Open").Call(c.Local("lead"))).Block(jen.Return())
	c.writeMembers(g, t.Fields, 0)
	g.Add(c.Local("e")).Dot("Close").Call()
}

// writeMembers writes fields behind so many embedded pointers. Those behind one
// more are written together, unless that is nil.
func (c Codec) writeMembers(g *jen.Group, fields []*model.Field, depth int) {
	for i, f := range fields {
		if len(f.Within) > depth {
			if group, first := f.Within[depth].Behind(fields); first == i {
				g.If(c.Member("v", f.Within[depth].Path).Op("!=").Nil()).BlockFunc(func(g *jen.Group) {
					c.writeMembers(g, group, depth+1)
				})
			}
			continue
		}
		x := c.Member("v", f.Path)
		write := c.writeField(f, code.Literal(","+jsontext.Quote(f.Name)+":"), x)
		if f.Omit == model.OmitNever {
			g.Add(write)
		} else {
			g.If(present(f, x.Clone())).Block(write)
		}
	}
}

func (c Codec) writeField(f *model.Field, lead jen.Code, x *jen.Statement) jen.Code {
	t := f.Type
	if t.Kind != model.Pointer || f.Omit == model.OmitNever {
		return c.Write(c.Local("e"), lead, t, x.Clone())
	}
	if isAddressed(t.Elem) {
		return c.writeFrom(c.Local("e"), lead, t.Elem, x.Clone())
	}
	return c.Write(c.Local("e"), lead, t.Elem, jen.Op("*").Add(x.Clone()))
}

// present is the condition under which a field is written.
func present(f *model.Field, x *jen.Statement) *jen.Statement {
	switch f.Omit {
	case model.OmitFalse:
		return x
	case model.OmitZero:
		return x.Op("!=").Lit(0)
	case model.OmitBlank:
		return x.Op("!=").Lit("")
	case model.OmitNil:
		return x.Op("!=").Nil()
	case model.OmitLen:
		return jen.Len(x).Op(">").Lit(0)
	case model.OmitIsZero:
		return jen.Op("!").Add(x.Dot("IsZero").Call())
	case model.OmitNilIsZero:
		return jen.Op("!").Add(code.Wire("IsZero")).Call(x)
	case model.OmitUnset:
		return jen.Op("!").Add(code.Wire("IsUnset")).Call(jen.Op("&").Add(x))
	}
	return x.Op("!=").Parens(code.GoType(f.Type.Go).Values())
}

// isAddressed reports whether values of a type are written from where they are, not
// copied: structs, which may hold locks, and what writes itself by a method that a
// pointer has.
func isAddressed(t *model.Type) bool {
	return t.Writer != "" || ownWriter[t.Kind] != "" || asString(t)
}

// asString reports whether a type is written as what its method String returns.
func asString(t *model.Type) bool {
	return t.Kind == model.URL || t.Kind == model.Stringer && !t.Nilable
}

// writeFrom is a statement that writes what a pointer points to.
func (c Codec) writeFrom(enc *jen.Statement, lead jen.Code, t *model.Type, p *jen.Statement) *jen.Statement {
	switch {
	case t.Writer != "":
		return jen.Id(t.Writer).Call(enc, lead, p)
	case t.Kind == model.URL:
		return enc.Dot("Str").Call(lead, p.Dot("Redacted").Call())
	case asString(t):
		return enc.Dot("Str").Call(lead, p.Dot("String").Call())
	case ownWriter[t.Kind] != "":
		return enc.Dot(ownWriter[t.Kind]).Call(lead, p)
	}
	return c.Write(enc, lead, t, jen.Op("*").Add(p))
}

// Write is a statement that writes a value with the text before it.
func (c Codec) Write(enc *jen.Statement, lead jen.Code, t *model.Type, x *jen.Statement) *jen.Statement {
	switch {
	case asString(t) && t.Writer == "":
		return c.writeFrom(enc, lead, t, x)
	case isAddressed(t):
		return c.writeFrom(enc, lead, t, jen.Op("&").Add(x))
	}
	return c.writeInPlace(enc, lead, t, x)
}

// writeElems is a statement that writes the elements of a list.
func (c Codec) writeElems(enc *jen.Statement, lead jen.Code, t *model.Type, x *jen.Statement) *jen.Statement {
	if isAddressed(t.Elem) {
		return code.Wire("EncodeSliceFrom").Call(enc, lead, x, c.FromFunc(t.Elem))
	}
	return code.Wire("EncodeSlice").Call(enc, lead, x, c.writeFunc(t.Elem))
}

func (c Codec) writeInPlace(enc *jen.Statement, lead jen.Code, t *model.Type, x *jen.Statement) *jen.Statement {
	part := func(name string, elem *model.Type) *jen.Statement {
		return code.Wire(name).Call(enc, lead, x, c.writeFunc(elem))
	}
	basic := func(method, conversion string) *jen.Statement {
		if conversion != "" && !t.Go.IsBasic(conversion) {
			x = jen.Id(conversion).Parens(x)
		}
		return enc.Dot(method).Call(lead, x)
	}
	switch t.Kind {
	case model.Bool:
		return basic("Bool", "bool")
	case model.Int:
		return basic("Int", "int64")
	case model.Uint:
		return basic("Uint", "uint64")
	case model.Float:
		if t.Bits == 32 {
			return basic("Float32", "float32")
		}
		return basic("Float64", "float64")
	case model.String:
		return basic("Str", "string")
	case model.ByteText:
		return enc.Dot("Str").Call(lead, jen.String().Parens(x))
	case model.Stringer: // an interface or a pointer
		return code.Wire("EncodeStringer").Call(enc, lead, x)
	case model.Ref:
		return code.Wire("EncodeRef").Call(enc, lead, x)
	case model.Pointer:
		if t.Sure {
			return code.Wire("EncodeSure").Call(enc, lead, x, c.FromFunc(t.Elem))
		}
		if isAddressed(t.Elem) {
			return code.Wire("EncodePtrFrom").Call(enc, lead, x, c.FromFunc(t.Elem))
		}
		return part("EncodePtr", t.Elem)
	case model.Slice:
		return c.writeElems(enc, lead, t, x)
	case model.Map:
		if t.Go.Path == "net/http" && t.Go.Name == "Header" {
			x = code.Wire("WithoutSecrets").Call(x)
		}
		return part("Encode"+mapOf(t.Key), t.Elem)
	case model.Quoted:
		return part("EncodeQuoted", t.Elem)
	case model.Bytes:
		if t.Elem != nil {
			return code.Wire("EncodeBytes").Call(enc, lead, x)
		}
	}
	return basic(writeMethod[t.Kind], "")
}

// FromFunc is a function that writes a Go type from where it is.
func (c Codec) FromFunc(t *model.Type) *jen.Statement {
	if t.Writer != "" {
		return jen.Id(t.Writer)
	}
	return jen.Func().Params(c.writerParams(t)...).Block(c.writeFrom(c.Local("e"), c.Local("lead"), t, c.Local("v")))
}

// writeFunc is a function that writes a value of a Go type.
func (c Codec) writeFunc(t *model.Type) *jen.Statement {
	if isAddressed(t) {
		return code.Wire("From").Call(c.FromFunc(t))
	}
	method := writeMethod[t.Kind]
	if t.Go.Kind == model.GoNamed && t.Go.Path == "" && method == "" {
		method = wholeMethod[t.Go.Name]
	}
	if method != "" && t.IsOwn() {
		return jen.Parens(jen.Op("*").Add(code.Wire("Encoder"))).Dot(method)
	}
	if function := convertingFunction[t.Kind]; function != "" {
		return code.Wire(function)
	}
	if t.Kind == model.Ref {
		return code.Wire("EncodeRef").Types(code.GoType(t.Go))
	}
	enc, lead, v := c.Local("e"), c.Local("lead"), c.Local("v")
	params := []jen.Code{enc.Clone().Op("*").Add(code.Wire("Encoder")), lead.Clone().String(), v.Clone().Add(code.GoType(t.Go))}
	return jen.Func().Params(params...).Block(c.Write(enc.Clone(), lead.Clone(), t, v.Clone()))
}
