package resolve

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/words"
)

// splitTypeArguments splits an expression such as Map[int, string] into Map and its type arguments.
func splitTypeArguments(e ast.Expr) (generic ast.Expr, args []ast.Expr) {
	switch e := e.(type) {
	case *ast.IndexExpr:
		return e.X, []ast.Expr{e.Index}
	case *ast.IndexListExpr:
		return e.X, e.Indices
	}
	return e, nil
}

// instantiateFunction applies the type arguments of the reference to a generic function.
func (r *resolver) instantiateFunction(ref reference, t Function) (Function, bool) {
	args, ok := r.readTypeArgs(ref.text, t.Obj, t.Sig.TypeParams().Len(), ref.typeArgs, "a tool needs one exact function")
	if !ok {
		return Function{}, false
	}
	if t.TypeArgs = args; len(args) > 0 {
		instance, ok := r.instantiateType(ref.text, t.Obj, t.Sig, args)
		if !ok {
			return Function{}, false
		}
		t.Sig = instance.(*types.Signature)
	}
	return r.acceptFunction(ref.text, t)
}

// readTypeArgs evaluates the type arguments of a function or type with want type parameters. The
// error about missing type arguments ends with why, such as "a receiver is one exact type".
func (r *resolver) readTypeArgs(text aion.Text, obj types.Object, want int, exprs []ast.Expr, why string) (args []types.Type, ok bool) {
	if len(exprs) != want {
		d := r.faults.Errorf("generic-function", text.Span, "%s is generic, and %s", obj.Name(), why)
		var written []string
		for _, e := range exprs[:min(len(exprs), want)] {
			written = append(written, types.ExprString(e))
		}
		plain := obj.Name()
		if want > 0 {
			plain += "[" + strings.Join(r.sampleTypeArgs(obj, written), ", ") + "]"
		}
		switch {
		case want == 0:
			d.Message = obj.Name() + " is not generic, and takes no type arguments"
			d.WithHelp("write %s", plain)
		case len(exprs) > 0:
			d.Message = fmt.Sprintf("%s takes %s, not %d", obj.Name(), words.Count(want, "type argument"), len(exprs))
			d.WithHelp("write %s", plain)
		default:
			d.WithHelp("write its %s after it, as in %s", words.Count(want, "type argument"), plain)
		}
		if at := strings.Index(text.Value, obj.Name()); at >= 0 {
			end := at + len(obj.Name())
			if n := strings.LastIndexByte(text.Value, ']'); len(exprs) > 0 && n > end {
				end = n + 1
			}
			d.WithGuess(diag.Edit{Span: text.Between(at, end), Text: plain})
		}
		d.Related = r.pkg.RelatedDeclaration(obj)
		return nil, false
	}
	for _, e := range exprs {
		arg, err := r.checkType(e)
		if err != nil {
			name := types.ExprString(e)
			d := r.faults.Errorf("bad-type", text.Span, "type argument %s of %s: %v", name, obj.Name(), err)
			if t := r.wordType(strings.ToLower(name)); t != nil {
				d.WithHelp("write the Go type, %s", r.pkg.TypeName(t)).WithGuess(text.Replace(name, r.pkg.TypeName(t))...)
			} else {
				d.WithHelp("write a Go type, as in %s[%s]", obj.Name(), strings.Join(r.sampleTypeArgs(obj, nil), ", "))
			}
			return nil, false
		}
		args = append(args, arg)
	}
	return args, true
}

func (r *resolver) instantiateType(text aion.Text, obj types.Object, generic types.Type, args []types.Type) (types.Type, bool) {
	instance, err := types.Instantiate(nil, generic, args, true)
	if err != nil {
		r.faults.Errorf("bad-type", text.Span, "%s: %v", obj.Name(), err).Related = r.pkg.RelatedDeclaration(obj)
	}
	return instance, err == nil
}

// receiverType returns the type of the field of Deps for the methods of a type: a pointer or an interface. It
// resolves aliases, unless generated code can name only the alias.
func (r *resolver) receiverType(ref reference, obj *types.TypeName, exprs []ast.Expr) (types.Type, bool) {
	t, want := obj.Type(), 0
	if generic, ok := t.(interface{ TypeParams() *types.TypeParamList }); ok {
		want = generic.TypeParams().Len()
	}
	args, ok := r.readTypeArgs(ref.text, obj, want, exprs, "a receiver is one exact type")
	if ok && want > 0 {
		t, ok = r.instantiateType(ref.text, obj, t, args)
	}
	if !ok {
		return nil, false
	}
	if unaliased := types.Unalias(t); r.canNameType(unaliased) {
		t = unaliased
	}
	if _, pointer := types.Unalias(t).(*types.Pointer); pointer || types.IsInterface(t) {
		return t, true
	}
	return types.NewPointer(t), true
}

// canNameType reports whether generated code can name a type.
func (r *resolver) canNameType(t types.Type) bool {
	_, err := r.write.GoType(t)
	return err == nil
}
