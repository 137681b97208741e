package resolve

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
)

// receiver is T, with its type arguments, of T, (T), (*T) and *T.
func receiver(e ast.Expr) (owner ast.Expr, args []ast.Expr) {
	e = ast.Unparen(e)
	if star, ok := e.(*ast.StarExpr); ok {
		e = ast.Unparen(star.X)
	}
	return typeArguments(e)
}

// resolveMethod finds a method of a type, with its type arguments, or of what a
// package variable holds.
func (r *resolving) resolveMethod(ref reference, pkg *types.Package, owner string, args []ast.Expr, name string) (Function, bool) {
	t := Function{}
	switch obj := pkg.Scope().Lookup(owner).(type) {
	case *types.TypeName:
		var ok bool
		if t.Receiver, ok = r.receiverType(ref, obj, args); !ok {
			return Function{}, false
		}
	case *types.Var:
		if _, ok := r.typeArgs(ref.text, obj, 0, args, ""); !ok {
			return Function{}, false
		}
		t.Holder, t.Receiver = obj, obj.Type()
	default:
		r.missingOwner(ref.text, pkg, owner, name)
		return Function{}, false
	}
	methods := methodsOf(t.Receiver, pkg == r.pkg.Types)
	known := slices.Sorted(maps.Keys(methods))
	obj, rivals := lookup(name, known, func(name string) types.Object { return methods[name] })
	if len(rivals) > 1 {
		r.ambiguous(ref.text, name, rivals)
		return Function{}, false
	}
	if obj == nil {
		var all []types.Object
		for _, n := range known {
			all = append(all, methods[n])
		}
		r.ghost(ref.text, pkg, owner, name, all)
		return Function{}, false
	}
	f := obj.(*types.Func)
	t.Obj, t.Sig, t.DocKey = f, f.Signature(), methodDocKey(f)
	if t.Holder != nil {
		t.Receiver = nil
	}
	return r.instantiate(ref, t)
}

// methodDocKey names the method where it is declared, which for a promoted one
// is another type.
func methodDocKey(f *types.Func) string {
	t := f.Signature().Recv().Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name() + "." + f.Name()
	}
	return f.Name()
}
