package llmtest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// answerTests check unusual answers.
var answerTests = []test{
	{name: "usage", run: checkUsage},
	{name: "finish", run: checkFinish},
	{name: "refusal", run: checkRefusal},
	{name: "empty answer", run: checkEmptyAnswer},
	{name: "truncated text", run: checkTruncatedText},
	{name: "truncated call", run: checkTruncatedCall},
	{name: "unknown members", run: checkUnknownMembers},
}

func checkUsage(c *check) {
	a := textAnswer("Yes.")
	a.Response.Usage = llm.Usage{Input: 2048, Output: 97, Cached: 1024, Reasoning: 64}
	c.checkResponse(c.mustGenerate(llm.Request{Prompt: "?"}, a), a.Response)
}

func checkFinish(c *check) {
	a := textAnswer("Yes.")
	c.checkResponse(c.mustGenerate(llm.Request{Prompt: "?"}, a), a.Response)
	tools := []tool.Definition{timeTool}
	b := callAnswer(newRequest("call_1", "now", `{}`))
	c.checkResponse(c.mustGenerate(llm.Request{Prompt: "?", Tools: tools}, c.toWire(tools, b)), b.Response)
}

// checkRefusal checks refused answers, without text and with the beginning of a text.
func checkRefusal(c *check) {
	for _, text := range []string{"", "First,"} {
		a := textAnswer(text)
		a.Response.Finish = llm.FinishRefused
		got := c.mustGenerate(llm.Request{Prompt: "?"}, a)
		if got.Finish != llm.FinishRefused {
			c.Errorf("the response is %+v, want the finish %s", got, llm.FinishRefused)
		}
	}
}

func checkEmptyAnswer(c *check) {
	a := textAnswer("")
	c.checkResponse(c.mustGenerate(llm.Request{Prompt: "?"}, a), a.Response)
}

func checkTruncatedText(c *check) {
	a := textAnswer("It is")
	a.Response.Finish = llm.FinishLength
	c.checkResponse(c.mustGenerate(llm.Request{Prompt: "?", MaxTokens: 2}, a), a.Response)
}

// checkTruncatedCall checks an answer that ends in the middle of the arguments of a call.
func checkTruncatedCall(c *check) {
	call := newRequest("call_1", "get_weather", `{"city":"Os`)
	call.Truncated = true
	a := callAnswer(call)
	a.Response.Finish = llm.FinishLength
	got := c.mustGenerate(llm.Request{Prompt: "?", Tools: []tool.Definition{weatherTool}}, a)
	if got.Finish != llm.FinishLength || len(got.Calls) > 1 || len(got.Calls) == 1 && !got.Calls[0].Truncated {
		c.Errorf("the response is %+v, want the finish %s and a truncated call", got, llm.FinishLength)
	}
}

func checkUnknownMembers(c *check) {
	a := textAnswer("Yes.")
	a.Unknown = true
	c.checkResponse(c.mustGenerate(llm.Request{Prompt: "?"}, a), a.Response)
	tools := []tool.Definition{weatherTool}
	b := callAnswer(newRequest("call_1", "get_weather", `{"city":"Oslo"}`))
	b.Unknown, b.Response.Reasoning, b.Opaque = true, "Hm.", opaque
	got := c.mustGenerate(llm.Request{Prompt: "?", Tools: tools}, c.toWire(tools, b))
	c.checkResponse(got, b.Response)
	c.checkSentBack([]llm.Message{{Role: llm.RoleUser, Text: "?"}, got.Message(), resultMessage("call_1", `"snow"`)}, tools)
}

// errorTests check errors of providers and of the network.
var errorTests = []test{
	failureTest(llm.RateLimited, 7*time.Second, true),
	failureTest(llm.QuotaExceeded, 0, false),
	failureTest(llm.Unauthorized, 0, false),
	failureTest(llm.BadRequest, 0, false),
	failureTest(llm.ContextFull, 0, false),
	failureTest(llm.ServerError, 3*time.Second, true),
	failureTest(llm.Timeout, 0, true),
	{name: "error after the beginning", run: checkLateError},
	faultTest("no connection", HangUp, []string{llm.Unreachable}, []string{llm.Unreachable}),
	faultTest("broken connection", Cut, []string{llm.Unreachable, llm.CutOff}, []string{llm.CutOff}),
	faultTest("early end", EndEarly, []string{llm.Malformed, llm.Unreachable, llm.CutOff}, []string{llm.CutOff, llm.Malformed}),
	faultTest("empty body", Empty, []string{llm.Malformed}, []string{llm.Malformed, llm.CutOff}),
	faultTest("page of a proxy", HTML, []string{llm.Malformed}, []string{llm.Malformed, llm.CutOff}),
	faultTest("empty object", NoMembers, []string{llm.Malformed}, []string{llm.Malformed, llm.CutOff}),
}

