package shape

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// isBytes reports whether encoding/json writes a slice as text in base64: that
// of a type of byte, unless the type has a form of its own.
func isBytes(t *types.Slice) bool {
	basic, ok := t.Elem().Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Byte && !hasMethod(t.Elem(), marshalJSON) && !hasMethod(t.Elem(), marshalText)
}

func (r *reading) fillBytes(m *model.Type, t *types.Slice) (err error) {
	m.Kind = model.Bytes
	if elem, ok := types.Unalias(t.Elem()).(*types.Named); ok {
		m.Elem = &model.Type{Kind: model.Uint, Bits: 8}
		m.Elem.Go, err = r.write.Type(elem)
	}
	return err
}

var bits = map[types.BasicKind]int{
	types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Int64: 64,
	types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64,
	types.Float32: 32, types.Float64: 64,
}

func (r *reading) fillBasic(m *model.Type, t *types.Basic, declared types.Type) error {
	m.Bits = bits[t.Kind()]
	switch info := t.Info(); {
	case t.Kind() == types.Invalid:
		return ErrInvalid
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
		r.fillConstants(m, named)
	}
	return nil
}

// fillConstants takes the constants of a named type as its values: all that
// are allowed, or, where they are flags to combine, some that have names.
func (r *reading) fillConstants(m *model.Type, named *types.Named) {
	pkg := named.Obj().Pkg()
	source := r.docs.Of(pkg)
	flags := false
	seen := map[string]bool{} // values
	for _, name := range r.constantsOf(named.Obj()) {
		if named.Obj().Exported() && !token.IsExported(name) {
			continue
		}
		c := pkg.Scope().Lookup(name).(*types.Const)
		flags = flags || source.Flags[name]
		value := jsonConstant(c.Val())
		if !seen[value] {
			seen[value] = true
			m.Enum = append(m.Enum, model.Const{Name: name, Value: value, Description: source.Text[name]})
		}
	}
	if len(m.Enum) < 2 || flags || r.nested {
		m.Known, m.Enum = m.Enum, nil
		return
	}
	r.enums[enumKey(m.Go)] = enum{pkg, m.Enum}
}

// constantsOf are the names of a type's constants in its package.
func (s *Shapes) constantsOf(t *types.TypeName) []string {
	known := s.constants[t.Pkg()]
	if known == nil {
		known = map[*types.TypeName][]string{}
		for _, name := range s.docs.Of(t.Pkg()).Consts {
			if c, ok := t.Pkg().Scope().Lookup(name).(*types.Const); ok {
				if named, ok := types.Unalias(c.Type()).(*types.Named); ok {
					known[named.Obj()] = append(known[named.Obj()], name)
				}
			}
		}
		s.constants[t.Pkg()] = known
	}
	return known[t]
}

func jsonConstant(v constant.Value) string {
	if v.Kind() == constant.String {
		return jsontext.Quote(constant.StringVal(v))
	}
	return v.ExactString()
}
