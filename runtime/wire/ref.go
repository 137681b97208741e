package wire

import (
	"reflect"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/wire/internal/tape"
)

// Ref reads a reference to a variable that can be assigned to a T, which JSON
// cannot carry.
func Ref[T any](v Value) (x T) {
	if v.d == nil {
		return x
	}
	x, ok := lookUp[T](v)
	if !ok {
		v.failReference(Fits[T])
	}
	return x
}

// RefOr reads a reference as [Ref] does, or else the part of a T that JSON can
// carry, with read.
func RefOr[T any](v Value, read func(Value) T) T {
	if _, ok := v.reference(); ok {
		return Ref[T](v)
	}
	return read(v)
}

// nested reads a T, which JSON can carry, with read; or a reference to one, where
// references may stand for values.
func nested[T any](v Value, read func(Value) T) T {
	if v.refers() {
		return Ref[T](v)
	}
	return read(v)
}

// Fits reports whether a value can be assigned to a T.
func Fits[T any](value any) bool {
	_, ok := assign[T](value)
	return ok
}

// assign returns a value as a T, if it can be assigned to one.
func assign[T any](value any) (x T, ok bool) {
	if x, ok = value.(T); !ok {
		x, ok = converted(value, reflect.TypeFor[T]()).(T)
	}
	return x, ok
}

// converted returns a value as the type that it can be assigned to, such as a
// named slice as a plain one; nil if it cannot.
func converted(value any, to reflect.Type) any {
	from := reflect.ValueOf(value)
	if !from.IsValid() || !from.Type().AssignableTo(to) {
		return nil
	}
	return from.Convert(to).Interface()
}

// lookUp returns the variable that v refers to, if it can be assigned to a T.
func lookUp[T any](v Value) (x T, ok bool) {
	name, ok := v.reference()
	if !ok {
		return x, false
	}
	value, _ := v.d.vars.Lookup(name)
	if x, ok = assign[T](value); ok {
		v.d.referred = true
	}
	return x, ok
}

// refers reports whether v is a reference in the place of what JSON could carry;
// one to a value without parts is none, see [tape.Tape.Resolve].
func (v Value) refers() bool { return v.d != nil && v.d.tape.At(v.at).Kind == tape.Reference }

// reference returns the name that v refers to. Without a scope, nothing is a
// reference.
func (v Value) reference() (name string, ok bool) {
	if v.d == nil || v.d.vars == nil {
		return "", false
	}
	return v.d.tape.Variable(v.at)
}

// failReference records that a reference was expected to a variable that fits.
func (v Value) failReference(fits func(any) bool) {
	switch {
	case v.d.count >= maxFaults:
		v.d.count++
	case v.d.vars == nil:
		v.Fail("a reference to a variable, which cannot be given here")
	default:
		names := v.d.vars.Fitting(fits)
		for i, name := range names {
			names[i] = tape.RefOpen + name + tape.RefClose
		}
		if len(names) == 0 {
			v.Fail("a reference to a variable that fits, of which there is none")
			return
		}
		v.Fail("one of the references " + words.List(names, " or "))
	}
}
