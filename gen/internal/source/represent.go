package source

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// A Representation declares that values of Type appear in JSON as values of Form. For this line, Type
// is money.Amount and Form is string:
//
//	var _ = tool.Represent(money.Parse, money.Amount.String)
type Representation struct {
	Type, Form types.Type
	Span       diag.Span
}

// ReadRepresentations returns the types that a package represents as other types. It calls supplied to
// find out whether the runtime or the application supplies values of a type.
func ReadRepresentations(pkg *load.Package, supplied func(types.Type) bool) (found []Representation, faults diag.List) {
	r := annotationReader{pkg: pkg, code: "bad-representation"}
	for file, call := range r.allCalls {
		name := calledName(call)
		if r.runtimeName(file, name) != "Represent" {
			continue
		}
		at := pkg.Span(call.Pos(), call.End())
		representation, ok := r.readRepresentation(file, call, name)
		if representation.Span = at; ok && r.checkRepresented(representation, supplied, found) {
			found = append(found, representation)
		}
	}
	return r.withoutCycles(found), r.faults
}

// readRepresentation reads the two types of a call of Represent. If the types of decode and encode do not
// match, readRepresentation reports this and returns false.
func (r *annotationReader) readRepresentation(file *ast.File, call *ast.CallExpr, name ast.Expr) (Representation, bool) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{}}
	err := types.CheckExpr(r.pkg.Fset, r.pkg.Types, file.Name.Pos(), call, info)
	id, _ := name.(*ast.Ident)
	if selector, ok := name.(*ast.SelectorExpr); ok {
		id = selector.Sel
	}
	var decode, encode types.Type
	if len(call.Args) == 2 {
		decode, encode = info.Types[call.Args[0]].Type, info.Types[call.Args[1]].Type
	}
	// If the runtime is not installed, the type checker infers no type arguments, so read the types from decode.
	t, form := decodedTypes(decode)
	if list := info.Instances[id].TypeArgs; list.Len() == 3 {
		t, form = list.At(0), list.At(1)
	}
	if t != nil && isEncoder(encode, t, form) {
		return Representation{Type: types.Unalias(t), Form: form}, true // the Go compiler reports other errors
	}
	r.reportMismatch(call, Representation{Type: t, Form: form}, decode, encode, err)
	return Representation{}, false
}

// decodedTypes returns the types T and F of a func(F) (T, error), and nil for other types.
func decodedTypes(decode types.Type) (t, form types.Type) {
	f, ok := decode.(*types.Signature)
	if !ok || f.Params().Len() != 1 || f.Variadic() || f.Results().Len() != 2 || !IsError(f.Results().At(1).Type()) {
		return nil, nil
	}
	return f.Results().At(0).Type(), f.Params().At(0).Type()
}

// reportMismatch reports that the types of decode and encode do not match, with the error of the type checker,
// if there is one.
func (r *annotationReader) reportMismatch(call *ast.CallExpr, in Representation, decode, encode types.Type, err error) {
	problem, help := "", "write tool.Represent(decode, encode): decode is a func(F) (T, error), encode a func(T) F or a func(T) (F, error)"
	if checked, ok := err.(types.Error); ok { //nolint:errorlint // the checker returns it unwrapped
		problem = checked.Msg
	}
	f, isFunc := decode.(*types.Signature)
	switch {
	case in.Type != nil && encode != nil:
		t, form := r.pkg.TypeName(in.Type), r.pkg.TypeName(in.Form)
		problem = fmt.Sprintf("decode converts %s to %s, but encode is a %s", form, t, r.pkg.TypeName(encode))
		help = fmt.Sprintf("pass a func(%s) %s as encode, which may also return an error", t, form)
	case isFunc && f.Params().Len() == 1 && f.Results().Len() == 1:
		problem, help = "decode does not return an error", "make decode return an error as well: nil if it cannot fail"
	case problem == "":
		return // the Go compiler reports why the arguments have no types
	}
	r.report(r.pkg.Span(call.Pos(), call.End()), "the functions do not fit together: %s", problem).WithHelp("%s", help)
}

