package wire

import "github.com/aiongen/aiongen/runtime/wire/internal/stdjson"

// Decode reads v with encoding/json into what x points to. Of an absent value it
// reads nothing; what encoding/json refuses is a fault, and so are unknown keys
// and repeated ones.
func (v Value) Decode(x any) {
	if v.d == nil {
		return
	}
	if v.refers() {
		v.Fail("a JSON value")
		return
	}
	v.checkKeys()
	if expected := stdjson.Decode(v.d.tape.Text(v.d.tape.At(v.at)), x); expected != "" {
		v.Fail(expected)
	}
}

// JSON reads a value as a type that reads itself from JSON.
func JSON[T any](v Value) (x T) {
	if v.refers() {
		return Ref[T](v)
	}
	v.Decode(&x)
	return x
}

// Checked returns v, or the absent Value if reading it records a fault.
func Checked[T any](v Value, read func(Value) T) Value {
	if v.d == nil {
		return v
	}
	before := v.d.count
	if read(v); v.d.count > before {
		return Value{}
	}
	return v
}
