package bind

import (
	"go/types"
	"reflect"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/annotate"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// injection is the declaration of a type as injected, nil if there is none.
func (b *binder) injection(t types.Type) *annotate.Injection {
	for i, in := range b.injections {
		if types.Identical(in.Type, types.Unalias(t)) {
			return &b.injections[i]
		}
	}
	return nil
}

// supplied reports whether no model supplies the parameters of a type, but the runtime
// or the application.
func (b *binder) supplied(t types.Type) bool { return supplied(t) || b.injection(t) != nil }

// warnOfUnused warns of injected types that no tool takes.
func (b *binder) warnOfUnused() {
	for _, in := range b.injections {
		if b.receivers.At(in.Type) == nil && b.faults.Err() == nil {
			b.faults.Warnf("unused-injection", in.Span, "no tool takes %s, so that Deps has no field for it", b.pkg.TypeName(in.Type)).
				WithHelp("delete the declaration")
		}
	}
}

// isNilable reports whether values of a type may be nil.
func isNilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Signature:
		return true
	}
	return false
}

// fills reports whether fields of a type in arguments are filled by the runtime or the
// application: with the context of the call, or with what is injected.
func (b *binder) fills(t types.Type) bool {
	return suppliers[supplierKey(t)] == model.FromContext && supplied(t) || b.injection(t) != nil
}

// fill settles which fields of the arguments are filled before the call.
func (b *binder) fill(el *element) {
	b.fillWithin(el, el.args, nil, nil)
}

// fillWithin does so for a type at the end of a way, which the types outside of it lead
// to. Values in lists and maps are not filled.
func (b *binder) fillWithin(el *element, t *model.Type, way []model.Step, outside []*model.Type) {
	if t.Kind == model.Pointer {
		t = t.Elem
	}
	if t == nil || t.Kind != model.StructKind || slices.Contains(outside, t) {
		return
	}
	outside = append(slices.Clip(outside), t)
	for _, f := range t.Filled {
		fill := model.Fill{Way: slices.Concat(way, steps(f.Within, f.Path, false)), Source: model.FromContext}
		if dep := b.filler(el, f.Type); dep != nil {
			fill.Source, fill.Dep = model.FromDeps, dep
		}
		el.tool.Func.Fill = append(el.tool.Func.Fill, fill)
	}
	for _, f := range t.Fields {
		if !f.Hidden {
			b.fillWithin(el, f.Type, slices.Concat(way, steps(f.Within, f.Path, f.Type.Kind == model.Pointer)), outside)
		}
	}
}

// filler is the field of Deps for an injected type, nil for the context.
func (b *binder) filler(el *element, t model.GoType) *model.Dep {
	for _, in := range b.injections {
		if written, err := b.write.Type(in.Type); err == nil && reflect.DeepEqual(written, t) {
			dep, _ := b.dep(el, in.Type, "takes it") // it was written just now
			return dep
		}
	}
	return nil
}

// steps are the selectors of a field. What is behind embedded pointers is reached by
// the names of these.
func steps(within []*model.Embedded, path []string, nilable bool) (way []model.Step) {
	for _, p := range within {
		way = append(way, model.Step{Name: p.Path[len(p.Path)-1], Nilable: true})
	}
	for i, name := range path {
		if len(within) == 0 || i == len(path)-1 {
			way = append(way, model.Step{Name: name, Nilable: nilable && i == len(path)-1})
		}
	}
	return way
}

// suppliers are the types of parameters that the runtime supplies.
var suppliers = map[string]model.ArgSource{
	"context.Context":               model.FromContext,
	"*log/slog.Logger":              model.FromLogger,
	"*" + model.ToolPath + ".Call":  model.FromCall,
	"*" + model.ToolPath + ".Scope": model.FromScope,
	model.MemoryPath + ".Store":     model.FromMemory,
}

// supplied reports whether the runtime supplies the parameters of a type.
func supplied(t types.Type) bool {
	_, ok := suppliers[supplierKey(t)]
	return ok
}

func supplierKey(t types.Type) string { return types.TypeString(types.Unalias(t), nil) }