// isEncoder reports whether a function is a func(t) form or a func(t) (form, error).
func isEncoder(function, t, form types.Type) bool {
	f, ok := function.(*types.Signature)
	if !ok || f.Params().Len() != 1 || f.Results().Len() == 0 || f.Results().Len() > 2 || f.Variadic() {
		return false
	}
	if f.Results().Len() == 2 && !IsError(f.Results().At(1).Type()) {
		return false
	}
	return types.Identical(f.Params().At(0).Type(), t) && types.Identical(f.Results().At(0).Type(), form)
}

// checkRepresented reports whether a type can be represented as another one. If it cannot, or if an
// earlier declaration represents it, checkRepresented adds a diagnostic.
func (r *annotationReader) checkRepresented(in Representation, supplied func(types.Type) bool, found []Representation) bool {
	named, ok := Deref(in.Type).(*types.Named)
	name := r.pkg.TypeName(in.Type)
	switch {
	case in.Type == types.Typ[types.Invalid] || in.Form == types.Typ[types.Invalid]:
		return false // the Go compiler reports why
	case !ok || named.Obj().Pkg() == nil || in.Type != named && types.IsInterface(named):
		r.report(in.Span, "%s is not a named type or a pointer to one, so the JSON of every %s would change", name, name).
			WithHelp("declare a type for the values: type Cents int64")
		return false
	case supplied(in.Type), supplied(types.NewPointer(in.Type)):
		r.report(in.Span, "values of %s do not appear in JSON, because the runtime or the application supplies them", name)
		return false
	}
	for _, other := range found {
		if types.Identical(Deref(other.Type), Deref(in.Type)) {
			r.report(in.Span, "%s is already represented", r.pkg.TypeName(Deref(in.Type))).
				WithRelated(other.Span, "it was first declared here")
			return false
		}
	}
	return true
}

// cycleSteps is the number of steps that the search for a cycle may take in addition to one step for each
// representation. Following a pointer is a step: **Amount takes two.
const cycleSteps = 16

// withoutCycles returns the representations without a cycle, and reports the others. A type A has a cycle if
// it is represented as A, as *A, as a B that is represented as A, or as a struct that contains an A.
func (r *annotationReader) withoutCycles(all []Representation) (valid []Representation) {
	next := func(t types.Type) types.Type {
		for _, in := range all {
			if types.Identical(in.Type, t) {
				return in.Form
			}
		}
		if elem := Deref(t); elem != t {
			return elem
		}
		return nil
	}
	for _, in := range all {
		form := in.Form
		for range cycleSteps + len(all) {
			if following := next(form); following != nil {
				form = following
			}
		}
		if next(form) != nil {
			r.report(in.Span, "%s is represented as %s, which leads back to it", r.pkg.TypeName(in.Type), r.pkg.TypeName(in.Form)).
				WithHelp("represent it as a type with its own JSON, such as string")
			continue
		}
		if alwaysContains(in.Form, in.Type, all, map[types.Type]bool{}) {
			r.report(in.Span, "%s is represented as %s, which contains it, so its JSON would never end", r.pkg.TypeName(in.Type), r.pkg.TypeName(in.Form)).
				WithHelp("make the field a pointer, a list or a map")
			continue
		}
		valid = append(valid, in)
	}
	return valid
}

// alwaysContains reports whether every value of the type form contains a value of t: in its fields, in an
// array, or in the form of another representation.
func alwaysContains(form, t types.Type, all []Representation, visited map[types.Type]bool) bool {
	form = types.Unalias(form)
	if types.Identical(form, t) {
		_, isPointer := form.(*types.Pointer) // a nil pointer contains no value
		return !isPointer
	}
	if visited[form] {
		return false
	}
	visited[form] = true
	for _, in := range all {
		if types.Identical(in.Type, form) {
			return alwaysContains(in.Form, t, all, visited)
		}
	}
	switch u := form.Underlying().(type) {
	case *types.Array:
		return u.Len() > 0 && alwaysContains(u.Elem(), t, all, visited)
	case *types.Struct:
		for f := range u.Fields() {
			if (f.Exported() || f.Embedded()) && alwaysContains(f.Type(), t, all, visited) {
				return true
			}
		}
	}
	return false
}
