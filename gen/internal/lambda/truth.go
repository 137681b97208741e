package lambda

import (
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

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
