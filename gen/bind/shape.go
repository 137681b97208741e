package bind

import (
	"errors"
	"fmt"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/model"
)

// shape reads a Go type as JSON sees it. The hint names what has no name of
// its own: an anonymous struct, an array.
func (b *binder) shape(t types.Type, hint string) (*model.Type, error) {
	t = types.Unalias(t)
	if known, ok := b.shapes.At(t).(*model.Type); ok {
		if named, ok := t.(*types.Named); ok && b.filling[known] && known.Reader == "" {
			b.nameFunctions(known, b.localName(named), "") // it holds itself, so it cannot be read in place
		}
		return known, nil
	}
	m := &model.Type{}
	b.shapes.Set(t, m) // first, so that a recursive type finds itself
	b.filling[m] = true
	defer delete(b.filling, m)
	if err := b.fill(m, t, hint); err != nil {
		b.shapes.Delete(t)
		return nil, err
	}
	return m, nil
}

func (b *binder) fill(m *model.Type, t types.Type, hint string) error {
	goType, err := b.goType(t)
	if err != nil {
		return err
	}
	m.Go = goType
	named, _ := t.(*types.Named)
	if named != nil {
		if kind, ok := wellKnown[qualifiedName(named.Obj())]; ok {
			m.Kind = kind
			return nil
		}
		m.Description = b.docOf(named.Obj(), named.Obj().Name())
		m.Short = named.Obj().Name()
		hint = b.localName(named)
		if isNull(named) {
			return b.fillNull(m, named, hint)
		}
		if kind, ok := ownForm(named); ok {
			m.Kind = kind
			return nil
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return b.fillBasic(m, u, named)
	case *types.Interface:
		if !u.Empty() {
			return fmt.Errorf("interface %s is no value that JSON can carry", b.typeName(t))
		}
		m.Kind = model.Any
		return nil
	case *types.Pointer:
		if onlyPointers(t) {
			return fmt.Errorf("%s points to nothing but itself", b.typeName(t))
		}
		m.Kind = model.Pointer
		return b.fillElem(m, u.Elem(), hint)
	case *types.Slice:
		if isByte(u.Elem()) {
			m.Kind = model.Bytes
			return nil
		}
		m.Kind = model.Slice
		return b.fillElem(m, u.Elem(), hint)
	case *types.Array:
		m.Kind, m.Len = model.Array, u.Len()
		b.nameFunctions(m, hint, "Array")
		return b.fillElem(m, u.Elem(), hint)
	case *types.Map:
		return b.fillMap(m, u, hint)
	case *types.Struct:
		b.nameFunctions(m, hint, "")
		return b.fillStruct(m, t, hint)
	}
	if t.Underlying() == types.Typ[types.Invalid] {
		return errInvalid
	}
	return fmt.Errorf("%s is no value that JSON can carry", b.typeName(t))
}

// onlyPointers reports whether following pointers from t never ends.
func onlyPointers(t types.Type) bool {
	for seen := map[types.Type]bool{}; !seen[t]; {
		seen[t] = true
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			return false
		}
		t = types.Unalias(p.Elem())
	}
	return true
}

var errInvalid = errors.New("its type is invalid")

// wellKnown are the types with a form of their own, by full name.
var wellKnown = map[string]model.Kind{
	"time.Time":                model.Time,
	"time.Duration":            model.Duration,
	"encoding/json.RawMessage": model.Raw,
	"encoding/json.Number":     model.Number,
	"net/url.URL":              model.URL,
}

func qualifiedName(obj *types.TypeName) string {
	if obj.Pkg() == nil {
		return obj.Name()
	}
	return obj.Pkg().Path() + "." + obj.Name()
}

// ownForm reports whether a type has methods that encoding/json would prefer to
// its structure: text both ways, or else JSON.
func ownForm(t *types.Named) (kind model.Kind, ok bool) {
	set := types.NewMethodSet(types.NewPointer(t))
	has := func(method string) bool { return set.Lookup(nil, method) != nil }
	switch {
	case has("MarshalText") && has("UnmarshalText"):
		return model.Text, true
	case has("MarshalJSON"), has("UnmarshalJSON"), has("MarshalText"), has("UnmarshalText"):
		return model.Custom, true
	}
	return 0, false
}

