package scaffold

import (
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// lookupFunction returns the function or method with a name: Find, (*Store).Find, or a path of
// fields from a type, such as Client.Users.Find. It returns nil if there is none.
func lookupFunction(pkg *types.Package, name string) *types.Func {
	names := strings.Split(withoutPointer(name), ".")
	obj := pkg.Scope().Lookup(names[0])
	for _, name := range names[1:] {
		if obj == nil {
			return nil
		}
		obj, _, _ = types.LookupFieldOrMethod(obj.Type(), true, pkg, name)
	}
	fn, _ := obj.(*types.Func)
	return fn
}

// receiverOf returns the type that a method is declared for, nil for a method of an
// interface, and whether the receiver is a pointer.
func receiverOf(method *types.Func) (declared *types.TypeName, pointer bool) {
	t := method.Signature().Recv().Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t, pointer = p.Elem(), true
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && !types.IsInterface(t) {
		declared = named.Obj()
	}
	return declared, pointer
}

// withoutPointer returns a name like (*T).Method as T.Method.
func withoutPointer(name string) string { return pointerRemover.Replace(name) }

var pointerRemover = strings.NewReplacer("(*", "", "(", "", ")", "")

// takesContext reports whether a function takes a context or another value that the runtime supplies.
func takesContext(sig *types.Signature) bool {
	return anyVar(sig.Params(), func(t types.Type) bool { return resolve.IsRuntimeSupplied(t) })
}

func returnsError(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && source.IsError(sig.Results().At(n-1).Type())
}

// anyVar reports whether one of several parameters or results has a type with a property. For a list, the
// type of its elements counts.
func anyVar(vars *types.Tuple, is func(types.Type) bool) bool {
	for v := range vars.Variables() {
		t := v.Type()
		if list, ok := types.Unalias(t).(*types.Slice); ok {
			t = list.Elem()
		}
		if is(t) {
			return true
		}
	}
	return false
}

func isBasic(t types.Type, info types.BasicInfo) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&info != 0
}

// namedOf returns the named type of a value or a pointer to it, nil if it has none.
func namedOf(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// fromPackage returns a function that reports whether a type is declared in a package.
func fromPackage(path string) func(types.Type) bool {
	return func(t types.Type) bool {
		named := namedOf(t)
		return named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path
	}
}
