package tool

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/errtype"
	"github.com/aiongen/aiongen/runtime/internal/result"
)

// Check reads the arguments with the scope of ctx, without running the function. If the call would fail because of
// them, it returns the error, usually an [*ArgumentError]. Check sets Arguments and Repairs, unless the function has
// run. Do not call Check and Invoke concurrently.
func (c *Call) Check(ctx context.Context) error {
	var trial Call
	trial.setRequest(c.tool, c.Request)
	_, err := trial.invokeTool(ctx, true)
	if !c.attempted && (c.Status == StatusPending || c.Status == StatusProcessing) {
		c.Arguments, c.Repairs = trial.Arguments, trial.Repairs
	}
	return err
}

// Invoke runs the call once, on the goroutine of the caller, and returns when its status is final:
//
//   - completed if the function returned a result, even after ctx was done;
//   - cancelled if there is no result and ctx was canceled;
//   - failed otherwise, including after a deadline.
//
// If ctx is done already, the function does not run. Invoke does not panic. Concurrent calls to Invoke wait for the
// first one, and a call runs only once. In a [Handler], Invoke does nothing. Invoke always waits for the function,
// even if the function ignores ctx. If the function calls runtime.Goexit, the goroutine of the caller ends, too.
func (c *Call) Invoke(ctx context.Context) {
	if c.invokeLock == nil {
		return
	}
	c.invokeLock.Lock()
	defer c.invokeLock.Unlock()
	if c.Status == StatusPending {
		c.runCall(ctx)
	}
}

// runCall runs the call. Without middleware, c does not escape to the heap, so that callers can keep it on their
// stack.
func (c *Call) runCall(ctx context.Context) {
	if c.tool != nil && c.tool.settings.handler != nil {
		c.runMiddleware(ctx)
		return
	}
	c.Status, c.Started = StatusProcessing, time.Now()
	defer c.endCall()
	c.setOutcome(ctx, c.handleCall(ctx))
}

// runMiddleware runs the call inside all middleware. The middleware receives a copy of the call, because it may
// retain the call. Invoke does nothing on this copy.
func (c *Call) runMiddleware(ctx context.Context) {
	m, lock := &middlewareCall{call: *c}, c.invokeLock
	m.call.invokeLock = nil
	defer func() { // also after runtime.Goexit
		*c = m.call
		c.invokeLock = lock
	}()
	m.call.Status, m.call.Started = StatusProcessing, time.Now()
	m.context.bindCall(ctx, &m.call)
	defer m.call.endCall()
	_, err := c.tool.settings.handler(&m.context, &m.call)
	m.call.setOutcome(ctx, err)
}

