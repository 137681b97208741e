package peer_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
)

type user struct{}

func ExampleMarkRequest() {
	// A session was opened by a request of ann, and is used by a request of bob.
	session := context.WithValue(context.Background(), user{}, "ann")
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r, release := peer.MarkRequest(r.WithContext(context.WithValue(r.Context(), user{}, "bob")))
	defer release()
	fmt.Println(peer.RequestContext(session, r.Header).Value(user{}))
	// Output: bob
}

// TestContext checks that values come from the current request, never from another one, and that the
// context ends with the given one.
func TestContext(t *testing.T) {
	session, end := context.WithCancel(context.WithValue(t.Context(), user{}, "ann"))
	r, release := peer.MarkRequest(httptest.NewRequest(http.MethodPost, "/", nil).WithContext(context.WithValue(t.Context(), user{}, "bob")))
	ctx := peer.RequestContext(session, r.Header)
	release()
	if got := ctx.Value(user{}); got != "bob" {
		t.Errorf("the user is %v", got)
	}
	if got := peer.RequestContext(session, r.Header).Value(user{}); got != nil {
		t.Errorf("after the request, the user is %v", got)
	}
	if got := peer.RequestContext(session, http.Header{}).Value(user{}); got != "ann" {
		t.Errorf("of a request without mark, the user is %v", got)
	}
	end()
	if ctx.Err() == nil {
		t.Error("it goes on")
	}
}

// TestForged checks that a client cannot mark a request as belonging to another one.
func TestForged(t *testing.T) {
	here := make(chan http.Header, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { here <- r.Header }))
	defer server.Close()
	other, release := peer.MarkRequest(httptest.NewRequest(http.MethodPost, "/", nil).WithContext(context.WithValue(t.Context(), user{}, "bob")))
	defer release()
	forged, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	forged.Header = other.Header
	answer, err := server.Client().Do(forged)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if got := peer.RequestContext(t.Context(), <-here).Value(user{}); got != nil {
		t.Errorf("the user is %v", got)
	}
}
