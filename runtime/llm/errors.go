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
	RateLimited   = "rate_limited"       // too many requests in a short time
	QuotaExceeded = "quota_exceeded"     // the quota is exhausted; retrying does not help
	Unauthorized  = "unauthorized"       // the key is invalid or lacks a permission
	BadRequest    = "bad_request"        // the endpoint rejects the request
	ContextFull   = "context_full"       // the request is longer than the model can read
	ServerError   = "server_error"       // the endpoint failed or is temporarily unavailable
	Unreachable   = "unreachable"        // no connection, or it broke before the answer
	Timeout       = "timeout"            // the answer took too long, or a deadline passed
	Cancelled     = "cancelled"          // the context was canceled
	Malformed     = "malformed_response" // the answer violates the protocol
	CutOff        = "cut_off"            // a stream ended prematurely
)

// Error reports why a model did not answer. It can be encoded as JSON and decoded, but only the text
// of the wrapped error is preserved.
type Error struct {
	Kind       string        // one of the kinds above, or a kind that the implementation of the model defines
	Status     int           // HTTP status, if there was one
	RetryAfter time.Duration // how long the endpoint asks to wait; may be 0
	Attempts   int           // number of attempts, if [Retry] made more than one
	Err        error
}

// Error returns the kind, the status and the cause.
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

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Code returns the kind.
func (e *Error) Code() string { return e.Kind }

// Retryable reports whether the same request may succeed at another time.
func (e *Error) Retryable() bool {
	switch e.Kind {
	case RateLimited, ServerError, Unreachable, Timeout, CutOff, Malformed:
		return true
	}
	return false
}

// errorRecord is the JSON form of an error. Its names are stable.
type errorRecord struct {
	Kind       string `json:"kind"`
	Status     int    `json:"status,omitempty"`
	RetryAfter string `json:"retry_after,omitempty"` // formatted by time.Duration.String
	Attempts   int    `json:"attempts,omitempty"`
	Text       string `json:"text,omitempty"` // text of the cause
}

// MarshalJSON encodes the error with the text of its cause.
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

// UnmarshalJSON decodes the output of MarshalJSON.
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

// ContextError returns an [*Error] if the context of a request is done, and nil otherwise. The result
// wraps before, the error that the request has returned, which may be nil. It is for implementations
// of [Model].
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
