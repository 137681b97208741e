package output

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/regularfile"
)

// An Error reports a file that could not be written or removed.
type Error struct {
	Name string // name of the File
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("cannot write %s: %v", e.Name, e.Err) }

// Unwrap returns the error of the system.
func (e *Error) Unwrap() error { return e.Err }

// newError returns an Error without the file name that err may contain.
func (f File) newError(err error) error { return &Error{f.Name, regularfile.Reason(err)} }
