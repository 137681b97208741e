package bind

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// unnameableError says which type the generated package cannot name, and why.
type unnameableError struct{ reason string }

func (e *unnameableError) Error() string { return e.reason }

func unnameable(format string, args ...any) error {
	return &unnameableError{fmt.Sprintf(format, args...)}
}

// goType writes a Go type down for the generated package. The error says which
// part of it that package cannot name.
func (b *binder) goType(t types.Type) (model.GoType, error) {
	switch t := t.(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return model.GoType{Path: "unsafe", Name: "Pointer"}, nil
		}
		return model.Basic(t.Name()), nil
	case *types.Alias:
		return b.goNamed(t.Obj(), t.TypeArgs())
	case *types.Named:
		return b.goNamed(t.Obj(), t.TypeArgs())
	case *types.Pointer:
		return b.goElems(model.GoType{Kind: model.GoPointer}, t.Elem())
	case *types.Slice:
		return b.goElems(model.GoType{Kind: model.GoSlice}, t.Elem())
	case *types.Array:
		return b.goElems(model.GoType{Kind: model.GoArray, Len: t.Len()}, t.Elem())
	case *types.Map:
		return b.goElems(model.GoType{Kind: model.GoMap}, t.Key(), t.Elem())
	case *types.Chan:
		kinds := map[types.ChanDir]model.GoKind{
			types.SendRecv: model.GoChan, types.SendOnly: model.GoSendChan, types.RecvOnly: model.GoReceiveChan,
		}
		return b.goElems(model.GoType{Kind: kinds[t.Dir()]}, t.Elem())
	case *types.Signature:
		return b.goFunc(t)
	case *types.Struct:
		return b.goStruct(t)
	case *types.Interface:
		return b.goInterface(t)
	}
	return model.GoType{}, unnameable("type %s cannot be written in generated code", b.typeName(t))
}

func (b *binder) goElems(t model.GoType, elems ...types.Type) (model.GoType, error) {
	for _, elem := range elems {
		e, err := b.goType(elem)
		if err != nil {
			return t, err
		}
		t.Elems = append(t.Elems, e)
	}
	return t, nil
}

func (b *binder) goNamed(obj *types.TypeName, args *types.TypeList) (model.GoType, error) {
	if obj.Pkg() == nil {
		return model.Basic(obj.Name()), nil
	}
	t := model.GoType{Path: obj.Pkg().Path(), Name: obj.Name()}
	if obj.Pkg() != b.pkg.Types {
		t.Pkg = obj.Pkg().Name()
	}
	if t.Path != b.target.Path {
		if !obj.Exported() {
			return t, unnameable("type %s is not exported, so package %s cannot name it", b.typeName(obj.Type()), b.target.Name)
		}
		if err := b.visible(obj.Pkg()); err != nil {
			return t, err
		}
		b.use(obj.Pkg())
	} else {
		b.mentioned.Reserve(obj.Name())
	}
	var list []types.Type
	for arg := range args.Types() {
		list = append(list, arg)
	}
	return b.goElems(t, list...)
}

// visible reports why the generated package may not import a package: that is
// internal to another tree, or vendored there.
func (b *binder) visible(p *types.Package) error {
	path := "/" + p.Path() + "/"
	if strings.Contains(path, "/vendor/") {
		return unnameable("package %s cannot import %s, which is vendored", b.target.Path, p.Path())
	}
	at := strings.LastIndex(path, "/internal/")
	inside := path[:at+1]
	if at == 0 { // the standard library's
		inside = "/internal/"
	}
	if at < 0 || strings.HasPrefix("/"+b.target.Path+"/", inside) {
		return nil
	}
	return unnameable("package %s cannot import %s, which is internal", b.target.Path, p.Path())
}

func (b *binder) goFunc(sig *types.Signature) (model.GoType, error) {
	var params, results []types.Type
	for v := range sig.Params().Variables() {
		params = append(params, v.Type())
	}
	for v := range sig.Results().Variables() {
		results = append(results, v.Type())
	}
	t, err := b.goElems(model.GoType{Kind: model.GoFunc, Spread: sig.Variadic()}, params...)
	if err != nil {
		return t, err
	}
	r, err := b.goElems(model.GoType{}, results...)
	t.Result = r.Elems
	return t, err
}

func (b *binder) goStruct(s *types.Struct) (model.GoType, error) {
	t := model.GoType{Kind: model.GoStruct}
	for i := range s.NumFields() {
		v := s.Field(i)
		if !v.Exported() && v.Pkg().Path() != b.target.Path {
			return t, unnameable("a struct with the unexported field %s cannot be written in package %s", v.Name(), b.target.Name)
		}
		ft, err := b.goType(v.Type())
		if err != nil {
			return t, err
		}
		field := model.GoField{Type: ft, Tag: s.Tag(i)}
		if !v.Embedded() {
			field.Name = v.Name()
		}
		t.Fields = append(t.Fields, field)
	}
	return t, nil
}

func (b *binder) goInterface(i *types.Interface) (model.GoType, error) {
	if i.Empty() {
		return model.Basic("any"), nil
	}
	t := model.GoType{Kind: model.GoInterface}
	for e := range i.EmbeddedTypes() {
		et, err := b.goType(e)
		if err != nil {
			return t, err
		}
		t.Fields = append(t.Fields, model.GoField{Type: et})
	}
	for m := range i.ExplicitMethods() {
		if !m.Exported() && m.Pkg().Path() != b.target.Path {
			return t, unnameable("an interface with the unexported method %s cannot be written in package %s", m.Name(), b.target.Name)
		}
		mt, err := b.goFunc(m.Signature())
		if err != nil {
			return t, err
		}
		t.Fields = append(t.Fields, model.GoField{Name: m.Name(), Type: mt})
	}
	return t, nil
}

// typeName is a type as messages show it: without the package's own name.
func (b *binder) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == b.pkg.Types {
			return ""
		}
		return p.Name()
	})
}
