package shape

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/jsonschema"
)

// wellKnown holds types with a special form, by full name.
var wellKnown = map[string]model.Kind{
	"time.Time":                model.Time,
	"time.Duration":            model.Duration,
	"encoding/json.RawMessage": model.Raw,
	"encoding/json.Number":     model.Number,
	"net/url.URL":              model.URL,
	"math/big.Int":             model.BigInt,
}

// A textForm describes the text of a type by a format of JSON Schema, or by a pattern that allows all
// texts that the type reads and writes.
type textForm struct {
	format, pattern string
	argument        bool // only for arguments: the type may write other texts
}

// textForms holds the forms of types that declare UnmarshalText, by full name. A type that
// embeds one of them has its form.
var textForms = map[string]textForm{
	"time.Time":                             {format: "date-time"},
	"net.IP":                                {pattern: jsonschema.AddressPattern},
	"net/netip.Addr":                        {pattern: jsonschema.AddressPattern},
	"net/netip.AddrPort":                    {pattern: jsonschema.AddrPortPattern},
	"net/netip.Prefix":                      {pattern: jsonschema.PrefixPattern},
	"math/big.Float":                        {pattern: jsonschema.BigFloatPattern},
	"math/big.Rat":                          {pattern: jsonschema.BigRatPattern},
	"log/slog.Level":                        {},
	"github.com/google/uuid.UUID":           {format: "uuid"},
	"github.com/gofrs/uuid.UUID":            {format: "uuid"},
	"github.com/gofrs/uuid/v5.UUID":         {format: "uuid"},
	"github.com/shopspring/decimal.Decimal": {pattern: jsonschema.DecimalPattern},
	"cloud.google.com/go/civil.Date":        {format: "date", argument: true},
	"cloud.google.com/go/civil.Time":        {pattern: `^` + looseTime + `$`, argument: true},
	"cloud.google.com/go/civil.DateTime":    {pattern: `^` + calendarDate + `[Tt]` + looseTime + `$`, argument: true},
}

