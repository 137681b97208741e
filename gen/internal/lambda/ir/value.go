package ir

import (
	"cmp"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
)

// Value is the result of a step, as known at one position of the lambda. After a test such as `x is not None`,
// another Value of the same step can have a narrower Type and more Facts.
type Value struct {
	*Step
	Type       types.Type // nil after a fault
	Constant   any        // an int64, float64, string or bool if known at compile time, otherwise nil
	TupleSteps []*Step    // the results of a Go function that returns several
	Bits       int        // the largest number of bits that an integer can have; 0 if unknown
	Origin     Origin
	Facts
}

// Facts describes what is known about a value in addition to its type.
type Facts struct {
	NotNil  bool // an object that cannot be nil
	Linear  bool // a list whose size is at most proportional to the size of the lambda's arguments
	NilFree bool // it neither is nor contains a nil list or dict
}

// Origin explains where a type comes from, for messages.
type Origin struct {
	What    string // what has the type, such as `parameter x`; empty for the result of an operation
	Why     string // why it has that type, such as `as Go declares it`
	Help    string // what to write if another type is intended
	Related []diag.Related
}

// NewBad returns a value for an expression that has a reported fault, so that checking can continue.
func NewBad() *Value { return &Value{Step: &Step{}} }

// HasBad reports whether one of the values is bad.
func HasBad(values ...*Value) bool {
	for _, v := range values {
		if v.IsBad() {
			return true
		}
	}
	return false
}

// IsBad reports whether a fault was reported for the value.
func (v *Value) IsBad() bool { return v.Type == nil }

// Kind returns the kind of the value's type, or Invalid for a bad value.
func (v *Value) Kind() Kind { return KindOf(v.Type) }

// IsNumber reports whether a value is a number in Python. Bools are.
func (v *Value) IsNumber() bool { return IsNumber(v.Type) }

// IsInteger reports whether a value can be an index in Python. Bools can.
func (v *Value) IsInteger() bool { return v.Kind() == Int || v.Kind() == Bool }

// HasType reports whether the type of a value is identical to t.
func (v *Value) HasType(t types.Type) bool { return types.Identical(v.Type, t) }

// WithType returns a copy of the value with another type. It generates no conversion.
func (v *Value) WithType(t types.Type) *Value {
	retyped := *v
	retyped.Type = t
	return &retyped
}

// SetOrigin sets the origin of the value and returns the value.
func (v *Value) SetOrigin(o Origin) *Value {
	v.Origin = o
	return v
}

// SetBits records that an integer has at most this many bits, and returns the value.
func (v *Value) SetBits(bits int) *Value {
	v.Bits = bits
	return v
}

// KeepInVariable makes sure that the value can be used repeatedly, in a variable if necessary, and returns
// the value.
func (v *Value) KeepInVariable() *Value {
	if v.Timing != Anytime {
		v.Step.InVariable, v.Timing, v.Step.Type = true, Anytime, SettledType(v.Type)
		v.Type = v.Step.Type
	}
	return v
}

// IsVariable reports whether a value is stored in a variable of the function.
func (v *Value) IsVariable() bool {
	return v.Op == Local || v.Op == Define || v.Op == Choose || v.Fails || v.InVariable
}

// ElementOrigin returns an origin for the elements of the list v.
func (v *Value) ElementOrigin() Origin {
	o := Origin{What: "an element", Why: v.Origin.Why, Related: v.Origin.Related}
	if v.Origin.What != "" {
		o.What += " of " + v.Origin.What
	}
	return o
}

// WantedElem returns the element type of want if want is of kind k, otherwise nil.
func WantedElem(want types.Type, k Kind) types.Type {
	if want != nil && KindOf(want) == k {
		return ElemType(want)
	}
	return nil
}

// TypesOf returns the types of values.
func TypesOf(values []*Value) []types.Type {
	list := make([]types.Type, len(values))
	for i, v := range values {
		list[i] = v.Type
	}
	return list
}

// CommonType returns want if it is not nil, otherwise a type that can hold values of all types in list unchanged.
func CommonType(list []types.Type, want types.Type) types.Type {
	if want != nil || len(list) == 0 {
		return cmp.Or(want, GoAny)
	}
	t := list[0]
	for _, other := range list[1:] {
		t = JoinTypes(t, other)
	}
	if t = SettledType(t); KindOf(t) == None {
		return GoAny
	}
	return t
}
