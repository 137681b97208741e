package tool

import (
	"runtime/debug"

	"github.com/aiongen/aiongen/runtime/tool/internal/failure"
	"github.com/aiongen/aiongen/runtime/wire"
)

// Code returns the name of an error, which is stable and good for logs and
// programs: that of the first error in err which has one, else "". Of this package
// are unknown_tool, duplicate_tool, invalid_arguments, truncated, tool_failed,
// denied, needs_approval, needs_answer, unknown_outcome, scope, panic, invalid_output and invalid_definition; of
// package context cancelled and deadline_exceeded. Others say it by a method
// Code() string.
func Code(err error) string { return failures.Code(err) }

// Retryable tells whether the very same call may succeed at another time: if the error
// of the function says so by a method Retryable() bool, or if a deadline passed.
func Retryable(err error) bool { return failures.Retryable(err) }

// ModelText says an error of a call in words for the model: what was wrong, and what to
// do instead, never a stack. What comes from elsewhere is the text of errors that are
// not of this package, or of their method ModelText() string, and the sentence that a
// [ReadOnly] tool panicked with.
func ModelText(err error) string { return failures.ModelText(err) }

// UnknownToolError says that there is no tool of the name that was called.
type UnknownToolError struct {
	Name    string
	Nearest []string // names of tools that may have been meant, at most three, the nearest first
}

func (e *UnknownToolError) Error() string { return textOf(e) }

// DuplicateError says that a tool was not registered for its name is taken.
type DuplicateError struct {
	Name          string
	First, Second string // import paths of the generated packages that have it, where they do
}

func (e *DuplicateError) Error() string { return textOf(e) }

// DefinitionError says that a tool cannot be registered for its definition.
type DefinitionError struct {
	Tool string // its name, which may be what is wrong
	Err  error  // everything that is wrong
}

func (e *DefinitionError) Error() string { return textOf(e) }
func (e *DefinitionError) Unwrap() error { return e.Err }

// Fault is one thing that is wrong with the arguments of a call.
type Fault = wire.Fault

// ArgumentError says what is wrong with the arguments of a call: that they are
// no JSON or beyond a limit, which is then the only fault, or everything in them
// that is not what the tool takes.
type ArgumentError struct {
	Tool   string
	Faults []Fault // the first 64
	Count  int     // of all
	Repair error   // why the arguments could not be repaired, if that was tried
}

func (e *ArgumentError) Error() string { return textOf(e) }
func (e *ArgumentError) Unwrap() error { return e.Repair }

// TruncatedError says that a call was refused since its request was cut off.
type TruncatedError struct {
	Tool string
}

func (e *TruncatedError) Error() string { return textOf(e) }

// ToolError is an error that the function itself returned, or a hook of it.
type ToolError struct {
	Tool string
	Err  error
}

func (e *ToolError) Error() string { return textOf(e) }
func (e *ToolError) Unwrap() error { return e.Err }

// DeniedError says that a call was refused, as by Gate of package guard.
type DeniedError struct {
	Tool string
}

func (e *DeniedError) Error() string { return textOf(e) }

// ApprovalError says that a person must approve a call, as by Gate of package guard. Who
// drives asks, and calls again with [Request.Approval].
type ApprovalError struct {
	Tool string
}

func (e *ApprovalError) Error() string { return textOf(e) }

// UnknownOutcomeError reports that a call may have run, and that its outcome is not known:
// the connection to whatever runs it broke before an answer came, for example. Middleware
// may repeat the call if its tool is [Idempotent]. For any other tool a person has to
// decide, which package run sees to. It is not [Retryable].
type UnknownOutcomeError struct {
	Err error // why the outcome is not known; may be nil
}

func (e *UnknownOutcomeError) Error() string { return textOf(e) }
func (e *UnknownOutcomeError) Unwrap() error { return e.Err }

// ScopeError says that a variable cannot be kept or taken, or has no [Scope].
type ScopeError struct {
	Name string // of the variable, if it has one
	Err  error
}

func (e *ScopeError) Error() string { return textOf(e) }
func (e *ScopeError) Unwrap() error { return e.Err }

// PanicError says that function or hook panicked or ended its goroutine.
type PanicError struct {
	Tool  string
	Value any    // of the panic
	Stack []byte // of the goroutine, never for the model

	told string // what a model may be told of the value
}

