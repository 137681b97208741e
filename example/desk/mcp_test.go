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

// toolCall is a call in the form that clients take.
type toolCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// everyTool calls each tool, some of them twice, and some with errors.
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

// clientResult is a result that a client received.
type clientResult struct {
	Content           []struct{ Type, Text string }
	StructuredContent any
	IsError           bool
	Code              int // of a protocol error
}

// checkCall compares a result with the outcome of the same call of the registry.
func (c toolCall) checkCall(t *testing.T, got clientResult, registry *tool.Registry) {
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
	want, plain := decodeValue(t, call.Output), string(call.Output)
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

func decodeValue(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// listedTool is a tool in a client's list.
type listedTool struct {
	Name, Title, Description string
	InputSchema              any
	Annotations              struct{ ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint *bool }
}

// checkList compares a list of tools with the registry.
func checkList(t *testing.T, list []listedTool) {
	t.Helper()
	all := newTestRegistry(t).All()
	if len(list) != len(all) {
		t.Fatalf("%d tools, want %d", len(list), len(all))
	}
	for i, d := range all {
		got := list[i]
		if got.Name != d.Name || got.Title != d.Title || got.Description != d.Description || !reflect.DeepEqual(got.InputSchema, decodeValue(t, d.Input)) {
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

func newTestRegistry(t *testing.T) *tool.Registry {
	t.Helper()
	registry := tool.NewRegistry()
	if err := gen.Register(registry, gen.Deps{Desk: tools.NewDesk(recordedTime)}); err != nil {
		t.Fatal(err)
	}
	return registry
}

// buildExample builds the example and returns the path of the program.
func buildExample(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "example")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "..").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// serveHTTP runs the program with -mcp-http and returns its URL. At the end of the test it interrupts the program,
// which must exit without an error and without output.
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

// TestMCP tests the program with the Go SDK's client, which fails if standard output has anything but the protocol.
func TestMCP(t *testing.T) {
	program := buildExample(t)
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
			var list struct{ Tools []listedTool }
			got, err := session.ListTools(t.Context(), nil)
			convertJSON(t, got, err, &list)
			checkList(t, list.Tools)
			registry := newTestRegistry(t)
			for _, call := range everyTool {
				var r clientResult
				got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: call.Name, Arguments: call.Arguments})
				convertJSON(t, got, err, &r)
				call.checkCall(t, r, registry)
			}
			prompt, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "wrapped_query", Arguments: map[string]string{"query": "Help!"}})
			if err != nil || prompt.Messages[0].Content.(*sdk.TextContent).Text != "Somebody writes to the desk: Help!\nWhat is known of them:" {
				t.Errorf("%+v %v", prompt, err)
			}
		})
	}
}

// convertJSON converts what one client returned to the types of another.
func convertJSON(t *testing.T, from any, err error, to any) {
	t.Helper()
	raw, err2 := json.Marshal(from)
	if err := errors.Join(err, err2, json.Unmarshal(raw, to)); err != nil {
		t.Fatal(err)
	}
}

// clientsFolder returns npm's folder with the other clients.
func clientsFolder(t *testing.T) string {
	t.Helper()
	modules := os.Getenv("NODE_PACKAGES")
	if modules == "" {
		t.Skip("npm install @modelcontextprotocol/inspector@2.12.0 @modelcontextprotocol/sdk@1.32.2, and set NODE_PACKAGES to node_modules")
	}
	return modules
}

// TestTypeScript lists and calls every tool with the official TypeScript SDK.
func TestTypeScript(t *testing.T) {
	modules, program := clientsFolder(t), buildExample(t)
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
				Tools   []listedTool
				Prompts []struct{ Name string }
				Results []clientResult
			}
			if err := json.Unmarshal(out, &had); err != nil || len(had.Results) != len(everyTool)+1 {
				t.Fatalf("%v: %s", err, out)
			}
			checkList(t, had.Tools)
			if len(had.Prompts) != 3 || had.Results[0].Code != -32602 {
				t.Errorf("prompts %v, for an unknown tool %+v", had.Prompts, had.Results[0])
			}
			registry := newTestRegistry(t)
			for i, call := range everyTool {
				call.checkCall(t, had.Results[i+1], registry)
			}
		})
	}
}

// TestInspector lists and calls every tool with the official inspector, which also checks whether common clients
// accept the schemas.
func TestInspector(t *testing.T) {
	inspector := filepath.Join(clientsFolder(t), ".bin", "mcp-inspector")
	program := buildExample(t)
	const isError = 5 // the exit status for an error result
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
				var list struct{ Tools []listedTool }
				if status := inspect(&list, "--method", "tools/list", "--strict"); status != 0 {
					t.Errorf("the schemas are not fit for all clients: exit status %d", status)
				}
				checkList(t, list.Tools)
				registry := newTestRegistry(t)
				calls := everyTool
				if era == "modern" { // each takes half a second
					calls = calls[:2]
				}
				for _, call := range calls {
					if way == "stdio" { // each call starts a program
						registry = newTestRegistry(t)
					}
					var r clientResult
					status := inspect(&r, "--method", "tools/call", "--tool-name", call.Name, "--tool-args-json", string(call.Arguments))
					if (status == isError) != r.IsError || status != 0 && status != isError {
						t.Errorf("%s: exit status %d", call.Name, status)
					}
					call.checkCall(t, r, registry)
				}
			})
		}
	}
}
