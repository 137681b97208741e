package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// reader prints the function that reads a type into what is there. What is declared for
// a tool is never referred to.
func (e *emitter) reader(t *model.Type) {
	v, x := e.local("v"), e.local("x")
	e.Func().Id(t.Reader).Params(v.Clone().Add(wire("Value")), x.Clone().Op("*").Add(goType(t.Go))).BlockFunc(func(g *jen.Group) {
		refers := "Refers"
		if t.HoldsRef() {
			refers = "RefersPartly"
		}
		if isDeclared := t.Kind == model.StructKind && t.Def == nil && t.Go.Kind == model.GoNamed; !isDeclared {
			g.If(wire(refers).Call(v, x)).Block(jen.Return())
		}
		switch t.Kind {
		case model.Array:
			g.Add(wire("Array")).Call(checkLimits(t, v.Clone()), x.Clone().Index(jen.Empty(), jen.Empty()), e.readFunc(t.Elem))
		case model.StructKind:
			e.readFields(g, t)
		case model.Null:
			g.If(v.Clone().Dot("Ok").Call()).Block(
				x.Clone().Dot(t.Value).Op(",").Add(x.Clone()).Dot("Valid").Op("=").Add(e.read(t.Elem, v.Clone())).Op(",").True(),
			)
		default:
			g.Op("*").Add(x.Clone()).Op("=").Add(e.readInPlace(t, v.Clone()))
		}
	})
}

func (e *emitter) readFields(g *jen.Group, t *model.Type) {
	o := e.local("o")
	g.Add(o.Clone()).Op(":=").Add(e.local("v")).Dot("Object").Call()
	e.readMembers(g, t.Fields, 0)
	g.Add(o.Clone()).Dot("Done").Call()
}

// readMembers reads fields behind so many embedded pointers. Those behind one
// more are read together, if there are any.
func (e *emitter) readMembers(g *jen.Group, fields []*model.Field, depth int) {
	for i, f := range fields {
		x := e.member("x", f.Path)
		switch {
		case f.Hidden:
		case len(f.Within) > depth:
			if group, first := f.Within[depth].Behind(fields); first == i {
				e.readBehind(g, group, depth)
			}
		case f.Type.Kind == model.Opaque:
			g.Add(e.memberValue(f).Dot("Decode").Call(jen.Op("&").Add(x)))
		case f.Type.Reader != "":
			g.Id(f.Type.Reader).Call(e.memberValue(f), jen.Op("&").Add(x))
		default:
			g.Add(x).Op("=").Add(e.readField(f))
		}
	}
}

func (e *emitter) readBehind(g *jen.Group, group []*model.Field, depth int) {
	p := group[0].Within[depth]
	var names []jen.Code
	always := false
	for _, f := range group {
		names = append(names, jen.Lit(f.Name))
		always = always || f.Default != "" || !f.Optional
	}
	read := func(g *jen.Group) {
		g.Add(e.member("x", p.Path)).Op("=").Op("&").Add(goType(p.Elem)).Values()
		e.readMembers(g, group, depth+1)
	}
	if always { // one of them has a default, or has to be there
		read(g)
		return
	}
	g.If(e.local("o").Dot("Has").Call(names...)).BlockFunc(read)
}

// memberValue is the value of a field in the arguments.
func (e *emitter) memberValue(f *model.Field) *jen.Statement {
	if f.Optional {
		return e.local("o").Dot("Opt").Call(jen.Lit(f.Name))
	}
	return e.local("o").Dot("Get").Call(jen.Lit(f.Name))
}

// short are the readers that an object offers for a member directly.
var short = map[string]bool{"Str": true, "Bool": true, "Int": true, "Int64": true, "Float64": true}

