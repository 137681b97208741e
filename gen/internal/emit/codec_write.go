package emit

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// addWriter adds the function that writes a type through a pointer.
func (c Codec) addWriter(l *Lines, t *model.Type) {
	e, lead, v := c.Local("e"), c.Local("lead"), c.Local("v")
	l.addBlock("func "+Call(t.Writer, c.writerParams("*"+c.GoType(t.Go))...)+" {", func() {
		if t.Codec != model.GeneratedCodec {
			c.addMarshal(l, t)
			return
		}
		switch t.Kind {
		case model.StructKind:
			if t.Accessors {
				c.writeAccessors(l, t)
				return
			}
			c.writeFields(l, t)
		case model.Union:
			c.writeUnion(l, t)
		case model.Array:
			l.add(c.writeElems(e, lead, t, v+"[:]"))
		case model.Null:
			l.addIf("!"+c.Member("v", "Valid"), Call(e+".Null", lead), "return")
			l.add(c.writeValue(e, lead, t.Elem, c.Member("v", t.Value)))
		default:
			inPlace := *t
			inPlace.Writer = ""
			l.add(c.writeFrom(e, lead, &inPlace, v))
		}
	}, "}")
}

// writerParams returns the parameters of a function that writes a Go type.
func (c Codec) writerParams(goType string) []string {
	return []string{c.Local("e") + " *" + c.wire("Encoder"), c.Local("lead") + " string", c.Local("v") + " " + goType}
}

// writeFields writes a struct member by member. Every member begins with a comma; the encoder
// drops the first one.
func (c Codec) writeFields(l *Lines, t *model.Type) {
	l.addIf("!"+Call(c.Member("e", "Open"), c.Local("lead")), "return")
	c.writeMembers(l, t.Fields, 0)
	l.add(c.Member("e", "Close()"))
}

// writeAccessors writes the results of the accessors of an interface, or null for a nil interface.
func (c Codec) writeAccessors(l *Lines, t *model.Type) {
	e, lead, v := c.Local("e"), c.Local("lead"), "(*"+c.Local("v")+")"
	l.addIf("*"+c.Local("v")+" == nil", Call(e+".Null", lead), "return")
	l.addIf("!"+Call(e+".Open", lead), "return")
	for _, f := range t.Fields {
		name, x := Literal(","+jsontext.Quote(f.Name)+":"), Call(v+"."+f.Path[0])
		if isAddressed(f.Type) { // a result has no address
			l.add(Call(c.writeFunc(f.Type), e, name, x))
		} else {
			l.add(c.writeInPlace(e, name, f.Type, x))
		}
	}
	l.add(e, ".Close()")
}

// writeMembers writes fields of a struct and of its embedded structs. depth is the number of embedded
// pointers that have already been followed. Fields that are behind one more embedded pointer are written
// together, unless the pointer is nil.
func (c Codec) writeMembers(l *Lines, fields []*model.Field, depth int) {
	written := map[*model.Embedded]bool{}
	for _, f := range fields {
		if len(f.Within) > depth {
			if p := f.Within[depth]; !written[p] {
				written[p] = true
				l.addBlock("if "+c.Member("v", p.Path...)+" != nil {", func() { c.writeMembers(l, p.FieldsWithin(fields), depth+1) }, "}")
			}
			continue
		}
		x := c.Member("v", f.Path...)
		write := c.writeField(f, Literal(","+jsontext.Quote(f.Name)+":"), x)
		if f.Omit == model.OmitNever {
			l.add(write)
		} else {
			l.addIf(c.presentCondition(f, x), write)
		}
	}
}

func (c Codec) writeField(f *model.Field, lead, x string) string {
	t := f.Type
	if t.Kind != model.Pointer || f.Omit == model.OmitNever {
		return c.writeValue(c.Local("e"), lead, t, x)
	}
	if isAddressed(t.Elem) {
		return c.writeFrom(c.Local("e"), lead, t.Elem, x)
	}
	return c.writeValue(c.Local("e"), lead, t.Elem, "*"+x)
}

// presentCondition returns the condition under which a field is written.
func (c Codec) presentCondition(f *model.Field, x string) string {
	switch f.Omit {
	case model.OmitFalse:
		return x
	case model.OmitZero:
		return x + " != 0"
	case model.OmitBlank:
		return x + ` != ""`
	case model.OmitNil:
		return x + " != nil"
	case model.OmitLen:
		return Call("len", x) + " > 0"
	case model.OmitIsZero:
		return "!" + x + ".IsZero()"
	case model.OmitNilIsZero:
		return "!" + Call(c.wire("IsZero"), x)
	case model.OmitUnset:
		return "!" + Call(c.wire("IsUnset"), "&"+x)
	}
	return x + " != (" + c.GoType(f.Type.Go) + "{})"
}

// isAddressed reports whether values of a type are written through a pointer instead of being copied.
// These are structs, which may contain locks; represented types, which may be structs; and types whose
// pointer has the method that writes them.
func isAddressed(t *model.Type) bool {
	return t.Writer != "" || t.Kind == model.Represented || ownMethods[t.Kind] != "" || isWrittenAsString(t)
}

// isWrittenAsString reports whether a type is written with its method String.
func isWrittenAsString(t *model.Type) bool {
	return t.Kind == model.URL || t.Kind == model.Stringer && !t.Nilable
}

