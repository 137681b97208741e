package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// writer prints the function that writes a type from where it is.
func (e *emitter) writer(t *model.Type) {
	v, lead := e.local("v"), e.local("lead")
	e.Func().Id(t.Writer).Params(e.writerParams(t)...).BlockFunc(func(g *jen.Group) {
		switch t.Kind {
		case model.StructKind:
			e.writeFields(g, t)
		case model.Array:
			g.Add(e.writeElems(e.local("e"), lead, t, v.Clone().Index(jen.Empty(), jen.Empty())))
		case model.Null:
			g.If(jen.Op("!").Add(v.Clone()).Dot("Valid")).Block(
				e.local("e").Dot("Null").Call(lead),
				jen.Return(),
			)
			g.Add(e.write(e.local("e"), lead, t.Elem, v.Clone().Dot(t.Value)))
		default:
			g.Add(e.writeInPlace(e.local("e"), lead, t, jen.Op("*").Add(v.Clone())))
		}
	})
}

// writerParams are those of a function that writes a type from where it is.
func (e *emitter) writerParams(t *model.Type) []jen.Code {
	return []jen.Code{
		e.local("e").Op("*").Add(wire("Encoder")),
		e.local("lead").String(),
		e.local("v").Op("*").Add(goType(t.Go)),
	}
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
	if isAddressed(t.Elem) {
		return e.writeFrom(e.local("e"), lead, t.Elem, x.Clone())
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
	case model.OmitUnset:
		return jen.Op("!").Add(wire("IsUnset")).Call(jen.Op("&").Add(x))
	}
	return x.Op("!=").Parens(goType(f.Type.Go).Values())
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
func (e *emitter) writeFrom(enc *jen.Statement, lead jen.Code, t *model.Type, p *jen.Statement) *jen.Statement {
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
	return e.write(enc, lead, t, jen.Op("*").Add(p))
}

// write is a statement that writes a value with the text before it.
func (e *emitter) write(enc *jen.Statement, lead jen.Code, t *model.Type, x *jen.Statement) *jen.Statement {
	switch {
	case asString(t) && t.Writer == "":
		return e.writeFrom(enc, lead, t, x)
	case isAddressed(t):
		return e.writeFrom(enc, lead, t, jen.Op("&").Add(x))
	}
	return e.writeInPlace(enc, lead, t, x)
}

// writeElems is a statement that writes the elements of a list.
func (e *emitter) writeElems(enc *jen.Statement, lead jen.Code, t *model.Type, x *jen.Statement) *jen.Statement {
	if isAddressed(t.Elem) {
		return wire("EncodeSliceFrom").Call(enc, lead, x, e.fromFunc(t.Elem))
	}
	return wire("EncodeSlice").Call(enc, lead, x, e.writeFunc(t.Elem))
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
	case model.ByteText:
		return enc.Dot("Str").Call(lead, jen.String().Parens(x))
	case model.Stringer: // an interface or a pointer
		return wire("EncodeStringer").Call(enc, lead, x)
	case model.Ref:
		return wire("EncodeRef").Call(enc, lead, x)
	case model.Pointer:
		if isAddressed(t.Elem) {
			return wire("EncodePtrFrom").Call(enc, lead, x, e.fromFunc(t.Elem))
		}
		return part("EncodePtr", t.Elem)
	case model.Slice:
		return e.writeElems(enc, lead, t, x)
	case model.Map:
		if t.Go.Path == "net/http" && t.Go.Name == "Header" {
			x = wire("WithoutSecrets").Call(x)
		}
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

// fromFunc is a function that writes a Go type from where it is.
func (e *emitter) fromFunc(t *model.Type) *jen.Statement {
	if t.Writer != "" {
		return jen.Id(t.Writer)
	}
	return jen.Func().Params(e.writerParams(t)...).Block(e.writeFrom(e.local("e"), e.local("lead"), t, e.local("v")))
}

// writeFunc is a function that writes a value of a Go type.
func (e *emitter) writeFunc(t *model.Type) *jen.Statement {
	if isAddressed(t) {
		return wire("From").Call(e.fromFunc(t))
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
