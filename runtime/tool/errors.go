package tool

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/errtype"
	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/wire"
)

// longestErrorName limits a name that is repeated in the text of an error, in bytes.
const longestErrorName = 64

// UnknownToolError reports that no tool has the name that was called.
type UnknownToolError struct {
	Name    string
	Nearest []string // at most three names of tools that may have been meant, the nearest first
}

// Error returns the text for people.
func (e *UnknownToolError) Error() string {
	text := "unknown tool " + strconv.Quote(words.Cut(e.Name, longestErrorName))
	if len(e.Nearest) > 0 {
		text += ", did you mean " + words.List(e.Nearest, " or ") + "?"
	}
	return text
}

// Code returns "unknown_tool".
func (e *UnknownToolError) Code() string { return "unknown_tool" }

// ModelText returns the text for the model.
func (e *UnknownToolError) ModelText() string {
	text := fmt.Sprintf("There is no tool %q.", words.Cut(e.Name, longestErrorName))
	if len(e.Nearest) > 0 {
		return text + " Did you mean " + words.List(e.Nearest, " or ") + "?"
	}
	return text + " Call only tools that you were offered, by their exact names."
}

// MarshalJSON writes the error as in the JSON of a [Call].
func (e *UnknownToolError) MarshalJSON() ([]byte, error) { return marshalError(e) }

func (e *UnknownToolError) toRecord() *errorRecord {
	return &errorRecord{Tool: e.Name, Nearest: e.Nearest}
}

// DuplicateError reports that a tool was not registered because its name is taken.
type DuplicateError struct {
	Name          string
	First, Second string // import paths of the generated packages with the two tools; "" for a tool made by hand
}

// Error returns the text for people.
func (e *DuplicateError) Error() string {
	text := "a tool " + strconv.Quote(e.Name) + " is registered already"
	switch {
	case e.First != e.Second:
		return text + ": by " + cmp.Or(e.First, "hand") + ", and now by " + cmp.Or(e.Second, "hand") + "; rename one of them with tool.Prefix or tool.Rename"
	case e.First != "":
		return text + ", by " + e.First
	}
	return text
}

// Code returns "duplicate_tool".
func (e *DuplicateError) Code() string { return "duplicate_tool" }

// MarshalJSON writes the error as in the JSON of a [Call].
func (e *DuplicateError) MarshalJSON() ([]byte, error) { return marshalError(e) }

func (e *DuplicateError) toRecord() *errorRecord {
	r := &errorRecord{Tool: e.Name}
	if e.First != "" || e.Second != "" {
		r.Packages = []string{e.First, e.Second}
	}
	return r
}

// DefinitionError reports that a tool cannot be registered because its definition is invalid.
type DefinitionError struct {
	Tool string // name of the tool, which may be invalid itself
	Err  error  // everything that is wrong with the definition
}

// Error returns the text for people.
func (e *DefinitionError) Error() string {
	return fmt.Sprintf("tool %q cannot be registered: %s", e.Tool, strings.ReplaceAll(e.Err.Error(), "\n", "; "))
}

// Code returns "invalid_definition".
func (e *DefinitionError) Code() string { return "invalid_definition" }

// Unwrap returns e.Err.
func (e *DefinitionError) Unwrap() error { return e.Err }

// MarshalJSON writes the error as in the JSON of a [Call].
func (e *DefinitionError) MarshalJSON() ([]byte, error) { return marshalError(e) }

func (e *DefinitionError) toRecord() *errorRecord {
	return &errorRecord{Tool: e.Tool, Cause: recordError(e.Err)}
}

// Fault is one thing that is wrong with the arguments of a call.
type Fault = wire.Fault

// ArgumentError reports what is wrong with the arguments of a call. It lists every value that
// the tool does not accept. If the arguments are not JSON or exceed a limit, that is the only
// fault.
type ArgumentError struct {
	Tool   string
	Faults []Fault // the first 64 faults
	Count  int     // number of all faults
	Repair error   // why the arguments could not be repaired; nil if the call does not repair arguments
}

// Error returns the text for people.
func (e *ArgumentError) Error() string {
	text := e.Tool + ": wrong arguments"
	if faults := strings.Join(e.faultTexts(), "; "); faults != "" {
		text += ": " + faults
	}
	if e.Repair != nil {
		text += "; repair failed: " + e.Repair.Error()
	}
	return text
}

// Code returns "invalid_arguments".
func (e *ArgumentError) Code() string { return "invalid_arguments" }

