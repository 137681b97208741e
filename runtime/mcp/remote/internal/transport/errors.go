package transport

import (
	"errors"
	"fmt"
	"net/http"
)

// ErrSessionLost is the error of a request that did not run because the server no longer
// knows the session. A new session is needed.
var ErrSessionLost = errors.New("the server no longer knows the session")

// NotSentError reports that a request did not reach the server.
type NotSentError struct{ Err error }

func (e *NotSentError) Error() string { return "the server cannot be reached: " + e.Err.Error() }

func (e *NotSentError) Unwrap() error { return e.Err }

// RefusedError reports that a server refused a request with an HTTP status, and that the
// request did not run.
type RefusedError struct{ Status int }

func (e *RefusedError) Error() string {
	return "the server refused the request with " + status(e.Status)
}

// Retryable reports whether the server only wants the request later.
func (e *RefusedError) Retryable() bool { return e.Status == http.StatusTooManyRequests }

func status(code int) string { return fmt.Sprintf("HTTP status %d %s", code, http.StatusText(code)) }