// panicked is the error of a tool that panicked, on the stack of the panic. Where nothing
// is half done, a model may be told what it says.
func panicked(d Definition, value any) *PanicError {
	e := &PanicError{Tool: d.Name, Value: value, Stack: debug.Stack()}
	if d.Annotations.Is(ReadOnly) {
		e.told = failures.Panicked(value)
	}
	return e
}

func (e *PanicError) Error() string { return textOf(e) }

func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// OutputError says that what a function returned is no JSON, too long or deep.
type OutputError struct {
	Tool    string
	Pointer string // JSON Pointer of what could not be written, cut where long
	Err     error
}

func (e *OutputError) Error() string { return textOf(e) }
func (e *OutputError) Unwrap() error { return e.Err }

// failures has what errors are called and say, and what they are in JSON: package failure
// knows what is in each, and not its type.
var failures = failure.Types{Of: asFailure, Make: fromFailure}

func textOf(err error) string {
	f, _ := asFailure(err)
	return f.Text()
}

// asFailure returns what is in an error of this package.
func asFailure(err error) (f failure.Failure, ok bool) {
	switch e := err.(type) {
	case *UnknownToolError:
		f = failure.Failure{Kind: failure.UnknownTool, Tool: e.Name, Nearest: e.Nearest}
	case *DuplicateError:
		f = failure.Failure{Kind: failure.Duplicate, Tool: e.Name, Packages: [2]string{e.First, e.Second}}
	case *DefinitionError:
		f = failure.Failure{Kind: failure.Definition, Tool: e.Tool, Cause: e.Err}
	case *ArgumentError:
		f = failure.Failure{Kind: failure.Argument, Tool: e.Tool, Faults: e.Faults, Count: e.Count, Cause: e.Repair}
	case *TruncatedError:
		f = failure.Failure{Kind: failure.Truncated, Tool: e.Tool}
	case *ToolError:
		f = failure.Failure{Kind: failure.Tool, Tool: e.Tool, Cause: e.Err}
	case *DeniedError:
		f = failure.Failure{Kind: failure.Denied, Tool: e.Tool}
	case *ApprovalError:
		f = failure.Failure{Kind: failure.Approval, Tool: e.Tool}
	case *ScopeError:
		f = failure.Failure{Kind: failure.Scope, Variable: e.Name, Cause: e.Err}
	case *PanicError:
		f = failure.Failure{Kind: failure.Panic, Tool: e.Tool, Value: e.Value, Stack: e.Stack, Says: e.told}
	case *AskError:
		f = failure.Failure{Kind: failure.Ask, Tool: e.Tool, Questions: e.Questions, Given: e.Given, Nobody: e.Nobody, Cause: e.Err}
	case *UnknownOutcomeError:
		f = failure.Failure{Kind: failure.UnknownOutcome, Cause: e.Err}
	case *OutputError:
		f = failure.Failure{Kind: failure.Output, Tool: e.Tool, Pointer: e.Pointer, Cause: e.Err}
	}
	return f, f.Kind > 0
}

// fromFailure returns the error that has that in it.
func fromFailure(f failure.Failure) error {
	switch f.Kind {
	case failure.UnknownTool:
		return &UnknownToolError{Name: f.Tool, Nearest: f.Nearest}
	case failure.Duplicate:
		return &DuplicateError{Name: f.Tool, First: f.Packages[0], Second: f.Packages[1]}
	case failure.Definition:
		return &DefinitionError{Tool: f.Tool, Err: f.Cause}
	case failure.Argument:
		return &ArgumentError{Tool: f.Tool, Faults: f.Faults, Count: f.Count, Repair: f.Cause}
	case failure.Truncated:
		return &TruncatedError{Tool: f.Tool}
	case failure.Tool:
		return &ToolError{Tool: f.Tool, Err: f.Cause}
	case failure.Denied:
		return &DeniedError{Tool: f.Tool}
	case failure.Approval:
		return &ApprovalError{Tool: f.Tool}
	case failure.Scope:
		return &ScopeError{Name: f.Variable, Err: f.Cause}
	case failure.Panic:
		return &PanicError{Tool: f.Tool, Value: f.Value, Stack: f.Stack, told: f.Says}
	case failure.Ask:
		return &AskError{Tool: f.Tool, Questions: f.Questions, Given: f.Given, Nobody: f.Nobody, Err: f.Cause}
	case failure.UnknownOutcome:
		return &UnknownOutcomeError{Err: f.Cause}
	case failure.Output:
		return &OutputError{Tool: f.Tool, Pointer: f.Pointer, Err: f.Cause}
	}
	return nil
}
