package wire

import (
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// The functions in this file read into existing memory, so that a type with a lock is not copied.

// ReadReference reads v into x if v is a reference, and reports whether it is. It accepts references only in a
// scope where they may replace values that JSON can represent.
func ReadReference[T any](v Value, x *T) bool {
	if !v.isReference() {
		return false
	}
	*x = Ref[T](v)
	return true
}

// ReadPartialReference is like [ReadReference] for a T whose values JSON can represent only in part. A reference may
// replace such a value in any scope.
func ReadPartialReference[T any](v Value, x *T) bool {
	if _, ok := v.referenceName(); !ok {
		return false
	}
	*x = Ref[T](v)
	return true
}

// ReaderOf converts a reader that stores a value to a reader that returns it.
func ReaderOf[T any](elem func(Value, *T)) func(Value) T {
	return func(v Value) (x T) {
		elem(v, &x)
		return x
	}
}

// OrNull returns a reader that stores nothing for null and reads other values with read. If read records faults,
// the reader adds null to Expected of the last fault, as in "null or a string".
func OrNull[T any](read func(Value, *T)) func(Value, *T) {
	return func(v Value, x *T) {
		if v.IsNull() || !v.Ok() {
			return
		}
		before := v.d.faults.countAll()
		if read(v, x); v.d.faults.countAll() > before {
			v.expectNullToo()
		}
	}
}

// PtrInto is like [Ptr] with an elem that stores the value.
func PtrInto[T any](v Value, elem func(Value, *T)) *T {
	if v.d == nil {
		return nil
	}
	if v.isReference() {
		return readPointerReference[T](v.place)
	}
	x := new(T)
	elem(v, x)
	return x
}

// SliceInto is like [Slice] with an elem that stores an element.
func SliceInto[T any](v Value, elem func(Value, *T)) []T {
	if v.isReference() {
		return Ref[[]T](v)
	}
	e := v.expectKind(jsontape.Array, "an array")
	if e == nil {
		return nil
	}
	x := make([]T, 0, min(int(e.Count), firstCapacity))
	for at, end := v.at+1, int(e.Next); at < end; at = int(v.d.tape.EntryAt(at).Next) {
		if v.d.faults.countAll() > 0 { // the result is not used; read the rest to report its faults
			elem(v.d.valueAt(at), new(T))
			continue
		}
		x = append(x, *new(T))
		elem(v.d.valueAt(at), &x[len(x)-1])
	}
	return x
}