// failureTest returns the test of an error that a provider reports.
func failureTest(kind string, wait time.Duration, retryable bool) test {
	return test{name: "error " + kind, run: func(c *check) {
		const text = "the provider's own words"
		e := c.mustFail(llm.Request{Prompt: "?"}, Answer{Err: &llm.Error{Kind: kind, RetryAfter: wait, Err: errors.New(text)}}, kind)
		if e.RetryAfter != wait || e.Retryable() != retryable || !c.isDirect() && e.Status < 400 {
			c.Errorf("the error %q is retryable: %t, after %v, with the status %d; want %t after %v", e, e.Retryable(), e.RetryAfter, e.Status, retryable, wait)
		}
		if !strings.Contains(e.Error(), text) || strings.Contains(e.Error(), Key) {
			c.Errorf("the error is %q, want it to contain %q and no key", e, text)
		}
		a := textAnswer("Yes.")
		c.checkResponse(c.mustGenerate(llm.Request{Prompt: "?"}, a), a.Response)
	}}
}

// checkLateError checks an error that a stream reports after the beginning of a text.
func checkLateError(c *check) {
	a := textAnswer("It is a long ")
	a.Err = &llm.Error{Kind: llm.ServerError, Err: errors.New("overloaded")}
	if e := c.mustFail(llm.Request{Prompt: "?"}, a, llm.ServerError); !strings.Contains(e.Error(), "overloaded") {
		c.Errorf("the error is %q", e)
	}
}

// faultTest returns the test of an answer that does not arrive completely. The error must have one of the
// kinds in whole or streamed, and must be retryable.
func faultTest(name string, fault Fault, whole, streamed []string) test {
	return test{name: name, run: func(c *check) {
		kinds := whole
		if c.mode.streamed && !c.isDirect() {
			kinds = streamed
		}
		if c.isDirect() {
			kinds = append(kinds, streamed...)
		}
		a := textAnswer(strings.Repeat("Words. ", 30))
		a.Fault = fault
		if e := c.mustFail(llm.Request{Prompt: "?"}, a, kinds...); !e.Retryable() {
			c.Errorf("the error %q is not retryable", e)
		}
	}}
}

// contextTests check requests whose context is done.
var contextTests = []test{
	{name: "canceled before", run: checkCanceledBefore},
	contextTest("cancellation", Hang, context.Canceled, llm.Cancelled),
	contextTest("cancellation in an answer", HangLater, context.Canceled, llm.Cancelled),
	contextTest("deadline", Hang, context.DeadlineExceeded, llm.Timeout),
	contextTest("deadline in an answer", HangLater, context.DeadlineExceeded, llm.Timeout),
	{name: "abandoned stream", run: checkAbandoned},
}

// stoppedContext is a context that a test stops, with the error of a cancellation or of a deadline.
type stoppedContext struct {
	context.Context
	done chan struct{}
	stop func()
	err  error
}

func newStoppedContext(ctx context.Context, err error) *stoppedContext {
	done := make(chan struct{})
	return &stoppedContext{ctx, done, sync.OnceFunc(func() { close(done) }), err}
}

func (s *stoppedContext) Done() <-chan struct{} { return s.done }

func (s *stoppedContext) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

func checkCanceledBefore(c *check) {
	ctx := newStoppedContext(c.Context(), context.Canceled)
	ctx.stop()
	c.checkStopped(ctx, llm.Cancelled)
	if sent := c.double.Requests(); len(sent) > 0 {
		c.Errorf("the model sent %s", sent[0])
	}
}

// checkStopped sends a request that must fail with an error of the given kind because ctx is done.
func (c *check) checkStopped(ctx *stoppedContext, kind string) {
	c.Helper()
	response, err := c.generate(ctx, llm.Request{Prompt: "?"})
	if e, ok := errors.AsType[*llm.Error](err); !ok || e.Kind != kind || !errors.Is(err, ctx.err) {
		c.Errorf("the model returns %+v, %v, want an error of the kind %s that wraps %v", response, err, kind, ctx.err)
	}
}

// contextTest returns the test of a context that is done for the given reason while the provider sends
// nothing.
func contextTest(name string, fault Fault, reason error, kind string) test {
	return test{name: name, run: func(c *check) {
		a := textAnswer(strings.Repeat("Words. ", 30))
		a.Fault = fault
		c.double.script(a)
		ctx := newStoppedContext(c.Context(), reason)
		go func() {
			<-c.double.hangs
			ctx.stop()
		}()
		c.checkStopped(ctx, kind)
	}}
}

// checkAbandoned stops reading a stream. The model must then close the connection; otherwise the test would
// not end.
func checkAbandoned(c *check) {
	a := textAnswer(strings.Repeat("Words. ", 30))
	if !c.isDirect() && c.mode.streamed {
		a.Fault = HangLater
	}
	c.double.script(a)
	for chunk, err := range llm.Stream(c.Context(), c.model, llm.Request{Prompt: "?"}) {
		if err != nil {
			c.Error(err)
		}
		if chunk.Text != "" {
			break
		}
	}
	b := textAnswer("Yes.")
	c.checkResponse(c.mustGenerate(llm.Request{Prompt: "?"}, b), b.Response)
}
