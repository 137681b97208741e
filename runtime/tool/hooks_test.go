package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// greetArgs are the arguments of the tool with hooks.
type greetArgs struct {
	Name string `json:"name"`
	Loud bool   `json:"loud,omitempty"`
}

func greetTool(log *[]string) *tool.TypedTool[greetArgs, string] {
	return tool.NewTypedTool(&tool.Definition{Name: "greet"}, func(v wire.Value) (x greetArgs) {
		*log = append(*log, "decode")
		o := v.Object()
		x.Name = o.Str("name")
		x.Loud = o.Opt("loud").Bool()
		o.Done()
		return x
	}, func(_ context.Context, a greetArgs) (string, error) {
		*log = append(*log, "function")
		return "hello " + a.Name, nil
	}, func(e *wire.Encoder, lead, r string) {
		*log = append(*log, "encode")
		e.Str(lead, r)
	})
}

// note returns middleware that records when a call enters and leaves it.
func note(log *[]string, name string) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			*log = append(*log, name+" in")
			defer func() { *log = append(*log, name+" out") }()
			return next(ctx, c)
		}
	}
}

func TestHooks(t *testing.T) {
	var log []string
	greet := greetTool(&log)
	hooked := greet.
		Before(func(_ context.Context, a *greetArgs) error {
			log = append(log, "before 1")
			a.Name = strings.ToUpper(a.Name[:1]) + a.Name[1:]
			return nil
		}).
		Before(func(_ context.Context, a *greetArgs) error { log = append(log, "before 2 "+a.Name); return nil }).
		After(func(_ context.Context, a *greetArgs, r *string) error {
			log = append(log, "after 1 "+*r)
			*r += ", " + a.Name
			return nil
		}).
		After(func(_ context.Context, _ *greetArgs, r *string) error {
			log = append(log, "after 2")
			*r += "!"
			return nil
		})
	r := tool.NewRegistry(tool.Use(note(&log, "outer"), note(&log, "middle")), tool.Use(note(&log, "inner")))
	r.Replace(hooked.Tool)

	c := r.Call(t.Context(), tool.Request{Name: "greet", Arguments: json.RawMessage(`{"name": "ada"}`)})
	if string(c.Output) != `"hello Ada, Ada!"` || c.Err != nil {
		t.Errorf("got %s, %v", c.Output, c.Err)
	}
	if string(c.Request.Arguments) != `{"name": "ada"}` || string(c.Arguments) != `{"name":"Ada"}` {
		t.Errorf("got %s for %s", c.Arguments, c.Request.Arguments)
	}
	want := []string{"outer in", "middle in", "inner in", "decode", "before 1", "before 2 Ada", "function",
		"after 1 hello Ada", "after 2", "encode", "inner out", "middle out", "outer out"}
	if !slices.Equal(log, want) {
		t.Errorf("got %q", log)
	}

	// The original tool is unchanged.
	log = nil
	r = tool.NewRegistry()
	r.Replace(greet.Tool)
	c = r.Call(t.Context(), tool.Request{Name: "greet", Arguments: json.RawMessage(`{"name":"ada"}`)})
	if string(c.Output) != `"hello ada"` || len(log) != 3 {
		t.Errorf("got %s, %q", c.Output, log)
	}
	log = nil
	if got, err := hooked.Call(t.Context(), greetArgs{Name: "bob"}); got != "hello Bob, Bob!" || err != nil || len(log) != 5 {
		t.Errorf("got %s, %v, %q", got, err, log)
	}
}

// TestHooksFork checks that copies with different hooks do not share them.
func TestHooksFork(t *testing.T) {
	var log []string
	hook := func(name string) func(context.Context, *greetArgs) error {
		return func(context.Context, *greetArgs) error { log = append(log, name); return nil }
	}
	stem := greetTool(new([]string)).Before(hook("a")).Before(hook("b")).Before(hook("c"))
	one, two := stem.Before(hook("one")), stem.Before(hook("two"))
	for _, o := range []*tool.TypedTool[greetArgs, string]{one, two} {
		if _, err := o.Call(t.Context(), greetArgs{}); err != nil {
			t.Error(err)
		}
	}
	if got := strings.Join(log, " "); got != "a b c one a b c two" {
		t.Error(got)
	}
}

