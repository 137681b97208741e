package httpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/aiongen/aiongen/runtime/internal/secret"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// newTestHandler returns a handler of a server without tools.
func newTestHandler(s Settings) *Handler {
	if s.MaxMessage == 0 {
		s.MaxMessage = 1 << 20
	}
	if s.MaxSessions == 0 {
		s.MaxSessions = 10
	}
	if s.Watch == nil {
		s.Watch = func(context.Context) {}
	}
	s.Log = slog.New(slog.DiscardHandler)
	return New(sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil), &s)
}

func ExampleHandler() {
	h := newTestHandler(Settings{Token: new(secret.New("secret"))})
	r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(initialize))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	fmt.Print(w.Code, " ", w.Body)

	r.Header = http.Header{"Authorization": {"Bearer secret"}, "Content-Type": {"application/json"}, "Accept": {"*/*"}}
	r.Body = io.NopCloser(strings.NewReader(initialize))
	w = httptest.NewRecorder()
	h.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Header().Get("Content-Type"))
	// Output:
	// 401 a bearer token is needed
	// 200 text/event-stream
}

// TestNoMessage checks that invalid messages, and messages of unknown sessions, are refused without
// opening a session.
func TestNoMessage(t *testing.T) {
	h := newTestHandler(Settings{})
	for _, body := range []string{
		"", "{", initialize + "]", initialize + initialize,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	} {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
		r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	for s := range h.server.Sessions() {
		t.Errorf("session %s was opened", s.ID())
	}
}

// TestSilent checks that a body that does not arrive does not block a connection, whether or not its
// request would be answered.
func TestSilent(t *testing.T) {
	for _, tt := range []struct {
		name, host, token, length string
		status                    string
	}{
		{"allowed", "localhost", "secret", "1000", "400"},
		{"without token", "localhost", "", "1000", "401"},
		{"another host", "attacker.example", "secret", "1000", "403"},
		{"too long", "localhost", "secret", "10000000", "413"},
		{"too long, without token", "localhost", "", "10000000", "401"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newTestHandler(Settings{Token: new(secret.New("secret")), MaxMessage: 1})
			if tt.status == "400" {
				h.settings.MaxMessage = 1 << 20
			}
			h.bodyTimeout = 50 * time.Millisecond
			server := httptest.NewServer(h)
			defer server.Close()
			connection, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			_ = connection.SetDeadline(time.Now().Add(20 * time.Second)) // for a server that does not keep its own
			_, err = fmt.Fprintf(connection, "POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: %s\r\n\r\n{{", tt.host, tt.token, tt.length)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := io.ReadAll(connection)
			if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 "+tt.status) {
				t.Errorf("%v: %s", err, answer)
			}
		})
	}
}

// TestDeadlineEnds checks that the time limit of a body applies neither to its answer nor to the next
// request of the connection.
func TestDeadlineEnds(t *testing.T) {
	h := newTestHandler(Settings{Token: new(secret.New("secret"))})
	h.bodyTimeout = 50 * time.Millisecond
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * h.bodyTimeout)
		if r.Context().Err() != nil {
			t.Error("the deadline of the body ended the request")
		}
		w.WriteHeader(http.StatusAccepted)
	})
	h.stateful, h.stateless = slow, slow
	server := httptest.NewServer(h)
	defer server.Close()
	for _, token := range []string{"secret", "wrong", "secret"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(initialize))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		response, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if want := map[bool]int{true: http.StatusAccepted, false: http.StatusUnauthorized}[token == "secret"]; response.StatusCode != want {
			t.Errorf("%s: %s", token, response.Status)
		}
		time.Sleep(2 * h.bodyTimeout) // an idle connection has no deadline either
	}
}

// Only the scheme, host and port of the server itself are its own origin.
func TestIsOwn(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "http://localhost:8080/mcp", nil)
	for origin, own := range map[string]bool{
		"http://localhost:8080": true, "https://localhost:8080": true, "HTTP://LocalHost:8080": true,
		"//localhost:8080": false, "localhost:8080": false, "javascript://localhost:8080": false, "ftp://localhost:8080": false,
		"http://user@localhost:8080": false, "user@localhost:8080": false, "http://localhost:8080/": false, "http://localhost:8080?x": false,
		"http://localhost:8080#x": false, "http://localhost": false, "http://localhost:80": false, "http:localhost:8080": false,
		"null": false, "": false, "http://": false, "http://localhost:8080.attacker.example": false, " http://localhost:8080": false,
	} {
		if got := isOwnOrigin(r, origin); got != own {
			t.Errorf("%q: %v", origin, got)
		}
	}
}

// If a function that verifies tokens panics or ends its goroutine, the token is not accepted, and the
// client is asked to retry.
func TestVerifierFails(t *testing.T) {
	for name, verify := range map[string]auth.TokenVerifier{
		"panics": func(context.Context, string, *http.Request) (*auth.TokenInfo, error) { panic("secret") },
		"aborts": func(context.Context, string, *http.Request) (*auth.TokenInfo, error) { panic(http.ErrAbortHandler) },
		"ends its goroutine": func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
			runtime.Goexit()
			return nil, nil
		},
		"dereferences nil": func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
			var i *auth.TokenInfo
			return &auth.TokenInfo{UserID: i.UserID}, nil
		},
		"returns two results": func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
			return &auth.TokenInfo{}, errors.New("secret")
		},
	} {
		var log strings.Builder
		h := newTestHandler(Settings{Verify: verify})
		h.settings.Log = slog.New(slog.NewTextHandler(&log, nil))
		server := httptest.NewServer(h)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(initialize))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer x")
		response, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(name, err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		server.Close()
		if response.StatusCode != http.StatusServiceUnavailable || strings.Contains(string(body), "secret") || log.Len() == 0 {
			t.Errorf("%s: %s %s, logged is %q", name, response.Status, body, log.String())
		}
	}
}

// Any other panic is answered, too.
func TestPanicOfHandler(t *testing.T) {
	h := newTestHandler(Settings{})
	h.stateful = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret") })
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(initialize)))
	if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// The metadata describe one resource.
func TestMetadataPath(t *testing.T) {
	for resource, paths := range map[string]map[string]int{
		"https://tools.example/mcp":  {"": 200, "/mcp": 200, "/": 404, "/anything": 404, "/mcp/": 404, "/mcp/x": 404, "/MCP": 404, "/x/../mcp": 404},
		"https://tools.example/a/b/": {"": 200, "/a/b": 200, "/a": 404, "/mcp": 404},
		"https://tools.example":      {"": 200, "/mcp": 404},
	} {
		h := newTestHandler(Settings{Resource: &oauthex.ProtectedResourceMetadata{Resource: resource}})
		for path, status := range paths {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost"+wellKnown+path, nil))
			if w.Code != status {
				t.Errorf("%s of %s: %d", path, resource, w.Code)
			}
		}
	}
}
