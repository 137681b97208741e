package guard

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/secret"
)

const testToken = "correct-horse-battery"

// newTestGuard returns a guard that answers with the name of the page, and a clock that the test sets.
func newTestGuard(token string, always bool) (g *Guard, now *time.Time) {
	answer := func(name string) func(http.ResponseWriter, *http.Request, int, string) {
		return func(w http.ResponseWriter, _ *http.Request, status int, message string) {
			w.WriteHeader(status)
			_, _ = fmt.Fprint(w, name, " ", message)
		}
	}
	g = New(Settings{Token: secret.New(token), Always: always, ShowLogin: answer("login"), ShowError: answer("error")})
	now = new(time.Now())
	g.now = func() time.Time { return *now }
	return g, now
}

func newTestHandler(g *Guard) http.Handler {
	return g.Protect(g.RequireLogin(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "secret") })))
}

func Example() {
	showStatus := func(w http.ResponseWriter, _ *http.Request, status int, _ string) { w.WriteHeader(status) }
	g := New(Settings{Token: secret.New("correct-horse-battery"), ShowLogin: showStatus, ShowError: showStatus})
	page := g.Protect(g.RequireLogin(http.NotFoundHandler()))
	for _, peer := range []string{"127.0.0.1:1234", "192.0.2.1:1234"} {
		r := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
		r.RemoteAddr = peer
		w := httptest.NewRecorder()
		page.ServeHTTP(w, r)
		fmt.Println(w.Code)
	}
	// Output:
	// 404
	// 401
}

// TestAdmission checks which requests are admitted without a session: by peer, host, headers, token and method.
func TestAdmission(t *testing.T) {
	const bearer = "Authorization: Bearer "
	for _, tt := range []struct {
		name, peer, host string
		headers          []string
		withoutToken     int // status if the page has no token
		withToken        int // if it has one
		always           int // if it always requires it
	}{
		{"this machine", "127.0.0.1:1", "localhost:8080", nil, 200, 200, 401},
		{"without a port", "127.0.0.1:1", "LOCALHOST", nil, 200, 200, 401},
		{"another loopback address", "127.8.8.8:1", "127.0.0.1", nil, 200, 200, 401},
		{"IPv6", "[::1]:1", "[::1]:8080", nil, 200, 200, 401},
		{"IPv4 in IPv6", "[::ffff:127.0.0.1]:1", "[::1]", nil, 200, 200, 401},
		{"name that leads to 127.0.0.1", "127.0.0.1:1", "attacker.example", nil, 403, 401, 401},
		{"name that begins like localhost", "127.0.0.1:1", "localhost.attacker.example:80", nil, 403, 401, 401},
		{"address that begins like loopback", "127.0.0.1:1", "127.0.0.1.attacker.example", nil, 403, 401, 401},
		{"user in the host", "127.0.0.1:1", "localhost@attacker.example", nil, 403, 401, 401},
		{"no host", "127.0.0.1:1", "", nil, 403, 401, 401},
		{"another machine", "192.0.2.1:1", "tools.example", nil, 403, 401, 401},
		{"another machine that says localhost", "192.0.2.1:1", "localhost", nil, 403, 401, 401},
		{"unknown peer", "@", "localhost", nil, 403, 401, 401},
		{"no peer", "", "localhost", nil, 403, 401, 401},
		{"proxy", "127.0.0.1:1", "localhost", []string{"X-Forwarded-For: 192.0.2.1"}, 403, 401, 401},
		{"proxy that claims a local client", "127.0.0.1:1", "localhost", []string{"X-Forwarded-For: 127.0.0.1"}, 403, 401, 401},
		{"proxy with an unusual header", "127.0.0.1:1", "localhost", []string{"X-Forwarded-Anything: x"}, 403, 401, 401},
		{"standard proxy", "127.0.0.1:1", "localhost", []string{"Forwarded: for=192.0.2.1"}, 403, 401, 401},
		{"empty header of a proxy", "127.0.0.1:1", "localhost", []string{"Via:"}, 403, 401, 401},
		{"proxy that speaks HTTP/1.0", "127.0.0.1:1", "localhost", []string{"HTTP/1.0:"}, 403, 401, 401},
		{"token", "192.0.2.1:1", "tools.example", []string{bearer + testToken}, 403, 200, 200},
		{"token behind a proxy", "127.0.0.1:1", "localhost", []string{bearer + testToken, "X-Forwarded-For: 192.0.2.1"}, 403, 200, 200},
		{"other case", "192.0.2.1:1", "tools.example", []string{"Authorization: bearer  " + testToken}, 403, 200, 200},
		{"wrong token", "192.0.2.1:1", "tools.example", []string{bearer + "x" + testToken}, 403, 401, 401},
		{"part of the token", "192.0.2.1:1", "tools.example", []string{bearer + testToken[:8]}, 403, 401, 401},
		{"empty token", "192.0.2.1:1", "tools.example", []string{bearer}, 403, 401, 401},
		{"other scheme", "192.0.2.1:1", "tools.example", []string{"Authorization: Basic " + testToken}, 403, 401, 401},
		{"token as a cookie", "192.0.2.1:1", "tools.example", []string{"Cookie: " + cookieName + "=" + testToken}, 403, 401, 401},
		{"empty cookie", "192.0.2.1:1", "tools.example", []string{"Cookie: " + cookieName + "="}, 403, 401, 401},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			for want, g := range map[*int]*Guard{
				&tt.withoutToken: first(newTestGuard("", false)), &tt.withToken: first(newTestGuard(testToken, false)), &tt.always: first(newTestGuard(testToken, true)),
			} {
				r := newRequest(method, tt.peer, tt.host, tt.headers)
				w := httptest.NewRecorder()
				newTestHandler(g).ServeHTTP(w, r)
				if w.Code != *want || (w.Body.String() == "secret") != (w.Code == http.StatusOK) {
					t.Errorf("%s, %s: %d %s, want %d", tt.name, method, w.Code, w.Body, *want)
				}
				if !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") || w.Header().Get("X-Content-Type-Options") != "nosniff" {
					t.Errorf("%s: headers %v", tt.name, w.Header())
				}
			}
		}
	}
}

