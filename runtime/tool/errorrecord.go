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

// errorRecord is an error in JSON. The names are stable.
type errorRecord struct {
	Type      string       `json:"type"` // in Go, without the package if it is a type of this package
	Code      string       `json:"code,omitempty"`
	Text      string       `json:"text"`
	ModelText string       `json:"model_text,omitempty"` // if it differs from Text
	Retryable bool         `json:"retryable,omitempty"`
	Tool      string       `json:"tool,omitempty"`
	Nearest   []string     `json:"nearest,omitempty"`
	Packages  []string     `json:"packages,omitempty"` // that have a tool of the same name
	Faults    []Fault      `json:"faults,omitempty"`
	Count     int          `json:"count,omitempty"`   // of faults
	Pointer   string       `json:"pointer,omitempty"` // of what could not be written
	Variable  string       `json:"variable,omitempty"`
	Value     string       `json:"value,omitempty"` // of a panic
	Stack     string       `json:"stack,omitempty"`
	Context   string       `json:"context,omitempty"` // code of the error of package context that it wraps
	Cause     *errorRecord `json:"cause,omitempty"`

	Questions []Question `json:"questions,omitempty"`
	Given     []Answer   `json:"given,omitempty"`  // to other questions
	Nobody    bool       `json:"nobody,omitempty"` // answers
}

// longestRecordedText limits each text in a record, in bytes, so that a long error does not
// keep the record of a call from being stored.
const longestRecordedText = 64 << 10

// contextErrors keep their identity: errors.Is finds them in an error that was read from JSON.
var contextErrors = []error{context.Canceled, context.DeadlineExceeded}

// marshalError writes the record of an error.
func marshalError(err error) ([]byte, error) { return json.Marshal(recordError(err)) }

// recordError returns the record of an error, nil if there is no error.
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

// recordForeign records what only an error of another package has.
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

// restoreError returns the error that was recorded, nil if r is nil. An error of another
// package becomes one with the same text, code and so on.
func (r *errorRecord) restoreError() error {
	if r == nil {
		return nil
	}
	if err := r.restoreOwn(); err != nil {
		return err
	}
	return r.restoreForeign()
}

// restoreOwn returns an error of this package, nil if the type is of another one.
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

// restoreCause returns the cause of an error that always has one. A record that was not
// written by this package may lack it; the record itself is the cause then.
func (r *errorRecord) restoreCause() error {
	if r.Cause == nil {
		return r.restoreForeign()
	}
	return r.Cause.restoreError()
}

// restoreForeign returns an error with the recorded text, code and so on.
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

// restoredError stands for an error whose type is known only where it was made.
type restoredError struct {
	record *errorRecord
	cause  error // of package context, if it wrapped one
}

func (e *restoredError) Error() string   { return e.record.Text }
func (e *restoredError) Code() string    { return e.record.Code }
func (e *restoredError) Retryable() bool { return e.record.Retryable }
func (e *restoredError) Unwrap() error   { return e.cause }

// ModelText returns what the recorded error told a model.
func (e *restoredError) ModelText() string { return cmp.Or(e.record.ModelText, e.record.Text) }
