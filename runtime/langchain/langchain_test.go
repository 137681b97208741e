package langchain_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/guard"
	"github.com/aiongen/aiongen/runtime/langchain"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// desk is a registry with the tools of the example, and some that take anything
// and return the arguments that they had.
func desk(t testing.TB, options ...tool.Option) *tool.Registry {
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
		r.Replace(tool.NewOf(&tool.Definition{Name: name, Description: "Returns it.", Input: json.RawMessage(input), Example: json.RawMessage(`{"x":1}`)},
			wire.Value.Any, func(_ context.Context, v any) (any, error) { return v, nil }, (*wire.Encoder).JSON).Tool)
	}
	r.Replace(textTool("reader", func(context.Context, string) (string, error) { return "", nil }).Yields("reader"))
	return r
}

func textTool(name string, run func(ctx context.Context, text string) (string, error)) tool.Tool {
	return tool.NewOf(&tool.Definition{Name: name, Description: "Does it.", Input: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)},
		func(v wire.Value) string {
			o := v.Object()
			text := o.Str("text")
			o.Done()
			return text
		}, run, (*wire.Encoder).Str).Tool
}

// find returns one of the tools.
func find(t testing.TB, r *tool.Registry, name string) langchain.Interface {
	t.Helper()
	for _, x := range langchain.Tools[langchain.Interface](r) {
		if x.Name() == name {
			return x
		}
	}
	t.Fatalf("there is no tool %s", name)
	return nil
}

func TestTools(t *testing.T) {
	var names []string
	for _, x := range langchain.Tools[*langchain.Tool](desk(t)) {
		names = append(names, x.Name())
	}
	const want = "assign_ticket calculator close_ticket comment_ticket desk_manual echo find_tickets get_ticket needed nothing notify number open_ticket optional suggest_priority text ticket_statistics two"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestToolsOfAnother(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("there is no panic for an interface that a Tool does not have")
		}
	}()
	langchain.Tools[interface {
		langchain.Interface
		Close() error
	}](desk(t))
}

func TestDescription(t *testing.T) {
	r := desk(t)
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
	r := desk(t)
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

// TestNull: null is JSON, and no text.
func TestNull(t *testing.T) {
	r := tool.NewRegistry()
	r.Replace(tool.NewDo(&tool.Definition{Name: "do"}, func(wire.Value) int { return 0 }, func(context.Context, int) error { return nil }).Tool)
	if got, err := find(t, r, "do").Call(t.Context(), ""); got != "null" || err != nil {
		t.Errorf("%q %v", got, err)
	}
}

// TestEnd: an agent whose context is done has to end; what is over in a tool alone
// is for the model to know.
func TestEnd(t *testing.T) {
	wait := textTool("wait", func(ctx context.Context, text string) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	})
	r := desk(t)
	r.Replace(wait)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"wait", "echo"} {
		if got, err := find(t, r, name).Call(ctx, "x"); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	r = tool.NewRegistry(tool.Use(guard.Timeout(time.Millisecond)))
	r.Replace(wait)
	if got, err := find(t, r, "wait").Call(t.Context(), "x"); err != nil || !strings.Contains(got, "wait failed") {
		t.Errorf("%q %v", got, err)
	}
}

// TestGoexit: a function that ends its goroutine does not end that of the agent.
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
	if err != nil || !strings.HasPrefix(text, "exit failed by a fault of its own") {
		t.Errorf("%q %v", text, err)
	}
}

// TestGone: the tool that is called is that of the registry.
func TestGone(t *testing.T) {
	r := desk(t)
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
		if want := strings.Map(func(r rune) rune { return r }, input); got != want { // bytes that are no UTF-8 are replaced
			t.Errorf("%q became %q", input, got)
		}
	})
}

func Example() {
	registry := tool.NewRegistry()
	registry.Replace(textTool("shout", func(_ context.Context, text string) (string, error) { return strings.ToUpper(text), nil }))
	for _, t := range langchain.Tools[langchain.Interface](registry) { // of langchaingo: Tools[tools.Tool]
		output, err := t.Call(context.Background(), "hello")
		fmt.Println(t.Name(), output, err)
	}
	// Output: shout HELLO <nil>
}

// TestAttached: a model is told in words what is attached, and nobody can answer.
func TestAttached(t *testing.T) {
	r := desk(t)
	r.Replace(textTool("draw", func(ctx context.Context, text string) (string, error) {
		x := tool.ExchangeFrom(ctx)
		x.Attach(content.Image("image/png", []byte("png")))
		if text == "what" {
			_, err := x.Ask(ctx, ask.Person("What?", nil))
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

// TestNote: a model is told what a tool's result is not.
func TestNote(t *testing.T) {
	r := desk(t, tool.Use(guard.Trim(20)))
	r.Replace(textTool("echo", func(_ context.Context, text string) (string, error) { return text, nil }))
	got, err := find(t, r, "echo").Call(t.Context(), strings.Repeat("long ", 9))
	if err != nil || !strings.HasPrefix(got, "long long") || !strings.Contains(got, "\nThe result was too long and has been cut: ") {
		t.Errorf("%q %v", got, err)
	}
}
