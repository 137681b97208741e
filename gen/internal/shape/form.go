package shape

import (
	"go/types"
	"reflect"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/custom"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	texts "github.com/aiongen/aiongen/internal/jsonschema/text"
)

// wellKnown are the types with a form of their own, by full name.
var wellKnown = map[string]model.Kind{
	"time.Time":                model.Time,
	"time.Duration":            model.Duration,
	"encoding/json.RawMessage": model.Raw,
	"encoding/json.Number":     model.Number,
	"net/url.URL":              model.URL,
	"math/big.Int":             model.BigInt,
}

// A textForm says more of a text than that it is one: a format of JSON Schema,
// or a pattern, if there is one that allows all that the type reads and writes.
type textForm struct{ format, pattern string }

// textForms are those of the types that declare UnmarshalText, by full name. A
// type that embeds one of them has its form.
var textForms = map[string]textForm{
	"time.Time":                             {format: "date-time"},
	"net.IP":                                {pattern: texts.Address},
	"net/netip.Addr":                        {pattern: texts.Address},
	"net/netip.AddrPort":                    {pattern: texts.AddrPort},
	"net/netip.Prefix":                      {pattern: texts.Prefix},
	"math/big.Float":                        {pattern: texts.BigFloat},
	"math/big.Rat":                          {pattern: texts.BigRat},
	"log/slog.Level":                        {},
	"github.com/google/uuid.UUID":           {format: "uuid"},
	"github.com/gofrs/uuid.UUID":            {format: "uuid"},
	"github.com/gofrs/uuid/v5.UUID":         {format: "uuid"},
	"github.com/shopspring/decimal.Decimal": {pattern: texts.Decimal},
}

// ownForm reports whether a type has a form that is well known, or methods that
// encoding/json prefers to its structure. Text both ways is preferred to JSON: a
// schema can tell what it is. But it is not that of the type where an embedded one has
// it, and JSON is the type's own.
func (r *reading) ownForm(t types.Type) (kind model.Kind, ok bool) {
	if named, ok := t.(*types.Named); ok {
		if kind, ok := goname.Known(wellKnown, named.Obj()); ok {
			return kind, true
		}
		if isNull(named) {
			return model.Null, true
		}
	}
	asText, asJSON := unmarshalText, unmarshalJSON
	if r.output {
		asText, asJSON = marshalText, marshalJSON
	}
	named, isNamed := t.(*types.Named)
	switch {
	case isNamed && custom.IsKnown(named) && hasMethod(t, asJSON):
		return model.Custom, true
	case hasMethod(t, marshalText) && hasMethod(t, unmarshalText) && !isNearer(t, asJSON, asText):
		return model.Text, true
	case hasMethod(t, asJSON):
		return model.Custom, true
	case hasMethod(t, asText):
		return model.Text, true
	}
	return 0, false
}

// isNearer reports whether a type has a method itself, or by less embedding than another.
func isNearer(t types.Type, a, b method) bool {
	_, near, _ := types.LookupFieldOrMethod(t, true, nil, a.name)
	_, far, _ := types.LookupFieldOrMethod(t, true, nil, b.name)
	return hasMethod(t, a) && len(near) < len(far)
}

// writtenText is the form of arguments that read themselves from JSON as of a type that
// writes a text of a known form: it is taken to read what it writes. It is nil for
// others.
func writtenText(t types.Type) *model.Type {
	if !hasMethod(t, marshalText) || isNearer(t, marshalJSON, marshalText) {
		return nil
	}
	form, _ := knownText(t, marshalText)
	return &model.Type{Kind: model.String, Go: model.Basic("string"), Format: form.format, Pattern: form.pattern, Checked: true}
}

// fillText takes what is known of the text of the type that declares the
// method, which for a promoted one is an embedded type. What such a type is
// for need not be said again in the words of its package.
func (r *reading) fillText(m *model.Type, t types.Type) {
	text := unmarshalText
	if r.output {
		text = marshalText
	}
	if !hasMethod(t, text) {
		return
	}
	_, basic := t.Underlying().(*types.Basic)
	m.OnValue = basic || types.NewMethodSet(t).Lookup(nil, marshalText.name) != nil
	form, of := knownText(t, text)
	m.Format, m.Pattern = form.format, form.pattern
	if of != nil && types.Identical(of, t) {
		m.Description = ""
	}
}

