package tool

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// The methods in this file are what requests and calls look like in JSON, where
// they are kept and sent. The names are stable.

// MarshalJSON writes the request as its tags say; arguments that are no JSON go
// as text under "arguments_text".
func (r Request) MarshalJSON() ([]byte, error) {
	x := requestRecord{plainRequest: plainRequest(r)}
	if len(r.Arguments) > 0 && !json.Valid(r.Arguments) {
		x.Arguments, x.Text = nil, string(r.Arguments)
	}
	return json.Marshal(x)
}

// UnmarshalJSON reads what MarshalJSON wrote. The errors of this package and of package
// context come back as they were, others with the same text, [Code] and [Retryable].
func (r *Request) UnmarshalJSON(b []byte) error {
	var x requestRecord
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	*r = Request(x.plainRequest)
	if x.Text != "" {
		r.Arguments = json.RawMessage(x.Text)
	}
	return nil
}

// plainRequest is a request without methods.
type plainRequest Request

type requestRecord struct {
	plainRequest
	Text string `json:"arguments_text,omitempty"`
}

// recordFormat is the version of the form in which calls are kept. It is raised
// when what was written before would no longer be understood.
const recordFormat = 1

type callRecord struct {
	Format    int             `json:"format"`
	ID        string          `json:"id,omitempty"`
	Request   Request         `json:"request"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // where they are not those of the request
	Status    Status          `json:"status"`
	Started   time.Time       `json:"started,omitzero"`
	Duration  string          `json:"duration,omitempty"` // as Go writes it
	Output    json.RawMessage `json:"output,omitempty"`
	Note      string          `json:"note,omitempty"`
	Repairs   []Edit          `json:"repairs,omitempty"`
	Error     *errorRecord    `json:"error,omitempty"`
}

// MarshalJSON writes the record of the call, its error in all its parts.
func (c *Call) MarshalJSON() ([]byte, error) {
	x := callRecord{Format: recordFormat, ID: c.ID, Request: c.Request, Status: c.Status, Started: c.Started, Output: c.Output, Note: c.Note, Repairs: c.Repairs, Error: recordError(c.Err)}
	if !bytes.Equal(c.Arguments, c.Request.arguments()) {
		x.Arguments = c.Arguments
	}
	if c.Duration != 0 {
		x.Duration = c.Duration.String()
	}
	return json.Marshal(x)
}

// UnmarshalJSON reads what MarshalJSON wrote. The errors of this package and
// those of package context come back as what they were, others as one with the
// same text, Code and Retryable; what those wrapped is only text.
func (c *Call) UnmarshalJSON(b []byte) error {
	var x callRecord
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	if x.Format > recordFormat {
		return fmt.Errorf("the record of a call has format %d, of which only %d is known", x.Format, recordFormat)
	}
	var duration time.Duration
	if x.Duration != "" {
		var err error
		if duration, err = time.ParseDuration(x.Duration); err != nil {
			return err
		}
	}
	if x.Arguments == nil {
		x.Arguments = x.Request.arguments()
	}
	c.tool, c.turn, c.meant, c.ran = nil, new(sync.Mutex), nil, false
	c.ID, c.Request, c.Arguments, c.Output = x.ID, x.Request, x.Arguments, x.Output
	c.Status, c.Started, c.Duration, c.Err = x.Status, x.Started, duration, x.Error.rebuild()
	c.Repairs, c.Note = x.Repairs, x.Note
	return nil
}

// errorRecord is an error in JSON.
type errorRecord struct {
	Type      string       `json:"type"` // in Go, without the package if it is this one
	Code      string       `json:"code,omitempty"`
	Text      string       `json:"text"`
	ModelText string       `json:"model_text,omitempty"` // where that is another
	Retryable bool         `json:"retryable,omitempty"`
	Tool      string       `json:"tool,omitempty"`
	Nearest   []string     `json:"nearest,omitempty"`
	Packages  []string     `json:"packages,omitempty"` // that have a tool of one name
	Faults    []Fault      `json:"faults,omitempty"`
	Count     int          `json:"count,omitempty"`   // of faults
	Pointer   string       `json:"pointer,omitempty"` // of what could not be written
	Variable  string       `json:"variable,omitempty"`
	Value     string       `json:"value,omitempty"` // of a panic
	Stack     string       `json:"stack,omitempty"`
	Context   string       `json:"context,omitempty"` // code of the error of package context that it wraps
	Cause     *errorRecord `json:"cause,omitempty"`
}

// contextErrors are found again with errors.Is.
var contextErrors = []error{context.Canceled, context.DeadlineExceeded}

// recordError returns the record of an error; nil of none.
func recordError(err error) *errorRecord {
	if err == nil {
		return nil
	}
	r := &errorRecord{Type: strings.TrimPrefix(fmt.Sprintf("%T", err), "*tool."), Code: Code(err), Text: err.Error(), Retryable: Retryable(err)}
	switch e := err.(type) {
	case *restoredError:
		return e.record
	case *UnknownToolError:
		r.Tool, r.Nearest = e.Name, e.Nearest
	case *DuplicateError:
		if r.Tool = e.Name; e.First+e.Second != "" {
			r.Packages = []string{e.First, e.Second}
		}
	case *ArgumentError:
		r.Tool, r.Faults, r.Count, r.Cause = e.Tool, e.Faults, e.Count, recordError(e.Repair)
	case *TruncatedError:
		r.Tool = e.Tool
	case *DeniedError:
		r.Tool = e.Tool
	case *ApprovalError:
		r.Tool = e.Tool
	case *ScopeError:
		r.Variable, r.Cause = e.Name, recordError(e.Err)
	case *ToolError:
		r.Tool, r.Cause = e.Tool, recordError(e.Err)
	case *PanicError:
		r.Tool, r.Value, r.Stack, r.ModelText = e.Tool, fmt.Sprint(e.Value), string(e.Stack), e.sentence()
	case *OutputError:
		r.Tool, r.Pointer, r.Cause = e.Tool, e.Pointer, recordError(e.Err)
	default:
		if told := toldText(err); told != r.Text {
			r.ModelText = told
		}
		if i := slices.IndexFunc(contextErrors, func(target error) bool { return errors.Is(err, target) }); i >= 0 {
			r.Context = Code(contextErrors[i])
		}
	}
	return r
}

// rebuild returns the error that was recorded; nil if none was.
func (r *errorRecord) rebuild() error {
	if r == nil {
		return nil
	}
	switch r.Type {
	case "UnknownToolError":
		return &UnknownToolError{Name: r.Tool, Nearest: r.Nearest}
	case "DuplicateError":
		e := &DuplicateError{Name: r.Tool}
		if len(r.Packages) == 2 {
			e.First, e.Second = r.Packages[0], r.Packages[1]
		}
		return e
	case "ArgumentError":
		return &ArgumentError{Tool: r.Tool, Faults: r.Faults, Count: r.Count, Repair: r.Cause.rebuild()}
	case "TruncatedError":
		return &TruncatedError{Tool: r.Tool}
	case "DeniedError":
		return &DeniedError{Tool: r.Tool}
	case "ApprovalError":
		return &ApprovalError{Tool: r.Tool}
	case "ScopeError":
		return &ScopeError{Name: r.Variable, Err: r.inner()}
	case "ToolError":
		return &ToolError{Tool: r.Tool, Err: r.inner()}
	case "PanicError":
		return &PanicError{Tool: r.Tool, Value: r.Value, Stack: []byte(r.Stack), told: r.ModelText}
	case "OutputError":
		return &OutputError{Tool: r.Tool, Pointer: r.Pointer, Err: r.inner()}
	}
	return r.restore()
}

// inner returns the error that the recorded one has wrapped, as far as it is
// known: the record may not come from here.
func (r *errorRecord) inner() error {
	if r.Cause == nil {
		return r.restore()
	}
	return r.Cause.rebuild()
}

// restore returns an error that says and tells what the recorded one did.
func (r *errorRecord) restore() error {
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
