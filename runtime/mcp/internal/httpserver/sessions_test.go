package httpserver

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/internal/secret"
)

// newSessionHandler returns a handler that reports the sessions that are opened.
func newSessionHandler(t *testing.T, s Settings) *Handler {
	t.Helper()
	h := newTestHandler(s)
	h.server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			result, err := next(ctx, method, r)
			if method == "initialize" && err == nil {
				h.AddSession(r.GetSession().(*sdk.ServerSession), r.GetExtra().TokenInfo)
			}
			return result, err
		}
	})
	return h
}

// sendMessage sends a message in a session, or opens one, and returns its ID and the status of the
// response.
func sendMessage(ctx context.Context, h *Handler, method, session, message string) (id string, status int) {
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

// TestIdle checks that a session ends after 30 minutes without use, but not while its client listens.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newSessionHandler(t, Settings{})
		unused, _ := sendMessage(t.Context(), h, http.MethodPost, "", initialize)
		used, _ := sendMessage(t.Context(), h, http.MethodPost, "", initialize)
		heard, _ := sendMessage(t.Context(), h, http.MethodPost, "", initialize)
		ctx, hangUp := context.WithCancel(t.Context())
		defer hangUp()
		go sendMessage(ctx, h, http.MethodGet, heard, "")
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
				if _, status := sendMessage(t.Context(), h, http.MethodPost, id, ping); (status == http.StatusOK) != there {
					t.Errorf("after %v: %d", step.after, status)
				}
			}
		}
		hangUp()
		time.Sleep(29 * time.Minute)
		if _, status := sendMessage(t.Context(), h, http.MethodDelete, heard, ""); status != http.StatusNoContent {
			t.Errorf("who listened does not exist: %d", status)
		}
		if n := len(h.sessions.open); n != 0 {
			t.Errorf("%d sessions are left", n)
		}
	})
}

// TestRoom checks that the least recently used session is closed to make room. Sessions with a
// listening client are closed only if there are no others.
func TestRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newSessionHandler(t, Settings{MaxSessions: 3})
		defer h.sessions.endSessions()
		open := func() string {
			time.Sleep(time.Minute)
			id, status := sendMessage(t.Context(), h, http.MethodPost, "", initialize)
			if status != http.StatusOK {
				t.Errorf("a session is refused: %d", status)
			}
			return id
		}
		listening := open()
		ctx, hangUp := context.WithCancel(t.Context())
		defer hangUp()
		go sendMessage(ctx, h, http.MethodGet, listening, "")
		quiet, busy := open(), open()
		time.Sleep(time.Minute)
		sendMessage(t.Context(), h, http.MethodPost, quiet, ping)
		for _, gone := range []string{busy, quiet} {
			open()
			synctest.Wait()
			if _, status := sendMessage(t.Context(), h, http.MethodPost, gone, ping); status != http.StatusNotFound {
				t.Errorf("the session that was not used for longest is still there: %d", status)
			}
		}
		if _, status := sendMessage(t.Context(), h, http.MethodPost, listening, ping); status != http.StatusOK {
			t.Errorf("the session that listens is gone: %d", status)
		}
		// A request that fails opens no session and takes no room.
		if _, status := sendMessage(t.Context(), h, http.MethodPost, "", ping); status != http.StatusOK || len(h.sessions.open) != 3 {
			t.Errorf("%d, with %d sessions", status, len(h.sessions.open))
		}
	})
}

// sendMessageAs is sendMessage with a token.
func sendMessageAs(ctx context.Context, h *Handler, token, method, session, message string) (id string, status int) {
	r := httptest.NewRequestWithContext(ctx, method, "http://localhost/mcp", strings.NewReader(message))
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"*/*"}, "Authorization": {"Bearer " + token}}
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Header().Get("Mcp-Session-Id"), w.Code
}

// withVerifier accepts the static token "static", and takes any other token as the name of a user,
// except "anonymous", which has no name.
func withVerifier(s Settings) Settings {
	s.Token = new(secret.New("static"))
	s.Verify = func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: strings.TrimPrefix(token, "anonymous")}, nil
	}
	return s
}

