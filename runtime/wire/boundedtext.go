package wire

import (
	"encoding/json"
	"errors"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
	"github.com/aiongen/aiongen/runtime/internal/result"
)

// boundedText is JSON that is being written. Callers append to b after begin or open has returned true. Both
// methods return false after a value that cannot be written, is nested too deeply or exceeds the limit.
type boundedText struct {
	b []byte

	limit        int // maximum length of the text, in bytes
	droppedBytes int // bytes that were counted and dropped because the text exceeds the limit
	depth        int // number of open objects and arrays
	results      byteSlab

	failure        error  // the first error
	failurePointer string // JSON Pointer of the value with the error
}

const (
	// maxKept is the size in bytes above which a buffer is not reused.
	maxKept = 64 << 10

	// maxCounted limits how far a text that is too long is counted, as a multiple of its limit.
	maxCounted = 8

	longestPointer = 4 * jsontape.LongestKey
)

// errLong is the failure of a text that exceeds even maxCounted. It is not returned to callers.
var errLong = errors.New("it is too long")

// start begins a text of at most limit bytes.
func (t *boundedText) start(limit int) {
	t.b, t.limit, t.droppedBytes, t.depth = t.b[:0], limit, 0, 0
	if t.failure != nil {
		t.failure, t.failurePointer = nil, ""
	}
}

// done returns a copy of the text, or the error and the JSON Pointer of the value that caused it.
func (t *boundedText) done() (output json.RawMessage, pointer string, err error) {
	if len(t.b) == 0 && t.failure == nil {
		t.fail(errors.New("nothing was written"))
	}
	switch {
	case t.droppedBytes > 0 || t.failure == nil && len(t.b) > t.limit:
		err = &result.LongError{Length: t.droppedBytes + len(t.b), Limit: t.limit, More: t.failure != nil}
	case t.failure != nil:
		pointer, err = t.failurePointer, t.failure
	default:
		output = t.results.copyText(t.b)
	}
	if cap(t.b) > maxKept {
		t.b = nil
	}
	return output, pointer, err
}

// ok reports whether no error has occurred so far.
func (t *boundedText) ok() bool { return t.failure == nil }

// isOverLimit reports whether the text exceeds the limit, so that the rest is only counted.
func (t *boundedText) isOverLimit() bool { return t.droppedBytes > 0 }

// begin writes the lead of a value, such as `,"count":`. It returns false if an error has occurred; then the
// value must not be written.
func (t *boundedText) begin(lead string) bool {
	if t.failure != nil {
		return false
	}
	if len(t.b) > t.limit && !t.dropWritten() {
		return false
	}
	if lead != "" && lead[0] == ',' && len(t.b) > 0 {
		if last := t.b[len(t.b)-1]; last == '{' || last == '[' {
			lead = lead[1:]
		}
	}
	t.b = append(t.b, lead...)
	return true
}

// dropWritten counts the written bytes and drops them. It is called when the text exceeds the limit, so that only
// its length is still needed. It returns false if the text is too long even to be counted.
func (t *boundedText) dropWritten() bool {
	last := len(t.b) - 1 // the last byte stays: it decides whether a comma follows
	t.droppedBytes += last
	t.b = append(t.b[:0], t.b[last])
	if t.droppedBytes/maxCounted > t.limit {
		t.failure = errLong
	}
	return t.failure == nil
}

// open writes the lead of an object or array and its opening bracket. If it returns false, the caller must neither
// write nor close the object or array.
func (t *boundedText) open(lead string, bracket byte) bool {
	if !t.begin(lead) {
		return false
	}
	if t.remainingDepth() == 0 {
		t.fail(errDeep)
		return false
	}
	t.depth++
	t.b = append(t.b, bracket)
	return true
}

// close closes the object or array that was opened last.
func (t *boundedText) close(bracket string) {
	t.begin(bracket)
	t.depth--
}

// remainingDepth returns the number of levels that the next value may have.
func (t *boundedText) remainingDepth() int { return jsontext.Depth - t.depth }

// setText replaces the text with b, which is the text with a value appended. If err is not nil, it records err
// instead.
func (t *boundedText) setText(b []byte, err error) {
	if err != nil {
		t.fail(err)
		return
	}
	t.b = b
}

// fail records err as the reason why the value after the last lead cannot be written, unless there is already an
// error.
func (t *boundedText) fail(err error) {
	if t.failure == nil {
		t.failure, t.failurePointer = err, t.nextPointer()
	}
}

// failValue is fail for a value whose lead has not been written yet.
func (t *boundedText) failValue(lead string, err error) {
	if t.begin(lead) {
		t.fail(err)
	}
}

// failAt records an error of the value at a JSON Pointer, unless there is already an error.
func (t *boundedText) failAt(pointer string, err error) {
	if t.failure == nil {
		t.failure, t.failurePointer = err, words.Cut(pointer, longestPointer)
	}
}

// nextPointer returns the JSON Pointer of the next value. It scans the incomplete text; the pointer at which the
// scan fails is that of the next value. If the scan fails before the end of the text, nextPointer returns "".
// This happens because encoding/json accepts text that the scan rejects.
func (t *boundedText) nextPointer() string {
	var read jsontape.Tape
	if b := read.Scan(string(t.b), len(t.b)); b != nil && b.At == len(t.b) {
		return words.Cut(b.Pointer, jsontape.LongestKey)
	}
	return ""
}
