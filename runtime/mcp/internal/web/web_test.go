package web

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/internal/secret"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// handler returns one for a server without tools.
func handler(s Settings) *Handler {
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

func Example() {
	h := handler(Settings{Token: new(secret.New("secret"))})
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

// TestNoMessage: what is no message, or belongs to no session, is refused, and opens
// none.
func TestNoMessage(t *testing.T) {
	h := handler(Settings{})
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

// TestSilent: a body that does not come holds no connection, whether or not its
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
			h := handler(Settings{Token: new(secret.New("secret")), MaxMessage: 1})
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

// TestDeadlineEnds: the time for a body is none for its answer, nor for the next
// request of the connection.
func TestDeadlineEnds(t *testing.T) {
	h := handler(Settings{Token: new(secret.New("secret"))})
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
