package resolve

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// FillsType reports whether the runtime or the application fills fields of a type in
// arguments: with the context of the call, its exchange, or an injected value.
func (s *Supply) FillsType(t types.Type) bool {
	source, ok := findSupplier(t)
	return ok && (source == model.FromContext || source == model.FromExchange) || s.findInjection(t) != nil
}

// FillArgs returns the fields of the arguments that are filled before the function is called.
// Values in lists and maps, and values of a type within the same type, are not filled: the
// second list has the paths of their fields, which stay zero.
func (s *Supply) FillArgs(args *model.Type, tool string) ([]model.Fill, []model.Unseen) {
	f := argsFiller{supply: s, tool: tool}
	f.fillType(args, fillPlace{filled: true})
	return f.fills, f.empty
}

// An argsFiller walks through the arguments of a tool.
type argsFiller struct {
	supply *Supply
	tool   string
	fills  []model.Fill
	empty  []model.Unseen
}

// A fillPlace is where a type occurs in the arguments.
type fillPlace struct {
	filled    bool          // a value exists there; otherwise its fields stay zero
	steps     []model.Step  // steps to it
	path      string        // in JSON: page.items[]
	enclosing []*model.Type // the structs that contain it
}

// stepsPerPlace is the number of budget steps for one place.
const stepsPerPlace = 10

// fillType walks through a type in one place. A type may occur in very many places.
func (f *argsFiller) fillType(t *model.Type, at fillPlace) {
	if !hasFilledFields(t, &model.TypeSet{}) || !f.supply.deps.write.Budget.UseSteps(stepsPerPlace+len(at.path)) {
		return
	}
	switch t.Kind {
	case model.Pointer:
		f.fillType(t.Elem, at)
		return
	case model.Slice, model.Array:
		f.fillType(t.Elem, fillPlace{path: at.path + "[]", enclosing: at.enclosing})
		return
	case model.Represented, model.Asserted:
		f.fillType(t.Elem, fillPlace{path: at.path, enclosing: at.enclosing})
		return
	case model.Map:
		f.fillType(t.Elem, fillPlace{path: at.path + "{}", enclosing: at.enclosing})
		return
	case model.Union:
		f.fillVariants(t, at)
		return
	}
	again := slices.ContainsFunc(at.enclosing, func(o *model.Type) bool { return reflect.DeepEqual(o.Go, t.Go) })
	at.filled = at.filled && !again
	for _, filled := range t.Filled {
		f.fillField(filled, at)
	}
	if again {
		return
	}
	for _, field := range t.ShownFields() {
		way := slices.Concat(at.steps, fillSteps(field.Within, field.Path, field.Type.Kind == model.Pointer))
		f.fillType(field.Type, fillPlace{at.filled, way, strings.TrimPrefix(at.path+"."+field.Name, "."), append(slices.Clip(at.enclosing), t)})
	}
}

// fillVariants walks through the variants of a union. A generated call does not know which one the arguments have.
func (f *argsFiller) fillVariants(t *model.Type, at fillPlace) {
	if slices.ContainsFunc(at.enclosing, func(o *model.Type) bool { return reflect.DeepEqual(o.Go, t.Go) }) {
		return
	}
	for _, variant := range t.Fields {
		f.fillType(variant.Type, fillPlace{path: at.path + "." + variant.Name, enclosing: append(slices.Clip(at.enclosing), t)})
	}
}

// fillField fills a field of a struct, or records that it stays zero.
func (f *argsFiller) fillField(filled model.Filled, in fillPlace) {
	if !in.filled {
		f.empty = append(f.empty, model.Unseen{Name: in.path + "." + filled.Path[len(filled.Path)-1], Type: filled.Type.String()})
		return
	}
	fill := model.Fill{Way: slices.Concat(in.steps, fillSteps(filled.Within, filled.Path, false)), Source: model.FromContext}
	if dep := f.findDep(filled.Type); dep != nil {
		fill.Source, fill.Dep = model.FromDeps, dep
	} else if filled.Type.Kind == model.GoPointer {
		fill.Source = model.FromExchange
	}
	f.fills = append(f.fills, fill)
}

// hasFilledFields reports whether a type or one of its parts has fields that are filled.
func hasFilledFields(t *model.Type, visited *model.TypeSet) bool {
	isLeaf := t == nil || t.Elem == nil && len(t.Fields)+len(t.Filled) == 0 // most types
	if isLeaf || !visited.Add(t) {
		return false
	}
	return len(t.Filled) > 0 || hasFilledFields(t.Elem, visited) ||
		slices.ContainsFunc(t.ShownFields(), func(field *model.Field) bool { return hasFilledFields(field.Type, visited) })
}

// findDep returns the field of Deps for an injected type, nil if the runtime fills it.
func (f *argsFiller) findDep(t model.GoType) *model.Dep {
	for _, in := range f.supply.injections {
		if written, err := f.supply.deps.write.GoType(in.Type); err == nil && reflect.DeepEqual(written, t) {
			dep, _ := f.supply.FieldFor(in.Type, f.tool, injectedNeed) // it was written above
			return dep
		}
	}
	return nil
}

// fillSteps returns the selectors of a field. Fields of embedded pointers are selected
// through the pointers.
func fillSteps(within []*model.Embedded, path []string, nilable bool) (way []model.Step) {
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
