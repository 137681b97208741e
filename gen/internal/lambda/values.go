package lambda

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// valueBuilder builds the steps that convert values from one type to another.
type valueBuilder struct {
	*faultReport
	*ir.Builder
	usesGoAny bool // the lambda uses a value from Go code that is an any or contains one
	nesting   int  // depth of nested element conversions
}

// newValueBuilder returns a valueBuilder that adds faults to r.
func newValueBuilder(r *faultReport) *valueBuilder {
	return &valueBuilder{faultReport: r, Builder: ir.NewBuilder()}
}

// Sizes of integers in bits, for Value.Bits. A result of at most maxPlainBits fits an int on every machine, so Go's
// operators cannot overflow. Lengths count as lengthBits: the sum of a few lengths fits an int, because the lists are
// in memory.
const (
	maxPlainBits = 31
	lengthBits   = 30
)

// noteGoValue records that the lambda uses a value of type t from Go code. Values from arguments are not recorded.
func (o *valueBuilder) noteGoValue(t types.Type) { o.usesGoAny = o.usesGoAny || ir.HoldsAny(t) }

// mayHoldGoAny reports whether values of a type may contain an any from Go code.
func (o *valueBuilder) mayHoldGoAny(t types.Type) bool { return o.usesGoAny && ir.HoldsAny(t) }

// mayHoldNil reports whether values of a type may be nil lists or dicts or contain some. An any contains them only if it
// comes from Go code.
func (o *valueBuilder) mayHoldNil(t types.Type) bool { return ir.IsContainer(t) || o.mayHoldGoAny(t) }

// copyNilFree sets NilFree of a new list whose elements are from source, and returns the list.
func (o *valueBuilder) copyNilFree(list, source *ir.Value) *ir.Value {
	list.NilFree = source.NilFree || !o.mayHoldNil(ir.ElemType(source.Type))
	return list
}

// callHelper calls a function of package py or dyn that may fail. Its error includes the place at. name is the preferred
// name of the variable for the result.
func (o *valueBuilder) callHelper(name string, t types.Type, at pysyntax.Place, f *ir.Step, args ...*ir.Value) *ir.Value {
	return o.TryCall(name, t, o.placeText(at), f, args...)
}

// dereference returns the value to which an optional value points, and other values unchanged. If the value is None at
// run time, the function returns an error. format is its Python text, such as "TypeError: …".
func (o *valueBuilder) dereference(v *ir.Value, at pysyntax.Place, format string, args ...any) *ir.Value {
	if v.Kind() != ir.Optional {
		return v
	}
	elem := ir.ElemType(v.Type)
	return o.callHelper(ir.VariableName(elem), elem, at, ir.PyRef("Value"), v, o.StrLiteral(fmt.Sprintf(format, args...))).SetOrigin(v.Origin)
}

// toNumber converts an integer or bool to int, and a float to float64. It returns other values unchanged.
func (o *valueBuilder) toNumber(v *ir.Value, at pysyntax.Place) *ir.Value {
	switch v.Kind() {
	case ir.Bool:
		return o.boolToInt(v)
	case ir.Int:
		return o.toGoInt(v, at)
	case ir.Float:
		return o.toGoFloat(v)
	}
	return v
}

func (o *valueBuilder) boolToInt(v *ir.Value) *ir.Value {
	if b, ok := v.Constant.(bool); ok {
		return o.IntLiteral(map[bool]int64{true: 1}[b])
	}
	return o.CallPure(ir.GoInt, ir.PyRef("Bool"), o.toPlain(v)).SetBits(1)
}

// toPlain converts a value of a named type such as time.Duration to its plain type, see ir.PlainType.
func (o *valueBuilder) toPlain(v *ir.Value) *ir.Value {
	plain := ir.PlainType(v.Type)
	if v.HasType(plain) || v.Constant != nil {
		return v
	}
	c := v.WithType(plain)
	c.Step = o.CastTo(plain, v).Step
	return c
}

// smallInts are the integer types whose values fit an int on every machine, with their sizes in bits.
var smallInts = map[types.BasicKind]int{types.Int8: 8, types.Int16: 16, types.Int32: 31, types.Uint8: 8, types.Uint16: 16}

// toGoInt converts an integer of any type to int.
func (o *valueBuilder) toGoInt(v *ir.Value, at pysyntax.Place) *ir.Value {
	basic := v.Type.Underlying().(*types.Basic).Kind()
	if v.HasType(ir.GoInt) {
		return v
	}
	if v.Constant != nil {
		return v.WithType(ir.GoInt)
	}
	if bits, small := smallInts[basic]; small || basic == types.Int {
		return o.CastTo(ir.GoInt, v).SetBits(bits)
	}
	return o.callHelper("number", ir.GoInt, at, ir.InstantiateRef(ir.PyRef("ConvertInt"), ir.GoInt), v)
}

