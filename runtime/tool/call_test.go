package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// match returns a call of a function that takes no arguments and returns text.
func match(t *testing.T, run func(context.Context) (string, error)) *tool.Call {
	t.Helper()
	r := tool.NewRegistry()
	r.Replace(textTool("t", func(ctx context.Context, _ struct{}) (string, error) { return run(ctx) }).Tool)
	c, err := r.Match(tool.Request{ID: "1", Name: "t"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// textTool returns a tool without arguments whose result is text.
func textTool(name string, run func(context.Context, struct{}) (string, error)) *tool.TypedTool[struct{}, string] {
	return tool.NewTypedTool(&tool.Definition{Name: name}, wire.NoArguments, run, (*wire.Encoder).Str)
}

func TestCall(t *testing.T) {
	c := hundredTools(t).Call(t.Context(), tool.Request{ID: "7", Name: "search", Arguments: json.RawMessage(payload)})
	if c.Err != nil || string(c.Output) != `{"ok":true,"count":25,"message":"author"}` || c.Status != tool.StatusCompleted {
		t.Errorf("%s %s: %v", c.Status, c.Output, c.Err)
	}
	if c.ID != "7" || string(c.Arguments) != payload || c.Started.IsZero() || c.Duration <= 0 {
		t.Errorf("%+v", c)
	}
}

var hundred = func() *tool.Registry {
	r := tool.NewRegistry()
	r.Replace(append(manyTools(99), tool.Generated(&searchDefinition, invokeSearch))...)
	return r
}()

// TestInvoke checks every way in which a call can end.
func TestInvoke(t *testing.T) {
	live := context.Background()
	stopped, stop := context.WithCancel(live)
	stop()
	late, done := context.WithDeadline(live, time.Now().Add(-time.Hour))
	defer done()
	own := errors.New("no such thing")

	for name, test := range map[string]struct {
		ctx    context.Context
		run    func(ctx context.Context) (string, error)
		status tool.Status
		text   string
		is     error // the errors that errors.Is finds
	}{
		"result":    {live, func(context.Context) (string, error) { return "x", nil }, tool.StatusCompleted, "", nil},
		"error":     {live, func(context.Context) (string, error) { return "", own }, tool.StatusFailed, "t: no such thing", own},
		"panic":     {live, func(context.Context) (string, error) { panic("boom") }, tool.StatusFailed, "t: panic: boom", nil},
		"error too": {live, func(context.Context) (string, error) { panic(own) }, tool.StatusFailed, "t: panic: no such thing", own},
		"nil panic": {live, func(context.Context) (string, error) { panic(nil) }, tool.StatusFailed, "t: panic: panic called with nil argument", nil},
		"cancelled before": {stopped, func(context.Context) (string, error) { t.Error("it ran"); return "", nil },
			tool.StatusCancelled, "context canceled", context.Canceled},
		"late before": {late, func(context.Context) (string, error) { t.Error("it ran"); return "", nil },
			tool.StatusFailed, "context deadline exceeded", context.DeadlineExceeded},
		"own cancellation": {live, func(context.Context) (string, error) { return "", stopped.Err() },
			tool.StatusFailed, "t: context canceled", context.Canceled},
	} {
		c := match(t, test.run)
		c.Invoke(test.ctx)
		text := ""
		if c.Err != nil {
			text = c.Err.Error()
		}
		if c.Status != test.status || text != test.text || c.Duration <= 0 || c.Started.IsZero() || test.is != nil && !errors.Is(c.Err, test.is) {
			t.Errorf("%s: %s %v, %v", name, c.Status, c.Duration, c.Err)
		}
		if (c.Err == nil) != (string(c.Output) == `"x"`) {
			t.Errorf("%s: output %s", name, c.Output)
		}
	}
}

// TestInvokeCancelled cancels the context while the function runs.
func TestInvokeCancelled(t *testing.T) {
	for name, test := range map[string]struct {
		result string
		err    error
		status tool.Status
		text   string
	}{
		"heeds":      {"", context.Canceled, tool.StatusCancelled, "t: context canceled"},
		"own words":  {"", errors.New("interrupted"), tool.StatusCancelled, "t: context canceled: interrupted"},
		"has result": {"x", nil, tool.StatusCompleted, ""},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		c := match(t, func(context.Context) (string, error) { cancel(); return test.result, test.err })
		c.Invoke(ctx)
		if c.Status != test.status || test.err != nil && (c.Err.Error() != test.text || !errors.Is(c.Err, context.Canceled) || !errors.Is(c.Err, test.err)) {
			t.Errorf("%s: %s %v", name, c.Status, c.Err)
		}
	}

	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c := match(t, func(ctx context.Context) (string, error) { <-ctx.Done(); return "", ctx.Err() })
		c.Invoke(ctx)
		var failed *tool.ToolError
		if c.Status != tool.StatusFailed || !errors.As(c.Err, &failed) || !tool.Retryable(failed) || c.Duration != time.Second {
			t.Errorf("deadline: %s %v", c.Status, c.Err)
		}
	})
}

// TestCancelAnywhere cancels the context at each point of a call. An existing result counts, and a
// function that has not started does not start.
func TestCancelAnywhere(t *testing.T) {
	for place, want := range map[string]string{
		"first":      "cancelled, function did not run",
		"middleware": "cancelled, function did not run",
		"read":       "completed",
		"before":     "completed",
		"function":   "completed",
		"after":      "completed",
		"write":      "completed",
		"returned":   "completed",
		"last":       "completed",
	} {
		for _, heeds := range []bool{false, true} {
			ctx, cancel := context.WithCancel(t.Context())
			ran := false
			at := func(here string) {
				if here == place {
					cancel()
				}
			}
			r := tool.NewRegistry(tool.Use(func(next tool.Handler) tool.Handler {
				return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
					at("middleware")
					defer at("returned")
					return next(ctx, c)
				}
			}))
			r.Replace(tool.NewTypedTool(&tool.Definition{Name: "t"}, func(wire.Value) (none struct{}) { at("read"); return none },
				func(ctx context.Context, _ struct{}) (string, error) {
					ran = true
					if at("function"); heeds {
						return "", ctx.Err()
					}
					return "x", nil
				}, func(e *wire.Encoder, lead, x string) { at("write"); e.Str(lead, x) }).
				Before(func(context.Context, *struct{}) error { at("before"); return nil }).
				After(func(context.Context, *struct{}, *string) error { at("after"); return nil }).Tool)
			c, err := r.Match(tool.Request{Name: "t"})
			if err != nil {
				t.Fatal(err)
			}
			at("first")
			c.Invoke(ctx)
			at("last")
			c.Invoke(ctx)
			got := string(c.Status)
			if !ran {
				got += ", function did not run"
			}
			wanted := want
			if heeds && strings.Contains("read before function", place) {
				wanted = "cancelled"
			}
			if got != wanted || (c.Err != nil) != (c.Output == nil) || c.Err != nil && !errors.Is(c.Err, context.Canceled) || c.Duration <= 0 {
				t.Errorf("%s, heeded %v: %s, %s %v", place, heeds, got, c.Output, c.Err)
			}
			cancel()
		}
	}
}