// isNull reports whether a type is one of database/sql for values that may be
// missing: a struct of the value and Valid.
func isNull(t *types.Named) bool {
	obj := t.Obj()
	s, ok := t.Underlying().(*types.Struct)
	return ok && obj.Pkg() != nil && obj.Pkg().Path() == "database/sql" && strings.HasPrefix(obj.Name(), "Null") &&
		s.NumFields() == 2 && s.Field(1).Name() == "Valid"
}

func (b *binder) fillNull(m *model.Type, t *types.Named, hint string) error {
	value := t.Underlying().(*types.Struct).Field(0)
	m.Kind, m.Value = model.Null, value.Name()
	m.Description = "" // it says how the value is stored
	b.nameFunctions(m, hint, "")
	return b.fillElem(m, value.Type(), hint)
}

// findCustom returns a type within t that reads itself from JSON, so that no
// schema can say what it takes; nil if there is none.
func findCustom(t *model.Type) (found *model.Type) {
	walk(t, map[*model.Type]bool{}, func(part *model.Type) {
		if part.Kind == model.Custom {
			found = part
		}
	})
	return found
}

func isByte(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Byte
}

func (b *binder) fillElem(m *model.Type, elem types.Type, hint string) (err error) {
	m.Elem, err = b.shape(elem, hint)
	return err
}

var bits = map[types.BasicKind]int{
	types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Int64: 64,
	types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64,
	types.Float32: 32, types.Float64: 64,
}

func (b *binder) fillBasic(m *model.Type, t *types.Basic, named *types.Named) error {
	m.Bits = bits[t.Kind()]
	switch info := t.Info(); {
	case t.Kind() == types.Invalid:
		return errInvalid
	case t.Kind() == types.Uintptr || info&types.IsComplex != 0 || t.Kind() == types.UnsafePointer:
		return fmt.Errorf("%s is no value that JSON can carry", t.Name())
	case info&types.IsBoolean != 0:
		m.Kind = model.Bool
	case info&types.IsString != 0:
		m.Kind = model.String
	case info&types.IsUnsigned != 0:
		m.Kind = model.Uint
	case info&types.IsInteger != 0:
		m.Kind = model.Int
	default:
		m.Kind = model.Float
	}
	if named != nil && (m.Kind == model.String || m.Kind == model.Int || m.Kind == model.Uint) {
		b.fillConstants(m, named)
	}
	return nil
}

// fillConstants takes the constants of a named type as its values: all that
// are allowed, or, where they are flags to combine, some that have names.
func (b *binder) fillConstants(m *model.Type, named *types.Named) {
	pkg := named.Obj().Pkg()
	source := b.docsOf(pkg)
	flags := false
	for _, name := range source.consts {
		c, ok := pkg.Scope().Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), named) || named.Obj().Exported() && !c.Exported() {
			continue
		}
		flags = flags || source.flags[name]
		value := jsonConstant(c.Val())
		if !slices.ContainsFunc(m.Enum, func(seen model.Const) bool { return seen.Value == value }) {
			m.Enum = append(m.Enum, model.Const{Name: name, Value: value, Description: source.text[name]})
		}
	}
	if len(m.Enum) < 2 || flags {
		m.Known, m.Enum = m.Enum, nil
		return
	}
	m.Values = b.take(unexported(b.localName(named)) + "Values")
	b.file.Enums = append(b.file.Enums, m)
}

func jsonConstant(v constant.Value) string {
	if v.Kind() == constant.String {
		return model.Quote(constant.StringVal(v))
	}
	return v.ExactString()
}

func (b *binder) fillMap(m *model.Type, t *types.Map, hint string) (err error) {
	m.Kind = model.Map
	if m.Key, err = b.shape(t.Key(), hint); err != nil {
		return fmt.Errorf("map key: %w", err)
	}
	if k := m.Key.Kind; k != model.String && k != model.Int && k != model.Uint {
		return fmt.Errorf("a map key of type %s is neither a string nor an integer", b.typeName(t.Key()))
	}
	return b.fillElem(m, t.Elem(), hint)
}

func (b *binder) fillStruct(m *model.Type, t types.Type, hint string) error {
	m.Kind = model.StructKind
	for _, f := range jsonFields(t) {
		field, err := b.field(f, t, hint)
		if err != nil {
			return fmt.Errorf("field %s: %w", f.v().Name(), err)
		}
		m.Fields = append(m.Fields, field)
	}
	if s := t.Underlying().(*types.Struct); len(m.Fields) == 0 && s.NumFields() > 0 {
		return fmt.Errorf("struct %s has no field that JSON can carry", b.typeName(t))
	}
	return nil
}

