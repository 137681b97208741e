package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// TestModelText checks the texts for models of each error, before and after JSON.
func TestModelText(t *testing.T) {
	panicked := &tool.PanicError{Tool: "inner", Value: "secret", Stack: []byte("secret.go:7")}
	output := &tool.OutputError{Tool: "inner", Err: errors.New("json: unsupported type: chan int")}
	inScope := &tool.ScopeError{Name: "x", Err: errors.New("its value has type *os.File")}
	outer := func(err error) error { return &tool.ToolError{Tool: "t", Err: err} }
	const ownFault = "t failed because of an error in its code. The same call again will not help; go on without it."
	for _, tt := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{&tool.UnknownToolError{Name: "serch", Nearest: []string{"search", "sear"}}, `There is no tool "serch". Did you mean search or sear?`},
		{&tool.UnknownToolError{Name: strings.Repeat("x", 100)},
			`There is no tool "` + strings.Repeat("x", 64) + `…". Call only tools that you were offered, by their exact names.`},
		{&tool.ArgumentError{Tool: "t", Faults: []tool.Fault{{Pointer: "/a", Expected: "a string", Found: "nothing"}, {Pointer: "", Expected: "x", Found: "y"}}, Count: 5, Repair: errors.New("no way")},
			"The arguments of t were wrong, and it did not run. Send the call again with all arguments, and fix these:" +
				"\n- /a: expected a string, found nothing\n- arguments: expected x, found y\n- and 3 more"},
		{&tool.TruncatedError{Tool: "t"}, "The call of t was cut off, and it did not run. Send the complete call again; keep the arguments short."},
		{&tool.DeniedError{Tool: "t"}, "You may not call t. Do not call it again; go on without it, or say that it is needed."},
		{&tool.ApprovalError{Tool: "t"}, "The call of t waits for the approval of a person. Do not call it again until it is given."},
		{panicked, "inner failed because of an error in its code. The same call again will not help; go on without it."},
		{output, "inner ran, but its result could not be passed on. Do not call it again with the same arguments."},
		{&tool.OutputError{Tool: "t", Err: inScope}, "t ran, but its result could not be passed on. Do not call it again with the same arguments."},
		{&tool.OutputError{Tool: "t", Err: &result.NilError{}}, "t ran without an error and returned nothing: there may be nothing that matches its arguments. The same call again will not help."},
		{&tool.ScopeError{Err: errors.New("none")}, "The call failed because there is no place for a variable that it needs. Do not call it again."},
		{inScope, `The variable "x" cannot be used for this.`},
		{&tool.DuplicateError{Name: "t"}, `The call failed: a tool "t" is registered already`},
		{context.Canceled, "The call was cancelled before it had a result."},
		{context.DeadlineExceeded, "The call took too long and was stopped. Try a smaller call, or go on without it."},
		{fmt.Errorf("limit: %w", context.DeadlineExceeded), "The call took too long and was stopped. Try a smaller call, or go on without it."},
		{errors.New("closed today"), "The call failed: closed today"},
		{errors.New(strings.Repeat("x", 5000)), "The call failed: " + strings.Repeat("x", 4000) + "…"},

		{outer(errors.New("no such ticket")), "t failed: no such ticket"},
		{outer(errors.New(strings.Repeat("x", 5000))), "t failed: " + strings.Repeat("x", 4000) + "…"},
		{outer(context.DeadlineExceeded), "t failed: context deadline exceeded\nThe same call may succeed later."},

		// The text about an inner call is not used for the outer one.
		{outer(&tool.UnknownToolError{Name: "inner"}), `t failed: unknown tool "inner"`},
		{outer(&tool.DeniedError{Tool: "inner"}), "t failed: inner: the call is not allowed"},
		{outer(&tool.ArgumentError{Tool: "inner", Faults: []tool.Fault{{Pointer: "/a", Expected: "x", Found: "y"}}, Count: 1}), "t failed: inner: wrong arguments: /a: expected x, found y"},
		{outer(panicked), ownFault},
		{outer(output), ownFault},
		{outer(outer(panicked)), ownFault},
		{outer(fmt.Errorf("looking up: %w", panicked)), ownFault},
		{outer(errors.Join(errors.New("first"), panicked)), ownFault},
		{outer(&placedError{}), "t failed: it is closed"},
		{outer(fmt.Errorf("looking up: %w", &placedError{})), "t failed: it is closed"},
		{&placedError{}, "The call failed: it is closed"},
		{outer(inScope), `t failed. The variable "x" cannot be used for this.`},
	} {
		if got := tool.ModelText(tt.err); got != tt.want {
			t.Errorf("%v: got\n%s, want\n%s", tt.err, got, tt.want)
		}
		text, err := json.Marshal(&tool.Call{Status: tool.StatusFailed, Err: tt.err})
		if err != nil {
			t.Fatal(err)
		}
		var back tool.Call
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if got := tool.ModelText(back.Err); got != tt.want {
			t.Errorf("%v, from JSON: got\n%s, want\n%s", tt.err, got, tt.want)
		}
	}
}

