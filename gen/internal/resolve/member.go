package resolve

import (
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// findMember finds a field or method of a type by its Go name, its JSON name, or an unambiguous
// spelling of the Go name. It returns the Go name as a list.
func (s *Scope) findMember(t types.Type, name string) ([]string, types.Object) {
	if obj := s.memberOf(t, name); obj != nil {
		return []string{obj.Name()}, obj
	}
	if holder := derefStruct(t); holder != nil {
		fields, _ := shape.JSONFields(s.write.Budget, holder, nil, nil)
		for _, f := range fields {
			if f.Name == name {
				if obj := s.memberOf(t, f.Variable().Name()); obj == f.Variable() {
					return []string{obj.Name()}, obj
				}
			}
		}
	}
	found, rivals := lookupSpelling(name, s.memberNames(t), func(known string) types.Object { return s.memberOf(t, known) })
	if len(rivals) != 1 {
		return nil, nil
	}
	return []string{found.Name()}, found
}

// memberOf returns the field or method of a type with a Go name. It returns nil if generated code
// cannot use it, or if it is promoted through an embedded pointer, which may be nil.
func (s *Scope) memberOf(t types.Type, name string) types.Object {
	obj, index, _ := types.LookupFieldOrMethod(t, true, s.pkg.Types, name)
	if obj == nil || s.write.IsForeign() && !obj.Exported() {
		return nil
	}
	for holder := derefStruct(t); holder != nil && len(index) > 1; index = index[1:] {
		embedded := holder.Underlying().(*types.Struct).Field(index[0])
		if isPointer(embedded.Type()) {
			return nil
		}
		holder = derefStruct(embedded.Type())
	}
	return obj
}

// derefStruct returns t if it is a struct type, or the struct type that t points to. It returns nil
// for other types.
func derefStruct(t types.Type) types.Type {
	t = source.Deref(t)
	if _, ok := t.Underlying().(*types.Struct); ok {
		return t
	}
	return nil
}

// memberNames returns the sorted names of the fields and methods of a type, including
// promoted ones.
func (s *Scope) memberNames(t types.Type) []string {
	var list []string
	for name := range methodsOf(t, !s.write.IsForeign()) {
		list = append(list, name)
	}
	list = append(list, allFields(derefStruct(t), map[types.Type]bool{})...)
	list = slices.DeleteFunc(list, func(name string) bool { return s.memberOf(t, name) == nil })
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// allFields returns the names of the fields of a struct and, recursively, of its embedded structs.
func allFields(s types.Type, visited map[types.Type]bool) (list []string) {
	if s == nil || visited[s] {
		return nil
	}
	visited[s] = true
	for f := range s.Underlying().(*types.Struct).Fields() {
		list = append(list, f.Name())
		if f.Embedded() {
			list = append(list, allFields(derefStruct(f.Type()), visited)...)
		}
	}
	return list
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}
