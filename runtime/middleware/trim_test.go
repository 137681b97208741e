package middleware_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// A result that is too long for a model is cut as far as its schema allows.
func ExampleTrim() {
	names := tool.NewTypedTool(&tool.Definition{Name: "names", Output: []byte(`{"type":"array","items":{"type":"string"}}`)}, wire.NoArguments,
		func(context.Context, struct{}) ([]string, error) { return []string{"Ada", "Grace", "Linus"}, nil },
		func(e *wire.Encoder, lead string, x []string) { wire.EncodeSlice(e, lead, x, (*wire.Encoder).Str) })
	r := tool.NewRegistry(tool.Use(middleware.Trim(20)))
	if err := r.Register(names.Tool); err != nil {
		fmt.Println(err)
	}
	call := r.Call(context.Background(), tool.Request{Name: "names"})
	fmt.Println(string(call.Output))
	fmt.Println(call.Note)
	// Output:
	// ["Ada","Grace"]
	// The result was too long and has been cut: it has the first 2 of 3 elements. Ask for less to see the rest.
}

// TestTrim checks that a result that cannot be cut fails as any long result does, and that short
// results are unchanged.
func TestTrim(t *testing.T) {
	for _, tt := range []struct {
		output, schema string
		want, note     string
	}{
		{`["abcdef","ghijkl"]`, `{"type":"array"}`, `["abcdef","ghijkl"]`, ""},
		{`["abcdef","ghijklmnop"]`, `{"type":"array"}`, `["abcdef"]`, "it has the first 1 of 2 elements"},
		{`["abcdef","ghijklmnop"]`, ``, `["abcdef"]`, "it has the first 1 of 2 elements"},
		{`["abcdef", "ghijk"]   `, ``, `["abcdef","ghijk"]`, ""},
		{`["abcdef","ghijklmnop"]`, `{"minItems":2}`, `["abc…","ghi…"]`, `texts that end in "…" are cut`},
		{`["abcdef","ghijklmnop"]`, `{"minItems":2,"items":{"minLength":6}}`, ``, ""},
	} {
		r := tool.NewRegistry(tool.Use(middleware.Trim(20)))
		write := func(e *wire.Encoder, lead string, x string) { e.Raw(lead + x) }
		of := tool.NewTypedTool(&tool.Definition{Name: "t", Output: json.RawMessage(tt.schema)}, wire.NoArguments,
			func(context.Context, struct{}) (string, error) { return tt.output, nil }, write)
		if err := r.Register(of.Tool); err != nil {
			t.Fatal(err)
		}
		c := r.Call(t.Context(), tool.Request{Name: "t"})
		if tt.want == "" {
			var long *tool.OutputError
			if !errors.As(c.Err, &long) || c.Output != nil || c.Note != "" || !strings.Contains(tool.ModelText(c.Err), "it is 23 bytes long, the limit is 20") {
				t.Errorf("%s: %s %v", tt.output, c.Output, c.Err)
			}
			continue
		}
		note := ""
		if tt.note != "" {
			note = "The result was too long and has been cut: " + tt.note + ". Ask for less to see the rest."
		}
		if string(c.Output) != tt.want || c.Note != note || c.Err != nil {
			t.Errorf("%s: %s %q %v", tt.output, c.Output, c.Note, c.Err)
		}
	}
}

// TestTrimAgain checks that the note belongs to the last attempt.
func TestTrimAgain(t *testing.T) {
	twice := func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			if _, err := next(ctx, c); err != nil || c.Note == "" {
				t.Errorf("%q %v", c.Note, err)
			}
			return next(ctx, c)
		}
	}
	long := strings.Repeat("x", 100)
	r := tool.NewRegistry(tool.Use(twice, middleware.Trim(20)))
	r.Replace(textTool("t", func(context.Context, struct{}) (s string, err error) {
		s, long = long, ""
		return s, nil
	}).Tool)
	if c := r.Call(t.Context(), tool.Request{Name: "t"}); c.Note != "" || string(c.Output) != `""` {
		t.Errorf("%s %q", c.Output, c.Note)
	}
}