// Unwrap returns e.Repair.
func (e *ArgumentError) Unwrap() error { return e.Repair }

// ModelText returns the text for the model.
func (e *ArgumentError) ModelText() string {
	const bullet = "\n- "
	return "The arguments of " + e.Tool + " were wrong, and it did not run. Send the call again with all arguments, and fix these:" + bullet + strings.Join(e.faultTexts(), bullet)
}

// faultTexts returns the text of each fault, followed by the number of faults that are not listed.
func (e *ArgumentError) faultTexts() []string {
	texts := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		texts[i] = f.String()
	}
	return words.First(texts, e.Count)
}

// MarshalJSON writes the error as in the JSON of a [Call].
func (e *ArgumentError) MarshalJSON() ([]byte, error) { return marshalError(e) }

func (e *ArgumentError) toRecord() *errorRecord {
	return &errorRecord{Tool: e.Tool, Faults: e.Faults, Count: e.Count, Cause: recordError(e.Repair)}
}

// TruncatedError reports that a call did not run because its request was cut off.
type TruncatedError struct {
	Tool string
}

// Error returns the text for people.
func (e *TruncatedError) Error() string {
	return e.Tool + ": the request was cut off, its arguments may be incomplete"
}

// Code returns "truncated".
func (e *TruncatedError) Code() string { return "truncated" }

// ModelText returns the text for the model.
func (e *TruncatedError) ModelText() string {
	return "The call of " + e.Tool + " was cut off, and it did not run. Send the complete call again; keep the arguments short."
}

// MarshalJSON writes the error as in the JSON of a [Call].
func (e *TruncatedError) MarshalJSON() ([]byte, error) { return marshalError(e) }

func (e *TruncatedError) toRecord() *errorRecord { return &errorRecord{Tool: e.Tool} }

// ToolError is an error that the function itself or one of its hooks returned.
type ToolError struct { //nolint:revive // the name distinguishes it from other errors of this package
	Tool string
	Err  error
}

// Error returns the text for people.
func (e *ToolError) Error() string { return e.Tool + ": " + e.Err.Error() }

// Code returns "tool_failed".
func (e *ToolError) Code() string { return "tool_failed" }

// Unwrap returns e.Err.
func (e *ToolError) Unwrap() error { return e.Err }

// Retryable reports whether the same call may succeed later. It calls [Retryable] with e.Err.
func (e *ToolError) Retryable() bool { return Retryable(e.Err) }

// ModelText returns the text for the model.
func (e *ToolError) ModelText() string {
	text := e.Tool + " failed"
	if errtype.Is[*AskError](e.Err) || errtype.Is[*UnknownOutcomeError](e.Err) {
		return text + ". " + ModelText(e.Err)
	}
	if scope, ok := errors.AsType[*ScopeError](e.Err); ok {
		return text + ". " + scope.ModelText()
	}
	if isPrivate(e.Err) { // the error of a call that the function made
		return text + ownFault
	}
	text += ": " + causeText(e.Err)
	if Retryable(e.Err) {
		text += "\nThe same call may succeed later."
	}
	return text
}

// MarshalJSON writes the error as in the JSON of a [Call].
func (e *ToolError) MarshalJSON() ([]byte, error) { return marshalError(e) }

func (e *ToolError) toRecord() *errorRecord {
	return &errorRecord{Tool: e.Tool, Cause: recordError(e.Err)}
}

// DeniedError reports that a call is not allowed, for example because of Gate of package middleware.
type DeniedError struct {
	Tool string
}

// Error returns the text for people.
func (e *DeniedError) Error() string { return e.Tool + ": the call is not allowed" }

// Code returns "denied".
func (e *DeniedError) Code() string { return "denied" }

// ModelText returns the text for the model.
func (e *DeniedError) ModelText() string {
	return "You may not call " + e.Tool + ". Do not call it again; go on without it, or say that it is needed."
}

// MarshalJSON writes the error as in the JSON of a [Call].
func (e *DeniedError) MarshalJSON() ([]byte, error) { return marshalError(e) }

func (e *DeniedError) toRecord() *errorRecord { return &errorRecord{Tool: e.Tool} }

// ApprovalError reports that a person must approve a call, for example because of Gate of
// package middleware. Ask the person, set [Request.Approval] and repeat the call.
type ApprovalError struct {
	Tool string
}

