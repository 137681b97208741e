package source

import (
	"go/ast"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// A ContextOption is a function that creates an option from a context:
//
//	var _ = tool.PassContext(gitlab.WithContext)
type ContextOption struct {
	Type    types.Type   // of the option, which is the result of the function
	Func    types.Object // a function, or a variable that holds one
	Context types.Type   // of its parameter
	Span    diag.Span
}

// ReadContextOptions returns the functions that a package declares with tool.PassContext. It calls usable,
// which returns an error for an object that generated code cannot name.
func ReadContextOptions(pkg *load.Package, usable func(types.Object) error) (found []ContextOption, faults diag.List) {
	r := annotationReader{pkg: pkg, code: "bad-pass-context"}
	for file, call := range r.allCalls {
		if r.runtimeName(file, calledName(call)) != "PassContext" {
			continue
		}
		o := ContextOption{Span: pkg.Span(call.Pos(), call.End())}
		if r.readContextOption(&o, file, call, usable) && r.checkContextOption(o, found) {
			found = append(found, o)
		}
	}
	return found, r.faults
}

// readContextOption reads the function of a declaration.
func (r *annotationReader) readContextOption(o *ContextOption, file *ast.File, call *ast.CallExpr, usable func(types.Object) error) bool {
	const help = "write a function such as func WithContext(ctx context.Context) Option, and name it here"
	if len(call.Args) != 1 {
		r.report(o.Span, "tool.PassContext takes one function").WithHelp(help)
		return false
	}
	o.Func = r.resolveObject(file, call.Args[0])
	if o.Func == nil {
		switch ast.Unparen(call.Args[0]).(type) {
		case *ast.Ident, *ast.SelectorExpr: // the Go compiler reports why
		default:
			r.report(o.Span, "the function has no name by which generated code could call it").WithHelp(help)
		}
		return false
	}
	sig, ok := o.Func.Type().Underlying().(*types.Signature)
	isMember := o.Func.Pkg() == nil || o.Func.Parent() != o.Func.Pkg().Scope()
	switch {
	case !ok, sig.Params().Len() != 1, sig.Variadic(), sig.Results().Len() != 1, sig.TypeParams().Len() > 0, !IsContext(sig.Params().At(0).Type()):
		r.report(o.Span, "%s is not a function that takes a context and returns an option", o.Func.Name()).WithHelp(help)
		return false
	case isMember:
		r.report(o.Span, "%s is not a function of a package", o.Func.Name()).WithHelp(help)
		return false
	}
	if err := usable(o.Func); err != nil {
		r.report(o.Span, "%v", err).WithHelp("name a function that generated code can call")
		return false
	}
	o.Type, o.Context = types.Unalias(sig.Results().At(0).Type()), sig.Params().At(0).Type()
	return true
}

// checkContextOption reports whether the type of an option differs from the types of arguments, and no
// function that was found before returns it.
func (r *annotationReader) checkContextOption(o ContextOption, found []ContextOption) bool {
	_, isBasic := o.Type.(*types.Basic)
	i, isInterface := o.Type.Underlying().(*types.Interface)
	if isBasic || isInterface && i.Empty() {
		r.report(o.Span, "%s has no name that distinguishes it from arguments", r.pkg.TypeName(o.Type)).
			WithHelp("declare a type for the option: type Option func(*Request)")
		return false
	}
	for _, other := range found {
		if types.Identical(other.Type, o.Type) {
			r.report(o.Span, "options of type %s already get the context from %s", r.pkg.TypeName(o.Type), other.Func.Name()).
				WithRelated(other.Span, "it was first declared here").
				WithHelp("delete one of the declarations")
			return false
		}
	}
	return true
}