// A user's own sessions are closed first to make room, and sessions of others only if they have more.
func TestRoomOfUsers(t *testing.T) {
	const limit = 4
	for _, tt := range []struct {
		name  string
		open  []string // the users that open sessions, in order
		gone  []int    // the sessions that must be closed then
		calls []int    // the sessions with a running request when the last one is opened
	}{
		{"one user opens many", []string{"ann", "bob", "bob", "bob", "bob", "bob", "bob"}, []int{1, 2, 3}, nil},
		{"a user replaces an own session", []string{"ann", "ann", "ann", "bob", "bob"}, []int{3}, nil},
		{"a user without sessions gets the place of those who hold the most", []string{"ann", "bob", "bob", "carl", "dora"}, []int{1}, nil},
		{"a user whose sessions are in use gets a place of those who hold more", []string{"bob", "ann", "ann", "ann", "bob"}, []int{1}, []int{0}},
		{"but not of those who hold as many", []string{"ann", "bob", "ann", "bob", "bob"}, []int{4}, []int{1, 3}},
		{"the static token is as one user", []string{"ann", "static", "static", "static", "static"}, []int{1}, nil},
		{"verified tokens without a user are as one user", []string{"static", "anonymous", "anonymous", "anonymous", "anonymous"}, []int{1}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newSessionHandler(t, withVerifier(Settings{MaxSessions: limit}))
				defer h.sessions.endSessions()
				var ids []string
				for i, user := range tt.open {
					if i == len(tt.open)-1 {
						for _, call := range tt.calls {
							_, done, _ := h.sessions.useSession(ids[call], sessionOwner(&auth.TokenInfo{UserID: tt.open[call]}), false)
							defer done()
						}
					}
					time.Sleep(time.Minute)
					id, _ := sendMessageAs(t.Context(), h, user, http.MethodPost, "", initialize)
					ids = append(ids, id)
				}
				synctest.Wait()
				for i, user := range tt.open {
					want := http.StatusOK
					if slices.Contains(tt.gone, i) {
						want = http.StatusNotFound
						if ids[i] == "" { // refused
							continue
						}
					}
					if _, status := sendMessageAs(t.Context(), h, user, http.MethodPost, ids[i], ping); status != want {
						t.Errorf("session %d of %s: status %d, want %d", i, user, status, want)
					}
				}
			})
		})
	}
}

// Only the user who opened a session can use or end it. When he ends it, its questions are given up.
func TestOwner(t *testing.T) {
	h := newSessionHandler(t, withVerifier(Settings{}))
	defer h.sessions.endSessions()
	users := []string{"ann", "bob", "static", "anonymous"}
	for _, owner := range users {
		id, status := sendMessageAs(t.Context(), h, owner, http.MethodPost, "", initialize)
		if status != http.StatusOK {
			t.Fatalf("%s: %d", owner, status)
		}
		life := h.sessions.open[id].lifetime.Ended
		for _, other := range users {
			if other == owner {
				continue
			}
			for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
				if _, status := sendMessageAs(t.Context(), h, other, method, id, ping); status != http.StatusForbidden || life.Err() != nil {
					t.Errorf("%s by %s in a session of %s: status %d, %v", method, other, owner, status, life.Err())
				}
			}
		}
		if _, status := sendMessageAs(t.Context(), h, owner, http.MethodPost, id, ping); status != http.StatusOK {
			t.Errorf("%s in an own session: %d", owner, status)
		}
		if _, status := sendMessageAs(t.Context(), h, owner, http.MethodDelete, id, ""); status != http.StatusNoContent || life.Err() == nil {
			t.Errorf("%s ends an own session: %d, %v", owner, status, life.Err())
		}
	}
}

// In a session, a header cannot turn a call into a stream, which would then run uncounted while the
// server shuts down.
func TestStreamHeader(t *testing.T) {
	for _, tt := range []struct {
		method, version string
		want            bool
	}{
		{http.MethodGet, "2025-11-25", true}, {http.MethodGet, "", true}, {http.MethodPost, StatelessVersion, true},
		{http.MethodPost, "2025-11-25", false}, {http.MethodPost, "2024-11-05", false}, {http.MethodPost, "", false},
	} {
		r := httptest.NewRequest(tt.method, "http://localhost/mcp", nil)
		r.Header.Set("Mcp-Protocol-Version", tt.version)
		r.Header.Set("Mcp-Method", "subscriptions/listen")
		if got := isStream(r); got != tt.want {
			t.Errorf("%s %q: %v", tt.method, tt.version, got)
		}
	}
}

// Members whose names differ only in case are different members, as for the SDK.
func TestMemberCase(t *testing.T) {
	for body, want := range map[string]bool{
		`{"id":1,"method":"tools/call"}`: true, `{"id":1,"method":"tools/call","Method":"ping"}`: true, `{"id":1,"method":"tools/call","METHOD":""}`: true,
		`[{"id":1}]`: true, `{"id":1,"method":7}`: true,
		`{"id":1,"method":"ping","Method":"tools/call"}`: false, `{"ID":1,"method":"tools/call"}`: false, `{"id":1,"result":{}}`: false,
	} {
		if _, got := findCallID([]byte(body)); got != want {
			t.Errorf("%s: is a call: %v", body, got)
		}
	}
	for body, want := range map[string]bool{
		`{"method":"initialize","Method":"tools/call"}`: true, `{"method":"tools/call","Method":"initialize"}`: false, `{"Method":"initialize"}`: false,
	} {
		if got := mayOpenSession([]byte(body)); got != want {
			t.Errorf("%s: may open a session: %v", body, got)
		}
	}
}
