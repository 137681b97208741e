package wire

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// simpleJSON returns the JSON of a value that has no parts, "" of others. It does
// without encoding/json, which small programs need not link.
func simpleJSON(value any) string {
	if isNil(value) {
		return ""
	}
	e := &Encoder{limit: math.MaxInt32}
	switch x := value.(type) {
	case time.Duration:
		e.Duration("", x)
	case json.Number:
		e.Number("", x)
	case encoding.TextMarshaler:
		e.simpleText(x)
	case json.Marshaler: // of a form that only encoding/json knows
	default:
		e.simple(reflect.ValueOf(value))
	}
	if e.bad != nil {
		return ""
	}
	return string(e.b)
}

// simpleText writes the text of a value, as a number where it is one and the
// value is no text to encoding/json: big.Int.
func (e *Encoder) simpleText(x encoding.TextMarshaler) {
	text, err := x.MarshalText()
	if err != nil {
		return
	}
	_, own := x.(json.Marshaler)
	if end, ok := jsontext.NumberEnd(string(text), 0); own && ok && end == len(text) {
		e.Raw(string(text))
		return
	}
	e.Str("", string(text))
}

// simple writes a value that has no parts, nothing of others.
func (e *Encoder) simple(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Bool:
		e.Bool("", v.Bool())
	case v.Kind() == reflect.String:
		e.Str("", v.String())
	case v.CanInt():
		e.Int("", v.Int())
	case v.CanUint():
		e.Uint("", v.Uint())
	case v.Kind() == reflect.Float32:
		e.Float32("", float32(v.Float()))
	case v.CanFloat():
		e.Float64("", v.Float())
	}
}
