package resolve

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/source"
)

// resolveMethod finds a method of the type or package variable that is the first name of c. Further
// names are fields, and the method belongs to the last one.
func (r *resolver) resolveMethod(ref reference, pkg *types.Package, c selectorChain, name string) (Function, bool) {
	owner, fields := c.names[0], c.names[1:]
	if len(c.args) > 0 && c.argsIndex != 1 {
		r.reportBadReference(ref.text)
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
		if _, ok := r.readTypeArgs(ref.text, obj, 0, c.args, ""); !ok {
			return Function{}, false
		}
		t.Holder, t.Receiver = obj, obj.Type()
	default:
		r.reportMissingOwner(ref.text, pkg, owner, append(fields, name)...)
		return Function{}, false
	}
	path, end, ok := r.followFields(ref, t, fields, name)
	if !ok {
		return Function{}, false
	}
	t.Path = path
	methods := methodsOf(end, len(path) == 0 && pkg == r.pkg.Types || r.declaresType(end))
	names := slices.Sorted(maps.Keys(methods))
	obj, rivals := lookupSpelling(name, names, func(name string) types.Object { return methods[name] })
	if len(rivals) > 1 {
		r.reportAmbiguous(ref.text, name, rivals)
		return Function{}, false
	}
	if obj == nil {
		var all []types.Object
		for _, n := range names {
			all = append(all, methods[n])
		}
		if len(path) > 0 {
			owner, pkg = strings.TrimPrefix(r.pkg.TypeName(end), "*"), r.pkg.Types
		}
		r.reportMissing(ref.text, pkg, owner, name, all)
		return Function{}, false
	}
	f := obj.(*types.Func)
	t.Obj, t.Sig, t.DocKey = f, f.Signature(), source.DocKey(f)
	if t.Holder != nil {
		t.Receiver = nil
	}
	return r.instantiateFunction(ref, t)
}

// declaresType reports whether the package of the resolver declares t or, if t is a pointer, the
// type that it points to.
func (r *resolver) declaresType(t types.Type) bool {
	named := source.NamedOf(t)
	return named != nil && named.Obj().Pkg() == r.pkg.Types
}
