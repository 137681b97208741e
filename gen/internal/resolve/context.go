package resolve

import (
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/source"
)

// contextSuffixes are the suffixes of variants of functions that take a context: QueryContext for
// Query, and ReadWithContext for Read.
var contextSuffixes = []string{"Context", "WithContext"}

// ContextVariant returns the variant of f that takes a context, or nil if f takes one itself or has
// no such variant.
func ContextVariant(f *types.Func) *types.Func {
	if takesContext(f.Signature()) {
		return nil
	}
	for _, suffix := range contextSuffixes {
		var found types.Object
		if recv := f.Signature().Recv(); recv != nil {
			found, _, _ = types.LookupFieldOrMethod(recv.Type(), true, f.Pkg(), f.Name()+suffix)
		} else if f.Pkg() != nil {
			found = f.Pkg().Scope().Lookup(f.Name() + suffix)
		}
		if variant, ok := found.(*types.Func); ok && variant.Exported() == f.Exported() && takesContext(variant.Signature()) {
			return variant
		}
	}
	return nil
}

// takesContext reports whether the first parameter of a function is a context.
func takesContext(sig *types.Signature) bool {
	return sig.Params().Len() > 0 && source.IsContext(sig.Params().At(0).Type())
}

// FindContextOption returns an exported function that makes an option from a context. It searches
// the package of the option's type, and returns nil if there is no such function.
func FindContextOption(elem types.Type) *types.Func {
	named, ok := types.Unalias(elem).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		if !ok || !f.Exported() {
			continue
		}
		sig := f.Signature()
		if takesContext(sig) && sig.Params().Len() == 1 && sig.TypeParams().Len() == 0 && sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), elem) {
			return f
		}
	}
	return nil
}
