package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/trace"

	"github.com/aiongen/aiongen/adapters/telemetry"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/mcp/remote"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/tool"
)

// serve serves the tools of w over HTTP and returns the address.
func (w *world) serve(options ...mcp.Option) string {
	w.Helper()
	server, err := mcp.New(w.tools, append([]mcp.Option{mcp.Name("desk", "1"), mcp.Observe(w.ServeMCP), mcp.ObserveSessions(w.ServeMCPSession)}, options...)...)
	if err != nil {
		w.Fatal(err)
	}
	greet := mcp.Prompt{Name: "greet", Description: "Greets.", Write: func(context.Context, map[string]string) ([]content.Part, error) {
		return []content.Part{content.Text("Hello!")}, nil
	}}
	note := mcp.Resource{URI: "note://one", Name: "one", Description: "A note.", Read: func(context.Context, map[string]string) (content.Part, error) { return content.Text("1"), nil }}
	if err := server.AddPrompt(greet); err != nil {
		w.Fatal(err)
	}
	if err := server.AddResource(note); err != nil {
		w.Fatal(err)
	}
	web := httptest.NewServer(server.Handler())
	w.Cleanup(web.Close)
	w.servers = append(w.servers, web)
	return web.URL
}

// closeServers waits until the requests to all servers have ended, and closes the servers.
func (w *world) closeServers() {
	for _, web := range w.servers {
		web.Close()
	}
}

// connect follows the server at an address with the tools of another program.
func (w *world) connect(address string) (*tool.Registry, *remote.Server) {
	w.Helper()
	registry := tool.NewRegistry(tool.Use(w.Middleware))
	server, err := remote.Connect(w.Context(), &sdk.StreamableClientTransport{Endpoint: address}, remote.Observe(w.CallMCP), remote.ObserveSessions(w.CallMCPSession))
	if err == nil {
		w.Cleanup(func() { _ = server.Close() })
		err = server.Follow(w.Context(), registry.With(tool.Prefix("desk_")))
	}
	if err != nil {
		w.Fatal(err)
	}
	return registry, server
}

// playMCP makes requests to a server of the world: of two clients of the SDK, of which one has a session, and
// of a client that the world records.
func playMCP(w *world) {
	w.Helper()
	address := w.serve()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		session, err := client.Connect(w.Context(), &sdk.StreamableClientTransport{Endpoint: address}, &sdk.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			w.Fatal(err)
		}
		_, _ = session.CallTool(w.Context(), &sdk.CallToolParams{Name: "lookup"})
		_, _ = session.GetPrompt(w.Context(), &sdk.GetPromptParams{Name: "greet"})
		_, _ = session.ReadResource(w.Context(), &sdk.ReadResourceParams{URI: "note://none"})
		_ = session.Close()
	}
	w.connect(address)
	described := &observe.Session{Connection: observe.Connection{Transport: "pipe"}}
	w.ServeMCPSession(described)(nil)
	w.CallMCPSession(described)(nil)
}

// TestMCPOneTrace checks that a run whose tools are on an MCP server over HTTP, and the work of the
// server, form one trace.
func TestMCPOneTrace(t *testing.T) {
	server, client := newWorld(t), newWorld(t)
	registry, _ := client.connect(server.serve())
	client.spans.Reset()
	server.spans.Reset()
	client.tools = registry
	model := scripted.New(scripted.Call("desk_lookup", `{"q":"7"}`), scripted.Call("desk_fail", `{}`), scripted.Text("Hello, Ada!"))
	client.execute(t.Context(), client.newAgent(model, orchestrator.Conversation{}), orchestrator.Input{Request: "Greet user 7"})
	for _, s := range server.spans.GetSpans() { // as a backend receives them
		_ = client.spans.ExportSpans(t.Context(), []sdkSpan{s.Snapshot()})
	}
	text := client.traceText()
	if strings.Contains(text, "trace 2") {
		t.Error("there is more than one trace")
	}
	checkGolden(t, "mcp_run.txt", text)
	checkGolden(t, "mcp_client_metrics.txt", client.metricText())
	checkGolden(t, "mcp_server_metrics.txt", server.metricText())
}

