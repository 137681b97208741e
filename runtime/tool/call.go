package tool

import (
	"bytes"
	"encoding/json"
	"sync"
	"time"

	"github.com/aiongen/aiongen/runtime/content"
)

// Status is the state of a call. It goes from pending to processing to one of the final states.
type Status string

// The states of a call. The last three are final.
const (
	StatusPending    Status = "pending"    // the call has not been invoked
	StatusProcessing Status = "processing" // the call is being invoked
	StatusCompleted  Status = "completed"  // the call has a result
	StatusFailed     Status = "failed"     // the call has an error
	StatusCancelled  Status = "cancelled"  // the caller's context was canceled before there was a result
)

// Call is one call of a tool, created by a [Registry], and the record of its outcome. Read its fields before
// [Call.Invoke] begins or after it has returned. A call can be written to JSON and read back. A call read from
// JSON is only a record and cannot be invoked.
type Call struct {
	ID        string          // of the request
	Request   Request         // the original request
	Arguments json.RawMessage // what the function received, after repairs and hooks; {} if there were none
	Status    Status
	Started   time.Time
	Duration  time.Duration              // at least a nanosecond once the status is final
	Output    json.RawMessage            // the result, if the status is completed
	Err       error                      // why there is no result, if the status is failed or cancelled
	Repairs   []Edit                     // changes that [Tolerant] made to the arguments
	Note      string                     // what the model should know in addition to Output, for example that it was cut
	Content   []content.Part             // parts that the function attached; see [Exchange.Attach]
	Meta      map[string]json.RawMessage // values that the function returned to the caller; see [Exchange.Reply]

	tool          *registeredTool // nil if the call was read from JSON
	invokeLock    *sync.Mutex     // held during Invoke; nil if Invoke must do nothing
	initialAccess *scopeAccess    // scope with the name that is reserved for the result; nil if no name is reserved
	attempted     bool            // the function may have run, or hooks may have changed the arguments
	exchangeHome  *callContext    // the context that owns the exchange; nil before the first attempt and after the call
}

// setRequest initializes c as the pending call for a request.
func (c *Call) setRequest(m *registeredTool, r Request) {
	c.ID, c.Request, c.Arguments, c.Status, c.tool = r.ID, r, normalizeArguments(r.Arguments), StatusPending, m
}

// Definition returns the definition of the tool. It is empty if there is no such tool or the call was read
// from JSON.
func (c *Call) Definition() Definition {
	if c.tool == nil {
		return Definition{}
	}
	return c.tool.Definition()
}

// setArguments records the arguments that the function receives: those of the request, or the replacement if it is
// not nil.
func (c *Call) setArguments(replacement *RepairedArguments) {
	c.Arguments, c.Repairs = normalizeArguments(c.Request.Arguments), nil
	if replacement != nil {
		c.Arguments, c.Repairs = replacement.Value, replacement.Edits
	}
}

// Request is the request of a model to call a tool. It can be written to JSON and read back, even if its
// arguments are not JSON. The call keeps the request, so Arguments and Meta must not be modified afterward.
type Request struct {
	ID        string            `json:"id,omitempty"`        // identifies the call for the model
	Name      string            `json:"name"`                // of the tool
	Arguments json.RawMessage   `json:"arguments,omitempty"` // as the model wrote them, possibly not JSON; empty and null mean {}
	Meta      map[string]string `json:"meta,omitempty"`      // data about the request, such as tenant, user or trace; never part of prompts
	Approval  string            `json:"approval,omitempty"`  // approval of a person, for a call that needs it
	Answers   []Answer          `json:"answers,omitempty"`   // answers to questions of the call; see [AskError.RequestWithAnswers]
	Truncated bool              `json:"truncated,omitempty"` // the request was read from text that was cut off, so the call fails with a *TruncatedError
}

// normalizeArguments returns {} for empty arguments and for null, which some clients send if there are no
// arguments. The uncommon case is a separate function so that this one is inlined.
func normalizeArguments(arguments json.RawMessage) json.RawMessage {
	if len(arguments) > 0 && arguments[0] == '{' {
		return arguments
	}
	return normalizeUncommonArguments(arguments)
}

//go:noinline
func normalizeUncommonArguments(arguments json.RawMessage) json.RawMessage {
	if text := bytes.Trim(arguments, " \t\r\n"); len(arguments) == 0 || string(text) == "null" {
		return json.RawMessage("{}")
	}
	return arguments
}

// String returns the call in one line for people, as in `add({"a":1}) → completed`. The line contains the
// beginning of the arguments, which may be secret.
func (c *Call) String() string {
	r := c.Request
	r.Arguments = c.Arguments
	return r.String() + " → " + string(c.Status)
}

// String returns the request in one line for people, as in `add({"a":1})`. The line contains the beginning of
// the arguments, which may be secret.
func (r Request) String() string {
	return showName(r.Name) + "(" + showJSON(string(normalizeArguments(r.Arguments))) + ")"
}
