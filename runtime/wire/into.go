package wire

import (
	"github.com/aiongen/aiongen/runtime/internal/tape"
)

// The functions in this file read into what is there, so that a type with a lock
// is not copied.

// Refers reports whether v is a reference in the place of a T that JSON can carry,
// where references may stand for values, and if so reads it into x.
func Refers[T any](v Value, x *T) bool {
	if !v.refers() {
		return false
	}
	*x = Ref[T](v)
	return true
}

// RefersPartly is as [Refers] for a T of which JSON can carry a part, which a
// reference may always stand for.
func RefersPartly[T any](v Value, x *T) bool {
	if _, ok := v.reference(); !ok {
		return false
	}
	*x = Ref[T](v)
	return true
}

// Into is a reader that returns what elem reads.
func Into[T any](elem func(Value, *T)) func(Value) T {
	return func(v Value) (x T) {
		elem(v, &x)
		return x
	}
}

// PtrInto is as [Ptr] with an elem that reads into what the pointer points to.
func PtrInto[T any](v Value, elem func(Value, *T)) *T {
	if v.d == nil {
		return nil
	}
	if v.refers() {
		return referredPtr[T](v.place)
	}
	x := new(T)
	elem(v, x)
	return x
}

// SliceInto is as [Slice] with an elem that reads into an element.
func SliceInto[T any](v Value, elem func(Value, *T)) []T {
	if v.refers() {
		return Ref[[]T](v)
	}
	e := v.expect(tape.Array, "an array")
	if e == nil {
		return nil
	}
	x := make([]T, 0, min(int(e.Count), firstCapacity))
	for at, end := v.at+1, int(e.Next); at < end; at = int(v.d.tape.At(at).Next) {
		if v.d.faults.Count() > 0 { // elements are only read for their faults
			elem(v.d.value(at), new(T))
			continue
		}
		x = append(x, *new(T))
		elem(v.d.value(at), &x[len(x)-1])
	}
	return x
}
