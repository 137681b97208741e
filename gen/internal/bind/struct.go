package bind

import (
	"errors"
	"fmt"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
)

func (s *shaper) fillStruct(m *model.Type, t types.Type, hint string) error {
	m.Kind = model.StructKind
	pointers := map[*types.Var]*model.Embedded{}
	for _, f := range jsonFields(t) {
		field, err := s.field(f, t, hint, pointers)
		if err != nil {
			return fmt.Errorf("field %s: %w", f.v().Name(), err)
		}
		m.Fields = append(m.Fields, field)
	}
	return nil
}

func (s *shaper) field(f jsonField, owner types.Type, hint string, pointers map[*types.Var]*model.Embedded) (*model.Field, error) {
	typ, err := s.fieldType(f, hint)
	if err != nil {
		return nil, err
	}
	field := &model.Field{Name: f.name, Type: typ, Description: s.fieldDoc(f)}
	if field.Path, err = s.selectors(f.chain, owner); err != nil {
		return nil, err
	}
	if field.Omit, err = omission(f, typ); err != nil {
		return nil, err
	}
	if field.Within, err = s.embeddedPointers(f, owner, pointers); err != nil {
		return nil, err
	}
	field.Optional = f.has("omitempty") || f.has("omitzero") || mayBeNull(typ) || len(field.Within) > 0
	s.constrain(field, f, hint+goname.Capitalised(f.v().Name()))
	return field, nil
}

// fieldType is the shape of a field's type. What generated code cannot name it
// leaves to encoding/json.
func (s *shaper) fieldType(f jsonField, hint string) (*model.Type, error) {
	t := f.v().Type()
	typ, err := s.shape(t, hint+goname.Capitalised(f.v().Name()))
	if why, ok := errors.AsType[*unnameableError](err); ok {
		return s.opaque(t, why)
	}
	if err == nil && f.has("string") {
		typ = quoted(typ)
	}
	return typ, err
}

// opaque is the shape of a type that generated code cannot name. Its schema
// allows what encoding/json reads or writes: it takes less care than we do.
func (s *shaper) opaque(t types.Type, why error) (*model.Type, error) {
	inner := newShaper(s.binder, s.output)
	inner.nested, inner.why = true, why
	elem, err := inner.shape(t, "")
	if err != nil {
		return nil, err
	}
	m := &model.Type{Kind: model.Opaque, Elem: elem}
	walk(elem, map[*model.Type]bool{}, func(part *model.Type) {
		if slices.Contains(differentKinds, part.Kind) || s.output && slices.Contains(nilKinds, part.Kind) {
			m.Elem = nil
		}
		for _, field := range part.Fields {
			field.Optional = true
		}
	})
	return m, nil
}

var (
	// differentKinds are the kinds that encoding/json has another form for.
	differentKinds = []model.Kind{model.Duration, model.Null, model.URL}

	// nilKinds are the kinds that encoding/json may write null for.
	nilKinds = []model.Kind{model.Slice, model.Map, model.Bytes}
)

// quoted is a type with the tag option ",string". It has no effect on types
// that are not basic ones, or have a form of their own.
func quoted(t *model.Type) *model.Type {
	switch t.Kind {
	case model.Pointer:
		pointer := *t
		if pointer.Elem = quoted(t.Elem); pointer.Elem != t.Elem && t.Elem.Kind != model.Pointer {
			return &pointer
		}
	case model.Bool, model.Int, model.Uint, model.Float, model.String, model.Number:
		return &model.Type{Kind: model.Quoted, Go: t.Go, Elem: t}
	}
	return t
}

// mayBeNull reports whether a type has a value for null, so that an argument of
// it can be left out.
func mayBeNull(t *model.Type) bool { return t.Kind == model.Pointer || t.Kind == model.Null }

// selectors is the shortest way from a struct to a field, at the end of a chain
// of embedded ones: its name, where Go promotes it, else all of the chain.
func (s *shaper) selectors(chain []*types.Var, owner types.Type) ([]string, error) {
	v := chain[len(chain)-1]
	if found, _, _ := types.LookupFieldOrMethod(owner, true, v.Pkg(), v.Name()); found == v {
		chain = chain[len(chain)-1:]
	}
	var path []string
	for _, v := range chain {
		if !v.Exported() && v.Pkg().Path() != s.target.Path && !s.nested {
			return nil, fmt.Errorf("package %s cannot reach %s, which is not exported", s.target.Name, v.Name())
		}
		path = append(path, v.Name())
	}
	return path, nil
}

// embeddedPointers are the pointers on the way to a field: what they point to
// is there only together with its fields. Fields behind the same pointer share
// it.
func (s *shaper) embeddedPointers(f jsonField, owner types.Type, known map[*types.Var]*model.Embedded) ([]*model.Embedded, error) {
	var within []*model.Embedded
	for i, v := range f.chain[:len(f.chain)-1] {
		p, ok := types.Unalias(v.Type()).(*types.Pointer)
		if !ok {
			continue
		}
		if known[v] == nil {
			path, err := s.selectors(f.chain[:i+1], owner)
			if err != nil {
				return nil, err
			}
			goType, err := s.goType(p.Elem())
			if err != nil && !s.nested {
				return nil, fmt.Errorf("embedded pointer %s: %w", v.Name(), err)
			}
			known[v] = &model.Embedded{Path: path, Elem: goType}
		}
		within = append(within, known[v])
	}
	return within, nil
}

// omission follows encoding/json: omitempty leaves out what is empty, which a
// struct never is, and omitzero what is zero, by an IsZero method if there is one.
func omission(f jsonField, typ *model.Type) (model.Omit, error) {
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
	case !types.Comparable(t) || typ.Kind == model.Opaque:
		return 0, errors.New("omitzero on a type that cannot be compared needs a method IsZero() bool")
	}
	return model.OmitValue, nil
}

var omitBasic = map[types.BasicInfo]model.Omit{
	types.IsBoolean: model.OmitFalse, types.IsString: model.OmitBlank,
	types.IsInteger: model.OmitZero, types.IsFloat: model.OmitZero,
}

var isZero = method{"IsZero", signature(nil, types.Typ[types.Bool])}

func hasIsZero(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return hasIsZero(p.Elem())
	}
	return hasMethod(types.Unalias(t), isZero)
}

// fieldDoc is what the source says of a field.
func (s *shaper) fieldDoc(f jsonField) string {
	v := f.v()
	if v.Pkg() == s.pkg.Types {
		return s.docsOf(v.Pkg()).fields[v.Pos()]
	}
	if named, ok := types.Unalias(f.owner).(*types.Named); ok {
		return s.docOf(named.Obj(), named.Obj().Name()+"."+v.Name())
	}
	return ""
}
