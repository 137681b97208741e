package budget

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// A PanicError wraps the value of a recovered panic.
type PanicError struct {
	Value any
	Stack string // calls, one per line, innermost first
}

// Error returns the value.
func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

// Catch calls a function and returns a *PanicError if it panics.
func Catch(stage func()) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{value, formatStack()}
		}
	}()
	stage()
	return nil
}

// maxFrames limits how many calls of a stack are listed.
const maxFrames = 8

// formatStack lists the calls that led to a panic. Catch's deferred function calls it.
func formatStack() string {
	const skipped = 3    // runtime.Callers, formatStack and the deferred function
	var pcs [100]uintptr // more than maxFrames, because calls in package runtime are not listed
	frames := runtime.CallersFrames(pcs[:runtime.Callers(skipped, pcs[:])])
	var lines []string
	for more := true; more && len(lines) < maxFrames; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if !strings.HasPrefix(frame.Function, "runtime.") {
			lines = append(lines, fmt.Sprintf("%s (%s:%d)", frame.Function, frame.File, frame.Line))
		}
	}
	return strings.Join(lines, "\n")
}

// ReportFailure appends the error of a stage to a list, with the path of the package. It appends
// nothing if err is nil, or if the context has ended: that is reported once for all packages.
func ReportFailure(list *diag.List, pkg string, at diag.Span, err error) {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return
	}
	if _, over := errors.AsType[*Error](err); over {
		list.Errorf("over-budget", at, "package %s: %v", pkg, err).
			WithHelp("declare named types for the parts of a deep type, or split the package")
		return
	}
	d := list.Errorf("internal", at, "package %s: internal failure: %v", pkg, err).
		WithHelp("this is a bug in aiongen; please report it with the .aion file")
	if panicked, ok := errors.AsType[*PanicError](err); ok {
		d.WithHelp("the calls were:\n%s", panicked.Stack)
	}
}

// IsFailure reports whether d is a diagnostic from ReportFailure.
func IsFailure(d *diag.Diagnostic) bool { return d.Code == "over-budget" || d.Code == "internal" }
