package codec

import (
	"strconv"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// reader adds the function that reads a type into what is there. What is declared for
// a tool is never referred to.
func (c Codec) reader(l *code.Lines, t *model.Type) {
	v, x := c.Local("v"), c.Local("x")
	head := code.Call(t.Reader, v+" "+c.Wire("Value"), x+" *"+c.GoType(t.Go))
	l.In("func "+head+" {", func() {
		if isDeclared := t.Kind == model.StructKind && t.Def == nil && t.Go.Kind == model.GoNamed; !isDeclared {
			refers := "Refers"
			if t.HoldsRef() {
				refers = "RefersPartly"
			}
			l.If(code.Call(c.Wire(refers), v, x), "return")
		}
		switch t.Kind {
		case model.Array:
			l.Add(code.Call(c.Wire("Array"), checkLimits(t, v), x+"[:]", c.readFunc(t.Elem)))
		case model.StructKind:
			c.readFields(l, t)
		case model.Null:
			valid := c.Member("x", "Valid")
			l.If(v+".Ok()", c.Member("x", t.Value)+", "+valid+" = "+c.read(t.Elem, v)+", true")
		default:
			l.Add("*", x, " = ", c.readInPlace(t, v))
		}
	}, "}")
}

func (c Codec) readFields(l *code.Lines, t *model.Type) {
	l.Add(c.Local("o"), " := ", c.Member("v", "Object()"))
	c.readMembers(l, t.Fields, 0)
	l.Add(c.Member("o", "Done()"))
}

// readMembers reads fields behind so many embedded pointers. Those behind one
// more are read together, if there are any.
func (c Codec) readMembers(l *code.Lines, fields []*model.Field, depth int) {
	read := map[*model.Embedded]bool{}
	for _, f := range fields {
		x := c.Member("x", f.Path...)
		switch {
		case f.Hidden:
		case len(f.Within) > depth:
			if p := f.Within[depth]; !read[p] {
				read[p] = true
				c.readBehind(l, p.Behind(fields), depth)
			}
		case f.Type.Kind == model.Opaque:
			l.Add(code.Call(c.memberValue(f)+".Decode", "&"+x))
		case f.Type.Reader != "":
			l.Add(code.Call(f.Type.Reader, c.memberValue(f), "&"+x))
		default:
			l.Add(x, " = ", c.readField(f))
		}
	}
}

func (c Codec) readBehind(l *code.Lines, group []*model.Field, depth int) {
	p := group[0].Within[depth]
	var names []string
	always := false
	for _, f := range group {
		names = append(names, strconv.Quote(f.Name))
		always = always || f.Default != "" || !f.Optional
	}
	read := func() {
		l.Add(c.Member("x", p.Path...), " = &", c.GoType(p.Elem), "{}")
		c.readMembers(l, group, depth+1)
	}
	if always { // one of them has a default, or has to be there
		read()
		return
	}
	l.In("if "+code.Call(c.Member("o", "Has"), names...)+" {", read, "}")
}

// memberValue is the value of a field in the arguments.
func (c Codec) memberValue(f *model.Field) string {
	if f.Optional {
		return code.Call(c.Member("o", "Opt"), strconv.Quote(f.Name))
	}
	return code.Call(c.Member("o", "Get"), strconv.Quote(f.Name))
}

func (c Codec) readField(f *model.Field) string {
	if f.New && !f.Type.HoldsRef() {
		return code.Call(c.Wire("New"), c.memberValue(f), c.readFunc(f.Type.Elem))
	}
	if f.Default != "" {
		return code.Call(c.Wire("Or"), c.memberValue(f), c.readFunc(f.Type), c.defaultValue(f))
	}
	if method := basicMethod(f.Type); !f.Optional && short[method] && !f.Type.Limited() {
		return c.convert(f.Type, code.Call(c.Member("o", method), strconv.Quote(f.Name)))
	}
	return c.read(f.Type, c.memberValue(f))
}

// defaultValue is a field's default in Go.
func (c Codec) defaultValue(f *model.Field) string {
	if f.Type.Kind == model.Slice {
		return c.GoType(f.Type.Go) + "{}"
	}
	return code.Constant(f.Default)
}

// checkLimits puts the checks of a type's limits behind a value.
func checkLimits(t *model.Type, v string) string {
	suffix := ""
	switch t.Kind {
	case model.Float:
		suffix = "Float"
	case model.String:
		suffix = "Chars"
	case model.Slice:
		suffix = "Items"
	}
	check := func(method string, limit ...string) { v = code.Call(v+"."+method, limit...) }
	for _, l := range []struct{ method, limit string }{
		{"Min" + suffix, t.Min}, {"Max" + suffix, t.Max}, {"Above", t.Above}, {"Below", t.Below},
	} {
		if l.limit != "" {
			check(l.method, l.limit)
		}
	}
	if t.MultipleOf != "" {
		check("MultipleOf", strconv.Quote(t.MultipleOf))
	}
	if t.Unique {
		check("Unique")
	}
	if t.Match != "" {
		check("Match", "&"+t.Match)
	}
	switch format := t.CheckedFormat(); {
	case format == "":
	case format == "uuid":
		check("UUID")
	case format == "date-time" && t.Kind == model.Text: // whose parser is that of package time
		check("DateTime")
	default:
		check("Format", strconv.Quote(format))
	}
	return v
}

// read is an expression that reads a value as a Go type.
func (c Codec) read(t *model.Type, v string) string {
	switch {
	case t.Kind == model.Ref:
		return code.Call(c.typed("Ref", t), v)
	case t.Reader != "":
		return code.Call(c.readFunc(t), v)
	case t.HoldsRef():
		return code.Call(c.Wire("RefOr"), v, c.partReader(t))
	}
	return c.readInPlace(t, v)
}

// typed is a generic function for a type.
func (c Codec) typed(function string, t *model.Type) string {
	return c.Wire(function) + c.TypeArguments(t.Go)
}

// partReader is a function that reads what JSON can carry of a type.
func (c Codec) partReader(t *model.Type) string {
	return c.reading(t, c.readInPlace(t, c.Local("v")))
}

// reading is a function that reads a value as a type by an expression.
func (c Codec) reading(t *model.Type, expression string) string {
	return code.Call("func", c.Local("v")+" "+c.Wire("Value")) + " " + c.GoType(t.Go) + " {\nreturn " + expression + "\n}"
}

func (c Codec) readInPlace(t *model.Type, v string) string {
	v = checkLimits(t, v)
	switch {
	case t.Values != "" && t.Kind == model.String:
		return c.convert(t, code.Call(v+".Enum", t.Values))
	case t.Values != "":
		return code.Call(c.GoType(t.Go), code.Call(v+".IntEnum", t.Values))
	case t.Kind == model.Text:
		return code.Call(c.typed("FromText", t), v)
	case t.Kind == model.URL:
		return code.Call(c.Wire("URL"), v, c.Declared("net/url", "Parse"))
	case t.Kind == model.Pointer && t.Elem.Reader != "":
		return code.Call(c.Wire("PtrInto"), v, t.Elem.Reader)
	case t.Kind == model.Pointer && t.HoldsRef(): // a reference is one to the pointer
		return code.Call(c.Wire("Ptr"), v, c.partReader(t.Elem))
	case t.Kind == model.Pointer:
		return code.Call(c.Wire("Ptr"), v, c.readFunc(t.Elem))
	case t.Kind == model.Slice && t.Elem.Reader != "":
		return code.Call(c.Wire("SliceInto"), v, t.Elem.Reader)
	case t.Kind == model.Slice:
		return code.Call(c.Wire("Slice"), v, c.readFunc(t.Elem))
	case t.Kind == model.Map:
		return c.readMap(t, v)
	case t.Kind == model.Quoted && t.Elem.IsInteger():
		return code.Call(c.Wire("QuotedInt"), v, c.readFunc(t.Elem))
	case t.Kind == model.Quoted:
		return code.Call(c.Wire("Quoted"), v, c.readFunc(t.Elem))
	case t.Kind == model.BigInt:
		return code.Call(c.typed("BigInt", t), v)
	case t.Kind == model.Custom:
		return code.Call(c.typed("JSON", t), c.checked(t.Elem, v))
	case t.Kind == model.Bytes && t.Elem != nil:
		return code.Call(c.typed("Bytes", t.Elem), v)
	}
	return c.convert(t, code.Call(v+"."+basicMethod(t)))
}

func (c Codec) readMap(t *model.Type, v string) string {
	if t.Key.Values != "" && t.Key.Kind == model.String {
		v = code.Call(v+".Keys", t.Key.Values)
	}
	return code.Call(c.typed(mapOf(t.Key), t.Key), v, c.readFunc(t.Elem))
}

// checked is a value, which is absent unless it reads as a type.
func (c Codec) checked(t *model.Type, v string) string {
	if t == nil || t.Kind == model.Any {
		return v
	}
	if t.Kind == model.TextOr {
		return code.Call(c.Wire("TextOr"), v, c.readFunc(t.Elem))
	}
	return code.Call(c.Wire("Checked"), v, c.readFunc(t))
}

// readFunc is a function that reads a value as a Go type.
func (c Codec) readFunc(t *model.Type) string {
	switch {
	case t.Kind == model.Ref:
		return c.typed("Ref", t)
	case t.Reader != "":
		return code.Call(c.Wire("Into"), t.Reader)
	}
	if method := basicMethod(t); method != "" && !t.Limited() && t.IsOwn() {
		return c.Wire("Value") + "." + method
	}
	switch {
	case t.Kind == model.Text && !t.Limited():
		return c.typed("FromText", t)
	case t.Kind == model.BigInt:
		return c.typed("BigInt", t)
	case t.Kind == model.Custom && (t.Elem == nil || t.Elem.Kind == model.Any):
		return c.typed("JSON", t)
	case t.Kind == model.Bytes && t.Elem != nil && t.Go.Kind == model.GoSlice:
		return c.typed("Bytes", t.Elem)
	}
	return c.reading(t, c.read(t, c.Local("v")))
}

// convert turns what a method returned into the Go type.
func (c Codec) convert(t *model.Type, x string) string {
	if t.IsOwn() || t.Kind == model.Any || t.Kind == model.Bytes {
		return x // assignable as it is
	}
	return code.Call(c.GoType(t.Go), x)
}
