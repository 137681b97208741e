package wire

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// Encoder writes the result of a call as JSON. Each method takes the lead of its value: the text between the
// previous value and this one, including the key, as in `,"count":`. Before the first value of an object or
// array, the encoder omits the comma at the beginning of the lead.
//
// The encoder fails at the first value that cannot be written, is nested too deeply or exceeds the limit.
// It writes nothing after that.
type Encoder struct {
	text      boundedText
	variables Variables // store values that JSON cannot represent
	variant   string    // the first member of the object that is opened next, see [EncodeVariant]
}

// Fail makes the encoder fail with err, which is about the value at a JSON Pointer. It is for tools that check their
// results.
func (e *Encoder) Fail(pointer string, err error) { e.text.failAt(pointer, err) }

// The following methods are not inlined, because generated code calls one for each field of each struct, and a call
// is much smaller than the inlined code.

// Raw writes text that is JSON or a part of JSON.
//
//go:noinline
func (e *Encoder) Raw(text string) { e.text.begin(text) }

// Null writes null.
//
//go:noinline
func (e *Encoder) Null(lead string) {
	if e.text.begin(lead) {
		e.text.b = append(e.text.b, "null"...)
	}
}

// Bool writes true or false.
//
//go:noinline
func (e *Encoder) Bool(lead string, x bool) {
	if e.text.begin(lead) {
		e.text.b = strconv.AppendBool(e.text.b, x)
	}
}

// Int writes an integer.
//
//go:noinline
func (e *Encoder) Int(lead string, x int64) {
	if e.text.begin(lead) {
		e.text.b = strconv.AppendInt(e.text.b, x, 10)
	}
}

// Uint writes an unsigned integer.
//
//go:noinline
func (e *Encoder) Uint(lead string, x uint64) {
	if e.text.begin(lead) {
		e.text.b = strconv.AppendUint(e.text.b, x, 10)
	}
}

// Float64 writes a number. NaN and infinities make the encoder fail.
//
//go:noinline
func (e *Encoder) Float64(lead string, x float64) { e.writeFloat(lead, x, 64) }

// Float32 writes a number. NaN and infinities make the encoder fail.
//
//go:noinline
func (e *Encoder) Float32(lead string, x float32) { e.writeFloat(lead, float64(x), 32) }

func (e *Encoder) writeFloat(lead string, x float64, bits int) {
	if e.text.begin(lead) {
		e.text.setText(jsontext.AppendFloat(e.text.b, x, bits))
	}
}

// Str writes a string. Invalid UTF-8 becomes U+FFFD.
//
//go:noinline
func (e *Encoder) Str(lead string, x string) {
	if e.text.begin(lead) {
		e.text.b = jsontext.AppendQuoted(e.text.b, x)
	}
}

// Time writes a date-time of RFC 3339. Its year must have four digits.
//
//go:noinline
func (e *Encoder) Time(lead string, x time.Time) {
	if !e.text.begin(lead) {
		return
	}
	b, err := x.AppendText(append(e.text.b, '"'))
	e.text.setText(append(b, '"'), err)
}

// Duration writes a duration in Go's format, such as 1h30m0s.
//
//go:noinline
func (e *Encoder) Duration(lead string, x time.Duration) { e.Str(lead, x.String()) }

// Error writes the text of an error; nil is null, and so is a nil pointer whose method Error panics.
//
//go:noinline
func (e *Encoder) Error(lead string, x error) {
	if text, ok := errorText(x); ok {
		e.Str(lead, text)
	} else {
		e.Null(lead)
	}
}

// Bytes writes bytes in base64; nil is null.
//
//go:noinline
func (e *Encoder) Bytes(lead string, x []byte) {
	if x == nil {
		e.Null(lead)
	} else if e.text.begin(lead) {
		e.text.b = append(base64.StdEncoding.AppendEncode(append(e.text.b, '"'), x), '"')
	}
}

// JSON writes the encoding/json encoding of x, without escapes for HTML.
//
//go:noinline
func (e *Encoder) JSON(lead string, x any) {
	if e.text.begin(lead) {
		e.text.setText(appendJSON(e.text.b, x, e.text.remainingDepth()))
	}
}

// RawJSON writes a JSON value without its white space, or null if x is nil. The encoder fails if x is not valid
// JSON.
//
//go:noinline
func (e *Encoder) RawJSON(lead string, x json.RawMessage) {
	if x == nil {
		e.Null(lead)
	} else if e.text.begin(lead) {
		e.text.setText(appendCompact(e.text.b, x, e.text.remainingDepth()))
	}
}

// Number writes a number, or 0 if x is empty. The encoder fails if x is not a JSON number.
//
//go:noinline
func (e *Encoder) Number(lead string, x json.Number) {
	if x == "" {
		x = "0"
	}
	if e.text.begin(lead) {
		e.text.setText(appendNumber(e.text.b, string(x)))
	}
}
