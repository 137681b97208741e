package annotate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// An Injection is a type whose parameters the application supplies, as in
//
//	var _ = tool.Inject[*github.Client]()
type Injection struct {
	Type  types.Type
	Field string // of Deps, if it is said
	Span  diag.Span
}

// Injections reads which types a package declares as injected. Supplied reports
// whether the runtime supplies the parameters of a type.
func Injections(pkg *load.Package, supplied func(types.Type) bool) (found []Injection, faults diag.List) {
	r := reader{pkg: pkg}
	for file, call := range r.declared {
		index, ok := call.Fun.(*ast.IndexExpr)
		if !ok || r.runtimeName(file, index.X) != "Inject" {
			continue
		}
		in := Injection{Span: pkg.Span(call.Pos(), call.End())}
		if in.Type = r.infoOf(file, index.Index).Types[index.Index].Type; in.Type == nil {
			continue // the Go compiler says why
		}
		in.Type = types.Unalias(in.Type)
		if r.isInjectable(in, supplied, found) && r.fieldName(&in, file, call.Args, found) {
			found = append(found, in)
		}
	}
	return found, r.faults
}

// declared yields the calls that variables of the package are declared with.
func (r *reader) declared(yield func(*ast.File, *ast.CallExpr) bool) {
	for _, file := range r.pkg.Files {
		for _, decl := range file.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok || general.Tok != token.VAR {
				continue
			}
			for _, spec := range general.Specs {
				for _, value := range spec.(*ast.ValueSpec).Values {
					if call, ok := value.(*ast.CallExpr); ok && !yield(file, call) {
						return
					}
				}
			}
		}
	}
}

// isInjectable reports types that cannot be injected, or are already.
func (r *reader) isInjectable(in Injection, supplied func(types.Type) bool, found []Injection) bool {
	name, named := r.pkg.TypeName(in.Type), in.Type
	if p, ok := in.Type.(*types.Pointer); ok {
		named = types.Unalias(p.Elem())
	}
	declared, ok := named.(*types.Named)
	switch {
	case supplied(in.Type):
		r.badInjection(in, "%s is supplied by the runtime, not by the application", name)
		return false
	case !types.IsInterface(in.Type) && (!ok || declared.Obj().Pkg() == nil):
		r.badInjection(in, "%s has no name of its own, by which it could be told from arguments", name).
			WithHelp("declare a type for it: type APIKey string")
		return false
	}
	for _, other := range found {
		if types.Identical(other.Type, in.Type) {
			r.badInjection(in, "%s is injected already", name).WithRelated(other.Span, "it was first declared here")
			return false
		}
	}
	return true
}

// fieldName takes the name of a field of Deps that a declaration gives.
func (r *reader) fieldName(in *Injection, file *ast.File, args []ast.Expr, found []Injection) bool {
	if len(args) == 0 {
		return true
	}
	value := r.infoOf(file, args[0]).Types[args[0]].Value
	if len(args) > 1 || value == nil || value.Kind() != constant.String {
		r.badInjection(*in, "the name of the field must be one constant: it is read when code is generated")
		return false
	}
	in.Field = constant.StringVal(value)
	if !token.IsIdentifier(in.Field) || !token.IsExported(in.Field) {
		r.badInjection(*in, "%q is no name of an exported field", in.Field)
		return false
	}
	for _, other := range found {
		if other.Field == in.Field {
			r.badInjection(*in, "there is a field %s already", in.Field).WithRelated(other.Span, "it was first declared here")
			return false
		}
	}
	return true
}

func (r *reader) badInjection(in Injection, format string, args ...any) *diag.Diagnostic {
	return r.faults.Errorf("bad-injection", in.Span, format, args...)
}
