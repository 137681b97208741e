package resolve

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/lambda"
)

// reportMethodInPath reports a method instead of a field on the path from a type to the method of a tool, and
// suggests a lambda that calls both methods.
func (r *resolver) reportMethodInPath(ref reference, root Function, names []string, method types.Object, owner types.Type) {
	d := r.faults.Errorf("ghost-tool", ref.text.Span, "%s is a method of %s, and only fields can lead to the method of a tool",
		method.Name(), strings.TrimPrefix(r.pkg.TypeName(owner), "*"))
	d.Related = r.pkg.RelatedDeclaration(method)
	i := slices.IndexFunc(r.injected, func(in *lambda.Injected) bool { return sameOwner(in.Type(), root.Receiver) })
	typeName := r.pkg.TypeName(root.Receiver)
	value := "deps." + goname.SnakeCase(strings.TrimPrefix(typeName[strings.LastIndexByte(typeName, '.')+1:], "*"))
	switch {
	case root.Holder != nil:
		value = root.Holder.Name()
	case i >= 0:
		value = "deps." + goname.SnakeCase(r.injected[i].Name())
	}
	text := r.composeChain(value, root.Receiver, names)
	switch {
	case text == "":
		d.WithHelp("a lambda can call it")
	case i < 0 && root.Holder == nil:
		d.WithHelp("call it in a lambda: %q, and inject the value: var _ = tool.Inject[%s]()", text, typeName)
	default:
		d.WithHelp("call it in a lambda: %q", text).WithGuess(ref.text.Rewrite(text)...)
	}
}

// sameOwner reports whether two types are identical, or one is a pointer to the other.
func sameOwner(a, b types.Type) bool {
	return types.Identical(a, b) || types.Identical(a, types.NewPointer(b)) || types.Identical(types.NewPointer(a), b)
}

// composeChain returns a lambda that selects fields and calls methods of a value in turn, such as
// "lambda id: deps.client.users.get(id)". Its parameters are those of the methods. It returns "" if a
// name is neither a field nor a method.
func (r *resolver) composeChain(expr string, t types.Type, names []string) string {
	var params []string
	taken := goname.Names{}
	for _, name := range names {
		obj := r.memberOf(t, name)
		if obj == nil {
			return ""
		}
		expr += "." + obj.Name()
		fn, isMethod := obj.(*types.Func)
		if !isMethod {
			t = obj.Type()
			continue
		}
		var args []string
		for i := range fn.Signature().Params().Len() {
			v := fn.Signature().Params().At(i)
			if fn.Signature().Variadic() && i == fn.Signature().Params().Len()-1 || r.supply.HasType(v.Type()) {
				continue
			}
			p := fmt.Sprintf("arg%d", len(params)+1)
			if v.Name() != "" && v.Name() != "_" {
				p = goname.SnakeCase(v.Name())
			}
			params = append(params, taken.Take(p))
			args = append(args, params[len(params)-1])
		}
		expr += "(" + strings.Join(args, ", ") + ")"
		if t = nil; fn.Signature().Results().Len() > 0 {
			t = fn.Signature().Results().At(0).Type()
		}
	}
	if len(params) == 0 {
		return "lambda: " + expr
	}
	return "lambda " + strings.Join(params, ", ") + ": " + expr
}