// TestInvokePanicking checks panics outside of the function.
func TestInvokePanicking(t *testing.T) {
	stopping, cancel := context.WithCancel(t.Context())
	defer cancel()
	fine := func(context.Context, struct{}) (string, error) { return "", nil }
	for name, x := range map[string]tool.Tool{
		"read": tool.NewTypedTool(&tool.Definition{Name: "t"}, func(wire.Value) struct{} { panic("boom") }, fine, (*wire.Encoder).Str).Tool,
		"write": tool.NewTypedTool(&tool.Definition{Name: "t"}, wire.NoArguments, fine,
			func(e *wire.Encoder, lead, _ string) { e.JSON(lead, bomb{}) }).Tool,
		"describe": tool.NewTypedTool(&tool.Definition{Name: "t"}, wire.NoArguments,
			func(context.Context, struct{}) (bomb, error) { return bomb{}, nil }, wire.EncodeRef).Tool,
		"text": tool.NewTypedAction(&tool.Definition{Name: "t"}, func(v wire.Value) (none struct{}) {
			wire.JSON[bombText](v)
			return none
		}, func(context.Context, struct{}) error { return nil }).Tool,
		"repair": textTool("t", fine).Before(func(context.Context, *struct{}) error { return nil }).
			Tool.Tolerant(func(string, json.RawMessage) (tool.RepairedArguments, error) { panic("boom") }),
		"error": textTool("t", func(context.Context, struct{}) (string, error) { cancel(); return "", bomb{} }).Tool,
		"hook":  textTool("t", fine).Before(func(context.Context, *struct{}) error { panic("boom") }).Tool,
	} {
		r := tool.NewRegistry()
		r.Replace(x)
		ctx := t.Context()
		request := tool.Request{Name: "t"}
		switch name {
		case "error":
			ctx = stopping
		case "describe":
			ctx = tool.WithScope(ctx, tool.NewScope())
		case "repair":
			request.Arguments = []byte("{")
		}
		c := r.Call(ctx, request)
		var p *tool.PanicError
		if c.Status != tool.StatusFailed || !errors.As(c.Err, &p) || p.Value != "boom" || !strings.Contains(string(p.Stack), "call_test.go") || c.Output != nil {
			t.Errorf("%s: %s %s %v", name, c.Status, c.Output, c.Err)
		}
	}
	r := tool.NewRegistry()
	r.Replace(tool.NewTypedAction(&tool.Definition{Name: "t"}, func(wire.Value) struct{} { panic("boom") }, nil).Tool)
	c, _ := r.Match(tool.Request{Name: "t"})
	if err := c.Check(t.Context()); err == nil || err.Error() != "t: panic: boom" {
		t.Error(err)
	}
}

