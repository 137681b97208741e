// Package result checks the results of tools: they must be JSON and must not exceed limits on length and
// depth.
package result

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/errtype"
	"github.com/aiongen/aiongen/runtime/internal/jsontape"
)

// LongError reports that a result exceeds the limit on its length.
type LongError struct {
	Length, Limit int  // in bytes
	More          bool // Length is only a lower bound
}

// Error returns both lengths.
func (e *LongError) Error() string {
	if e.More {
		return fmt.Sprintf("it is more than %d bytes long, the limit is %d", e.Length, e.Limit)
	}
	return fmt.Sprintf("it is %d bytes long, the limit is %d", e.Length, e.Limit)
}

// Code returns "too_long".
func (e *LongError) Code() string { return "too_long" }

// NilError reports a nil result without an error.
type NilError struct{}

// Error returns the text for people.
func (*NilError) Error() string { return "it is nil although there is no error" }

// Code returns "nothing".
func (*NilError) Code() string { return "nothing" }

// IsLong reports whether an error means that a result is too long.
func IsLong(err error) bool { return hasSameCode(err, (*LongError)(nil)) }

// IsNothing reports whether an error means that a result is nil.
func IsNothing(err error) bool { return hasSameCode(err, (*NilError)(nil)) }

// hasSameCode reports whether an error has the code of another one. It does not compare types, because an
// error that was read from JSON has lost its type.
func hasSameCode(err error, other interface{ Code() string }) bool {
	coded, ok := errtype.As[interface{ Code() string }](err)
	return ok && coded.Code() == other.Code()
}

// Check returns an error if a result is not JSON, is nested too deeply or exceeds limit bytes. The pointer is
// the JSON Pointer of the invalid value.
func Check(result []byte, limit int) (pointer string, err error) {
	if len(result) > limit {
		return "", &LongError{Length: len(result), Limit: limit}
	}
	var t jsontape.Tape
	if fault := t.Scan(string(result), jsontext.Depth); fault != nil {
		return fault.Pointer, fmt.Errorf("expected %s, found %s", fault.Expected, fault.Found)
	}
	return "", nil
}
