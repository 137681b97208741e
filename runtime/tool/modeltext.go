package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// longestText bounds, in bytes, what of a function's own error a model is told.
const longestText = 4000

// ModelText says an error of a call in words for the model: what was wrong, and
// what to do instead. Of the words, only those of a function's own error, or of
// another error that is not of this package, come from elsewhere; there are no
// stacks and no values of panics in it.
func ModelText(err error) string {
	if err == nil {
		return ""
	}
	var (
		unknown   *UnknownToolError
		denied    *DeniedError
		approval  *ApprovalError
		scope     *ScopeError
		arguments *ArgumentError
		truncated *TruncatedError
		panicked  *PanicError
		output    *OutputError
		failed    *ToolError
	)
	switch {
	case errors.As(err, &unknown):
		return unknown.modelText()
	case errors.As(err, &denied):
		return "You may not call " + denied.Tool + ". Do not call it again; go on without it, or say that it is needed."
	case errors.As(err, &approval):
		return "The call of " + approval.Tool + " waits for the approval of a person. Do not call it again until it is given."
	case errors.As(err, &arguments):
		return arguments.modelText()
	case errors.As(err, &truncated):
		return "The call of " + truncated.Tool + " was cut off, and it did not run. Send it again, whole; keep the arguments short."
	case errors.As(err, &scope):
		return "The call failed since there is no place for a variable that it needs. Do not call it again."
	case errors.As(err, &panicked):
		return panicked.Tool + " failed by a fault of its own. The same call again will not help; go on without it."
	case errors.As(err, &output):
		return output.Tool + " ran, but its result could not be passed on. Do not call it again with the same arguments."
	case errors.As(err, &failed):
		return failed.modelText()
	case errors.Is(err, context.Canceled):
		return "The call was cancelled before it had a result."
	case errors.Is(err, context.DeadlineExceeded):
		return "The call took too long and was given up. Try it with less to do, or go on without it."
	}
	return "The call failed: " + cut(err.Error(), longestText)
}

func (e *UnknownToolError) modelText() string {
	text := fmt.Sprintf("There is no tool %q.", cut(e.Name, longestFound))
	if len(e.Nearest) > 0 {
		return text + " Did you mean " + list(e.Nearest, " or ") + "?"
	}
	return text + " Call only tools that you were offered, by their exact names."
}

func (e *ArgumentError) modelText() string {
	var b strings.Builder
	b.WriteString("The arguments of " + e.Tool + " were wrong, and it did not run. Send the call again with all arguments, and these mended:")
	for _, f := range e.Faults {
		b.WriteString("\n- " + f.String())
	}
	if more := e.Count - len(e.Faults); more > 0 {
		fmt.Fprintf(&b, "\n- and %d more", more)
	}
	return b.String()
}

func (e *ToolError) modelText() string {
	text := e.Tool + " failed: " + cut(e.Err.Error(), longestText)
	if e.Retryable() {
		text += "\nThe same call may succeed later."
	}
	return text
}