// writeFrom returns a statement that writes the value to which the pointer p points.
func (c Codec) writeFrom(enc, lead string, t *model.Type, p string) string {
	switch {
	case t.Writer != "":
		return Call(t.Writer, enc, lead, p)
	case t.Kind == model.URL:
		return Call(enc+".Str", lead, p+".Redacted()")
	case isWrittenAsString(t):
		return Call(enc+".Str", lead, p+".String()")
	case t.Kind == model.Represented:
		return Call(t.Converter+".Write", enc, lead, p, c.writeFunc(t.Elem))
	case ownMethods[t.Kind] != "":
		return Call(enc+"."+ownMethods[t.Kind], lead, p)
	}
	return c.writeValue(enc, lead, t, "*"+p)
}

// writeValue returns a statement that writes the expression x. lead is the text before the value, such as
// a comma and the name of a member.
func (c Codec) writeValue(enc, lead string, t *model.Type, x string) string {
	switch {
	case isWrittenAsString(t) && t.Writer == "":
		return c.writeFrom(enc, lead, t, x)
	case isAddressed(t):
		return c.writeFrom(enc, lead, t, "&"+x)
	}
	return c.writeInPlace(enc, lead, t, x)
}

// writeElems returns a statement that writes the elements of a list.
func (c Codec) writeElems(enc, lead string, t *model.Type, x string) string {
	if isAddressed(t.Elem) {
		return Call(c.wire("EncodeSliceFrom"), enc, lead, x, c.fromFunc(t.Elem))
	}
	return Call(c.wire("EncodeSlice"), enc, lead, x, c.writeFunc(t.Elem))
}

// writeInPlace returns a statement that writes a value without calling the writer that is generated for
// its type.
//
//nolint:gocyclo // one case per kind of type
func (c Codec) writeInPlace(enc, lead string, t *model.Type, x string) string {
	part := func(name string, elem *model.Type) string {
		return Call(c.wire(name), enc, lead, x, c.writeFunc(elem))
	}
	basic := func(method, conversion string) string {
		if conversion != "" && !t.Go.IsBasic(conversion) {
			x = Call(conversion, x)
		}
		return Call(enc+"."+method, lead, x)
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
		return Call(enc+".Str", lead, Call("string", x))
	case model.Stringer: // an interface or a pointer
		return Call(c.wire("EncodeStringer"), enc, lead, x)
	case model.Ref:
		return Call(c.wire("EncodeRef"), enc, lead, x)
	case model.Pointer:
		if t.NonNil {
			return Call(c.wire("EncodeNonNil"), enc, lead, x, c.fromFunc(t.Elem))
		}
		if isAddressed(t.Elem) {
			return Call(c.wire("EncodePtrFrom"), enc, lead, x, c.fromFunc(t.Elem))
		}
		return part("EncodePtr", t.Elem)
	case model.Asserted:
		return Call(c.instantiateFunc("EncodeAs", t.Elem), enc, lead, x, c.convertFunc(t.Elem), c.writeFunc(t.Elem))
	case model.Slice:
		return c.writeElems(enc, lead, t, x)
	case model.Map:
		if t.Go.Path == "net/http" && t.Go.Name == "Header" {
			x = Call(c.wire("WithoutSecrets"), x)
		}
		if t.Key.Kind == model.Represented {
			return Call(c.wire("EncodeConvertedMap"), enc, lead, x, "&"+t.Key.Converter, c.writeFunc(t.Elem))
		}
		return part("Encode"+mapFunction(t.Key), t.Elem)
	case model.Quoted:
		return part("EncodeQuoted", t.Elem)
	case model.Bytes:
		if t.Elem != nil {
			return Call(c.wire("EncodeBytes"), enc, lead, x)
		}
	}
	return basic(writeMethods[t.Kind], "")
}

// convertFunc returns a function that reads the JSON of a result as a type, nil if generated code has no reader
// for the type.
func (c Codec) convertFunc(t *model.Type) string {
	for part := t; part != nil; part = part.Elem {
		if !slices.Contains(convertibleKinds, part.Kind) {
			return "nil"
		}
	}
	return c.readFunc(t)
}

// convertibleKinds are the kinds of results that are read without a generated function.
var convertibleKinds = []model.Kind{
	model.Bool, model.Int, model.Uint, model.Float, model.String, model.Any, model.Slice, model.Map, model.Time,
}

// fromFunc returns a function that writes a Go type through a pointer.
func (c Codec) fromFunc(t *model.Type) string {
	if t.Writer != "" {
		return t.Writer
	}
	return c.writerLiteral("*"+c.GoType(t.Go), c.writeFrom(c.Local("e"), c.Local("lead"), t, c.Local("v")))
}

// writerLiteral returns a function literal that writes a Go type with a statement.
func (c Codec) writerLiteral(goType, statement string) string {
	return Call("func", c.writerParams(goType)...) + " {\n" + statement + "\n}"
}

// writeFunc returns a function that writes a value of a Go type.
func (c Codec) writeFunc(t *model.Type) string {
	if isAddressed(t) {
		return Call(c.wire("WriterOf"), c.fromFunc(t))
	}
	method := writeMethods[t.Kind]
	if t.Go.Kind == model.GoNamed && t.Go.Path == "" && method == "" {
		method = exactMethods[t.Go.Name]
	}
	if method != "" && t.IsExactType() {
		return "(*" + c.wire("Encoder") + ")." + method
	}
	if function := convertingFunctions[t.Kind]; function != "" {
		return c.wire(function)
	}
	if t.Kind == model.Ref {
		return c.instantiateFunc("EncodeRef", t)
	}
	return c.writerLiteral(c.GoType(t.Go), c.writeValue(c.Local("e"), c.Local("lead"), t, c.Local("v")))
}