// bomb panics in every method.
type bomb struct{}

func (bomb) MarshalJSON() ([]byte, error) { panic("boom") }
func (bomb) Error() string                { return "bomb" }
func (bomb) Is(error) bool                { panic("boom") }
func (bomb) Describe() string             { panic("boom") }

// bombText panics when its text is requested.
type bombText struct{}

func (*bombText) UnmarshalJSON([]byte) error { panic("boom") }

// TestLateError checks a function whose error does not mention the deadline that it missed.
func TestLateError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c := match(t, func(ctx context.Context) (string, error) { <-ctx.Done(); return "", errors.New("own") })
		c.Invoke(ctx)
		var failed *tool.ToolError
		if !errors.Is(c.Err, context.DeadlineExceeded) || !errors.As(c.Err, &failed) || !tool.Retryable(failed) || !strings.HasSuffix(c.Err.Error(), ": own") {
			t.Errorf("%v", c.Err)
		}
	})
}

// nilError panics when its text is requested.
type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

func TestErrorPanics(t *testing.T) {
	c := match(t, func(context.Context) (string, error) { var e *nilError; return "", e })
	c.Invoke(t.Context())
	var p *tool.PanicError
	if !errors.As(c.Err, &p) || c.Err.Error() == "" {
		t.Errorf("%v", c.Err)
	}
}

func TestInvokeGoexit(t *testing.T) {
	c := match(t, func(context.Context) (string, error) { runtime.Goexit(); return "", nil })
	var wg sync.WaitGroup
	wg.Go(func() {
		c.Invoke(context.Background())
		t.Error("the goroutine goes on")
	})
	wg.Wait()
	c.Invoke(t.Context())
	if c.Status != tool.StatusFailed || c.Duration <= 0 || !strings.HasSuffix(c.Err.Error(), "(runtime.Goexit)") {
		t.Errorf("%s %v", c.Status, c.Err)
	}
}

