package httpserver_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/httpserver"
	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
)

const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"x":1},"_meta":{
	"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`

// callRequest returns a request with the message.
func callRequest() *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"*/*"},
		"Mcp-Protocol-Version": {httpserver.StatelessVersion}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"echo"},
	}
	return r
}

// reachTimes returns a call of a tool that tries to reach the client n times, and returns the error or
// the number of successes.
func reachTimes(n int) *httpserver.DirectCalls {
	run := func(ctx context.Context, from *peer.Request) (*sdk.CallToolResult, error) {
		for range n {
			if _, _, err := from.Reach(ctx); err != nil {
				return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}, nil
			}
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "reached"}}}, nil
	}
	return &httpserver.DirectCalls{
		Server: &sdk.Implementation{Name: "test", Version: "1"},
		Find:   func(string) func(context.Context, *peer.Request) (*sdk.CallToolResult, error) { return run },
		Log:    slog.New(slog.DiscardHandler),
	}
}

// resumeCall does what the SDK does with an accepted request: it resumes the call in its middleware
// and writes the result.
func resumeCall(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	received := &sdk.CallToolRequest{Extra: &sdk.RequestExtra{Header: r.Header}}
	call, _ := httpserver.HandoverFrom(r.Context(), received)
	result, err := call.Resume(r.Context(), nil)
	text := "failed"
	if err == nil {
		text = result.(*sdk.CallToolResult).Content[0].(*sdk.TextContent).Text
	}
	_, _ = w.Write([]byte("data: " + text))
	_ = http.NewResponseController(w).Flush()
}

// TestHandover checks that the client gets the result exactly once, whatever the SDK does with a call
// that it takes over.
func TestHandover(t *testing.T) {
	refuse := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "session not found", http.StatusNotFound)
		_ = http.NewResponseController(w).Flush()
	}
	for _, tt := range []struct {
		name    string
		reaches int
		handler http.HandlerFunc
		want    string
	}{
		{"not needed", 0, refuse, `"text":"reached"`},
		{"accepted", 1, resumeCall, `data: reached`},
		{"accepted, needed often", 3, resumeCall, `data: reached`},
		{"refused", 1, refuse, `"text":"the client can no longer be reached"`},
		{"refused without a word", 1, func(http.ResponseWriter, *http.Request) {}, `"text":"the client can no longer be reached"`},
		{"panic", 1, func(http.ResponseWriter, *http.Request) { panic("no") }, `"text":"the client can no longer be reached"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			answered := reachTimes(tt.reaches).AnswerCall(w, callRequest(), []byte(message), nil, tt.handler)
			if got := w.Body.String(); !answered || w.Code != http.StatusOK || !strings.Contains(got, tt.want) || w.Header().Get("Retry-After") != "" {
				t.Errorf("%v %d %s", answered, w.Code, got)
			}
			if isStream := w.Header().Get("Content-Type") == "text/event-stream"; isStream != strings.HasPrefix(tt.want, "data") {
				t.Errorf("%v", w.Header())
			}
		})
	}
}

// TestReachLate checks that a function that continues after its call has ended cannot reach the
// client.
func TestReachLate(t *testing.T) {
	var late func(context.Context) (context.Context, *sdk.ServerSession, error)
	calls := reachTimes(0)
	calls.Find = func(string) func(context.Context, *peer.Request) (*sdk.CallToolResult, error) {
		return func(_ context.Context, from *peer.Request) (*sdk.CallToolResult, error) {
			late = from.Reach
			return new(sdk.CallToolResult), nil
		}
	}
	calls.AnswerCall(httptest.NewRecorder(), callRequest(), []byte(message), nil, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the request is handed over")
	}))
	if _, _, err := late(t.Context()); err == nil {
		t.Error("the client is reached")
	}
}

// TestResumeLate checks that a request which the SDK reads only after it has ended still resumes a
// call, which must not run again.
func TestResumeLate(t *testing.T) {
	var late *http.Request
	reachTimes(1).AnswerCall(httptest.NewRecorder(), callRequest(), []byte(message), nil, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { late = r }))
	call, ok := httpserver.HandoverFrom(t.Context(), &sdk.CallToolRequest{Extra: &sdk.RequestExtra{Header: late.Header}})
	if !ok {
		t.Fatal("the request does not continue a call")
	}
	if result, err := call.Resume(t.Context(), nil); result != nil || err == nil {
		t.Errorf("%v, %v", result, err)
	}
}

// TestNotHandedOver checks that other requests of the SDK do not resume a call.
func TestNotHandedOver(t *testing.T) {
	for _, r := range []*sdk.CallToolRequest{{}, {Extra: new(sdk.RequestExtra)}, {Extra: &sdk.RequestExtra{Header: http.Header{"X": {"1"}}}}} {
		if h, ok := httpserver.HandoverFrom(t.Context(), r); h != nil || ok {
			t.Errorf("%+v", r.Extra)
		}
	}
}

// TestReachGone checks that a call whose connection is lost is not handed over. The SDK could still accept it, and
// a question would then wait until the session ends.
func TestReachGone(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	calls := reachTimes(0)
	calls.Find = func(string) func(context.Context, *peer.Request) (*sdk.CallToolResult, error) {
		return func(_ context.Context, from *peer.Request) (*sdk.CallToolResult, error) {
			leave()
			if _, _, err := from.Reach(context.WithoutCancel(ctx)); err == nil {
				t.Error("the client can be reached")
			}
			return new(sdk.CallToolResult), nil
		}
	}
	calls.AnswerCall(httptest.NewRecorder(), callRequest().WithContext(ctx), []byte(message), nil, http.HandlerFunc(resumeCall))
}
