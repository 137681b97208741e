package ops

import (
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

const notSubscriptable = "TypeError: 'NoneType' object is not subscriptable"

// noneIndex is what Python says of None as an index.
var noneIndex = map[kind.Kind]string{
	kind.Str:  "TypeError: string indices must be integers, not 'NoneType'",
	kind.List: "TypeError: list indices must be integers or slices, not NoneType",
	kind.Dict: "KeyError: None",
}

// Index is an element of a list, a dict or a text.
func (o Ops) Index(e *syntax.Index, x, i *code.Value) *code.Value {
	if code.AnyBad(x, i) {
		return code.Bad()
	}
	x = o.Deref(x, e.At(), notSubscriptable)
	if complaint := noneIndex[x.Kind()]; complaint != "" && !kind.IsEmpty(x.Type) {
		i = o.Deref(i, e.At(), "%s", complaint)
	}
	v := o.element(e, x, i)
	if v.Bad() {
		return v
	}
	v.Whole = x.Whole
	return v.From(code.Origin{What: "the element", Why: "of " + o.Name(x.Type), Related: x.Origin.Related})
}

func (o Ops) element(e *syntax.Index, x, i *code.Value) *code.Value {
	name := o.elementName(x, i)
	switch k := x.Kind(); {
	case kind.IsEmpty(x.Type) || k == kind.Any || i.Kind() == kind.Any && kind.IsData(x.Type):
		return o.Do(name, kind.GoAny, e.At(), code.Dyn("Index"), o.dynamic(x), o.dynamic(i))
	case k == kind.Str && i.IsInteger():
		return o.Do("char", kind.GoString, e.At(), code.Py("CharAt"), o.plain(x), o.Number(i, e.At()))
	case k == kind.List && i.IsInteger():
		x = o.slice(x)
		return o.Do(name, kind.Elem(x.Type), e.At(), code.Py("Index"), x, o.Number(i, e.At()))
	case k == kind.Dict && i.Kind() == kind.Int && keyMayNotFit(x, i):
		return o.Do(name, kind.Elem(x.Type), e.At(), code.Py("ItemOfInt"), x, o.Number(i, e.At()))
	case k == kind.Dict && i.Kind() == kind.Of(kind.Key(x.Type)):
		key := o.Convert(i, kind.Key(x.Type), e.Index.At(), "the key")
		return o.Do(name, kind.Elem(x.Type), e.At(), code.Py("Item"), x, key)
	case k == kind.Object:
		o.Unfit(e.At(), []*code.Value{x, i}, "%s cannot be indexed with %s", o.Name(x.Type), o.Name(i.Type)).
			WithHelp("its fields are attributes: x.name")
	default:
		o.Unfit(e.At(), []*code.Value{x, i}, "%s cannot be indexed with %s", o.Name(x.Type), o.Name(i.Type))
	}
	return code.Bad()
}

// keyMayNotFit reports whether the keys of a dict are integers of a type that does not
// hold all those that an index may be.
func keyMayNotFit(dict, i *code.Value) bool {
	key := kind.Key(dict.Type)
	return kind.Of(key) == kind.Int && !i.Is(key) && i.Known == nil
}

// elementName is a name for an element: the key, where it is known.
func (o Ops) elementName(x, i *code.Value) string {
	if key, ok := i.Known.(string); ok && token.IsIdentifier(scope.Local(key)) {
		return scope.Local(key)
	}
	if kind.IsContainer(x.Type) {
		return kind.Variable(kind.Elem(x.Type))
	}
	return "value"
}

// Slice is a part of a list or a text. Bounds that are left out are nil.
func (o Ops) Slice(e *syntax.Slice, x *code.Value, bounds [3]*code.Value) *code.Value {
	x = o.Deref(x, e.At(), notSubscriptable)
	if x.Kind() == kind.Any {
		args := []*code.Value{x}
		for _, b := range bounds {
			if b == nil {
				b = o.None()
			}
			args = append(args, o.dynamic(b))
		}
		return o.Do("part", kind.GoAny, e.At(), code.Dyn("Slice"), args...)
	}
	for i, b := range bounds {
		if b != nil && b.Kind() == kind.None {
			bounds[i] = nil
		}
	}
	start, stop, step := bounds[0], bounds[1], bounds[2]
	if step != nil {
		if step = o.bound(step, o.Int(1), e.Step.At()); step.Bad() {
			return step
		}
		switch n, known := step.Known.(int64); {
		case known && n == 1:
			step = nil
		case known && n == 0:
			o.Mismatch(e.Step.At(), "the step of a slice cannot be 0")
			return code.Bad()
		}
	}
	first, last := o.missingBounds(step)
	from, to := first, last
	if start != nil {
		from = o.bound(start, first, e.Start.At())
	}
	if stop != nil {
		to = o.bound(stop, last, e.Stop.At())
	}
	if code.AnyBad(from, to) {
		return code.Bad()
	}
	return o.sliced(e, x, from, to, step)
}

// missingBounds are the bounds of a slice where they are left out, which hangs on the
// direction.
func (o Ops) missingBounds(step *code.Value) (first, last *code.Value) {
	first, last = o.Int(0), o.helper("End")
	if step == nil {
		return first, last
	}
	switch n, known := step.Known.(int64); {
	case known && n < 0:
		return last, o.helper("Start")
	case !known:
		step = step.Kept()
		return o.Made(kind.GoInt, code.Py("First"), step), o.Made(kind.GoInt, code.Py("Last"), step)
	}
	return first, last
}

// helper is an integer that package py declares.
func (o *Values) helper(name string) *code.Value { return o.Ref(code.Py(name)).As(kind.GoInt) }

// sliced is a slice from one bound to another.
func (o Ops) sliced(e *syntax.Slice, x, from, to, step *code.Value) *code.Value {
	switch {
	case x.Kind() == kind.Str && step == nil:
		return o.Made(kind.GoString, code.Py("Substring"), o.plain(x), from, to)
	case x.Kind() == kind.Str:
		return o.Do("text", kind.GoString, e.At(), code.Py("SubstringStep"), o.plain(x), from, to, step)
	case x.Kind() != kind.List:
		o.Wrong(x, e.At(), "a slice is one of a str or a list")
		return code.Bad()
	}
	x = o.slice(o.settled(x))
	t := types.NewSlice(kind.Elem(x.Type))
	if step == nil {
		return o.remade(o.Read(t, code.Py("Slice"), x, from, to), x)
	}
	return o.remade(o.Do("list", t, e.At(), code.Py("SliceStep"), x, from, to, step), x)
}

// bound makes a bound of a slice an int. What may be None needs the bound that this
// stands for.
func (o *Values) bound(v, missing *code.Value, at syntax.Place) *code.Value {
	switch {
	case v.IsInteger():
		return o.Number(v, at)
	case v.Kind() == kind.Optional && types.Identical(kind.Elem(v.Type), kind.GoInt):
		return o.Made(kind.GoInt, code.Py("Or"), v, missing)
	case v.Kind() == kind.Any, kind.IsOptional(v.Type, kind.Int), kind.IsOptional(v.Type, kind.Bool):
		return o.Do("bound", kind.GoInt, at, code.Dyn("Bound"), o.dynamic(v), missing)
	case !v.Bad():
		o.Wrong(v, at, "a bound of a slice is an int or None")
	}
	return code.Bad()
}
