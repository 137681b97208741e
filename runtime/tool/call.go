package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/aiongen/aiongen/runtime/wire"
)

// Request is what a model asks for: to call a tool. It survives JSON both ways,
// also with arguments that are none. Its call keeps it as it is, so that Arguments
// and Meta must not be modified any more.
type Request struct {
	ID        string            `json:"id,omitempty"`        // by which the model knows the call
	Name      string            `json:"name"`                // of the tool
	Arguments json.RawMessage   `json:"arguments,omitempty"` // as the model wrote them, maybe no JSON; empty and null are {}
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

	tool  *mounted   // nil if it was read from JSON
	begun bool       // whoever made it runs it, so that Invoke has nothing to do
	mu    sync.Mutex // held while it is invoked
	in    Invocation // the first; there may be more
}

// arguments returns the arguments as they are read: null is what some clients send
// for none.
func (r Request) arguments() json.RawMessage {
	if text := bytes.Trim(r.Arguments, " \t\r\n"); len(r.Arguments) == 0 || string(text) == "null" {
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
// an [*ArgumentError]. Arguments and Repairs then show what was read, unless the
// function has run. Check must not run at the same time as Invoke.
func (c *Call) Check(ctx context.Context) error {
	checked := newCall(c.tool, c.Request)
	_, err := checked.invoke(ctx, true)
	if c.in.call == nil && (c.Status == StatusPending || c.Status == StatusProcessing) {
		c.Arguments, c.Repairs = checked.Arguments, checked.Repairs
	}
	return err
}

// Invoke runs the call, once, on the goroutine of the caller. It does not panic,
// and returns when the status is final: completed if there is a result, however
// late; cancelled if there is none and ctx was cancelled; else failed, also when
// a deadline passed. If ctx is done already, the function does not run. Who
// comes second waits for the first and changes nothing. On the call that a
// [Handler] is given, which runs already, Invoke does nothing.
//
// No function is abandoned: one that does not heed its context holds the call.
// One that ends its goroutine with [runtime.Goexit] ends that of the caller, and
// the call has failed.
func (c *Call) Invoke(ctx context.Context) {
	if c.begun {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Status != StatusPending {
		return
	}
	// What runs is a call of its own, so that middleware that invokes it does
	// not wait for itself.
	inner := newCall(c.tool, c.Request)
	c.Status, inner.begun = StatusProcessing, true
	defer func() { // also where the function ended its goroutine
		c.Arguments, c.Status, c.Started, c.Duration = inner.Arguments, inner.Status, inner.Started, inner.Duration
		c.Output, c.Err, c.Repairs, c.in.call = inner.Output, inner.Err, inner.Repairs, inner.in.call
	}()
	inner.run(ctx)
}

// run runs the call behind all middleware.
func (c *Call) run(ctx context.Context) {
	c.Status, c.Started = StatusProcessing, time.Now()
	defer c.end()
	err := c.outcome(ctx)
	if err != nil {
		_ = err.Error() // if it panics, let it do so here
		c.Output = nil
	}
	c.Err = err
	switch {
	case err == nil:
		c.Status = StatusCompleted
	case isCancelled(ctx, err):
		c.Status = StatusCancelled
	default:
		c.Status = StatusFailed
	}
}

// outcome runs the call behind all middleware. Its result is then in c.Output.
func (c *Call) outcome(ctx context.Context) (err error) {
	if c.tool == nil {
		_, err = c.invoke(ctx, false)
	} else {
		_, err = c.tool.settings.handler(ctx, c)
	}
	return err
}

// handle is the [Handler] behind all middleware.
func (c *Call) handle(ctx context.Context) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	output, err := c.invoke(ctx, false)
	c.Output = output
	return output, err
}

// checked holds the results that a handler gives by itself to what results are.
// One that was checked already is known by its place in memory.
func checked(handler Handler) Handler {
	return func(ctx context.Context, c *Call) (json.RawMessage, error) {
		output, err := handler(ctx, c)
		if err == nil && !isSame(output, c.Output) {
			output, err = c.foreign(output)
			c.Output = output
		}
		return output, err
	}
}

// isSame reports whether two texts are one in memory.
func isSame(a, b json.RawMessage) bool { return len(a) > 0 && len(a) == len(b) && &a[0] == &b[0] }

// foreign returns a result that middleware gave, if it is one.
func (c *Call) foreign(output json.RawMessage) (json.RawMessage, error) {
	if output == nil {
		return json.RawMessage("null"), nil
	}
	if f := wire.Check(output, c.tool.settings.Output); f != nil {
		return nil, &OutputError{Tool: c.Request.Name, Pointer: f.Pointer, Err: fmt.Errorf("expected %s, found %s", f.Expected, f.Found)}
	}
	return output, nil
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
	output, err = c.attempt(ctx, check, nil)
	bad, faulty := err.(*ArgumentError)
	if !faulty {
		return output, err
	}
	reading := c.repair(ScopeFrom(ctx), bad)
	if reading == nil {
		return nil, bad
	}
	output, err = c.attempt(ctx, check, reading)
	if _, still := err.(*ArgumentError); still {
		c.show(nil)
		return nil, bad
	}
	return output, err
}

// attempt is one run of the tool, on the arguments of the request or on what was
// read of them.
func (c *Call) attempt(ctx context.Context, check bool, reading *Reading) (json.RawMessage, error) {
	in := &c.in
	if in.call != nil { // a goroutine that the function left behind may still have it
		in = new(Invocation)
		c.Err = nil
		c.show(reading)
	}
	in.call, in.reading, in.access = c, reading, c.in.access.of(ScopeFrom(ctx))
	if !check {
		in.ctx = ctx
	}
	return in.run()
}

// show shows the arguments that run: those of the request, or what was read of
// them.
func (c *Call) show(reading *Reading) {
	c.Arguments, c.Repairs = c.Request.arguments(), nil
	if reading != nil {
		c.Arguments, c.Repairs = reading.Value, reading.Edits
	}
}

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
		c.Status, c.Output, c.Err = StatusFailed, nil, &PanicError{Tool: c.Request.Name, Value: p, Stack: debug.Stack()}
	}
	c.Duration = max(time.Since(c.Started), 1)
}

// errGoexit is the value of a PanicError that was no panic.
var errGoexit = errors.New("the function ended its goroutine (runtime.Goexit)")
