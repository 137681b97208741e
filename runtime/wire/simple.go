package wire

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// longestSimple is the maximum length of a text in a message, in bytes.
const longestSimple = 64

// appendNumber appends a formatted number. It returns an error if the text is not a JSON number.
func appendNumber(b []byte, number string) ([]byte, error) {
	if !jsontext.IsNumber(number) {
		return b, fmt.Errorf("%q is not a JSON number", words.Cut(number, longestSimple))
	}
	return append(b, number...), nil
}

// formatSimple returns the JSON of a string, a number or another value without members and elements; "" for other
// values. It does not use encoding/json, so that small programs need not link it.
func formatSimple(value any) string {
	if isNil(value) {
		return ""
	}
	var b []byte
	var err error
	switch x := value.(type) {
	case time.Duration:
		b = jsontext.AppendQuoted(b, x.String())
	case json.Number:
		if b = append(b, '0'); x != "" {
			b, err = appendNumber(b[:0], string(x))
		}
	case encoding.TextMarshaler:
		b, err = marshalText(x)
	case json.Marshaler: // the value may be of any kind
	default:
		b, err = marshalSimple(reflect.ValueOf(value))
	}
	if err != nil {
		return ""
	}
	return string(b)
}

// marshalText returns the text of a value as a JSON string. For a type such as big.Int, which encoding/json
// writes as a number, it returns a number.
func marshalText(x encoding.TextMarshaler) ([]byte, error) {
	text, err := x.MarshalText()
	if _, own := x.(json.Marshaler); err != nil || own && jsontext.IsNumber(string(text)) {
		return text, err
	}
	return jsontext.AppendQuoted(nil, string(text)), nil
}

// marshalSimple returns the JSON of a boolean, a string or a number, and nil for other values.
func marshalSimple(v reflect.Value) ([]byte, error) {
	switch {
	case v.Kind() == reflect.Bool:
		return strconv.AppendBool(nil, v.Bool()), nil
	case v.Kind() == reflect.String:
		return jsontext.AppendQuoted(nil, v.String()), nil
	case v.CanInt():
		return strconv.AppendInt(nil, v.Int(), 10), nil
	case v.CanUint():
		return strconv.AppendUint(nil, v.Uint(), 10), nil
	case v.CanFloat():
		return jsontext.AppendFloat(nil, v.Float(), v.Type().Bits())
	}
	return nil, nil
}

// errorText returns the text of an error. It returns false if there is no error: x is nil, or it is a nil pointer
// whose method Error panics.
func errorText(x error) (text string, ok bool) {
	if x == nil {
		return "", false
	}
	if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer && v.IsNil() {
		defer func() {
			if recover() != nil {
				text, ok = "", false
			}
		}()
	}
	return x.Error(), true
}

// isNil reports whether a value is nil or contains a nil pointer, map, slice, function or channel.
func isNil(x any) bool {
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Chan, reflect.Func, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}
