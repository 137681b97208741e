package output

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/regular"
)

// An Error says which file could not be written or removed, and why.
type Error struct {
	Name string // as that of the File
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("cannot write %s: %v", e.Name, e.Err) }

// Unwrap returns the error of the system.
func (e *Error) Unwrap() error { return e.Err }

// failed is an error in place of one that names another file, or the same.
func (f File) failed(err error) error { return &Error{f.Name, regular.Reason(err)} }
