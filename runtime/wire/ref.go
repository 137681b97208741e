package wire

import (
	"reflect"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
	"github.com/aiongen/aiongen/runtime/internal/reference"
)

// Ref reads a reference to a variable whose value is assignable to T, a type that JSON cannot represent.
func Ref[T any](v Value) (x T) {
	if v.d == nil {
		return x
	}
	x, ok := lookupReference[T](v.place)
	if !ok {
		v.failReference(Fits[T])
	}
	return x
}

// RefOr reads a reference like [Ref]. It reads any other value with read. RefOr is for a type T whose values JSON
// can represent only in part.
func RefOr[T any](v Value, read func(Value) T) T {
	if _, ok := v.referenceName(); ok {
		return Ref[T](v)
	}
	return read(v)
}

// readElement reads the element at an index with read. In a scope where references may replace values, it also reads a
// reference to a T.
func readElement[T any](d *Decoder, at int, read func(Value) T) T {
	v := d.valueAt(at)
	if v.isReference() {
		return Ref[T](v)
	}
	return read(v)
}

// Fits reports whether a value is assignable to a T.
func Fits[T any](value any) bool {
	_, ok := assignTo[T](value)
	return ok
}

// lookupReference returns the variable that p refers to, if it is assignable to a T.
func lookupReference[T any](p place) (x T, ok bool) {
	name, ok := p.referenceName()
	if !ok {
		return x, false
	}
	value, _ := p.d.variables.LookupVariable(name)
	if x, ok = assignTo[T](value); ok {
		p.d.readOpaque = true
	}
	return x, ok
}

// assignTo returns a value as a T if it is assignable to T in the sense of the Go specification. For example, a value
// of a named slice type is assignable to a slice type without a name.
func assignTo[T any](value any) (x T, ok bool) {
	if x, ok = value.(T); !ok {
		ok = setVariable(reflect.ValueOf(&x).Elem(), reflect.ValueOf(value))
	}
	return x, ok
}

// setVariable sets a variable to a value if the value is assignable. It does not use reflect.Value.Convert, which
// would link the code of all conversions.
func setVariable(variable, value reflect.Value) bool {
	ok := value.IsValid() && value.Type().AssignableTo(variable.Type())
	if ok {
		variable.Set(value)
	}
	return ok
}

// isReference reports whether a reference replaces a value that JSON can represent. References to
// simple values, such as strings, have already been replaced by these; see [jsontape.Tape.Resolve].
func (p place) isReference() bool { return p.entryOfKind(jsontape.Reference) != nil }

// referenceName returns the name of the variable that p refers to. If there are no variables, nothing is a reference.
func (p place) referenceName() (name string, ok bool) {
	if p.d == nil || p.d.variables == nil {
		return "", false
	}
	return p.d.tape.Variable(p.at)
}

// failReference records that a reference to a variable whose value fits was expected.
func (p place) failReference(fits func(any) bool) {
	switch {
	case p.d.faults.isFull():
		p.d.faults.countFault()
	case p.d.variables == nil:
		p.Fail("a reference to a variable, which is impossible here")
	default:
		names := p.d.variables.MatchingNames(fits)
		for i, name := range names {
			names[i] = reference.Format(name)
		}
		expected := "a reference to a matching variable, but there is none"
		if len(names) > 0 {
			expected = "one of the references " + words.List(names, " or ")
		}
		p.Fail(expected)
	}
}
