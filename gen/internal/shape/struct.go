package shape

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/jsonfield"
	"github.com/aiongen/aiongen/gen/internal/model"
)

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

// isOption reports whether a field is one of many that a caller may set, which other
// notations than JSON say or, of a struct of another module that is not meant as JSON,
// nobody does.
func (r *reading) isOption(f jsonfield.Field) bool {
	for _, key := range []string{"url", "form"} {
		if _, options, _ := strings.Cut(f.Tag.Get(key), ","); slices.Contains(strings.Split(options, ","), "omitempty") {
			return true
		}
	}
	s, ok := f.Owner.Underlying().(*types.Struct)
	if !ok || f.Var().Pkg() == nil || r.write.Package.Owns(f.Var().Pkg().Path()) {
		return false
	}
	return !isMeantAsJSON(s)
}

// isLackingApart reports whether a field is an embedded struct of nothing but options
// that is an object of its own.
func isLackingApart(f jsonfield.Field, t *model.Type) bool {
	return f.Var().Embedded() && !f.Tagged && t.Kind == model.StructKind && MayLack(t)
}

// MayLack reports whether a parameter of a type may be left out: it is a pointer to a
// simple value, or a struct of nothing but options.
func MayLack(t *model.Type) bool {
	elem := t
	if t.Kind == model.Pointer {
		elem = t.Elem
	}
	switch elem.Kind {
	case model.StructKind:
		return !slices.ContainsFunc(elem.Shown(), func(f *model.Field) bool { return !f.Optional })
	case model.Null:
		return true
	case model.Bool, model.Int, model.Uint, model.Float, model.String, model.Number, model.Time, model.Duration:
		return t.Kind == model.Pointer
	case model.Text:
		return t.Kind == model.Pointer && elem.OnValue
	}
	return false
}

// MayBeNull reports whether a type has a value for null, so that an argument of
// it can be left out.
func MayBeNull(t *model.Type) bool { return t.Kind == model.Pointer || t.Kind == model.Null }

// selectors is the shortest way from a struct to a field, at the end of a chain
// of embedded ones: its name, where Go promotes it, else all of the chain.
func (r *reading) selectors(chain []*types.Var, owner types.Type) ([]string, error) {
	if n := len(chain) - 1; n > 0 { // most are in the struct itself
		v := chain[n]
		if !r.write.Budget.Step(lookupCost(owner)) {
			return nil, r.write.Budget.Err()
		}
		if found, _, _ := types.LookupFieldOrMethod(owner, true, v.Pkg(), v.Name()); found == v {
			chain = chain[n:]
		}
	}
	var path []string
	for _, v := range chain {
		if !v.Exported() && v.Pkg().Path() != r.write.Target.Path && !r.nested {
			return nil, fmt.Errorf("package %s cannot reach %s, which is not exported", r.write.Target.Name, v.Name())
		}
		path = append(path, v.Name())
	}
	return path, nil
}

// lookupCost is how many steps it takes to look up a promoted field: package types compares
// all embedded fields with each other.
func lookupCost(owner types.Type) int {
	s := owner.Underlying().(*types.Struct)
	embedded := 0
	for v := range s.Fields() {
		if v.Embedded() {
			embedded++
		}
	}
	return 1 + s.NumFields()/100 + embedded*embedded/10
}

// embeddedPointers are the pointers on the way to a field: what they point to
// is there only together with its fields. Fields behind the same pointer share
// it.
func (r *reading) embeddedPointers(f jsonfield.Field, owner types.Type, known map[*types.Var]*model.Embedded) ([]*model.Embedded, error) {
	var within []*model.Embedded
	for i, v := range f.Chain[:len(f.Chain)-1] {
		p, ok := types.Unalias(v.Type()).(*types.Pointer)
		if !ok {
			continue
		}
		if known[v] == nil {
			path, err := r.selectors(f.Chain[:i+1], owner)
			if err != nil {
				return nil, err
			}
			goType, err := r.write.Type(p.Elem())
			if err != nil && !r.nested {
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
func omission(f jsonfield.Field, typ *model.Type) model.Omit {
	t := f.Var().Type()
	switch {
	case f.Has("omitzero") && hasIsZero(t) && isPointerOrInterface(t):
		return model.OmitNilIsZero
	case f.Has("omitzero") && hasIsZero(t):
		return model.OmitIsZero
	case !f.Has("omitzero") && !f.Has("omitempty"):
		return model.OmitNever
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return omitBasic[u.Info()&(types.IsBoolean|types.IsNumeric|types.IsString)]
	case *types.Pointer, *types.Interface:
		return model.OmitNil
	case *types.Slice, *types.Map:
		if f.Has("omitempty") {
			return model.OmitLen
		}
		return model.OmitNil
	case *types.Chan, *types.Signature:
		if f.Has("omitzero") {
			return model.OmitNil
		}
	case *types.Array:
		if u.Len() == 0 {
			return model.OmitLen
		}
	}
	switch {
	case !f.Has("omitzero"):
		return model.OmitNever
	case !types.Comparable(t) || typ.Kind == model.Opaque:
		return model.OmitUnset
	}
	return model.OmitValue
}

var omitBasic = map[types.BasicInfo]model.Omit{
	types.IsBoolean: model.OmitFalse, types.IsString: model.OmitBlank,
	types.IsInteger: model.OmitZero, types.IsFloat: model.OmitZero,
}

var isZero = method{"IsZero", signature(nil, types.Typ[types.Bool])}

// hasIsZero reports whether a type has the method, or a pointer to it.
func hasIsZero(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, isZero.name)
	f, ok := obj.(*types.Func)
	return ok && types.Identical(withoutReceiver(f.Signature()), isZero.sig)
}

func isPointerOrInterface(t types.Type) bool {
	_, pointer := types.Unalias(t).(*types.Pointer)
	return pointer || types.IsInterface(t)
}

// fieldDoc is what the comment of a field says. In results it does so of structs of
// the own module alone: large APIs document each field, and a model reads all of that
// before it sees any result.
func (r *reading) fieldDoc(f jsonfield.Field) string {
	v := f.Var()
	if r.output && !r.write.Package.Owns(v.Pkg().Path()) {
		return ""
	}
	if v.Pkg() == r.write.Package.Types {
		return r.docs.Of(v.Pkg()).Fields[v.Pos()]
	}
	if named, ok := types.Unalias(f.Owner).(*types.Named); ok {
		return r.docs.Of(named.Obj().Pkg()).Text[named.Obj().Name()+"."+v.Name()]
	}
	return ""
}
