package shape

import (
	"go/ast"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// isKnownCustom reports whether a type is well known, so that its own methods read and write
// it.
func isKnownCustom(t *types.Named) bool {
	_, ok := lookupCustom(t.Obj())
	return ok
}

// CustomArgument returns the form of a type with its own UnmarshalJSON: that of a well-known
// type, or the one that its schema methods return. It returns nil if the form is unknown.
// Returned gives, by Type.Method, the results of the methods of a package whose body is only
// a return.
func CustomArgument(t types.Type, returned func(*types.Package) map[string]ast.Expr) *model.Type {
	if named, ok := t.(*types.Named); ok {
		if f, ok := lookupCustom(named.Obj()); ok {
			return f.argument()
		}
	}
	return readSchemaMethods(t, returned)
}

// nullableElem returns the type argument of a type that reads and writes it or null, and nil for
// other types.
func nullableElem(t types.Type) types.Type {
	named, ok := t.(*types.Named)
	if !ok || named.TypeArgs().Len() != 1 {
		return nil
	}
	if _, ok := goname.LookupType(nullableTypes, named.Obj()); !ok && !isOptionParam(named.Obj()) {
		return nil
	}
	return named.TypeArgs().At(0)
}

// isNullZero reports whether the zero value of a well-known type is null.
func isNullZero(t types.Type) bool {
	named, ok := t.(*types.Named)
	if !ok {
		return false
	}
	form, _ := lookupCustom(named.Obj())
	generic, _ := goname.LookupType(nullableTypes, named.Obj())
	return form.zeroIsNull || generic || nullableElem(t) != nil && isOptionParam(named.Obj())
}

// customResult returns the form of a well-known type with its own MarshalJSON, nil for other
// types. Schema methods do not count, because they describe what a type accepts, which may be
// more or less than what it writes.
func customResult(t types.Type) *model.Type {
	if named, ok := t.(*types.Named); ok {
		if f, ok := lookupCustom(named.Obj()); ok && f.result != nil {
			return f.result()
		}
	}
	return nil
}
