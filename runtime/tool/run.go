package tool

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/tool/internal/clock"
)

// Check reads the arguments without running the function, in the scope of ctx. Its error
// is what the call would fail with, most likely an [*ArgumentError]. Arguments and Repairs
// then show what was read, unless the function has run. It must not run beside Invoke.
func (c *Call) Check(ctx context.Context) error {
	var checked Call
	checked.ask(c.tool, c.Request)
	_, err := checked.invoke(ctx, true)
	if !c.ran && (c.Status == StatusPending || c.Status == StatusProcessing) {
		c.Arguments, c.Repairs = checked.Arguments, checked.Repairs
	}
	return err
}

// Invoke runs the call, once, on the goroutine of the caller. It does not panic, and
// returns when the status is final: completed if there is a result, however late; cancelled
// if there is none and ctx was cancelled; else failed, also when a deadline passed. If ctx
// is done already, the function does not run. Who comes second waits for the first. On the
// call of a [Handler] it does nothing. No function is abandoned: one that does not heed its
// context holds the call; one that ends its goroutine ends that of the caller.
func (c *Call) Invoke(ctx context.Context) {
	if c.turn == nil {
		return
	}
	c.turn.Lock()
	defer c.turn.Unlock()
	if c.Status == StatusPending {
		c.run(ctx)
	}
}

// run runs the call, behind all middleware if there is any. That is handed a copy,
// which is not for it to invoke; and so the compiler sees that without middleware
// nobody keeps c, whose memory then need not be that of the heap.
func (c *Call) run(ctx context.Context) {
	if c.tool == nil || c.tool.settings.handler == nil {
		c.Status, c.Started = StatusProcessing, clock.Now()
		defer c.end()
		c.settle(ctx, c.handle(ctx))
		return
	}
	h, turn := &handed{call: *c}, c.turn
	behind := &h.call
	behind.turn = nil
	defer func() { // also where the function ended its goroutine
		*c = *behind
		c.turn = turn
	}()
	behind.Status, behind.Started = StatusProcessing, clock.Now()
	h.context.at(ctx, behind)
	defer behind.end()
	_, err := c.tool.settings.handler(&h.context, behind)
	behind.settle(ctx, err)
}

// settle says what came of the call; its result, if that is it, is in c.Output.
func (c *Call) settle(ctx context.Context, err error) {
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
		c.Status, c.Output, c.Err = StatusFailed, nil, panicked(Definition{Name: c.Request.Name}, p)
	}
	c.finish()
	c.Duration = max(time.Since(c.Started), 1)
}

// errGoexit is the value of a PanicError that was no panic.
var errGoexit = errors.New("the function ended its goroutine (runtime.Goexit)")

// handle does what is behind all middleware. The result is then in c.Output.
func (c *Call) handle(ctx context.Context) (err error) {
	if c.tool == nil || ctx.Err() == nil { // what cannot run says so also when it is too late
		c.Output, err = c.invoke(ctx, false)
		return err
	}
	c.Output = nil
	return ctx.Err()
}

// wrap puts all middleware around what a call does by itself, if there is any.
func (s *settings) wrap() {
	if len(s.middleware) == 0 {
		return
	}
	s.handler = func(ctx context.Context, c *Call) (json.RawMessage, error) {
		err := c.handle(ctx)
		return c.Output, err
	}
	for layer, m := range slices.Backward(s.middleware) {
		s.handler = checked(layer, m(s.handler))
	}
}

// checked holds the results that a handler gives by itself to what results are.
// One that was checked already is known by its place in memory.
func checked(layer int, handler Handler) Handler {
	return func(ctx context.Context, c *Call) (json.RawMessage, error) {
		from := c.enter(layer)
		output, err := handler(ctx, c)
		same := len(output) > 0 && len(output) == len(c.Output) && &output[0] == &c.Output[0]
		if err == nil && !same {
			output, err = c.check(output)
		}
		if err = c.leave(layer, from, err); err == nil {
			c.Output = output
		}
		return output, err
	}
}

// check returns a result that somebody gave, unless it is none.
func (c *Call) check(output json.RawMessage) (json.RawMessage, error) {
	if output == nil {
		output = json.RawMessage("null")
	}
	pointer, err := result.Check(output, c.tool.settings.Output)
	if err != nil {
		return nil, &OutputError{Tool: c.Request.Name, Pointer: pointer, Err: err}
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
			output, err = nil, panicked(c.Definition(), p)
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
	c.show(reading)
	s := ScopeFrom(ctx)
	if err := c.tool.peculiar().demand.Missing(s.store()); err != nil { // whatever the arguments are
		return nil, &ScopeError{Err: err}
	}
	c.ran = true
	in := invocations.Get().(*Invocation)
	if in.vars.tool != c.tool {
		in.vars.tool = c.tool
	}
	if s != nil {
		in.vars.Access, in.refers = c.meant.To(s.store()), s.refersToValues
	}
	in.check = check
	in.context = &callContext{run: in, reading: reading}
	in.context.at(ctx, c)
	layer := len(c.tool.settings.middleware)
	from, over := c.enter(layer), false
	defer func() { // also where the function panicked after its hooks
		if in.changed != nil {
			c.show(in.changed)
			in.changed = nil
		}
		if over {
			in.release()
		} else {
			_ = c.leave(layer, from, errGoexit)
		}
	}()
	output, err := in.run()
	over = true
	return output, c.leave(layer, from, err)
}
