package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

func (e *emitter) writer(t *model.Type) {
	v, lead := e.local("v"), e.local("lead")
	params := []jen.Code{
		e.local("e").Op("*").Add(wire("Encoder")),
		lead.Clone().String(),
		v.Clone().Add(goType(t.Go)),
	}
	e.Func().Id(t.Writer).Params(params...).BlockFunc(func(g *jen.Group) {
		switch t.Kind {
		case model.StructKind:
			e.writeFields(g, t)
		case model.Array:
			elems := v.Clone().Index(jen.Empty(), jen.Empty())
			g.Add(wire("EncodeSlice")).Call(e.local("e"), lead, elems, e.writeFunc(t.Elem))
		case model.Null:
			g.If(jen.Op("!").Add(v.Clone()).Dot("Valid")).Block(
				e.local("e").Dot("Null").Call(lead),
				jen.Return(),
			)
			g.Add(e.write(e.local("e"), lead, t.Elem, v.Clone().Dot(t.Value)))
		default:
			g.Add(e.writeInPlace(e.local("e"), lead, t, v.Clone()))
		}
	})
}

// writeFields prints a struct member by member. Every member has a comma in
// front; the encoder drops the one that follows the opening.
func (e *emitter) writeFields(g *jen.Group, t *model.Type) {
	g.If(jen.Op("!").Add(e.local("e")).Dot("Open").Call(e.local("lead"))).Block(jen.Return())
	e.writeMembers(g, t.Fields, 0)
	g.Add(e.local("e")).Dot("Close").Call()
}

// writeMembers writes fields behind so many embedded pointers. Those behind one
// more are written together, unless that is nil.
func (e *emitter) writeMembers(g *jen.Group, fields []*model.Field, depth int) {
	for i, f := range fields {
		if len(f.Within) > depth {
			if group, first := f.Within[depth].Behind(fields); first == i {
				g.If(e.member("v", f.Within[depth].Path).Op("!=").Nil()).BlockFunc(func(g *jen.Group) {
					e.writeMembers(g, group, depth+1)
				})
			}
			continue
		}
		x := e.member("v", f.Path)
		write := e.writeField(f, literal(","+jsontext.Quote(f.Name)+":"), x)
		if f.Omit == model.OmitNever {
			g.Add(write)
		} else {
			g.If(present(f, x.Clone())).Block(write)
		}
	}
}

func (e *emitter) writeField(f *model.Field, lead jen.Code, x *jen.Statement) jen.Code {
	t := f.Type
	if t.Kind != model.Pointer || f.Omit == model.OmitNever {
		return e.write(e.local("e"), lead, t, x.Clone())
	}
	if method := ownWriter[t.Elem.Kind]; method != "" {
		return e.local("e").Dot(method).Call(lead, x)
	}
	return e.write(e.local("e"), lead, t.Elem, jen.Op("*").Add(x.Clone()))
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
		if f.Type.Kind == model.Pointer {
			return x.Clone().Op("!=").Nil().Op("&&").Op("!").Add(x.Dot("IsZero").Call())
		}
		return jen.Op("!").Add(x.Dot("IsZero").Call())
	}
	return x.Op("!=").Parens(goType(f.Type.Go).Values())
}

// write is a statement that writes a value with the text before it.
func (e *emitter) write(enc *jen.Statement, lead jen.Code, t *model.Type, x *jen.Statement) *jen.Statement {
	if t.Writer != "" {
		return jen.Id(t.Writer).Call(enc, lead, x)
	}
	return e.writeInPlace(enc, lead, t, x)
}

func (e *emitter) writeInPlace(enc *jen.Statement, lead jen.Code, t *model.Type, x *jen.Statement) *jen.Statement {
	part := func(name string, elem *model.Type) *jen.Statement {
		return wire(name).Call(enc, lead, x, e.writeFunc(elem))
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
	case model.Text, model.BigInt, model.Custom, model.Opaque:
		return enc.Dot(ownWriter[t.Kind]).Call(lead, jen.Op("&").Add(x))
	case model.ByteText:
		return enc.Dot("Str").Call(lead, jen.String().Parens(x))
	case model.Stringer:
		if t.Nilable {
			return wire("EncodeStringer").Call(enc, lead, x)
		}
		return enc.Dot("Str").Call(lead, x.Dot("String").Call())
	case model.URL:
		return enc.Dot("Str").Call(lead, x.Dot("String").Call())
	case model.Ref:
		return wire("EncodeRef").Call(enc, lead, x)
	case model.Pointer:
		return part("EncodePtr", t.Elem)
	case model.Slice:
		return part("EncodeSlice", t.Elem)
	case model.Map:
		return part("Encode"+mapOf(t.Key), t.Elem)
	case model.Quoted:
		return part("EncodeQuoted", t.Elem)
	case model.Bytes:
		if t.Elem != nil {
			return wire("EncodeBytes").Call(enc, lead, x)
		}
	}
	return basic(writeMethod[t.Kind], "")
}

// ownWriter names the encoder's methods for the types that write themselves, by
// methods that a pointer to them has.
var ownWriter = map[model.Kind]string{
	model.Text: "Text", model.BigInt: "BigInt", model.Custom: "JSON", model.Opaque: "JSON",
}

// writeMethod names the encoder's methods for the types with a form of their own.
var writeMethod = map[model.Kind]string{
	model.Bytes: "Bytes", model.Any: "JSON", model.Raw: "RawJSON", model.Number: "Number",
	model.Time: "Time", model.Duration: "Duration",
}

// wholeMethod names the encoder's methods that write a Go type as it is.
var wholeMethod = map[string]string{
	"bool": "Bool", "string": "Str", "int64": "Int", "uint64": "Uint", "float64": "Float64", "float32": "Float32",
}

// convertingFunction names the functions that write all types of a kind.
var convertingFunction = map[model.Kind]string{
	model.Int: "EncodeInt", model.Uint: "EncodeUint", model.String: "EncodeStr",
}

// writeFunc is a function that writes a value of a Go type.
func (e *emitter) writeFunc(t *model.Type) *jen.Statement {
	if t.Writer != "" {
		return jen.Id(t.Writer)
	}
	method := writeMethod[t.Kind]
	if t.Go.Kind == model.GoNamed && t.Go.Path == "" && method == "" {
		method = wholeMethod[t.Go.Name]
	}
	if method != "" && t.IsOwn() {
		return jen.Parens(jen.Op("*").Add(wire("Encoder"))).Dot(method)
	}
	if function := convertingFunction[t.Kind]; function != "" {
		return wire(function)
	}
	if t.Kind == model.Ref {
		return wire("EncodeRef").Types(goType(t.Go))
	}
	enc, lead, v := e.local("e"), e.local("lead"), e.local("v")
	params := []jen.Code{enc.Clone().Op("*").Add(wire("Encoder")), lead.Clone().String(), v.Clone().Add(goType(t.Go))}
	return jen.Func().Params(params...).Block(e.write(enc.Clone(), lead.Clone(), t, v.Clone()))
}