// TestHooksFail checks that a failing hook ends the call, with its error and duration.
func TestHooksFail(t *testing.T) {
	own := errors.New("no luck")
	before := func(err error) func(context.Context, *greetArgs) error {
		return func(context.Context, *greetArgs) error { return err }
	}
	after := func(err error) func(context.Context, *greetArgs, *string) error {
		return func(context.Context, *greetArgs, *string) error { return err }
	}
	for name, tt := range map[string]struct {
		hook func(*tool.TypedTool[greetArgs, string]) *tool.TypedTool[greetArgs, string]
		log  string
		text string
	}{
		"before": {func(o *tool.TypedTool[greetArgs, string]) *tool.TypedTool[greetArgs, string] {
			return o.Before(before(own)).Before(func(context.Context, *greetArgs) error { panic("it ran") })
		}, "decode", "greet: no luck"},
		"after": {func(o *tool.TypedTool[greetArgs, string]) *tool.TypedTool[greetArgs, string] {
			return o.After(after(own)).After(func(context.Context, *greetArgs, *string) error { panic("it ran") })
		}, "decode function", "greet: no luck"},
		"before panics": {func(o *tool.TypedTool[greetArgs, string]) *tool.TypedTool[greetArgs, string] {
			return o.Before(func(context.Context, *greetArgs) error { panic("boom") })
		}, "decode", "greet: panic: boom"},
		"after panics": {func(o *tool.TypedTool[greetArgs, string]) *tool.TypedTool[greetArgs, string] {
			return o.After(func(context.Context, *greetArgs, *string) error { panic("boom") })
		}, "decode function", "greet: panic: boom"},
		"nil": {func(o *tool.TypedTool[greetArgs, string]) *tool.TypedTool[greetArgs, string] { return o.Before(nil) },
			"decode", "greet: panic: runtime error: invalid memory address or nil pointer dereference"},
	} {
		var log []string
		hooked := tt.hook(greetTool(&log))
		r := tool.NewRegistry()
		r.Replace(hooked.Tool)
		c := r.Call(t.Context(), tool.Request{Name: "greet", Arguments: json.RawMessage(`{"name":"ada"}`)})
		if c.Status != tool.StatusFailed || c.Err.Error() != tt.text || c.Output != nil || c.Duration <= 0 || string(c.Arguments) != `{"name":"ada"}` {
			t.Errorf("%s: %s %s %v", name, c.Status, c.Output, c.Err)
		}
		if strings.Join(log, " ") != tt.log {
			t.Errorf("%s: %q", name, log)
		}
		_, err := hooked.Call(t.Context(), greetArgs{})
		if err == nil || strings.TrimPrefix(err.Error(), "greet: ") != strings.TrimPrefix(tt.text, "greet: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHooksDo(t *testing.T) {
	var log []string
	do := tool.NewTypedAction(&tool.Definition{Name: "do"}, wire.Value.Int, func(_ context.Context, n int) error {
		log = append(log, fmt.Sprint("function ", n))
		if n < 0 {
			return errors.New("negative")
		}
		return nil
	}).
		Before(func(_ context.Context, n *int) error { *n *= 2; return nil }).
		After(func(_ context.Context, n *int) error { log = append(log, fmt.Sprint("after ", *n)); return nil })
	r := tool.NewRegistry()
	r.Replace(do.Tool)
	if c := r.Call(t.Context(), tool.Request{Name: "do", Arguments: []byte("21")}); string(c.Output) != "null" || string(c.Arguments) != "42" {
		t.Errorf("%s %s %v", c.Output, c.Arguments, c.Err)
	}
	if c := r.Call(t.Context(), tool.Request{Name: "do", Arguments: []byte("-1")}); c.Err == nil || c.Err.Error() != "do: negative" {
		t.Errorf("%s %v", c.Output, c.Err)
	}
	if err := do.Call(t.Context(), 1); err != nil {
		t.Error(err)
	}
	if err := do.Call(t.Context(), -1); err == nil || err.Error() != "negative" {
		t.Error(err)
	}
	if got := strings.Join(log, ", "); got != "function 42, after 42, function -2, function 2, after 2, function -2" {
		t.Error(got)
	}
	if err := tool.NewTypedAction(&tool.Definition{Name: "do"}, wire.Value.Int, nil).Call(t.Context(), 1); err == nil {
		t.Error("no function, but no error")
	}
}

// TestHooksArguments checks that executed arguments are shown as they were written unless a hook has
// changed them, and never with the values of references.
func TestHooksArguments(t *testing.T) {
	type args struct {
		In   io.Reader `json:"in"`
		Note string    `json:"note"`
	}
	read := func(v wire.Value) (x args) {
		o := v.Object()
		if v := o.Opt("in"); v.Ok() {
			x.In = wire.Ref[io.Reader](v)
		}
		x.Note = o.Str("note")
		o.Done()
		return x
	}
	run := func(_ context.Context, a args) (string, error) { return a.Note, nil }
	shout := func(_ context.Context, a *args) error { a.Note = strings.ToUpper(a.Note); return nil }
	ctx := tool.WithScope(t.Context(), scopeWith(t, map[string]any{"in": &source{Secret: "secret"}}))
	for name, tt := range map[string]struct {
		arguments string
		hook      func(context.Context, *args) error
		want      string
	}{
		"not changed":       {`{"note": "a"}`, func(context.Context, *args) error { return nil }, `{"note": "a"}`},
		"changed":           {`{"note": "a"}`, shout, `{"in":null,"note":"A"}`},
		"changed reference": {`{"in": "<<var:in>>", "note": "a"}`, shout, `{"in": "<<var:in>>", "note": "a"}`},
		"no JSON any more":  {`{"note": "a"}`, func(_ context.Context, a *args) error { a.In = broken{}; return nil }, `{"note": "a"}`},
	} {
		r := tool.NewRegistry()
		r.Replace(tool.NewTypedTool(&tool.Definition{Name: "t"}, read, run, (*wire.Encoder).Str).Before(tt.hook).Tool)
		c := r.Call(ctx, tool.Request{Name: "t", Arguments: json.RawMessage(tt.arguments)})
		if c.Err != nil || string(c.Arguments) != tt.want || string(c.Request.Arguments) != tt.arguments {
			t.Errorf("%s: got %s, %v", name, c.Arguments, c.Err)
		}
	}
}

// TestHooksWithin checks that a function that uses another tool directly does not affect its own call,
// and that no call is recorded for that tool.
func TestHooksWithin(t *testing.T) {
	inner := greetTool(new([]string)).Before(func(ctx context.Context, a *greetArgs) error {
		if c := tool.CallFrom(ctx); c != nil {
			t.Errorf("called in %+v", c)
		}
		a.Name = "inner"
		return nil
	})
	outer := tool.NewTypedAction(&tool.Definition{Name: "outer"}, wire.Value.Int, func(ctx context.Context, _ int) error {
		if tool.CallFrom(ctx).Request.Name != "outer" {
			t.Errorf("called in %+v", tool.CallFrom(ctx))
		}
		_, err := inner.Call(ctx, greetArgs{Name: "ada"})
		return err
	})
	r := tool.NewRegistry()
	r.Replace(outer.Tool)
	if c := r.Call(t.Context(), tool.Request{Name: "outer", Arguments: []byte("7")}); c.Err != nil || string(c.Arguments) != "7" {
		t.Errorf("%s %v", c.Arguments, c.Err)
	}
}

// broken has no JSON form.
type broken struct{ io.Reader }

func (broken) MarshalJSON() ([]byte, error) { return nil, errors.New("no JSON") }

// TestMiddleware checks what middleware can do with a call.
func TestMiddleware(t *testing.T) {
	runs := 0
	use := func(m tool.Middleware) *tool.Registry {
		runs = 0
		r := tool.NewRegistry(tool.Use(m))
		r.Replace(textTool("t", func(context.Context, struct{}) (string, error) {
			if runs++; runs == 1 {
				return "", errors.New("not yet")
			}
			return "x", nil
		}).Tool, textTool("panics", func(context.Context, struct{}) (string, error) { panic("boom") }).Tool)
		return r
	}
	answers := func(output json.RawMessage, err error) tool.Middleware {
		return func(tool.Handler) tool.Handler {
			return func(context.Context, *tool.Call) (json.RawMessage, error) { return output, err }
		}
	}
	retry := func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			if output, err := next(ctx, c); err == nil {
				return output, nil
			}
			return next(ctx, c)
		}
	}
	own := errors.New("closed today")
	for name, tt := range map[string]struct {
		middleware tool.Middleware
		output     string
		err        string
		runs       int
	}{
		"answers":         {answers([]byte(`"y"`), nil), `"y"`, "", 0},
		"answers nothing": {answers(nil, nil), "null", "", 0},
		"refuses":         {answers(nil, own), "", "closed today", 0},
		"retries":         {retry, `"x"`, "", 2},
		"changes": {func(next tool.Handler) tool.Handler {
			return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
				output, err := next(ctx, c)
				return output, fmt.Errorf("%s: %w", c.Definition().Name, err)
			}
		}, "", "t: t: not yet", 1},
		"panics": {func(tool.Handler) tool.Handler {
			return func(context.Context, *tool.Call) (json.RawMessage, error) { panic(own) }
		}, "", "t: panic: closed today", 0},
	} {
		c := use(tt.middleware).Call(t.Context(), tool.Request{Name: "t"})
		text := ""
		if c.Err != nil {
			text = c.Err.Error()
		}
		if string(c.Output) != tt.output || text != tt.err || runs != tt.runs || c.Duration <= 0 {
			t.Errorf("%s: %s %v, %d runs", name, c.Output, c.Err, runs)
		}
	}

	var seen error
	watch := watchErrors(&seen)
	var panicked *tool.PanicError
	if c := use(watch).Call(t.Context(), tool.Request{Name: "panics"}); !errors.As(seen, &panicked) || seen != c.Err {
		t.Errorf("got %v", seen)
	}
	var unknown *tool.UnknownToolError
	if c := use(watch).Call(t.Context(), tool.Request{Name: "u"}); !errors.As(seen, &unknown) || seen != c.Err || c.Definition().Name != "" {
		t.Errorf("got %v", seen)
	}
	var truncated *tool.TruncatedError
	if c := use(watch).Call(t.Context(), tool.Request{Name: "t", Truncated: true}); !errors.As(seen, &truncated) || seen != c.Err || runs != 0 {
		t.Errorf("got %v", seen)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if c := use(watch).Call(stopped, tool.Request{Name: "t"}); seen != context.Canceled || c.Status != tool.StatusCancelled || runs != 0 {
		t.Errorf("got %v, %s", seen, c.Status)
	}
}

