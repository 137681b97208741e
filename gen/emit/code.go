package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/model"
)

// functions prints the reader and the writer of a type.
func (e *emitter) functions(t *model.Type) {
	if t.Reader != "" {
		e.Line()
		e.reader(t)
	}
	if t.Writer != "" {
		e.Line()
		e.writer(t)
	}
}

// values prints the table of the values that an enum allows.
func (e *emitter) values(t *model.Type) {
	elem := jen.String()
	if t.Kind != model.String {
		elem = jen.Int64()
	}
	e.Line()
	e.Var().Id(t.Values).Op("=").Index().Add(elem).ValuesFunc(func(g *jen.Group) {
		for _, c := range t.Enum {
			g.Op(goConstant(c.Value))
		}
	})
}

// match prints the pattern that a type is checked with.
func (e *emitter) match(t *model.Type) {
	e.Line()
	e.Var().Id(t.Match).Op("=").Add(runtime("Pattern")).Values(jen.Id("Text").Op(":").Add(literal(t.Pattern)))
}

// goConstant is a JSON string or integer as Go writes it.
func goConstant(value string) string {
	if value[0] != '"' {
		return value
	}
	return strconv.Quote(model.Unquote(value))
}

func (e *emitter) reader(t *model.Type) {
	v, x := e.local("v"), e.local("x")
	e.Func().Id(t.Reader).Params(v.Clone().Add(runtime("Value"))).Params(x.Clone().Add(goType(t.Go))).BlockFunc(func(g *jen.Group) {
		switch {
		case t.Kind == model.Array:
			g.Add(runtime("Array")).Call(checkLimits(t, v.Clone()), x.Clone().Index(jen.Empty(), jen.Empty()), e.readFunc(t.Elem))
		case t.Kind == model.StructKind:
			e.readFields(g, t)
		case t.Kind == model.Null:
			g.If(v.Clone().Dot("Ok").Call()).Block(
				x.Clone().Dot(t.Value).Op(",").Add(x.Clone()).Dot("Valid").Op("=").Add(e.read(t.Elem, v.Clone())).Op(",").True(),
			)
		default:
			g.Return(e.readInPlace(t, v.Clone()))
			return
		}
		g.Return(x)
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
			if group, first := behind(f.Within[depth], fields, depth); first == i {
				e.readBehind(g, group, depth)
			}
		case f.Type.Kind == model.Opaque:
			g.Add(e.memberValue(f).Dot("Decode").Call(jen.Op("&").Add(x)))
		default:
			g.Add(x).Op("=").Add(e.readField(f))
		}
	}
}

// behind are the fields behind an embedded pointer, and the index of the first.
func behind(p *model.Embedded, fields []*model.Field, depth int) (group []*model.Field, first int) {
	for i, f := range fields {
		if len(f.Within) > depth && f.Within[depth] == p {
			if len(group) == 0 {
				first = i
			}
			group = append(group, f)
		}
	}
	return group, first
}

func (e *emitter) readBehind(g *jen.Group, group []*model.Field, depth int) {
	p := group[0].Within[depth]
	var names []jen.Code
	defaults := false
	for _, f := range group {
		names = append(names, jen.Lit(f.Name))
		defaults = defaults || f.Default != ""
	}
	read := func(g *jen.Group) {
		g.Add(e.member("x", p.Path)).Op("=").Op("&").Add(goType(p.Elem)).Values()
		e.readMembers(g, group, depth+1)
	}
	if defaults { // then none of them has to be there
		read(g)
		return
	}
	g.If(e.local("o").Dot("Has").Call(names...)).BlockFunc(read)
}

