package emit

import (
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// addReader adds the function that reads a type into a variable. The function also accepts a reference to
// a value, unless the type is a struct that generated code declares for a tool.
func (c Codec) addReader(l *Lines, t *model.Type) {
	v, x := c.Local("v"), c.Local("x")
	head := Call(t.Reader, v+" "+c.wire("Value"), x+" *"+c.GoType(t.Go))
	l.addBlock("func "+head+" {", func() {
		if isDeclared := t.Kind == model.StructKind && t.Def == nil && t.Go.Kind == model.GoNamed; !isDeclared {
			refers := "ReadReference"
			if t.HoldsRef() {
				refers = "ReadPartialReference"
			}
			l.addIf(Call(c.wire(refers), v, x), "return")
		}
		if t.Codec != model.GeneratedCodec {
			c.addUnmarshal(l, t)
			return
		}
		switch t.Kind {
		case model.Array:
			l.add(Call(c.wire("Array"), checkLimits(t, v), x+"[:]", c.readFunc(t.Elem)))
		case model.StructKind:
			c.readFields(l, t)
		case model.Union:
			c.readUnion(l, t)
		case model.Null:
			valid := c.Member("x", "Valid")
			l.addIf(v+".Ok()", c.Member("x", t.Value)+", "+valid+" = "+c.readValue(t.Elem, v)+", true")
		default:
			l.add("*", x, " = ", c.readInPlace(t, v))
		}
	}, "}")
}

func (c Codec) readFields(l *Lines, t *model.Type) {
	object := "Object()"
	if t.Parameters {
		object = "ParameterObject()"
	}
	l.add(c.Local("o"), " := ", c.Member("v", object))
	c.readMembers(l, t.Fields, 0)
	l.add(c.Member("o", "Done()"))
}

// readMembers reads fields of a struct and of its embedded structs. depth is the number of embedded
// pointers that have already been followed. Fields that are behind one more embedded pointer are read
// together by readEmbedded.
func (c Codec) readMembers(l *Lines, fields []*model.Field, depth int) {
	read := map[*model.Embedded]bool{}
	for _, f := range fields {
		x := c.Member("x", f.Path...)
		if f.Presence != nil && !f.Hidden && len(f.Within) <= depth {
			c.readPresence(l, f, x)
			x += "." + f.Presence.Value
		}
		switch {
		case f.Hidden:
		case len(f.Within) > depth:
			if p := f.Within[depth]; !read[p] {
				read[p] = true
				c.readEmbedded(l, p.FieldsWithin(fields), depth)
			}
		case f.Type.Kind == model.Opaque && f.Optional:
			l.add(Call(c.wire("DecodeOptional"), c.memberValue(f), "&"+x))
		case f.Type.Kind == model.Opaque:
			l.add(Call(c.memberValue(f)+".Decode", "&"+x))
		case f.Type.Reader != "" && f.Type.Kind != model.Custom:
			l.add(Call(c.fieldReader(f), c.memberValue(f), "&"+x))
		default:
			l.add(x, " = ", c.readField(f))
		}
	}
}

// readPresence adds the statement that records whether the arguments contain a value for the field x.
func (c Codec) readPresence(l *Lines, f *model.Field, x string) {
	present, name := x+"."+f.Presence.Present, strconv.Quote(f.Name)
	switch {
	case f.TakesNull():
		l.add(present, ", ", x, ".", f.Presence.Null, " = ", Call(c.Member("o", "Presence"), name))
	case f.Optional && f.Default == "" && !f.New:
		l.add(present, " = ", Call(c.Member("o", "Has"), name))
	default:
		l.add(present, " = true")
	}
}

// fieldReader returns the function that reads a field. Null for an optional field means that it is
// absent.
func (c Codec) fieldReader(f *model.Field) string {
	if f.Optional {
		return f.Type.Reader
	}
	return c.readerInto(f.Type)
}

// readerInto returns the function that reads a type into a variable, including null if the schema
// allows it.
func (c Codec) readerInto(t *model.Type) string {
	if t.Kind == model.Null {
		return Call(c.wire("OrNull"), t.Reader)
	}
	return t.Reader
}

// readEmbedded reads the fields behind one embedded pointer.
func (c Codec) readEmbedded(l *Lines, group []*model.Field, depth int) {
	p := group[0].Within[depth]
	var names, orNull []string
	always := false
	for _, f := range group {
		names = append(names, strconv.Quote(f.Name))
		if f.Type.ReceivesNull() || f.TakesNull() {
			orNull = append(orNull, strconv.Quote(f.Name))
		}
		always = always || f.Default != "" || !f.Optional
	}
	read := func() {
		l.add(c.Member("x", p.Path...), " = &", c.GoType(p.Elem), "{}")
		c.readMembers(l, group, depth+1)
	}
	if always { // a field has a default or is required, so the pointer is never nil
		read()
		return
	}
	has := Call(c.Member("o", "Has"), names...)
	if orNull != nil {
		has = Call(c.Member("o", "HasOrNull"), append([]string{"[]string{" + strings.Join(names, ", ") + "}"}, orNull...)...)
	}
	l.addBlock("if "+has+" {", read, "}")
}

// memberValue returns an expression for the value of a field in the arguments.
func (c Codec) memberValue(f *model.Field) string {
	switch {
	case f.Optional && f.Type.ReceivesNull():
		return Call(c.Member("o", "OptOrNull"), strconv.Quote(f.Name))
	case f.Optional:
		return Call(c.Member("o", "Opt"), strconv.Quote(f.Name))
	}
	return Call(c.Member("o", "Get"), strconv.Quote(f.Name))
}

// readField returns an expression that reads a field or, if the field is absent, returns its default.
func (c Codec) readField(f *model.Field) string {
	if f.New && !f.Type.HoldsRef() {
		return Call(c.wire("New"), c.memberValue(f), c.readFunc(f.Type.Elem))
	}
	if f.Optional && f.Type.Kind == model.Asserted {
		otherwise := "nil"
		if f.Default != "" {
			otherwise = c.defaultValue(f)
		}
		return Call(c.instantiateFunc("ReadOr", f.Type), c.memberValue(f), c.readFunc(f.Type), otherwise)
	}
	if f.Default != "" {
		return Call(c.wire("ReadOr"), c.memberValue(f), c.readFunc(f.Type), c.defaultValue(f))
	}
	if f.Optional && f.Type.Kind == model.Custom {
		return Call(c.wire("NullOr"), c.memberValue(f), c.readFunc(f.Type))
	}
	if method := basicMethod(f.Type); !f.Optional && memberReaders[method] && !f.Type.HasLimits() {
		return c.convertValue(f.Type, Call(c.Member("o", method), strconv.Quote(f.Name)))
	}
	return c.readValue(f.Type, c.memberValue(f))
}

// defaultValue returns the default of a field in Go.
func (c Codec) defaultValue(f *model.Field) string {
	t := f.Type
	if t.Kind == model.Asserted {
		t = t.Elem
	}
	switch {
	case t.Kind == model.Slice:
		return c.GoType(t.Go) + "{}"
	case t.Kind == model.ByteText, t != f.Type && !t.Go.IsBasic("string") && !t.Go.IsBasic("bool"):
		return Call(c.GoType(t.Go), constantLiteral(f.Default))
	}
	return constantLiteral(f.Default)
}

// checkLimits returns the expression v followed by calls that check the limits of t, such as
// v.Min(1).Max(9).
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
	check := func(method string, limit ...string) { v = Call(v+"."+method, limit...) }
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
	case format == "date-time" && t.Kind == model.Text: // parsed by package time
		check("DateTime")
	default:
		check("Format", strconv.Quote(format))
	}
	return v
}

