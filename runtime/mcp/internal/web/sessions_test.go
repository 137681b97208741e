package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessioned returns a handler that is told of the sessions that are opened.
func sessioned(t *testing.T, s Settings) *Handler {
	t.Helper()
	h := handler(s)
	h.server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			result, err := next(ctx, method, r)
			if method == "initialize" && err == nil {
				h.Opened(r.GetSession().(*sdk.ServerSession))
			}
			return result, err
		}
	})
	return h
}

// ask asks in a session, or for one, and returns its ID and the status of the answer.
func ask(ctx context.Context, h *Handler, method, session, message string) (id string, status int) {
	r := httptest.NewRequestWithContext(ctx, method, "http://localhost/mcp", strings.NewReader(message))
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"*/*"}}
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Header().Get("Mcp-Session-Id"), w.Code
}

const ping = `{"jsonrpc":"2.0","id":2,"method":"ping"}`

// TestIdle: a session ends when it was not used for 30 minutes, but not while its
// client listens.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := sessioned(t, Settings{})
		unused, _ := ask(t.Context(), h, http.MethodPost, "", initialize)
		used, _ := ask(t.Context(), h, http.MethodPost, "", initialize)
		heard, _ := ask(t.Context(), h, http.MethodPost, "", initialize)
		ctx, hangUp := context.WithCancel(t.Context())
		defer hangUp()
		go ask(ctx, h, http.MethodGet, heard, "")
		for _, step := range []struct {
			after time.Duration
			there map[string]bool
		}{
			{29 * time.Minute, map[string]bool{used: true}},
			{2 * time.Minute, map[string]bool{unused: false}},
			{27 * time.Minute, map[string]bool{used: true}},
			{31 * time.Minute, map[string]bool{used: false}},
			{24 * time.Hour, map[string]bool{}},
		} {
			time.Sleep(step.after)
			synctest.Wait()
			for id, there := range step.there {
				if _, status := ask(t.Context(), h, http.MethodPost, id, ping); (status == http.StatusOK) != there {
					t.Errorf("after %v: %d", step.after, status)
				}
			}
		}
		hangUp()
		time.Sleep(29 * time.Minute)
		if _, status := ask(t.Context(), h, http.MethodDelete, heard, ""); status != http.StatusNoContent {
			t.Errorf("who listened is not there: %d", status)
		}
		if n := len(h.sessions.open); n != 0 {
			t.Errorf("%d sessions are left", n)
		}
	})
}

// TestRoom: it is the one that was not used for longest that makes room, one whose
// client listens only if there is no other.
func TestRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := sessioned(t, Settings{MaxSessions: 3})
		defer h.sessions.endAll()
		open := func() string {
			time.Sleep(time.Minute)
			id, status := ask(t.Context(), h, http.MethodPost, "", initialize)
			if status != http.StatusOK {
				t.Errorf("a session is refused: %d", status)
			}
			return id
		}
		listening := open()
		ctx, hangUp := context.WithCancel(t.Context())
		defer hangUp()
		go ask(ctx, h, http.MethodGet, listening, "")
		quiet, busy := open(), open()
		time.Sleep(time.Minute)
		ask(t.Context(), h, http.MethodPost, quiet, ping)
		for _, gone := range []string{busy, quiet} {
			open()
			synctest.Wait()
			if _, status := ask(t.Context(), h, http.MethodPost, gone, ping); status != http.StatusNotFound {
				t.Errorf("the session that was not used for longest is still there: %d", status)
			}
		}
		if _, status := ask(t.Context(), h, http.MethodPost, listening, ping); status != http.StatusOK {
			t.Errorf("the session that listens is gone: %d", status)
		}
		// A request that fails opens none, and takes no room.
		if _, status := ask(t.Context(), h, http.MethodPost, "", ping); status != http.StatusOK || len(h.sessions.open) != 3 {
			t.Errorf("%d, with %d sessions", status, len(h.sessions.open))
		}
	})
}

// TestLeave: what a session asks is given up when the user who opened it ends it, and not
// when another one wants to.
func TestLeave(t *testing.T) {
	h := sessioned(t, Settings{Verify: func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token}, nil
	}})
	as := func(user, method, session, message string) (id string, status int) {
		r := httptest.NewRequestWithContext(t.Context(), method, "http://localhost/mcp", strings.NewReader(message))
		r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"*/*"}, "Authorization": {"Bearer " + user}, "Mcp-Session-Id": {session}}
		if session == "" {
			r.Header.Del("Mcp-Session-Id")
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Header().Get("Mcp-Session-Id"), w.Code
	}
	id, _ := as("ann", http.MethodPost, "", initialize)
	life, done := h.sessions.use(id, false)
	defer done()
	if _, status := as("bob", http.MethodDelete, id, ""); status != http.StatusForbidden || life.Err() != nil {
		t.Errorf("bob ends the session of ann: status %d, %v", status, life.Err())
	}
	if _, status := as("ann", http.MethodDelete, id, ""); status != http.StatusNoContent || life.Err() == nil {
		t.Errorf("ann does not end her session: status %d, %v", status, life.Err())
	}
}
