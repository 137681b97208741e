package tool

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"sync"
	"time"
)

// Request is what a model asks for: to call a tool. It survives JSON both ways,
// also with arguments that are none.
type Request struct {
	ID        string            `json:"id,omitempty"`        // by which the model knows the call
	Name      string            `json:"name"`                // of the tool
	Arguments json.RawMessage   `json:"arguments,omitempty"` // as the model wrote them, maybe no JSON; empty is {}
	Meta      map[string]string `json:"meta,omitempty"`      // travels with the call, never into prompts: tenant, user, trace
	Approval  string            `json:"approval,omitempty"`  // of a person, for a call that needs one
	Truncated bool              `json:"truncated,omitempty"` // read from text that was cut off; refused with *TruncatedError
}

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

// Call is one call of a tool, made by [Registry.Match], and its record. Its
// fields are to be read before [Call.Invoke] begins or after it returned. It
// survives JSON both ways; one that was read from JSON is a record only, and
// cannot be invoked.
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

	tool   *mounted   // nil if it was read from JSON
	mu     sync.Mutex // held while it is invoked
	access *access    // nil without a scope
	in     Invocation // the first; there may be more
}

// arguments returns the arguments as they are read.
func (r Request) arguments() json.RawMessage {
	if len(r.Arguments) == 0 {
		return json.RawMessage("{}")
	}
	return r.Arguments
}

// Definition returns what a model is told of the tool that is called. It is
// empty if there is no such tool, or if the call was read from JSON.
func (c *Call) Definition() Definition {
	if c.tool == nil {
		return Definition{}
	}
	return c.tool.Definition()
}

// Check reads the arguments without running the function, in the scope that ctx
// carries. Its error is what the call would fail with before it ran, most likely
// an [*ArgumentError]. It must not run at the same time as Invoke.
func (c *Call) Check(ctx context.Context) error {
	_, err := c.invoke(ctx, true)
	return err
}

// Invoke runs the call, once, on the goroutine of the caller. It does not panic,
// and returns when the status is final: completed if there is a result, however
// late; cancelled if there is none and ctx was cancelled; else failed, also when
// a deadline passed. If ctx is done already, the function does not run. Who
// comes second waits for the first and changes nothing.
//
// No function is abandoned: one that does not heed its context holds the call.
// One that ends its goroutine with [runtime.Goexit] ends that of the caller, and
// the call has failed.
func (c *Call) Invoke(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Status == StatusPending {
		c.run(ctx)
	}
}

func (c *Call) run(ctx context.Context) {
	c.Status, c.Started = StatusProcessing, time.Now()
	defer c.end()
	output, err := c.outcome(ctx)
	if err != nil {
		_ = err.Error() // if it panics, let it do so here
	}
	switch {
	case err == nil:
		c.Status, c.Output = StatusCompleted, output
		if output == nil {
			c.Output = json.RawMessage("null")
		}
	case isCancelled(ctx, err):
		c.Status, c.Err = StatusCancelled, err
	default:
		c.Status, c.Err = StatusFailed, err
	}
}

// outcome runs the call behind all middleware.
func (c *Call) outcome(ctx context.Context) (json.RawMessage, error) {
	if c.tool == nil {
		return c.invoke(ctx, false)
	}
	return c.tool.settings.handler(ctx, c)
}

// handle is the [Handler] behind all middleware.
func (c *Call) handle(ctx context.Context) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return c.invoke(ctx, false)
}

// invoke reads the arguments and, unless the call is only checked, runs the
// function. It may do so more than once, each time from the start.
func (c *Call) invoke(ctx context.Context, check bool) (output json.RawMessage, err error) {
	switch {
	case c.tool == nil:
		return nil, &UnknownToolError{Name: c.Request.Name}
	case c.Request.Truncated && c.tool.definition != nil:
		return nil, &TruncatedError{Tool: c.Request.Name}
	}
	defer func() {
		if p := recover(); p != nil {
			output, err = nil, &PanicError{Tool: c.Request.Name, Value: p, Stack: debug.Stack()}
		}
	}()
	c.reset()
	c.use(ScopeFrom(ctx))
	in := &c.in
	if in.call != nil { // a goroutine that the function left behind may still have it
		in = new(Invocation)
	}
	in.call = c
	if !check {
		in.ctx = ctx
	}
	output, err = in.run()
	bad, faulty := err.(*ArgumentError)
	if !faulty || !c.repair(bad) {
		return output, err
	}
	output, err = in.run()
	if _, still := err.(*ArgumentError); still {
		c.reset()
		return nil, bad
	}
	return output, err
}

// reset undoes what repair and hooks did to the arguments.
func (c *Call) reset() { c.Arguments, c.Repairs = c.Request.arguments(), nil }

// isCancelled tells whether err, the context's or that of the function, is there
// because ctx was cancelled. What is wrong with arguments or result is not.
func isCancelled(ctx context.Context, err error) bool {
	_, ran := err.(*ToolError)
	return ctx.Err() == context.Canceled && (ran || errors.Is(err, context.Canceled))
}

// end is deferred: it closes the call, also where a function panicked or ended
// its goroutine.
func (c *Call) end() {
	if p := recover(); p != nil || c.Status == StatusProcessing {
		if p == nil {
			p = errGoexit
		}
		c.Status, c.Err = StatusFailed, &PanicError{Tool: c.Request.Name, Value: p, Stack: debug.Stack()}
	}
	c.Duration = max(time.Since(c.Started), 1)
}

// errGoexit is the value of a PanicError that was no panic.
var errGoexit = errors.New("the function ended its goroutine (runtime.Goexit)")
