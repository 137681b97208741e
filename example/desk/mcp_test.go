package desk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/tool"
)

// toolCall is a call, as clients take it.
type toolCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// everyTool calls each tool, some of them twice, and some wrongly.
var everyTool = []toolCall{
	{"open_ticket", json.RawMessage(`{"title":"Printer <2> prints blank pages","priority":"normal","requester":{"name":"Zoë"},"tags":["printer"]}`)},
	{"open_ticket", json.RawMessage(`{"title":7,"priority":"asap","requester":{"mail":"x"}}`)},
	{"get_ticket", json.RawMessage(`{"ticket_id":1}`)},
	{"find_tickets", json.RawMessage(`{"words":"printer","limit":0}`)},
	{"assign_ticket", json.RawMessage(`{"ticket_id":1,"assignee":"linus"}`)},
	{"comment_ticket", json.RawMessage(`{"ticket_id":1,"author":"linus","text":"toner is empty"}`)},
	{"close_ticket", json.RawMessage(`{"ticket_id":1,"author":"linus","solution":"new toner"}`)},
	{"close_ticket", json.RawMessage(`{"ticket_id":9,"author":"linus","solution":"none"}`)},
	{"ticket_statistics", json.RawMessage(`{}`)},
	{"suggest_priority", json.RawMessage(`{"description":"an outage"}`)},
	{"calculator", json.RawMessage(`{"operation":"divide","a":1,"b":3}`)},
	{"calculator", json.RawMessage(`{"operation":"divide","a":1,"b":0}`)},
	{"echo", json.RawMessage(`{"text":"\"quoted\"\n"}`)},
	{"notify", json.RawMessage(`{"user":"linus","message":"Look at ticket 1."}`)},
	{"desk_manual", json.RawMessage(`{}`)},
}

// result is one that a client had.
type result struct {
	Content           []struct{ Type, Text string }
	StructuredContent any
	IsError           bool
	Code              int // of a protocol error
}

// check compares a result with what the registry says of the call.
func (c toolCall) check(t *testing.T, got result, registry *tool.Registry) {
	t.Helper()
	call := registry.Call(t.Context(), tool.Request{Name: c.Name, Arguments: c.Arguments})
	if len(got.Content) != 1 || got.IsError != (call.Err != nil) {
		t.Errorf("%s %s: %+v", c.Name, c.Arguments, got)
		return
	}
	text := got.Content[0].Text
	if call.Err != nil {
		if want := tool.ModelText(call.Err); text != want || got.StructuredContent != nil {
			t.Errorf("%s %s: %+v, want %s", c.Name, c.Arguments, got, want)
		}
		return
	}
	want, plain := value(t, call.Output), string(call.Output)
	if said, isText := want.(string); isText {
		plain = said
	}
	if _, isObject := want.(map[string]any); !isObject {
		want = map[string]any{"result": want}
	}
	if !reflect.DeepEqual(got.StructuredContent, want) || text != plain {
		t.Errorf("%s %s: %+v, want %v", c.Name, c.Arguments, got, want)
	}
}

func value(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// listed is what clients are told of a tool.
type listed struct {
	Name, Title, Description string
	InputSchema              any
	Annotations              struct{ ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint *bool }
}

// checkList compares a list of tools with what the registry has.
func checkList(t *testing.T, list []listed) {
	t.Helper()
	all := newRegistry(t).All()
	if len(list) != len(all) {
		t.Fatalf("%d tools, want %d", len(list), len(all))
	}
	for i, d := range all {
		got := list[i]
		if got.Name != d.Name || got.Title != d.Title || got.Description != d.Description || !reflect.DeepEqual(got.InputSchema, value(t, d.Input)) {
			t.Errorf("got %+v, want %+v", got, d)
		}
		a := got.Annotations
		if a.OpenWorldHint == nil || a.ReadOnlyHint == nil && a.DestructiveHint == nil {
			t.Errorf("%s: annotations are not said", d.Name)
		}
		if !slices.ContainsFunc(everyTool, func(c toolCall) bool { return c.Name == d.Name }) {
			t.Errorf("%s is not called", d.Name)
		}
	}
}

func newRegistry(t *testing.T) *tool.Registry {
	t.Helper()
	registry := tool.NewRegistry()
	if err := gen.Register(registry, gen.Deps{Desk: tools.NewDesk(standing)}); err != nil {
		t.Fatal(err)
	}
	return registry
}

// build builds the example and returns the path of the program.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "example")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "..").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// serveHTTP runs the program with -mcp-http and returns the URL. It interrupts the
// program in the end, which must then end well and have said nothing.
func serveHTTP(t *testing.T, program string) string {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program, "-mcp-http", ":0")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := cmd.Process.Signal(os.Interrupt)
		if err = errors.Join(err, cmd.Wait()); err != nil || stdout.Len() > 0 {
			t.Errorf("the server ended by %v and said %q", err, stdout.String())
		}
	})
	said := bufio.NewScanner(stderr)
	if !said.Scan() {
		t.Fatalf("the server says nothing: %v", said.Err())
	}
	_, url, found := strings.Cut(said.Text(), "url=")
	if !found {
		t.Fatalf("the server says %q", said.Text())
	}
	return url
}