// watchErrors is middleware that records the error of each call.
func watchErrors(seen *error) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			output, err := next(ctx, c)
			*seen = err
			return output, err
		}
	}
}

// answerInstead is middleware that answers every call itself.
func answerInstead(output string) tool.Middleware {
	return func(tool.Handler) tool.Handler {
		return func(context.Context, *tool.Call) (json.RawMessage, error) { return json.RawMessage(output), nil }
	}
}

// TestMiddlewareOutput checks that outputs of middleware must satisfy the rules for results.
func TestMiddlewareOutput(t *testing.T) {
	for _, tt := range []struct{ output, want string }{
		{`{"a": [1, "é"]}`, ""},
		{"null", ""},
		{`"` + strings.Repeat("x", 98) + `"`, ""},
		{"", "t: the result cannot be written: expected a value at byte 0, found the end of the text"},
		{"done", "t: the result cannot be written: expected a value at byte 0, found 'd'"},
		{`{"a":[1,}`, "t: the result cannot be written: /a/1: expected a value at byte 8, found '}'"},
		{`1 2`, "t: the result cannot be written: expected nothing after the JSON value at byte 2, found '2'"},
		{"\"\xff\"", "t: the result cannot be written: expected valid UTF-8 at byte 1, found the byte 0xff"},
		{`"` + strings.Repeat("x", 99) + `"`, "t: the result cannot be written: it is 101 bytes long, the limit is 100"},
	} {
		var seen error
		r := tool.NewRegistry(tool.MaxOutput(100), tool.Use(watchErrors(&seen), answerInstead(tt.output)))
		r.Replace(namedTools("t")...)
		c := r.Call(t.Context(), tool.Request{Name: "t"})
		if tt.want == "" {
			if c.Status != tool.StatusCompleted || string(c.Output) != tt.output || c.Err != nil {
				t.Errorf("%s: %s %s %v", tt.output, c.Status, c.Output, c.Err)
			}
			continue
		}
		var bad *tool.OutputError
		if c.Status != tool.StatusFailed || c.Output != nil || !errors.As(c.Err, &bad) || c.Err.Error() != tt.want || tool.ModelText(c.Err) == "" || seen != c.Err {
			t.Errorf("%s: %s %s %v", tt.output, c.Status, c.Output, c.Err)
		}
	}
}

