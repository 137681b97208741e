package emit_test

import (
	"context"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/locks"
)

// TestLocks calls tools on values with locks that are in use. Under the race detector, it
// fails if a tool reads or copies what a lock guards.
func TestLocks(t *testing.T) {
	r := tool.NewRegistry()
	if err := locks.Register(r, locks.Deps{Pool: &locks.Pool{}}); err != nil {
		t.Fatal(err)
	}
	hooked := locks.ServeTool().
		Before(func(_ context.Context, s *locks.Server) error { s.Name += "!"; return nil }).
		After(func(_ context.Context, s *locks.Server, r **locks.Server) error { *r = locks.The; return nil })
	r.Replace(hooked.Tool)

	locks.Hit()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				locks.Hit()
			}
		}
	}()
	const (
		server = `{"name":"n","limit":{"most":1},"peers":[{"host":"a"},{"host":"b"}],"pair":[{"host":"c"},{"host":"d"}],"next":{"name":"m","limit":{"most":2},"pair":[{"host":""},{"host":""}]},"labels":"x"}`
		one    = `{"name":"one","limit":{"most":0},"peers":[{"host":""},{"host":""}],"pair":[{"host":""},{"host":""}],"labels":"c"}`
	)
	for range 20 {
		for _, tt := range []struct{ name, arguments, want string }{
			{"get", ``, one},
			{"all", ``, `{"return_1":[` + one + `],"return_2":[{"host":""},{"host":""}]}`},
			{"by_name", ``, `{"one":` + one + `}`},
			{"put", server, `"nbm"`},
			{"serve", server, one},
			{"add", `{"s":` + server + `,"peers":[{"host":"a"}],"list":[{"host":"b"},{"host":"c"}],"by_name":{"k":{"host":"d"}},"labels":"xy","n":"z"}`, `8`},
			{"drop", server, `null`},
			{"find", server, `{"return_1":` + server + `,"return_2":1}`},
		} {
			call := r.Call(t.Context(), tool.Request{Name: tt.name, Arguments: []byte(tt.arguments)})
			if call.Err != nil || string(call.Output) != tt.want {
				t.Fatalf("%s(%s) = %s, %v; want %s", tt.name, tt.arguments, call.Output, call.Err, tt.want)
			}
		}
	}
	close(stop)
	<-stopped
}
