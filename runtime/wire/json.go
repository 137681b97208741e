package wire

import (
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// Decode decodes the value with encoding/json into the variable that x points to. It does nothing if the value is
// absent. A value that encoding/json rejects is a fault, and so are unknown and repeated keys.
func (p place) Decode(x any) {
	text, ok := p.jsonText()
	if !ok {
		return
	}
	p.rejectAmbiguous()
	if expected := decodeJSON(text, x); expected != "" {
		p.Fail(expected)
	}
}

// JSON reads a value as a type that unmarshals itself from JSON.
func JSON[T any](v Value) (x T) {
	if v.isReference() {
		return Ref[T](v)
	}
	v.Decode(&x)
	return x
}

// NullOr reads an optional value of a type T that unmarshals itself from JSON. It passes null to the method
// UnmarshalJSON of T, like encoding/json. If the method rejects null, the value counts as absent. NullOr reads
// all other values with read.
func NullOr[T any](v Value, read func(Value) T) (x T) {
	if !v.IsNull() {
		return read(v)
	}
	decodeNull(&x)
	return x
}

// DecodeOptional decodes an optional value with encoding/json into the variable that x points to. If
// encoding/json rejects null for this type, null counts as absent.
func DecodeOptional[T any](v Value, x *T) {
	if v.IsNull() {
		decodeNull(x)
	} else {
		v.Decode(x)
	}
}

// decodeNull decodes null into the variable that x points to, or sets the variable to zero if encoding/json rejects
// null.
func decodeNull[T any](x *T) {
	if decodeJSON("null", x) != "" {
		*x = *new(T)
	}
}

// CheckValue returns v, or the absent Value if reading it records a fault.
func CheckValue[T any](v Value, read func(Value) T) Value {
	if v.d == nil {
		return v
	}
	before := v.d.faults.countAll()
	if read(v); v.d.faults.countAll() > before {
		return Value{}
	}
	return v
}

// CheckUnlessText is like [CheckValue], but does not check strings.
func CheckUnlessText[T any](v Value, read func(Value) T) Value {
	if v.d == nil || v.d.tape.EntryAt(v.at).Kind == jsontape.String {
		return v
	}
	checked := CheckValue(v, read)
	if !checked.Ok() && v.d.tape.EntryAt(v.at).Kind != jsontape.Number {
		v.d.faults.rewordLast(v.at, words.OrString)
	}
	return checked
}

// CheckUnlessNull returns the result of check for v, but does not check null.
func CheckUnlessNull(v Value, check func(Value) Value) Value {
	if v.IsNull() {
		return v
	}
	checked := check(v)
	if v.Ok() && !checked.Ok() {
		v.expectNullToo()
	}
	return checked
}

// expectNullToo adds null to Expected of the last fault, as in "null or a string", if the fault belongs to v. It
// adds nothing if v is a number that is too large, too small or has a fraction.
func (v Value) expectNullToo() {
	isNumber := v.d.tape.EntryAt(v.at).Kind == jsontape.Number
	v.d.faults.rewordLast(v.at, func(expected string) string {
		if isNumber && (strings.HasPrefix(expected, anInteger) || strings.HasPrefix(expected, aNumber)) {
			return expected
		}
		return words.OrNull(expected)
	})
}
