package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kinds of an [Error].
const (
	RateLimited   = "rate_limited"       // asked too much in a short time
	QuotaExceeded = "quota_exceeded"     // there is no more to be had, whenever one asks
	Unauthorized  = "unauthorized"       // the key is wrong, or not for this
	BadRequest    = "bad_request"        // the endpoint does not take the request
	ContextFull   = "context_full"       // the request is longer than the model can read
	ServerError   = "server_error"       // the endpoint fails, or cannot at the moment
	Unreachable   = "unreachable"        // there is no connection, or it broke before the answer
	Timeout       = "timeout"            // the answer took too long, or a deadline passed
	Cancelled     = "cancelled"          // the context was cancelled
	Malformed     = "malformed_response" // the answer is not what the protocol says
	CutOff        = "cut_off"            // a stream ended before its end
)

// Error says why there is no answer of a model. It survives JSON both ways; what
// it wraps is then only text.
type Error struct {
	Kind       string        // one of the above, or another of whoever made the model
	Status     int           // of HTTP, if there was one
	RetryAfter time.Duration // how long the endpoint wants to be left alone, if it says so
	Attempts   int           // that [Retry] made, if more than one
	Err        error
}

// Error tells the kind, the status, and what went wrong.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("model: " + strings.ReplaceAll(e.Kind, "_", " "))
	if e.Status != 0 {
		fmt.Fprintf(&b, " (status %d)", e.Status)
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " after %d attempts", e.Attempts)
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap returns what went wrong.
func (e *Error) Unwrap() error { return e.Err }

// Code returns the kind.
func (e *Error) Code() string { return e.Kind }

// Retryable tells whether the same request may succeed at another time.
func (e *Error) Retryable() bool {
	switch e.Kind {
	case RateLimited, ServerError, Unreachable, Timeout, CutOff, Malformed:
		return true
	}
	return false
}

// errorRecord is an error in JSON. The names are stable.
type errorRecord struct {
	Kind       string `json:"kind"`
	Status     int    `json:"status,omitempty"`
	RetryAfter string `json:"retry_after,omitempty"` // as Go writes it
	Attempts   int    `json:"attempts,omitempty"`
	Text       string `json:"text,omitempty"` // of what went wrong
}

// MarshalJSON writes the error with its text.
func (e *Error) MarshalJSON() ([]byte, error) {
	r := errorRecord{Kind: e.Kind, Status: e.Status, Attempts: e.Attempts}
	if e.RetryAfter != 0 {
		r.RetryAfter = e.RetryAfter.String()
	}
	if e.Err != nil {
		r.Text = e.Err.Error()
	}
	return json.Marshal(r)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Error) UnmarshalJSON(b []byte) (err error) {
	var r errorRecord
	if err := json.Unmarshal(b, &r); err != nil {
		return err
	}
	*e = Error{Kind: r.Kind, Status: r.Status, Attempts: r.Attempts}
	if r.Text != "" {
		e.Err = errors.New(r.Text)
	}
	if r.RetryAfter != "" {
		e.RetryAfter, err = time.ParseDuration(r.RetryAfter)
	}
	return err
}

// ContextError returns the [*Error] of a request whose context is done, nil if it
// is not. What went wrong before, if anything, is kept. It is for those who make a
// model.
func ContextError(ctx context.Context, before error) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	var e *Error
	stopped := errors.Is(before, err)
	if stopped && errors.As(before, &e) {
		return before
	}
	kind := Cancelled
	if errors.Is(err, context.DeadlineExceeded) {
		kind = Timeout
	}
	if stopped {
		err = before
	} else if before != nil {
		err = fmt.Errorf("%w; before that: %w", err, before)
	}
	return &Error{Kind: kind, Err: err}
}
