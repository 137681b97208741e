package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"strconv"
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

	tool     Tool
	refused  error // why there is no tool
	settings *settings
	once     sync.Once
	scope    *Scope
	kept     string // name of the result, if JSON cannot carry it
	extra    int    // how many more variables the result needed
	ctx      callContext
	in       Invocation
}

// newCall returns a pending call of t. If refused is an error, there is no such
// tool, and the call will fail with it.
func newCall(t Tool, refused error, s *settings, r Request) *Call {
	return &Call{
		ID: r.ID, Request: r, Arguments: r.arguments(), Status: StatusPending,
		tool: t, refused: refused, settings: s,
	}
}

// arguments returns the arguments as they are read.
func (r Request) arguments() json.RawMessage {
	if len(r.Arguments) == 0 {
		return json.RawMessage("{}")
	}
	return r.Arguments
}

// Definition returns what a model is told of the tool that is called.
func (c *Call) Definition() Definition { return c.tool.Definition() }

// Check reads the arguments without running the function. Its error is what the
// call would fail with before it ran, most likely an [*ArgumentError]. It must not
// run at the same time as Invoke.
func (c *Call) Check() (err error) {
	if err := c.refusal(); err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Tool: c.Request.Name, Value: p, Stack: debug.Stack()}
		}
	}()
	c.invoke(context.Background(), true)
	return c.in.err
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
	c.once.Do(func() {
		if c.Status == StatusPending {
			c.run(ctx)
		}
	})
}

func (c *Call) run(ctx context.Context) {
	c.Status, c.Started = StatusProcessing, time.Now()
	c.reserve(ScopeFrom(ctx))
	defer c.end()
	output, err := c.outcome(ctx)
	if err != nil {
		_ = err.Error() // if it panics, let it do so here
	}
	switch {
	case err == nil:
		c.Status, c.Output = StatusCompleted, output
	case isCancelled(ctx, err):
		c.Status, c.Err = StatusCancelled, err
	default:
		c.Status, c.Err = StatusFailed, err
	}
}

// outcome runs the function behind all middleware, if nothing is against it.
func (c *Call) outcome(ctx context.Context) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := c.refusal(); err != nil {
		return nil, err
	}
	return c.settings.handler(ctx, c)
}

// handle is the [Handler] behind all middleware.
func (c *Call) handle(ctx context.Context) (json.RawMessage, error) {
	c.invoke(ctx, false)
	return c.in.outcome()
}

// invoke reads the arguments and, unless the call is only checked, runs the
// function. Arguments with faults are repaired, if that may be, and read again.
func (c *Call) invoke(ctx context.Context, checking bool) {
	c.ctx = callContext{ctx, c}
	c.try(checking)
	bad, ok := c.in.err.(*ArgumentError)
	if !ok {
		return
	}
	original := c.Arguments
	if !c.repair(bad) {
		return
	}
	c.try(checking)
	if _, still := c.in.err.(*ArgumentError); still {
		c.Arguments, c.Repairs, c.in.err = original, nil, bad
	}
}

func (c *Call) try(checking bool) {
	c.in = Invocation{call: c, checking: checking}
	c.tool.invoke(&c.ctx, &c.in)
}

// reserve lets the call use a scope, and names its result if that will be a
// variable: names are given in the order of requests, not in that of results.
func (c *Call) reserve(s *Scope) {
	if s != nil && c.scope == nil {
		c.scope = s
		if x := c.tool.peculiar(); x.yields != "" {
			c.kept = s.name(x.yields)
		}
	}
}

// keep puts a result, or a part of one, into the scope.
func (c *Call) keep(x any, t reflect.Type) (name string, err error) {
	if c.scope == nil {
		return "", &ScopeError{Err: fmt.Errorf("a result of type %s is no JSON, and there is no scope to keep it in", t)}
	}
	name = c.kept
	switch {
	case name == "":
		name = c.scope.name("value")
	case c.extra > 0:
		name += "." + strconv.Itoa(c.extra+1)
	}
	c.extra++
	return name, c.scope.Set(name, x)
}

// refusal returns why the call must not run, whatever its arguments.
func (c *Call) refusal() error {
	switch {
	case c.refused != nil:
		return c.refused
	case c.tool.invoke == nil: // it was read from JSON
		return &UnknownToolError{Name: c.Request.Name}
	case c.Request.Truncated:
		return &TruncatedError{Tool: c.Request.Name}
	}
	return nil
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
		c.Status, c.Err = StatusFailed, &PanicError{Tool: c.Request.Name, Value: p, Stack: debug.Stack()}
	}
	c.in = Invocation{}
	c.Duration = max(time.Since(c.Started), 1)
}

// errGoexit is the value of a PanicError that was no panic.
var errGoexit = errors.New("the function ended its goroutine (runtime.Goexit)")
