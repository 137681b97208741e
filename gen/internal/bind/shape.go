package bind

import (
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// A shaper reads Go types as JSON sees them, in one direction: what arguments
// are read as is not always what results are written as.
type shaper struct {
	*binder
	output  bool
	nested  bool                 // within a type that generated code cannot name
	why     error                // it cannot, if nested
	shapes  typeutil.Map         // types.Type to *model.Type
	filling map[*model.Type]bool // shapes that are under way
}

func newShaper(b *binder, output bool) *shaper {
	return &shaper{binder: b, output: output, filling: map[*model.Type]bool{}}
}

// shape reads a Go type. The hint names what has no name of its own: an
// anonymous struct, an array.
func (s *shaper) shape(t types.Type, hint string) (*model.Type, error) {
	t = types.Unalias(t)
	if known, ok := s.shapes.At(t).(*model.Type); ok {
		if named, ok := t.(*types.Named); ok && s.filling[known] {
			s.nameFunction(known, s.localName(named), "") // it holds itself, so it cannot be read in place
		}
		return known, nil
	}
	m := &model.Type{}
	s.shapes.Set(t, m) // first, so that a recursive type finds itself
	s.filling[m] = true
	defer delete(s.filling, m)
	if err := s.fill(m, t, hint); err != nil {
		s.shapes.Delete(t)
		return nil, err
	}
	return m, nil
}

func (s *shaper) fill(m *model.Type, t types.Type, hint string) (err error) {
	if m.Go, err = s.goType(t); err != nil && !s.nested {
		return err
	}
	if named, ok := t.(*types.Named); ok {
		m.Description = s.docOf(named.Obj(), named.Obj().Name())
		m.Short = s.shortName(named)
		hint = s.localName(named)
	}
	if own, err := s.fillOwnForm(m, t, hint); own || err != nil {
		return err
	}
	if s.byReference(t) {
		return s.fillRef(m, t)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return s.fillBasic(m, u, t)
	case *types.Interface:
		m.Kind = model.Any
		return nil
	case *types.Pointer:
		if onlyPointers(t) {
			return fmt.Errorf("%s points to nothing but itself", s.typeName(t))
		}
		m.Kind = model.Pointer
		return s.fillElem(m, u.Elem(), hint)
	case *types.Slice:
		if isBytes(u) {
			return s.fillBytes(m, u)
		}
		m.Kind = model.Slice
		return s.fillElem(m, u.Elem(), hint)
	case *types.Array:
		m.Kind, m.Len = model.Array, u.Len()
		s.nameFunction(m, hint, "Array")
		return s.fillElem(m, u.Elem(), hint)
	case *types.Map:
		return s.fillMap(m, u, hint)
	case *types.Struct:
		s.nameFunction(m, hint, "")
		return s.fillStruct(m, t, hint)
	}
	if t.Underlying() == types.Typ[types.Invalid] {
		return errInvalid
	}
	return fmt.Errorf("%s is no value that JSON can carry", s.typeName(t))
}

// byReference reports whether values of a type, or what they point to, have no
// form in JSON, so that a model can only refer to them.
func (s *shaper) byReference(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	case *types.Interface:
		return !u.Empty()
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		return u.NumFields() > 0 && len(jsonFields(t)) == 0
	case *types.Pointer:
		elem := types.Unalias(u.Elem())
		_, own := s.ownForm(elem)
		return !onlyPointers(t) && !own && s.byReference(elem)
	}
	return false
}

