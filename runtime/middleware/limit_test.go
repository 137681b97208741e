package middleware_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// waitTool sleeps for the seconds in its argument, or until its context is done.
var waitTool = tool.NewTypedAction(&tool.Definition{Name: "wait"}, wire.Value.Int, func(ctx context.Context, seconds int) error {
	select {
	case <-time.After(time.Duration(seconds) * time.Second):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
})

// newWaitRegistry returns a registry with the tool, and a function that calls it.
func newWaitRegistry(middleware ...tool.Middleware) func(ctx context.Context, seconds int) *tool.Call {
	r := tool.NewRegistry(tool.Use(middleware...))
	r.Replace(waitTool.Tool)
	return func(ctx context.Context, seconds int) *tool.Call {
		return r.Call(ctx, tool.Request{Name: "wait", Arguments: json.RawMessage(fmt.Sprint(seconds))})
	}
}

// textTool returns a tool without arguments whose result is a text.
func textTool(name string, run func(context.Context, struct{}) (string, error)) *tool.TypedTool[struct{}, string] {
	return tool.NewTypedTool(&tool.Definition{Name: name}, wire.NoArguments, run, (*wire.Encoder).Str)
}

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := newWaitRegistry(middleware.Timeout(10 * time.Second))
		if c := call(t.Context(), 9); c.Status != tool.StatusCompleted || c.Duration != 9*time.Second {
			t.Errorf("%s %v %v", c.Status, c.Duration, c.Err)
		}
		var failed *tool.ToolError
		if c := call(t.Context(), 11); c.Status != tool.StatusFailed || c.Duration != 10*time.Second || !errors.As(c.Err, &failed) || !tool.Retryable(failed) {
			t.Errorf("%s %v %v", c.Status, c.Duration, c.Err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if c := call(ctx, 9); c.Status != tool.StatusFailed || c.Duration != time.Second {
			t.Errorf("%s %v %v", c.Status, c.Duration, c.Err)
		}
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if c := call(ctx, 9); c.Status != tool.StatusCancelled || c.Duration != time.Second {
			t.Errorf("%s %v %v", c.Status, c.Duration, c.Err)
		}
	})
}

// TestTimeoutRetry checks that the deadline of the first attempt does not apply to the second.
func TestTimeoutRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		twice := func(next tool.Handler) tool.Handler {
			return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
				if output, err := next(ctx, c); err == nil {
					return output, nil
				}
				return next(ctx, c)
			}
		}
		r := tool.NewRegistry(tool.Use(twice, middleware.Timeout(time.Second)))
		tries := 0
		r.Replace(textTool("t", func(ctx context.Context, _ struct{}) (string, error) {
			if tries++; tries == 1 {
				<-ctx.Done()
			}
			return "", fmt.Errorf("no luck at try %d", tries)
		}).Tool)
		c := r.Call(t.Context(), tool.Request{Name: "t"})
		if tries != 2 || c.Err.Error() != "t: no luck at try 2" || errors.Is(c.Err, context.DeadlineExceeded) {
			t.Errorf("%d tries: %v", tries, c.Err)
		}
	})
}

// TestTimeoutDeaf checks that a function that ignores its context is waited for, and that its result
// counts.
func TestTimeoutDeaf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := tool.NewRegistry(tool.Use(middleware.Timeout(time.Second)))
		r.Replace(textTool("deaf", func(context.Context, struct{}) (string, error) { time.Sleep(time.Minute); return "x", nil }).Tool)
		if c := r.Call(t.Context(), tool.Request{Name: "deaf"}); c.Status != tool.StatusCompleted || c.Duration != time.Minute {
			t.Errorf("%s %v %v", c.Status, c.Duration, c.Err)
		}
	})
}

// startRecorder records when calls of its tool begin, each by a name.
type startRecorder struct {
	registry *tool.Registry
	start    time.Time

	mu    sync.Mutex
	names string
	times []time.Duration
}

// newBeginnings returns a registry whose tool takes a one-letter name and a duration.
func newBeginnings(took time.Duration, middleware tool.Middleware) *startRecorder {
	b := &startRecorder{registry: tool.NewRegistry(tool.Use(middleware)), start: time.Now()}
	b.registry.Replace(tool.NewTypedAction(&tool.Definition{Name: "t"}, wire.Value.Str, func(_ context.Context, name string) error {
		b.mu.Lock()
		b.names, b.times = b.names+name, append(b.times, time.Since(b.start))
		b.mu.Unlock()
		time.Sleep(took)
		return nil
	}).Tool)
	return b
}

