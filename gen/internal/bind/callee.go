package bind

import (
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/literal"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// bindCallee settles how the function is referred to: by its package, as a
// method of a receiver from Deps, or of a package variable.
func (b *binder) bindCallee(el *element) error {
	f, fn := el.tool.Func, el.fn
	if fn.Literal != nil {
		l, err := literal.Declare(b.write, fn.Literal)
		if err != nil {
			return err
		}
		f.Path, f.Literal, el.literal = b.write.Target.Path, l.Made, l
		el.mentions = l.Mentions
		return nil
	}
	f.Name = fn.Obj.Name()
	for _, arg := range fn.TypeArgs {
		goType, err := b.write.Type(arg)
		if err != nil {
			return err
		}
		f.TypeArgs = append(f.TypeArgs, goType)
	}
	need := "is a method of it"
	if f.Walk = fn.Path; len(f.Walk) > 0 {
		need = "calls a method behind it"
	}
	switch {
	case fn.Receiver != nil:
		var err error
		if f.Dep, err = b.supply.Dep(fn.Receiver, el.tool.Name, need); err != nil {
			return err
		}
		if len(f.Walk) > 0 {
			return nil
		}
		f.Type.Elems = append([]model.GoType{f.Dep.Type}, f.Type.Elems...)
		return nil
	case fn.Holder != nil:
		f.Path, f.Holder, f.HolderNil = fn.Holder.Pkg().Path(), fn.Holder.Name(), gotype.IsNilable(fn.Holder.Type())
		return el.mention(b.write, fn.Holder)
	}
	f.Path = fn.Obj.Pkg().Path()
	return el.mention(b.write, fn.Obj)
}