func TestInvokeTwice(t *testing.T) {
	started, proceed := make(chan bool), make(chan bool)
	runs := 0
	c := match(t, func(context.Context) (string, error) {
		runs++
		close(started)
		<-proceed
		return "x", nil
	})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			c.Invoke(context.Background())
			if c.Status != tool.StatusCompleted || string(c.Output) != `"x"` {
				t.Errorf("%s %s", c.Status, c.Output)
			}
		})
	}
	<-started
	close(proceed)
	wg.Wait()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	before := c.Duration
	c.Invoke(stopped)
	if runs != 1 || c.Duration != before || c.Status != tool.StatusCompleted {
		t.Errorf("%d runs, %v", runs, c.Duration)
	}
}

func TestInvokeNoResult(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(tool.NewTypedAction(&tool.Definition{Name: "t"}, wire.NoArguments, func(context.Context, struct{}) error { return nil }).Tool)
	if c := r.Call(t.Context(), tool.Request{Name: "t"}); string(c.Output) != "null" || c.Status != tool.StatusCompleted {
		t.Errorf("%s %s", c.Status, c.Output)
	}
}

func TestCheck(t *testing.T) {
	runs := 0
	c := match(t, func(context.Context) (string, error) { runs++; return "x", nil })
	if err := c.Check(t.Context()); err != nil || runs != 0 || c.Status != tool.StatusPending {
		t.Errorf("%v, %d runs, %s", err, runs, c.Status)
	}
	c.Invoke(t.Context())
	if runs != 1 || c.Status != tool.StatusCompleted || string(c.Arguments) != "{}" || c.Request.Arguments != nil {
		t.Errorf("%d runs, %s, %s", runs, c.Status, c.Arguments)
	}
	c, _ = hundred.Match(tool.Request{Name: "search", Arguments: json.RawMessage("{")})
	var bad *tool.ArgumentError
	if err := c.Check(t.Context()); !errors.As(err, &bad) || bad.Tool != "search" {
		t.Error(err)
	}
}

// TestCheckAfter checks that Check does not change a call that has run.
func TestCheckAfter(t *testing.T) {
	again := errors.New("again")
	r := tool.NewRegistry(tool.Use(func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			output, err := next(ctx, c)
			if err := c.Check(ctx); err != nil {
				t.Error(err)
			}
			return output, err
		}
	}), tool.Tolerant(func(string, json.RawMessage) (tool.RepairedArguments, error) {
		return tool.RepairedArguments{Value: []byte(`{"name":"ada"}`), Edits: []tool.Edit{{Kind: "name"}}}, nil
	}))
	shout := func(_ context.Context, a *greetArgs) error { a.Name += "!"; return nil }
	r.Replace(greetTool(new([]string)).Before(shout).Tool,
		textTool("fails", func(context.Context, struct{}) (string, error) { return "", again }).Tool)
	for _, request := range []tool.Request{{Name: "greet", Arguments: []byte(`{"nam":"ada"}`)}, {Name: "fails"}} {
		c, err := r.Match(request)
		if err != nil {
			t.Fatal(err)
		}
		c.Invoke(t.Context())
		if c.Err == nil && (string(c.Arguments) != `{"name":"ada!"}` || len(c.Repairs) != 1) {
			t.Errorf("%s %v", c.Arguments, c.Repairs)
		}
		before, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		stopped, stop := context.WithCancel(t.Context())
		stop()
		if err := c.Check(stopped); err != nil {
			t.Error(err)
		}
		if after, err := json.Marshal(c); err != nil || string(after) != string(before) {
			t.Errorf("%v\n%s\n%s", err, before, after)
		}
	}
}

