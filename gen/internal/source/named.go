package source

import "go/types"

// errorType is the predeclared type error.
var errorType = types.Universe.Lookup("error").Type()

// IsError reports whether a type is the predeclared type error.
func IsError(t types.Type) bool { return types.Identical(t, errorType) }

// IsContext reports whether a type is context.Context.
func IsContext(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context" && named.Obj().Name() == "Context"
}

// Deref returns the type that t points to, or t itself if it is not a pointer. The result is not an alias.
func Deref(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}

// NamedOf returns t, or the type that t points to, if it is a named type. Otherwise it returns nil.
func NamedOf(t types.Type) *types.Named {
	named, _ := Deref(t).(*types.Named)
	return named
}

// Receiver returns the named type that declares a method. It returns nil for a function, and for a method of an
// interface without a name.
func Receiver(f *types.Func) *types.Named {
	if recv := f.Signature().Recv(); recv != nil {
		return NamedOf(recv.Type())
	}
	return nil
}

// DocKey returns the key of an object in the PackageDoc of its package. A promoted method has the key of the type
// that declares it.
func DocKey(obj types.Object) string {
	if f, ok := obj.(*types.Func); ok {
		if owner := Receiver(f); owner != nil {
			return owner.Obj().Name() + "." + f.Name()
		}
	}
	return obj.Name()
}
