package shape

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// isBytes reports whether encoding/json writes a slice as base64: a slice of bytes whose
// element type has no methods for JSON or text.
func isBytes(t *types.Slice) bool {
	basic, ok := t.Elem().Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Byte && !hasMethod(t.Elem(), marshalJSON) && !hasMethod(t.Elem(), marshalText)
}

func (s *Shapes) fillBytes(m *model.Type, t *types.Slice) (err error) {
	m.Kind = model.Bytes
	if elem, ok := types.Unalias(t.Elem()).(*types.Named); ok {
		m.Elem = &model.Type{Kind: model.Uint, Bits: 8}
		m.Elem.Go, err = s.write.GoType(elem)
	}
	return err
}

// basicBits holds the sizes of numeric types.
var basicBits = map[types.BasicKind]int{
	types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Int64: 64,
	types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64,
	types.Float32: 32, types.Float64: 64,
}

func (r *typeReader) fillBasic(m *model.Type, t *types.Basic, declared types.Type) error {
	m.Bits = basicBits[t.Kind()]
	switch info := t.Info(); {
	case t.Kind() == types.Invalid:
		return ErrInvalid
	case info&types.IsComplex != 0:
		return fmt.Errorf("%s is not a value that JSON can carry", t.Name())
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
		r.fillConstants(m, named)
	}
	return nil
}

// fillConstants sets the constants of a named type as the allowed values. If the type is open,
// they are only listed as known values.
func (r *typeReader) fillConstants(m *model.Type, named *types.Named) {
	pkg := named.Obj().Pkg()
	source := r.docs.PackageDoc(pkg)
	open := r.nested || !r.isClosed(named)
	seen := map[string]bool{} // values
	for _, name := range r.constantsOf(named.Obj()) {
		if named.Obj().Exported() && !token.IsExported(name) {
			continue
		}
		c := pkg.Scope().Lookup(name).(*types.Const)
		open = open || source.Flags[name]
		if c.Val().Kind() == constant.String && !utf8.ValidString(constant.StringVal(c.Val())) {
			open = open || r.output // JSON replaces the invalid bytes
			continue
		}
		value := jsonConstant(c.Val())
		if !seen[value] {
			seen[value] = true
			m.Enum = append(m.Enum, model.Const{Name: name, Value: value, Description: r.docOf(pkg, name)})
		}
	}
	if len(m.Enum) < 2 || open {
		m.Known, m.Enum = m.Enum, nil
		return
	}
	r.enums[enumKey(m.Go)] = constantSet{pkg, m.Enum}
}

// isClosed reports whether a type has no other values than its constants. Types of the user's module are
// closed. Types of other modules are open: the states of a server, for example, may be more than this
// version of the module knows, and a user cannot add a constant. Only numbers that are counted with iota
// are closed there, too, because they have no meaning outside of Go.
func (s *Shapes) isClosed(named *types.Named) bool {
	pkg := named.Obj().Pkg()
	if !s.isForeign(pkg) {
		return true
	}
	counted := s.docs.PackageDoc(pkg).Counted
	return slices.ContainsFunc(s.constantsOf(named.Obj()), func(name string) bool { return counted[name] })
}

// openType returns a copy of a type in which other values than its constants are allowed.
func openType(t *model.Type) *model.Type {
	open := new(*t)
	open.Known, open.Enum, open.Narrowed = slices.Concat(t.Enum, t.Known), nil, true
	return open
}

// OpenEnum returns a type in which all values are allowed: the type itself, its elements, and
// the keys of a map. It reports false if none of them has constants.
func OpenEnum(t *model.Type) (open *model.Type, ok bool) { return openPart(t, 0) }

// openPart implements OpenEnum for a part at a depth, which is limited because a list may
// contain itself.
func openPart(t *model.Type, depth int) (open *model.Type, ok bool) {
	if len(t.Enum)+len(t.Known) > 0 {
		return openType(t), true
	}
	ok = t.Key != nil && len(t.Key.Known) > 0 // keys are open anyway
	if t.Elem == nil || depth == maxKeywordDepth {
		return t, ok
	}
	elem, opened := openPart(t.Elem, depth+1)
	if !opened {
		return t, ok
	}
	return t.WithElem(elem), true
}

// constantsOf returns the names of all constants of a type that its package declares. It returns nil if some
// exist only on some systems, because generated code is the same on all systems.
func (s *Shapes) constantsOf(t *types.TypeName) []string {
	if !s.docs.PackageDoc(t.Pkg()).Constant[t.Name()] {
		return nil
	}
	byType := s.constants[t.Pkg()]
	if byType == nil {
		s.write.Package.CompleteImport(t.Pkg())
		byType = map[*types.TypeName][]string{}
		for _, name := range s.docs.PackageDoc(t.Pkg()).Consts {
			if c, ok := t.Pkg().Scope().Lookup(name).(*types.Const); ok {
				if named, ok := types.Unalias(c.Type()).(*types.Named); ok {
					byType[named.Obj()] = append(byType[named.Obj()], name)
				}
			}
		}
		system := s.docs.SystemNames(t.Pkg())
		maps.DeleteFunc(byType, func(t *types.TypeName, names []string) bool {
			return system[t.Name()] || slices.ContainsFunc(names, func(name string) bool { return system[name] })
		})
		s.constants[t.Pkg()] = byType
	}
	return byType[t]
}

func jsonConstant(v constant.Value) string {
	if v.Kind() == constant.String {
		return jsontext.Quote(constant.StringVal(v))
	}
	return v.ExactString()
}
