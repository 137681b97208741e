package langchaingo_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	langchaintools "github.com/tmc/langchaingo/tools"

	"github.com/aiongen/aiongen/adapters/langchaingo"
	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// deskRegistry returns a registry with the tools of the example, and some that take anything and return their arguments.
func deskRegistry(t testing.TB, options ...tool.Option) *tool.Registry {
	t.Helper()
	r := tool.NewRegistry(options...)
	now := func() time.Time { return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) }
	if err := gen.Register(r, gen.Deps{Desk: tools.NewDesk(now)}); err != nil {
		t.Fatal(err)
	}
	for name, input := range map[string]string{
		"nothing":  `{"type":"object"}`,
		"number":   `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`,
		"text":     `{"type":"object","properties":{"a \"b\"":{"type":"string"}}}`,
		"needed":   `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":"string"}},"required":["a"]}`,
		"two":      `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]}`,
		"optional": `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`,
	} {
		r.Replace(tool.NewTypedTool(&tool.Definition{Name: name, Description: "Returns it.", Input: json.RawMessage(input), Example: json.RawMessage(`{"x":1}`)},
			wire.Value.Any, func(_ context.Context, v any) (any, error) { return v, nil }, (*wire.Encoder).JSON).Tool)
	}
	r.Replace(textTool("reader", func(context.Context, string) (string, error) { return "", nil }).StoreResult("reader"))
	return r
}

func textTool(name string, run func(ctx context.Context, text string) (string, error)) tool.Tool {
	return tool.NewTypedTool(&tool.Definition{Name: name, Description: "Does it.", Input: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)},
		func(v wire.Value) string {
			o := v.Object()
			text := o.Str("text")
			o.Done()
			return text
		}, run, (*wire.Encoder).Str).Tool
}

// find returns the tool with a name.
func find(t testing.TB, r *tool.Registry, name string) langchaintools.Tool {
	t.Helper()
	for _, x := range langchaingo.Tools(r) {
		if x.Name() == name {
			return x
		}
	}
	t.Fatalf("there is no tool %s", name)
	return nil
}

