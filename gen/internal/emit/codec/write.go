package codec

import (
	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// writer adds the function that writes a type from where it is.
func (c Codec) writer(l *code.Lines, t *model.Type) {
	e, lead, v := c.Local("e"), c.Local("lead"), c.Local("v")
	l.In("func "+code.Call(t.Writer, c.writerParams("*"+c.GoType(t.Go))...)+" {", func() {
		switch t.Kind {
		case model.StructKind:
			c.writeFields(l, t)
		case model.Array:
			l.Add(c.writeElems(e, lead, t, v+"[:]"))
		case model.Null:
			l.If("!"+c.Member("v", "Valid"), code.Call(e+".Null", lead), "return")
			l.Add(c.Write(e, lead, t.Elem, c.Member("v", t.Value)))
		default:
			l.Add(c.writeInPlace(e, lead, t, "*"+v))
		}
	}, "}")
}

// writerParams are those of a function that writes what is given as a Go type.
func (c Codec) writerParams(goType string) []string {
	return []string{c.Local("e") + " *" + c.Wire("Encoder"), c.Local("lead") + " string", c.Local("v") + " " + goType}
}

// writeFields prints a struct member by member. Every member has a comma in
// front; the encoder drops the one that follows the opening.
func (c Codec) writeFields(l *code.Lines, t *model.Type) {
	l.If("!"+code.Call(c.Member("e", "Open"), c.Local("lead")), "return")
	c.writeMembers(l, t.Fields, 0)
	l.Add(c.Member("e", "Close()"))
}

// writeMembers writes fields behind so many embedded pointers. Those behind one
// more are written together, unless that is nil.
func (c Codec) writeMembers(l *code.Lines, fields []*model.Field, depth int) {
	written := map[*model.Embedded]bool{}
	for _, f := range fields {
		if len(f.Within) > depth {
			if p := f.Within[depth]; !written[p] {
				written[p] = true
				l.In("if "+c.Member("v", p.Path...)+" != nil {", func() { c.writeMembers(l, p.Behind(fields), depth+1) }, "}")
			}
			continue
		}
		x := c.Member("v", f.Path...)
		write := c.writeField(f, code.Literal(","+jsontext.Quote(f.Name)+":"), x)
		if f.Omit == model.OmitNever {
			l.Add(write)
		} else {
			l.If(c.present(f, x), write)
		}
	}
}

func (c Codec) writeField(f *model.Field, lead, x string) string {
	t := f.Type
	if t.Kind != model.Pointer || f.Omit == model.OmitNever {
		return c.Write(c.Local("e"), lead, t, x)
	}
	if isAddressed(t.Elem) {
		return c.writeFrom(c.Local("e"), lead, t.Elem, x)
	}
	return c.Write(c.Local("e"), lead, t.Elem, "*"+x)
}

// present is the condition under which a field is written.
func (c Codec) present(f *model.Field, x string) string {
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
		return code.Call("len", x) + " > 0"
	case model.OmitIsZero:
		return "!" + x + ".IsZero()"
	case model.OmitNilIsZero:
		return "!" + code.Call(c.Wire("IsZero"), x)
	case model.OmitUnset:
		return "!" + code.Call(c.Wire("IsUnset"), "&"+x)
	}
	return x + " != (" + c.GoType(f.Type.Go) + "{})"
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
func (c Codec) writeFrom(enc, lead string, t *model.Type, p string) string {
	switch {
	case t.Writer != "":
		return code.Call(t.Writer, enc, lead, p)
	case t.Kind == model.URL:
		return code.Call(enc+".Str", lead, p+".Redacted()")
	case asString(t):
		return code.Call(enc+".Str", lead, p+".String()")
	case ownWriter[t.Kind] != "":
		return code.Call(enc+"."+ownWriter[t.Kind], lead, p)
	}
	return c.Write(enc, lead, t, "*"+p)
}

// Write is a statement that writes a value with the text before it.
func (c Codec) Write(enc, lead string, t *model.Type, x string) string {
	switch {
	case asString(t) && t.Writer == "":
		return c.writeFrom(enc, lead, t, x)
	case isAddressed(t):
		return c.writeFrom(enc, lead, t, "&"+x)
	}
	return c.writeInPlace(enc, lead, t, x)
}

// writeElems is a statement that writes the elements of a list.
func (c Codec) writeElems(enc, lead string, t *model.Type, x string) string {
	if isAddressed(t.Elem) {
		return code.Call(c.Wire("EncodeSliceFrom"), enc, lead, x, c.FromFunc(t.Elem))
	}
	return code.Call(c.Wire("EncodeSlice"), enc, lead, x, c.writeFunc(t.Elem))
}

func (c Codec) writeInPlace(enc, lead string, t *model.Type, x string) string {
	part := func(name string, elem *model.Type) string {
		return code.Call(c.Wire(name), enc, lead, x, c.writeFunc(elem))
	}
	basic := func(method, conversion string) string {
		if conversion != "" && !t.Go.IsBasic(conversion) {
			x = code.Call(conversion, x)
		}
		return code.Call(enc+"."+method, lead, x)
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
		return code.Call(enc+".Str", lead, code.Call("string", x))
	case model.Stringer: // an interface or a pointer
		return code.Call(c.Wire("EncodeStringer"), enc, lead, x)
	case model.Ref:
		return code.Call(c.Wire("EncodeRef"), enc, lead, x)
	case model.Pointer:
		if t.Sure {
			return code.Call(c.Wire("EncodeSure"), enc, lead, x, c.FromFunc(t.Elem))
		}
		if isAddressed(t.Elem) {
			return code.Call(c.Wire("EncodePtrFrom"), enc, lead, x, c.FromFunc(t.Elem))
		}
		return part("EncodePtr", t.Elem)
	case model.Slice:
		return c.writeElems(enc, lead, t, x)
	case model.Map:
		if t.Go.Path == "net/http" && t.Go.Name == "Header" {
			x = code.Call(c.Wire("WithoutSecrets"), x)
		}
		return part("Encode"+mapOf(t.Key), t.Elem)
	case model.Quoted:
		return part("EncodeQuoted", t.Elem)
	case model.Bytes:
		if t.Elem != nil {
			return code.Call(c.Wire("EncodeBytes"), enc, lead, x)
		}
	}
	return basic(writeMethod[t.Kind], "")
}

// FromFunc is a function that writes a Go type from where it is.
func (c Codec) FromFunc(t *model.Type) string {
	if t.Writer != "" {
		return t.Writer
	}
	return c.writing("*"+c.GoType(t.Go), c.writeFrom(c.Local("e"), c.Local("lead"), t, c.Local("v")))
}

// writing is a function that writes what is given as a Go type by a statement.
func (c Codec) writing(goType, statement string) string {
	return code.Call("func", c.writerParams(goType)...) + " {\n" + statement + "\n}"
}

// writeFunc is a function that writes a value of a Go type.
func (c Codec) writeFunc(t *model.Type) string {
	if isAddressed(t) {
		return code.Call(c.Wire("From"), c.FromFunc(t))
	}
	method := writeMethod[t.Kind]
	if t.Go.Kind == model.GoNamed && t.Go.Path == "" && method == "" {
		method = wholeMethod[t.Go.Name]
	}
	if method != "" && t.IsOwn() {
		return "(*" + c.Wire("Encoder") + ")." + method
	}
	if function := convertingFunction[t.Kind]; function != "" {
		return c.Wire(function)
	}
	if t.Kind == model.Ref {
		return c.typed("EncodeRef", t)
	}
	return c.writing(c.GoType(t.Go), c.Write(c.Local("e"), c.Local("lead"), t, c.Local("v")))
}
