package code

import (
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
)

// A Value is what is known of what a step makes, at one place of the lambda.
type Value struct {
	*Step
	Type    types.Type // nil after a fault
	Known   any        // an int64, a float64, a string or a bool, where it is known
	Several []*Step    // several results of a Go function
	Bits    int        // how large an integer may be; 0 is not known
	Origin  Origin
	Facts
}

// Facts are what else is known of a value.
type Facts struct {
	NotNil bool // an object that is there
	Linear bool // a list that is no larger than what it is made of
	Whole  bool // a list or dict that is not nil, nor any in it
}

// An Origin says where a type comes from.
type Origin struct {
	What    string // such as `parameter x`, empty for an operation
	Why     string
	Help    string // where it may be meant to be another one
	Related []diag.Related
}

// Bad is the value of an expression that a fault was reported for.
func Bad() *Value { return &Value{Step: &Step{}} }

// AnyBad reports whether one of some values is bad.
func AnyBad(values ...*Value) bool {
	for _, v := range values {
		if v.Bad() {
			return true
		}
	}
	return false
}

func (v *Value) Bad() bool       { return v.Type == nil }
func (v *Value) Kind() kind.Kind { return kind.Of(v.Type) }

// IsNumber reports whether Python reckons with a value.
func (v *Value) IsNumber() bool { return kind.IsNumber(v.Type) }

// IsInteger reports whether a value can be an index: bools can, in Python.
func (v *Value) IsInteger() bool { return v.Kind() == kind.Int || v.Kind() == kind.Bool }

// Is reports whether a value is of just a type.
func (v *Value) Is(t types.Type) bool { return types.Identical(v.Type, t) }

// As is the same value as one of another type, which needs no word in Go.
func (v *Value) As(t types.Type) *Value {
	as := *v
	as.Type = t
	return &as
}

// From is the same value, of another origin.
func (v *Value) From(o Origin) *Value {
	v.Origin = o
	return v
}

// Sized is an integer of so many bits at most.
func (v *Value) Sized(bits int) *Value {
	v.Bits = bits
	return v
}

// Kept is a value that is put into a variable, and so may be used at any time.
func (v *Value) Kept() *Value {
	if v.When != Anytime {
		v.Step.Keep, v.When, v.Step.Type = true, Anytime, kind.Settled(v.Type)
		v.Type = v.Step.Type
	}
	return v
}

// IsVariable reports whether a value is in a variable of the function.
func (v *Value) IsVariable() bool {
	return v.Op == Local || v.Op == Define || v.Op == Choose || v.Fails || v.Keep
}

// Element is where the type of an element of a list comes from.
func (v *Value) Element() Origin {
	o := Origin{What: "an element", Why: v.Origin.Why, Related: v.Origin.Related}
	if v.Origin.What != "" {
		o.What += " of " + v.Origin.What
	}
	return o
}

// Wanted is the type of the elements of a list or dict that is wished for; nil if none
// is.
func Wanted(want types.Type, k kind.Kind) types.Type {
	if want != nil && kind.Of(want) == k {
		return kind.Elem(want)
	}
	return nil
}

// Common is the type for all values: the wanted one where Python would see no
// difference, else the one that holds all of them as they are.
func Common(values []*Value, want types.Type) types.Type {
	if want != nil {
		return want
	}
	if t := Joined(values...); kind.Of(t) != kind.None {
		return t
	}
	return kind.GoAny
}

// Joined is the type that holds all values as they are.
func Joined(values ...*Value) types.Type {
	t := values[0].Type
	for _, v := range values[1:] {
		t = kind.Join(t, v.Type)
	}
	return kind.Settled(t)
}