// TestMiddlewareOdd checks that the call ends, and is a record that survives JSON, whatever middleware
// does.
func TestMiddlewareOdd(t *testing.T) {
	type handler = func(next tool.Handler, ctx context.Context, c *tool.Call) (json.RawMessage, error)
	for name, tt := range map[string]struct {
		does handler
		want string
	}{
		"nil panic": {func(tool.Handler, context.Context, *tool.Call) (json.RawMessage, error) { panic(nil) },
			"t: panic: panic called with nil argument"},
		"both": {func(next tool.Handler, ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			output, _ := next(ctx, c)
			return output, errors.New("mine")
		}, "mine"},
		"nil error": {func(tool.Handler, context.Context, *tool.Call) (json.RawMessage, error) {
			var e *tool.ToolError
			return nil, e
		}, "t: panic: runtime error: invalid memory address or nil pointer dereference"},
		"panic after": {func(next tool.Handler, ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			_, _ = next(ctx, c)
			panic("boom")
		}, "t: panic: boom"},
		"exits after": {func(next tool.Handler, ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			_, _ = next(ctx, c)
			runtime.Goexit()
			return nil, nil
		}, "t: panic: the function ended its goroutine (runtime.Goexit)"},
		"empty error": {func(tool.Handler, context.Context, *tool.Call) (json.RawMessage, error) {
			return nil, &tool.ScopeError{}
		},
			"t: panic: runtime error: invalid memory address or nil pointer dereference"},
		"exits": {func(tool.Handler, context.Context, *tool.Call) (json.RawMessage, error) {
			runtime.Goexit()
			return nil, nil
		},
			"t: panic: the function ended its goroutine (runtime.Goexit)"},
		"no context": {func(next tool.Handler, _ context.Context, c *tool.Call) (json.RawMessage, error) { return next(nil, c) },
			"t: panic: runtime error: invalid memory address or nil pointer dereference"},
		"another goroutine": {func(next tool.Handler, ctx context.Context, c *tool.Call) (output json.RawMessage, err error) {
			var wg sync.WaitGroup
			wg.Go(func() { output, err = next(ctx, c) })
			wg.Wait()
			return output, err
		}, ""},
		"the first of two": {func(next tool.Handler, ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			output, err := next(ctx, c)
			if _, err := next(ctx, c); err != nil {
				return nil, err
			}
			return output, err
		}, ""},
		"no handler": {nil, "t: panic: runtime error: invalid memory address or nil pointer dereference"},
	} {
		r := tool.NewRegistry(tool.Use(func(next tool.Handler) tool.Handler {
			if tt.does == nil {
				return nil
			}
			return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) { return tt.does(next, ctx, c) }
		}))
		r.Replace(textTool("t", func(context.Context, struct{}) (string, error) { return "x", nil }).Tool)
		c := r.CallAll(t.Context(), []tool.Request{{Name: "t"}}, tool.Batch{})[0]
		text := ""
		if c.Err != nil {
			text = c.Err.Error()
		}
		if text != tt.want || (c.Output == nil) != (c.Err != nil) || c.Duration <= 0 || (c.Status == tool.StatusCompleted) != (tt.want == "") {
			t.Errorf("%s: %s %s %v", name, c.Status, c.Output, c.Err)
		}
		if back := throughJSON(t, c); (back == nil) != (c.Err == nil) || back != nil && tool.ModelText(back) != tool.ModelText(c.Err) {
			t.Errorf("%s: back comes %v", name, back)
		}
	}
}

