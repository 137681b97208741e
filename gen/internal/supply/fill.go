package supply

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// Fills reports whether fields of a type in arguments are filled by the runtime or the
// application: with the context of the call or its exchange, or with what is injected.
func (s *Supply) Fills(t types.Type) bool {
	source, ok := supplier(t)
	return ok && (source == model.FromContext || source == model.FromExchange) || s.injection(t) != nil
}

// Fill returns what is put into the arguments of a tool before its function is called.
// Values in lists and maps are not filled, and no value of a type within another of that
// type: the second list has the fields that stay empty for that, by their paths.
func (s *Supply) Fill(args *model.Type, tool string) ([]model.Fill, []model.Unseen) {
	f := filling{supply: s, tool: tool}
	f.within(args, place{filled: true})
	return f.found, f.empty
}

// A filling looks through the arguments of a tool.
type filling struct {
	supply *Supply
	tool   string
	found  []model.Fill
	empty  []model.Unseen
}

// A place is where a type stands in the arguments.
type place struct {
	filled  bool          // a value there is; else its fields stay empty
	way     []model.Step  // to it
	path    string        // in JSON: page.items[]
	outside []*model.Type // the structs that lead to it
}

// stepsPerPlace is how many steps it takes to look through a type in one place.
const stepsPerPlace = 10

// within looks through a type in a place. There may be very many ways to one type.
func (f *filling) within(t *model.Type, at place) {
	if !takesMore(t, &model.Met{}) || !f.supply.deps.write.Budget.Step(stepsPerPlace+len(at.path)) {
		return
	}
	switch t.Kind {
	case model.Pointer:
		f.within(t.Elem, at)
		return
	case model.Slice, model.Array:
		f.within(t.Elem, place{path: at.path + "[]", outside: at.outside})
		return
	case model.Map:
		f.within(t.Elem, place{path: at.path + "{}", outside: at.outside})
		return
	}
	again := slices.ContainsFunc(at.outside, func(o *model.Type) bool { return reflect.DeepEqual(o.Go, t.Go) })
	at.filled = at.filled && !again
	for _, filled := range t.Filled {
		f.field(filled, at)
	}
	if again {
		return
	}
	for _, field := range t.Shown() {
		way := slices.Concat(at.way, steps(field.Within, field.Path, field.Type.Kind == model.Pointer))
		f.within(field.Type, place{at.filled, way, strings.TrimPrefix(at.path+"."+field.Name, "."), append(slices.Clip(at.outside), t)})
	}
}

// field fills a field of a struct in a place, or notes that it stays empty.
func (f *filling) field(filled model.Filled, in place) {
	if !in.filled {
		f.empty = append(f.empty, model.Unseen{Name: in.path + "." + filled.Path[len(filled.Path)-1], Type: filled.Type.String()})
		return
	}
	fill := model.Fill{Way: slices.Concat(in.way, steps(filled.Within, filled.Path, false)), Source: model.FromContext}
	if dep := f.dep(filled.Type); dep != nil {
		fill.Source, fill.Dep = model.FromDeps, dep
	} else if filled.Type.Kind == model.GoPointer {
		fill.Source = model.FromExchange
	}
	f.found = append(f.found, fill)
}

// takesMore reports whether a type has fields, of its own or within, that no model
// writes.
func takesMore(t *model.Type, met *model.Met) bool {
	isLeaf := t == nil || t.Elem == nil && len(t.Fields)+len(t.Filled) == 0 // most are
	if isLeaf || !met.First(t) {
		return false
	}
	return len(t.Filled) > 0 || takesMore(t.Elem, met) ||
		slices.ContainsFunc(t.Shown(), func(field *model.Field) bool { return takesMore(field.Type, met) })
}

// dep is the field of Deps for an injected type, nil for what the runtime fills in.
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