// setOutcome sets the status and the error of a call. The result is in c.Output already.
func (c *Call) setOutcome(ctx context.Context, err error) {
	if err != nil {
		_ = err.Error() // if this panics, it does so here, where endCall recovers from it
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

// isCancelled reports whether err is a consequence of the cancellation of ctx. Errors in the arguments or in the
// result are not.
func isCancelled(ctx context.Context, err error) bool {
	return errors.Is(ctx.Err(), context.Canceled) && (errtype.Is[*ToolError](err) || errors.Is(err, context.Canceled))
}

// endCall completes the record of the call. Callers defer it, so that it also runs after a panic or runtime.Goexit.
func (c *Call) endCall() {
	if p := recover(); p != nil || c.Status == StatusProcessing {
		if p == nil {
			p = errGoexit
		}
		c.Status, c.Output, c.Err = StatusFailed, nil, newPanicError(Definition{Name: c.Request.Name}, p)
	}
	c.finishExchange()
	c.Duration = max(time.Since(c.Started), 1)
}

// errGoexit is the value of the PanicError of a function that called runtime.Goexit.
var errGoexit = errors.New("the function ended its goroutine (runtime.Goexit)")

// handleCall is the innermost handler. It stores the result in c.Output.
func (c *Call) handleCall(ctx context.Context) (err error) {
	if c.tool == nil || ctx.Err() == nil { // without a tool, invokeTool returns an error, which takes precedence over that of ctx
		c.Output, err = c.invokeTool(ctx, false)
		return err
	}
	c.Output = nil
	return ctx.Err()
}

// wrapMiddleware sets the handler, if there is any middleware.
func (s *settings) wrapMiddleware() {
	if len(s.middleware) == 0 {
		return
	}
	s.handler = func(ctx context.Context, c *Call) (json.RawMessage, error) {
		err := c.handleCall(ctx)
		return c.Output, err
	}
	for layer, m := range slices.Backward(s.middleware) {
		s.handler = checkHandlerOutput(layer, m(s.handler))
	}
}

// checkHandlerOutput returns a handler that checks the results of the handler of a layer. If a result has the same
// address as c.Output, an inner layer has already checked it.
func checkHandlerOutput(layer int, handler Handler) Handler {
	return func(ctx context.Context, c *Call) (json.RawMessage, error) {
		start := c.enterLayer(layer)
		output, err := handler(ctx, c)
		isChecked := len(output) > 0 && len(output) == len(c.Output) && &output[0] == &c.Output[0]
		if err == nil && !isChecked {
			output, err = c.checkOutput(output)
		}
		if err = c.leaveLayer(layer, start, err); err == nil {
			c.Output = output
		}
		return output, err
	}
}

// checkOutput returns the result of a handler, or an error if it is invalid. A nil result becomes null.
func (c *Call) checkOutput(output json.RawMessage) (json.RawMessage, error) {
	if output == nil {
		output = json.RawMessage("null")
	}
	pointer, err := result.Check(output, c.tool.settings.Output)
	if err != nil {
		return nil, &OutputError{Tool: c.Request.Name, Pointer: pointer, Err: err}
	}
	return output, nil
}

// invokeTool reads the arguments and, unless checkOnly is true, runs the function. If the arguments have faults, it
// tries again with repaired arguments. Middleware may cause several invocations for one call.
func (c *Call) invokeTool(ctx context.Context, checkOnly bool) (output json.RawMessage, err error) {
	switch {
	case c.tool == nil:
		return nil, &UnknownToolError{Name: c.Request.Name}
	case c.Request.Truncated && c.tool.definition != nil:
		return nil, &TruncatedError{Tool: c.Request.Name}
	}
	defer func() {
		if p := recover(); p != nil {
			output, err = nil, newPanicError(c.Definition(), p)
		}
	}()
	output, err = c.attemptTool(ctx, checkOnly, nil)
	argumentErr, isArgumentError := errtype.As[*ArgumentError](err)
	if !isArgumentError {
		return output, err
	}
	repaired := c.repairArguments(ScopeFrom(ctx), argumentErr)
	if repaired == nil {
		return nil, argumentErr
	}
	output, err = c.attemptTool(ctx, checkOnly, repaired)
	if errtype.Is[*ArgumentError](err) {
		c.setArguments(nil)
		return nil, argumentErr
	}
	return output, err
}

// attemptTool runs the tool on the arguments of the request, or on the repaired ones.
func (c *Call) attemptTool(ctx context.Context, checkOnly bool, repaired *RepairedArguments) (output json.RawMessage, err error) {
	c.setArguments(repaired)
	s := ScopeFrom(ctx)
	if err := c.tool.traitsOrZero().demand.checkScope(s); err != nil {
		return nil, &ScopeError{Err: err}
	}
	c.attempted = true
	a := c.beginAttempt(ctx, s, checkOnly, repaired)
	err = errGoexit // overwritten if runTool returns
	defer func() { err = c.endAttempt(a, err) }()
	output, err = a.invocation.runTool()
	return output, err
}

// attempt is one run of a tool, in the innermost layer of the exchange. It has no pointer to its call, because that
// would move the call to the heap.
type attempt struct {
	invocation *Invocation
	layer      int
	start      int
}

// beginAttempt returns an attempt with an invocation from the pool.
func (c *Call) beginAttempt(ctx context.Context, s *Scope, checkOnly bool, repaired *RepairedArguments) attempt {
	in := invocationPool.Get().(*Invocation)
	if in.variables.tool != c.tool {
		in.variables.tool = c.tool
	}
	if s != nil {
		in.variables.scopeAccess, in.refersToValues = c.initialAccess.forRun(s), s.refersToValues
	}
	in.checkOnly = checkOnly
	in.context = &callContext{invocation: in, replacement: repaired}
	in.context.bindCall(ctx, c)
	layer := len(c.tool.settings.middleware)
	return attempt{in, layer, c.enterLayer(layer)}
}

// endAttempt ends an attempt and returns its final error. After a panic or runtime.Goexit, err is errGoexit. In this
// case, the invocation does not return to the pool, because the function may still use it.
func (c *Call) endAttempt(a attempt, err error) error {
	if a.invocation.hookArguments != nil {
		c.setArguments(a.invocation.hookArguments)
		a.invocation.hookArguments = nil
	}
	if !errors.Is(err, errGoexit) {
		a.invocation.returnToPool()
	}
	return c.leaveLayer(a.layer, a.start, err)
}