// Error returns the text for people.
func (e *ApprovalError) Error() string { return e.Tool + ": the call needs the approval of a person" }

// Code returns "needs_approval".
func (e *ApprovalError) Code() string { return "needs_approval" }

// ModelText returns the text for the model.
func (e *ApprovalError) ModelText() string {
	return "The call of " + e.Tool + " waits for the approval of a person. Do not call it again until it is given."
}

// MarshalJSON writes the error as in the JSON of a [Call].
func (e *ApprovalError) MarshalJSON() ([]byte, error) { return marshalError(e) }

func (e *ApprovalError) toRecord() *errorRecord { return &errorRecord{Tool: e.Tool} }

// UnknownOutcomeError reports that a call may have run but its outcome is unknown, for example because the
// connection to a remote tool broke before the answer arrived. Middleware may repeat the call if the tool is
// [Idempotent]. For any other tool, package run asks a person to decide. The error is not [Retryable].
type UnknownOutcomeError struct {
	Err error // why the outcome is unknown; may be nil
}

// Error returns the text for people.
func (e *UnknownOutcomeError) Error() string {
	const text = "it is not known whether the call ran"
	if e.Err == nil {
		return text
	}
	return text + ": " + e.Err.Error()
}

// Code returns "unknown_outcome".
func (e *UnknownOutcomeError) Code() string { return "unknown_outcome" }

// Unwrap returns e.Err.
func (e *UnknownOutcomeError) Unwrap() error { return e.Err }

// ModelText returns the text for the model.
func (e *UnknownOutcomeError) ModelText() string {
	return "It is not known whether the call ran" + publicCause(e.Err) + ". Do not repeat it unless running it twice does no harm; check first whether it ran."
}

// MarshalJSON writes the error as in the JSON of a [Call].
func (e *UnknownOutcomeError) MarshalJSON() ([]byte, error) { return marshalError(e) }

func (e *UnknownOutcomeError) toRecord() *errorRecord { return &errorRecord{Cause: recordError(e.Err)} }

// ScopeError reports that a variable cannot be stored or read, or that there is no [Scope].
type ScopeError struct {
	Name string // of the variable; "" if the error is not about one variable
	Err  error
}

// Error returns the text for people.
func (e *ScopeError) Error() string {
	if e.Name == "" {
		return e.Err.Error()
	}
	return "variable " + strconv.Quote(words.Cut(e.Name, longestErrorName)) + ": " + e.Err.Error()
}

// Code returns "scope".
func (e *ScopeError) Code() string { return "scope" }

// Unwrap returns e.Err.
func (e *ScopeError) Unwrap() error { return e.Err }

// ModelText returns the text for the model.
func (e *ScopeError) ModelText() string {
	if e.Name == "" {
		return "The call failed because there is no place for a variable that it needs. Do not call it again."
	}
	return fmt.Sprintf("The variable %q cannot be used for this.", words.Cut(e.Name, longestErrorName))
}

// MarshalJSON writes the error as in the JSON of a [Call].
func (e *ScopeError) MarshalJSON() ([]byte, error) { return marshalError(e) }

func (e *ScopeError) toRecord() *errorRecord {
	return &errorRecord{Variable: e.Name, Cause: recordError(e.Err)}
}

// PanicError reports that a function or a hook panicked or ended its goroutine.
type PanicError struct {
	Tool  string
	Value any    // of the panic
	Stack []byte // of the goroutine; not part of any text for a model

	modelText string // the part of the value that a model may read
}

// newPanicError returns the error of a tool that panicked. Call it in the deferred function
// that recovers, so that it records the stack of the panic. A [ReadOnly] tool leaves nothing half
// done when it panics, so the model may read the value of the panic and try other arguments.
func newPanicError(d Definition, value any) *PanicError {
	e := &PanicError{Tool: d.Name, Value: value, Stack: debug.Stack()}
	if d.Annotations.Is(ReadOnly) {
		e.modelText = panicText(value)
	}
	return e
}

// Error returns the text for people.
func (e *PanicError) Error() string { return e.Tool + ": panic: " + fmt.Sprint(e.Value) }

// Code returns "panic".
func (e *PanicError) Code() string { return "panic" }

// Unwrap returns the value of the panic if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// ModelText returns the text for the model.
func (e *PanicError) ModelText() string {
	if e.modelText != "" {
		return e.Tool + " failed: " + e.modelText + "\nThe same call again will not help; call it with other arguments, or go on without it."
	}
	return e.Tool + " failed" + ownFault
}

