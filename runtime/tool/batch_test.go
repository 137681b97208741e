package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// waitTool sleeps as long as its argument says, in seconds, or until its context
// is done.
var waitTool = tool.NewTypedAction(&tool.Definition{Name: "wait"}, wire.Value.Int, func(ctx context.Context, seconds int) error {
	select {
	case <-time.After(time.Duration(seconds) * time.Second):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
})

// batchRegistry returns a registry with tools that end in every way, and counts how many calls of wait
// run at a time, and the maximum.
func batchRegistry(running, most *atomic.Int32) *tool.Registry {
	r := tool.NewRegistry()
	r.Replace(
		tool.NewTypedTool(&tool.Definition{Name: "wait"}, wire.Value.Int, func(ctx context.Context, seconds int) (int, error) {
			now := running.Add(1)
			defer running.Add(-1)
			for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
			}
			return seconds, waitTool.Call(ctx, seconds)
		}, func(e *wire.Encoder, lead string, n int) { e.Int(lead, int64(n)) }).Tool,
		textTool("fails", func(context.Context, struct{}) (string, error) { return "", errors.New("no luck") }).Tool,
		textTool("panics", func(context.Context, struct{}) (string, error) { panic("boom") }).Tool,
		textTool("exits", func(context.Context, struct{}) (string, error) { runtime.Goexit(); return "", nil }).Tool,
	)
	return r
}

// requests creates requests from words: a number is a duration, others are names.
func requests(words string) (all []tool.Request) {
	for i, word := range strings.Fields(words) {
		request := tool.Request{ID: fmt.Sprint(i), Name: word}
		if word[0] < 'a' {
			request.Name, request.Arguments = "wait", json.RawMessage(word)
		}
		all = append(all, request)
	}
	return all
}

func TestCallAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var many []string
		for i := range 50 {
			many = append(many, fmt.Sprint((i*37+11)%50))
		}
		for name, tt := range map[string]struct {
			requests string
			batch    tool.Batch
			want     string
			took     time.Duration
			most     int32
		}{
			"none":      {"", tool.Batch{}, "", 0, 0},
			"one":       {"7", tool.Batch{}, "7", 7 * time.Second, 1},
			"many":      {strings.Join(many, " "), tool.Batch{Concurrent: 50}, strings.Join(many, " "), 49 * time.Second, 50},
			"eight":     {strings.Repeat("1 ", 20), tool.Batch{}, strings.TrimSpace(strings.Repeat("1 ", 20)), 3 * time.Second, 8},
			"two":       {"3 1 1 1", tool.Batch{Concurrent: 2}, "3 1 1 1", 3 * time.Second, 2},
			"sequence":  {"1 2 3", tool.Batch{Concurrent: 1}, "1 2 3", 6 * time.Second, 1},
			"no less":   {"1 2 3", tool.Batch{Concurrent: -1}, "1 2 3", 6 * time.Second, 1},
			"all end":   {"1 fails x panics exits 2", tool.Batch{}, "1 tool_failed unknown_tool panic panic 2", 2 * time.Second, 2},
			"fail fast": {"1 5 fails 5", tool.Batch{FailFast: true}, "cancelled cancelled tool_failed cancelled", 0, 3},
			"fail fast in sequence": {"1 exits 5 5", tool.Batch{FailFast: true, Concurrent: 1},
				"1 panic cancelled cancelled", time.Second, 1},
			"nothing fails": {"1 2", tool.Batch{FailFast: true}, "1 2", 2 * time.Second, 2},
		} {
			var running, most atomic.Int32
			start := time.Now()
			calls := batchRegistry(&running, &most).CallAll(t.Context(), requests(tt.requests), tt.batch)
			var got []string
			for i, c := range calls {
				word := string(c.Output)
				if c.Err != nil {
					word = tool.Code(c.Err)
					if errors.Is(c.Err, context.Canceled) {
						word = "cancelled"
					}
				}
				if got = append(got, word); c.ID != fmt.Sprint(i) || c.Duration <= 0 {
					t.Errorf("%s: call %d is %+v", name, i, c)
				}
			}
			if strings.Join(got, " ") != tt.want || time.Since(start) != tt.took || most.Load() > tt.most || running.Load() != 0 {
				t.Errorf("%s: got %q in %v, at most %d at a time", name, got, time.Since(start), most.Load())
			}
		}
	})
}

// TestCallAllCancelled checks that cancellation by the caller ends running and waiting calls.
func TestCallAllCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int32
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		start := time.Now()
		calls := batchRegistry(&running, &most).CallAll(ctx, requests("2 9 9 9"), tool.Batch{Concurrent: 2})
		var got []string
		for _, c := range calls {
			got = append(got, fmt.Sprint(c.Status, c.Duration.Truncate(time.Second)))
		}
		want := []string{"completed2s", "cancelled3s", "cancelled1s", "cancelled0s"}
		if !slices.Equal(got, want) || time.Since(start) != 3*time.Second {
			t.Errorf("got %v in %v", got, time.Since(start))
		}
	})
}

// TestCallAllNames checks that results in the scope are numbered in the order of the requests,
// whichever ends first.
func TestCallAllNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := tool.NewRegistry()
		r.Replace(tool.NewTypedTool(&tool.Definition{Name: "open"}, wire.Value.Int, func(ctx context.Context, seconds int) (io.Reader, error) {
			if seconds == 5 {
				return nil, errors.New("no such thing")
			}
			return &source{says: fmt.Sprint(seconds)}, waitTool.Call(ctx, seconds)
		}, wire.EncodeRef).Tool.StoreResult("reader"))
		s := tool.NewScope()
		var all []tool.Request
		for _, seconds := range []string{"9", "5", "1", "7", "3"} {
			all = append(all, tool.Request{Name: "open", Arguments: json.RawMessage(seconds)})
		}
		r.CallAll(tool.WithScope(t.Context(), s), all, tool.Batch{Concurrent: len(all)})
		var got []string
		for _, name := range s.Names() {
			x, err := tool.ScopeValue[io.Reader](s, name)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, name+" "+x.(*source).says)
		}
		if want := []string{"reader_1 9", "reader_3 1", "reader_4 7", "reader_5 3"}; !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
	})
}
