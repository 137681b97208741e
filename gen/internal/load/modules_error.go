package load

import (
	"errors"
	"fmt"
)

// errNeedGoCommand is returned where the go command is needed.
var errNeedGoCommand = errors.New("the go command is needed")

// newNeedGoCommandError returns errNeedGoCommand with a reason.
func newNeedGoCommandError(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errNeedGoCommand}, args...)...)
}
