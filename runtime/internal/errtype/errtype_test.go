package errtype

import (
	"fmt"
	"io/fs"
	"testing"
)

func TestWrappedErrorsDoNotMatch(t *testing.T) {
	path := &fs.PathError{Op: "open", Path: "a", Err: fs.ErrNotExist}
	if got, ok := As[*fs.PathError](path); !ok || got != path {
		t.Errorf("As of the error itself: %v, %v", got, ok)
	}
	if !Is[interface{ Timeout() bool }](path) {
		t.Error("Is does not find an interface that the error implements")
	}
	for _, err := range []error{nil, fmt.Errorf("cannot start: %w", path)} {
		if Is[*fs.PathError](err) || Is[interface{ Timeout() bool }](err) {
			t.Errorf("%v matches", err)
		}
	}
}
