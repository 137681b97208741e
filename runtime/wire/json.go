package wire

import (
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/tape"
	"github.com/aiongen/aiongen/runtime/wire/internal/stdjson"
)

// Decode reads the value with encoding/json into what x points to. Of an absent value it
// reads nothing; what encoding/json refuses is a fault, and so are unknown keys
// and repeated ones.
func (p place) Decode(x any) {
	if p.d == nil {
		return
	}
	if p.refers() {
		p.Fail("a JSON value")
		return
	}
	p.checkClear()
	if expected := stdjson.Decode(p.d.tape.Text(p.d.tape.At(p.at)), x); expected != "" {
		p.Fail(expected)
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
	before := v.d.faults.Count()
	if read(v); v.d.faults.Count() > before {
		return Value{}
	}
	return v
}

// TextOr does so for what is no text, which it returns as it is.
func TextOr[T any](v Value, read func(Value) T) Value {
	if v.d == nil || v.d.tape.At(v.at).Kind == tape.String {
		return v
	}
	checked := Checked(v, read)
	if !checked.Ok() && v.d.tape.At(v.at).Kind != tape.Number {
		v.d.faults.Reword(v.at, words.OrString)
	}
	return checked
}

// PromptData is a value as a prompt shows it: maps, slices, arrays and structs
// as JSON, indented by two spaces, everything else as text, nil as nothing. It is
// an error if the JSON cannot be written, or if there is no text but an address.
// Generated code calls it.
func PromptData(value any) (string, error) { return stdjson.Prompt(value) }
