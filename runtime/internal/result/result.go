// Package result says what a result of a tool may be: JSON, not too long and not
// nested too deeply.
package result

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/tape"
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

// IsLong reports whether an error says that a result is too long.
func IsLong(err error) bool { return is(err, (*LongError)(nil)) }

// IsNothing reports whether an error says that a result is nil.
func IsNothing(err error) bool { return is(err, (*NilError)(nil)) }

// is reports whether an error has the code of another: one that was read from JSON has
// no more of it.
func is(err error, other interface{ Code() string }) bool {
	coded, ok := err.(interface{ Code() string })
	return ok && coded.Code() == other.Code()
}

// Check returns what is wrong with a result that somebody wrote, and the JSON Pointer
// of where; nil if it is JSON of at most so many bytes.
func Check(result []byte, limit int) (pointer string, err error) {
	if len(result) > limit {
		return "", &LongError{Length: len(result), Limit: limit}
	}
	var t tape.Tape
	if b := t.Scan(string(result), jsontext.Depth); b != nil {
		return b.Pointer, fmt.Errorf("expected %s, found %s", b.Expected, b.Found)
	}
	return "", nil
}
