package wire

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/wire/internal/slab"
	"github.com/aiongen/aiongen/runtime/wire/internal/stdjson"
	"github.com/aiongen/aiongen/runtime/wire/internal/tape"
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
	b       []byte
	limit   int       // of the bytes written
	cut     int       // bytes that were counted and dropped, where there are more
	depth   int       // of objects and arrays being written
	vars    Variables // that keep what JSON cannot carry
	results slab.Bytes

	bad   error  // the first thing that went wrong
	badAt string // JSON Pointer of where
}

const (
	// maxOutputDepth bounds how deeply results are nested. Only values that
	// hold themselves come near it.
	maxOutputDepth = 1000

	// A buffer of more bytes than this is not kept for the next result.
	keptOutput = 64 << 10

	// maxCounted bounds how much of a result that is too long is counted, in
	// multiples of the limit.
	maxCounted = 8
)

// LongError says that a result is longer than it may be.
type LongError struct {
	Length, Limit int  // in bytes
	More          bool // it is longer than Length
}

// Error tells both lengths.
func (e *LongError) Error() string {
	if e.More {
		return fmt.Sprintf("it is more than %d bytes long, and may be %d", e.Length, e.Limit)
	}
	return fmt.Sprintf("it is %d bytes long, and may be %d", e.Length, e.Limit)
}

// Code returns "too_long".
func (e *LongError) Code() string { return "too_long" }

// NilError says that a result is nil which is so beside an error alone.
type NilError struct{}

// Error tells that there is none.
func (*NilError) Error() string { return "it is nil, and there is no error" }

// Code returns "nothing".
func (*NilError) Code() string { return "nothing" }

// Start begins a result of at most so many bytes; vars keep what JSON cannot carry.
func (e *Encoder) Start(limit int, vars Variables) {
	e.b, e.limit, e.cut, e.depth = e.b[:0], limit, 0, 0
	if e.vars != vars {
		e.vars = vars
	}
	if e.bad != nil {
		e.bad, e.badAt = nil, ""
	}
}

// Done returns a copy of what was written, or the error that it cannot be with
// the JSON Pointer of where.
func (e *Encoder) Done() (output json.RawMessage, pointer string, err error) {
	if len(e.b) == 0 && e.bad == nil {
		e.fail(errors.New("nothing was written"))
	}
	switch {
	case e.cut > 0 || e.bad == nil && len(e.b) > e.limit:
		err = &LongError{Length: e.cut + len(e.b), Limit: e.limit, More: e.bad != nil}
	case e.bad != nil:
		pointer, err = e.badAt, e.bad
	default:
		output = e.results.Copy(e.b)
	}
	if cap(e.b) > keptOutput {
		e.b = nil
	}
	return output, pointer, err
}

// begin writes the lead of a value. It returns false if the value is not to be
// written, since something before it went wrong.
func (e *Encoder) begin(lead string) bool {
	if e.bad != nil {
		return false
	}
	if len(e.b) > e.limit && !e.drop() {
		return false
	}
	if lead != "" && lead[0] == ',' && len(e.b) > 0 {
		if last := e.b[len(e.b)-1]; last == '{' || last == '[' {
			lead = lead[1:]
		}
	}
	e.b = append(e.b, lead...)
	return true
}

// drop counts what was written in place of keeping it: there is more than there may
// be, and what is still to come only tells how much. It returns false if that is
// too much even to be counted.
func (e *Encoder) drop() bool {
	last := len(e.b) - 1 // by which it is known whether a comma follows
	e.cut += last
	e.b = append(e.b[:0], e.b[last])
	if e.cut/maxCounted > e.limit {
		e.bad = errLong
	}
	return e.bad == nil
}

// fail records that the value whose lead was written last cannot be.
func (e *Encoder) fail(err error) { e.bad, e.badAt = err, e.place() }

// Fail records that the result is not to be given out, for what is at a JSON
// Pointer in it. It is for tools that check their results.
func (e *Encoder) Fail(pointer string, err error) {
	if e.bad == nil {
		e.bad, e.badAt = err, words.Cut(pointer, longestPointer)
	}
}

// place returns the JSON Pointer of the value that is to be written next. The
// text breaks off there, which is what a scan finds; if it stops earlier, at
// text that encoding/json lets pass and we do not, the place is not known.
func (e *Encoder) place() string {
	var t tape.Tape
	if b := t.Scan(string(e.b), len(e.b)); b != nil && b.At == len(e.b) {
		return words.Cut(b.Pointer, tape.LongestKey)
	}
	return ""
}

// The methods are not inlined: generated code calls one for each field of each
// struct, and a call is a fraction of the code.

// Raw writes text that is JSON or a part of it.
//
//go:noinline
func (e *Encoder) Raw(text string) { e.begin(text) }

// Null writes null.
//
//go:noinline
func (e *Encoder) Null(lead string) {
	if e.begin(lead) {
		e.b = append(e.b, "null"...)
	}
}

// Bool writes true or false.
//
//go:noinline
func (e *Encoder) Bool(lead string, x bool) {
	if e.begin(lead) {
		e.b = strconv.AppendBool(e.b, x)
	}
}

// Int writes an integer.
//
//go:noinline
func (e *Encoder) Int(lead string, x int64) {
	if e.begin(lead) {
		e.b = strconv.AppendInt(e.b, x, 10)
	}
}

// Uint writes a natural number.
//
//go:noinline
func (e *Encoder) Uint(lead string, x uint64) {
	if e.begin(lead) {
		e.b = strconv.AppendUint(e.b, x, 10)
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
	if e.begin(lead) {
		e.appended(write.Float(e.b, x, bits))
	}
}

// appended takes what was written with a value behind it, or why it cannot be.
func (e *Encoder) appended(b []byte, err error) {
	if err != nil {
		e.fail(err)
		return
	}
	e.b = b
}

// Str writes a string. What is no UTF-8 in it becomes U+FFFD.
//
//go:noinline
func (e *Encoder) Str(lead string, x string) {
	if e.begin(lead) {
		e.b = jsontext.AppendQuoted(e.b, x)
	}
}

// Time writes a date-time of RFC 3339. Its year must have four digits.
//
//go:noinline
func (e *Encoder) Time(lead string, x time.Time) {
	if !e.begin(lead) {
		return
	}
	b, err := x.AppendText(append(e.b, '"'))
	e.appended(append(b, '"'), err)
}

// Duration writes a duration as Go does: 1h30m0s.
//
//go:noinline
func (e *Encoder) Duration(lead string, x time.Duration) { e.Str(lead, x.String()) }

// Bytes writes bytes in base64.
//
//go:noinline
func (e *Encoder) Bytes(lead string, x []byte) {
	if e.begin(lead) {
		e.b = append(base64.StdEncoding.AppendEncode(append(e.b, '"'), x), '"')
	}
}

// JSON writes what encoding/json makes of x, without escapes for HTML.
//
//go:noinline
func (e *Encoder) JSON(lead string, x any) {
	if e.begin(lead) {
		e.appended(stdjson.Append(e.b, x, maxOutputDepth-e.depth))
	}
}

// RawJSON writes a JSON value without its white space, null if it is nil. What
// is no JSON cannot be written.
//
//go:noinline
func (e *Encoder) RawJSON(lead string, x json.RawMessage) {
	if x == nil {
		e.Null(lead)
	} else if e.begin(lead) {
		e.appended(stdjson.AppendCompact(e.b, x, maxOutputDepth-e.depth))
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
	if e.begin(lead) {
		e.appended(write.Number(e.b, string(x)))
	}
}

// errLong ends the counting of a result that is too long.
var errLong = errors.New("it is too long")
