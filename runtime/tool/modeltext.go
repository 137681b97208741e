package tool

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/wire"
)

// longestText bounds, in bytes, what of a function's own error a model is told.
const longestText = 4000

// ModelText says an error of a call in words for the model: what was wrong, and what to
// do instead, never a stack. What comes from elsewhere is the text of errors that are
// not of this package, or of their method ModelText() string, and the sentence that a
// [ReadOnly] tool panicked with.
func ModelText(err error) string {
	var own interface{ modelText() string }
	switch {
	case err == nil:
		return ""
	case errors.As(err, &own):
		return own.modelText()
	case errors.Is(err, context.Canceled):
		return "The call was cancelled before it had a result."
	case errors.Is(err, context.DeadlineExceeded):
		return "The call took too long and was given up. Try it with less to do, or go on without it."
	case isPrivate(err):
		return "The call failed by a fault of the program. The same call again will not help; go on without it."
	}
	return "The call failed: " + words.Cut(toldText(err), longestText)
}

// toldText is what a model is told of an error that is not of this package.
func toldText(err error) string {
	var says interface{ ModelText() string }
	if errors.As(err, &says) {
		return says.ModelText()
	}
	return err.Error()
}

// isPrivate reports whether the text of an error may have the value of a panic or
// a Go type in it. One that was read from JSON may be known by its code alone.
func isPrivate(err error) bool {
	var panicked *PanicError
	var output *OutputError
	return errors.As(err, &panicked) || errors.As(err, &output) ||
		slices.Contains([]string{"panic", "invalid_output", "scope"}, Code(err))
}

// inside matches what is of the program, and nothing to a model: places in its source,
// its memory, its types, and what the runtime and reflection say.
var inside = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\.go:\d|^goroutine |\b0x[0-9a-f]{4,}|\*\w+\.\w|interface ?\{|runtime error: |^reflect\b`)
})

// sentence returns what a model is told of the value, if anything.
func (e *PanicError) sentence() string {
	if e.readOnly {
		return sentence(e.Value)
	}
	return e.told
}

// sentence returns what a panic says of its own, as one that is for bad arguments
// does: the first line of a string or an error, if that is not about the program.
func sentence(value any) string {
	text, _ := value.(string)
	if err, ok := value.(error); ok {
		var fault runtime.Error
		if errors.As(err, &fault) || isPrivate(err) {
			return ""
		}
		text = toldText(err)
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if text = strings.TrimSpace(text); inside().MatchString(text) {
		return ""
	}
	return words.Cut(text, longestText)
}

func (e *UnknownToolError) modelText() string {
	text := fmt.Sprintf("There is no tool %q.", words.Cut(e.Name, longestName))
	if len(e.Nearest) > 0 {
		return text + " Did you mean " + words.List(e.Nearest, " or ") + "?"
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

func (e *TruncatedError) modelText() string {
	return "The call of " + e.Tool + " was cut off, and it did not run. Send it again, whole; keep the arguments short."
}

func (e *DeniedError) modelText() string {
	return "You may not call " + e.Tool + ". Do not call it again; go on without it, or say that it is needed."
}

func (e *ApprovalError) modelText() string {
	return "The call of " + e.Tool + " waits for the approval of a person. Do not call it again until it is given."
}

func (e *ScopeError) modelText() string {
	if e.Name == "" {
		return "The call failed since there is no place for a variable that it needs. Do not call it again."
	}
	return fmt.Sprintf("The variable %q cannot be used for this.", words.Cut(e.Name, longestName))
}

func (e *ToolError) modelText() string {
	var scope *ScopeError
	switch {
	case errors.As(e.Err, &scope):
		return e.Tool + " failed. " + scope.modelText()
	case isPrivate(e.Err): // of a call that the function made
		return (&PanicError{Tool: e.Tool}).modelText()
	}
	text := e.Tool + " failed: " + words.Cut(toldText(e.Err), longestText)
	if Retryable(e) {
		text += "\nThe same call may succeed later."
	}
	return text
}

func (e *PanicError) modelText() string {
	if says := e.sentence(); says != "" {
		return e.Tool + " failed: " + says + "\nThe same call again will not help; call it with other arguments, or go on without it."
	}
	return e.Tool + " failed by a fault of its own. The same call again will not help; go on without it."
}

func (e *OutputError) modelText() string {
	if long, ok := e.Err.(interface{ Code() string }); ok && long.Code() == (*wire.LongError)(nil).Code() {
		return e.Tool + " ran, but its result is too long: " + e.Err.Error() + ". Do not call it again with the same arguments; ask for less."
	}
	return e.Tool + " ran, but its result could not be passed on. Do not call it again with the same arguments."
}
