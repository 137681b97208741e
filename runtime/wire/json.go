package wire

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/wire/internal/tape"
)

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
	e := v.d.tape.At(v.at)
	j := json.NewDecoder(strings.NewReader(v.d.tape.Text(e)))
	j.DisallowUnknownFields()
	if err := j.Decode(x); err != nil {
		v.Fail(expectedBy(err))
	}
}

// expectedBy says what should be there by an error of encoding/json or of a type
// that reads itself, without the names of Go types, which mean nothing to a model.
func expectedBy(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if wrong.Field == "" {
			return jsonWord(wrong.Type)
		}
		return jsonWord(wrong.Type) + " as " + words.Cut(wrong.Field, tape.LongestKey)
	}
	text := err.Error()
	if key, unknown := strings.CutPrefix(text, "json: unknown field "); unknown {
		return "no key " + words.Cut(key, tape.LongestKey)
	}
	if strings.Contains(text, "json: ") {
		return "another value"
	}
	return "another value (" + words.Cut(text, tape.LongestKey) + ")"
}

// jsonWord says what encoding/json reads as a type.
func jsonWord(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return words.Truth
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.String:
		return "a string"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return words.InBase64
		}
		return "an array"
	case reflect.Array:
		return "an array"
	}
	if reflect.Int <= t.Kind() && t.Kind() <= reflect.Uintptr {
		return "an integer that fits"
	}
	return "another value"
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