// MarshalJSON writes the error as in the JSON of a [Call].
func (e *PanicError) MarshalJSON() ([]byte, error) { return marshalError(e) }

func (e *PanicError) toRecord() *errorRecord {
	return &errorRecord{Tool: e.Tool, Value: words.Cut(fmt.Sprint(e.Value), longestRecordedText), Stack: string(e.Stack), ModelText: e.modelText}
}

// OutputError reports that the result of a function is not JSON, or is too long or too
// deeply nested.
type OutputError struct {
	Tool    string
	Pointer string // JSON Pointer of the value that could not be written, possibly cut
	Err     error
}

// Error returns the text for people.
func (e *OutputError) Error() string {
	return e.Tool + ": the result cannot be written: " + strings.TrimPrefix(e.Pointer+": ", ": ") + e.Err.Error()
}

// Code returns "invalid_output".
func (e *OutputError) Code() string { return "invalid_output" }

// Unwrap returns e.Err.
func (e *OutputError) Unwrap() error { return e.Err }

// ModelText returns the text for the model.
func (e *OutputError) ModelText() string {
	switch {
	case result.IsLong(e.Err):
		return e.Tool + " ran, but its result is too long: " + e.Err.Error() + ". Do not call it again with the same arguments; ask for less."
	case result.IsNothing(e.Err):
		return e.Tool + " ran without an error and returned nothing: there may be nothing that matches its arguments. The same call again will not help."
	}
	return e.Tool + " ran, but its result could not be passed on. Do not call it again with the same arguments."
}

// MarshalJSON writes the error as in the JSON of a [Call].
func (e *OutputError) MarshalJSON() ([]byte, error) { return marshalError(e) }

func (e *OutputError) toRecord() *errorRecord {
	return &errorRecord{Tool: e.Tool, Pointer: e.Pointer, Cause: recordError(e.Err)}
}

// AskError reports that a function asked questions that have no answers yet, or that nobody can answer. To
// continue, get the answers and repeat the call with the request that [AskError.RequestWithAnswers] returns.
type AskError struct {
	Tool      string
	Questions []Question // the questions without answers
	Given     []Answer   // answers that the call has received to other questions
	Nobody    bool       // nobody answers the questions
	Err       error      // why the peer did not answer; nil if there is no peer that could answer
}

// Error returns the text for people.
func (e *AskError) Error() string {
	switch {
	case !e.Nobody:
		return e.Tool + ": waits for an answer: " + e.quoteQuestions()
	case e.Err != nil:
		return e.Tool + ": nobody answers: " + e.quoteQuestions() + ": " + e.Err.Error()
	}
	return e.Tool + ": there is nobody to answer: " + e.quoteQuestions()
}

// Code returns "needs_answer".
func (e *AskError) Code() string { return "needs_answer" }

// Unwrap returns e.Err.
func (e *AskError) Unwrap() error { return e.Err }

// ModelText returns the text for the model.
func (e *AskError) ModelText() string {
	if !e.Nobody {
		return e.Tool + " asks: " + e.quoteQuestions() + ". The call waits for the answer of somebody else. Do not call it again before that."
	}
	return e.Tool + " asked: " + e.quoteQuestions() + ". Nobody can answer that here" + publicCause(e.Err) + ". The same call again will not help; go on without it, or say that the answer is needed."
}

// longestQuestion limits a question in the text of an error, in bytes.
const longestQuestion = 1000

// quoteQuestions returns the questions in quotes, because they may contain text from untrusted sources.
func (e *AskError) quoteQuestions() string {
	texts := make([]string, len(e.Questions))
	for i, q := range e.Questions {
		texts[i] = strconv.Quote(words.Cut(q.String(), longestQuestion))
	}
	return strings.Join(texts, " and ")
}

// RequestWithAnswers returns the request r of the failed call with these answers and those that the call has
// received already. Use it to repeat the call.
func (e *AskError) RequestWithAnswers(r Request, answers ...Answer) Request {
	r.Answers = slices.Concat(e.Given, answers)
	return r
}

// MarshalJSON writes the error as in the JSON of a [Call].
func (e *AskError) MarshalJSON() ([]byte, error) { return marshalError(e) }

func (e *AskError) toRecord() *errorRecord {
	return &errorRecord{Tool: e.Tool, Questions: e.Questions, Given: e.Given, Nobody: e.Nobody, Cause: recordError(e.Err)}
}
