package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
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

// UnmarshalJSON reads what MarshalJSON wrote.
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
	Repairs   []Edit          `json:"repairs,omitempty"`
	Error     *errorRecord    `json:"error,omitempty"`
}

// MarshalJSON writes the record of the call, its error with type, code, text and
// faults.
func (c *Call) MarshalJSON() ([]byte, error) {
	x := callRecord{Format: recordFormat, ID: c.ID, Request: c.Request, Status: c.Status, Started: c.Started, Output: c.Output, Repairs: c.Repairs}
	if !bytes.Equal(c.Arguments, c.Request.arguments()) {
		x.Arguments = c.Arguments
	}
	if c.Duration != 0 {
		x.Duration = c.Duration.String()
	}
	if c.Err != nil {
		x.Error = recordError(c.Err)
	}
	return json.Marshal(x)
}

// UnmarshalJSON reads what MarshalJSON wrote. The errors of this package and
// those of package context come back as what they were, others as one with the
// same text, Code and Retryable; errors that they wrapped are only text.
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
	c.ID, c.Request, c.Arguments, c.Output = x.ID, x.Request, x.Arguments, x.Output
	c.Status, c.Started, c.Duration, c.Err = x.Status, x.Started, duration, x.Error.rebuild()
	c.Repairs = x.Repairs
	return nil
}

// errorRecord is an error in JSON.
type errorRecord struct {
	Type      string   `json:"type"` // in Go, without the package if it is this one
	Code      string   `json:"code,omitempty"`
	Text      string   `json:"text"`
	Retryable bool     `json:"retryable,omitempty"`
	Tool      string   `json:"tool,omitempty"`
	Nearest   []string `json:"nearest,omitempty"`
	Faults    []Fault  `json:"faults,omitempty"`
	Count     int      `json:"count,omitempty"`   // of faults
	Pointer   string   `json:"pointer,omitempty"` // of what could not be written
	Variable  string   `json:"variable,omitempty"`
	Cause     string   `json:"cause,omitempty"` // text of the error or panic inside
	Context   string   `json:"context,omitempty"`
	Stack     string   `json:"stack,omitempty"`
}

// contextErrors are the errors that are found again with errors.Is, by their
// codes.
var contextErrors = map[string]error{
	"cancelled":         context.Canceled,
	"deadline_exceeded": context.DeadlineExceeded,
}

func recordError(err error) *errorRecord {
	r := &errorRecord{Type: strings.TrimPrefix(fmt.Sprintf("%T", err), "*tool."), Code: Code(err), Text: err.Error()}
	for code, target := range contextErrors {
		if errors.Is(err, target) {
			r.Context = code
		}
	}
	var retryable interface{ Retryable() bool }
	r.Retryable = errors.As(err, &retryable) && retryable.Retryable()

	switch e := err.(type) {
	case *UnknownToolError:
		r.Tool, r.Nearest = e.Name, e.Nearest
	case *DuplicateError:
		r.Tool = e.Name
	case *ArgumentError:
		r.Tool, r.Faults, r.Count = e.Tool, e.Faults, e.Count
		if e.Repair != nil {
			r.Cause = e.Repair.Error()
		}
	case *TruncatedError:
		r.Tool = e.Tool
	case *DeniedError:
		r.Tool = e.Tool
	case *ApprovalError:
		r.Tool = e.Tool
	case *ScopeError:
		r.Variable, r.Cause = e.Name, e.Err.Error()
	case *ToolError:
		r.Tool, r.Cause = e.Tool, e.Err.Error()
	case *PanicError:
		r.Tool, r.Cause, r.Stack = e.Tool, fmt.Sprint(e.Value), string(e.Stack)
	case *OutputError:
		r.Tool, r.Pointer, r.Cause = e.Tool, e.Pointer, e.Err.Error()
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
		return &DuplicateError{Name: r.Tool}
	case "ArgumentError":
		bad := &ArgumentError{Tool: r.Tool, Faults: r.Faults, Count: r.Count}
		if r.Cause != "" {
			bad.Repair = r.restore(r.Cause)
		}
		return bad
	case "TruncatedError":
		return &TruncatedError{Tool: r.Tool}
	case "DeniedError":
		return &DeniedError{Tool: r.Tool}
	case "ApprovalError":
		return &ApprovalError{Tool: r.Tool}
	case "ScopeError":
		return &ScopeError{Name: r.Variable, Err: r.restore(r.Cause)}
	case "ToolError":
		return &ToolError{Tool: r.Tool, Err: r.restore(r.Cause)}
	case "PanicError":
		return &PanicError{Tool: r.Tool, Value: r.Cause, Stack: []byte(r.Stack)}
	case "OutputError":
		return &OutputError{Tool: r.Tool, Pointer: r.Pointer, Err: r.restore(r.Cause)}
	}
	return r.restore(r.Text)
}

// restore returns an error that says and tells what the recorded one did.
func (r *errorRecord) restore(text string) error {
	cause := contextErrors[r.Context]
	if cause != nil && cause.Error() == text {
		return cause
	}
	return &restoredError{text: text, code: r.Code, retryable: r.Retryable, cause: cause}
}

// restoredError stands for an error whose type is known only where it was made.
type restoredError struct {
	text, code string
	retryable  bool
	cause      error
}

func (e *restoredError) Error() string   { return e.text }
func (e *restoredError) Code() string    { return e.code }
func (e *restoredError) Retryable() bool { return e.retryable }
func (e *restoredError) Unwrap() error   { return e.cause }