// A placedError has a position that is not for models.
type placedError struct{}

func (*placedError) Error() string     { return "it is closed (secret.aion:4:34)" }
func (*placedError) ModelText() string { return "it is closed" }

// TestModelTextWrapped checks that models do not see the texts of wrapping errors.
func TestModelTextWrapped(t *testing.T) {
	err := fmt.Errorf("attempt 3: %w", &tool.ToolError{Tool: "t", Err: errors.New("no such ticket")})
	if got := tool.ModelText(err); got != "t failed: no such ticket" {
		t.Errorf("got %s", got)
	}
}

// TestModelTextRestored checks that a wrapped panic is not shown after JSON either, although it is
// then only text.
func TestModelTextRestored(t *testing.T) {
	panicked := &tool.PanicError{Tool: "inner", Value: "secret"}
	for _, err := range []error{
		fmt.Errorf("middleware: %w", panicked), &tool.ToolError{Tool: "t", Err: fmt.Errorf("looking up: %w", panicked)},
		&tool.ToolError{Tool: "t", Err: fmt.Errorf("looking up: %w", &tool.ScopeError{Name: "x", Err: errors.New("secret")})},
	} {
		text, bad := json.Marshal(&tool.Call{Err: err})
		var back tool.Call
		if bad != nil || json.Unmarshal(text, &back) != nil {
			t.Fatal(bad)
		}
		for _, err := range []error{err, back.Err} {
			if got := tool.ModelText(err); strings.Contains(got, "secret") {
				t.Errorf("%v: %s", err, got)
			}
		}
	}
}

// private matches text that a model must not see.
var private = regexp.MustCompile(`\.go:\d|goroutine|secret|\*[a-z]+\.[A-Z]|runtime error|0x[0-9a-f]{4}|interface \{`)

