package lambda

import (
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

const notSubscriptable = "TypeError: 'NoneType' object is not subscriptable"

// noneIndex holds Python's errors for None as an index, by the kind of the indexed value.
var noneIndex = map[ir.Kind]string{
	ir.Str:  "TypeError: string indices must be integers, not 'NoneType'",
	ir.List: "TypeError: list indices must be integers or slices, not NoneType",
	ir.Dict: "KeyError: None",
}

// indexValue translates x[i] for a list, a dict or a string x.
func (o operators) indexValue(e *pysyntax.Index, x, i *ir.Value) *ir.Value {
	if ir.HasBad(x, i) {
		return ir.NewBad()
	}
	x = o.dereference(x, e.Location(), notSubscriptable)
	if message := noneIndex[x.Kind()]; message != "" && !ir.IsEmpty(x.Type) {
		i = o.dereference(i, e.Location(), "%s", message)
	}
	v := o.readElement(e, x, i)
	v.NilFree = x.NilFree
	return v.SetOrigin(ir.Origin{What: "the element", Why: "of " + o.describeType(x.Type), Related: x.Origin.Related})
}

// readDynamic returns x[i] as an any, because its type is known only at run time.
func (o operators) readDynamic(name string, at pysyntax.Place, x, i *ir.Value) *ir.Value {
	if o.rejectJSONChange(x, at, "an element") {
		return ir.NewBad()
	}
	return o.callHelper(name, ir.GoAny, at, ir.DynRef("Index"), o.toDynamic(x), o.toDynamic(i))
}

func (o operators) readElement(e *pysyntax.Index, x, i *ir.Value) *ir.Value {
	name := o.elementName(x, i)
	switch k := x.Kind(); {
	case ir.IsEmpty(x.Type) || k == ir.Any || i.Kind() == ir.Any && ir.IsData(x.Type):
		return o.readDynamic(name, e.Location(), x, i)
	case k == ir.Str && i.IsInteger():
		return o.callHelper("char", ir.GoString, e.Location(), ir.PyRef("CharAt"), o.toPlain(x), o.toNumber(i, e.Location()))
	case k == ir.List && i.IsInteger():
		x = o.toSlice(x)
		return o.callHelper(name, ir.ElemType(x.Type), e.Location(), ir.PyRef("Index"), x, o.toNumber(i, e.Location()))
	case keyMayNotFit(x, i):
		return o.callHelper(name, ir.ElemType(x.Type), e.Location(), ir.PyRef("ItemOfInt"), x, o.toNumber(i, e.Location()))
	case k == ir.Dict && i.Kind() == ir.KindOf(ir.KeyType(x.Type)):
		key := o.convertTo(i, ir.KeyType(x.Type), e.Index.Location(), "the key")
		return o.callHelper(name, ir.ElemType(x.Type), e.Location(), ir.PyRef("Item"), x, key)
	}
	d := o.addIncompatible(e.Location(), []*ir.Value{x, i}, "%s cannot be indexed with %s", o.describeType(x.Type), o.describeType(i.Type))
	if x.Kind() == ir.Object {
		o.helpWithField(d, e, i)
	}
	return ir.NewBad()
}

// helpWithField suggests x.name for x['name'] if x is an object.
func (o operators) helpWithField(d *diag.Diagnostic, e *pysyntax.Index, i *ir.Value) {
	owner, field := o.source[e.X.Location().From:e.X.Location().To], "name"
	if key, ok := i.Constant.(string); ok {
		field = key
	}
	if _, simple := e.X.(*pysyntax.Name); !simple || !o.suggest(d, e.Location(), owner+"."+field) {
		d.WithHelp("fields are attributes: %s.%s", owner, field)
	}
}

// keyMayNotFit reports whether x is a dict with integer keys and i is an integer that may be too large for their
// type.
func keyMayNotFit(x, i *ir.Value) bool {
	if x.Kind() != ir.Dict || i.Kind() != ir.Int {
		return false
	}
	key := ir.KeyType(x.Type)
	return ir.KindOf(key) == ir.Int && !i.HasType(key) && i.Constant == nil
}

// elementName returns a variable name for x[i]: the key if it is constant and an identifier, otherwise a name for the
// element type.
func (o operators) elementName(x, i *ir.Value) string {
	if key, ok := i.Constant.(string); ok && token.IsIdentifier(localName(key)) {
		return localName(key)
	}
	if ir.IsContainer(x.Type) {
		return ir.VariableName(ir.ElemType(x.Type))
	}
	return "value"
}

// sliceValue translates x[start:stop:step]. Omitted bounds are nil.
func (o operators) sliceValue(e *pysyntax.Slice, x *ir.Value, bounds [3]*ir.Value) *ir.Value {
	x = o.dereference(x, e.Location(), notSubscriptable)
	if x.Kind() == ir.Any {
		args := []*ir.Value{x}
		for _, b := range bounds {
			if b == nil {
				b = o.NoneLiteral()
			}
			args = append(args, o.toDynamic(b))
		}
		return o.callHelper("part", ir.GoAny, e.Location(), ir.DynRef("Slice"), args...)
	}
	for i, b := range bounds {
		if b != nil && b.Kind() == ir.None {
			bounds[i] = nil
		}
	}
	start, stop, step := bounds[0], bounds[1], bounds[2]
	if step != nil {
		if step = o.toStep(step, e.Step.Location()); step != nil && step.IsBad() {
			return step
		}
	}
	first, last := o.defaultBounds(step)
	from, to := first, last
	if start != nil {
		from = o.toBound(start, first, e.Start.Location())
	}
	if stop != nil {
		to = o.toBound(stop, last, e.Stop.Location())
	}
	return o.sliceBetween(e, x, from, to, step)
}

// toStep converts the step of a slice to int. It returns nil for the default, 1.
func (o operators) toStep(v *ir.Value, at pysyntax.Place) *ir.Value {
	step := o.toBound(v, o.IntLiteral(1), at)
	switch step.Constant {
	case int64(1):
		return nil
	case int64(0):
		o.addMismatch(at, "the step of a slice cannot be 0")
		return ir.NewBad()
	}
	return step
}

// defaultBounds returns the bounds that replace omitted ones. They depend on the sign of the step.
func (o operators) defaultBounds(step *ir.Value) (first, last *ir.Value) {
	first, last = o.IntLiteral(0), o.pyConstant("End")
	if step == nil {
		return first, last
	}
	switch n, isConstant := step.Constant.(int64); {
	case isConstant && n < 0:
		return last, o.pyConstant("Start")
	case !isConstant:
		step = step.KeepInVariable()
		return o.CallPure(ir.GoInt, ir.PyRef("First"), step), o.CallPure(ir.GoInt, ir.PyRef("Last"), step)
	}
	return first, last
}

// pyConstant refers to an integer constant of package py.
func (o *valueBuilder) pyConstant(name string) *ir.Value {
	return o.RefValue(ir.PyRef(name)).WithType(ir.GoInt)
}

// sliceBetween returns the part of a list or string between two bounds. step is nil for 1.
func (o operators) sliceBetween(e *pysyntax.Slice, x, from, to, step *ir.Value) *ir.Value {
	switch {
	case x.Kind() == ir.Str && step == nil:
		return o.CallPure(ir.GoString, ir.PyRef("Substring"), o.toPlain(x), from, to)
	case x.Kind() == ir.Str:
		return o.callHelper("text", ir.GoString, e.Location(), ir.PyRef("SubstringStep"), o.toPlain(x), from, to, step)
	case x.Kind() != ir.List:
		o.addWrongType(x, e.Location(), "only a str or a list can be sliced")
		return ir.NewBad()
	}
	x = o.toSlice(o.settleDisplay(x))
	t := types.NewSlice(ir.ElemType(x.Type))
	if step == nil {
		return o.copyNilFree(o.CallInTurn(t, ir.PyRef("Slice"), x, from, to), x)
	}
	return o.copyNilFree(o.callHelper("list", t, e.Location(), ir.PyRef("SliceStep"), x, from, to, step), x)
}

// toBound converts a bound of a slice to int. It converts None to missing, the default.
func (o *valueBuilder) toBound(v, missing *ir.Value, at pysyntax.Place) *ir.Value {
	switch {
	case v.IsInteger():
		return o.toNumber(v, at)
	case v.Kind() == ir.Optional && types.Identical(ir.ElemType(v.Type), ir.GoInt):
		return o.CallPure(ir.GoInt, ir.PyRef("Or"), v, missing)
	case v.Kind() == ir.Any, ir.IsOptional(v.Type, ir.Int), ir.IsOptional(v.Type, ir.Bool):
		return o.callHelper("bound", ir.GoInt, at, ir.DynRef("Bound"), o.toDynamic(v), missing)
	case !v.IsBad():
		o.addWrongType(v, at, "a bound of a slice must be an int or None")
	}
	return ir.NewBad()
}