// TestMiddlewareInvoke checks that Invoke does nothing during a call, however the call was started.
func TestMiddlewareInvoke(t *testing.T) {
	runs := 0
	r := tool.NewRegistry(tool.Use(func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			c.Invoke(ctx)
			defer c.Invoke(ctx)
			return next(ctx, c)
		}
	}))
	r.Replace(textTool("t", func(ctx context.Context, _ struct{}) (string, error) {
		runs++
		tool.CallFrom(ctx).Invoke(ctx)
		return "x", nil
	}).Tool)
	request := tool.Request{Name: "t"}
	matched, err := r.Match(request)
	if err != nil {
		t.Fatal(err)
	}
	matched.Invoke(t.Context())
	for i, c := range []*tool.Call{matched, r.Call(t.Context(), request), r.CallAll(t.Context(), []tool.Request{request}, tool.Batch{})[0]} {
		c.Invoke(t.Context())
		if c.Status != tool.StatusCompleted || string(c.Output) != `"x"` {
			t.Errorf("%d: %s %s %v", i, c.Status, c.Output, c.Err)
		}
	}
	if runs != 3 {
		t.Errorf("%d runs", runs)
	}
}

// TestMiddlewareLeftBehind checks, with the race detector, that a goroutine of an earlier attempt sees
// the call as in that attempt.
func TestMiddlewareLeftBehind(t *testing.T) {
	var wg sync.WaitGroup
	stop := make(chan struct{})
	runs := 0
	r := tool.NewRegistry(tool.Use(func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			for range 4 {
				if _, err := next(ctx, c); err != nil {
					return nil, err
				}
			}
			return next(ctx, c)
		}
	}), tool.Tolerant(func(string, json.RawMessage) (tool.RepairedArguments, error) {
		return tool.RepairedArguments{Value: []byte(`{"name":"ada"}`), Edits: []tool.Edit{{Kind: "name"}}}, nil
	}))
	r.Replace(tool.NewTypedTool(&tool.Definition{Name: "t"}, func(v wire.Value) (x greetArgs) {
		o := v.Object()
		x.Name = o.Str("name")
		o.Done()
		return x
	}, func(ctx context.Context, a greetArgs) (string, error) {
		want := fmt.Sprintf(`{"name":"%s"}`, a.Name)
		wg.Go(func() {
			for done := false; !done; {
				select {
				case <-stop:
					done = true
				default:
				}
				if c := tool.CallFrom(ctx); string(c.Arguments) != want || len(c.Repairs) != 1 || ctx.Err() != nil {
					t.Errorf("got %s, %v, want %s", c.Arguments, c.Repairs, want)
					return
				}
			}
		})
		return a.Name, nil
	}, (*wire.Encoder).Str).Before(func(_ context.Context, a *greetArgs) error {
		runs++
		a.Name += fmt.Sprint(runs)
		return nil
	}).Tool)
	c := r.Call(context.Background(), tool.Request{Name: "t", Arguments: []byte(`{"nam":"ada"}`)})
	close(stop)
	wg.Wait()
	if string(c.Output) != `"ada5"` || string(c.Arguments) != `{"name":"ada5"}` || len(c.Repairs) != 1 {
		t.Errorf("%s %v %s %v", c.Output, c.Err, c.Arguments, c.Repairs)
	}
}

