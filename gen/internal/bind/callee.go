package bind

import (
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// bindCallee sets how generated code refers to the function: as a declaration of its package,
// a method of a field of Deps, or a method of a package variable.
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
