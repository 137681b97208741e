package source

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// VariantMember is the member of a union that names the variant, unless a declaration gives it another name.
const VariantMember = "type"

// OtherMember returns another name than the given one for the member that names the variant.
func OtherMember(name string) string {
	names := []string{VariantMember, "kind", "variant"}
	return names[(slices.Index(names, name)+1)%len(names)]
}

// A Union is an interface whose implementations are known, because a package declares them:
//
//	var _ = tool.Union[geo.Shape](geo.Circle{}, &geo.Square{}).Member("kind").Name("round", geo.Circle{})
//
// or because only the package of the interface can implement it.
type Union struct {
	Type     types.Type
	Member   string // the member that names the variant
	Variants []Variant
	Declared bool
	Span     diag.Span // of the declaration
}

// A Variant is an implementation of a union: a named type or a pointer to one.
type Variant struct {
	Name string // in JSON
	Type types.Type
}

// NewVariant returns an implementation with its usual name: that of the Go type in snake case.
func NewVariant(t types.Type) Variant {
	named := Deref(t).(*types.Named)
	return Variant{Name: goname.SnakeCase(named.Obj().Name()), Type: t}
}

// A unionOption is a call of a method of a declaration, such as .Member("kind").
type unionOption struct {
	name string
	call *ast.CallExpr
}

// ReadUnions returns the unions that a package declares. It calls supplied to find out whether the runtime
// or the application supplies values of a type. The types in represented cannot be unions, because other
// types represent them.
func ReadUnions(pkg *load.Package, supplied func(types.Type) bool, represented []Representation) (found []Union, faults diag.List) {
	r := annotationReader{pkg: pkg, code: "bad-union"}
	for file, chain := range r.allCalls {
		call, options := splitOptions(chain)
		if r.runtimeName(file, calledName(call)) != "Union" {
			continue
		}
		u := Union{Member: VariantMember, Declared: true, Span: pkg.Span(chain.Pos(), chain.End())}
		if !r.readUnion(&u, file, call) || !r.checkUnion(u, supplied, represented, found) {
			continue
		}
		r.readVariants(&u, file, call.Args)
		for _, o := range options {
			r.applyUnionOption(&u, file, o)
		}
		if r.checkVariantNames(u); len(u.Variants) > 0 { // even with errors: without the union, its uses would be reported as well
			found = append(found, u)
		}
	}
	return found, r.faults
}

// splitOptions returns the first call of a chain, and the later calls of methods in order: for
// tool.Union[T](x).Member("kind"), it returns tool.Union[T](x) and Member.
func splitOptions(call *ast.CallExpr) (first *ast.CallExpr, options []unionOption) {
	if method, ok := call.Fun.(*ast.SelectorExpr); ok {
		if inner, ok := ast.Unparen(method.X).(*ast.CallExpr); ok {
			first, options = splitOptions(inner)
			return first, append(options, unionOption{method.Sel.Name, call})
		}
	}
	return call, nil
}

// readUnion reads the interface of a declaration, and reports whether it could.
func (r *annotationReader) readUnion(u *Union, file *ast.File, call *ast.CallExpr) bool {
	index, ok := ast.Unparen(call.Fun).(*ast.IndexExpr)
	if !ok {
		r.report(u.Span, "tool.Union needs the interface as its type argument").WithHelp("write it in brackets: tool.Union[Shape](Circle{}, &Square{})")
		return false
	}
	u.Type = types.Unalias(r.typeOf(file, index.Index))
	return u.Type != types.Typ[types.Invalid] // the Go compiler reports why
}