// TestMiddlewareRetry checks that a second attempt is not affected by hooks, repairs and results of
// the first.
func TestMiddlewareRetry(t *testing.T) {
	var tries []string
	var left []context.Context
	twice := func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			if output, err := next(ctx, c); err == nil {
				return output, err
			}
			return next(ctx, c)
		}
	}
	r := tool.NewRegistry(tool.Use(twice), tool.Tolerant(func(string, json.RawMessage) (tool.RepairedArguments, error) {
		return tool.RepairedArguments{Value: []byte(`{"name":"ada"}`), Edits: []tool.Edit{{Kind: "name"}}}, nil
	}))
	greet := greetTool(new([]string)).
		Before(func(ctx context.Context, a *greetArgs) error {
			tries, left = append(tries, a.Name), append(left, ctx)
			a.Name += "!"
			return nil
		}).
		After(func(context.Context, *greetArgs, *string) error {
			if len(tries) == 1 {
				return errors.New("again")
			}
			return nil
		})
	r.Replace(greet.Tool)
	c := r.Call(t.Context(), tool.Request{ID: "7", Name: "greet", Arguments: []byte("{")})
	if string(c.Output) != `"hello ada!"` || strings.Join(tries, " ") != "ada ada" || len(c.Repairs) != 1 || string(c.Arguments) != `{"name":"ada!"}` {
		t.Errorf("%s %v %q %s %v", c.Output, c.Err, tries, c.Arguments, c.Repairs)
	}
	for _, ctx := range left {
		if x := tool.CallFrom(ctx); x == nil || x.ID != "7" {
			t.Errorf("got %+v", x)
		}
	}

	opened := 0
	r = tool.NewRegistry(tool.Use(twice))
	r.Replace(openTool("").After(func(context.Context, *struct{}, *io.Reader) error {
		if opened++; opened == 1 {
			return errors.New("again")
		}
		return nil
	}).Tool)
	s := tool.NewScope()
	c = r.Call(tool.WithScope(t.Context(), s), tool.Request{Name: "open"})
	if names := s.Names(); !slices.Equal(names, []string{"reader_1"}) {
		t.Errorf("%q %v", names, c.Err)
	}
}