func (e *emitter) readField(f *model.Field) *jen.Statement {
	if f.New && !f.Type.HoldsRef() {
		return wire("New").Call(e.memberValue(f), e.readFunc(f.Type.Elem))
	}
	if f.Default != "" {
		return wire("Or").Call(e.memberValue(f), e.readFunc(f.Type), defaultValue(f))
	}
	if method := basicMethod(f.Type); !f.Optional && short[method] && !f.Type.Limited() {
		return convert(f.Type, e.local("o").Dot(method).Call(jen.Lit(f.Name)))
	}
	return e.read(f.Type, e.memberValue(f))
}

// defaultValue is a field's default in Go.
func defaultValue(f *model.Field) *jen.Statement {
	if f.Type.Kind == model.Slice {
		return goType(f.Type.Go).Values()
	}
	return jen.Op(goConstant(f.Default))
}

// checkLimits puts the checks of a type's limits behind a value.
func checkLimits(t *model.Type, v *jen.Statement) *jen.Statement {
	suffix := "Len"
	switch t.Kind {
	case model.Int, model.Uint:
		suffix = ""
	case model.Float:
		suffix = "Float"
	}
	for _, check := range []struct{ method, limit string }{
		{"Min" + suffix, t.Min}, {"Max" + suffix, t.Max}, {"Above", t.Above}, {"Below", t.Below},
	} {
		if check.limit != "" {
			v = v.Dot(check.method).Call(jen.Op(check.limit))
		}
	}
	if t.MultipleOf != "" {
		v = v.Dot("MultipleOf").Call(jen.Lit(t.MultipleOf))
	}
	if t.Unique {
		v = v.Dot("Unique").Call()
	}
	if t.Match != "" {
		v = v.Dot("Match").Call(jen.Op("&").Id(t.Match))
	}
	switch format := t.CheckedFormat(); {
	case format == "":
	case format == "uuid":
		v = v.Dot("UUID").Call()
	case format == "date-time" && t.Kind == model.Text: // whose parser is that of package time
		v = v.Dot("DateTime").Call()
	default:
		v = v.Dot("Format").Call(jen.Lit(format))
	}
	return v
}

// read is an expression that reads a value as a Go type.
func (e *emitter) read(t *model.Type, v *jen.Statement) *jen.Statement {
	switch {
	case t.Kind == model.Ref:
		return wire("Ref").Types(goType(t.Go)).Call(v)
	case t.Reader != "":
		return e.readFunc(t).Call(v)
	case t.HoldsRef():
		return wire("RefOr").Call(v, e.partReader(t))
	}
	return e.readInPlace(t, v)
}

// partReader is a function that reads what JSON can carry of a type.
func (e *emitter) partReader(t *model.Type) *jen.Statement {
	v := e.local("v")
	return jen.Func().Params(v.Clone().Add(wire("Value"))).Add(goType(t.Go)).Block(jen.Return(e.readInPlace(t, v.Clone())))
}

func (e *emitter) readInPlace(t *model.Type, v *jen.Statement) *jen.Statement {
	v = checkLimits(t, v)
	switch {
	case t.Values != "" && t.Kind == model.String:
		return convert(t, v.Dot("Enum").Call(jen.Id(t.Values)))
	case t.Values != "":
		return goType(t.Go).Parens(v.Dot("IntEnum").Call(jen.Id(t.Values)))
	case t.Kind == model.Text:
		return wire("FromText").Types(goType(t.Go)).Call(v)
	case t.Kind == model.URL:
		return wire("URL").Call(v, jen.Qual("net/url", "Parse"))
	case t.Kind == model.Pointer && t.Elem.Reader != "":
		return wire("PtrInto").Call(v, jen.Id(t.Elem.Reader))
	case t.Kind == model.Pointer && t.HoldsRef(): // a reference is one to the pointer
		return wire("Ptr").Call(v, e.partReader(t.Elem))
	case t.Kind == model.Pointer:
		return wire("Ptr").Call(v, e.readFunc(t.Elem))
	case t.Kind == model.Slice && t.Elem.Reader != "":
		return wire("SliceInto").Call(v, jen.Id(t.Elem.Reader))
	case t.Kind == model.Slice:
		return wire("Slice").Call(v, e.readFunc(t.Elem))
	case t.Kind == model.Map:
		return e.readMap(t, v)
	case t.Kind == model.Quoted && t.Elem.IsInteger():
		return wire("QuotedInt").Call(v, e.readFunc(t.Elem))
	case t.Kind == model.Quoted:
		return wire("Quoted").Call(v, e.readFunc(t.Elem))
	case t.Kind == model.BigInt:
		return wire("BigInt").Types(goType(t.Go)).Call(v)
	case t.Kind == model.Custom:
		return wire("JSON").Types(goType(t.Go)).Call(e.checked(t.Elem, v))
	case t.Kind == model.Bytes && t.Elem != nil:
		return wire("Bytes").Types(goType(t.Elem.Go)).Call(v)
	}
	return convert(t, v.Dot(basicMethod(t)).Call())
}

