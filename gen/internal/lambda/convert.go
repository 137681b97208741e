package lambda

import (
	"fmt"
	"go/token"
	"go/types"
	"math"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// convertTo converts a value to a Go type, or reports that it cannot. what names the value in messages, such as
// "the key".
//
// The order of the cases matters, because a case may rely on the earlier ones:
//
//   - None fits any, optional types and objects that can be nil, so it comes before their cases.
//   - Every other value converts to any.
//   - For an optional type or an object, the target determines the conversion. An optional value does not convert
//     to a different optional type.
//   - In the remaining cases, the target is a bool, number, string, list or dict. An optional value is dereferenced
//     and an any is checked at run time, and the result is converted again.
//   - The last cases convert between types of the same kind, from int to float, and the elements of containers.
//
//nolint:gocyclo // a list of rules in order
func (o *valueBuilder) convertTo(v *ir.Value, t types.Type, at pysyntax.Place, what string) *ir.Value {
	switch k, target := v.Kind(), ir.KindOf(t); {
	case v.IsBad() || v.HasType(t):
		return v
	case k == ir.None:
		return o.convertNone(v, t, at, what)
	case target == ir.Any && !ir.IsNumberText(t):
		if o.rejectJSONChange(v, at, what) {
			return ir.NewBad()
		}
		return o.boxAny(v, t)
	case target == ir.Optional && k != ir.Optional:
		return o.toPointer(o.convertTo(v, ir.ElemType(t), at, what), t)
	case target == ir.Object:
		return o.convertObject(v, t, at, what)
	case k == ir.Optional && target == ir.Optional:
		return o.reportMisfit(v, t, at, what)
	case k == ir.Optional:
		elem := o.dereference(v, at, "TypeError: %s must be %s, not None", what, ir.KindNames[target])
		return o.convertTo(elem, t, at, what)
	case k == ir.Any:
		return o.unboxAny(v, t, at, what)
	case k == ir.Int && target == ir.Int:
		return o.convertInt(v, t, at)
	case (k == ir.Int || k == ir.Float) && target == ir.Float:
		return o.convertFloat(v, t, at)
	case k == target && (k == ir.Str || k == ir.Bool):
		return o.castTo(v, t)
	case k == target && (k == ir.List || k == ir.Dict):
		return o.convertElems(v, t, at, what)
	}
	return o.reportMisfit(v, t, at, what)
}

func (o *valueBuilder) reportMisfit(v *ir.Value, t types.Type, at pysyntax.Place, what string) *ir.Value {
	d := o.addWrongType(v, at, "%s must be %s", what, o.describeType(t))
	function := map[ir.Kind]string{ir.Str: "str", ir.Int: "int", ir.Float: "float", ir.Bool: "bool"}[ir.KindOf(t)]
	switch {
	case ir.IsContainer(v.Type) && v.Kind() == ir.KindOf(t) && ir.IsArray(t):
		d.WithHelp("a list can have any length: change the type of the parameter to a slice")
	case function != "" && ir.IsData(v.Type):
		d.WithHelp("wrap it in %s(…)", function)
	}
	return ir.NewBad()
}

func (o *valueBuilder) convertNone(v *ir.Value, t types.Type, at pysyntax.Place, what string) *ir.Value {
	if k := ir.KindOf(t); k != ir.Optional && k != ir.Any && !ir.HasNil(t) {
		o.addMismatch(at, "%s must be %s, but it is None", what, o.describeType(t)).
			WithHelp("None converts only to Go pointers, slices, maps and any")
		return ir.NewBad()
	}
	return v.WithType(t)
}

// rejectJSONChange reports a value whose JSON would be different in an any, because encoding/json writes the
// value of an any, not the code that is generated for the type. It returns true if it reported a fault.
func (o *valueBuilder) rejectJSONChange(v *ir.Value, at pysyntax.Place, what string) bool {
	switch types.Unalias(v.Type).(type) {
	case *types.Named, *types.Pointer, *types.Slice, *types.Array, *types.Map:
	default:
		return false
	}
	if ir.IsEmpty(v.Type) || !o.HasGeneratedForm(v.Type) {
		return false
	}
	o.addValueMismatch(v, at, "%s cannot be stored in a Go any: its JSON would differ from that of %s", what, o.describeType(v.Type)).
		WithHelp("write a Go function that returns a struct with a field of this type, and call it here")
	return true
}

// boxAny converts a value to t, which is any or a type declared as any. It replaces nil lists and dicts by empty
// ones, because in an any they would be None.
func (o *valueBuilder) boxAny(v *ir.Value, t types.Type) *ir.Value {
	box := o.toDynamic(v)
	if (ir.IsContainer(v.Type) || v.Kind() == ir.Optional && ir.IsContainer(ir.ElemType(v.Type))) && !v.NilFree {
		box = o.CallPure(t, ir.InstantiateRef(ir.DynRef("FillNil"), t), box)
	}
	return &ir.Value{Step: box.Step, Type: t, Facts: v.Facts, Origin: v.Origin}
}

// toDynamic converts a value to an argument for a function of package dyn.
func (o *valueBuilder) toDynamic(v *ir.Value) *ir.Value {
	switch {
	case ir.IsEmpty(v.Type):
		return o.EmptyDisplay(ir.SettledType(v.Type))
	case v.Kind() == ir.Optional: // an any that holds a nil pointer is not nil
		return o.CallPure(ir.GoAny, ir.PyRef("Boxed"), v)
	case v.Kind() == ir.Object && ir.HasNil(v.Type) && !v.NotNil: // for the same reason
		return o.CallPure(ir.GoAny, ir.DynRef("Object"), v)
	}
	return v
}

// settleDisplay gives an empty display, [] or {}, a type that can be written in Go. It returns other values
// unchanged.
func (o *valueBuilder) settleDisplay(v *ir.Value) *ir.Value {
	if ir.IsEmpty(v.Type) {
		return o.EmptyDisplay(ir.SettledType(v.Type))
	}
	return v
}

// toPointer returns a pointer of type t to a value.
func (o *valueBuilder) toPointer(v *ir.Value, t types.Type) *ir.Value {
	switch {
	case v.IsBad():
		return v
	case v.Constant == nil && v.Timing != ir.Anytime:
		v = v.KeepInVariable()
	case v.Constant != nil || !v.IsVariable():
		start := v
		if !v.HasType(ir.InferredType(v.Constant, v.Type)) {
			start = o.CastTo(v.Type, v)
		}
		v = o.DefineVariable("", v.Type, start)
	}
	return o.UnaryOp(t, token.AND, v)
}

func (o *valueBuilder) convertObject(v *ir.Value, t types.Type, at pysyntax.Place, what string) *ir.Value {
	pointer, isPointer := types.Unalias(t).(*types.Pointer)
	from, fromPointer := types.Unalias(v.Type).(*types.Pointer)
	zero := t // the struct that {} can be converted to, if any
	if isPointer {
		zero = pointer.Elem()
	}
	switch {
	case v.HasType(ir.EmptyDict) && hasZeroStruct(zero):
		return o.convertTo(o.EmptyDisplay(zero), t, at, what)
	case types.AssignableTo(v.Type, t):
		return v.WithType(t)
	case isPointer && v.HasType(pointer.Elem()) && v.Op == ir.Global:
		name := &ir.Step{Op: ir.Global, Object: v.Object} // a new step without timing, because taking the address reads nothing
		return o.UnaryOp(t, token.AND, o.RefValue(name))
	case isPointer && v.HasType(pointer.Elem()):
		return o.toPointer(v, t)
	case fromPointer && types.Identical(from.Elem(), t):
		checked := o.requireNotNone(v, at, o.CallPure(nil, ir.PyRef("Errorf"), o.StrLiteral("TypeError"), o.StrLiteral("%s"), o.StrLiteral(what+" must be "+o.describeType(t)+", not None")))
		x := o.UnaryOp(t, token.MUL, checked)
		x.Step.OwnTiming, x.Step.Timing = ir.InTurn, ir.InTurn
		return x
	}
	return o.reportObjectMisfit(v, t, at, what)
}

// reportObjectMisfit reports a value that cannot be converted to a Go type of kind ir.Object.
func (o *valueBuilder) reportObjectMisfit(v *ir.Value, t types.Type, at pysyntax.Place, what string) *ir.Value {
	d := o.addValueMismatch(v, at, "%s must be %s, but %s", what, o.describeType(t), o.describeThis(v))
	switch {
	case v.Kind() == ir.Dict && v.Op == ir.Display:
		d.WithHelp("a lambda can make a struct without values, {}: write a Go function that returns one with values, and call it here")
	case v.Kind() == ir.Dict:
		d.WithHelp("give the argument this Go type in its note, so that its JSON is decoded to this type")
	}
	return ir.NewBad()
}

// hasZeroStruct reports whether t is a struct whose zero value may be useful. A struct with only unexported fields
// must be made by its package.
func hasZeroStruct(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if f.Exported() {
			return true
		}
	}
	return s.NumFields() == 0
}

