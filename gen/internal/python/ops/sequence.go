package ops

import (
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// Iterable returns what a loop over a value takes its elements from, a slice. The
// taker is who loops.
func (o *Values) Iterable(v *code.Value, at syntax.Place, taker string) *code.Value {
	return o.IterableElse(v, at, taker, "'NoneType' object is not iterable")
}

// IterableElse is Iterable with a complaint of its own about None.
func (o *Values) IterableElse(v *code.Value, at syntax.Place, taker, complaint string) *code.Value {
	if v.Bad() {
		return v
	}
	switch v = o.Deref(v, at, "TypeError: %s", complaint); v.Kind() {
	case kind.List:
		if kind.IsEmpty(v.Type) {
			return o.Empty(kind.AnyList)
		}
		return o.slice(v)
	case kind.Str:
		return o.Made(types.NewSlice(kind.GoString), code.Py("Chars"), o.plain(v))
	case kind.Dict:
		if kind.IsEmpty(v.Type) {
			return o.Empty(types.NewSlice(kind.GoString))
		}
		keys := types.NewSlice(kind.Key(v.Type))
		return o.Read(keys, code.Std("slices", "Sorted"), o.Read(keys, code.Std("maps", "Keys"), v))
	case kind.Any:
		return o.Do("list", kind.AnyList, at, code.Dyn("Elements"), v)
	}
	o.Wrong(v, at, "%s takes a list, a str or a dict", taker)
	return code.Bad()
}

// noArgument reports a value that a function of Python does not take.
func (o Ops) noArgument(v *code.Value, at syntax.Place, function, takes string) *code.Value {
	o.Wrong(v, at, "%s() takes %s", function, takes)
	return code.Bad()
}

// The functions of Python that take one value.

func (o Ops) Len(v *code.Value, at syntax.Place) *code.Value {
	v = o.Deref(v, at, "TypeError: object of type 'NoneType' has no len()")
	switch v.Kind() {
	case kind.Str:
		if s, ok := v.Known.(string); ok {
			return o.Int(int64(len([]rune(s))))
		}
		return o.Made(kind.GoInt, code.Std("unicode/utf8", "RuneCountInString"), o.plain(v)).Sized(lengthBits)
	case kind.List, kind.Dict:
		return o.Read(kind.GoInt, code.Go("len"), o.settled(v)).Sized(lengthBits)
	case kind.Any:
		return o.Do("length", kind.GoInt, at, code.Dyn("Len"), v).Sized(lengthBits)
	}
	return o.noArgument(v, at, "len", "a str, a list or a dict")
}

func (o Ops) ToInt(v *code.Value, at syntax.Place) *code.Value {
	v = o.Deref(v, at, "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'NoneType'")
	switch v.Kind() {
	case kind.Bool, kind.Int:
		return o.Number(v, at)
	case kind.Float:
		return o.Do("number", kind.GoInt, at, code.Py("Trunc"), o.float(v))
	case kind.Str:
		return o.Do("number", kind.GoInt, at, code.Py("ParseInt"), o.plain(v))
	case kind.Any:
		return o.Do("number", kind.GoInt, at, code.Dyn("Int"), v)
	}
	return o.noArgument(v, at, "int", "a number or a str")
}

func (o Ops) ToFloat(v *code.Value, at syntax.Place) *code.Value {
	v = o.Deref(v, at, "TypeError: float() argument must be a string or a real number, not 'NoneType'")
	switch v.Kind() {
	case kind.Bool, kind.Int, kind.Float:
		return o.float(o.Number(v, at))
	case kind.Str:
		return o.Do("number", kind.GoFloat, at, code.Py("ParseFloat"), o.plain(v))
	case kind.Any:
		return o.Do("number", kind.GoFloat, at, code.Dyn("Float"), v)
	}
	return o.noArgument(v, at, "float", "a number or a str")
}

func (o Ops) ToBool(v *code.Value, _ syntax.Place) *code.Value { return o.Truth(v) }

func (o Ops) Abs(v *code.Value, at syntax.Place) *code.Value {
	v = o.Deref(v, at, "TypeError: bad operand type for abs(): 'NoneType'")
	switch v.Kind() {
	case kind.Bool, kind.Int:
		return o.Do("size", kind.GoInt, at, code.Py("Abs"), o.Number(v, at))
	case kind.Float:
		return o.Made(kind.GoFloat, code.Std("math", "Abs"), o.float(v))
	case kind.Any:
		return o.Do("size", kind.GoAny, at, code.Dyn("Abs"), v)
	}
	return o.noArgument(v, at, "abs", "a number")
}

// AnyTrue and AllTrue look for an element that Python takes for true, or for false.
func (o Ops) AnyTrue(v *code.Value, at syntax.Place) *code.Value { return o.some(v, at, "any()", true) }
func (o Ops) AllTrue(v *code.Value, at syntax.Place) *code.Value {
	return o.some(v, at, "all()", false)
}

func (o Ops) some(v *code.Value, at syntax.Place, function string, truth bool) *code.Value {
	list := o.Iterable(v, at, function)
	if list.Bad() {
		return list
	}
	var found *code.Value
	if elem := kind.Elem(list.Type); types.Identical(elem, kind.GoBool) {
		found = o.Read(kind.GoBool, code.Std("slices", "Contains"), list, o.Bool(truth))
	} else {
		param := o.Param("value", elem)
		is, _ := o.Func(kind.GoBool, param, func() *code.Value {
			if truth {
				return o.Truth(param)
			}
			return o.Not(o.Truth(param))
		})
		found = o.Read(kind.GoBool, code.Std("slices", "ContainsFunc"), list.Kept(), is)
	}
	if !truth {
		return o.Not(found)
	}
	return found
}

// Sum adds the elements of a list to a start.
func (o Ops) Sum(v, start *code.Value, at syntax.Place) *code.Value {
	list := o.Iterable(v, at, "sum()")
	if list.Bad() {
		return list
	}
	elem := kind.Elem(list.Type)
	switch k := kind.Of(elem); {
	case types.Identical(elem, kind.GoInt) && start.Kind() == kind.Int:
		return o.Do("sum", kind.GoInt, at, code.Py("SumInts"), list, o.Number(start, at))
	case types.Identical(elem, kind.GoFloat) && start.IsNumber():
		return o.Read(kind.GoFloat, code.Py("SumFloats"), list, o.float(o.Number(start, at)))
	case kind.IsData(elem) && (k != kind.Str || start.Known == nil):
		return o.Do("sum", kind.GoAny, at, code.Dyn("Sum"), o.anys(list), o.dynamic(start))
	}
	d := o.Wrong(v, at, "sum() takes a list of numbers")
	switch {
	case v.Kind() == kind.Dict:
		d.WithHelp("write sum([d[k] for k in d]) for its values")
	case v.Kind() == kind.List && kind.Of(elem) == kind.Str:
		d.WithHelp("write ''.join(…) to join strings")
	}
	return code.Bad()
}

// Round rounds a number, to some digits if these are not nil.
func (o Ops) Round(v, digits *code.Value, at syntax.Place) *code.Value {
	x := o.Deref(v, at, "TypeError: type NoneType doesn't define __round__ method")
	if digits != nil && digits.Kind() != kind.None {
		return o.roundTo(x, digits, at)
	}
	switch x.Kind() {
	case kind.Bool, kind.Int:
		return o.Number(x, at)
	case kind.Float:
		return o.Do("number", kind.GoInt, at, code.Py("Round"), o.float(x))
	case kind.Any:
		return o.Do("number", kind.GoAny, at, code.Dyn("Round"), x)
	}
	return o.noArgument(x, at, "round", "a number")
}

// roundTo is round with a number of digits, on whose being there the type of the
// result hangs.
func (o Ops) roundTo(x, digits *code.Value, at syntax.Place) *code.Value {
	if !x.IsNumber() && x.Kind() != kind.Any {
		return o.noArgument(x, at, "round", "a number")
	}
	if x.Kind() == kind.Any || digits.Kind() == kind.Any || digits.Kind() == kind.Optional {
		return o.Do("number", kind.GoAny, at, code.Dyn("RoundTo"), o.dynamic(x), o.dynamic(digits))
	}
	if digits = o.integer(digits, at, "argument 2 of round"); digits.Bad() {
		return digits
	}
	if x.Kind() == kind.Float {
		return o.Do("number", kind.GoFloat, at, code.Py("RoundTo"), o.float(x), digits)
	}
	n := o.Number(x, at)
	if d, ok := digits.Known.(int64); ok && d >= 0 {
		return n
	}
	return o.Do("number", kind.GoInt, at, code.Py("RoundInt"), n, digits)
}

// Sorted sorts a list by its keys, which may be the list itself.
func (o Ops) Sorted(list, keys, reverse *code.Value, at syntax.Place) *code.Value {
	elem, key, plain := kind.Elem(list.Type), kind.Elem(keys.Type), keys == list
	t := types.NewSlice(elem)
	var sorted *code.Value
	switch {
	case kind.IsOrdered(key) && plain:
		sorted = o.Read(t, code.Py("Sorted"), list, reverse)
	case kind.IsOrdered(key):
		sorted = o.Read(t, code.Py("SortedBy"), list, keys, reverse)
	case kind.IsData(key) && types.Identical(elem, kind.GoAny) && plain:
		sorted = o.Do("list", t, at, code.Dyn("Sorted"), list, reverse)
	case kind.IsData(key):
		sorted = o.Do("list", t, at, code.Dyn("SortedBy"), list, o.anys(keys), reverse)
	default:
		o.Unfit(at, []*code.Value{list}, "values of %s have no order", o.Name(key)).WithHelp("give the key to sort by: key=lambda x: x.name")
		return code.Bad()
	}
	return o.remade(sorted, list)
}

// Reverse makes the argument reverse a bool. Python takes integers, too.
func (o Ops) Reverse(v *code.Value, at syntax.Place) *code.Value {
	switch {
	case v.Bad():
		return v
	case v.Kind() == kind.Any, kind.IsOptional(v.Type, kind.Int), kind.IsOptional(v.Type, kind.Bool):
		if v = o.integer(v, at, ""); v.Bad() {
			return v
		}
	case !v.IsInteger():
		o.Wrong(v, at, "argument reverse of sorted is a bool").WithHelp("write bool(…) around it")
		return code.Bad()
	}
	return o.Truth(v)
}

// Extreme is min or max of a list by its keys, which may be the list itself.
func (o Ops) Extreme(function string, list, keys *code.Value, args []*code.Value, at syntax.Place) *code.Value {
	function = map[string]string{"min": "Min", "max": "Max"}[function]
	elem, key := kind.Elem(list.Type), kind.Elem(keys.Type)
	name := kind.Variable(elem)
	switch {
	case kind.IsOrdered(key) && keys == list:
		return o.Do(name, elem, at, code.Py(function), list)
	case kind.IsOrdered(key):
		return o.Do(name, elem, at, code.Py(function+"By"), list, keys)
	case types.Identical(elem, kind.GoAny) && keys == list:
		return o.Do(name, elem, at, code.Dyn(function), list)
	case kind.IsData(key):
		return o.Do(name, elem, at, code.Dyn(function+"By"), list, o.anys(keys))
	}
	o.Unfit(at, args, "values of %s have no order", o.Name(key)).WithHelp("give the key to compare: key=lambda x: x.name")
	return code.Bad()
}

// ExtremeInt is min or max of integers.
func (o Ops) ExtremeInt(function string, args []*code.Value, at syntax.Place) *code.Value {
	known := true
	for i, v := range args {
		args[i] = o.Number(v, at)
		known = known && args[i].Known != nil
	}
	if known {
		args[0] = o.Cast(kind.GoInt, args[0])
	}
	return o.Made(kind.GoInt, code.Go(function), args...)
}
