package remote_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/oauth2"

	"github.com/aiongen/aiongen/runtime/mcp/remote"
)

// tokenHandler is an OAuth handler that has a token after it was asked to authorize.
type tokenHandler struct {
	mu    sync.Mutex
	token string
	asked int
	err   error
}

func (g *tokenHandler) TokenSource(context.Context) (oauth2.TokenSource, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.token == "" {
		return nil, nil
	}
	return oauth2.StaticTokenSource(&oauth2.Token{AccessToken: g.token}), nil
}

func (g *tokenHandler) Authorize(_ context.Context, _ *http.Request, r *http.Response) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = r.Body.Close()
	g.asked++
	g.token = "secret"
	return g.err
}

// TestOAuth checks that a server that requires a token gets one, and that a call that it refuses does
// not run.
func TestOAuth(t *testing.T) {
	s := newSite(t, "s", func(w http.ResponseWriter, _ *http.Request, m message) {
		if m.Method == "tools/list" {
			m.writeReply(w, `{"tools":[{"name":"t"}]}`)
			return
		}
		m.writeReply(w, done)
	})
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		s.serveHTTP(w, r)
	})
	const hidden = "\x1b\u202e\u200b\U000e0041"
	g := new(tokenHandler)
	far, err := remote.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: s.URL, OAuthHandler: g}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = far.Close() })
	registry := newRegistry(t, far)
	if call := registry.Call(t.Context(), newRequest("t", "{}")); call.Err != nil || g.asked != 1 {
		t.Error(call.Err, g.asked)
	}
	g.mu.Lock()
	g.token, g.err = "old", errors.New("nobody logs in"+hidden)
	g.mu.Unlock()
	if call := registry.Call(t.Context(), newRequest("t", "{}")); !isUnavailable(call.Err) || !errors.Is(call.Err, g.err) || strings.ContainsAny(call.Err.Error(), hidden) {
		t.Errorf("%q", call.Err)
	}
}

// TestHeaders checks that each request names session and version, and that the session is ended.
func TestHeaders(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	s := newSite(t, "s", func(w http.ResponseWriter, _ *http.Request, m message) { m.writeReply(w, `{"tools":[]}`) })
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, strings.Join([]string{r.Method, r.Header.Get("Mcp-Session-Id"), r.Header.Get("Mcp-Protocol-Version")}, " "))
		mu.Unlock()
		s.serveHTTP(w, r)
	})
	far := s.connectClient(t)
	if _, err := far.Tools(t.Context()); err != nil {
		t.Error(err)
	}
	if err := far.Close(); err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	seen = slices.DeleteFunc(seen, func(r string) bool { return strings.HasPrefix(r, "GET s "+withSessions) }) // at any time
	if got, want := strings.Join(seen, ", "), "POST  "+stateless+", POST  , POST s "+withSessions+", POST s "+withSessions+", DELETE s "+withSessions; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestOldHTTP checks the transport of the first version of the protocol.
func TestOldHTTP(t *testing.T) {
	server := newServer(withSessions)
	addTool(server, &sdk.Tool{Name: "t"}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return textResult("done"), nil
	})
	web := httptest.NewServer(sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return server }, nil))
	t.Cleanup(web.Close)
	far, err := remote.Connect(t.Context(), &sdk.SSEClientTransport{Endpoint: web.URL}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = far.Close() })
	registry := newRegistry(t, far)
	if call := registry.Call(t.Context(), newRequest("t", "{}")); call.Err != nil {
		t.Error(call.Err)
	}
	web.CloseClientConnections()
	for t.Context().Err() == nil {
		call := registry.Call(t.Context(), newRequest("t", "{}"))
		if call.Err == nil {
			return // the stream was opened again
		}
		if !isUnavailable(call.Err) && !isUnknown(call.Err) {
			t.Fatal(call.Err)
		}
	}
}
