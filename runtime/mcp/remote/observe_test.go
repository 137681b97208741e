package remote_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/observe"
	"github.com/aiongen/aiongen/runtime/mcp/remote"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestObserve checks that requests are observed, that the server receives what the observer adds to
// _meta, and that the observer learns the outcome.
func TestObserve(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		server := newServer(version)
		var mu sync.Mutex
		var got []any
		var outcomes []string
		addTool(server, &sdk.Tool{Name: "t"}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			got = append(got, r.Params.Meta["traceparent"], r.Params.Meta["tracestate"], r.Params.Meta["tenant"])
			return &sdk.CallToolResult{IsError: len(got) > 3, Content: []sdk.Content{&sdk.TextContent{Text: "ok"}}}, nil
		})
		r := connectClient(t, server, nil, remote.Observe(func(ctx context.Context, r *observe.Request) (context.Context, func(observe.Outcome)) {
			r.Meta["traceparent"] = "00-2"
			return ctx, func(out observe.Outcome) {
				mu.Lock()
				defer mu.Unlock()
				line := r.Method + " " + r.Tool + " " + r.Version
				if out.ToolFailed {
					line += " tool failed"
				}
				outcomes = append(outcomes, line)
			}
		}))
		registry := newRegistry(t, r)
		for range 2 {
			registry.Call(t.Context(), tool.Request{Name: "t", Meta: map[string]string{"traceparent": "00-1", "tracestate": "a=b", "tenant": "x"}})
		}
		if want := []any{"00-2", "a=b", nil, "00-2", "a=b", nil}; !slices.Equal(got, want) {
			t.Errorf("the server received %v, want %v", got, want)
		}
		mu.Lock()
		defer mu.Unlock()
		if want := []string{"tools/list  " + version, "tools/call t " + version, "tools/call t " + version + " tool failed"}; !slices.Equal(slices.Compact(outcomes), want) {
			t.Errorf("observed %q, want %q", outcomes, want)
		}
	})
}

// TestObserveFailures checks the outcomes of requests without a result.
func TestObserveFailures(t *testing.T) {
	var last observe.Outcome
	r := connectFake(t, nil, func(f *fake, method string, _ map[string]any) any {
		if method == "tools/list" {
			return map[string]any{"tools": []any{map[string]any{"name": "t", "inputSchema": map[string]any{"type": "object"}}}}
		}
		return errors.New("refused")
	}, remote.Observe(func(ctx context.Context, _ *observe.Request) (context.Context, func(observe.Outcome)) {
		return ctx, func(out observe.Outcome) { last = out }
	}))
	registry := newRegistry(t, r)
	if call := registry.Call(t.Context(), tool.Request{Name: "t"}); call.Err == nil || last.Err == nil || last.Code == 0 {
		t.Errorf("a refused call: %v, observed %+v", call.Err, last)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	tools, err := r.Tools(done)
	if err == nil || !errors.Is(last.Err, context.Canceled) {
		t.Errorf("a canceled request: %v %v, observed %+v", tools, err, last)
	}
}

// TestObserveSession checks what observers learn about requests over HTTP, and that a session is observed
// until the program closes the server, or until its connection breaks.
func TestObserveSession(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		server := newServer(version)
		addTool(server, &sdk.Tool{Name: "t"}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return new(sdk.CallToolResult), nil
		})
		web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{Stateless: version == stateless}))
		defer web.Close()
		var requests []observe.Request
		var opened, ended []observe.Session
		r, err := remote.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: web.URL},
			remote.Observe(func(ctx context.Context, r *observe.Request) (context.Context, func(observe.Outcome)) {
				return ctx, func(observe.Outcome) { requests = append(requests, *r) }
			}),
			remote.ObserveSessions(func(s *observe.Session) func(error) {
				opened = append(opened, *s)
				return func(err error) {
					if err != nil {
						t.Errorf("the session ended with %v", err)
					}
					ended = append(ended, *s)
				}
			}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Tools(t.Context()); err != nil {
			t.Error(err)
		}
		id := r.Session().ID()
		if len(ended) > 0 {
			t.Error("the session ended early")
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		host, port, err := net.SplitHostPort(web.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if len(requests) != 1 || requests[0].Session != id || requests[0].ID == "" {
			t.Errorf("observed the requests %+v in the session %q", requests, id)
		}
		if c := requests[0].Connection; c.Transport != "tcp" || c.Protocol != "http" || c.Address != host || strconv.Itoa(c.Port) != port {
			t.Errorf("the connection is %+v", c)
		}
		if id == "" { // this version has no sessions
			if len(opened) > 0 {
				t.Errorf("observed the sessions %+v", opened)
			}
			return
		}
		if len(opened) != 1 || !slices.Equal(opened, ended) || opened[0].ID != id || opened[0].Version != version || opened[0].Connection != requests[0].Connection {
			t.Errorf("observed the sessions %+v, which ended: %+v", opened, ended)
		}
	})
}

// TestObserveBrokenSession checks that the error of a connection ends its session.
func TestObserveBrokenSession(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	f := &fake{out: out, answer: func(*fake, string, map[string]any) any { return map[string]any{} }}
	go f.serveMessages(in)
	ended := make(chan error, 1)
	r, err := remote.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, clientOption(nil),
		remote.ObserveSessions(func(*observe.Session) func(error) { return func(err error) { ended <- err } }))
	if err != nil {
		t.Fatal(err)
	}
	_ = out.CloseWithError(errors.New("the cable is cut"))
	if err := <-ended; err == nil {
		t.Error("the session ended without an error")
	}
	_ = r.Close()
}
