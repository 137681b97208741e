package ops

import (
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// convertElems returns a list or dict with elements of another type.
func (o *Values) convertElems(v *code.Value, t types.Type, at syntax.Place, what string) *code.Value {
	if kind.IsEmpty(v.Type) {
		return o.Empty(t)
	}
	from, to := v.Type.Underlying(), t.Underlying()
	if types.Identical(from, to) {
		return o.conversion(v, t)
	}
	function := "Map"
	if v.Kind() == kind.Dict {
		function = "MapDict"
		if !types.Identical(from.(*types.Map).Key(), to.(*types.Map).Key()) {
			return o.misfit(v, t, at, what)
		}
	} else {
		v = o.slice(v)
	}
	if kind.IsArray(t) || o.nested > kind.MaxDepth-1 { // the type holds itself
		return o.misfit(v, t, at, what)
	}
	if function == "Map" && types.Identical(kind.Elem(t), kind.GoAny) && kind.IsSimple(kind.Elem(v.Type)) {
		list := o.anys(v)
		if !types.Identical(t, kind.AnyList) {
			list = o.conversion(list, t)
		}
		return o.remade(list, v)
	}
	o.nested++
	convert := o.converter(kind.Elem(v.Type), kind.Elem(t), at, "an element of "+what)
	o.nested--
	if convert.Bad() {
		return convert
	}
	var list *code.Value
	if convert.Step.Fails {
		list = o.Do(map[string]string{"Map": "list", "MapDict": "dict"}[function], t, at, code.Py("Try"+function), v, convert)
	} else {
		list = o.Read(t, code.Py(function), v, convert)
	}
	if _, named := types.Unalias(t).(*types.Named); named {
		list.Type = to
		return o.conversion(list, t)
	}
	return list
}

// converter is a function that converts values of one type to another, and returns
// an error if it can fail.
func (o *Values) converter(from, to types.Type, at syntax.Place, what string) *code.Value {
	if kind.Of(from) == kind.Any {
		if unbox, ok := unboxers[kind.Of(to)]; ok && types.Identical(to, unbox.made) {
			f := code.Dyn(unbox.name)
			f.Fails = true
			return o.Ref(f)
		}
	}
	param := o.Param("value", from)
	f, result := o.Func(to, param, func() *code.Value { return o.Convert(param, to, at, what) })
	if result.Bad() {
		return result
	}
	return f
}

// slice returns a list that may be an array as a slice.
func (o *Values) slice(v *code.Value) *code.Value {
	array, ok := v.Type.Underlying().(*types.Array)
	if !ok {
		return v
	}
	if !v.IsVariable() {
		v = o.InVariable(v)
	}
	return o.Rest(types.NewSlice(array.Elem()), v, 0).From(v.Origin)
}

// InVariable puts a value into a variable.
func (o *Values) InVariable(v *code.Value) *code.Value {
	if v.When != code.Anytime {
		return v.Kept()
	}
	return o.Define("", v.Type, v)
}

// anys is a list with elements of any type.
func (o *Values) anys(list *code.Value) *code.Value {
	if types.Identical(kind.Elem(list.Type), kind.GoAny) {
		return list
	}
	return o.Read(kind.AnyList, code.Py("Anys"), list)
}
