package wire

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/wire/internal/bounded"
	"github.com/aiongen/aiongen/runtime/wire/internal/stdjson"
	"github.com/aiongen/aiongen/runtime/wire/internal/write"
)

// Encoder writes the result of a call as JSON. Each writer takes the text that
// stands before its value, the lead: the value's key, and what is between it and
// the last value, as in `,"count":`. The comma that a lead begins with is left
// out where nothing is before it.
//
// The first thing that cannot be written, nested too deeply or longer than the
// limit is what comes of it all; nothing is written after it.
type Encoder struct {
	text bounded.Text
	vars Variables // that keep what JSON cannot carry
}

// Fail records that the result is not to be given out, for what is at a JSON
// Pointer in it. It is for tools that check their results.
func (e *Encoder) Fail(pointer string, err error) { e.text.FailAt(pointer, err) }

// The methods are not inlined: generated code calls one for each field of each
// struct, and a call is a fraction of the code.

// Raw writes text that is JSON or a part of it.
//
//go:noinline
func (e *Encoder) Raw(text string) { e.text.Begin(text) }

// Null writes null.
//
//go:noinline
func (e *Encoder) Null(lead string) {
	if e.text.Begin(lead) {
		e.text.B = append(e.text.B, "null"...)
	}
}

// Bool writes true or false.
//
//go:noinline
func (e *Encoder) Bool(lead string, x bool) {
	if e.text.Begin(lead) {
		e.text.B = strconv.AppendBool(e.text.B, x)
	}
}

// Int writes an integer.
//
//go:noinline
func (e *Encoder) Int(lead string, x int64) {
	if e.text.Begin(lead) {
		e.text.B = strconv.AppendInt(e.text.B, x, 10)
	}
}

// Uint writes a natural number.
//
//go:noinline
func (e *Encoder) Uint(lead string, x uint64) {
	if e.text.Begin(lead) {
		e.text.B = strconv.AppendUint(e.text.B, x, 10)
	}
}

// Float64 writes a number. NaN and the infinities cannot be written.
//
//go:noinline
func (e *Encoder) Float64(lead string, x float64) { e.float(lead, x, 64) }

// Float32 writes a number. NaN and the infinities cannot be written.
//
//go:noinline
func (e *Encoder) Float32(lead string, x float32) { e.float(lead, float64(x), 32) }

func (e *Encoder) float(lead string, x float64, bits int) {
	if e.text.Begin(lead) {
		e.text.Take(jsontext.AppendFloat(e.text.B, x, bits))
	}
}

// Str writes a string. What is no UTF-8 in it becomes U+FFFD.
//
//go:noinline
func (e *Encoder) Str(lead string, x string) {
	if e.text.Begin(lead) {
		e.text.B = jsontext.AppendQuoted(e.text.B, x)
	}
}

// Time writes a date-time of RFC 3339. Its year must have four digits.
//
//go:noinline
func (e *Encoder) Time(lead string, x time.Time) {
	if !e.text.Begin(lead) {
		return
	}
	b, err := x.AppendText(append(e.text.B, '"'))
	e.text.Take(append(b, '"'), err)
}

// Duration writes a duration as Go does: 1h30m0s.
//
//go:noinline
func (e *Encoder) Duration(lead string, x time.Duration) { e.Str(lead, x.String()) }

// Bytes writes bytes in base64.
//
//go:noinline
func (e *Encoder) Bytes(lead string, x []byte) {
	if e.text.Begin(lead) {
		e.text.B = append(base64.StdEncoding.AppendEncode(append(e.text.B, '"'), x), '"')
	}
}

// JSON writes what encoding/json makes of x, without escapes for HTML.
//
//go:noinline
func (e *Encoder) JSON(lead string, x any) {
	if e.text.Begin(lead) {
		e.text.Take(stdjson.Append(e.text.B, x, e.text.Left()))
	}
}

// RawJSON writes a JSON value without its white space, null if it is nil. What
// is no JSON cannot be written.
//
//go:noinline
func (e *Encoder) RawJSON(lead string, x json.RawMessage) {
	if x == nil {
		e.Null(lead)
	} else if e.text.Begin(lead) {
		e.text.Take(stdjson.AppendCompact(e.text.B, x, e.text.Left()))
	}
}

// Number writes a number that is written already, 0 if it is empty. What is no
// JSON number cannot be written.
//
//go:noinline
func (e *Encoder) Number(lead string, x json.Number) {
	if x == "" {
		x = "0"
	}
	if e.text.Begin(lead) {
		e.text.Take(write.Number(e.text.B, string(x)))
	}
}
