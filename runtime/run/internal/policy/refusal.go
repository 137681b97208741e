package policy

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/tool"
)

// refused says that a person refused a call. Its code is that of a [tool.DeniedError].
type refused struct {
	tool, reason string
	begun        bool // it began, and nobody knows what came of it
}

// Error tells the reason, if there is one, and that the call began, if it did.
func (e *refused) Error() string {
	text := (&tool.DeniedError{Tool: e.tool}).Error()
	if e.reason != "" {
		text += ": " + e.reason
	}
	if e.begun {
		text += "; it had begun, and nobody knows what came of it"
	}
	return text
}

// Code returns that of a [tool.DeniedError].
func (e *refused) Code() string { return tool.Code(&tool.DeniedError{}) }

// repeated says that a call was refused since it was made before, too often.
type repeated struct {
	tool  string
	times int
}

// Error tells how often.
func (e *repeated) Error() string {
	return fmt.Sprintf("%s: the very same call was made %d times already; do something else", e.tool, e.times)
}

// Code returns "repeated".
func (e *repeated) Code() string { return "repeated" }
