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

// guardian is an OAuth handler that has a token once it was asked to authorize.
type guardian struct {
	mu    sync.Mutex
	token string
	asked int
	err   error
}

func (g *guardian) TokenSource(context.Context) (oauth2.TokenSource, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.token == "" {
		return nil, nil
	}
	return oauth2.StaticTokenSource(&oauth2.Token{AccessToken: g.token}), nil
}

func (g *guardian) Authorize(_ context.Context, _ *http.Request, r *http.Response) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = r.Body.Close()
	g.asked++
	g.token = "secret"
	return g.err
}

// TestOAuth: a server that wants a token gets one, and a call that it refuses does not run.
func TestOAuth(t *testing.T) {
	s := newSite(t, "s", func(w http.ResponseWriter, _ *http.Request, m message) {
		if m.Method == "tools/list" {
			m.reply(w, `{"tools":[{"name":"t"}]}`)
			return
		}
		m.reply(w, done)
	})
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		s.serve(w, r)
	})
	g := new(guardian)
	far, err := remote.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: s.URL, OAuthHandler: g}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = far.Close() })
	registry := registered(t, far)
	if call := registry.Call(t.Context(), request("t", "{}")); call.Err != nil || g.asked != 1 {
		t.Error(call.Err, g.asked)
	}
	g.mu.Lock()
	g.token, g.err = "old", errors.New("nobody logs in")
	g.mu.Unlock()
	if call := registry.Call(t.Context(), request("t", "{}")); !isUnavailable(call.Err) || !errors.Is(call.Err, g.err) {
		t.Error(call.Err)
	}
}

// TestHeaders: each request names session and version, and the session is ended at last.
func TestHeaders(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	s := newSite(t, "s", func(w http.ResponseWriter, _ *http.Request, m message) { m.reply(w, `{"tools":[]}`) })
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, strings.Join([]string{r.Method, r.Header.Get("Mcp-Session-Id"), r.Header.Get("Mcp-Protocol-Version")}, " "))
		mu.Unlock()
		s.serve(w, r)
	})
	far := s.connect(t)
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

// TestOldHTTP: the transport of the first version of the protocol works, too.
func TestOldHTTP(t *testing.T) {
	server := newServer(withSessions)
	add(server, &sdk.Tool{Name: "t"}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return say("done"), nil })
	web := httptest.NewServer(sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return server }, nil))
	t.Cleanup(web.Close)
	far, err := remote.Connect(t.Context(), &sdk.SSEClientTransport{Endpoint: web.URL}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = far.Close() })
	registry := registered(t, far)
	if call := registry.Call(t.Context(), request("t", "{}")); call.Err != nil {
		t.Error(call.Err)
	}
	web.CloseClientConnections()
	for t.Context().Err() == nil {
		call := registry.Call(t.Context(), request("t", "{}"))
		if call.Err == nil {
			return // it was opened again
		}
		if !isUnavailable(call.Err) && !isUnknown(call.Err) {
			t.Fatal(call.Err)
		}
	}
}