// call starts a call, and returns when it runs or waits.
func (b *startRecorder) call(ctx context.Context, wg *sync.WaitGroup, name string) {
	wg.Go(func() { b.registry.Call(ctx, tool.Request{Name: "t", Arguments: json.RawMessage(`"` + name + `"`)}) })
	synctest.Wait()
}

func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wg sync.WaitGroup
		b := newBeginnings(10*time.Second, middleware.Limit(3))
		for _, name := range []string{"a", "b", "c", "d"} {
			b.call(t.Context(), &wg, name)
			time.Sleep(time.Second)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		b.call(ctx, &wg, "x") // gives up
		for _, name := range []string{"e", "f", "g"} {
			b.call(t.Context(), &wg, name)
		}
		wg.Wait()
		b.call(t.Context(), &wg, "h")
		wg.Wait()
		if want := []time.Duration{0, 1e9, 2e9, 10e9, 11e9, 12e9, 20e9, 30e9}; b.names != "abcdefgh" || !slices.Equal(b.times, want) {
			t.Errorf("began %s at %v", b.names, b.times)
		}

		call := newWaitRegistry(middleware.Limit(1))
		wg.Go(func() { call(t.Context(), 10) })
		synctest.Wait()
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if c := call(ctx, 1); c.Status != tool.StatusFailed || c.Err != context.DeadlineExceeded || c.Duration != time.Second {
			t.Errorf("a deadline before the turn: %s %v", c.Status, c.Err)
		}
		wg.Wait()
	})
}

// TestLimitPanic checks that a place is released however the call ends.
func TestLimitPanic(t *testing.T) {
	r := tool.NewRegistry(tool.Use(middleware.Limit(0)))
	r.Replace(
		textTool("panics", func(context.Context, struct{}) (string, error) { panic("boom") }).Tool,
		textTool("exits", func(context.Context, struct{}) (string, error) { runtime.Goexit(); return "", nil }).Tool,
	)
	for _, name := range []string{"panics", "exits", "panics", "unknown", "panics"} {
		var wg sync.WaitGroup
		wg.Go(func() { r.Call(context.Background(), tool.Request{Name: name}) })
		wg.Wait()
	}
}

// TestRateDone checks that a call whose context is done does not count. It is repeated, because the
// choice between two ready channels is random.
func TestRateDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped, stop := context.WithCancel(t.Context())
		stop()
		var call func(context.Context, int) *tool.Call
		for range 20 {
			call = newWaitRegistry(middleware.Rate(1, time.Hour))
			for range 3 {
				if c := call(stopped, 0); c.Status != tool.StatusCancelled {
					t.Errorf("%s %v", c.Status, c.Err)
				}
			}
			if c := call(t.Context(), 0); c.Status != tool.StatusCompleted || c.Duration > time.Second {
				t.Fatalf("%s after %v: %v", c.Status, c.Duration, c.Err)
			}
		}
	})
}

// TestRate checks that no period has more calls than allowed, that calls run as soon as they may, and
// in the order in which they arrived.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wg sync.WaitGroup
		b := newBeginnings(time.Minute, middleware.Rate(3, 10*time.Second))
		b.call(t.Context(), &wg, "a")
		time.Sleep(4 * time.Second)
		b.call(t.Context(), &wg, "b")
		time.Sleep(time.Second)
		b.call(t.Context(), &wg, "c")
		b.call(t.Context(), &wg, "d") // at 10
		ctx, cancel := context.WithCancel(t.Context())
		b.call(ctx, &wg, "x")
		b.call(t.Context(), &wg, "e") // at 14
		b.call(t.Context(), &wg, "f") // at 15
		b.call(t.Context(), &wg, "g") // at 20
		cancel()                      // a canceled call leaves no gap
		ctx, cancel = context.WithTimeout(t.Context(), 17*time.Second)
		defer cancel()
		b.call(ctx, &wg, "y")         // this call is canceled just before its turn
		b.call(t.Context(), &wg, "h") // at 24
		wg.Wait()
		time.Sleep(time.Hour)
		rested := time.Since(b.start)
		for _, name := range []string{"i", "j", "k", "l"} {
			b.call(t.Context(), &wg, name)
		}
		wg.Wait()
		want := []time.Duration{0, 4e9, 5e9, 10e9, 14e9, 15e9, 20e9, 24e9, rested, rested, rested, rested + 10e9}
		if b.names != "abcdefghijkl" || !slices.Equal(b.times, want) {
			t.Errorf("began %s at %v", b.names, b.times)
		}
	})
}
