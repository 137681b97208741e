package convert

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

// longestJSON limits a name and the text of a foreign error in a message, in bytes.
const longestJSON = 256

// DecodeJSON decodes a text into what x points to and rejects unknown keys. On failure it returns what was
// expected, without names of Go types, which mean nothing to a model.
func DecodeJSON(text string, x any) (expected string) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(x)
	if err == nil {
		return ""
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if wrong.Field == "" {
			return describeType(wrong.Type)
		}
		return describeType(wrong.Type) + " as " + words.Cut(wrong.Field, longestJSON)
	}
	said := err.Error()
	if key, unknown := strings.CutPrefix(said, "json: unknown field "); unknown {
		return "no key " + words.Cut(key, longestJSON)
	}
	if strings.Contains(said, "json: ") {
		return "another value"
	}
	return "another value (" + words.Cut(said, longestJSON) + ")"
}

// describeType describes what encoding/json reads as a type.
func describeType(t reflect.Type) string {
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

// ErrDeep is the error of a value that is nested too deeply or contains itself.
var ErrDeep = errors.New("it is nested too deeply or contains itself")

// AppendJSON appends the encoding/json encoding of x, without escapes for HTML. It allows at most the given
// number of levels of objects and arrays.
func AppendJSON(b []byte, x any, levels int) ([]byte, error) {
	text, err := jsontext.Marshal(x, "")
	if err != nil {
		return b, err
	}
	return appendChecked(b, text, levels)
}

// AppendCompact appends a JSON value without its white space; for levels see [AppendJSON].
func AppendCompact(b []byte, value json.RawMessage, levels int) ([]byte, error) {
	var text bytes.Buffer
	if err := json.Compact(&text, value); err != nil {
		return b, err
	}
	return appendChecked(b, text.Bytes(), levels)
}

// appendChecked appends a text and replaces invalid UTF-8 with U+FFFD.
func appendChecked(b, text []byte, levels int) ([]byte, error) {
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

// PromptJSON returns a value as a prompt shows it: maps, slices, arrays and structs as JSON, indented by two
// spaces, everything else as text, nil as "".
func PromptJSON(value any) (string, error) {
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
