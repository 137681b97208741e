package ops

import (
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// Truth is whether Python takes a value for true.
func (o *Values) Truth(v *code.Value) *code.Value {
	if v.Bad() {
		return &code.Value{Step: o.Bool(false).Step, Type: kind.GoBool}
	}
	switch known := v.Known.(type) {
	case bool:
		return o.Bool(known)
	case int64:
		return o.Bool(known != 0)
	case float64:
		return o.Bool(known != 0)
	case string:
		return o.Bool(known != "")
	}
	switch v.Kind() {
	case kind.None:
		return o.Bool(false)
	case kind.Bool:
		return o.plain(v).As(kind.GoBool).From(code.Origin{})
	case kind.Int, kind.Float:
		return o.Binary(kind.GoBool, v, token.NEQ, o.Int(0))
	case kind.Str:
		return o.Binary(kind.GoBool, v, token.NEQ, o.Str(""))
	case kind.List, kind.Dict:
		return o.Binary(kind.GoBool, o.Made(kind.GoInt, code.Go("len"), v), token.GTR, o.Int(0))
	case kind.Any:
		return o.Made(kind.GoBool, code.Dyn("Truth"), v)
	case kind.Optional:
		v = v.Kept()
		return o.And(o.Binary(kind.GoBool, v, token.NEQ, o.None()), o.Truth(o.There(v)))
	}
	return o.IsNone(v, false)
}

// There is a value where it is known not to be None.
func (o *Values) There(v *code.Value) *code.Value {
	there := *v
	if v.Kind() == kind.Optional {
		there.Type = kind.Elem(v.Type)
		there.Step = o.Unary(there.Type, token.MUL, v).Step
	}
	there.NotNil = true
	return &there
}

// IsNone is the condition that a value is None, or is not.
func (o *Values) IsNone(v *code.Value, isNone bool) *code.Value {
	switch k := v.Kind(); {
	case v.Bad():
		return o.Truth(v)
	case k == kind.None:
		return o.Bool(isNone)
	case k == kind.Any && !kind.IsNumberText(v.Type), types.IsInterface(v.Type):
		t := o.Made(kind.GoBool, code.Dyn("IsNone"), v)
		if !isNone {
			t = o.Not(t)
		}
		return t
	case k == kind.Optional, k == kind.Object && kind.HasNil(v.Type):
		return o.Binary(kind.GoBool, v, map[bool]token.Token{true: token.EQL, false: token.NEQ}[isNone], o.None())
	}
	return o.Bool(!isNone) // what is done for its value is done
}

// NotNone checks that an object is not nil: else the function fails with a complaint.
func (o *Values) NotNone(v *code.Value, at syntax.Place, complaint *code.Value) *code.Value {
	v = v.Kept()
	o.FailIf(o.Position(at), o.IsNone(v, true), complaint)
	return v
}