// TestMiddlewareRetryAfter checks that the state of an aborted attempt does not affect the next one.
func TestMiddlewareRetryAfter(t *testing.T) {
	runs := 0
	breaks := tool.New(&tool.Definition{Name: "t"}, func(_ context.Context, in *tool.Invocation) {
		in.Arguments()
		if !in.Ready() {
			return
		}
		if runs++; runs == 1 {
			in.RecordError(errors.New("not yet"))
			in.Result().Str("", "half")
			panic("boom")
		}
		in.Result().Str("", "x")
	})
	for name, again := range map[string]tool.Handler{
		"runs again": nil,
		"answers":    func(context.Context, *tool.Call) (json.RawMessage, error) { return json.RawMessage(`"x"`), nil },
	} {
		runs = 0
		r := tool.NewRegistry(tool.Use(func(next tool.Handler) tool.Handler {
			return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
				if output, err := next(ctx, c); err == nil {
					return output, nil
				}
				if again != nil {
					return again(ctx, c)
				}
				return next(ctx, c)
			}
		}))
		r.Replace(breaks)
		if c := r.Call(t.Context(), tool.Request{Name: "t"}); c.Status != tool.StatusCompleted || string(c.Output) != `"x"` || c.Err != nil {
			t.Errorf("%s: %s %s %v", name, c.Status, c.Output, c.Err)
		}
	}
}

// TestMiddlewareScope checks that middleware can set the scope of a call.
func TestMiddlewareScope(t *testing.T) {
	scopes := map[string]*tool.Scope{"a": scopeWith(t, map[string]any{"x": "of a"}), "b": scopeWith(t, map[string]any{"x": "of b"})}
	r := tool.NewRegistry(tool.Use(func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			return next(tool.WithScope(ctx, scopes[c.Request.Meta["user"]]), c)
		}
	}))
	r.Replace(tool.NewTypedTool(&tool.Definition{Name: "t"}, wire.Ref[string], func(_ context.Context, x string) (string, error) { return x, nil }, (*wire.Encoder).Str).Tool)
	for _, user := range []string{"a", "b"} {
		c := r.Call(tool.WithScope(t.Context(), tool.NewScope()), tool.Request{
			Name: "t", Arguments: []byte(`"<<var:x>>"`), Meta: map[string]string{"user": user},
		})
		if string(c.Output) != `"of `+user+`"` {
			t.Errorf("%s: %s %v", user, c.Output, c.Err)
		}
	}
}