// castTo applies a Go conversion that cannot fail.
func (o *valueBuilder) castTo(v *ir.Value, t types.Type) *ir.Value {
	c := v.WithType(t)
	if v.Constant == nil || v.Op == ir.Global {
		c.Step = o.CastTo(t, v).Step
	}
	return c
}

func (o *valueBuilder) convertInt(v *ir.Value, t types.Type, at pysyntax.Place) *ir.Value {
	basic := t.Underlying().(*types.Basic)
	if n, ok := v.Constant.(int64); ok {
		if !fitsBasic(n, basic.Kind()) {
			o.addMismatch(at, "%d does not fit Go's %s", n, o.TypeName(t))
			return ir.NewBad()
		}
		return o.castTo(v, t)
	}
	from := v.Type.Underlying().(*types.Basic)
	if from.Kind() == basic.Kind() || from.Kind() == types.Int && basic.Kind() == types.Int64 {
		return o.castTo(v, t)
	}
	return o.callHelper("number", t, at, ir.InstantiateRef(ir.PyRef("ConvertInt"), t), v)
}

// intRanges holds the smallest and the largest int64 that fit integer types. It omits the types that hold each int64, and
// int, whose size depends on the machine. The ranges of uint and uintptr are those of machines with 64 bits.
var intRanges = map[types.BasicKind][2]int64{
	types.Int8: {math.MinInt8, math.MaxInt8}, types.Int16: {math.MinInt16, math.MaxInt16}, types.Int32: {math.MinInt32, math.MaxInt32},
	types.Uint8: {0, math.MaxUint8}, types.Uint16: {0, math.MaxUint16}, types.Uint32: {0, math.MaxUint32},
	types.Uint: {0, math.MaxInt64}, types.Uint64: {0, math.MaxInt64}, types.Uintptr: {0, math.MaxInt64},
}

