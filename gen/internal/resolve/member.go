package resolve

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/broken"
	"github.com/aiongen/aiongen/gen/internal/jsonfield"
)

// findObjects finds what a name stands for in a package.
func (s *Scope) findObjects(pkg *types.Package, name string) []types.Object {
	obj, rivals := s.lookupIn(pkg, name)
	if len(rivals) > 0 || obj == nil {
		return rivals
	}
	return []types.Object{obj}
}

// unusable reports why generated code cannot refer to an object.
func (s *Scope) unusable(obj types.Object) error {
	if s.write.Foreign() && !obj.Exported() {
		return fmt.Errorf("%s is not exported, so package %s, where the generated code goes, cannot use it", obj.Name(), s.write.Target.Name)
	}
	if sig, ok := obj.Type().Underlying().(*types.Signature); ok && broken.Signature(sig) || broken.Type(obj.Type()) {
		return fmt.Errorf("the type of %s does not type-check", obj.Name())
	}
	return nil
}

// findMember finds a field or method of a type by its Go name, its JSON name, or
// another spelling of the Go name, if no other has that.
func (s *Scope) findMember(t types.Type, name string) ([]string, types.Object) {
	if obj := s.memberOf(t, name); obj != nil {
		return []string{obj.Name()}, obj
	}
	if holder := structOf(t); holder != nil {
		fields, _ := jsonfield.Of(s.write.Budget, holder, nil)
		for _, f := range fields {
			if f.Name == name {
				if obj := s.memberOf(t, f.Var().Name()); obj == f.Var() {
					return []string{obj.Name()}, obj
				}
			}
		}
	}
	found, rivals := lookup(name, s.memberNames(t), func(known string) types.Object { return s.memberOf(t, known) })
	if len(rivals) != 1 {
		return nil, nil
	}
	return []string{found.Name()}, found
}

// memberOf is the field or method of a type that generated code can name so, unless
// a pointer on the way to it may be nil.
func (s *Scope) memberOf(t types.Type, name string) types.Object {
	obj, index, _ := types.LookupFieldOrMethod(t, true, s.pkg.Types, name)
	if obj == nil || s.write.Foreign() && !obj.Exported() {
		return nil
	}
	for holder := structOf(t); holder != nil && len(index) > 1; index = index[1:] {
		embedded := holder.Underlying().(*types.Struct).Field(index[0])
		if isPointer(embedded.Type()) {
			return nil
		}
		holder = structOf(embedded.Type())
	}
	return obj
}

// structOf is a struct type, or the one that a pointer points to; nil for others.
func structOf(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if _, ok := t.Underlying().(*types.Struct); ok {
		return t
	}
	return nil
}

// memberNames lists the fields and methods of a type, in order, also those that it has
// by embedding.
func (s *Scope) memberNames(t types.Type) []string {
	var list []string
	for name := range methodsOf(t, !s.write.Foreign()) {
		list = append(list, name)
	}
	list = append(list, allFields(structOf(t), map[types.Type]bool{})...)
	list = slices.DeleteFunc(list, func(name string) bool { return s.memberOf(t, name) == nil })
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// allFields lists the fields of a struct, and of those that are embedded in it.
func allFields(s types.Type, met map[types.Type]bool) (list []string) {
	if s == nil || met[s] {
		return nil
	}
	met[s] = true
	for f := range s.Underlying().(*types.Struct).Fields() {
		list = append(list, f.Name())
		if f.Embedded() {
			list = append(list, allFields(structOf(f.Type()), met)...)
		}
	}
	return list
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}