func TestTools(t *testing.T) {
	var names []string
	for _, x := range langchaingo.Tools(deskRegistry(t)) {
		names = append(names, x.Name())
	}
	const want = "assign_ticket calculator close_ticket comment_ticket desk_manual echo find_tickets get_ticket needed nothing notify number open_ticket optional suggest_priority text ticket_statistics two"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestDescription(t *testing.T) {
	r := deskRegistry(t)
	for name, want := range map[string]string{
		"nothing": "Returns it.\nInput: none.",
		"number":  "Returns it.\nInput: a JSON object by this schema: " + `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}` + "\nExample: " + `{"x":1}`,
		"echo":    "Return the text unchanged.\nInput: the text of \"text\" alone, or a JSON object by this schema: " + `{"properties":{"text":{"type":"string","description":"any text"}},"additionalProperties":false,"type":"object","required":["text"]}`,
	} {
		if got := find(t, r, name).Description(); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
}

func TestCall(t *testing.T) {
	r := deskRegistry(t)
	for _, test := range []struct{ name, input, want string }{
		{"echo", "hello", "hello"},
		{"echo", " with space\n", " with space\n"},
		{"echo", "", ""},
		{"echo", `"quoted \"text\""`, `quoted "text"`},
		{"echo", `"quoted" and more`, `"quoted" and more`},
		{"echo", "7", "7"},
		{"echo", "null", "null"},
		{"echo", "[1]", "[1]"},
		{"echo", `{"text":"as JSON"}`, "as JSON"},
		{"echo", ` {"text":"as JSON"} `, "as JSON"},
		{"echo", `{"text":"cut o`, "The arguments of echo were wrong"},
		{"echo", `{"other":"key"}`, "The arguments of echo were wrong"},
		{"text", "x", `{"a \"b\"":"x"}`},
		{"needed", "x", `{"a":"x"}`},
		{"needed", `{"a":"x","b":1}`, `{"a":"x","b":1}`},
		{"number", "7", `{"n":7}`},
		{"number", " 7\n", `{"n":7}`},
		{"number", "seven", `{"n":"seven"}`},
		{"number", "", `{"n":""}`},
		{"nothing", "", `{}`},
		{"nothing", "none", `{}`},
		{"nothing", `{"a":1}`, `{"a":1}`},
		{"optional", "", `{}`},
		{"optional", "x", "The arguments of optional were wrong"},
		{"two", "x", "The arguments of two were wrong"},
		{"two", `{"a":"x","b":"y"}`, `{"a":"x","b":"y"}`},
		{"calculator", `{"operation":"multiply","a":6,"b":7}`, "42"},
		{"calculator", `{"operation":"divide","a":6,"b":0}`, "calculator failed: division by zero"},
		{"ticket_statistics", "", `{"counts":{},"longest_waiting":0}`},
		{"get_ticket", "7", "get_ticket failed: there is no ticket 7"},
	} {
		got, err := find(t, r, test.name).Call(t.Context(), test.input)
		if err != nil || got != test.want && !(strings.HasPrefix(test.want, "The arguments") && strings.HasPrefix(got, test.want)) {
			t.Errorf("%s %q: %q %v, want %q", test.name, test.input, got, err, test.want)
		}
	}
}

// TestNull checks that null is JSON and not plain text.
func TestNull(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(tool.NewTypedAction(&tool.Definition{Name: "do"}, func(wire.Value) int { return 0 }, func(context.Context, int) error { return nil }).Tool)
	if got, err := find(t, r, "do").Call(t.Context(), ""); got != "null" || err != nil {
		t.Errorf("%q %v", got, err)
	}
}

// TestEnd checks that an agent ends when its context is done, and that other timeouts are reported to the model.
func TestEnd(t *testing.T) {
	wait := textTool("wait", func(ctx context.Context, text string) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	})
	r := deskRegistry(t)
	r.Replace(wait)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"wait", "echo"} {
		if got, err := find(t, r, name).Call(ctx, "x"); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	r.Replace(textTool("slow", func(context.Context, string) (string, error) { return "", context.DeadlineExceeded }))
	if got, err := find(t, r, "slow").Call(t.Context(), "x"); err != nil || !strings.Contains(got, "slow failed") {
		t.Errorf("%q %v", got, err)
	}
}

// TestGoexit checks that a function which calls runtime.Goexit does not end the agent's goroutine.
func TestGoexit(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(textTool("exit", func(context.Context, string) (string, error) { runtime.Goexit(); return "", nil }))
	ended := true
	defer func() {
		if ended {
			t.Error("the goroutine of the agent was ended")
		}
	}()
	text, err := find(t, r, "exit").Call(t.Context(), "x")
	ended = false
	if err != nil || !strings.HasPrefix(text, "exit failed because of an error in its code") {
		t.Errorf("%q %v", text, err)
	}
}

// TestGone checks that the registry's current tool is called.
func TestGone(t *testing.T) {
	r := deskRegistry(t)
	echo := find(t, r, "echo")
	r.Unregister("echo")
	if got, err := echo.Call(t.Context(), "x"); err != nil || !strings.HasPrefix(got, `There is no tool "echo".`) {
		t.Errorf("%q %v", got, err)
	}
}

func FuzzCall(f *testing.F) {
	for _, seed := range []string{"", "x", `"x"`, `{"text":"x"}`, "{", "7", "null", "\xff", " "} {
		f.Add(seed)
	}
	r := tool.NewRegistry()
	r.Replace(textTool("echo", func(_ context.Context, text string) (string, error) { return text, nil }))
	echo := find(f, r, "echo")
	f.Fuzz(func(t *testing.T, input string) {
		got, err := echo.Call(t.Context(), input)
		if err != nil {
			t.Fatal(err)
		}
		trimmed := strings.TrimSpace(input)
		if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, `"`) {
			return // JSON, or not
		}
		if want := strings.Map(func(r rune) rune { return r }, input); got != want { // invalid UTF-8 is replaced
			t.Errorf("%q became %q", input, got)
		}
	})
}

func Example() {
	registry := tool.NewRegistry()
	registry.Replace(textTool("shout", func(_ context.Context, text string) (string, error) { return strings.ToUpper(text), nil }))
	for _, t := range langchaingo.Tools(registry) {
		output, err := t.Call(context.Background(), "hello")
		fmt.Println(t.Name(), output, err)
	}
	// Output: shout HELLO <nil>
}

// TestAttached checks that attachments are described to the model in words, and that tools cannot ask questions.
func TestAttached(t *testing.T) {
	r := deskRegistry(t)
	r.Replace(textTool("draw", func(ctx context.Context, text string) (string, error) {
		x := tool.ExchangeFrom(ctx)
		x.Attach(content.Image("image/png", []byte("png")))
		if text == "what" {
			_, err := x.Ask(ctx, tool.AskPerson("What?", nil))
			return "", err
		}
		return text, nil
	}))
	got, err := find(t, r, "draw").Call(t.Context(), "a cat")
	if want := "a cat\nAttached: \"image (image/png, 3 bytes)\""; err != nil || got != want {
		t.Errorf("%q %v, want %q", got, err, want)
	}
	got, err = find(t, r, "draw").Call(t.Context(), "what")
	if want := `draw failed. draw asked: "What?". Nobody can answer that here.`; err != nil || !strings.HasPrefix(got, want) {
		t.Errorf("%q %v, want %q", got, err, want)
	}
}

// TestNote checks that a note about a result reaches the model.
func TestNote(t *testing.T) {
	r := deskRegistry(t, tool.Use(middleware.Trim(20)))
	r.Replace(textTool("echo", func(_ context.Context, text string) (string, error) { return text, nil }))
	got, err := find(t, r, "echo").Call(t.Context(), strings.Repeat("long ", 9))
	if err != nil || !strings.HasPrefix(got, "long long") || !strings.Contains(got, "\nThe result was too long and has been cut: ") {
		t.Errorf("%q %v", got, err)
	}
}
