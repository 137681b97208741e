package bind

import (
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// bindCallee settles how the function is referred to: by its package, as a
// method of a receiver from Deps, or of a package variable.
func (b *binder) bindCallee(el *element) error {
	f, fn := el.tool.Func, el.fn
	if fn.Literal != nil {
		return b.bindLiteral(el)
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
	for _, s := range fn.Path {
		f.Walk = append(f.Walk, model.Step(s))
		need = "calls a method behind it"
	}
	switch {
	case fn.Receiver != nil:
		var err error
		if f.Dep, err = b.dep(el, fn.Receiver, need); err != nil {
			return err
		}
		if len(f.Walk) > 0 {
			return nil
		}
		f.Type.Elems = append([]model.GoType{f.Dep.Type}, f.Type.Elems...)
		return nil
	case fn.Holder != nil:
		f.Path, f.Holder, f.HolderNil = fn.Holder.Pkg().Path(), fn.Holder.Name(), isNilable(fn.Holder.Type())
		return b.mention(el, fn.Holder)
	}
	f.Path = fn.Obj.Pkg().Path()
	return b.mention(el, fn.Obj)
}

// A dep is a field of Deps, and what it is called after.
type dep struct {
	*model.Dep
	def     *model.Def // nil for a type without a name
	foreign bool       // the type is declared in another package
}

// dep returns the field of Deps for a type that an element's function needs.
func (b *binder) dep(el *element, receiver types.Type, need string) (*model.Dep, error) {
	if known, ok := b.receivers.At(receiver).(*model.Dep); ok {
		return known, nil
	}
	goType, err := b.write.Type(receiver)
	if err != nil {
		return nil, err
	}
	d := dep{Dep: &model.Dep{Type: goType, Need: el.tool.Name + " " + need, Nilable: isNilable(receiver)}}
	if in := b.injection(receiver); in != nil {
		d.Field = in.Field
	}
	b.receivers.Set(receiver, d.Dep)
	if p, ok := receiver.(*types.Pointer); ok {
		receiver = p.Elem()
	}
	if named, ok := types.Unalias(receiver).(*types.Named); ok {
		d.def, d.foreign = b.shapes.Def(named), named.Obj().Pkg() != b.pkg.Types
		if goType.Kind == model.GoPointer {
			goType = goType.Elems[0]
		}
		if goType.Name != named.Obj().Name() { // which only the alias can be said of
			d.def = &model.Def{Stem: goname.Capitalised(goType.Name), Package: d.def.Package}
			if d.foreign {
				d.def.Stem = goname.Capitalised(d.def.Package) + d.def.Stem
			}
		}
	}
	b.deps = append(b.deps, d)
	return d.Dep, nil
}