// TestMCPServer checks the spans of methods, with the SDK's client: of its session and without a trace,
// and with traces in _meta and in HTTP.
func TestMCPServer(t *testing.T) {
	w := newWorld(t)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: w.serve()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	meta := sdk.Meta{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
	call := func(name string, meta sdk.Meta) {
		_, _ = session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: map[string]any{}, Meta: meta})
	}
	call("lookup", meta)
	call("fail", sdk.Meta{"traceparent": "00-0-0-\xff"})
	call(strings.Repeat("no such tool", 100), nil)
	_, _ = session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "greet", Meta: meta})
	_, _ = session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "note://one"})
	_, _ = session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "note://none"})
	text := w.traceText()
	for _, s := range w.spans.GetSpans() {
		if name := s.Name; name == "tools/call lookup" && s.Parent.TraceID().String() != "0af7651916cd43dd8448eb211c80319c" {
			t.Errorf("%s is not in the trace of its caller", name)
		}
	}
	checkGolden(t, "mcp_server.txt", text)
	checkGolden(t, "mcp_methods.txt", w.metricText())
}

// TestServedErrorText checks that the span of a request keeps the text of the tool's error, which the middleware
// has recorded.
func TestServedErrorText(t *testing.T) {
	w := newWorld(t, telemetry.Content(nil))
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: w.serve()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "fail"}); err != nil {
		t.Fatal(err)
	}
	s := w.findSpan("tools/call fail")
	if kind := attributeOf(s, "error.type"); kind != "tool_error" || !strings.Contains(s.Status.Description, "the secret is 445550100") {
		t.Errorf("the span has the error %q and the text %q", kind, s.Status.Description)
	}
}

// TestServedInHTTPTrace checks which of several traces a request belongs to.
func TestServedInHTTPTrace(t *testing.T) {
	const caller, header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	headers := func(name string) string { return map[string]string{"traceparent": header}[name] }
	for name, test := range map[string]struct {
		meta         map[string]string
		header, http bool
		parent       string // begins the ID of the trace
		links        int
	}{
		"meta":                 {meta: map[string]string{"traceparent": caller}, parent: "0af"},
		"meta and HTTP":        {meta: map[string]string{"traceparent": caller}, http: true, parent: "0af", links: 1},
		"HTTP and its headers": {header: true, http: true, parent: "http"},
		"headers":              {header: true, parent: "1af"},
		"invalid":              {meta: map[string]string{"traceparent": "00-\x00"}, parent: ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ctx, parent := t.Context(), test.parent
			if test.http {
				var span trace.Span
				ctx, span = w.traces.Tracer("http").Start(ctx, "POST")
				if parent == "http" {
					parent = span.SpanContext().TraceID().String()
				}
			}
			r := observeRequest("tools/list", test.meta)
			if test.header {
				r.Header = headers
			}
			_, end := w.ServeMCP(ctx, r)
			end(noOutcome)
			s := w.spans.GetSpans()[0]
			if s.Parent.IsValid() != (parent != "") || parent != "" && !strings.HasPrefix(s.Parent.TraceID().String(), parent) || len(s.Links) != test.links {
				t.Errorf("the parent is %v, with %d links", s.Parent.TraceID(), len(s.Links))
			}
		})
	}
}

// TestMCPClientSpan checks that a request has a span of its own if the tools have no middleware, or if
// it is not the call that the middleware has recorded, and that the server receives its context.
func TestMCPClientSpan(t *testing.T) {
	server, w := newWorld(t), newWorld(t)
	registry := tool.NewRegistry()
	remoteServer, err := remote.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: server.serve()}, remote.Observe(w.CallMCP))
	if err == nil {
		t.Cleanup(func() { _ = remoteServer.Close() })
		err = remoteServer.Follow(t.Context(), registry)
	}
	if err != nil {
		t.Fatal(err)
	}
	registry.Call(t.Context(), tool.Request{Name: "lookup"})
	sent, served := w.findSpan("tools/call lookup"), server.findSpan("tools/call lookup")
	if sent.SpanKind != trace.SpanKindClient || served.SpanKind != trace.SpanKindServer || served.Parent.SpanID() != sent.SpanContext.SpanID() {
		t.Errorf("sent %v %v, served %v with the parent %v", sent.SpanKind, sent.SpanContext.SpanID(), served.SpanKind, served.Parent.SpanID())
	}
	list := server.findSpan("tools/list")
	if parent := w.findSpan("tools/list"); list.Parent.SpanID() != parent.SpanContext.SpanID() {
		t.Error("the list is not in the trace of the client")
	}
}