// member is a field of a variable.
func (e *emitter) member(variable string, path []string) *jen.Statement {
	x := e.local(variable)
	for _, name := range path {
		x.Dot(name)
	}
	return x
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
	if f.Default != "" {
		return runtime("Or").Call(e.memberValue(f), e.readFunc(f.Type), defaultValue(f))
	}
	if method := basicMethod(f.Type); !f.Optional && short[method] && !limited(f.Type) {
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

// limited reports whether not every value of a type's kind is allowed.
func limited(t *model.Type) bool {
	return t.Values != "" || t.Min != "" || t.Max != "" || t.Above != "" || t.Below != "" || t.MultipleOf != "" || t.Unique || t.Match != "" ||
		checkOf(t) != ""
}

// checkOf names the method that checks the format of a string, or of a text whose
// parser would take more.
func checkOf(t *model.Type) string {
	if t.Kind != model.String && t.Kind != model.Text {
		return ""
	}
	return map[string]string{"date-time": "DateTime", "uuid": "UUID"}[t.Format]
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
	if check := checkOf(t); check != "" {
		v = v.Dot(check).Call()
	}
	return v
}

// read is an expression that reads a value as a Go type.
func (e *emitter) read(t *model.Type, v *jen.Statement) *jen.Statement {
	switch {
	case t.Kind == model.Ref:
		return runtime("Ref").Types(goType(t.Go)).Call(v)
	case t.HoldsRef():
		return runtime("RefOr").Call(v, e.partReader(t))
	case t.Reader != "":
		return runtime("Nested").Call(v, jen.Id(t.Reader))
	}
	return e.readInPlace(t, v)
}

// partReader is a function that reads what JSON can carry of a type.
func (e *emitter) partReader(t *model.Type) *jen.Statement {
	if t.Reader != "" {
		return jen.Id(t.Reader)
	}
	v := e.local("v")
	return jen.Func().Params(v.Clone().Add(runtime("Value"))).Add(goType(t.Go)).Block(jen.Return(e.readInPlace(t, v.Clone())))
}

func (e *emitter) readInPlace(t *model.Type, v *jen.Statement) *jen.Statement {
	v = checkLimits(t, v)
	switch {
	case t.Values != "" && t.Kind == model.String:
		return convert(t, v.Dot("Enum").Call(jen.Id(t.Values)))
	case t.Values != "":
		return goType(t.Go).Parens(v.Dot("IntEnum").Call(jen.Id(t.Values)))
	case t.Kind == model.Text:
		return runtime("FromText").Types(goType(t.Go)).Call(v)
	case t.Kind == model.URL:
		return runtime("URL").Call(v, jen.Qual("net/url", "Parse"))
	case t.Kind == model.Pointer:
		if t.HoldsRef() { // a reference is one to the pointer
			return runtime("Ptr").Call(v, e.partReader(t.Elem))
		}
		return runtime("Ptr").Call(v, e.readFunc(t.Elem))
	case t.Kind == model.Slice:
		return runtime("Slice").Call(v, e.readFunc(t.Elem))
	case t.Kind == model.Map:
		return e.readMap(t, v)
	case t.Kind == model.Quoted && isInteger(t.Elem):
		return runtime("QuotedInt").Call(v, e.readFunc(t.Elem))
	case t.Kind == model.Quoted:
		return runtime("Quoted").Call(v, e.readFunc(t.Elem))
	case t.Kind == model.BigInt:
		return runtime("BigInt").Types(goType(t.Go)).Call(v)
	case t.Kind == model.Custom:
		return runtime("JSON").Types(goType(t.Go)).Call(e.checked(t.Elem, v))
	case t.Kind == model.Bytes && t.Elem != nil:
		return runtime("Bytes").Types(goType(t.Elem.Go)).Call(v)
	}
	return convert(t, v.Dot(basicMethod(t)).Call())
}

func isInteger(t *model.Type) bool { return t.Kind == model.Int || t.Kind == model.Uint }

// mapOf tells which functions of the runtime read and write a map with such keys.
func mapOf(key *model.Type) string {
	switch key.Kind {
	case model.String:
		return "Map"
	case model.Int, model.Uint:
		return "IntMap"
	}
	return "TextMap"
}

func (e *emitter) readMap(t *model.Type, v *jen.Statement) *jen.Statement {
	if t.Key.Values != "" && t.Key.Kind == model.String {
		v = v.Dot("Keys").Call(jen.Id(t.Key.Values))
	}
	return runtime(mapOf(t.Key)).Types(goType(t.Key.Go)).Call(v, e.readFunc(t.Elem))
}

// checked is a value, which is absent unless it reads as a type.
func (e *emitter) checked(t *model.Type, v *jen.Statement) *jen.Statement {
	if t.Kind == model.Any {
		return v
	}
	return runtime("Checked").Call(v, e.readFunc(t))
}

// readFunc is a function that reads a value as a Go type.
func (e *emitter) readFunc(t *model.Type) *jen.Statement {
	switch {
	case t.Kind == model.Ref:
		return runtime("Ref").Types(goType(t.Go))
	case t.Reader != "" && !t.HoldsRef():
		return jen.Id(t.Reader)
	}
	if method := basicMethod(t); method != "" && !limited(t) && isOwn(t) {
		return runtime("Value").Dot(method)
	}
	switch {
	case t.Kind == model.Text && !limited(t):
		return runtime("FromText").Types(goType(t.Go))
	case t.Kind == model.BigInt:
		return runtime("BigInt").Types(goType(t.Go))
	case t.Kind == model.Custom && t.Elem.Kind == model.Any:
		return runtime("JSON").Types(goType(t.Go))
	case t.Kind == model.Bytes && t.Elem != nil && t.Go.Kind == model.GoSlice:
		return runtime("Bytes").Types(goType(t.Elem.Go))
	}
	v := e.local("v")
	return jen.Func().Params(v.Clone().Add(runtime("Value"))).Add(goType(t.Go)).Block(jen.Return(e.read(t, v.Clone())))
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
		model.Bool: "Bool", model.String: "Str", model.Bytes: "Bytes", model.Any: "Any", model.Raw: "Raw",
		model.Number: "Number", model.Time: "Time", model.Duration: "Duration",
	}[t.Kind]
}

// ownTypes are the Go types that the methods of a value return.
var ownTypes = map[model.Kind][]string{
	model.Bool:     {"bool"},
	model.String:   {"string"},
	model.Int:      {"int", "int8", "int16", "int32", "int64", "rune"},
	model.Uint:     {"uint", "uint8", "uint16", "uint32", "uint64", "byte"},
	model.Float:    {"float32", "float64"},
	model.Any:      {"any"},
	model.Time:     {"Time"},
	model.Duration: {"Duration"},
	model.Raw:      {"RawMessage"},
	model.Number:   {"Number"},
}

// isOwn reports whether a type is just what its method returns, so that no
// conversion is needed.
func isOwn(t *model.Type) bool {
	if t.Kind == model.Bytes {
		return t.Go.Kind == model.GoSlice && t.Elem == nil
	}
	predeclared := t.Go.Path == "" || t.Kind == model.Time || t.Kind == model.Duration || t.Kind == model.Raw || t.Kind == model.Number
	for _, name := range ownTypes[t.Kind] {
		if predeclared && t.Go.Name == name {
			return true
		}
	}
	return false
}

// convert turns what a method returned into the Go type.
func convert(t *model.Type, x *jen.Statement) *jen.Statement {
	if isOwn(t) || t.Kind == model.Any || t.Kind == model.Bytes {
		return x // assignable as it is
	}
	return goType(t.Go).Parens(x)
}

func (e *emitter) writer(t *model.Type) {
	v, lead := e.local("v"), e.local("lead")
	params := []jen.Code{
		e.local("e").Op("*").Add(runtime("Encoder")),
		lead.Clone().String(),
		v.Clone().Add(goType(t.Go)),
	}
	e.Func().Id(t.Writer).Params(params...).BlockFunc(func(g *jen.Group) {
		switch t.Kind {
		case model.StructKind:
			e.writeFields(g, t)
		case model.Array:
			elems := v.Clone().Index(jen.Empty(), jen.Empty())
			g.Add(runtime("EncodeSlice")).Call(e.local("e"), lead, elems, e.writeFunc(t.Elem))
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
			if group, first := behind(f.Within[depth], fields, depth); first == i {
				g.If(e.member("v", f.Within[depth].Path).Op("!=").Nil()).BlockFunc(func(g *jen.Group) {
					e.writeMembers(g, group, depth+1)
				})
			}
			continue
		}
		x := e.member("v", f.Path)
		write := e.writeField(f, literal(","+model.Quote(f.Name)+":"), x)
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
		return runtime(name).Call(enc, lead, x, e.writeFunc(elem))
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
	case model.URL:
		return enc.Dot("Str").Call(lead, x.Dot("String").Call())
	case model.Ref:
		return runtime("EncodeRef").Call(enc, lead, x)
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
			return runtime("EncodeBytes").Call(enc, lead, x)
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
	if method != "" && isOwn(t) {
		return jen.Parens(jen.Op("*").Add(runtime("Encoder"))).Dot(method)
	}
	if function := convertingFunction[t.Kind]; function != "" {
		return runtime(function)
	}
	if t.Kind == model.Ref {
		return runtime("EncodeRef").Types(goType(t.Go))
	}
	enc, lead, v := e.local("e"), e.local("lead"), e.local("v")
	params := []jen.Code{enc.Clone().Op("*").Add(runtime("Encoder")), lead.Clone().String(), v.Clone().Add(goType(t.Go))}
	return jen.Func().Params(params...).Block(e.write(enc.Clone(), lead.Clone(), t, v.Clone()))
}