// fitsBasic reports whether a constant fits an integer type.
func fitsBasic(n int64, k types.BasicKind) bool {
	limits, limited := intRanges[k]
	return !limited || limits[0] <= n && n <= limits[1]
}

func (o *valueBuilder) convertFloat(v *ir.Value, t types.Type, at pysyntax.Place) *ir.Value {
	if ir.KindOf(v.Type) == ir.Int && v.Constant == nil && !types.Identical(t, ir.GoFloat) {
		return o.castTo(v, t) // float32(n) rounds once; converting to float64 first would round twice
	}
	f := o.toGoFloat(v)
	constant, isConstant := f.Constant.(float64)
	narrower := isFloat32(t) && !isFloat32(v.Type)
	switch {
	case types.Identical(t, ir.GoFloat):
		return f
	case narrower && isConstant && math.IsInf(float64(float32(constant)), 0) && !math.IsInf(constant, 0):
		o.addMismatch(at, "%v does not fit Go's %s", constant, o.TypeName(t))
		return ir.NewBad()
	case narrower && !isConstant:
		return o.callHelper("number", t, at, ir.InstantiateRef(ir.PyRef("Narrow"), t), f)
	}
	return o.castTo(f, t)
}

func isFloat32(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Float32
}

// anyConverters maps a kind to the function of package dyn that converts an any to it, with the result type of
// that function.
var anyConverters = map[ir.Kind]struct {
	name   string
	result types.Type
}{
	ir.Int: {"ToInt", ir.GoInt}, ir.Float: {"ToFloat", ir.GoFloat}, ir.Str: {"ToText", ir.GoString},
	ir.Bool: {"ToBool", ir.GoBool}, ir.List: {"ToList", ir.AnyList}, ir.Dict: {"ToDict", ir.AnyDict},
}