func TestTruncated(t *testing.T) {
	request := tool.Request{Name: "search", Arguments: json.RawMessage(payload), Truncated: true}
	c, err := hundred.Match(request)
	if err != nil {
		t.Fatal(err)
	}
	var cut *tool.TruncatedError
	if err := c.Check(t.Context()); !errors.As(err, &cut) {
		t.Error(err)
	}
	if c := hundred.Call(t.Context(), request); c.Status != tool.StatusFailed || !errors.As(c.Err, &cut) || cut.Tool != "search" {
		t.Errorf("%s %v", c.Status, c.Err)
	}
}

// TestErrors checks the text, the code and other properties of each error.
func TestErrors(t *testing.T) {
	inner := errors.New("inner")
	for _, test := range []struct {
		err        error
		code, text string
		retryable  bool
	}{
		{&tool.UnknownToolError{Name: "serch", Nearest: []string{"search", "sear"}}, "unknown_tool", `unknown tool "serch", did you mean search or sear?`, false},
		{&tool.UnknownToolError{Name: strings.Repeat("x", 1000)}, "unknown_tool", `unknown tool "` + strings.Repeat("x", 64) + `…"`, false},
		{&tool.UnknownToolError{Name: strings.Repeat("\x8a", 65)}, "unknown_tool", `unknown tool "` + strings.Repeat(`\x8a`, 60) + `…"`, false},
		{&tool.UnknownToolError{Name: strings.Repeat("é", 40)}, "unknown_tool", `unknown tool "` + strings.Repeat("é", 32) + `…"`, false},
		{&tool.UnknownToolError{Name: "a" + strings.Repeat("é", 40)}, "unknown_tool", `unknown tool "a` + strings.Repeat("é", 31) + `…"`, false},
		{&tool.DuplicateError{Name: "a"}, "duplicate_tool", `a tool "a" is registered already`, false},
		{&tool.TruncatedError{Tool: "a"}, "truncated", "a: the request was cut off, its arguments may be incomplete", false},
		{&tool.ArgumentError{Tool: "a", Faults: []tool.Fault{{Pointer: "/b", Expected: "x", Found: "y"}, {Pointer: "", Expected: "x", Found: "y"}}, Count: 2}, "invalid_arguments",
			"a: wrong arguments: /b: expected x, found y; arguments: expected x, found y", false},
		{&tool.ArgumentError{Tool: "a", Faults: []tool.Fault{{Pointer: "/b", Expected: "x", Found: "y"}}, Count: 3, Repair: inner}, "invalid_arguments",
			"a: wrong arguments: /b: expected x, found y; and 2 more; repair failed: inner", false},
		{&tool.DeniedError{Tool: "a"}, "denied", "a: the call is not allowed", false},
		{&tool.ApprovalError{Tool: "a"}, "needs_approval", "a: the call needs the approval of a person", false},
		{&tool.ScopeError{Name: "x", Err: inner}, "scope", `variable "x": inner`, false},
		{&tool.ScopeError{Err: inner}, "scope", "inner", false},
		{&tool.ToolError{Tool: "a", Err: inner}, "tool_failed", "a: inner", false},
		{&tool.ToolError{Tool: "a", Err: fmt.Errorf("b: %w", &tool.ToolError{Tool: "b", Err: context.DeadlineExceeded})}, "tool_failed", "a: b: b: context deadline exceeded", true},
		{&tool.PanicError{Tool: "a", Value: inner, Stack: []byte("secret")}, "panic", "a: panic: inner", false},
		{&tool.OutputError{Tool: "a", Pointer: "/x", Err: inner}, "invalid_output", "a: the result cannot be written: /x: inner", false},
	} {
		for _, err := range []error{test.err, fmt.Errorf("%w", test.err), errors.Join(inner, test.err)} {
			if test.err.Error() != test.text || tool.Code(err) != test.code || tool.Retryable(err) != test.retryable {
				t.Errorf("%q %s %v", err, tool.Code(err), tool.Retryable(err))
			}
		}
	}
}