// typeOf returns the type of an expression, or the type that it names.
func (r *annotationReader) typeOf(file *ast.File, e ast.Expr) types.Type {
	if t := r.checkExpr(file, e).Types[e].Type; t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

// checkUnion reports whether a type can be a union. If it cannot, or was declared in another way before,
// checkUnion adds a diagnostic.
func (r *annotationReader) checkUnion(u Union, supplied func(types.Type) bool, represented []Representation, found []Union) bool {
	name := r.pkg.TypeName(u.Type)
	named, isNamed := u.Type.(*types.Named)
	i, isInterface := u.Type.Underlying().(*types.Interface)
	switch {
	case isInterface && IsErrorOrContext(u.Type):
		r.report(u.Span, "%s is an error or a context, which cannot be a union", name)
		return false
	case !isInterface || !isNamed || named.Obj().Pkg() == nil || !i.IsMethodSet():
		r.report(u.Span, "%s is not a named interface, so every such value would be a union", name).
			WithHelp("declare an interface for the values: type Shape interface { Area() float64 }")
		return false
	case supplied(u.Type):
		r.report(u.Span, "values of %s do not appear in JSON, because the runtime or the application supplies them", name)
		return false
	}
	for _, in := range represented {
		if types.Identical(in.Type, u.Type) {
			r.report(u.Span, "%s is represented as %s", name, r.pkg.TypeName(in.Form)).WithRelated(in.Span, "it is represented here")
			return false
		}
	}
	for _, other := range found {
		if types.Identical(other.Type, u.Type) {
			r.report(u.Span, "%s is already a union", name).WithRelated(other.Span, "it was first declared here").
				WithHelp("list all variants in one declaration")
			return false
		}
	}
	return true
}

// IsErrorOrContext reports whether an interface is or extends error or context.Context.
func IsErrorOrContext(t types.Type) bool {
	methods := types.NewMethodSet(t)
	has := func(names ...string) bool {
		for _, name := range names {
			if methods.Lookup(nil, name) == nil {
				return false
			}
		}
		return true
	}
	return types.Implements(t, errorType.Underlying().(*types.Interface)) || has("Deadline", "Done", "Err", "Value")
}

// readVariants reads the list of variants.
func (r *annotationReader) readVariants(u *Union, file *ast.File, list []ast.Expr) {
	if len(list) == 0 {
		r.report(u.Span, "%s has no variants", r.pkg.TypeName(u.Type)).
			WithHelp("list them: tool.Union[Shape](Circle{}, &Square{})")
	}
	for _, e := range list {
		t, ok := r.readVariant(*u, file, e)
		switch {
		case !ok:
		case u.indexOf(t) >= 0:
			r.reportExpr(e, "%s is already listed", r.pkg.TypeName(t)).WithHelp("delete one of the two")
		default:
			u.Variants = append(u.Variants, NewVariant(t))
		}
	}
}

// indexOf returns the index of the variant with a type, or -1.
func (u *Union) indexOf(t types.Type) int {
	return slices.IndexFunc(u.Variants, func(v Variant) bool { return types.Identical(v.Type, t) })
}

// readVariant returns the type of one variant, and whether it is valid.
func (r *annotationReader) readVariant(u Union, file *ast.File, e ast.Expr) (types.Type, bool) {
	t := types.Unalias(types.Default(r.typeOf(file, e)))
	if t == types.Typ[types.Invalid] {
		return nil, false // the Go compiler reports why
	}
	named, ok := Deref(t).(*types.Named)
	if ok {
		_, isPointer := named.Underlying().(*types.Pointer)
		ok = !isPointer && !types.IsInterface(named) && named.Obj().Pkg() != nil
	}
	if !ok {
		r.reportExpr(e, "%s is not a named type or a pointer to one, so the variant has no name", r.pkg.TypeName(t)).
			WithHelp("list a value of each implementation: Circle{}, or &Circle{} if the pointer implements %s", r.pkg.TypeName(u.Type))
		return nil, false
	}
	return t, types.Implements(t, u.Type.Underlying().(*types.Interface)) // the Go compiler reports why not
}

// applyUnionOption applies Member or Name to a union.
func (r *annotationReader) applyUnionOption(u *Union, file *ast.File, o unionOption) {
	isMember, isName := o.name == "Member" && len(o.call.Args) == 1, o.name == "Name" && len(o.call.Args) == 2
	if !isMember && !isName {
		return // the Go compiler reports why
	}
	name, ok := r.readUnionName(file, o.call.Args[0])
	switch {
	case !ok:
		return
	case isMember:
		u.Member = name
		return
	}
	t, ok := r.readVariant(*u, file, o.call.Args[1])
	if !ok {
		return
	}
	if i := u.indexOf(t); i >= 0 {
		u.Variants[i].Name = name
	} else {
		r.reportExpr(o.call.Args[1], "%s is not among the variants", r.pkg.TypeName(t)).WithHelp("list it in tool.Union")
	}
}

// readUnionName reads a constant name.
func (r *annotationReader) readUnionName(file *ast.File, e ast.Expr) (string, bool) {
	value := r.checkExpr(file, e).Types[e].Value
	if value == nil || value.Kind() != constant.String || constant.StringVal(value) == "" {
		r.reportExpr(e, "the name must be a constant string that is not empty, because it is read at compile time").
			WithHelp(`write it in quotes: "circle"`)
		return "", false
	}
	return constant.StringVal(value), true
}

// checkVariantNames reports variants with the same name.
func (r *annotationReader) checkVariantNames(u Union) {
	one, other, ok := FindSameName(u.Variants)
	if !ok {
		return
	}
	name := r.pkg.TypeName(other.Type)
	r.report(u.Span, "%s and %s have the same name, %s", r.pkg.TypeName(one.Type), name, other.Name).
		WithHelp("name one of them: .Name(%q, %s)", "other_"+other.Name, describeVariant(other.Type, r.pkg.TypeName(Deref(other.Type))))
}

// describeVariant returns a Go expression for a value of type t. The name is that of t or, if t is a
// pointer, of its element.
func describeVariant(t types.Type, name string) string {
	pointer := Deref(t) != types.Unalias(t)
	switch Deref(t).Underlying().(type) {
	case *types.Struct, *types.Map, *types.Slice, *types.Array:
		if pointer {
			return "&" + name + "{}"
		}
		return name + "{}"
	}
	if pointer {
		return "new(" + name + ")"
	}
	return "*new(" + name + ")"
}

// FindSameName returns two variants with the same name, if there are any.
func FindSameName(variants []Variant) (one, other Variant, ok bool) {
	byName := map[string]Variant{}
	for _, v := range variants {
		if one, ok := byName[v.Name]; ok {
			return one, v, true
		}
		byName[v.Name] = v
	}
	return Variant{}, Variant{}, false
}
