// Package bounded is JSON text while it is written, as long and as deeply nested as it
// may be.
package bounded

import (
	"encoding/json"
	"errors"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/internal/tape"
	"github.com/aiongen/aiongen/runtime/wire/internal/slab"
	"github.com/aiongen/aiongen/runtime/wire/internal/stdjson"
)

// Text is JSON that is being written. Whoever was told to, by Begin or Open, appends to
// B. The first thing that cannot be written, is nested too deeply or longer than the
// limit is what comes of it all; nothing is written after it.
type Text struct {
	B []byte

	limit   int // of the bytes written
	cut     int // bytes that were counted and dropped, where there are more
	depth   int // of objects and arrays being written
	results slab.Bytes

	bad   error  // the first thing that went wrong
	badAt string // JSON Pointer of where
}

const (
	// A buffer of more bytes than this is not kept for the next result.
	kept = 64 << 10

	// maxCounted bounds how much of a result that is too long is counted, in
	// multiples of the limit.
	maxCounted = 8

	longestPointer = 4 * tape.LongestKey
)

// ErrLong ends the counting of a result that is too long.
var ErrLong = errors.New("it is too long")

// Start begins a text of at most so many bytes.
func (t *Text) Start(limit int) {
	t.B, t.limit, t.cut, t.depth = t.B[:0], limit, 0, 0
	if t.bad != nil {
		t.bad, t.badAt = nil, ""
	}
}

// Done returns a copy of what was written, or the error that it cannot be with the JSON
// Pointer of where.
func (t *Text) Done() (output json.RawMessage, pointer string, err error) {
	if len(t.B) == 0 && t.bad == nil {
		t.Fail(errors.New("nothing was written"))
	}
	switch {
	case t.cut > 0 || t.bad == nil && len(t.B) > t.limit:
		err = &result.LongError{Length: t.cut + len(t.B), Limit: t.limit, More: t.bad != nil}
	case t.bad != nil:
		pointer, err = t.badAt, t.bad
	default:
		output = t.results.Copy(t.B)
	}
	if cap(t.B) > kept {
		t.B = nil
	}
	return output, pointer, err
}

// Ok reports whether nothing went wrong so far.
func (t *Text) Ok() bool { return t.bad == nil }

// Lost reports whether nobody will get what is written, but its length.
func (t *Text) Lost() bool { return t.cut > 0 }

// Begin writes the lead of a value. It returns false if the value is not to be
// written, since something before it went wrong.
func (t *Text) Begin(lead string) bool {
	if t.bad != nil {
		return false
	}
	if len(t.B) > t.limit && !t.drop() {
		return false
	}
	if lead != "" && lead[0] == ',' && len(t.B) > 0 {
		if last := t.B[len(t.B)-1]; last == '{' || last == '[' {
			lead = lead[1:]
		}
	}
	t.B = append(t.B, lead...)
	return true
}

// drop counts what was written in place of keeping it: there is more than there may
// be, and what is still to come only tells how much. It returns false if that is
// too much even to be counted.
func (t *Text) drop() bool {
	last := len(t.B) - 1 // by which it is known whether a comma follows
	t.cut += last
	t.B = append(t.B[:0], t.B[last])
	if t.cut/maxCounted > t.limit {
		t.bad = ErrLong
	}
	return t.bad == nil
}

// Open writes the lead of a value that holds others, and its bracket. If it returns
// false, there is nothing to write and to close.
func (t *Text) Open(lead string, bracket byte) bool {
	if !t.Begin(lead) {
		return false
	}
	if t.Left() == 0 {
		t.Fail(stdjson.ErrDeep)
		return false
	}
	t.depth++
	t.B = append(t.B, bracket)
	return true
}

// Close closes the value that was opened last.
func (t *Text) Close(bracket string) {
	t.Begin(bracket)
	t.depth--
}

// Left is how deeply the next value may be nested.
func (t *Text) Left() int { return jsontext.Depth - t.depth }

// Take takes what was written with a value behind it, or why it cannot be.
func (t *Text) Take(b []byte, err error) {
	if err != nil {
		t.Fail(err)
		return
	}
	t.B = b
}

// Fail records that the value whose lead was written last cannot be.
func (t *Text) Fail(err error) { t.bad, t.badAt = err, t.place() }

// FailAt records that the text is not to be given out, for what is at a JSON Pointer.
func (t *Text) FailAt(pointer string, err error) {
	if t.bad == nil {
		t.bad, t.badAt = err, words.Cut(pointer, longestPointer)
	}
}

// place returns the JSON Pointer of the value that is to be written next. The
// text breaks off there, which is what a scan finds; if it stops earlier, at
// text that encoding/json lets pass and we do not, the place is not known.
func (t *Text) place() string {
	var read tape.Tape
	if b := read.Scan(string(t.B), len(t.B)); b != nil && b.At == len(t.B) {
		return words.Cut(b.Pointer, tape.LongestKey)
	}
	return ""
}
