// Package stdjson is encoding/json for values whose form only it knows: what it
// refuses is said in words for a model, what it writes is held to what our own
// writers keep.
package stdjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// longest bounds, in bytes, what is told of a name or in the words of others.
const longest = 256

// Decode reads a text into what x points to, without unknown keys. It returns what
// was expected if that is not what is there, without the names of Go types, which
// mean nothing to a model.
func Decode(text string, x any) (expected string) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(x)
	if err == nil {
		return ""
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if wrong.Field == "" {
			return word(wrong.Type)
		}
		return word(wrong.Type) + " as " + words.Cut(wrong.Field, longest)
	}
	said := err.Error()
	if key, unknown := strings.CutPrefix(said, "json: unknown field "); unknown {
		return "no key " + words.Cut(key, longest)
	}
	if strings.Contains(said, "json: ") {
		return "another value"
	}
	return "another value (" + words.Cut(said, longest) + ")"
}

// word says what encoding/json reads as a type.
func word(t reflect.Type) string {
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

// ErrDeep is what becomes of a value that holds itself.
var ErrDeep = errors.New("it is nested too deeply, or holds itself")

// Append appends what encoding/json makes of x, without escapes for HTML. Nested in
// it are at most so many levels of objects and arrays.
func Append(b []byte, x any, levels int) ([]byte, error) {
	text, err := jsontext.Marshal(x, "")
	if err != nil {
		return b, err
	}
	return appendHeld(b, text, levels)
}

// AppendCompact appends a JSON value without its white space; for the levels see
// [Append].
func AppendCompact(b []byte, value json.RawMessage, levels int) ([]byte, error) {
	var text bytes.Buffer
	if err := json.Compact(&text, value); err != nil {
		return b, err
	}
	return appendHeld(b, text.Bytes(), levels)
}

// appendHeld appends a text, with U+FFFD in the place of what is no UTF-8.
func appendHeld(b, text []byte, levels int) ([]byte, error) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == '{' || c == '[':
			if levels--; levels < 0 {
				return b, ErrDeep
			}
		case c == '}' || c == ']':
			levels++
		}
	}
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	return append(b, text...), nil
}

// Prompt returns a value as a prompt shows it: maps, slices, arrays and structs as
// JSON, indented by two spaces, everything else as text, nil as nothing.
func Prompt(value any) (string, error) {
	v := reflect.ValueOf(value)
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Invalid, reflect.Pointer:
		return "", nil
	case reflect.Map, reflect.Slice, reflect.Array, reflect.Struct:
		text, err := jsontext.Marshal(value, "  ")
		if err != nil {
			return "", fmt.Errorf("prompt data: %w", err)
		}
		return string(text), nil
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return "", fmt.Errorf("prompt data: a value of type %s has no text", v.Type())
	}
	return fmt.Sprint(v.Interface()), nil
}