// ownForm returns the kind of a type whose JSON does not follow from its structure: another type
// represents it, it is well known, or it has methods that encoding/json uses. If a type can both read and
// write text, text methods take precedence over JSON methods, because a schema can describe text, unless
// the JSON methods are promoted from a shallower depth.
func (r *typeReader) ownForm(t types.Type) (kind model.Kind, ok bool) {
	if kind, ok := r.generatedForm(t); ok {
		return kind, true
	}
	if kind, ok := wellKnownKind(t); ok {
		return kind, true
	}
	asText, asJSON := unmarshalText, unmarshalJSON
	if r.output {
		asText, asJSON = marshalText, marshalJSON
	}
	named, isNamed := t.(*types.Named)
	switch {
	case isNamed && isKnownCustom(named) && hasMethod(t, asJSON):
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

// wellKnownKind returns the kind of a type with a special form.
func wellKnownKind(t types.Type) (kind model.Kind, ok bool) {
	named, ok := t.(*types.Named)
	if !ok {
		return 0, false
	}
	if kind, ok := goname.LookupType(wellKnown, named.Obj()); ok {
		return kind, true
	}
	return model.Null, isNull(named)
}

// representingType returns the type that represents t in JSON, nil if there is none.
func (s *Shapes) representingType(t types.Type) types.Type {
	form, _ := s.representing.At(t).(types.Type)
	return form
}

// generatedForm returns the kind of a type for which generated code ignores the rules of encoding/json: a
// type that another type represents, or a message of Protocol Buffers.
func (r *typeReader) generatedForm(t types.Type) (kind model.Kind, ok bool) {
	switch {
	case r.nested:
		return 0, false
	case r.representingType(t) != nil:
		return model.Represented, true
	}
	return model.Custom, isMessage(t)
}

// isNearer reports whether a type has the method a, promoted from a shallower depth than b.
func isNearer(t types.Type, a, b jsonMethod) bool {
	_, indexA, _ := types.LookupFieldOrMethod(t, true, nil, a.name)
	_, indexB, _ := types.LookupFieldOrMethod(t, true, nil, b.name)
	return hasMethod(t, a) && len(indexA) < len(indexB)
}

// writtenText returns the form of arguments of a type that has its own UnmarshalJSON but writes itself as
// text: the type is assumed to read what it writes. It returns nil for other types.
func writtenText(t types.Type) *model.Type {
	if !hasMethod(t, marshalText) || isNearer(t, marshalJSON, marshalText) {
		return nil
	}
	form, _ := findTextForm(t, marshalText)
	return &model.Type{Kind: model.String, Go: model.Basic("string"), Format: form.format, Pattern: form.pattern, Checked: true}
}

// fillText sets the format or pattern of a text if it is known. The type that declares the method
// determines it; for a promoted method, that is an embedded type. The format replaces the description of a
// type that is itself in textForms.
func (r *typeReader) fillText(m *model.Type, t types.Type) {
	text := unmarshalText
	if r.output {
		text = marshalText
	}
	if !hasMethod(t, text) {
		return
	}
	_, basic := t.Underlying().(*types.Basic)
	m.OnValue = basic || types.NewMethodSet(t).Lookup(nil, marshalText.name) != nil
	form, owner := findTextForm(t, text)
	if !r.output || !form.argument {
		m.Format, m.Pattern = form.format, form.pattern
	}
	if owner != nil && types.Identical(owner, t) {
		m.Description = ""
	}
}

// findTextForm returns the known form of the text that a method reads or writes, and the type that
// declares the method. The type is nil if the form is unknown.
func findTextForm(t types.Type, m jsonMethod) (textForm, types.Type) {
	f, _ := lookupMethod(t, m.name)
	if named := source.Receiver(f); named != nil {
		if form, ok := goname.LookupType(textForms, named.Obj()); ok {
			return form, named
		}
	}
	return textForm{}, nil
}

// A jsonMethod is a method that encoding/json or a note looks for.
type jsonMethod struct {
	name string
	sig  *types.Signature
}

var (
	bytesType = types.NewSlice(types.Typ[types.Byte])
	errorType = types.Universe.Lookup("error").Type()

	marshalJSON   = jsonMethod{"MarshalJSON", newSignature(nil, bytesType, errorType)}
	marshalText   = jsonMethod{"MarshalText", newSignature(nil, bytesType, errorType)}
	unmarshalJSON = jsonMethod{"UnmarshalJSON", newSignature(bytesType, errorType)}
	unmarshalText = jsonMethod{"UnmarshalText", newSignature(bytesType, errorType)}
	isZeroMethod  = jsonMethod{"IsZero", newSignature(nil, types.Typ[types.Bool])}
	stringMethod  = jsonMethod{"String", newSignature(nil, types.Typ[types.String])}
)

// newSignature returns the signature of a function with one parameter, or without any if param is nil.
func newSignature(param types.Type, results ...types.Type) *types.Signature {
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
func hasMethod(t types.Type, want jsonMethod) bool {
	f, ok := lookupMethod(t, want.name)
	return ok && types.Identical(withoutReceiver(f.Signature()), want.sig)
}

// lookupMethod returns the method of a type, or of a pointer to it. It finds no methods of interfaces and
// of types that are pointers.
func lookupMethod(t types.Type, name string) (*types.Func, bool) {
	if types.IsInterface(t) {
		return nil, false
	}
	if _, pointer := t.(*types.Pointer); pointer {
		return nil, false // its element is examined separately
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	f, ok := obj.(*types.Func)
	return f, ok
}

// hasSelectable is like hasMethod, but also finds methods of interfaces and of types that are pointers.
func hasSelectable(t types.Type, want jsonMethod) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, want.name)
	f, ok := obj.(*types.Func)
	return ok && types.Identical(withoutReceiver(f.Signature()), want.sig)
}

func withoutReceiver(sig *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
}

// isNull reports whether a type is a database/sql type for values that may be missing, such as NullString:
// a struct with the value and the field Valid.
func isNull(t *types.Named) bool {
	obj := t.Obj()
	s, ok := t.Underlying().(*types.Struct)
	return ok && obj.Pkg() != nil && obj.Pkg().Path() == "database/sql" && strings.HasPrefix(obj.Name(), "Null") &&
		s.NumFields() == 2 && s.Field(1).Name() == "Valid"
}

// isMeantAsJSON reports whether a field of a struct has a json tag with a name or options. A
// tag that excludes a field does not count.
func isMeantAsJSON(s *types.Struct) bool {
	for i := range s.NumFields() {
		if name, tagged := reflect.StructTag(s.Tag(i)).Lookup("json"); tagged && name != "-" {
			return true
		}
	}
	return false
}

// hasEmbeddedMethod reports whether a struct has a JSON method that is promoted from an embedded struct.
func hasEmbeddedMethod(t types.Type) bool {
	for _, m := range []jsonMethod{marshalJSON, unmarshalJSON} {
		if _, index, _ := types.LookupFieldOrMethod(t, true, nil, m.name); hasMethod(t, m) && len(index) > 1 {
			return true
		}
	}
	return false
}

// methodsOf returns the exported methods of a type by name.
func methodsOf(t types.Type) map[string]*types.Func {
	all := map[string]*types.Func{}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		if f, ok := set.At(i).Obj().(*types.Func); ok && f.Exported() {
			all[f.Name()] = f
		}
	}
	return all
}

// declaredMethods returns the methods that the declaration of a type lists, or nil for an alias.
func declaredMethods(obj *types.TypeName) []*types.Func {
	named, ok := obj.Type().(*types.Named)
	if !ok || obj.IsAlias() {
		return nil
	}
	if i, ok := named.Underlying().(*types.Interface); ok {
		return slices.Collect(i.ExplicitMethods())
	}
	return slices.Collect(named.Methods())
}
