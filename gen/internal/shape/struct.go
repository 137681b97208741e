package shape

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

var (
	// differentKinds are the kinds that generated code and encoding/json write differently.
	differentKinds = []model.Kind{model.Duration, model.Null, model.URL, model.Represented, model.Union}

	// nilKinds are the kinds whose values may be null in the JSON of encoding/json.
	nilKinds = []model.Kind{model.Slice, model.Map}
)

// quoteType returns the shape of a field of type t with the tag option ",string". The option only affects
// basic types without a special form, and pointers to them.
func quoteType(t *model.Type) *model.Type {
	switch t.Kind {
	case model.Pointer:
		pointer := *t
		if pointer.Elem = quoteType(t.Elem); pointer.Elem != t.Elem && t.Elem.Kind != model.Pointer {
			return &pointer
		}
	case model.Bool, model.Int, model.Uint, model.Float, model.String, model.Number:
		return &model.Type{Kind: model.Quoted, Go: t.Go, Elem: t}
	}
	return t
}

// isOption reports whether a field is optional because its url or form tag says so, or
// because it belongs to a struct of another module without json tags.
func (s *Shapes) isOption(f JSONField) bool {
	for _, key := range []string{"url", "form"} {
		if _, options, _ := strings.Cut(f.Tag.Get(key), ","); slices.Contains(strings.Split(options, ","), "omitempty") {
			return true
		}
	}
	st, ok := f.Owner.Underlying().(*types.Struct)
	if !ok || f.Variable().Pkg() == nil || !s.isForeign(f.Variable().Pkg()) {
		return false
	}
	return !isMeantAsJSON(st)
}

// isOmittableEmbedded reports whether a field is an embedded struct that is a separate object
// with only optional fields.
func isOmittableEmbedded(f JSONField, t *model.Type) bool {
	return f.Variable().Embedded() && !f.Tagged && t.Kind == model.StructKind && IsOmittable(t)
}

// IsOmittable reports whether a parameter of a type may be left out: a pointer to a simple
// value, or a struct with only optional fields.
func IsOmittable(t *model.Type) bool {
	elem := t
	if t.Kind == model.Pointer {
		elem = t.Elem
	}
	for elem.Kind == model.Represented && t.Kind == model.Pointer {
		elem = elem.Elem
	}
	switch elem.Kind {
	case model.StructKind:
		return !slices.ContainsFunc(elem.ShownFields(), func(f *model.Field) bool { return !f.Optional })
	case model.Null:
		return true
	case model.Bool, model.Int, model.Uint, model.Float, model.String, model.Number, model.Time, model.Duration:
		return t.Kind == model.Pointer
	case model.Text:
		return t.Kind == model.Pointer && elem.OnValue
	case model.Custom:
		return elem.ZeroIsNull || t.Kind == model.Pointer && elem.Codec == model.ProtoJSON
	}
	return false
}

// IsNullable reports whether a type has a value for null, so that an argument of the type can
// be left out.
func IsNullable(t *model.Type) bool {
	for t != nil && t.Kind == model.Represented && t.Go.Kind != model.GoPointer {
		t = t.Elem // nil while a recursive type is being read
	}
	return t != nil && (t.Kind == model.Pointer || t.Kind == model.Null || t.Kind == model.Represented)
}

// fieldSelectors returns the shortest path of selectors from a struct to a field at the end
// of a chain of embedded fields: its name if Go promotes it, otherwise the whole chain.
func (r *typeReader) fieldSelectors(chain []*types.Var, owner types.Type) ([]string, error) {
	if n := len(chain) - 1; n > 0 { // most fields are in the struct itself
		v := chain[n]
		if !r.write.Budget.UseSteps(lookupCost(owner)) {
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

// lookupCost returns the number of steps to look up a promoted field: go/types compares all
// embedded fields with each other.
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

// embeddedPointers returns the embedded pointers that lead to a field. Fields that are reached through the
// same pointer share a model.Embedded, which the map pointers holds.
func (r *typeReader) embeddedPointers(f JSONField, owner types.Type, pointers map[*types.Var]*model.Embedded) ([]*model.Embedded, error) {
	var within []*model.Embedded
	for i, v := range f.Chain[:len(f.Chain)-1] {
		p, ok := types.Unalias(v.Type()).(*types.Pointer)
		if !ok {
			continue
		}
		if pointers[v] == nil {
			path, err := r.fieldSelectors(f.Chain[:i+1], owner)
			if err != nil {
				return nil, err
			}
			goType, err := r.write.GoType(p.Elem())
			if err != nil && !r.nested {
				return nil, fmt.Errorf("embedded pointer %s: %w", v.Name(), err)
			}
			pointers[v] = &model.Embedded{Path: path, Elem: goType}
		}
		within = append(within, pointers[v])
	}
	return within, nil
}

// findOmission returns when encoding/json leaves out a field. With omitempty, it leaves out empty values,
// which a struct never is. With omitzero, it leaves out zero values, and calls the method IsZero if there
// is one.
func findOmission(f JSONField, typ *model.Type) model.Omit {
	t := f.Variable().Type()
	omitEmpty, omitZero := f.hasOption("omitempty"), f.hasOption("omitzero")
	switch {
	case omitZero && hasSelectable(t, isZeroMethod):
		if isPointerOrInterface(t) {
			return model.OmitNilIsZero
		}
		return model.OmitIsZero
	case !omitZero && !omitEmpty:
		return model.OmitNever
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return omitBasic[u.Info()&(types.IsBoolean|types.IsNumeric|types.IsString)]
	case *types.Pointer, *types.Interface:
		return model.OmitNil
	case *types.Slice, *types.Map:
		if omitEmpty {
			return model.OmitLen
		}
		return model.OmitNil
	case *types.Chan, *types.Signature:
		if omitZero {
			return model.OmitNil
		}
	case *types.Array:
		if u.Len() == 0 {
			return model.OmitLen
		}
	}
	if !omitZero {
		return model.OmitNever
	}
	return omitZeroValue(t, typ)
}

// omitZeroValue returns how generated code recognizes the zero value of a type.
func omitZeroValue(t types.Type, typ *model.Type) model.Omit {
	if !types.Comparable(t) || typ.Kind == model.Opaque {
		return model.OmitUnset
	}
	return model.OmitValue
}

var omitBasic = map[types.BasicInfo]model.Omit{
	types.IsBoolean: model.OmitFalse, types.IsString: model.OmitBlank,
	types.IsInteger: model.OmitZero, types.IsFloat: model.OmitZero,
}

func isPointerOrInterface(t types.Type) bool {
	_, pointer := types.Unalias(t).(*types.Pointer)
	return pointer || types.IsInterface(t)
}

// describesField reports whether a field gets a description. In results, only fields of the user's module
// do: large APIs document each field, and a model reads all descriptions before it sees any result.
func (r *typeReader) describesField(f JSONField) bool {
	return !r.output || !r.isForeign(f.Variable().Pkg())
}

// fieldDoc returns the comment of a field.
func (r *typeReader) fieldDoc(f JSONField) string {
	v := f.Variable()
	if !r.describesField(f) {
		return ""
	}
	if v.Pkg() == r.write.Package.Types {
		return r.shortenDoc(v.Pkg(), r.docs.PackageDoc(v.Pkg()).Fields[v.Pos()])
	}
	if named, ok := types.Unalias(f.Owner).(*types.Named); ok {
		return r.docOf(named.Obj().Pkg(), named.Obj().Name()+"."+v.Name())
	}
	return ""
}
