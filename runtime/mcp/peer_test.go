package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/tool"
)

// userKey is where a handler of one's own says who asks.
type userKey struct{}

// TestUser: a function sees the user of the request that calls it, not of the one that
// opened the session.
func TestUser(t *testing.T) {
	eachVersion(t, func(t *testing.T, version string) {
		r := tool.NewRegistry()
		r.Replace(textTool("who", func(ctx context.Context, _ string) (string, error) {
			user, _ := ctx.Value(userKey{}).(string)
			return user, nil
		}))
		handler := serve(t, r).Handler()
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), userKey{}, r.Header.Get("User"))))
		}))
		t.Cleanup(server.Close)
		as := new(user)
		as.name.Store("ann")
		session := open(t, &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: &http.Client{Transport: as}}, version, nil)
		t.Cleanup(func() { _ = session.Close() }) // or the server ended
		for _, name := range []string{"ann", "bob", "ann"} {
			as.name.Store(name)
			if got, _, _ := call(t, session, "who", `{"text":""}`); got != name {
				t.Errorf("%s is taken for %q", name, got)
			}
		}
	})
}

// user adds a name to requests.
type user struct{ name atomic.Value }

func (u *user) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User", u.name.Load().(string))
	return http.DefaultTransport.RoundTrip(r)
}
