package wire

import (
	"encoding/json"
	"errors"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
	"github.com/aiongen/aiongen/runtime/internal/result"
)

// boundedText is JSON that is being written. Callers append to b after begin or open has returned true. The
// first value that cannot be written, is nested too deeply or exceeds the limit ends the text: nothing is
// written after it.
type boundedText struct {
	b []byte

	limit        int // of the bytes written
	droppedBytes int // bytes that were counted and dropped because they exceed the limit
	depth        int // of the objects and arrays that are open
	results      byteSlab

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

// errLong is the error of a result that is too long.
var errLong = errors.New("it is too long")

// start begins a text of at most limit bytes.
func (t *boundedText) start(limit int) {
	t.b, t.limit, t.droppedBytes, t.depth = t.b[:0], limit, 0, 0
	if t.failure != nil {
		t.failure, t.failurePointer = nil, ""
	}
}

// done returns a copy of the text, or the error with the JSON Pointer of its value.
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

// isOverLimit reports whether the text exceeds the limit, so that only its length matters.
func (t *boundedText) isOverLimit() bool { return t.droppedBytes > 0 }

// begin writes the lead of a value. It returns false if the value must not be written because an earlier
// error has occurred.
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

// dropWritten counts the written bytes and drops them: the text exceeds the limit, and the rest only adds to
// its length. It returns false if the text is too long even to be counted.
func (t *boundedText) dropWritten() bool {
	last := len(t.b) - 1 // the last byte stays: it decides whether a comma follows
	t.droppedBytes += last
	t.b = append(t.b[:0], t.b[last])
	if t.droppedBytes/maxCounted > t.limit {
		t.failure = errLong
	}
	return t.failure == nil
}

// open writes the lead of an object or array and its bracket. If it returns false, there is nothing to write
// and nothing to close.
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

// remainingDepth returns how deeply the next value may be nested.
func (t *boundedText) remainingDepth() int { return jsontext.Depth - t.depth }

// setText replaces the text with b, which ends with a new value, or records why the value cannot be written.
func (t *boundedText) setText(b []byte, err error) {
	if err != nil {
		t.fail(err)
		return
	}
	t.b = b
}

// fail records that the value whose lead was written last cannot be written.
func (t *boundedText) fail(err error) { t.failure, t.failurePointer = err, t.nextPointer() }

// failAt records an error of the value at a JSON Pointer.
func (t *boundedText) failAt(pointer string, err error) {
	if t.failure == nil {
		t.failure, t.failurePointer = err, words.Cut(pointer, longestPointer)
	}
}

// nextPointer returns the JSON Pointer of the next value. The text ends there, so a scan fails there. If the
// scan fails earlier, because encoding/json accepts text that the scan rejects, nextPointer returns "".
func (t *boundedText) nextPointer() string {
	var read jsontape.Tape
	if b := read.Scan(string(t.b), len(t.b)); b != nil && b.At == len(t.b) {
		return words.Cut(b.Pointer, jsontape.LongestKey)
	}
	return ""
}