// TestCallJSON writes calls as JSON and reads them back.
func TestCallJSON(t *testing.T) {
	own := func(err error) *tool.Call {
		c := match(t, func(context.Context) (string, error) { return "", err })
		c.Invoke(t.Context())
		return c
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	panicked := match(t, func(context.Context) (string, error) { panic("boom") })
	panicked.Invoke(t.Context())
	pending, _ := hundred.Match(tool.Request{
		ID: "1", Name: "search", Arguments: json.RawMessage(payload), Meta: map[string]string{"user": "u"}, Approval: "yes",
	})
	void := tool.NewRegistry()
	void.Replace(tool.NewTypedAction(&tool.Definition{Name: "void"}, wire.NoArguments, func(context.Context, struct{}) error { return nil }).Tool)
	void.Replace(tool.NewTypedTool(&tool.Definition{Name: "nan"}, wire.NoArguments,
		func(context.Context, struct{}) (float64, error) { return math.NaN(), nil },
		func(e *wire.Encoder, _ string, x float64) { e.Float64(`{"x":`, x) }).Tool)
	call := func(arguments string) *tool.Call {
		return hundred.Call(t.Context(), tool.Request{Name: "search", Arguments: json.RawMessage(arguments)})
	}
	for name, c := range map[string]*tool.Call{
		"pending":   pending,
		"completed": call(payload),
		"null":      void.Call(t.Context(), tool.Request{Name: "void"}),
		"faults":    call(fiveMistakesAndOne),
		"many":      call(`{"tags":[` + strings.Repeat("1,", 99) + `1]}`),
		"broken":    call(`{"a": "é\u0041` + "\n"),
		"no text":   call("{\"query\":\"\xff\"}"),
		"deep":      call(`{"tags":` + strings.Repeat("[", 9999) + strings.Repeat("]", 9999) + "}"),
		"empty":     hundred.Call(t.Context(), tool.Request{Name: "search"}),
		"unknown":   hundred.Call(t.Context(), tool.Request{Name: "serch"}),
		"truncated": hundred.Call(t.Context(), tool.Request{Name: "search", Truncated: true}),
		"own":       own(errors.New("inner")),
		"deadline":  own(fmt.Errorf("inner: %w", context.DeadlineExceeded)),
		"retryable": own(&tool.ToolError{Tool: "x", Err: context.DeadlineExceeded}),
		"cancelled": hundred.Call(stopped, tool.Request{Name: "search"}),
		"panicked":  panicked,
		"output":    void.Call(t.Context(), tool.Request{Name: "nan"}),
		"duplicate": failed(&tool.DuplicateError{Name: "a"}),
		"denied":    failed(&tool.DeniedError{Tool: "a"}),
		"approval":  failed(&tool.ApprovalError{Tool: "a"}),
		"scope":     failed(&tool.ScopeError{Name: "x", Err: errors.New("inner")}),
		"repaired":  {Request: tool.Request{Arguments: json.RawMessage("{a:1}")}, Arguments: json.RawMessage(`{"a":1}`)},
	} {
		text, err := json.Marshal(c)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		back := new(tool.Call)
		if err := json.Unmarshal(text, back); err != nil {
			t.Errorf("%s: %v in %s", name, err, text)
			continue
		}
		compareCalls(t, name, c, back)
		if again, err := json.Marshal(back); err != nil || string(again) != string(text) {
			t.Errorf("%s: again %v\n%s\n%s", name, err, text, again)
		}
	}
}

func compareCalls(t *testing.T, name string, c, back *tool.Call) {
	t.Helper()
	if !reflect.DeepEqual(back.Request, c.Request) || back.ID != c.ID || back.Status != c.Status || back.Duration != c.Duration ||
		!back.Started.Equal(c.Started) || string(back.Arguments) != string(c.Arguments) || string(back.Output) != string(c.Output) {
		t.Errorf("%s:\n%+v\n%+v", name, c, back)
	}
	if reflect.TypeOf(back.Err) != reflect.TypeOf(c.Err) || fmt.Sprint(back.Err) != fmt.Sprint(c.Err) {
		t.Errorf("%s: %T %v, was %T %v", name, back.Err, back.Err, c.Err, c.Err)
	}
	var place *tool.OutputError
	if errors.As(c.Err, &place) && (place.Pointer != "/x" || errors.Unwrap(place).Error() != "NaN is not a JSON number") {
		t.Errorf("%s: %+v", name, place)
	}
	for _, err := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(back.Err, err) != errors.Is(c.Err, err) {
			t.Errorf("%s: %v", name, back.Err)
		}
	}
	if was, is := tool.Code(c.Err), tool.Code(back.Err); was != is {
		t.Errorf("%s: %s, was %s", name, is, was)
	}
	if was, is := tool.Retryable(c.Err), tool.Retryable(back.Err); was != is {
		t.Errorf("%s: %v, was %v", name, is, was)
	}
	var faults *tool.ArgumentError
	if errors.As(c.Err, &faults) && !reflect.DeepEqual(faults, back.Err) {
		t.Errorf("%s: %+v", name, back.Err)
	}
}

