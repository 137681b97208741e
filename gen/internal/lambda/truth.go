package lambda

import (
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// truthOf returns the truth value of a value in Python.
func (o *valueBuilder) truthOf(v *ir.Value) *ir.Value {
	if v.IsBad() {
		return &ir.Value{Step: o.BoolLiteral(false).Step, Type: ir.GoBool}
	}
	switch known := v.Constant.(type) {
	case bool:
		return o.BoolLiteral(known)
	case int64:
		return o.BoolLiteral(known != 0)
	case float64:
		return o.BoolLiteral(known != 0)
	case string:
		return o.BoolLiteral(known != "")
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
		return o.BothTrue(o.BinaryOp(ir.GoBool, v, token.NEQ, o.NoneLiteral()), o.truthOf(o.narrowNotNone(v)))
	}
	return o.isNone(v, false)
}

// narrowNotNone returns a value that is known not to be None: an optional value dereferenced.
func (o *valueBuilder) narrowNotNone(v *ir.Value) *ir.Value {
	there := *v
	if v.Kind() == ir.Optional {
		there.Type = ir.ElemType(v.Type)
		there.Step = o.UnaryOp(there.Type, token.MUL, v).Step
	}
	there.NotNil = true
	return &there
}

// isNone returns the condition that a value is None, or that it is not.
func (o *valueBuilder) isNone(v *ir.Value, want bool) *ir.Value {
	switch k := v.Kind(); {
	case v.IsBad():
		return o.truthOf(v)
	case k == ir.None:
		return o.BoolLiteral(want)
	case k == ir.Any && !ir.IsNumberText(v.Type), types.IsInterface(v.Type):
		t := o.CallPure(ir.GoBool, ir.DynRef("IsNone"), v)
		if !want {
			t = o.NegateBool(t)
		}
		return t
	case k == ir.Optional, k == ir.Object && ir.HasNil(v.Type):
		return o.BinaryOp(ir.GoBool, v, map[bool]token.Token{true: token.EQL, false: token.NEQ}[want], o.NoneLiteral())
	}
	return o.BoolLiteral(!want) // the steps that compute the value remain
}

// requireNotNone checks that an object is not nil. Otherwise the function fails with complaint.
func (o *valueBuilder) requireNotNone(v *ir.Value, at pysyntax.Place, complaint *ir.Value) *ir.Value {
	v = v.KeepInVariable()
	o.FailIf(o.placeText(at), o.isNone(v, true), complaint)
	return v
}