// TestMCPSession checks the spans of a session of an older version of the protocol.
func TestMCPSession(t *testing.T) {
	w := newWorld(t)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	const version = "2025-11-25"
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: w.serve()}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	meta := sdk.Meta{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
	if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "lookup", Meta: meta}); err != nil {
		t.Fatal(err)
	}
	if _, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "greet", Meta: meta}); err != nil {
		t.Fatal(err)
	}
	w.findSpan("initialize")
	for _, name := range []string{"tools/call lookup", "prompts/get greet"} {
		s := w.findSpan(name)
		if got := attributeOf(s, "mcp.session.id"); got != session.ID() {
			t.Errorf("%s has the session %q, want %q", name, got, session.ID())
		}
		if got := attributeOf(s, "mcp.protocol.version"); got != version || s.Parent.SpanID().String() != "b7ad6b7169203331" {
			t.Errorf("%s has version %s and parent %v", name, got, s.Parent.SpanID())
		}
	}
}

// TestMCPErrorCodes checks that a server which answers with ever new codes of errors does not create ever new metrics,
// and that it does not use up the codes of tools and models.
func TestMCPErrorCodes(t *testing.T) {
	w := newWorld(t)
	for code := range int64(1000) {
		_, end := w.CallMCP(t.Context(), observeRequest("tools/list", map[string]string{}))
		end(observe.Outcome{Err: errors.New("refused"), Code: code + 1})
	}
	if n := strings.Count(w.metricText(), "\n"); n > 210 {
		t.Errorf("there are %d metrics", n)
	}
	w.tools.Call(t.Context(), tool.Request{Name: "fail"})
	if got := attributeOf(w.findSpan("execute_tool fail"), "error.type"); got == "" || got == "_OTHER" {
		t.Errorf("the error of a tool has the type %q", got)
	}
}

// TestMCPSessionDuration documents the metrics of sessions in testdata/mcp_sessions.txt: of a server, and of a
// client whose server closes the connection.
func TestMCPSessionDuration(t *testing.T) {
	w := newWorld(t)
	const version = "2025-11-25" // with sessions
	served := make(chan struct{})
	address := w.serve(mcp.ObserveSessions(func(s *observe.Session) func(error) {
		end := w.ServeMCPSession(s)
		return func(err error) {
			end(err)
			close(served)
		}
	}))
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: address}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err == nil {
		err = session.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	<-served
	old := sdk.NewServer(&sdk.Implementation{Name: "old", Version: "1"}, &sdk.ServerOptions{SupportedProtocolVersions: []string{version}})
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return old }, nil))
	defer web.Close()
	_, client := w.connect(web.URL)
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	w.CallMCPSession(&observe.Session{Version: version, Connection: observe.Connection{Transport: "pipe"}})(io.EOF)
	var lines []string
	for line := range strings.Lines(w.metricText()) {
		if strings.Contains(line, ".session.duration") {
			lines = append(lines, line)
		}
	}
	checkGolden(t, "mcp_sessions.txt", strings.Join(lines, ""))
}

// TestMCPLabels checks that texts of a client that it can choose do not become labels of metrics: versions,
// addresses, IDs and sessions.
func TestMCPLabels(t *testing.T) {
	w := newWorld(t)
	for i := range 1000 {
		text := fmt.Sprint("chosen", i)
		r := observeRequest("tools/list", map[string]string{})
		r.Version, r.Session, r.ID, r.Resource = text, text, text, text
		r.Connection = observe.Connection{Transport: "tcp", Protocol: "http", HTTPVersion: "1.1", Address: text, Port: i}
		_, end := w.ServeMCP(t.Context(), r)
		end(noOutcome)
		w.ServeMCPSession(&observe.Session{ID: text, Version: text, Connection: r.Connection})(nil)
	}
	if text := w.metricText(); strings.Count(text, "\n") != 2 || strings.Contains(text, "chosen") {
		t.Error(text)
	}
}