func first(g *Guard, _ *time.Time) *Guard { return g }

// newRequest returns a request with headers in the form "Name: value".
func newRequest(method, peer, host string, headers []string) *http.Request {
	r := httptest.NewRequest(method, "/", nil)
	r.RemoteAddr, r.Host = peer, host
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ":")
		if name == "HTTP/1.0" {
			r.Proto, r.ProtoMajor, r.ProtoMinor = "HTTP/1.0", 1, 0
			continue
		}
		r.Header.Add(name, strings.TrimLeft(value, " "))
	}
	return r
}

// TestOrigin checks that pages of other origins cannot change anything, even on this machine and with a token.
func TestOrigin(t *testing.T) {
	g, _ := newTestGuard(testToken, false)
	for _, tt := range []struct {
		headers []string
		tls     bool
		allowed bool
	}{
		{nil, false, true},
		{[]string{"Origin: http://localhost:8080"}, false, true},
		{[]string{"Origin: HTTP://LOCALHOST:8080", "Sec-Fetch-Site: same-origin"}, false, true},
		{[]string{"Origin: https://localhost:8080"}, false, true}, // a proxy terminates TLS
		{[]string{"Origin: https://localhost:8080"}, true, true},
		{[]string{"Origin: http://localhost:8080"}, true, false},
		{[]string{"Sec-Fetch-Site: none"}, false, true},
		{[]string{"Sec-Fetch-Site: same-site"}, false, false},
		{[]string{"Sec-Fetch-Site: cross-site", "Origin: http://localhost:8080"}, false, false},
		{[]string{"Sec-Fetch-Site: same-origin", "Origin: https://attacker.example"}, false, false},
		{[]string{"Origin: http://localhost:8081"}, false, false},
		{[]string{"Origin: http://localhost"}, false, false},
		{[]string{"Origin: null"}, false, false},
		{[]string{"Origin:"}, false, false},
		{[]string{"Origin: https://attacker.example"}, false, false},
		{[]string{"Origin: http://localhost:8080", "Origin: https://attacker.example"}, false, false},
		{[]string{"Origin: https://attacker.example", "Authorization: Bearer " + testToken}, false, false},
	} {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, "WEIRD", http.MethodGet, http.MethodHead} {
			r := newRequest(method, "127.0.0.1:1", "localhost:8080", tt.headers)
			if tt.tls {
				r.TLS = &tls.ConnectionState{}
			}
			w := httptest.NewRecorder()
			newTestHandler(g).ServeHTTP(w, r)
			want := tt.allowed || method == http.MethodGet || method == http.MethodHead
			if (w.Code == http.StatusOK) != want {
				t.Errorf("%s with %q, TLS %v: %d", method, tt.headers, tt.tls, w.Code)
			}
		}
	}
}