// TestMCP asks the program with the Go SDK's client, which reads nothing but the
// protocol from standard output.
func TestMCP(t *testing.T) {
	program := build(t)
	for name, transport := range map[string]sdk.Transport{
		"stdio": &sdk.CommandTransport{Command: exec.CommandContext(t.Context(), program, "-mcp")},
		"HTTP":  &sdk.StreamableClientTransport{Endpoint: serveHTTP(t, program)},
	} {
		t.Run(name, func(t *testing.T) {
			session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), transport, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			var list struct{ Tools []listed }
			got, err := session.ListTools(t.Context(), nil)
			convert(t, got, err, &list)
			checkList(t, list.Tools)
			registry := newRegistry(t)
			for _, call := range everyTool {
				var r result
				got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: call.Name, Arguments: call.Arguments})
				convert(t, got, err, &r)
				call.check(t, r, registry)
			}
			prompt, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "wrapped_query", Arguments: map[string]string{"query": "Help!"}})
			if err != nil || prompt.Messages[0].Content.(*sdk.TextContent).Text != "Somebody writes to the desk: Help!\nWhat is known of them:" {
				t.Errorf("%+v %v", prompt, err)
			}
		})
	}
}

// convert reads what the client returned as others had it.
func convert(t *testing.T, from any, err error, to any) {
	t.Helper()
	raw, err2 := json.Marshal(from)
	if err := errors.Join(err, err2, json.Unmarshal(raw, to)); err != nil {
		t.Fatal(err)
	}
}

// clients returns a directory of npm's with the clients that others wrote.
func clients(t *testing.T) string {
	t.Helper()
	modules := os.Getenv("NODE_PACKAGES")
	if modules == "" {
		t.Skip("npm install @modelcontextprotocol/inspector@2.12.0 @modelcontextprotocol/sdk@1.32.2, and set NODE_PACKAGES to node_modules")
	}
	return modules
}

// TestTypeScript lists and calls every tool with the official TypeScript SDK.
func TestTypeScript(t *testing.T) {
	modules, program := clients(t), build(t)
	calls, err := json.Marshal(append([]toolCall{{"no_such_tool", json.RawMessage(`{}`)}}, everyTool...))
	if err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string][]string{"stdio": {program, "-mcp"}, "HTTP": {serveHTTP(t, program)}} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "node", append([]string{filepath.Join("testdata", "client.cjs"), modules}, target...)...)
			cmd.Stdin, cmd.Stderr = bytes.NewReader(calls), os.Stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			var had struct {
				Tools   []listed
				Prompts []struct{ Name string }
				Results []result
			}
			if err := json.Unmarshal(out, &had); err != nil || len(had.Results) != len(everyTool)+1 {
				t.Fatalf("%v: %s", err, out)
			}
			checkList(t, had.Tools)
			if len(had.Prompts) != 3 || had.Results[0].Code != -32602 {
				t.Errorf("prompts %v, for an unknown tool %+v", had.Prompts, had.Results[0])
			}
			registry := newRegistry(t)
			for i, call := range everyTool {
				call.check(t, had.Results[i+1], registry)
			}
		})
	}
}

// TestInspector lists and calls every tool with the official inspector, which also
// checks whether clients in use take the schemas.
func TestInspector(t *testing.T) {
	inspector := filepath.Join(clients(t), ".bin", "mcp-inspector")
	program := build(t)
	const isError = 5 // the exit status for a result that is one
	for _, era := range []string{"legacy", "modern"} {
		for _, way := range []string{"stdio", "HTTP"} {
			t.Run(way+" "+era, func(t *testing.T) {
				t.Parallel()
				target := []string{"--cli", program, "-mcp"}
				if way == "HTTP" {
					target = []string{"--cli", serveHTTP(t, program), "--transport", "http"}
				}
				inspect := func(to any, args ...string) (status int) {
					t.Helper()
					var stderr bytes.Buffer
					cmd := exec.CommandContext(t.Context(), inspector, slices.Concat(target, []string{"--protocol-era", era}, args)...)
					cmd.Stderr = &stderr
					out, err := cmd.Output()
					if json.Unmarshal(out, to) != nil {
						t.Fatalf("%q: %v: %s%s", args, err, out, stderr.String())
					}
					return cmd.ProcessState.ExitCode()
				}
				var list struct{ Tools []listed }
				if status := inspect(&list, "--method", "tools/list", "--strict"); status != 0 {
					t.Errorf("the schemas are not fit for all clients: exit status %d", status)
				}
				checkList(t, list.Tools)
				registry := newRegistry(t)
				calls := everyTool
				if era == "modern" { // each takes half a second
					calls = calls[:2]
				}
				for _, call := range calls {
					if way == "stdio" { // each call is to a program of its own
						registry = newRegistry(t)
					}
					var r result
					status := inspect(&r, "--method", "tools/call", "--tool-name", call.Name, "--tool-args-json", string(call.Arguments))
					if (status == isError) != r.IsError || status != 0 && status != isError {
						t.Errorf("%s: exit status %d", call.Name, status)
					}
					call.check(t, r, registry)
				}
			})
		}
	}
}
