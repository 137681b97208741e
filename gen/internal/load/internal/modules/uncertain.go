package modules

import (
	"errors"
	"fmt"
)

// ErrUncertain is the error where only the go command can tell.
var ErrUncertain = errors.New("only the go command can tell")

// uncertain says why.
func uncertain(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrUncertain}, args...)...)
}
