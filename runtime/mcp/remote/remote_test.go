package remote_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/remote"
	"github.com/aiongen/aiongen/runtime/tool"
)

func Example() {
	server := sdk.NewServer(&sdk.Implementation{Name: "weather", Version: "v1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "forecast", Description: "What the weather will be."},
		func(_ context.Context, _ *sdk.CallToolRequest, in struct {
			City string `json:"city"`
		}) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "Sun in " + in.City}}}, nil, nil
		})
	here, there := sdk.NewInMemoryTransports()
	ctx := context.Background()
	go func() { _ = server.Run(ctx, there) }() // elsewhere, mostly

	weather, err := remote.Connect(ctx, here)
	if err != nil {
		log.Fatal(err)
	}
	defer weather.Close()
	registry := tool.NewRegistry()
	if err := weather.Follow(ctx, registry.With(tool.Prefix("weather_"))); err != nil {
		log.Fatal(err)
	}
	for _, arguments := range []string{`{"city":"Rome"}`, `{"town":"Rome"}`} {
		call := registry.Call(ctx, tool.Request{Name: "weather_forecast", Arguments: json.RawMessage(arguments)})
		fmt.Println(string(call.Output), call.Err)
	}
	// Output:
	// "Sun in Rome" <nil>
	//  weather_forecast: wrong arguments: /town: expected only the key city, found the key "town"; /city: expected a value, found nothing
}

const (
	withSessions = "2025-11-25" // the last version of the protocol with sessions
	stateless    = "2026-07-28"
)

// eachVersion runs a test with a server of the newest version, and with one of an older version.
func eachVersion(t *testing.T, test func(t *testing.T, version string)) {
	for _, version := range []string{withSessions, stateless} {
		t.Run(version, func(t *testing.T) { test(t, version) })
	}
}

// newServer returns a server that supports only one version.
func newServer(version string) *sdk.Server {
	return sdk.NewServer(&sdk.Implementation{Name: "far", Version: "v1"}, &sdk.ServerOptions{
		SupportedProtocolVersions: []string{version},
		Capabilities:              &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}},
	})
}

// connectClient connects to a server.
func connectClient(t testing.TB, s *sdk.Server, options *sdk.ClientOptions, more ...remote.Option) *remote.Server {
	t.Helper()
	here, there := sdk.NewInMemoryTransports()
	ended := make(chan error)
	go func() { ended <- s.Run(context.WithoutCancel(t.Context()), there) }()
	r, err := remote.Connect(t.Context(), here, append(more, clientOption(options))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = r.Close()
		<-ended
	})
	return r
}

// clientOption returns the option for client options, if there are any.
func clientOption(options *sdk.ClientOptions) remote.Option {
	if options == nil {
		return nil
	}
	return remote.Client(*options)
}

// newRegistry returns a registry with the tools of a server.
func newRegistry(t testing.TB, r *remote.Server, options ...tool.Option) *tool.Registry {
	t.Helper()
	registry := tool.NewRegistry(options...)
	if err := r.Follow(t.Context(), registry); err != nil {
		t.Fatal(err)
	}
	return registry
}

// addTool adds a tool whose arguments and results are not checked by its server.
func addTool(s *sdk.Server, definition *sdk.Tool, run func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error)) {
	if definition.InputSchema == nil {
		definition.InputSchema = json.RawMessage(`{"type":"object"}`)
	}
	s.AddTool(definition, run)
}

func textResult(texts ...string) *sdk.CallToolResult {
	r := new(sdk.CallToolResult)
	for _, text := range texts {
		r.Content = append(r.Content, &sdk.TextContent{Text: text})
	}
	return r
}

// fake is a server with arbitrary answers.
type fake struct {
	out    io.Writer
	answer func(f *fake, method string, params map[string]any) any // nil for no answer, an error for an error answer

	current json.RawMessage // the ID of the request that it answers

	mu sync.Mutex // locked while it writes
}

// connectFake connects to a server of a version with sessions. Initialize is answered for it.
func connectFake(t testing.TB, options *sdk.ClientOptions, answer func(f *fake, method string, params map[string]any) any, more ...remote.Option) *remote.Server {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	f := &fake{out: out, answer: answer}
	go f.serveMessages(in)
	r, err := remote.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, append(more, clientOption(options))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func (f *fake) serveMessages(in io.Reader) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params map[string]any
		}
		if err := json.Unmarshal(line, &m); err != nil {
			panic(err)
		}
		f.current = m.ID
		var result any
		switch m.Method {
		case "server/discover":
			if result = f.answer(f, m.Method, m.Params); result == nil || !isDiscovered(result) {
				result = errors.New("unknown method")
			}
		case "initialize":
			result = map[string]any{"protocolVersion": withSessions, "serverInfo": map[string]any{"name": "fake", "version": "1"}, "capabilities": map[string]any{"tools": map[string]any{"listChanged": true}}}
		default:
			result = f.answer(f, m.Method, m.Params)
		}
		if m.ID == nil || result == nil {
			continue
		}
		answer := map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result}
		if err, failed := result.(error); failed {
			delete(answer, "result")
			answer["error"] = map[string]any{"code": -32601, "message": err.Error()}
		}
		f.sendMessage(answer)
	}
}

