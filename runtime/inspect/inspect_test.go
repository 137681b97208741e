package inspect

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

const testToken = "correct-horse-battery"

// newTestPage returns a page without a log.
func newTestPage(t *testing.T, c Config) *Handler {
	t.Helper()
	c.Log = slog.New(slog.DiscardHandler)
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// send answers a request from this machine. A form makes it a POST.
func send(h http.Handler, target string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "http://localhost"+target, nil)
	if form != nil {
		r = httptest.NewRequest(http.MethodPost, "http://localhost"+target, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.RemoteAddr = "127.0.0.1:1234"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestConfig(t *testing.T) {
	for _, c := range []Config{{Token: "short"}, {AlwaysToken: true}} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}

// TestLogIn logs in as a browser on another machine does, uses the session, and ends it.
func TestLogIn(t *testing.T) {
	h := http.StripPrefix("/inspect", newTestPage(t, Config{Tools: tool.NewRegistry(), Token: testToken}))
	request := func(method, target string, form url.Values, cookies ...*http.Cookie) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "http://tools.example/inspect"+target, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for _, c := range cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	w := request(http.MethodGet, "/tools?q=a", nil)
	if w.Code != http.StatusUnauthorized || !strings.Contains(w.Body.String(), `name="next" value="tools?q=a"`) {
		t.Fatalf("without a session: %d\n%s", w.Code, w.Body)
	}
	if w = request(http.MethodPost, "/login", url.Values{"token": {"wrong"}}); w.Code != http.StatusUnauthorized || len(w.Result().Cookies()) > 0 {
		t.Fatalf("with a wrong token: %d", w.Code)
	}
	if w = request(http.MethodPost, "/login?token="+testToken, url.Values{}); w.Code != http.StatusUnauthorized {
		t.Fatalf("with the token in the URL: %d", w.Code)
	}
	w = request(http.MethodPost, "/login", url.Values{"token": {testToken}, "next": {"tools?q=a"}})
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "tools?q=a" || len(w.Result().Cookies()) != 1 {
		t.Fatalf("with the token: %d %v", w.Code, w.Header())
	}
	cookie := w.Result().Cookies()[0]
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || strings.Contains(cookie.Value, testToken) {
		t.Errorf("the cookie is %v", cookie)
	}
	if w = request(http.MethodGet, "/tools", nil, cookie); w.Code != http.StatusOK {
		t.Errorf("with a session: %d", w.Code)
	}
	if w = request(http.MethodGet, "/login", nil, cookie); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "./" {
		t.Errorf("the login form, loaded again, leads to %d %v", w.Code, w.Header())
	}
	request(http.MethodPost, "/logout", url.Values{}, cookie)
	if w = request(http.MethodGet, "/tools", nil, cookie); w.Code != http.StatusUnauthorized {
		t.Errorf("after the end of the session: %d", w.Code)
	}
	for _, next := range []string{"https://evil.example", "//evil.example", "/tools", "", "tools\r\nX: y", "javascript:alert(1)", "../x", `\evil`} {
		w = request(http.MethodPost, "/login", url.Values{"token": {testToken}, "next": {next}})
		if got := w.Header().Get("Location"); got != "./" {
			t.Errorf("the page after the login is %q, asked for %q", got, next)
		}
	}
}

func TestListen(t *testing.T) {
	h := newTestPage(t, Config{})
	if err := Listen(t.Context(), "0.0.0.0:0", h); err == nil || !strings.Contains(err.Error(), "Config.Token") {
		t.Errorf("listens on all addresses without a token: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Listen(ctx, ":0", h); err != nil && !strings.Contains(err.Error(), "canceled") {
		t.Error(err)
	}
}

// TestClose stops a server to which a browser has opened a connection in advance.
func TestClose(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- serve(ctx, l, newTestPage(t, Config{Tools: tool.NewRegistry()})) }()
	spare, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer spare.Close()
	if _, err := http.Get("http://" + l.Addr().String() + "/tools"); err != nil { // after the server has accepted the spare connection
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("the server ends with: %v", err)
	}
}

// TestUnreadBody sends bodies that are not forms. They must be read while the deadline applies: net/http reads the rest
// of a body before it answers, and would wait for it forever.
func TestUnreadBody(t *testing.T) {
	h := newToolsPage(t, nil)
	for _, tt := range []struct{ method, mediaType string }{
		{http.MethodPost, "text/plain"}, {http.MethodPost, "multipart/form-data; boundary=x"}, {http.MethodPost, ""}, {http.MethodGet, ""},
	} {
		body := strings.NewReader(strings.Repeat("x", 100))
		r := httptest.NewRequest(tt.method, "http://localhost/call", body)
		r.RemoteAddr = "127.0.0.1:1"
		r.Header.Set("Content-Type", tt.mediaType)
		if h.ServeHTTP(httptest.NewRecorder(), r); body.Len() > 0 {
			t.Errorf("%s of %q: %d bytes are not read", tt.method, tt.mediaType, body.Len())
		}
	}
	long, slow := strings.NewReader(strings.Repeat("x", maxForm+1)), iotest.ErrReader(os.ErrDeadlineExceeded)
	for want, body := range map[int]io.Reader{http.StatusRequestEntityTooLarge: long, http.StatusBadRequest: slow} {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/call", body)
		r.RemoteAddr = "127.0.0.1:1"
		w := &deadlineRecorder{ResponseRecorder: httptest.NewRecorder()}
		if h.ServeHTTP(w, r); w.Code != want || w.deadline.IsZero() {
			t.Errorf("%d, want %d; the deadline is %v", w.Code, want, w.deadline)
		}
	}
}

// deadlineRecorder records the read deadline of its connection.
type deadlineRecorder struct {
	*httptest.ResponseRecorder
	deadline time.Time
}

func (w *deadlineRecorder) SetReadDeadline(t time.Time) error {
	w.deadline = t
	return nil
}

// TestReadDeadline checks that a form which does not arrive does not block a connection, whether or not the request is
// rejected, and that the deadline does not apply to the call of a tool.
func TestReadDeadline(t *testing.T) {
	var during time.Time
	w := &deadlineRecorder{ResponseRecorder: httptest.NewRecorder()}
	h := newToolsPage(t, func(c *Config) {
		c.Token = testToken
		addTool(t, c.Tools.(*tool.Registry), tool.Definition{Name: "look", Description: "Looks.", Annotations: tool.Annotations{ReadOnly: true}},
			func(context.Context, json.RawMessage) (json.RawMessage, error) {
				during = w.deadline
				return nil, nil
			})
	})
	for _, tt := range []struct {
		target, host string
		limited      bool // the deadline stays
	}{
		{"/call", "localhost", false}, {"/call", "tools.example", true}, {"/login", "tools.example", true},
	} {
		w.ResponseRecorder, w.deadline = httptest.NewRecorder(), time.Time{}
		r := httptest.NewRequest(http.MethodPost, tt.target, strings.NewReader("name=look"))
		r.Host, r.RemoteAddr = tt.host, "127.0.0.1:1"
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		h.ServeHTTP(w, r)
		if w.deadline.IsZero() == tt.limited || !during.IsZero() {
			t.Errorf("%s of %s: the deadline is %v, during the call %v", tt.target, tt.host, w.deadline, during)
		}
	}
}
