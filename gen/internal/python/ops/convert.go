package ops

import (
	"fmt"
	"go/token"
	"go/types"
	"math"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// Convert returns a value as a Go type, or reports that it cannot be one. The words
// say what it is for.
func (o *Values) Convert(v *code.Value, t types.Type, at syntax.Place, what string) *code.Value {
	switch k, target := v.Kind(), kind.Of(t); {
	case v.Bad() || v.Is(t):
		return v
	case k == kind.None:
		return o.convertNone(v, t, at, what)
	case target == kind.Any && !kind.IsNumberText(t):
		return o.boxed(v, t)
	case target == kind.Optional && k != kind.Optional:
		return o.pointer(o.Convert(v, kind.Elem(t), at, what), t)
	case target == kind.Object:
		return o.convertObject(v, t, at, what)
	case k == kind.Optional && target == kind.Optional:
		return o.misfit(v, t, at, what)
	case k == kind.Optional:
		elem := o.Deref(v, at, "TypeError: %s must be %s, not None", what, kind.Names[target])
		return o.Convert(elem, t, at, what)
	case k == kind.Any:
		return o.unboxed(v, t, at, what)
	case k == kind.Int && target == kind.Int:
		return o.convertInt(v, t, at)
	case (k == kind.Int || k == kind.Float) && target == kind.Float:
		return o.convertFloat(v, t, at)
	case k == target && (k == kind.Str || k == kind.Bool):
		return o.conversion(v, t)
	case k == target && (k == kind.List || k == kind.Dict):
		return o.convertElems(v, t, at, what)
	}
	return o.misfit(v, t, at, what)
}

func (o *Values) misfit(v *code.Value, t types.Type, at syntax.Place, what string) *code.Value {
	d := o.Wrong(v, at, "%s must be %s", what, o.Name(t))
	function := map[kind.Kind]string{kind.Str: "str", kind.Int: "int", kind.Float: "float", kind.Bool: "bool"}[kind.Of(t)]
	switch {
	case kind.IsContainer(v.Type) && v.Kind() == kind.Of(t) && kind.IsArray(t):
		d.WithHelp("a list may have any length: let the function take a slice")
	case function != "" && kind.IsData(v.Type):
		d.WithHelp("write %s(…) around it", function)
	}
	return code.Bad()
}

func (o *Values) convertNone(v *code.Value, t types.Type, at syntax.Place, what string) *code.Value {
	if k := kind.Of(t); k != kind.Optional && k != kind.Any && !kind.HasNil(t) {
		o.Mismatch(at, "%s must be %s, but this is None", what, o.Name(t)).
			WithHelp("None fits pointers, slices, maps and any in Go")
		return code.Bad()
	}
	return v.As(t)
}

// boxed is a value as an any, which may become a part of the result: a list that is
// nil in Go would be None there.
func (o *Values) boxed(v *code.Value, t types.Type) *code.Value {
	box := o.dynamic(v)
	if (kind.IsContainer(v.Type) || v.Kind() == kind.Optional && kind.IsContainer(kind.Elem(v.Type))) && !v.Whole {
		box = o.Made(t, code.Of(code.Dyn("Whole"), t), box)
	}
	return &code.Value{Step: box.Step, Type: t, Facts: v.Facts, Origin: v.Origin}
}

// dynamic is a value as the operand of a function of package dyn. Displays get the
// types that dynamic values have.
func (o *Values) dynamic(v *code.Value) *code.Value {
	switch {
	case kind.IsEmpty(v.Type):
		return o.Empty(kind.Settled(v.Type))
	case v.Kind() == kind.Optional: // a nil pointer in an any is not nil
		return o.Made(kind.GoAny, code.Py("Boxed"), v)
	case v.Kind() == kind.Object && kind.HasNil(v.Type) && !v.NotNil: // nor is that of an object
		return o.Made(kind.GoAny, code.Dyn("Object"), v)
	}
	return v
}

// settled is a list or dict of a type that can be written.
func (o *Values) settled(v *code.Value) *code.Value {
	if kind.IsEmpty(v.Type) {
		return o.Empty(kind.Settled(v.Type))
	}
	return v
}

// pointer is a value as an optional one.
func (o *Values) pointer(v *code.Value, t types.Type) *code.Value {
	switch {
	case v.Bad():
		return v
	case v.Known == nil && v.When != code.Anytime:
		v = v.Kept()
	case v.Known != nil || !v.IsVariable():
		start := v
		if isUntypedLiteral(v) {
			start = o.Cast(v.Type, v)
		}
		v = o.Define("", v.Type, start)
	}
	return o.Unary(t, token.AND, v)
}

// isUntypedLiteral reports whether a constant would get another type in := than the
// value has.
func isUntypedLiteral(v *code.Value) bool {
	switch v.Known.(type) {
	case int64:
		return !v.Is(kind.GoInt)
	case float64:
		return !v.Is(kind.GoFloat)
	case string:
		return !v.Is(kind.GoString)
	}
	return false
}

func (o *Values) convertObject(v *code.Value, t types.Type, at syntax.Place, what string) *code.Value {
	pointer, isPointer := types.Unalias(t).(*types.Pointer)
	from, fromPointer := types.Unalias(v.Type).(*types.Pointer)
	switch {
	case types.AssignableTo(v.Type, t):
		return v.As(t)
	case isPointer && v.Is(pointer.Elem()) && v.Op == code.Global:
		name := &code.Step{Op: code.Global, Object: v.Object} // what it holds is not asked for
		return o.Unary(t, token.AND, o.Ref(name))
	case isPointer && v.Is(pointer.Elem()):
		return o.pointer(v, t)
	case fromPointer && types.Identical(from.Elem(), t):
		checked := o.NotNone(v, at, o.Made(nil, code.Py("Errorf"), o.Str("TypeError"), o.Str("%s"), o.Str(what+" must be "+o.Name(t)+", not None")))
		x := o.Unary(t, token.MUL, checked)
		x.Step.Own, x.Step.When = code.InTurn, code.InTurn
		return x
	}
	d := scope.Because(o.Mismatch(at, "%s must be %s, but %s", what, o.Name(t), o.DescribeThis(v)), v)
	if v.Kind() == kind.Dict {
		d.WithHelp("give the argument this Go type in its note, so that its JSON is read as one")
	}
	return code.Bad()
}

// conversion is a Go conversion that cannot fail.
func (o *Values) conversion(v *code.Value, t types.Type) *code.Value {
	c := v.As(t)
	if v.Known == nil || v.Op == code.Global {
		c.Step = o.Cast(t, v).Step
	}
	return c
}

func (o *Values) convertInt(v *code.Value, t types.Type, at syntax.Place) *code.Value {
	basic := t.Underlying().(*types.Basic)
	if n, ok := v.Known.(int64); ok {
		if !fits(n, basic.Kind()) {
			o.Mismatch(at, "%d does not fit Go's %s", n, o.TypeName(t))
			return code.Bad()
		}
		return o.conversion(v, t)
	}
	from := v.Type.Underlying().(*types.Basic)
	if from.Kind() == basic.Kind() || from.Kind() == types.Int && basic.Kind() == types.Int64 {
		return o.conversion(v, t)
	}
	return o.Do("number", t, at, code.Of(code.Py("Whole"), t), v)
}

// fits reports whether a constant is one of a kind of integer, on every machine.
func fits(n int64, k types.BasicKind) bool {
	switch k {
	case types.Int8:
		return n == int64(int8(n))
	case types.Int16:
		return n == int64(int16(n))
	case types.Int32:
		return n == int64(int32(n))
	case types.Uint8:
		return n == int64(uint8(n))
	case types.Uint16:
		return n == int64(uint16(n))
	case types.Uint32:
		return n == int64(uint32(n))
	case types.Uint, types.Uint64, types.Uintptr:
		return n >= 0
	}
	return true
}

func (o *Values) convertFloat(v *code.Value, t types.Type, at syntax.Place) *code.Value {
	if kind.Of(v.Type) == kind.Int && v.Known == nil && !types.Identical(t, kind.GoFloat) {
		return o.conversion(v, t) // one conversion is enough
	}
	f := o.float(v)
	known, isKnown := f.Known.(float64)
	narrower := isFloat32(t) && !isFloat32(v.Type)
	switch {
	case types.Identical(t, kind.GoFloat):
		return f
	case narrower && isKnown && math.IsInf(float64(float32(known)), 0) && !math.IsInf(known, 0):
		o.Mismatch(at, "%v does not fit Go's %s", known, o.TypeName(t))
		return code.Bad()
	case narrower && !isKnown:
		return o.Do("number", t, at, code.Of(code.Py("Narrow"), t), f)
	}
	return o.conversion(f, t)
}

func isFloat32(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Float32
}

// unboxers are the functions that return a dynamic value as one of a type, and what
// they return.
var unboxers = map[kind.Kind]struct {
	name string
	made types.Type
}{
	kind.Int: {"ToInt", kind.GoInt}, kind.Float: {"ToFloat", kind.GoFloat}, kind.Str: {"ToText", kind.GoString},
	kind.Bool: {"ToBool", kind.GoBool}, kind.List: {"ToList", kind.AnyList}, kind.Dict: {"ToDict", kind.AnyDict},
}

// unboxed returns a dynamic value as one of a type, if it is one.
func (o *Values) unboxed(v *code.Value, t types.Type, at syntax.Place, what string) *code.Value {
	to, ok := unboxers[kind.Of(t)]
	if !ok {
		return o.misfit(v, t, at, what)
	}
	return o.Convert(o.Do("", to.made, at, code.Dyn(to.name), v).From(v.Origin), t, at, what)
}

// describeArgument is an argument as messages mention it, by its number.
func describeArgument(i int, function string) string {
	return fmt.Sprintf("argument %d of %s", i+1, function)
}

// integer makes an argument an integer, which it must be.
func (o *Values) integer(v *code.Value, at syntax.Place, what string) *code.Value {
	switch {
	case v.Kind() == kind.Any:
		return o.Do("number", kind.GoInt, at, code.Dyn("Integer"), v)
	case kind.IsOptional(v.Type, kind.Int), kind.IsOptional(v.Type, kind.Bool):
		v = o.Deref(v, at, "TypeError: 'NoneType' object cannot be interpreted as an integer")
	}
	if v.IsInteger() {
		return o.Number(v, at)
	}
	return o.Convert(v, kind.GoInt, at, what)
}

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
