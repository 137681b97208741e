package tool

import (
	"bytes"
	"encoding/json"
	"sync"
	"time"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/tool/internal/show"
	"github.com/aiongen/aiongen/runtime/tool/internal/store"
)

// Status is where a call stands. It goes from pending over processing to one of
// the others, and stays there.
type Status string

const (
	StatusPending    Status = "pending"    // not yet invoked
	StatusProcessing Status = "processing" // being invoked
	StatusCompleted  Status = "completed"  // there is a result
	StatusFailed     Status = "failed"     // there is an error
	StatusCancelled  Status = "cancelled"  // the caller's context was cancelled before there was a result
)

// Call is one call of a tool, made by a [Registry], and its record. Its fields are
// to be read before [Call.Invoke] begins or after it returned. It survives JSON
// both ways; one that was read from JSON is a record only, and cannot be invoked.
type Call struct {
	ID        string          // of the request
	Request   Request         // what came
	Arguments json.RawMessage // what ran: those of the request, {} for none
	Status    Status
	Started   time.Time
	Duration  time.Duration              // at least a nanosecond once the status is final
	Output    json.RawMessage            // the result, if the status is completed
	Err       error                      // why there is none, if it is failed or cancelled
	Repairs   []Edit                     // what [Tolerant] changed in the arguments
	Note      string                     // what the model is to be told beside Output, as that it was cut
	Content   []content.Part             // what the function attached; see [Exchange.Attach]
	Meta      map[string]json.RawMessage // what it replied to who called; see [Exchange.Reply]

	tool  *mounted      // nil if it was read from JSON
	turn  *sync.Mutex   // held by whoever invokes it; nil if that is for its maker alone
	meant *store.Access // what its runs begin with in a scope, if that is reserved
	ran   bool          // the arguments are no longer those of the request alone
	home  *callContext  // which has its exchange, from the first attempt or middleware on until the call is over
}

// ask makes c the call that a request asks for, not yet run.
func (c *Call) ask(m *mounted, r Request) {
	c.ID, c.Request, c.Arguments, c.Status, c.tool = r.ID, r, asRead(r.Arguments), StatusPending, m
}

// Definition returns what a model is told of the tool; it is empty if there is no such
// tool, or if the call was read from JSON.
func (c *Call) Definition() Definition {
	if c.tool == nil {
		return Definition{}
	}
	return c.tool.Definition()
}

// show shows the arguments that run: those of the request, or what was read of
// them.
func (c *Call) show(reading *Reading) {
	c.Arguments, c.Repairs = asRead(c.Request.Arguments), nil
	if reading != nil {
		c.Arguments, c.Repairs = reading.Value, reading.Edits
	}
}

// Request is what a model asks for: to call a tool. It survives JSON both ways,
// also with arguments that are none. Its call keeps it as it is, so that Arguments
// and Meta must not be modified any more.
type Request struct {
	ID        string            `json:"id,omitempty"`        // by which the model knows the call
	Name      string            `json:"name"`                // of the tool
	Arguments json.RawMessage   `json:"arguments,omitempty"` // as the model wrote them, maybe no JSON; empty and null are {}
	Meta      map[string]string `json:"meta,omitempty"`      // travels with the call, never into prompts: tenant, user, trace
	Approval  string            `json:"approval,omitempty"`  // of a person, for a call that needs one
	Answers   []ask.Answer      `json:"answers,omitempty"`   // to what the call asks; see [AskError.Again]
	Truncated bool              `json:"truncated,omitempty"` // read from text that was cut off; refused with *TruncatedError
}

// asRead returns the arguments of a request as they are read: null is what some clients
// send for none. What is rare is apart, so that this is inlined.
func asRead(arguments json.RawMessage) json.RawMessage {
	if len(arguments) > 0 && arguments[0] == '{' {
		return arguments
	}
	return orNone(arguments)
}

//go:noinline
func orNone(arguments json.RawMessage) json.RawMessage {
	if text := bytes.Trim(arguments, " \t\r\n"); len(arguments) == 0 || string(text) == "null" {
		return json.RawMessage("{}")
	}
	return arguments
}

// String is the call in one line for people, as in `add({"a":1}) → completed`, with
// arguments that may be secret, cut where long.
func (c *Call) String() string {
	r := c.Request
	r.Arguments = c.Arguments
	return r.String() + " → " + string(c.Status)
}

// String is the request in one line for people, as in `add({"a":1})`, with arguments
// that may be secret, cut where long.
func (r Request) String() string {
	return show.Name(r.Name) + "(" + show.JSON(string(asRead(r.Arguments))) + ")"
}
