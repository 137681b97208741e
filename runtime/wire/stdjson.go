package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// longestJSON is the maximum length, in bytes, of a name and of the text of another package's error in a message.
const longestJSON = 256

// decodeJSON decodes a text into the variable that x points to, and rejects unknown keys. If that fails, it returns
// what was expected, without names of Go types, because a model does not know them.
func decodeJSON(text string, x any) (expected string) {
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
	message := err.Error()
	if key, unknown := strings.CutPrefix(message, "json: unknown field "); unknown {
		return "no key " + words.Cut(key, longestJSON)
	}
	if strings.Contains(message, "json: ") {
		return "another value"
	}
	return "another value (" + words.Cut(message, longestJSON) + ")"
}

// describeType describes the JSON values that encoding/json accepts for a type.
func describeType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return words.Truth
	case reflect.Float32, reflect.Float64:
		return aNumber
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
		return anInteger + " that fits"
	}
	return "another value"
}

// errDeep is the error of a value that is nested too deeply or contains itself.
var errDeep = errors.New("it is nested too deeply or contains itself")

// appendJSON appends the encoding/json encoding of x, without escapes for HTML. It allows at most the given
// number of levels of objects and arrays.
func appendJSON(b []byte, x any, levels int) ([]byte, error) {
	text, err := jsontext.Marshal(x, "")
	if err != nil {
		return b, err
	}
	return appendChecked(b, text, levels)
}

// appendCompact appends a JSON value without its white space. For levels, see [appendJSON].
func appendCompact(b []byte, value json.RawMessage, levels int) ([]byte, error) {
	var text bytes.Buffer
	if err := json.Compact(&text, value); err != nil {
		return b, err
	}
	return appendChecked(b, text.Bytes(), levels)
}

// appendChecked appends JSON and replaces invalid UTF-8 in it with U+FFFD. For levels, see [appendJSON].
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
				return b, errDeep
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