func (f *fake) sendMessage(message any) {
	line, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	f.writeLine(string(line))
}

// writeLine writes a line.
func (f *fake) writeLine(line string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, _ = io.WriteString(f.out, line+"\n")
}

// isDiscovered reports whether an answer belongs to a request for the versions of a server.
func isDiscovered(result any) bool {
	text, ok := result.(json.RawMessage)
	return ok && strings.Contains(string(text), "supportedVersions")
}

// notifyChanged notifies the client that the tools have changed.
func (f *fake) notifyChanged() {
	f.sendMessage(map[string]any{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
}

// toolList answers a request for the tools with the given ones, as JSON.
func toolList(tools ...string) any {
	return json.RawMessage(`{"tools":[` + strings.Join(tools, ",") + `]}`)
}

// newRequest returns a request for a call.
func newRequest(name, arguments string) tool.Request {
	return tool.Request{Name: name, Arguments: json.RawMessage(arguments)}
}

func toolNames(tools []tool.Tool) (all []string) {
	for _, t := range tools {
		all = append(all, t.Definition().Name)
	}
	return all
}

// TestTools checks how tools of a server are converted, and which are left out.
func TestTools(t *testing.T) {
	const simple = `"inputSchema":{"type":"object"}`
	long := strings.Repeat("x", 64<<10+1)
	for _, test := range []struct {
		offered string
		want    tool.Definition
		wrong   string
	}{
		{offered: `{"name":"a","description":"Does a.",` + simple + `}`, want: tool.Definition{Name: "a", Description: "Does a."}},
		{offered: `{"name":"a","title":"A\u001b[2J\nB","description":"Does\r\n\ta\u202e.\u0007",` + simple + `}`, want: tool.Definition{Name: "a", Title: "A [2J B", Description: "Does \n\ta . "}},
		{offered: `{"name":"a/b.c-d","title":"A","annotations":{"title":"B"},` + simple + `}`, want: tool.Definition{Name: "a/b.c-d", Title: "A", Description: "A"}},
		{offered: `{"name":"a","annotations":{"title":"B"},` + simple + `}`, want: tool.Definition{Name: "a", Title: "B", Description: "B"}},
		{offered: `{"name":"a"}`, want: tool.Definition{Name: "a", Description: "a"}},
		{offered: `{"name":"a","inputSchema":{"properties":{"x":{"type":"integer"}}}}`,
			want: tool.Definition{Name: "a", Description: "a", Input: json.RawMessage(`{"properties":{"x":{"type":"integer"}},"type":"object"}`)}},
		{offered: `{"name":"a","annotations":{},` + simple + `}`, want: tool.Definition{Name: "a", Description: "a"}},
		{offered: `{"name":"a","annotations":{"readOnlyHint":true,"openWorldHint":false},` + simple + `}`,
			want: tool.Definition{Name: "a", Description: "a", Annotations: tool.Annotations{ReadOnly: true, ClosedWorld: true}}},
		{offered: `{"name":"a","annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":true},` + simple + `}`,
			want: tool.Definition{Name: "a", Description: "a", Annotations: tool.Annotations{Additive: true, Idempotent: true}}},
		{offered: `{"name":"a","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"x":{"type":"string"}},"properties":{"x":{"$ref":"#/definitions/x"}}}}`,
			want: tool.Definition{Name: "a", Description: "a", Input: json.RawMessage(`{"$defs":{"x":{"type":"string"}},"properties":{"x":{"$ref":"#/$defs/x"}},"type":"object"}`)}},
		{offered: `{"name":"a",` + simple + `,"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}`,
			want: tool.Definition{Name: "a", Description: "a", Output: json.RawMessage(`{"properties":{"n":{"type":"integer"}},"type":"object"}`)}},
		{offered: `{"name":"a",` + simple + `,"outputSchema":{"type":"object","properties":{"result":{"$ref":"#/$defs/n"}},"required":["result"],"$defs":{"n":{"type":"integer"}},"x-fastmcp-wrap-result":true}}`,
			want: tool.Definition{Name: "a", Description: "a", Output: json.RawMessage(`{"$defs":{"n":{"type":"integer"}},"$ref":"#/$defs/n"}`)}},
		{offered: `{"name":"a",` + simple + `,"outputSchema":{"type":"object","properties":{"result":{"type":"array","items":{"$ref":"#/properties/result"}}},"x-fastmcp-wrap-result":true}}`,
			want: tool.Definition{Name: "a", Description: "a", Output: json.RawMessage(`{"properties":{"result":{"items":{"$ref":"#/properties/result"},"type":"array"}},"type":"object","x-fastmcp-wrap-result":true}`)}},

		{offered: `{"name":"","description":"d",` + simple + `}`, wrong: `a name is 1 to 128 letters`},
		{offered: `{"name":"a b\u001b[2J",` + simple + `}`, wrong: `its name has characters that cannot be displayed`},
		{offered: `{"name":"` + strings.Repeat("n", 1<<20) + `",` + simple + `}`, wrong: `its name has 1048576 bytes, but may have only 128`},
		{offered: `{"name":"a","description":"` + long + `",` + simple + `}`, wrong: `its description has 65537 bytes, but may have only 65536`},
		{offered: `{"name":"a","inputSchema":{"type":"string"}}`, wrong: `the input schema must have "type": "object"`},
		{offered: `{"name":"a","inputSchema":true}`, wrong: `its input schema is not a JSON object`},
		{offered: `{"name":"a","inputSchema":{"type":"object","description":"` + strings.Repeat("x", 1<<20) + `"}}`, wrong: `expected a schema of at most 1 MiB`},
	} {
		far := connectFake(t, nil, func(*fake, string, map[string]any) any {
			return toolList(test.offered, `{"name":"other",`+simple+`}`)
		}, remote.TrustHints())
		tools, err := far.Tools(t.Context())
		if test.wrong != "" {
			var wrong *tool.DefinitionError
			if !errors.As(err, &wrong) || strings.Count(err.Error(), "tool ") != 1 || !strings.Contains(err.Error(), test.wrong) || len(err.Error()) > 1000 || !slices.Equal(toolNames(tools), []string{"other"}) {
				t.Errorf("%.200s: got %v, %.300v, want %s", test.offered, toolNames(tools), err, test.wrong)
			}
			continue
		}
		if test.want.Input == nil {
			test.want.Input = json.RawMessage(`{"type":"object"}`)
		}
		if err != nil || len(tools) != 2 {
			t.Errorf("%s: %v, %v", test.offered, toolNames(tools), err)
			continue
		}
		got, _ := json.Marshal(tools[0].Definition())
		want, _ := json.Marshal(test.want)
		if string(got) != string(want) {
			t.Errorf("%s:\ngot  %s\nwant %s", test.offered, got, want)
		}
		if err := tool.NewRegistry().Register(tools...); err != nil {
			t.Error(err)
		}
	}
}

// TestPages checks that all pages are read, up to a limit.
func TestPages(t *testing.T) {
	for _, test := range []struct {
		name  string
		next  func(cursor string, n int) string
		wrong string
	}{
		{"three", func(_ string, n int) string {
			if n == 3 {
				return ""
			}
			return fmt.Sprint("page ", n)
		}, ""},
		{"circle", func(cursor string, n int) string { return fmt.Sprint("page ", n%2) }, "the pages of the list do not end"},
		{"endless", func(_ string, n int) string { return fmt.Sprint("page ", n) }, "the pages of the list do not end"},
	} {
		n := 0
		far := connectFake(t, nil, func(_ *fake, method string, params map[string]any) any {
			if method != "tools/list" {
				return nil
			}
			cursor, _ := params["cursor"].(string)
			n++
			return map[string]any{"nextCursor": test.next(cursor, n), "tools": []any{map[string]any{"name": fmt.Sprint("t", n), "inputSchema": map[string]any{"type": "object"}}}}
		})
		tools, err := far.Tools(t.Context())
		if test.wrong == "" && (err != nil || len(tools) != 3) || test.wrong != "" && (err == nil || tools != nil || !strings.Contains(err.Error(), test.wrong)) {
			t.Errorf("%s: %d tools, %v", test.name, len(tools), err)
		}
	}
	far := connectFake(t, nil, func(*fake, string, map[string]any) any {
		return toolList(slices.Repeat([]string{`{"name":"same","inputSchema":{"type":"object"}}`}, 3)...)
	})
	if tools, err := far.Tools(t.Context()); len(tools) != 1 || err == nil || strings.Count(err.Error(), "another tool of the server has the same name") != 2 {
		t.Errorf("%v, %v", toolNames(tools), err)
	}
	far = connectFake(t, nil, func(*fake, string, map[string]any) any {
		var many []string
		for i := range 10_001 {
			many = append(many, fmt.Sprintf(`{"name":"t%d"}`, i))
		}
		return toolList(many...)
	})
	if _, err := far.Tools(t.Context()); err == nil || !strings.Contains(err.Error(), "the list has more than 10000 tools") {
		t.Error(err)
	}
}
