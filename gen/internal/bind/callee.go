package bind

import (
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// bindCallee sets how generated code refers to the function: by name, as a method of a field of
// Deps or of a package variable, or as a generated function if the element has a literal.
func (b *binder) bindCallee(el *element) error {
	f, fn := el.tool.Func, el.fn
	if fn.Literal != nil {
		l, err := resolve.DeclareLiteral(b.write, fn.Literal)
		if err != nil {
			return err
		}
		f.Path, f.Literal, el.literal = b.write.Target.Path, l.Generated, l
		el.mentions = l.Mentions
		return nil
	}
	f.Name = fn.Obj.Name()
	for _, arg := range fn.TypeArgs {
		goType, err := b.write.GoType(arg)
		if err != nil {
			return err
		}
		f.TypeArgs = append(f.TypeArgs, goType)
	}
	need := "is a method of it"
	if f.Walk = fn.Path; len(f.Walk) > 0 {
		need = "calls a method of one of its fields"
	}
	switch {
	case fn.Receiver != nil:
		var err error
		if f.Dep, err = b.supply.FieldFor(fn.Receiver, el.tool.Name, need); err != nil {
			return err
		}
		if len(f.Walk) > 0 {
			return nil
		}
		f.Type.Elems = append([]model.GoType{f.Dep.Type}, f.Type.Elems...)
		return nil
	case fn.Holder != nil:
		f.Path, f.Holder, f.HolderNil = fn.Holder.Pkg().Path(), fn.Holder.Name(), shape.IsNilable(fn.Holder.Type())
		return el.addMention(b.write, fn.Holder)
	}
	f.Path = fn.Obj.Pkg().Path()
	return el.addMention(b.write, fn.Obj)
}

// bindDeclaration sets where the function of a tool is declared. Generated code does not contain
// the line, because edits of Go files would change it. Instead, generated code refers to the
// declaration, and the runtime finds the line. Such a reference is impossible for methods of
// interfaces, instances of generic functions, and methods of types that the generated package
// cannot import.
func (b *binder) bindDeclaration(el *element) {
	obj := el.fn.Obj
	if obj == nil || el.tool.Func == nil {
		return
	}
	el.tool.Binding.Function = b.pkg.DeclarationPlace(obj)
	fn, ok := obj.(*types.Func)
	if !ok || len(el.fn.TypeArgs) > 0 {
		return
	}
	receiver := fn.Signature().Recv()
	if receiver == nil {
		if el.tool.Func.Literal == nil {
			el.tool.Binding.Declared = el.tool.Func
		}
		return
	}
	named := source.Receiver(fn)
	if named == nil || types.IsInterface(named) || named.TypeArgs().Len() > 0 {
		return
	}
	if goType, err := b.write.GoType(receiver.Type()); err == nil {
		el.tool.Binding.Declared = &model.Func{Name: fn.Name(), Dep: &model.Dep{Type: goType}}
	}
}
