package buffer

import (
	"encoding/json"
	"errors"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/wire/internal/convert"
)

// BoundedText is JSON that is being written. Callers append to B after Begin or Open has returned true. The
// first value that cannot be written, is nested too deeply or exceeds the limit ends the text: nothing is
// written after it.
type BoundedText struct {
	B []byte

	limit        int // of the bytes written
	droppedBytes int // bytes that were counted and dropped because they exceed the limit
	depth        int // of the objects and arrays that are open
	results      Bytes

	failure        error  // the first error
	failurePointer string // JSON Pointer of the value with the error
}

const (
	// maxKept is the size in bytes above which a buffer is not reused.
	maxKept = 64 << 10

	// maxCounted limits how much of a result that is too long is counted, in multiples of the limit.
	maxCounted = 8

	longestPointer = 4 * jsontape.LongestKey
)

// ErrLong is the error of a result that is too long.
var ErrLong = errors.New("it is too long")

// Start begins a text of at most limit bytes.
func (t *BoundedText) Start(limit int) {
	t.B, t.limit, t.droppedBytes, t.depth = t.B[:0], limit, 0, 0
	if t.failure != nil {
		t.failure, t.failurePointer = nil, ""
	}
}

// Done returns a copy of the text, or the error with the JSON Pointer of its value.
func (t *BoundedText) Done() (output json.RawMessage, pointer string, err error) {
	if len(t.B) == 0 && t.failure == nil {
		t.Fail(errors.New("nothing was written"))
	}
	switch {
	case t.droppedBytes > 0 || t.failure == nil && len(t.B) > t.limit:
		err = &result.LongError{Length: t.droppedBytes + len(t.B), Limit: t.limit, More: t.failure != nil}
	case t.failure != nil:
		pointer, err = t.failurePointer, t.failure
	default:
		output = t.results.Copy(t.B)
	}
	if cap(t.B) > maxKept {
		t.B = nil
	}
	return output, pointer, err
}

// Ok reports whether no error has occurred so far.
func (t *BoundedText) Ok() bool { return t.failure == nil }

// IsOverLimit reports whether the text exceeds the limit, so that only its length matters.
func (t *BoundedText) IsOverLimit() bool { return t.droppedBytes > 0 }

// Begin writes the lead of a value. It returns false if the value must not be written because an earlier
// error has occurred.
func (t *BoundedText) Begin(lead string) bool {
	if t.failure != nil {
		return false
	}
	if len(t.B) > t.limit && !t.dropWritten() {
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

// dropWritten counts the written bytes and drops them: the text exceeds the limit, and the rest only adds to
// its length. It returns false if the text is too long even to be counted.
func (t *BoundedText) dropWritten() bool {
	last := len(t.B) - 1 // the last byte stays: it decides whether a comma follows
	t.droppedBytes += last
	t.B = append(t.B[:0], t.B[last])
	if t.droppedBytes/maxCounted > t.limit {
		t.failure = ErrLong
	}
	return t.failure == nil
}

// Open writes the lead of an object or array and its bracket. If it returns false, there is nothing to write
// and nothing to close.
func (t *BoundedText) Open(lead string, bracket byte) bool {
	if !t.Begin(lead) {
		return false
	}
	if t.RemainingDepth() == 0 {
		t.Fail(convert.ErrDeep)
		return false
	}
	t.depth++
	t.B = append(t.B, bracket)
	return true
}

// Close closes the object or array that was opened last.
func (t *BoundedText) Close(bracket string) {
	t.Begin(bracket)
	t.depth--
}

// RemainingDepth returns how deeply the next value may be nested.
func (t *BoundedText) RemainingDepth() int { return jsontext.Depth - t.depth }

// SetText replaces the text with b, which ends with a new value, or records why the value cannot be written.
func (t *BoundedText) SetText(b []byte, err error) {
	if err != nil {
		t.Fail(err)
		return
	}
	t.B = b
}

// Fail records that the value whose lead was written last cannot be written.
func (t *BoundedText) Fail(err error) { t.failure, t.failurePointer = err, t.nextPointer() }

// FailAt records an error of the value at a JSON Pointer.
func (t *BoundedText) FailAt(pointer string, err error) {
	if t.failure == nil {
		t.failure, t.failurePointer = err, words.Cut(pointer, longestPointer)
	}
}

// nextPointer returns the JSON Pointer of the next value. The text ends there, so a scan fails there. If the
// scan fails earlier, because encoding/json accepts text that the scan rejects, nextPointer returns "".
func (t *BoundedText) nextPointer() string {
	var read jsontape.Tape
	if b := read.Scan(string(t.B), len(t.B)); b != nil && b.At == len(t.B) {
		return words.Cut(b.Pointer, jsontape.LongestKey)
	}
	return ""
}
