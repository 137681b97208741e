package resolve

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// FillsType reports whether fields of type t in arguments are filled before the call: with the
// context of the call, its exchange, or an injected value.
func (s *Supply) FillsType(t types.Type) bool {
	source, ok := findSupplier(t)
	return ok && (source == model.FromContext || source == model.FromExchange) || s.findInjection(t) != nil
}

// FillArgs returns the fields of the arguments that are filled before the function is called.
// Values inside lists, maps and recursive types are not filled. The second list has the paths of
// their fields, which stay zero.
func (s *Supply) FillArgs(args *model.Type, tool string) ([]model.Fill, []model.Unseen) {
	f := argsFiller{supply: s, tool: tool}
	f.fillType(args, fillPlace{filled: true})
	return f.fills, f.empty
}

// An argsFiller collects the fields to fill in the arguments of a tool.
type argsFiller struct {
	supply *Supply
	tool   string
	fills  []model.Fill
	empty  []model.Unseen
}

// A fillPlace is an occurrence of a type in the arguments.
type fillPlace struct {
	filled    bool          // fields are filled there; otherwise they stay zero
	steps     []model.Step  // selectors that lead to it
	path      string        // in JSON, such as page.items[]
	enclosing []*model.Type // the structs that contain it
}

// stepsPerPlace is the number of budget steps for one occurrence of a type.
const stepsPerPlace = 10

// fillType collects the fields of one occurrence of a type. It uses steps of the budget, because
// the number of occurrences can grow exponentially.
func (f *argsFiller) fillType(t *model.Type, place fillPlace) {
	if !hasFilledFields(t) || !f.supply.write.Budget.UseSteps(stepsPerPlace+len(place.path)) {
		return
	}
	switch t.Kind {
	case model.Pointer:
		f.fillType(t.Elem, place)
		return
	case model.Slice, model.Array:
		f.fillType(t.Elem, fillPlace{path: place.path + "[]", enclosing: place.enclosing})
		return
	case model.Represented, model.Asserted:
		f.fillType(t.Elem, fillPlace{path: place.path, enclosing: place.enclosing})
		return
	case model.Map:
		f.fillType(t.Elem, fillPlace{path: place.path + "{}", enclosing: place.enclosing})
		return
	case model.Union:
		f.fillVariants(t, place)
		return
	}
	isRecursive := slices.ContainsFunc(place.enclosing, func(o *model.Type) bool { return reflect.DeepEqual(o.Go, t.Go) })
	place.filled = place.filled && !isRecursive
	for _, filled := range t.Filled {
		f.fillField(filled, place)
	}
	if isRecursive {
		return
	}
	for _, field := range t.ShownFields() {
		steps := slices.Concat(place.steps, fillSteps(field.Within, field.Path, field.Type.Kind == model.Pointer))
		f.fillType(field.Type, fillPlace{place.filled, steps, strings.TrimPrefix(place.path+"."+field.Name, "."), append(slices.Clip(place.enclosing), t)})
	}
}

// fillVariants collects the fields of the variants of a union. They stay zero, because generated code does not
// know which variant the arguments have.
func (f *argsFiller) fillVariants(t *model.Type, place fillPlace) {
	if slices.ContainsFunc(place.enclosing, func(o *model.Type) bool { return reflect.DeepEqual(o.Go, t.Go) }) {
		return
	}
	for _, variant := range t.Fields {
		f.fillType(variant.Type, fillPlace{path: place.path + "." + variant.Name, enclosing: append(slices.Clip(place.enclosing), t)})
	}
}

// fillField records that a field of a struct is filled, or that it stays zero.
func (f *argsFiller) fillField(filled model.Filled, place fillPlace) {
	if !place.filled {
		f.empty = append(f.empty, model.Unseen{Name: place.path + "." + filled.Path[len(filled.Path)-1], Type: filled.Type.String()})
		return
	}
	fill := model.Fill{Way: slices.Concat(place.steps, fillSteps(filled.Within, filled.Path, false)), Source: model.FromContext}
	if dep := f.findDep(filled.Type); dep != nil {
		fill.Source, fill.Dep = model.FromDeps, dep
	} else if filled.Type.Kind == model.GoPointer {
		fill.Source = model.FromExchange
	}
	f.fills = append(f.fills, fill)
}

// hasFilledFields reports whether a type or one of its parts has fields that are filled.
func hasFilledFields(t *model.Type) (found bool) {
	t.Walk(func(part *model.Type) (enter bool) {
		found = found || len(part.Filled) > 0
		return !found
	})
	return found
}

// findDep returns the field of Deps for an injected type, or nil if the runtime supplies values of
// the type.
func (f *argsFiller) findDep(t model.GoType) *model.Dep {
	for _, in := range f.supply.injections {
		if written, err := f.supply.write.GoType(in.Type); err == nil && reflect.DeepEqual(written, t) {
			dep, _ := f.supply.FieldFor(in.Type, f.tool, injectedNeed) // GoType succeeded above, so this cannot fail
			return dep
		}
	}
	return nil
}

// fillSteps returns the selectors that lead to a field. For a field that is promoted through
// embedded pointers, the selectors of these pointers come first.
func fillSteps(within []*model.Embedded, path []string, nilable bool) (steps []model.Step) {
	for _, p := range within {
		steps = append(steps, model.Step{Name: p.Path[len(p.Path)-1], Nilable: true})
	}
	for i, name := range path {
		if len(within) == 0 || i == len(path)-1 {
			steps = append(steps, model.Step{Name: name, Nilable: nilable && i == len(path)-1})
		}
	}
	return steps
}