// readValue returns an expression that reads a value as a Go type.
func (c Codec) readValue(t *model.Type, v string) string {
	switch {
	case t.Kind == model.Ref:
		return Call(c.instantiateFunc("Ref", t), v)
	case t.Reader != "":
		return Call(c.readFunc(t), v)
	case t.HoldsRef():
		return Call(c.wire("RefOr"), v, c.partReader(t))
	}
	return c.readInPlace(t, v)
}

// instantiateFunc returns a generic function of package wire, instantiated for a type.
func (c Codec) instantiateFunc(function string, t *model.Type) string {
	return c.wire(function) + c.typeArguments(t.Go)
}

// partReader returns a function that reads a type with the expression of readInPlace.
func (c Codec) partReader(t *model.Type) string {
	return c.readerLiteral(t, c.readInPlace(t, c.Local("v")))
}

// readerLiteral returns a function literal that reads a type with an expression.
func (c Codec) readerLiteral(t *model.Type, expression string) string {
	return Call("func", c.Local("v")+" "+c.wire("Value")) + " " + c.GoType(t.Go) + " {\nreturn " + expression + "\n}"
}

// readInPlace returns an expression that reads a value as a Go type without calling the reader that is
// generated for the type.
//
//nolint:gocyclo // one case per kind of type
func (c Codec) readInPlace(t *model.Type, v string) string {
	v = checkLimits(t, v)
	if t.Values != "" {
		return c.readEnum(t, v)
	}
	switch t.Kind {
	case model.Text:
		return Call(c.instantiateFunc("FromText", t), v)
	case model.URL:
		return Call(c.wire("URL"), v, c.qualify("net/url", "Parse"))
	case model.Pointer:
		return c.readPointer(t, v)
	case model.Slice:
		if t.Elem.Reader != "" {
			return Call(c.wire("SliceInto"), v, c.readerInto(t.Elem))
		}
		return Call(c.wire("Slice"), v, c.readFunc(t.Elem))
	case model.Map:
		return c.readMap(t, v)
	case model.Quoted:
		if t.Elem.IsInteger() {
			return Call(c.wire("QuotedInt"), v, c.readFunc(t.Elem))
		}
		return Call(c.wire("Quoted"), v, c.readFunc(t.Elem))
	case model.BigInt:
		return Call(c.instantiateFunc("BigInt", t), v)
	case model.Represented:
		return Call(t.Converter+".Read", v, c.readFunc(t.Elem))
	case model.Asserted:
		return c.readValue(t.Elem, v)
	case model.Custom:
		return Call(c.instantiateFunc("JSON", t), c.checkValue(t.Elem, v))
	case model.Bytes:
		if t.Elem != nil {
			return Call(c.instantiateFunc("Bytes", t.Elem), v)
		}
	}
	return c.convertValue(t, Call(v+"."+basicMethod(t)))
}