func failed(err error) *tool.Call {
	return &tool.Call{Status: tool.StatusFailed, Arguments: json.RawMessage("{}"), Err: err}
}

// TestErrorJSON checks that errors of this package are found inside others that were restored from
// JSON.
func TestErrorJSON(t *testing.T) {
	faults := &tool.ArgumentError{Tool: "b", Faults: []tool.Fault{{Pointer: "/x", Expected: "y", Found: "z"}}, Count: 1, Repair: &tool.TruncatedError{Tool: "b"}}
	back := throughJSON(t, failed(&tool.ToolError{Tool: "a", Err: faults}))
	var argument *tool.ArgumentError
	var truncated *tool.TruncatedError
	if !errors.As(back, &argument) || !reflect.DeepEqual(argument, faults) || !errors.As(back, &truncated) {
		t.Errorf("got %#v", back)
	}
	full := &tool.ScopeError{Name: "x", Err: errors.New("full")}
	back = throughJSON(t, failed(&tool.OutputError{Tool: "a", Pointer: "/x", Err: full}))
	var output *tool.OutputError
	var scope *tool.ScopeError
	if !errors.As(back, &output) || output.Pointer != "/x" || !errors.As(back, &scope) || scope.Name != "x" || scope.Err.Error() != "full" {
		t.Errorf("got %#v", back)
	}
	var panicked *tool.PanicError
	back = throughJSON(t, failed(&tool.PanicError{Tool: "a", Value: 7, Stack: []byte("stack")}))
	if !errors.As(back, &panicked) || panicked.Value != "7" || string(panicked.Stack) != "stack" {
		t.Errorf("got %#v", back)
	}

	// JSON from other sources may be incomplete.
	for name, want := range map[string]string{
		"ToolError": "t: text", "OutputError": "t: the result cannot be written: text", "ScopeError": "text", "PanicError": "t: panic: ",
		"ArgumentError": "t: wrong arguments", "UnknownToolError": `unknown tool "t"`, "later.Error": "text",
	} {
		var c tool.Call
		if err := json.Unmarshal([]byte(`{"status":"failed","error":{"type":"`+name+`","tool":"t","text":"text"}}`), &c); err != nil {
			t.Fatal(err)
		}
		if c.Err.Error() != want || tool.ModelText(c.Err) == "" {
			t.Errorf("%s: %v", name, c.Err)
		}
		throughJSON(t, &c)
	}
}

// throughJSON returns the error of a call that was written as JSON and read again.
func throughJSON(t *testing.T, c *tool.Call) error {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	back := new(tool.Call)
	if err := json.Unmarshal(text, back); err != nil {
		t.Fatal(err)
	}
	return back.Err
}

