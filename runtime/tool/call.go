package tool

import (
	"encoding/json"
	"sync"
	"time"
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
	Duration  time.Duration   // at least a nanosecond once the status is final
	Output    json.RawMessage // the result, if the status is completed
	Err       error           // why there is none, if it is failed or cancelled
	Repairs   []Edit          // what [Tolerant] changed in the arguments
	Note      string          // what the model is to be told beside Output; see [Trim]

	tool  *mounted    // nil if it was read from JSON
	turn  *sync.Mutex // held by whoever invokes it; nil if that is for its maker alone
	meant *access     // what its runs begin with in a scope, if that is reserved
	ran   bool        // the arguments are no longer those of the request alone
}

// ask makes c the call that a request asks for, not yet run.
func (c *Call) ask(m *mounted, r Request) {
	c.ID, c.Request, c.Arguments, c.Status, c.tool = r.ID, r, r.arguments(), StatusPending, m
}

// Definition returns what a model is told of the tool that is called. It is
// empty if there is no such tool, or if the call was read from JSON.
func (c *Call) Definition() Definition {
	if c.tool == nil {
		return Definition{}
	}
	return c.tool.Definition()
}

// show shows the arguments that run: those of the request, or what was read of
// them.
func (c *Call) show(reading *Reading) {
	c.Arguments, c.Repairs = c.Request.arguments(), nil
	if reading != nil {
		c.Arguments, c.Repairs = reading.Value, reading.Edits
	}
}
