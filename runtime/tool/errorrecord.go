package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/errtype"
)

// errorRecord is the JSON form of an error. The names are stable.
type errorRecord struct {
	Type      string       `json:"type"` // Go type, without the package name for a type of this package
	Code      string       `json:"code,omitempty"`
	Text      string       `json:"text"`
	ModelText string       `json:"model_text,omitempty"` // if it differs from Text
	Retryable bool         `json:"retryable,omitempty"`
	Tool      string       `json:"tool,omitempty"`
	Nearest   []string     `json:"nearest,omitempty"`
	Packages  []string     `json:"packages,omitempty"` // packages that have a tool with the same name
	Faults    []Fault      `json:"faults,omitempty"`
	Count     int          `json:"count,omitempty"`   // number of all faults
	Pointer   string       `json:"pointer,omitempty"` // JSON Pointer of the value that could not be written
	Variable  string       `json:"variable,omitempty"`
	Value     string       `json:"value,omitempty"` // of a panic
	Stack     string       `json:"stack,omitempty"`
	Context   string       `json:"context,omitempty"` // code of the wrapped error of package context
	Cause     *errorRecord `json:"cause,omitempty"`

	Questions []Question `json:"questions,omitempty"` // this and the following fields are those of AskError
	Given     []Answer   `json:"given,omitempty"`
	Nobody    bool       `json:"nobody,omitempty"`
}

// longestRecordedText limits each text in a record, in bytes, so that a call with a long error
// can still be stored.
const longestRecordedText = 64 << 10

// contextErrors are the errors that errors.Is also finds in an error that was read from JSON.
var contextErrors = []error{context.Canceled, context.DeadlineExceeded}

// marshalError returns the JSON form of an error.
func marshalError(err error) ([]byte, error) { return json.Marshal(recordError(err)) }

// recordError returns the record of an error, or nil if err is nil.
func recordError(err error) *errorRecord {
	if err == nil {
		return nil
	}
	if e, ok := errtype.As[*restoredError](err); ok {
		return e.record
	}
	var r *errorRecord
	if own, ok := errtype.As[ownError](err); ok {
		r = own.toRecord()
		r.Type = strings.TrimPrefix(fmt.Sprintf("%T", err), "*tool.")
	} else {
		r = recordForeign(err)
	}
	r.Code, r.Text, r.Retryable = Code(err), words.Cut(err.Error(), longestRecordedText), Retryable(err)
	return r
}

// recordForeign returns the record of an error of another package, except for the fields that
// recordError sets for all errors.
func recordForeign(err error) *errorRecord {
	r := &errorRecord{Type: fmt.Sprintf("%T", err)}
	if text := words.Cut(foreignText(err), longestRecordedText); text != words.Cut(err.Error(), longestRecordedText) {
		r.ModelText = text
	}
	if i := slices.IndexFunc(contextErrors, func(target error) bool { return errors.Is(err, target) }); i >= 0 {
		r.Context = Code(contextErrors[i])
	}
	return r
}

// restoreError returns the recorded error, or nil if r is nil. An error of another package
// becomes a [*restoredError].
func (r *errorRecord) restoreError() error {
	if r == nil {
		return nil
	}
	if err := r.restoreOwn(); err != nil {
		return err
	}
	return r.restoreForeign()
}

// restoreOwn returns the recorded error if its type belongs to this package, or nil otherwise.
func (r *errorRecord) restoreOwn() error {
	switch r.Type {
	case "UnknownToolError":
		return &UnknownToolError{Name: r.Tool, Nearest: r.Nearest}
	case "DuplicateError":
		packages := [2]string{}
		copy(packages[:], r.Packages)
		return &DuplicateError{Name: r.Tool, First: packages[0], Second: packages[1]}
	case "DefinitionError":
		return &DefinitionError{Tool: r.Tool, Err: r.restoreCause()}
	case "ArgumentError":
		return &ArgumentError{Tool: r.Tool, Faults: r.Faults, Count: r.Count, Repair: r.Cause.restoreError()}
	case "TruncatedError":
		return &TruncatedError{Tool: r.Tool}
	case "ToolError":
		return &ToolError{Tool: r.Tool, Err: r.restoreCause()}
	case "DeniedError":
		return &DeniedError{Tool: r.Tool}
	case "ApprovalError":
		return &ApprovalError{Tool: r.Tool}
	case "ScopeError":
		return &ScopeError{Name: r.Variable, Err: r.restoreCause()}
	case "PanicError":
		return &PanicError{Tool: r.Tool, Value: r.Value, Stack: []byte(r.Stack), modelText: r.ModelText}
	case "AskError":
		return &AskError{Tool: r.Tool, Questions: r.Questions, Given: r.Given, Nobody: r.Nobody, Err: r.Cause.restoreError()}
	case "UnknownOutcomeError":
		return &UnknownOutcomeError{Err: r.Cause.restoreError()}
	case "OutputError":
		return &OutputError{Tool: r.Tool, Pointer: r.Pointer, Err: r.restoreCause()}
	}
	return nil
}

// restoreCause returns the cause of an error that must have one. A record that was not
// written by this package may lack the cause; restoreCause then derives it from r itself.
func (r *errorRecord) restoreCause() error {
	if r.Cause == nil {
		return r.restoreForeign()
	}
	return r.Cause.restoreError()
}

// restoreForeign returns an error with the recorded text, code and other properties, or the
// error of package context itself if its text was recorded.
func (r *errorRecord) restoreForeign() error {
	e := &restoredError{record: r}
	for _, target := range contextErrors {
		if r.Context == Code(target) {
			if r.Text == target.Error() {
				return target
			}
			e.cause = target
		}
	}
	return e
}

// restoredError represents a recorded error whose Go type is not known to this package.
type restoredError struct {
	record *errorRecord
	cause  error // error of package context that the recorded error wrapped, or nil
}

func (e *restoredError) Error() string   { return e.record.Text }
func (e *restoredError) Code() string    { return e.record.Code }
func (e *restoredError) Retryable() bool { return e.record.Retryable }
func (e *restoredError) Unwrap() error   { return e.cause }

// ModelText returns the text of the recorded error for a model.
func (e *restoredError) ModelText() string { return cmp.Or(e.record.ModelText, e.record.Text) }
