package wire

import (
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/reference"
	"github.com/aiongen/aiongen/runtime/internal/tape"
	"github.com/aiongen/aiongen/runtime/wire/internal/assign"
)

// Ref reads a reference to a variable that can be assigned to a T, which JSON
// cannot carry.
func Ref[T any](v Value) (x T) {
	if v.d == nil {
		return x
	}
	x, ok := lookUp[T](v.place)
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
func nested[T any](d *Decoder, at int, read func(Value) T) T {
	v := d.value(at)
	if v.refers() {
		return Ref[T](v)
	}
	return read(v)
}

// Fits reports whether a value can be assigned to a T.
func Fits[T any](value any) bool {
	_, ok := assign.To[T](value)
	return ok
}

// lookUp returns the variable that is referred to, if it can be assigned to a T.
func lookUp[T any](p place) (x T, ok bool) {
	name, ok := p.reference()
	if !ok {
		return x, false
	}
	value, _ := p.d.vars.Lookup(name)
	if x, ok = assign.To[T](value); ok {
		p.d.referred = true
	}
	return x, ok
}

// refers reports whether there is a reference in the place of what JSON could carry;
// one to a value without parts is none, see [tape.Tape.Resolve].
func (p place) refers() bool { return p.entry(tape.Reference) != nil }

// reference returns the name that is referred to. Without a scope, nothing is a
// reference.
func (p place) reference() (name string, ok bool) {
	if p.d == nil || p.d.vars == nil {
		return "", false
	}
	return p.d.tape.Variable(p.at)
}

// failReference records that a reference was expected to a variable that fits.
func (p place) failReference(fits func(any) bool) {
	switch {
	case p.d.faults.IsFull():
		p.d.faults.Counts()
	case p.d.vars == nil:
		p.Fail("a reference to a variable, which cannot be given here")
	default:
		names := p.d.vars.Fitting(fits)
		for i, name := range names {
			names[i] = reference.To(name)
		}
		expected := "a reference to a variable that fits, of which there is none"
		if len(names) > 0 {
			expected = "one of the references " + words.List(names, " or ")
		}
		p.Fail(expected)
	}
}