// toGoFloat converts a number to float64.
func (o *valueBuilder) toGoFloat(v *ir.Value) *ir.Value {
	switch constant := v.Constant.(type) {
	case int64:
		return o.FloatLiteral(float64(constant))
	case bool:
		return o.toGoFloat(o.boolToInt(v))
	case float64:
		return v.WithType(ir.GoFloat)
	}
	switch {
	case v.HasType(ir.GoFloat):
		return v
	case v.Kind() == ir.Bool:
		v = o.boolToInt(v)
	}
	return o.CastTo(ir.GoFloat, v).SetOrigin(v.Origin)
}

// toSlice converts an array to a slice. It returns other values unchanged.
func (o *valueBuilder) toSlice(v *ir.Value) *ir.Value {
	array, ok := v.Type.Underlying().(*types.Array)
	if !ok {
		return v
	}
	return o.SliceFrom(types.NewSlice(array.Elem()), v.KeepInVariable(), 0).SetOrigin(v.Origin)
}

// toAnyList converts a list to a list of any.
func (o *valueBuilder) toAnyList(list *ir.Value) *ir.Value {
	if types.Identical(ir.ElemType(list.Type), ir.GoAny) {
		return list
	}
	return o.CallInTurn(ir.AnyList, ir.PyRef("Anys"), list)
}

// truthOf translates bool(v).
func (o *valueBuilder) truthOf(v *ir.Value) *ir.Value {
	if v.IsBad() {
		return &ir.Value{Step: o.BoolLiteral(false).Step, Type: ir.GoBool}
	}
	switch v.Constant {
	case nil:
	case false, int64(0), 0.0, "":
		return o.BoolLiteral(false)
	default:
		return o.BoolLiteral(true)
	}
	switch v.Kind() {
	case ir.None:
		return o.BoolLiteral(false)
	case ir.Bool:
		return o.toPlain(v).WithType(ir.GoBool).SetOrigin(ir.Origin{})
	case ir.Int, ir.Float:
		return o.BinaryOp(ir.GoBool, v, token.NEQ, o.IntLiteral(0))
	case ir.Str:
		return o.BinaryOp(ir.GoBool, v, token.NEQ, o.StrLiteral(""))
	case ir.List, ir.Dict:
		return o.BinaryOp(ir.GoBool, o.CallPure(ir.GoInt, ir.GoRef("len"), v), token.GTR, o.IntLiteral(0))
	case ir.Any:
		return o.CallPure(ir.GoBool, ir.DynRef("Truth"), v)
	case ir.Optional:
		v = v.KeepInVariable()
		return o.BinaryOp(ir.GoBool, o.isNone(v, false), token.LAND, o.truthOf(o.narrowNotNone(v)))
	}
	return o.isNone(v, false)
}

// equalBool translates v == want for a bool.
func (o *valueBuilder) equalBool(v *ir.Value, want bool) *ir.Value {
	if want {
		return v
	}
	return o.NegateBool(v)
}

// narrowNotNone returns v for code that runs only if v is not None. It dereferences an optional value.
func (o *valueBuilder) narrowNotNone(v *ir.Value) *ir.Value {
	narrowed := *v
	if v.Kind() == ir.Optional {
		narrowed.Type = ir.ElemType(v.Type)
		narrowed.Step = o.UnaryOp(narrowed.Type, token.MUL, v).Step
	}
	narrowed.NotNil = true
	return &narrowed
}

// isNone translates `v is None` or, if want is false, `v is not None`.
func (o *valueBuilder) isNone(v *ir.Value, want bool) *ir.Value {
	switch k := v.Kind(); {
	case v.IsBad():
		return o.truthOf(v)
	case k == ir.None:
		return o.BoolLiteral(want)
	case k == ir.Any && !ir.IsNumberText(v.Type), types.IsInterface(v.Type):
		return o.equalBool(o.CallPure(ir.GoBool, ir.DynRef("IsNone"), v), want)
	case k == ir.Optional, k == ir.Object && ir.HasNil(v.Type):
		return o.BinaryOp(ir.GoBool, v, map[bool]token.Token{true: token.EQL, false: token.NEQ}[want], o.NoneLiteral())
	}
	return o.BoolLiteral(!want) // the steps that compute the value remain
}

// requireNotNone adds a run-time check that v is not None. If it is, the function returns the error failure.
func (o *valueBuilder) requireNotNone(v *ir.Value, at pysyntax.Place, failure *ir.Value) *ir.Value {
	v = v.KeepInVariable()
	o.FailIf(o.placeText(at), o.isNone(v, true), failure)
	return v
}
