package codec

import (
	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// reader is the function that reads a type into what is there. What is declared for
// a tool is never referred to.
func (c Codec) reader(t *model.Type) *jen.Statement {
	v, x := c.Local("v"), c.Local("x")
	return jen.Func().Id(t.Reader).Params(v.Clone().Add(code.Wire("Value")), x.Clone().Op("*").Add(code.GoType(t.Go))).BlockFunc(func(g *jen.Group) {
		refers := "Refers"
		if t.HoldsRef() {
			refers = "RefersPartly"
		}
		if isDeclared := t.Kind == model.StructKind && t.Def == nil && t.Go.Kind == model.GoNamed; !isDeclared {
			g.If(code.Wire(refers).Call(v, x)).Block(jen.Return())
		}
		switch t.Kind {
		case model.Array:
			g.Add(code.Wire("Array")).Call(checkLimits(t, v.Clone()), x.Clone().Index(jen.Empty(), jen.Empty()), c.readFunc(t.Elem))
		case model.StructKind:
			c.readFields(g, t)
		case model.Null:
			g.If(v.Clone().Dot("Ok").Call()).Block(
				x.Clone().Dot(t.Value).Op(",").Add(x.Clone()).Dot("Valid").Op("=").Add(c.read(t.Elem, v.Clone())).Op(",").True(),
			)
		default:
			g.Op("*").Add(x.Clone()).Op("=").Add(c.readInPlace(t, v.Clone()))
		}
	})
}

func (c Codec) readFields(g *jen.Group, t *model.Type) {
	o := c.Local("o")
	g.Add(o.Clone()).Op(":=").Add(c.Local("v")).Dot("Object").Call()
	c.readMembers(g, t.Fields, 0)
	g.Add(o.Clone()).Dot("Done").Call()
}

// readMembers reads fields behind so many embedded pointers. Those behind one
// more are read together, if there are any.
func (c Codec) readMembers(g *jen.Group, fields []*model.Field, depth int) {
	for i, f := range fields {
		x := c.Member("x", f.Path)
		switch {
		case f.Hidden:
		case len(f.Within) > depth:
			if group, first := f.Within[depth].Behind(fields); first == i {
				c.readBehind(g, group, depth)
			}
		case f.Type.Kind == model.Opaque:
			g.Add(c.memberValue(f).Dot("Decode").Call(jen.Op("&").Add(x)))
		case f.Type.Reader != "":
			g.Id(f.Type.Reader).Call(c.memberValue(f), jen.Op("&").Add(x))
		default:
			g.Add(x).Op("=").Add(c.readField(f))
		}
	}
}

func (c Codec) readBehind(g *jen.Group, group []*model.Field, depth int) {
	p := group[0].Within[depth]
	var names []jen.Code
	always := false
	for _, f := range group {
		names = append(names, jen.Lit(f.Name))
		always = always || f.Default != "" || !f.Optional
	}
	read := func(g *jen.Group) {
		g.Add(c.Member("x", p.Path)).Op("=").Op("&").Add(code.GoType(p.Elem)).Values()
		c.readMembers(g, group, depth+1)
	}
	if always { // one of them has a default, or has to be there
		read(g)
		return
	}
	g.If(c.Local("o").Dot("Has").Call(names...)).BlockFunc(read)
}

// memberValue is the value of a field in the arguments.
func (c Codec) memberValue(f *model.Field) *jen.Statement {
	if f.Optional {
		return c.Local("o").Dot("Opt").Call(jen.Lit(f.Name))
	}
	return c.Local("o").Dot("Get").Call(jen.Lit(f.Name))
}

func (c Codec) readField(f *model.Field) *jen.Statement {
	if f.New && !f.Type.HoldsRef() {
		return code.Wire("New").Call(c.memberValue(f), c.readFunc(f.Type.Elem))
	}
	if f.Default != "" {
		return code.Wire("Or").Call(c.memberValue(f), c.readFunc(f.Type), defaultValue(f))
	}
	if method := basicMethod(f.Type); !f.Optional && short[method] && !f.Type.Limited() {
		return convert(f.Type, c.Local("o").Dot(method).Call(jen.Lit(f.Name)))
	}
	return c.read(f.Type, c.memberValue(f))
}

// defaultValue is a field's default in Go.
func defaultValue(f *model.Field) *jen.Statement {
	if f.Type.Kind == model.Slice {
		return code.GoType(f.Type.Go).Values()
	}
	return jen.Op(code.Constant(f.Default))
}

// checkLimits puts the checks of a type's limits behind a value.
func checkLimits(t *model.Type, v *jen.Statement) *jen.Statement {
	suffix := ""
	switch t.Kind {
	case model.Float:
		suffix = "Float"
	case model.String:
		suffix = "Chars"
	case model.Slice:
		suffix = "Items"
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
func (c Codec) read(t *model.Type, v *jen.Statement) *jen.Statement {
	switch {
	case t.Kind == model.Ref:
		return code.Wire("Ref").Types(code.GoType(t.Go)).Call(v)
	case t.Reader != "":
		return c.readFunc(t).Call(v)
	case t.HoldsRef():
		return code.Wire("RefOr").Call(v, c.partReader(t))
	}
	return c.readInPlace(t, v)
}

// partReader is a function that reads what JSON can carry of a type.
func (c Codec) partReader(t *model.Type) *jen.Statement {
	v := c.Local("v")
	return jen.Func().Params(v.Clone().Add(code.Wire("Value"))).Add(code.GoType(t.Go)).Block(jen.Return(c.readInPlace(t, v.Clone())))
}

func (c Codec) readInPlace(t *model.Type, v *jen.Statement) *jen.Statement {
	v = checkLimits(t, v)
	switch {
	case t.Values != "" && t.Kind == model.String:
		return convert(t, v.Dot("Enum").Call(jen.Id(t.Values)))
	case t.Values != "":
		return code.GoType(t.Go).Parens(v.Dot("IntEnum").Call(jen.Id(t.Values)))
	case t.Kind == model.Text:
		return code.Wire("FromText").Types(code.GoType(t.Go)).Call(v)
	case t.Kind == model.URL:
		return code.Wire("URL").Call(v, jen.Qual("net/url", "Parse"))
	case t.Kind == model.Pointer && t.Elem.Reader != "":
		return code.Wire("PtrInto").Call(v, jen.Id(t.Elem.Reader))
	case t.Kind == model.Pointer && t.HoldsRef(): // a reference is one to the pointer
		return code.Wire("Ptr").Call(v, c.partReader(t.Elem))
	case t.Kind == model.Pointer:
		return code.Wire("Ptr").Call(v, c.readFunc(t.Elem))
	case t.Kind == model.Slice && t.Elem.Reader != "":
		return code.Wire("SliceInto").Call(v, jen.Id(t.Elem.Reader))
	case t.Kind == model.Slice:
		return code.Wire("Slice").Call(v, c.readFunc(t.Elem))
	case t.Kind == model.Map:
		return c.readMap(t, v)
	case t.Kind == model.Quoted && t.Elem.IsInteger():
		return code.Wire("QuotedInt").Call(v, c.readFunc(t.Elem))
	case t.Kind == model.Quoted:
		return code.Wire("Quoted").Call(v, c.readFunc(t.Elem))
	case t.Kind == model.BigInt:
		return code.Wire("BigInt").Types(code.GoType(t.Go)).Call(v)
	case t.Kind == model.Custom:
		return code.Wire("JSON").Types(code.GoType(t.Go)).Call(c.checked(t.Elem, v))
	case t.Kind == model.Bytes && t.Elem != nil:
		return code.Wire("Bytes").Types(code.GoType(t.Elem.Go)).Call(v)
	}
	return convert(t, v.Dot(basicMethod(t)).Call())
}

func (c Codec) readMap(t *model.Type, v *jen.Statement) *jen.Statement {
	if t.Key.Values != "" && t.Key.Kind == model.String {
		v = v.Dot("Keys").Call(jen.Id(t.Key.Values))
	}
	return code.Wire(mapOf(t.Key)).Types(code.GoType(t.Key.Go)).Call(v, c.readFunc(t.Elem))
}

// checked is a value, which is absent unless it reads as a type.
func (c Codec) checked(t *model.Type, v *jen.Statement) *jen.Statement {
	if t == nil || t.Kind == model.Any {
		return v
	}
	if t.Kind == model.TextOr {
		return code.Wire("TextOr").Call(v, c.readFunc(t.Elem))
	}
	return code.Wire("Checked").Call(v, c.readFunc(t))
}

// readFunc is a function that reads a value as a Go type.
func (c Codec) readFunc(t *model.Type) *jen.Statement {
	switch {
	case t.Kind == model.Ref:
		return code.Wire("Ref").Types(code.GoType(t.Go))
	case t.Reader != "":
		return code.Wire("Into").Call(jen.Id(t.Reader))
	}
	if method := basicMethod(t); method != "" && !t.Limited() && t.IsOwn() {
		return code.Wire("Value").Dot(method)
	}
	switch {
	case t.Kind == model.Text && !t.Limited():
		return code.Wire("FromText").Types(code.GoType(t.Go))
	case t.Kind == model.BigInt:
		return code.Wire("BigInt").Types(code.GoType(t.Go))
	case t.Kind == model.Custom && (t.Elem == nil || t.Elem.Kind == model.Any):
		return code.Wire("JSON").Types(code.GoType(t.Go))
	case t.Kind == model.Bytes && t.Elem != nil && t.Go.Kind == model.GoSlice:
		return code.Wire("Bytes").Types(code.GoType(t.Elem.Go))
	}
	v := c.Local("v")
	return jen.Func().Params(v.Clone().Add(code.Wire("Value"))).Add(code.GoType(t.Go)).Block(jen.Return(c.read(t, v.Clone())))
}

// convert turns what a method returned into the Go type.
func convert(t *model.Type, x *jen.Statement) *jen.Statement {
	if t.IsOwn() || t.Kind == model.Any || t.Kind == model.Bytes {
		return x // assignable as it is
	}
	return code.GoType(t.Go).Parens(x)
}
