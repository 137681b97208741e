package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// TestDefinitionsByHand checks that a registry rejects handwritten tools without a name, or with
// invalid schemas, together with all tools that are registered with them.
func TestDefinitionsByHand(t *testing.T) {
	fits := func(context.Context, *tool.Invocation) {}
	for _, tt := range []struct{ name, input, output, want string }{
		{"a", ``, ``, ""},
		{"github/repos.search-issues_2", `{}`, `true`, ""},
		{"a", `{"type":["object","null"],"properties":{"x":false},"required":["x"],"items":[{}],"enum":[{}],"$defs":{"a":{"anyOf":[true]}},"x":7}`, `false`, ""},
		{"", `{}`, ``, `tool "" cannot be registered: it has no name`},
		{" \t", `{}`, ``, `tool " \t" cannot be registered: it has no name`},
		{"a\nb", `{}`, ``, `tool "a\nb" cannot be registered: a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens`},
		{"\xff", `{}`, ``, `tool "\xff" cannot be registered: a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens`},
		{"é", `{}`, ``, `tool "é" cannot be registered: a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens`},
		{"a b", `{}`, ``, `tool "a b" cannot be registered: a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens`},
		{"a'b", `{}`, ``, `tool "a'b" cannot be registered: a name is 1 to 128 letters, digits, underscores, dots, slashes and hyphens`},
		{"a", `{nope`, `[]`, `tool "a" cannot be registered: its input schema is invalid: it is not JSON: expected a key in double quotes at byte 1, found 'n'; its output schema is invalid: it must be an object, true or false`},
		{"a", `null`, ``, `tool "a" cannot be registered: its input schema is invalid: it must be an object, true or false`},
		{"a", `{"type":"text"}`, ``, `tool "a" cannot be registered: its input schema is invalid: /type must be one of object, array, string, number, integer, boolean, null, or a list of them`},
		{"a", `{"type":["string",["string"]]}`, ``, `tool "a" cannot be registered: its input schema is invalid: /type must be one of object, array, string, number, integer, boolean, null, or a list of them`},
		{"a", `{"required":"x"}`, ``, `tool "a" cannot be registered: its input schema is invalid: /required must be a list of names`},
		{"a", `{"enum":{}}`, ``, `tool "a" cannot be registered: its input schema is invalid: /enum must be a list of values`},
		{"a", `{"properties":[]}`, ``, `tool "a" cannot be registered: its input schema is invalid: /properties must be an object of schemas`},
		{"a", `{"properties":{"a/b":{"items":{"anyOf":{}}}}}`, ``, `tool "a" cannot be registered: its input schema is invalid: /properties/a~1b/items/anyOf must be a list of schemas`},
		{"a", ``, `{"additionalProperties":7}`, `tool "a" cannot be registered: its output schema is invalid: /additionalProperties must be an object, true or false`},
	} {
		d := &tool.Definition{Name: tt.name, Input: json.RawMessage(tt.input), Output: json.RawMessage(tt.output)}
		for _, made := range []tool.Tool{
			tool.New(d, fits),
			tool.NewTypedAction(d, wire.NoArguments, func(context.Context, struct{}) error { return nil }).Tool,
			tool.New(d, fits).StoreResult("x"),
		} {
			r := tool.NewRegistry()
			for _, err := range []error{r.Register(made), r.Replace(made, tool.New(&tool.Definition{Name: "b"}, fits))} {
				if got := fmt.Sprint(errors.Join(err)); tt.want != "" && got != tt.want || tt.want == "" && err != nil {
					t.Errorf("%q, %s, %s: got %s", tt.name, tt.input, tt.output, got)
				}
				var bad *tool.DefinitionError
				if tt.want != "" && (!errors.As(err, &bad) || tool.Code(err) != "invalid_definition" || tool.Retryable(err)) {
					t.Errorf("%T", err)
				}
			}
			if names := r.Names(); tt.want != "" && len(names) > 0 {
				t.Errorf("%v are registered", names)
			}
		}
	}
}

// TestNullArguments checks that null means no arguments, for every way to call a tool.
func TestNullArguments(t *testing.T) {
	r := tool.NewRegistry()
	if err := r.Register(tool.NewTypedAction(&tool.Definition{Name: "now"}, wire.NoArguments, func(context.Context, struct{}) error { return nil }).Tool); err != nil {
		t.Fatal(err)
	}
	for _, arguments := range []string{"null", " null\r\n", ""} {
		request := tool.Request{Name: "now", Arguments: json.RawMessage(arguments)}
		calls := append(r.CallAll(t.Context(), []tool.Request{request}, tool.Batch{}), r.Call(t.Context(), request))
		for _, call := range calls {
			if call.Err != nil || string(call.Arguments) != "{}" || string(call.Request.Arguments) != arguments {
				t.Errorf("%q: %v, %s", arguments, call.Err, call.Arguments)
			}
		}
	}
	if call := r.Call(t.Context(), tool.Request{Name: "now", Arguments: json.RawMessage("nulls")}); call.Err == nil {
		t.Error("nulls are no arguments")
	}
}

func ExampleCall_String() {
	registry := tool.NewRegistry()
	now := tool.NewTypedAction(&tool.Definition{Name: "now", Description: "Tells the time.\nIn UTC."}, wire.NoArguments, func(context.Context, struct{}) error { return nil })
	if err := registry.Register(now.Tool); err != nil {
		panic(err)
	}
	for _, request := range []tool.Request{
		{Name: "now"},
		{Name: "now", Arguments: json.RawMessage("{\n  \"zone\": \"CET\"\n}")},
		{Name: "no\nw", Arguments: json.RawMessage("{\n")},
	} {
		fmt.Println(registry.Call(context.Background(), request))
	}
	fmt.Println(tool.Request{Name: "now", Arguments: json.RawMessage(`"` + fmt.Sprintf("%0300d", 7) + `"`)}.String()[:40])
	fmt.Println(now.Tool)
	// Output:
	// now({}) → completed
	// now({"zone":"CET"}) → failed
	// "no\nw"("{\n") → failed
	// now("00000000000000000000000000000000000
	// now: Tells the time.
}

// TestShown checks that displayed texts are one line without control sequences, whatever models and
// authors write.
func TestShown(t *testing.T) {
	const wicked = "x\u2028y\u0085z\u009b31m\u202et\x7f\xffé"
	const harmless = `x\u2028y\u0085z\u009b31m\u202et\x7f` + "\ufffdé"
	for got, want := range map[string]string{
		tool.Request{Name: "a", Arguments: json.RawMessage(`{"b": "` + wicked + `"}`)}.String():                 `a({"b":"` + harmless + `"})`,
		tool.Request{Name: "\xff"}.String():                                                                     `"\xff"({})`,
		tool.New(&tool.Definition{Name: "a", Description: "one\t" + wicked + "\r\x1b[0m\r\ntwo"}, nil).String(): `a: one\t` + harmless + `\r\x1b[0m`,
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestGenerated checks that generated definitions are not checked again.
func TestGenerated(t *testing.T) {
	r := tool.NewRegistry()
	d := &tool.Definition{Name: "a", Input: json.RawMessage(`{`)}
	if err := r.Register(tool.Generated(d, func(context.Context, *tool.Invocation) {})); err != nil {
		t.Error(err)
	}
	if c := r.Call(t.Context(), tool.Request{Name: "a"}); c.Err != nil || string(c.Output) != "null" {
		t.Errorf("%s %v", c.Output, c.Err)
	}
}
