package emit_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
	pass "github.com/aiongen/aiongen/testdata/golden/pass_context"
	"github.com/aiongen/aiongen/testdata/golden/pass_context/client"
)

// passingCalls are calls of tools whose function gets the context in an option, with the trace of the
// options that the function gets.
var passingCalls = []struct{ name, arguments, output string }{
	{"get", `{"project":"p","id":7}`, `{"id":7,"trace":["context"]}`},
	{"list", `{"text":"p"}`, `[{"id":1,"trace":["context"]}]`},
	{"get_omitting", `{"project":"p","id":7}`, `{"id":7,"trace":["context"]}`},
	{"list_omitting", `{"text":"p"}`, `[{"id":1,"trace":["context"]}]`},
	{"get_by_lambda", `{"project":"p","issue":7}`, `{"id":7,"trace":["context"]}`},
	{"get_traced", `{"project":"p","issue":7}`, `{"id":7,"trace":["context","mine"]}`},
}

// TestPassContext calls tools whose function takes the context as an option. A call ends when its
// context is canceled.
func TestPassContext(t *testing.T) {
	for _, tt := range passingCalls {
		t.Run(tt.name, func(t *testing.T) {
			issues := &client.Issues{}
			r := tool.NewRegistry()
			if err := pass.Register(r, pass.Deps{Client: &client.Client{Issues: issues}}); err != nil {
				t.Fatal(err)
			}
			request := tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)}
			if c := r.Call(t.Context(), request); c.Err != nil || string(c.Output) != tt.output {
				t.Errorf("it returns %s, %v, not %s", c.Output, c.Err, tt.output)
			}
			issues.Delay = time.Hour
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			if c := r.Call(ctx, request); !errors.Is(c.Err, context.DeadlineExceeded) {
				t.Errorf("it returns %s, %v", c.Output, c.Err)
			}
		})
	}
}

// TestPassContextBefore sets an option in a hook. It follows that with the context.
func TestPassContextBefore(t *testing.T) {
	c := &client.Client{Issues: &client.Issues{}}
	get := pass.GetOmittingTool(c).Before(func(ctx context.Context, a *pass.GetOmittingArgs) error {
		a.Options = append(a.Options, client.WithTrace("hook"))
		return nil
	})
	r := tool.NewRegistry()
	if err := r.Register(get.Tool); err != nil {
		t.Fatal(err)
	}
	call := r.Call(t.Context(), tool.Request{Name: "get_omitting", Arguments: []byte(`{"project":"p","id":7}`)})
	if want := `{"id":7,"trace":["context","hook"]}`; call.Err != nil || string(call.Output) != want {
		t.Errorf("it returns %s, %v, not %s", call.Output, call.Err, want)
	}
}