func (e *emitter) readMap(t *model.Type, v *jen.Statement) *jen.Statement {
	if t.Key.Values != "" && t.Key.Kind == model.String {
		v = v.Dot("Keys").Call(jen.Id(t.Key.Values))
	}
	return wire(mapOf(t.Key)).Types(goType(t.Key.Go)).Call(v, e.readFunc(t.Elem))
}

// checked is a value, which is absent unless it reads as a type.
func (e *emitter) checked(t *model.Type, v *jen.Statement) *jen.Statement {
	if t == nil || t.Kind == model.Any {
		return v
	}
	if t.Kind == model.TextOr {
		return wire("TextOr").Call(v, e.readFunc(t.Elem))
	}
	return wire("Checked").Call(v, e.readFunc(t))
}

// readFunc is a function that reads a value as a Go type.
func (e *emitter) readFunc(t *model.Type) *jen.Statement {
	switch {
	case t.Kind == model.Ref:
		return wire("Ref").Types(goType(t.Go))
	case t.Reader != "":
		return wire("Into").Call(jen.Id(t.Reader))
	}
	if method := basicMethod(t); method != "" && !t.Limited() && t.IsOwn() {
		return wire("Value").Dot(method)
	}
	switch {
	case t.Kind == model.Text && !t.Limited():
		return wire("FromText").Types(goType(t.Go))
	case t.Kind == model.BigInt:
		return wire("BigInt").Types(goType(t.Go))
	case t.Kind == model.Custom && (t.Elem == nil || t.Elem.Kind == model.Any):
		return wire("JSON").Types(goType(t.Go))
	case t.Kind == model.Bytes && t.Elem != nil && t.Go.Kind == model.GoSlice:
		return wire("Bytes").Types(goType(t.Elem.Go))
	}
	v := e.local("v")
	return jen.Func().Params(v.Clone().Add(wire("Value"))).Add(goType(t.Go)).Block(jen.Return(e.read(t, v.Clone())))
}

// basicMethod is the method of a value, and of an object, that reads a type
// without parts; "" for others.
func basicMethod(t *model.Type) string {
	size := ""
	if t.Bits > 0 {
		size = strconv.Itoa(t.Bits)
	}
	switch t.Kind {
	case model.Int:
		return "Int" + size
	case model.Uint:
		return "Uint" + size
	case model.Float:
		return "Float" + size
	}
	return map[model.Kind]string{
		model.Bool: "Bool", model.String: "Str", model.ByteText: "Str", model.Bytes: "Bytes", model.Any: "Any", model.Raw: "Raw",
		model.Number: "Number", model.Time: "Time", model.Duration: "Duration",
	}[t.Kind]
}

// convert turns what a method returned into the Go type.
func convert(t *model.Type, x *jen.Statement) *jen.Statement {
	if t.IsOwn() || t.Kind == model.Any || t.Kind == model.Bytes {
		return x // assignable as it is
	}
	return goType(t.Go).Parens(x)
}
