package supply

import (
	"go/types"
	"reflect"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// Fills reports whether fields of a type in arguments are filled by the runtime or the
// application: with the context of the call, or with what is injected.
func (s *Supply) Fills(t types.Type) bool {
	source, ok := suppliers[supplierKey(t)]
	return ok && source == model.FromContext || s.injection(t) != nil
}

// Fill returns what is put into the arguments of a tool before its function is called.
// Values in lists and maps are not filled.
func (s *Supply) Fill(args *model.Type, tool string) []model.Fill {
	f := filling{supply: s, tool: tool}
	f.within(args, nil, nil)
	return f.found
}

// A filling looks through the arguments of a tool.
type filling struct {
	supply *Supply
	tool   string
	found  []model.Fill
}

// within looks through a type at the end of a way, which the types outside of it lead
// to.
func (f *filling) within(t *model.Type, way []model.Step, outside []*model.Type) {
	if t.Kind == model.Pointer {
		t = t.Elem
	}
	if t == nil || t.Kind != model.StructKind || slices.Contains(outside, t) {
		return
	}
	outside = append(slices.Clip(outside), t)
	for _, filled := range t.Filled {
		fill := model.Fill{Way: slices.Concat(way, steps(filled.Within, filled.Path, false)), Source: model.FromContext}
		if dep := f.dep(filled.Type); dep != nil {
			fill.Source, fill.Dep = model.FromDeps, dep
		}
		f.found = append(f.found, fill)
	}
	for _, field := range t.Fields {
		if !field.Hidden {
			f.within(field.Type, slices.Concat(way, steps(field.Within, field.Path, field.Type.Kind == model.Pointer)), outside)
		}
	}
}

// dep is the field of Deps for an injected type, nil for the context.
func (f *filling) dep(t model.GoType) *model.Dep {
	for _, in := range f.supply.injections {
		if written, err := f.supply.deps.write.Type(in.Type); err == nil && reflect.DeepEqual(written, t) {
			dep, _ := f.supply.Dep(in.Type, f.tool, needTaken) // it was written just now
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
