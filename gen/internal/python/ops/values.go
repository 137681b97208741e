// Package ops says what Python's operations make of values whose types are known:
// steps of code, or a fault. It knows no names and no expressions, which are those of
// check. From top to bottom:
//
//	method.go, text.go      methods, and what every value has: a text
//	sequence.go, index.go   what is done with lists, dicts and texts
//	arithmetic.go           operators that make numbers
//	compare.go              operators that compare
//	convert.go              a value as one of another type of Go
//	truth.go                what every value has: truth
//	values.go               numbers, and what may be None
package ops

import (
	"fmt"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// Values makes values what operations take.
type Values struct {
	*scope.Report
	*code.Builder
	anyOfGo bool // a value of Go is used that is an any, or holds some
	nested  int  // conversions of elements that are under way
}

// NewValues makes values that report to a report.
func NewValues(r *scope.Report) *Values { return &Values{Report: r, Builder: code.NewBuilder()} }

// The integers of which is known how large they are. Sums of those up to maxPlainBits
// fit an int of 32 bits, and sums of a few lengths, which count as lengthBits, fit the
// int of the machine that the list is in.
const (
	maxPlainBits = 31
	lengthBits   = 30
)

// FromGo notes that a value of a type comes from Go code, not from an argument.
func (o *Values) FromGo(t types.Type) { o.anyOfGo = o.anyOfGo || kind.HoldsAny(t) }

// AnyOfGo reports whether values of a type may hold an any of Go.
func (o *Values) AnyOfGo(t types.Type) bool { return o.anyOfGo && kind.HoldsAny(t) }

// MayHoldNil reports whether values of a type may be lists or dicts that are nil, or
// hold such: an any can only where the lambda uses one of Go.
func (o *Values) MayHoldNil(t types.Type) bool { return kind.IsContainer(t) || o.AnyOfGo(t) }

// remade is a new list with elements of another.
func (o *Values) remade(list, of *code.Value) *code.Value {
	list.Whole = of.Whole || !o.MayHoldNil(kind.Elem(of.Type))
	return list
}

// Do calls a helper that may fail, as an operation at a place of the lambda does.
func (o *Values) Do(name string, t types.Type, at syntax.Place, f *code.Step, args ...*code.Value) *code.Value {
	return o.Try(name, t, o.Position(at), f, args...)
}

// Deref returns what an optional value is when it is not None; if it is, the
// function fails with the complaint, an exception and its message.
func (o *Values) Deref(v *code.Value, at syntax.Place, complaint string, args ...any) *code.Value {
	if v.Kind() != kind.Optional {
		return v
	}
	elem := kind.Elem(v.Type)
	return o.Do(kind.Variable(elem), elem, at, code.Py("Value"), v, o.Str(fmt.Sprintf(complaint, args...))).From(v.Origin)
}

// Number returns an int, a float or a bool as the type in which Python reckons.
func (o *Values) Number(v *code.Value, at syntax.Place) *code.Value {
	switch v.Kind() {
	case kind.Bool:
		return o.boolInt(v)
	case kind.Int:
		return o.int(v, at)
	case kind.Float:
		return o.float(v)
	}
	return v
}

func (o *Values) boolInt(v *code.Value) *code.Value {
	if b, ok := v.Known.(bool); ok {
		return o.Int(map[bool]int64{true: 1}[b])
	}
	return o.Made(kind.GoInt, code.Py("Bool"), o.plain(v)).Sized(1)
}

// plain is a value of a named type as one of the type that Go's operators and
// functions ask for.
func (o *Values) plain(v *code.Value) *code.Value {
	plain := kind.Plain(v.Type)
	if v.Is(plain) || v.Known != nil {
		return v
	}
	c := v.As(plain)
	c.Step = o.Cast(plain, v).Step
	return c
}

// smallInts are the kinds of integers that fit an int on every machine.
var smallInts = map[types.BasicKind]int{types.Int8: 8, types.Int16: 16, types.Int32: 31, types.Uint8: 8, types.Uint16: 16}

// int returns an integer of any kind as an int.
func (o *Values) int(v *code.Value, at syntax.Place) *code.Value {
	basic := v.Type.Underlying().(*types.Basic).Kind()
	if v.Is(kind.GoInt) {
		return v
	}
	if v.Known != nil {
		return v.As(kind.GoInt)
	}
	if bits, small := smallInts[basic]; small || basic == types.Int {
		return o.Cast(kind.GoInt, v).Sized(bits)
	}
	return o.Do("number", kind.GoInt, at, code.Of(code.Py("Whole"), kind.GoInt), v)
}

// float returns a number as a float64.
func (o *Values) float(v *code.Value) *code.Value {
	switch known := v.Known.(type) {
	case int64:
		return o.Float(float64(known))
	case bool:
		return o.float(o.boolInt(v))
	case float64:
		return v.As(kind.GoFloat)
	}
	switch {
	case v.Is(kind.GoFloat):
		return v
	case v.Kind() == kind.Bool:
		v = o.boolInt(v)
	}
	return o.Cast(kind.GoFloat, v).From(v.Origin)
}

// slice returns a list that may be an array as a slice.
func (o *Values) slice(v *code.Value) *code.Value {
	array, ok := v.Type.Underlying().(*types.Array)
	if !ok {
		return v
	}
	return o.Rest(types.NewSlice(array.Elem()), v.Kept(), 0).From(v.Origin)
}

// anys is a list with elements of any type.
func (o *Values) anys(list *code.Value) *code.Value {
	if types.Identical(kind.Elem(list.Type), kind.GoAny) {
		return list
	}
	return o.Read(kind.AnyList, code.Py("Anys"), list)
}
