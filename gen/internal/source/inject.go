package source

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// An Injection declares that the application, not the model, supplies values of a type:
//
//	var _ = tool.Inject[*github.Client]()
type Injection struct {
	Type  types.Type
	Field string // name of the field of Deps, "" if the declaration has none
	Span  diag.Span
}

// ReadInjections returns the types that a package declares as injected. It calls supplied to find
// out whether the runtime itself supplies parameters of a type.
func ReadInjections(pkg *load.Package, supplied func(types.Type) bool) (found []Injection, faults diag.List) {
	r := annotationReader{pkg: pkg, code: "bad-injection"}
	for file, call := range r.allCalls {
		index, ok := ast.Unparen(call.Fun).(*ast.IndexExpr)
		if !ok || r.runtimeName(file, index.X) != "Inject" {
			continue
		}
		in := Injection{Span: pkg.Span(call.Pos(), call.End())}
		if in.Type = r.checkExpr(file, index.Index).Types[index.Index].Type; in.Type == nil {
			continue // the Go compiler reports why
		}
		in.Type = types.Unalias(in.Type)
		if r.checkInjectable(in, supplied, found) && r.readFieldName(&in, file, call.Args, found) {
			found = append(found, in)
		}
	}
	return found, r.faults
}

// allCalls yields the calls that are the values of package-level variables.
func (r *annotationReader) allCalls(yield func(*ast.File, *ast.CallExpr) bool) {
	for _, file := range r.pkg.Files {
		for _, decl := range file.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok || general.Tok != token.VAR {
				continue
			}
			for _, spec := range general.Specs {
				for _, value := range spec.(*ast.ValueSpec).Values {
					if call, ok := ast.Unparen(value).(*ast.CallExpr); ok && !yield(file, call) {
						return
					}
				}
			}
		}
	}
}

// checkInjectable reports whether a type can be injected and is not injected already.
func (r *annotationReader) checkInjectable(in Injection, supplied func(types.Type) bool, found []Injection) bool {
	name, declared := r.pkg.TypeName(in.Type), NamedOf(in.Type)
	switch {
	case supplied(in.Type):
		r.report(in.Span, "%s is supplied by the runtime, not by the application", name)
		return false
	case !types.IsInterface(in.Type) && (declared == nil || declared.Obj().Pkg() == nil):
		r.report(in.Span, "%s has no name that distinguishes it from arguments", name).
			WithHelp("declare a type for it: type APIKey string")
		return false
	}
	for _, other := range found {
		if types.Identical(other.Type, in.Type) {
			r.report(in.Span, "%s is already injected", name).WithRelated(other.Span, "it was first declared here")
			return false
		}
	}
	return true
}

// readFieldName reads the name of the field of Deps from a declaration.
func (r *annotationReader) readFieldName(in *Injection, file *ast.File, args []ast.Expr, found []Injection) bool {
	if len(args) == 0 {
		return true
	}
	value := r.checkExpr(file, args[0]).Types[args[0]].Value
	if len(args) > 1 || value == nil || value.Kind() != constant.String {
		r.report(in.Span, "the name of the field must be one constant string, because it is read at compile time")
		return false
	}
	in.Field = constant.StringVal(value)
	if !token.IsIdentifier(in.Field) || !token.IsExported(in.Field) {
		r.report(in.Span, "%q is not the name of an exported field", in.Field)
		return false
	}
	for _, other := range found {
		if other.Field == in.Field {
			r.report(in.Span, "Deps already has a field %s", in.Field).WithRelated(other.Span, "it was first declared here")
			return false
		}
	}
	return true
}