// TestCallRecord checks JSON that no call has produced.
func TestCallRecord(t *testing.T) {
	var c tool.Call
	if err := json.Unmarshal([]byte(`{"request":{"name":"a"},"arguments":{"x":1},"status":"failed",
		"error":{"type":"*db.Error","code":"db","text":"no connection","retryable":true}}`), &c); err != nil {
		t.Fatal(err)
	}
	var e interface {
		Code() string
		Retryable() bool
	}
	if !errors.As(c.Err, &e) || e.Code() != "db" || !e.Retryable() || c.Err.Error() != "no connection" || string(c.Arguments) != `{"x":1}` {
		t.Errorf("%+v", &c)
	}
	c.Invoke(t.Context())
	if c.Status != tool.StatusFailed || c.Err.Error() != "no connection" {
		t.Errorf("%+v", &c)
	}

	var p tool.Call
	if err := json.Unmarshal([]byte(`{"request":{"name":"a"},"status":"pending"}`), &p); err != nil {
		t.Fatal(err)
	}
	var unknown *tool.UnknownToolError
	if err := p.Check(t.Context()); !errors.As(err, &unknown) {
		t.Error(err)
	}
	p.Invoke(t.Context())
	if p.Status != tool.StatusFailed || !errors.As(p.Err, &unknown) || p.Duration <= 0 {
		t.Errorf("%+v", &p)
	}
	reused := match(t, func(context.Context) (string, error) { t.Error("it ran"); return "", nil })
	if err := json.Unmarshal([]byte(`{"request":{"name":"a"},"status":"pending"}`), reused); err != nil {
		t.Fatal(err)
	}
	if reused.Invoke(t.Context()); !errors.As(reused.Err, &unknown) {
		t.Errorf("%+v", reused)
	}
	for _, text := range []string{`[]`, `{"duration":"x"}`, `{"request":1}`, `{"format":2}`} {
		if err := json.Unmarshal([]byte(text), new(tool.Call)); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

// TestStarted checks that the time of a call is that of the clock, however it is set.
func TestStarted(t *testing.T) {
	for range 3 {
		before := time.Now()
		c := hundred.Call(t.Context(), tool.Request{Name: "search"})
		after := time.Now()
		if c.Started.Before(before) || c.Started.After(after) {
			t.Errorf("%v is not between %v and %v", c.Started, before, after)
		}
		if apart := c.Started.Round(0).Sub(before.Round(0)).Abs(); apart > time.Second {
			t.Errorf("the clock on the wall is %v apart", apart)
		}
		time.Sleep(6 * time.Millisecond)
	}
}

// TestInvocationLeft checks that the next call is not affected by anything that a handwritten tool
// leaves unfinished.
func TestInvocationLeft(t *testing.T) {
	object := func(name string) *tool.Definition {
		return &tool.Definition{Name: name, Input: json.RawMessage(`{"type":"object"}`)}
	}
	failed := errors.New("failed")
	r := tool.NewRegistry()
	r.Replace(
		tool.New(object("reads"), func(_ context.Context, in *tool.Invocation) { in.Arguments().Fail("something else") }),
		tool.New(object("writes"), func(_ context.Context, in *tool.Invocation) {
			in.Arguments()
			in.Ready()
			in.Result().Raw("[")
			in.RecordError(failed)
		}),
		tool.New(object("panics"), func(_ context.Context, in *tool.Invocation) {
			in.Result().Raw("[")
			panic(in.Arguments())
		}),
		textTool("t", func(context.Context, struct{}) (string, error) { return "x", nil }).Tool)
	for range 10 {
		for _, name := range []string{"reads", "writes", "panics"} {
			r.Call(t.Context(), tool.Request{Name: name, Arguments: json.RawMessage(`{"a":[1]}`)})
			if c := r.Call(t.Context(), tool.Request{Name: "t"}); c.Err != nil || string(c.Output) != `"x"` {
				t.Fatalf("after %s: %s %v", name, c.Output, c.Err)
			}
		}
	}
}
