package load

import (
	"errors"
	"fmt"
)

// errNeedGoCommand reports that only the go command can load the packages.
var errNeedGoCommand = errors.New("the go command is needed")

// newNeedGoCommandError returns an error that wraps errNeedGoCommand and gives a reason.
func newNeedGoCommandError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errNeedGoCommand}, args...)...)
}
