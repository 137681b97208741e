// Package write makes JSON of Go values that have no parts.
package write

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

// longest bounds, in bytes, what is told of a text that is no number.
const longest = 64

// Number appends a number that is written already. What is no JSON number is an
// error.
func Number(b []byte, number string) ([]byte, error) {
	if !jsontext.IsNumber(number) {
		return b, fmt.Errorf("%q is no JSON number", words.Cut(number, longest))
	}
	return append(b, number...), nil
}

// Simple returns the JSON of a value that has no parts, "" of others. It does
// without encoding/json, which small programs need not link.
func Simple(value any) string {
	if IsNil(value) {
		return ""
	}
	var b []byte
	var err error
	switch x := value.(type) {
	case time.Duration:
		b = jsontext.AppendQuoted(b, x.String())
	case json.Number:
		if b = append(b, '0'); x != "" {
			b, err = Number(b[:0], string(x))
		}
	case encoding.TextMarshaler:
		b, err = simpleText(x)
	case json.Marshaler: // of a form that only encoding/json knows
	default:
		b, err = simple(reflect.ValueOf(value))
	}
	if err != nil {
		return ""
	}
	return string(b)
}

// simpleText writes the text of a value, as a number where it is one and the value is
// no text to encoding/json: big.Int.
func simpleText(x encoding.TextMarshaler) ([]byte, error) {
	text, err := x.MarshalText()
	if _, own := x.(json.Marshaler); err != nil || own && jsontext.IsNumber(string(text)) {
		return text, err
	}
	return jsontext.AppendQuoted(nil, string(text)), nil
}

// simple writes a value of a kind that has no parts, nothing of others.
func simple(v reflect.Value) ([]byte, error) {
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

// IsNil reports whether a value is nil, or holds what is.
func IsNil(x any) bool {
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Chan, reflect.Func, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}