// knownText is what is known of the text that a method reads or writes, and the type
// that declares it; nil where nothing is.
func knownText(t types.Type, m method) (textForm, types.Type) {
	f, _ := lookupMethod(t, m.name)
	recv := f.Signature().Recv().Type()
	if p, ok := recv.(*types.Pointer); ok {
		recv = p.Elem()
	}
	if named, ok := types.Unalias(recv).(*types.Named); ok {
		if form, known := goname.Known(textForms, named.Obj()); known {
			return form, named
		}
	}
	return textForm{}, nil
}

// A method is what encoding/json looks for in a type.
type method struct {
	name string
	sig  *types.Signature
}

var (
	bytesType = types.NewSlice(types.Typ[types.Byte])
	errorType = types.Universe.Lookup("error").Type()

	marshalJSON   = method{"MarshalJSON", signature(nil, bytesType, errorType)}
	marshalText   = method{"MarshalText", signature(nil, bytesType, errorType)}
	unmarshalJSON = method{"UnmarshalJSON", signature(bytesType, errorType)}
	unmarshalText = method{"UnmarshalText", signature(bytesType, errorType)}
)

// signature is that of a function with a parameter, nil for none, and results.
func signature(param types.Type, results ...types.Type) *types.Signature {
	tuple := func(list ...types.Type) *types.Tuple {
		var vars []*types.Var
		for _, t := range list {
			if t != nil {
				vars = append(vars, types.NewParam(0, nil, "", t))
			}
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, tuple(param), tuple(results...), false)
}

// hasMethod reports whether a type, or a pointer to it, has a method.
func hasMethod(t types.Type, want method) bool {
	f, ok := lookupMethod(t, want.name)
	return ok && types.Identical(withoutReceiver(f.Signature()), want.sig)
}

func lookupMethod(t types.Type, name string) (*types.Func, bool) {
	if types.IsInterface(t) {
		return nil, false
	}
	if _, pointer := t.(*types.Pointer); pointer {
		return nil, false // what it points to is looked at on its own
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	f, ok := obj.(*types.Func)
	return f, ok
}

// hasStringMethod reports whether values of a type, or pointers to them, say what they
// are in text.
func hasStringMethod(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "String")
	f, ok := obj.(*types.Func)
	return ok && types.Identical(withoutReceiver(f.Signature()), stringMethod)
}

var stringMethod = signature(nil, types.Typ[types.String])

func withoutReceiver(sig *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
}

// isNull reports whether a type is one of database/sql for values that may be
// missing: a struct of the value and Valid.
func isNull(t *types.Named) bool {
	obj := t.Obj()
	s, ok := t.Underlying().(*types.Struct)
	return ok && obj.Pkg() != nil && obj.Pkg().Path() == "database/sql" && strings.HasPrefix(obj.Name(), "Null") &&
		s.NumFields() == 2 && s.Field(1).Name() == "Valid"
}

// walk visits all types that a type is made of. What encoding/json reads and
// writes, generated code does not look into.
func walk(t *model.Type, met *model.Met, visit func(*model.Type)) {
	if t == nil || !met.First(t) {
		return
	}
	visit(t)
	if t.Kind == model.Opaque {
		return
	}
	walk(t.Elem, met, visit)
	walk(t.Key, met, visit)
	for _, f := range t.Fields {
		walk(f.Type, met, visit)
	}
}

// isMeantAsJSON reports whether the tag of a field says how it stands in JSON. That a
// field does not says nothing of the others.
func isMeantAsJSON(s *types.Struct) bool {
	for i := range s.NumFields() {
		if name, tagged := reflect.StructTag(s.Tag(i)).Lookup("json"); tagged && name != "-" {
			return true
		}
	}
	return false
}
