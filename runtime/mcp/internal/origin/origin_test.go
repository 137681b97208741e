package origin_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aiongen/aiongen/runtime/mcp/internal/origin"
)

type user struct{}

func Example() {
	// A session was opened by a request of ann's, and is used by one of bob's.
	session := context.WithValue(context.Background(), user{}, "ann")
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r, release := origin.Mark(r.WithContext(context.WithValue(r.Context(), user{}, "bob")))
	defer release()
	fmt.Println(origin.Context(session, r.Header).Value(user{}))
	// Output: bob
}

// TestContext: values are those of the request or none, never those of another one; the
// end is that of the context.
func TestContext(t *testing.T) {
	session, end := context.WithCancel(context.WithValue(t.Context(), user{}, "ann"))
	r, release := origin.Mark(httptest.NewRequest(http.MethodPost, "/", nil).WithContext(context.WithValue(t.Context(), user{}, "bob")))
	ctx := origin.Context(session, r.Header)
	release()
	if got := ctx.Value(user{}); got != "bob" {
		t.Errorf("the user is %v", got)
	}
	if got := origin.Context(session, r.Header).Value(user{}); got != nil {
		t.Errorf("after the request, the user is %v", got)
	}
	if got := origin.Context(session, http.Header{}).Value(user{}); got != "ann" {
		t.Errorf("of a request without mark, the user is %v", got)
	}
	end()
	if ctx.Err() == nil {
		t.Error("it goes on")
	}
}

// TestForged: a client cannot mark a request as that of another one.
func TestForged(t *testing.T) {
	here := make(chan http.Header, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { here <- r.Header }))
	defer server.Close()
	other, release := origin.Mark(httptest.NewRequest(http.MethodPost, "/", nil).WithContext(context.WithValue(t.Context(), user{}, "bob")))
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
	if got := origin.Context(t.Context(), <-here).Value(user{}); got != nil {
		t.Errorf("the user is %v", got)
	}
}
