package shape

import (
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// isKnownCustom reports whether the form of a type is listed in customTypes or nullForms.
func isKnownCustom(t *types.Named) bool {
	_, ok := lookupCustom(t.Obj())
	return ok
}

// CustomArgument returns the form that a type with its own UnmarshalJSON accepts. The form is known for
// well-known types and for types with schema methods, such as JSONSchema. CustomArgument returns nil for
// other types. The function docs returns the declarations of a package, which contain the schema methods.
func CustomArgument(t types.Type, docs func(*types.Package) *source.PackageDoc) *model.Type {
	if named, ok := t.(*types.Named); ok {
		if f, ok := lookupCustom(named.Obj()); ok {
			return copyForm(f.argument)
		}
	}
	return readSchemaMethods(t, docs)
}

// nullableElem returns T for a type such as Nullable[T], whose JSON is that of T or null. It returns nil
// for other types.
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

// customResult returns the form that a well-known type with its own MarshalJSON writes, nil for other
// types. Schema methods do not count: they describe what a type accepts, which may be more or less than
// what it writes.
func customResult(t types.Type) *model.Type {
	if named, ok := t.(*types.Named); ok {
		form, _ := lookupCustom(named.Obj())
		return copyForm(form.result)
	}
	return nil
}
