package resolve

import (
	"go/types"
	"maps"
	"slices"
	"strings"
)

// resolveMethod finds a method of a type, with its type arguments, or of what a
// package variable holds; or of what a field of either has.
func (r *resolving) resolveMethod(ref reference, pkg *types.Package, c chain, name string) (Function, bool) {
	owner, fields := c.names[0], c.names[1:]
	if len(c.args) > 0 && c.at != 1 {
		r.badReference(ref.text)
		return Function{}, false
	}
	t := Function{}
	switch obj := pkg.Scope().Lookup(owner).(type) {
	case *types.TypeName:
		var ok bool
		if t.Receiver, ok = r.receiverType(ref, obj, c.args); !ok {
			return Function{}, false
		}
	case *types.Var:
		if _, ok := r.typeArgs(ref.text, obj, 0, c.args, ""); !ok {
			return Function{}, false
		}
		t.Holder, t.Receiver = obj, obj.Type()
	default:
		r.missingOwner(ref.text, pkg, owner, append(fields, name)...)
		return Function{}, false
	}
	way, end, ok := r.walk(ref, t.Receiver, fields)
	if !ok {
		return Function{}, false
	}
	t.Path = way
	methods := methodsOf(end, len(way) == 0 && pkg == r.pkg.Types || r.declares(end))
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
		if len(way) > 0 {
			owner, pkg = strings.TrimPrefix(r.pkg.TypeName(end), "*"), r.pkg.Types
		}
		r.ghost(ref.text, pkg, owner, name, all)
		return Function{}, false
	}
	f := obj.(*types.Func)
	t.Obj, t.Sig, t.DocKey = f, f.Signature(), docKey(f)
	if t.Holder != nil {
		t.Receiver = nil
	}
	return r.instantiate(ref, t)
}

// declares reports whether the package declares a type, or what it points to.
func (r *resolving) declares(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() == r.pkg.Types
}

// docKey names a function or method where it is declared, which for a promoted one is
// another type.
func docKey(f *types.Func) string {
	if f.Signature().Recv() == nil {
		return f.Name()
	}
	t := f.Signature().Recv().Type()
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name() + "." + f.Name()
	}
	return f.Name()
}