func (c Codec) readEnum(t *model.Type, v string) string {
	if t.Kind == model.String {
		return c.convertValue(t, Call(v+".Enum", t.Values))
	}
	return Call(c.GoType(t.Go), Call(v+".IntEnum", t.Values))
}

func (c Codec) readPointer(t *model.Type, v string) string {
	switch {
	case t.Elem.AcceptsNull():
		return Call(c.wire("PtrOrNil"), v, c.readFunc(t.Elem))
	case t.Elem.Reader != "":
		return Call(c.wire("PtrInto"), v, c.readerInto(t.Elem))
	case t.HoldsRef(): // a reference refers to the pointer
		return Call(c.wire("Ptr"), v, c.partReader(t.Elem))
	}
	return Call(c.wire("Ptr"), v, c.readFunc(t.Elem))
}

func (c Codec) readMap(t *model.Type, v string) string {
	if t.Key.Kind == model.Represented {
		return Call(c.wire(mapFunction(t.Key)), v, "&"+t.Key.Converter, c.readFunc(t.Elem))
	}
	return Call(c.instantiateFunc(mapFunction(t.Key), t.Key), v, c.readFunc(t.Elem))
}

// checkValue returns an expression for v, or for an absent value if v cannot be read as a t.
func (c Codec) checkValue(t *model.Type, v string) string {
	if t == nil || t.Kind == model.Any {
		return v
	}
	switch t.Kind {
	case model.NullOr:
		value := c.Local("v")
		check := Call("func", value+" "+c.wire("Value")) + " " + c.wire("Value") + " {\nreturn " + c.checkValue(t.Elem, value) + "\n}"
		return Call(c.wire("CheckUnlessNull"), v, check)
	case model.TextOr:
		return Call(c.wire("CheckUnlessText"), v, c.readFunc(t.Elem))
	}
	return Call(c.wire("CheckValue"), v, c.readFunc(t))
}

// readFunc returns a function that reads a value as a Go type.
func (c Codec) readFunc(t *model.Type) string {
	switch {
	case t.Kind == model.Ref:
		return c.instantiateFunc("Ref", t)
	case t.Reader != "":
		return Call(c.wire("ReaderOf"), c.readerInto(t))
	}
	if method := basicMethod(t); method != "" && !t.HasLimits() && t.IsExactType() {
		return c.wire("Value") + "." + method
	}
	switch {
	case t.Kind == model.Text && !t.HasLimits():
		return c.instantiateFunc("FromText", t)
	case t.Kind == model.BigInt:
		return c.instantiateFunc("BigInt", t)
	case t.Kind == model.Custom && (t.Elem == nil || t.Elem.Kind == model.Any):
		return c.instantiateFunc("JSON", t)
	case t.Kind == model.Bytes && t.Elem != nil && t.Go.Kind == model.GoSlice:
		return c.instantiateFunc("Bytes", t.Elem)
	}
	return c.readerLiteral(t, c.readValue(t, c.Local("v")))
}

// convertValue converts the result of a method to the Go type.
func (c Codec) convertValue(t *model.Type, x string) string {
	if t.IsExactType() || t.Kind == model.Any || t.Kind == model.Bytes {
		return x // assignable without a conversion
	}
	return Call(c.GoType(t.Go), x)
}