// TestSupplied checks the parameters that no model sets.
func TestSupplied(t *testing.T) {
	var call *tool.Call
	var scope *tool.Scope
	supplied := textTool("t", func(ctx context.Context, _ struct{}) (_ string, err error) {
		if call, err = tool.SuppliedCall(ctx); err != nil {
			return "", err
		}
		scope, err = tool.SuppliedScope(ctx)
		return "x", err
	})
	r := tool.NewRegistry()
	r.Replace(supplied.Tool)
	s := tool.NewScope()
	request := tool.Request{ID: "7", Name: "t", Meta: map[string]string{"user": "u"}}
	c := r.Call(tool.WithScope(t.Context(), s), request)
	if c.Err != nil || scope != s {
		t.Errorf("%v, %p", c.Err, scope)
	}
	if call == c || call.ID != "7" || call.Request.Meta["user"] != "u" || string(call.Arguments) != "{}" ||
		call.Status != tool.StatusProcessing || !call.Started.Equal(c.Started) || call.Duration != 0 {
		t.Errorf("%+v", call)
	}
	call.Invoke(t.Context())
	if call.Status != tool.StatusProcessing {
		t.Errorf("the record of a call was invoked: %+v", call)
	}

	if c := r.Call(t.Context(), request); c.Err == nil || c.Err.Error() != "t: there is no scope: add one to the context with tool.WithScope" {
		t.Error(c.Err)
	}
	if _, err := supplied.Call(t.Context(), struct{}{}); err == nil || !strings.HasPrefix(err.Error(), "there is no call: ") {
		t.Error(err)
	}
	if tool.CallFrom(t.Context()) != nil {
		t.Error("there is a call")
	}
}

// TestCallFromCopies checks that a function that modifies the record of its call affects nothing else.
func TestCallFromCopies(t *testing.T) {
	r := tool.NewRegistry(tool.Tolerant(func(string, json.RawMessage) (tool.RepairedArguments, error) {
		return tool.RepairedArguments{Value: []byte(`{"name":"ada"}`), Edits: []tool.Edit{{Kind: "name"}}}, nil
	}))
	spoil := func(ctx context.Context, _ *greetArgs) error {
		c := tool.CallFrom(ctx)
		c.Request.Meta["user"], c.Request.Arguments[2], c.Arguments[2], c.Repairs[0].Kind = "x", 'x', 'x', "x"
		return nil
	}
	r.Replace(greetTool(new([]string)).Before(spoil).Tool)
	meta, arguments := map[string]string{"user": "u"}, json.RawMessage(`{"nam":"ada"}`)
	c := r.Call(t.Context(), tool.Request{Name: "greet", Arguments: arguments, Meta: meta})
	if c.Err != nil || meta["user"] != "u" || string(arguments) != `{"nam":"ada"}` || string(c.Arguments) != `{"name":"ada"}` || c.Repairs[0].Kind != "name" {
		t.Errorf("%v %v %s %s %v", c.Err, meta, arguments, c.Arguments, c.Repairs)
	}
}

// TestCallFromLater checks that a goroutine that a function leaves behind may use its context.
func TestCallFromLater(t *testing.T) {
	done, goOn := make(chan *tool.Call), make(chan bool)
	r := tool.NewRegistry()
	r.Replace(textTool("t", func(ctx context.Context, _ struct{}) (string, error) {
		go func() {
			done <- tool.CallFrom(ctx)
			<-goOn
			done <- tool.CallFrom(ctx)
		}()
		return "x", ctx.Err()
	}).Tool)
	c := r.Call(t.Context(), tool.Request{ID: "7", Name: "t"})
	first := <-done
	goOn <- true
	if second := <-done; c.Err != nil || first.ID != "7" || second.ID != "7" {
		t.Errorf("%v %v %v", c.Err, first, second)
	}
}