// TestModelTextOfCalls checks that the texts for all failures of calls contain no stacks, Go types and
// panics.
func TestModelTextOfCalls(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(SearchTool().Tool, openTool("").Tool,
		textTool("panics", func(context.Context, struct{}) (string, error) { panic("secret") }).Tool,
		textTool("nil map", func(context.Context, struct{}) (string, error) { map[string]int(nil)["a"] = 1; return "", nil }).Tool,
		textTool("nil error", func(context.Context, struct{}) (string, error) { return "", (*silentError)(nil) }).Tool,
		textTool("no scope", func(ctx context.Context, _ struct{}) (string, error) {
			_, err := tool.SuppliedScope(ctx)
			return "", err
		}).Tool,
		textTool("wrong type", func(ctx context.Context, _ struct{}) (string, error) {
			s := tool.NewScope()
			_ = s.Set("x", &source{})
			_, err := tool.ScopeValue[int](s, "x")
			return "", err
		}).Tool,
		textTool("hook", func(context.Context, struct{}) (string, error) { return "", nil }).
			Before(func(context.Context, *struct{}) error { panic(&source{Secret: "secret"}) }).Tool,
		tool.NewTypedTool(&tool.Definition{Name: "nan"}, wire.NoArguments, func(context.Context, struct{}) (float64, error) { return math.NaN(), nil },
			(*wire.Encoder).Float64).Tool,
		tool.NewTypedTool(&tool.Definition{Name: "channel"}, wire.NoArguments, func(context.Context, struct{}) (any, error) { return make(chan *source), nil },
			func(e *wire.Encoder, lead string, x any) { e.JSON(lead, x) }).Tool,
	)
	r.Replace(textTool("outer", func(ctx context.Context, _ struct{}) (string, error) {
		return "", r.Call(ctx, tool.Request{Name: "panics"}).Err
	}).Tool)
	for _, name := range append(r.Names(), "unknown") {
		c := r.Call(t.Context(), tool.Request{Name: name})
		if c.Err == nil || c.Status != tool.StatusFailed {
			t.Errorf("%s: %s %s", name, c.Status, c.Output)
		}
		if got := tool.ModelText(c.Err); got == "" || private.MatchString(got) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// silentError is an error whose nil pointer has no text.
type silentError struct{ text string }

func (e *silentError) Error() string { return e.text }

// TestNilError checks that a nil pointer as an error is reported at once, not when the error is read.
func TestNilError(t *testing.T) {
	c := match(t, func(context.Context) (string, error) { return "", (*silentError)(nil) })
	c.Invoke(t.Context())
	var p *tool.PanicError
	if !errors.As(c.Err, &p) || c.Status != tool.StatusFailed {
		t.Errorf("%s %T", c.Status, c.Err)
	}
}

// mutedError is an error without a text for models.
type mutedError struct{}

func (*mutedError) Error() string     { return "closed" }
func (*mutedError) ModelText() string { panic("boom") }

// TestTellingPanics checks that reporting or storing a call never panics, whatever its function
// returned or panicked with.
func TestTellingPanics(t *testing.T) {
	for name, run := range map[string]func() error{
		"panics with nil":         func() error { panic((*silentError)(nil)) },
		"panics with what panics": func() error { panic(&mutedError{}) },
		"returns what panics":     func() error { return fmt.Errorf("wrapped: %w", &mutedError{}) },
	} {
		r := tool.NewRegistry()
		r.Replace(tool.NewTypedAction(&tool.Definition{Name: "t", Annotations: tool.Annotations{ReadOnly: true}}, wire.NoArguments,
			func(context.Context, struct{}) error { return run() }).Tool)
		c := r.Call(t.Context(), tool.Request{Name: "t"})
		if _, err := json.Marshal(c); err != nil || tool.Code(c.Err) != "panic" || tool.ModelText(c.Err) == "" {
			t.Errorf("%s: %v, %v", name, c.Err, err)
		}
	}
}

// TestUnknownOutcome checks that an unknown outcome is not a refusal, survives JSON and is not
// retryable, and that the model is told not to repeat the call.
func TestUnknownOutcome(t *testing.T) {
	r := tool.NewRegistry()
	if err := r.Register(actingTool("pay", func(context.Context, *tool.Exchange) (string, error) {
		return "", &tool.UnknownOutcomeError{Err: errors.New("the connection broke")}
	})); err != nil {
		t.Fatal(err)
	}
	call := r.Call(t.Context(), tool.Request{Name: "pay", Arguments: json.RawMessage(`{}`)})
	text, err := json.Marshal(call)
	if err != nil {
		t.Fatal(err)
	}
	var read tool.Call
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	const want = "pay failed. It is not known whether the call ran: the connection broke. Do not repeat it unless running it twice does no harm; check first whether it ran."
	for _, err := range []error{call.Err, read.Err} {
		var unknown *tool.UnknownOutcomeError
		if !errors.As(err, &unknown) || tool.Retryable(err) || tool.ModelText(err) != want {
			t.Errorf("%v: typed %t, retryable %t, the model reads %q", err, unknown != nil, tool.Retryable(err), tool.ModelText(err))
		}
	}
	if got := (&tool.UnknownOutcomeError{}).Error(); got != "it is not known whether the call ran" || tool.Code(new(tool.UnknownOutcomeError)) != "unknown_outcome" {
		t.Error(got)
	}
}