// logIn sends the login form from a peer.
func logIn(g *Guard, peer, token string, headers ...string) *httptest.ResponseRecorder {
	r := newRequest(http.MethodPost, peer, "tools.example", headers)
	form := httptest.NewRequest(http.MethodPost, "/login", strings.NewReader(url.Values{"token": {token}}.Encode()))
	r.Body = form.Body
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	if g.LogIn(w, r) {
		w.WriteHeader(http.StatusNoContent)
	}
	return w
}

// hasSession reports whether a request with the cookie of a response is admitted.
func hasSession(g *Guard, w *httptest.ResponseRecorder) bool {
	r := newRequest(http.MethodGet, "192.0.2.9:1", "tools.example", nil)
	for _, c := range w.Result().Cookies() {
		r.AddCookie(c)
	}
	return g.HasSession(r)
}

func TestSessions(t *testing.T) {
	g, now := newTestGuard(testToken, false)
	w := logIn(g, "192.0.2.1:1", testToken)
	if len(w.Result().Cookies()) != 1 || !hasSession(g, w) {
		t.Fatalf("no session: %d %s", w.Code, w.Body)
	}
	if c := w.Result().Cookies()[0]; !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Secure || c.Path != "" || strings.Contains(c.Value, testToken) {
		t.Errorf("cookie %v", c)
	}
	for _, header := range []string{"X-Forwarded-Proto: https", "Origin: https://tools.example"} {
		if c := logIn(g, "192.0.2.1:1", testToken, header).Result().Cookies(); len(c) != 1 || !c[0].Secure {
			t.Errorf("with %s the cookie is %v", header, c)
		}
	}
	*now = now.Add(sessionTime - time.Second)
	if !hasSession(g, w) {
		t.Error("the session has ended early")
	}
	*now = now.Add(time.Second)
	if hasSession(g, w) {
		t.Error("the session does not end")
	}

	last := logIn(g, "192.0.2.1:1", testToken)
	*now = now.Add(time.Second)
	for range maxSessions - 1 {
		logIn(g, "192.0.2.1:1", testToken)
	}
	if !hasSession(g, last) {
		t.Error("a session was replaced too early")
	}
	if logIn(g, "192.0.2.1:1", testToken); hasSession(g, last) || len(g.sessions.ends) != maxSessions {
		t.Errorf("the oldest session was not replaced; there are %d", len(g.sessions.ends))
	}
}

// TestAttempts checks that a peer can try few tokens in a minute, and that other peers are not affected.
func TestAttempts(t *testing.T) {
	g, now := newTestGuard(testToken, false)
	for i := range maxAttempts {
		if w := logIn(g, "[2001:db8::1]:1", fmt.Sprint("wrong", i)); w.Code != http.StatusUnauthorized {
			t.Fatalf("attempt %d: %d", i, w.Code)
		}
	}
	w := logIn(g, "[2001:db8::2]:1", testToken) // of the same subnet
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" || len(w.Result().Cookies()) > 0 {
		t.Errorf("after too many attempts: %d %v", w.Code, w.Header())
	}
	r := newRequest(http.MethodGet, "[2001:db8::3]:1", "tools.example", []string{"Authorization: Bearer " + testToken})
	bearer := httptest.NewRecorder()
	if newTestHandler(g).ServeHTTP(bearer, r); bearer.Code != http.StatusTooManyRequests {
		t.Errorf("the header Authorization allows further attempts: %d", bearer.Code)
	}
	if w := logIn(g, "192.0.2.7:1", testToken); w.Code != http.StatusNoContent {
		t.Errorf("another peer: %d", w.Code)
	}
	*now = now.Add(attemptWindow)
	if w := logIn(g, "[2001:db8::1]:1", testToken); w.Code != http.StatusNoContent {
		t.Errorf("a minute later: %d", w.Code)
	}
	for i := range maxPeers + 100 {
		logIn(g, fmt.Sprintf("10.%d.%d.%d:1", i>>16, i>>8&255, i&255), "wrong")
	}
	if n := len(g.attempts.counts); n > maxPeers+1 {
		t.Errorf("%d peers are remembered", n)
	}
	for range 2 * maxAttempts { // who knows the token is not limited
		if w := logIn(g, "192.0.2.7:1", testToken); w.Code != http.StatusNoContent {
			t.Fatalf("right token: %d", w.Code)
		}
	}
}

// TestLongLogin checks that a long login form is not read.
func TestLongLogin(t *testing.T) {
	g, _ := newTestGuard(testToken, false)
	if w := logIn(g, "192.0.2.1:1", strings.Repeat("x", maxLoginBytes)); w.Code != http.StatusBadRequest {
		t.Errorf("status %d", w.Code)
	}
}
