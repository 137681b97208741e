package run

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/tool"
)

// refusedError reports that a person denied a call. It has the code of a [tool.DeniedError].
type refusedError struct {
	tool, reason string
	begun        bool // the call had started, and its outcome is unknown
}

// Error gives the reason, if there is one, and whether the call had started.
func (e *refusedError) Error() string {
	text := (&tool.DeniedError{Tool: e.tool}).Error()
	if e.reason != "" {
		text += ": " + e.reason
	}
	if e.begun {
		text += "; it had started, and its outcome is unknown"
	}
	return text
}

// Code returns the code of a [tool.DeniedError].
func (e *refusedError) Code() string { return tool.Code(&tool.DeniedError{}) }

// repeatedError reports that an identical call was made too often.
type repeatedError struct {
	tool  string
	times int
}

// Error says how often.
func (e *repeatedError) Error() string {
	return fmt.Sprintf("%s: the same call was already made %d times; do something else", e.tool, e.times)
}

// Code returns "repeated".
func (e *repeatedError) Code() string { return "repeated" }