// unboxAny converts an any to t. The conversion fails at run time if the value has another type.
func (o *valueBuilder) unboxAny(v *ir.Value, t types.Type, at pysyntax.Place, what string) *ir.Value {
	to, ok := anyConverters[ir.KindOf(t)]
	if !ok {
		return o.reportMisfit(v, t, at, what)
	}
	return o.convertTo(o.callHelper("", to.result, at, ir.DynRef(to.name), v).SetOrigin(v.Origin), t, at, what)
}

// describeArgument describes the argument with index i for messages, such as "argument 1 of len".
func describeArgument(i int, function string) string {
	return fmt.Sprintf("argument %d of %s", i+1, function)
}

// toIndexInt converts an argument that must be an integer to int.
func (o *valueBuilder) toIndexInt(v *ir.Value, at pysyntax.Place, what string) *ir.Value {
	switch {
	case v.Kind() == ir.Any:
		return o.callHelper("number", ir.GoInt, at, ir.DynRef("Integer"), v)
	case ir.IsOptional(v.Type, ir.Int), ir.IsOptional(v.Type, ir.Bool):
		v = o.dereference(v, at, "TypeError: 'NoneType' object cannot be interpreted as an integer")
	}
	if v.IsInteger() {
		return o.toNumber(v, at)
	}
	return o.convertTo(v, ir.GoInt, at, what)
}

// convertElems converts a list or dict to one with elements of another type.
func (o *valueBuilder) convertElems(v *ir.Value, t types.Type, at pysyntax.Place, what string) *ir.Value {
	if ir.IsEmpty(v.Type) {
		return o.EmptyDisplay(t)
	}
	from, to := v.Type.Underlying(), t.Underlying()
	if types.Identical(from, to) {
		return o.castTo(v, t)
	}
	function := "Map"
	if v.Kind() == ir.Dict {
		function = "MapDict"
		if !types.Identical(from.(*types.Map).Key(), to.(*types.Map).Key()) {
			return o.reportMisfit(v, t, at, what)
		}
	} else {
		v = o.toSlice(v)
	}
	if ir.IsArray(t) || o.nesting > ir.MaxDepth-1 { // too deep, or the type contains itself
		return o.reportMisfit(v, t, at, what)
	}
	if function == "Map" && types.Identical(ir.ElemType(t), ir.GoAny) && ir.IsSimple(ir.ElemType(v.Type)) {
		if o.rejectJSONChange(v, at, "an element of "+what) {
			return ir.NewBad()
		}
		list := o.toAnyList(v)
		if !types.Identical(t, ir.AnyList) {
			list = o.castTo(list, t)
		}
		return o.copyNilFree(list, v)
	}
	o.nesting++
	convert := o.makeConverter(ir.ElemType(v.Type), ir.ElemType(t), at, "an element of "+what)
	o.nesting--
	if convert.IsBad() {
		return convert
	}
	var list *ir.Value
	if convert.Step.Fails {
		list = o.callHelper(map[string]string{"Map": "list", "MapDict": "dict"}[function], t, at, ir.PyRef("Try"+function), v, convert)
	} else {
		list = o.CallInTurn(t, ir.PyRef(function), v, convert)
	}
	if _, named := types.Unalias(t).(*types.Named); named {
		list.Type = to
		return o.castTo(list, t)
	}
	return list
}

// makeConverter returns a Go function that converts a value from one type to another, to be passed to a helper.
// The function returns an error as well if the conversion can fail.
func (o *valueBuilder) makeConverter(from, to types.Type, at pysyntax.Place, what string) *ir.Value {
	if ir.KindOf(from) == ir.Any {
		if unbox, ok := anyConverters[ir.KindOf(to)]; ok && types.Identical(to, unbox.result) {
			f := ir.DynRef(unbox.name)
			f.Fails = true
			return o.RefValue(f)
		}
	}
	param := o.NewParam("value", from)
	return o.FuncLiteral(to, param, func() *ir.Value { return o.convertTo(param, to, at, what) })
}
