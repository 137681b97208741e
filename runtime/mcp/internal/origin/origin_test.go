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
	forged := httptest.NewRequest(http.MethodPost, "/", nil)
	forged.Header.Set("X-Aiongen-Origin", r.Header.Get("X-Aiongen-Origin"))
	forged, release = origin.Mark(forged)
	defer release()
	if got := forged.Header.Values("X-Aiongen-Origin"); len(got) != 1 || got[0] == r.Header.Get("X-Aiongen-Origin") {
		t.Errorf("the mark is %q", got)
	}
	end()
	if ctx.Err() == nil {
		t.Error("it goes on")
	}
}