func (s *shaper) fillRef(m *model.Type, t types.Type) error {
	if s.nested {
		why := s.why
		if _, err := s.goType(t); err != nil {
			why = err // it is out of reach itself
		}
		return fmt.Errorf("%s is no value that JSON can carry, and generated code cannot refer to it: %w", s.typeName(t), why)
	}
	m.Kind = model.Ref
	m.Description = "" // it says how the value is used in Go
	return nil
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

func (s *shaper) fillElem(m *model.Type, elem types.Type, hint string) (err error) {
	m.Elem, err = s.shape(elem, hint)
	return err
}

// isBytes reports whether encoding/json writes a slice as text in base64: that
// of a type of byte, unless the type has a form of its own.
func isBytes(t *types.Slice) bool {
	basic, ok := t.Elem().Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Byte && !hasMethod(t.Elem(), marshalJSON) && !hasMethod(t.Elem(), marshalText)
}

func (s *shaper) fillBytes(m *model.Type, t *types.Slice) (err error) {
	m.Kind = model.Bytes
	if elem, ok := types.Unalias(t.Elem()).(*types.Named); ok {
		m.Elem = &model.Type{Kind: model.Uint, Bits: 8}
		m.Elem.Go, err = s.goType(elem)
	}
	return err
}

var bits = map[types.BasicKind]int{
	types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Int64: 64,
	types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64, types.Uintptr: 64,
	types.Float32: 32, types.Float64: 64,
}

func (s *shaper) fillBasic(m *model.Type, t *types.Basic, declared types.Type) error {
	m.Bits = bits[t.Kind()]
	switch info := t.Info(); {
	case t.Kind() == types.Invalid:
		return errInvalid
	case info&types.IsComplex != 0:
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
	if named, ok := declared.(*types.Named); ok && (m.Kind == model.String || m.Kind == model.Int || m.Kind == model.Uint) {
		s.fillConstants(m, named)
	}
	return nil
}

// fillConstants takes the constants of a named type as its values: all that
// are allowed, or, where they are flags to combine, some that have names.
func (s *shaper) fillConstants(m *model.Type, named *types.Named) {
	pkg := named.Obj().Pkg()
	source := s.docsOf(pkg)
	flags := false
	for _, name := range s.constantsOf(named.Obj()) {
		if named.Obj().Exported() && !token.IsExported(name) {
			continue
		}
		c := pkg.Scope().Lookup(name).(*types.Const)
		flags = flags || source.flags[name]
		value := jsonConstant(c.Val())
		if !slices.ContainsFunc(m.Enum, func(seen model.Const) bool { return seen.Value == value }) {
			m.Enum = append(m.Enum, model.Const{Name: name, Value: value, Description: source.text[name]})
		}
	}
	if len(m.Enum) < 2 || flags || s.nested {
		m.Known, m.Enum = m.Enum, nil
		return
	}
	s.enums[enumKey(m.Go)] = enum{pkg, m.Enum}
	if !s.output {
		s.nameValues(m, s.localName(named))
	}
}

// constantsOf are the names of a type's constants in its package.
func (b *binder) constantsOf(t *types.TypeName) []string {
	known := b.constants[t.Pkg()]
	if known == nil {
		known = map[*types.TypeName][]string{}
		for _, name := range b.docsOf(t.Pkg()).consts {
			if c, ok := t.Pkg().Scope().Lookup(name).(*types.Const); ok {
				if named, ok := types.Unalias(c.Type()).(*types.Named); ok {
					known[named.Obj()] = append(known[named.Obj()], name)
				}
			}
		}
		b.constants[t.Pkg()] = known
	}
	return known[t]
}

func jsonConstant(v constant.Value) string {
	if v.Kind() == constant.String {
		return jsontext.Quote(constant.StringVal(v))
	}
	return v.ExactString()
}

func (s *shaper) fillMap(m *model.Type, t *types.Map, hint string) (err error) {
	m.Kind = model.Map
	if m.Key, err = s.key(types.Unalias(t.Key()), hint); err != nil {
		return fmt.Errorf("map key: %w", err)
	}
	return s.fillElem(m, t.Elem(), hint)
}

// key reads the type of a map's keys, for which encoding/json has rules of its
// own: they are read from text where they can be, but what is a string is
// written as it is.
func (s *shaper) key(t types.Type, hint string) (*model.Type, error) {
	basic, _ := t.Underlying().(*types.Basic)
	isString := basic != nil && basic.Info()&types.IsString != 0
	hasText := hasMethod(t, unmarshalText)
	if s.output {
		hasText = !isString && types.NewMethodSet(t).Lookup(nil, marshalText.name) != nil
	}
	shape, err := s.shape(t, hint)
	switch {
	case err != nil:
		return nil, err
	case hasText && (shape.Kind == model.Text || shape.Kind == model.Time):
		return shape, nil
	case hasText:
		key := &model.Type{Kind: model.Text, Go: shape.Go}
		s.fillText(key, t)
		return key, nil
	case isString && shape.Kind != model.String:
		return &model.Type{Kind: model.String, Go: shape.Go}, nil
	case basic != nil && basic.Info()&types.IsInteger != 0 && shape.Kind != model.Int && shape.Kind != model.Uint:
		return &model.Type{Kind: model.Int, Go: shape.Go}, nil
	case isString || basic != nil && basic.Info()&types.IsInteger != 0:
		return shape, nil
	}
	return nil, fmt.Errorf("%s is neither a string nor an integer, and has no text form", s.typeName(t))
}

// nameFunction gives a type that is not read or written in place its function.
func (s *shaper) nameFunction(m *model.Type, hint, suffix string) {
	name := goname.Exported(hint, "T") + suffix
	switch {
	case s.nested || m.Reader != "" || m.Writer != "":
		return
	case s.output:
		m.Writer = s.take("encode" + name)
	default:
		m.Reader = s.take("decode" + name)
	}
	s.file.Types = append(s.file.Types, m)
}

// nameValues gives a type with an enum the table of its values.
func (b *binder) nameValues(m *model.Type, name string) {
	m.Values = b.take(goname.Unexported(name) + "Values")
	b.file.Enums = append(b.file.Enums, m)
}

// shortName is what $defs calls a type: Page, Page_int for an instance, and
// pkg_Page where another type has the name already.
func (b *binder) shortName(t *types.Named) string {
	if known, ok := b.shorts.At(t).(string); ok {
		return known
	}
	name := t.Obj().Name()
	for arg := range t.TypeArgs().Types() {
		name += "_" + strings.Join(goname.Words(b.typeName(arg)), "_")
	}
	if p := t.Obj().Pkg(); p != nil && b.shortNames[name] {
		name = p.Name() + "_" + name
	}
	name = b.shortNames.Take(name)
	b.shorts.Set(t, name)
	return name
}

// localName is a named type's name in generated names: that of another package
// has the package's in front, that of an instance its type arguments behind.
func (b *binder) localName(t *types.Named) string {
	name := t.Obj().Name()
	if p := t.Obj().Pkg(); p != nil && p != b.pkg.Types {
		name = goname.Capitalised(p.Name()) + goname.Capitalised(name)
	}
	for arg := range t.TypeArgs().Types() {
		words := goname.Words(b.typeName(arg))
		for i, word := range words {
			words[i] = goname.Capitalised(word)
		}
		name += strings.Join(words, "")
	}
	return goname.Capitalised(name)
}