func (b *binder) field(f jsonField, owner types.Type, hint string) (*model.Field, error) {
	if f.has("string") {
		return nil, fmt.Errorf("the tag option ,string is not supported")
	}
	for _, v := range f.chain[:len(f.chain)-1] {
		if _, ok := types.Unalias(v.Type()).(*types.Pointer); ok {
			return nil, fmt.Errorf("the embedded pointer %s is not supported; embed the struct itself", v.Name())
		}
	}
	typ, err := b.shape(f.v().Type(), hint+capitalised(f.v().Name()))
	if err != nil {
		return nil, err
	}
	omit, err := omission(f)
	if err != nil {
		return nil, err
	}
	return &model.Field{
		Name:        f.name,
		Path:        b.selectors(f, owner),
		Type:        typ,
		Description: b.fieldDoc(f),
		Optional:    omit != model.OmitNever || mayBeNull(typ),
		Omit:        omit,
	}, nil
}

// mayBeNull reports whether a type has a value for null, so that an argument of
// it can be left out.
func mayBeNull(t *model.Type) bool { return t.Kind == model.Pointer || t.Kind == model.Null }

// selectors is the shortest way from a struct to a field: its name, where Go
// promotes it, else with the embedded structs that lead to it.
func (b *binder) selectors(f jsonField, owner types.Type) []string {
	found, _, _ := types.LookupFieldOrMethod(owner, true, f.v().Pkg(), f.v().Name())
	if found == f.v() {
		return []string{f.v().Name()}
	}
	var path []string
	for _, v := range f.chain {
		path = append(path, v.Name())
	}
	return path
}

// omission follows encoding/json: omitempty leaves out what is empty, which a
// struct never is, and omitzero what is zero, by an IsZero method if there is one.
func omission(f jsonField) (model.Omit, error) {
	t := f.v().Type()
	switch {
	case f.has("omitzero") && hasIsZero(t):
		return model.OmitIsZero, nil
	case !f.has("omitzero") && !f.has("omitempty"):
		return model.OmitNever, nil
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return omitBasic[u.Info()&(types.IsBoolean|types.IsNumeric|types.IsString)], nil
	case *types.Pointer, *types.Interface:
		return model.OmitNil, nil
	case *types.Slice, *types.Map:
		if f.has("omitempty") {
			return model.OmitLen, nil
		}
		return model.OmitNil, nil
	case *types.Array:
		if u.Len() == 0 {
			return model.OmitLen, nil
		}
	}
	switch {
	case !f.has("omitzero"):
		return model.OmitNever, nil
	case !types.Comparable(t):
		return 0, fmt.Errorf("omitzero on a type that cannot be compared needs a method IsZero() bool")
	}
	return model.OmitValue, nil
}

var omitBasic = map[types.BasicInfo]model.Omit{
	types.IsBoolean: model.OmitFalse, types.IsString: model.OmitBlank,
	types.IsInteger: model.OmitZero, types.IsFloat: model.OmitZero,
}

func hasIsZero(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "IsZero")
	f, ok := obj.(*types.Func)
	return ok && f.Signature().Params().Len() == 0 && f.Signature().Results().Len() == 1 &&
		types.Identical(f.Signature().Results().At(0).Type(), types.Typ[types.Bool])
}

func (b *binder) fieldDoc(f jsonField) string {
	if named, ok := types.Unalias(f.owner).(*types.Named); ok {
		return b.docOf(named.Obj(), named.Obj().Name()+"."+f.v().Name())
	}
	return ""
}

// nameFunctions gives a type that is read by a function its reader and writer.
func (b *binder) nameFunctions(m *model.Type, hint, suffix string) {
	name := goName(hint, "T") + suffix
	m.Reader = b.take("decode" + name)
	m.Writer = b.take("encode" + name)
	b.file.Types = append(b.file.Types, m)
}

// localName is a named type's name in generated names: that of another package
// has the package's in front, that of an instance its type arguments behind.
func (b *binder) localName(t *types.Named) string {
	name := t.Obj().Name()
	if p := t.Obj().Pkg(); p != nil && p != b.pkg.Types {
		name = capitalised(p.Name()) + capitalised(name)
	}
	for arg := range t.TypeArgs().Types() {
		words := splitName(b.typeName(arg))
		for i, word := range words {
			words[i] = capitalised(word)
		}
		name += strings.Join(words, "")
	}
	return capitalised(name)
}
