package resolve

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/internal/words"
)

// typeArguments takes the type arguments off an expression.
func typeArguments(e ast.Expr) (plain ast.Expr, args []ast.Expr) {
	switch e := e.(type) {
	case *ast.IndexExpr:
		return e.X, []ast.Expr{e.Index}
	case *ast.IndexListExpr:
		return e.X, e.Indices
	}
	return e, nil
}

// instantiate puts type arguments into a generic function.
func (r *resolving) instantiate(ref reference, t Function) (Function, bool) {
	args, ok := r.typeArgs(ref.text, t.Obj, t.Sig.TypeParams().Len(), ref.typeArgs, "a tool needs one exact function")
	if !ok {
		return Function{}, false
	}
	if t.TypeArgs = args; len(args) > 0 {
		instance, ok := r.instance(ref.text, t.Obj, t.Sig, args)
		if !ok {
			return Function{}, false
		}
		t.Sig = instance.(*types.Signature)
	}
	return r.accept(ref.text, t)
}

// typeArgs evaluates the type arguments of a generic function or type, of which
// so many are wanted.
func (r *resolving) typeArgs(text aion.Text, obj types.Object, want int, exprs []ast.Expr, why string) (args []types.Type, ok bool) {
	if len(exprs) != want {
		d := r.faults.Errorf("generic-function", text.Span, "%s is generic, and %s", obj.Name(), why)
		if want == 0 {
			d.Message = obj.Name() + " is not generic, and takes no type arguments"
		} else {
			sample := fmt.Sprintf("%s[%s]", obj.Name(), strings.Join([]string{"string", "int", "bool"}[:min(want, 3)], ", "))
			d.WithHelp("write its %s behind it, as in %s", words.Count(want, "type argument"), sample)
			if len(exprs) == 0 && want <= 3 {
				d.WithGuess(text.Replace(obj.Name(), sample)...)
			}
		}
		d.Related = r.pkg.Declared(obj)
		return nil, false
	}
	for _, e := range exprs {
		arg, err := r.checkType(e)
		if err != nil {
			r.faults.Errorf("bad-type", text.Span, "type argument %s of %s: %v", types.ExprString(e), obj.Name(), err)
			return nil, false
		}
		args = append(args, arg)
	}
	return args, true
}

func (r *resolving) instance(text aion.Text, obj types.Object, generic types.Type, args []types.Type) (types.Type, bool) {
	instance, err := types.Instantiate(nil, generic, args, true)
	if err != nil {
		r.faults.Errorf("bad-type", text.Span, "%s: %v", obj.Name(), err).Related = r.pkg.Declared(obj)
	}
	return instance, err == nil
}

// receiverType is what Deps has to hold for the methods of a type: a pointer,
// or an interface. An alias stands for a type that cannot be named without it.
func (r *resolving) receiverType(ref reference, obj *types.TypeName, exprs []ast.Expr) (types.Type, bool) {
	t, want := obj.Type(), 0
	if generic, ok := t.(interface{ TypeParams() *types.TypeParamList }); ok {
		want = generic.TypeParams().Len()
	}
	args, ok := r.typeArgs(ref.text, obj, want, exprs, "a receiver is one exact type")
	if ok && want > 0 {
		t, ok = r.instance(ref.text, obj, t, args)
	}
	if !ok {
		return nil, false
	}
	if plain := types.Unalias(t); r.canName(plain) {
		t = plain
	}
	if _, pointer := types.Unalias(t).(*types.Pointer); pointer || types.IsInterface(t) {
		return t, true
	}
	return types.NewPointer(t), true
}

// canName reports whether generated code can name a type.
func (r *resolving) canName(t types.Type) bool {
	_, err := r.write.Type(t)
	return err == nil
}
