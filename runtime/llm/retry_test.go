package llm_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
)

// failingModel is a model that fails with the given errors in order and then answers.
type failingModel struct {
	errs  []error
	calls int
}

func (f *failingModel) Generate(context.Context, llm.Request) (llm.Response, error) {
	f.calls++
	if f.calls <= len(f.errs) {
		return llm.Response{}, f.errs[f.calls-1]
	}
	return llm.Response{Text: "yes"}, nil
}

// fakeClock is a clock that records its delays.
type fakeClock []time.Duration

func (w *fakeClock) sleep(_ context.Context, d time.Duration) { *w = append(*w, d) }

func never() float64 { return 0 }

func TestRetry(t *testing.T) {
	down := &llm.Error{Kind: llm.ServerError, Status: 503, Err: errors.New("down")}
	busy := &llm.Error{Kind: llm.RateLimited, Status: 429, RetryAfter: 7 * time.Second}
	lost := &llm.Error{Kind: llm.Unreachable}
	wrong := &llm.Error{Kind: llm.BadRequest, Status: 400}
	odd := &llm.Error{Kind: llm.Malformed, Status: 200}
	for name, test := range map[string]struct {
		retry llm.Retry
		errs  []error
		calls int
		waits fakeClock
		err   string // "" is success
	}{
		"at once":            {llm.Retry{}, nil, 1, nil, ""},
		"twice":              {llm.Retry{}, []error{down, lost}, 3, fakeClock{time.Second, 2 * time.Second}, ""},
		"three times":        {llm.Retry{}, []error{lost, lost, down}, 3, fakeClock{time.Second, 2 * time.Second}, "model: server error (status 503) after 3 attempts: down"},
		"nothing passes":     {llm.Retry{}, []error{wrong}, 1, nil, "model: bad request (status 400)"},
		"malformed":          {llm.Retry{}, []error{odd}, 2, fakeClock{time.Second}, ""},
		"malformed again":    {llm.Retry{Attempts: 5}, []error{odd, odd}, 2, fakeClock{time.Second}, "model: malformed response (status 200) after 2 attempts"},
		"malformed, once":    {llm.Retry{Attempts: 1}, []error{odd}, 1, nil, "model: malformed response (status 200)"},
		"then nothing":       {llm.Retry{}, []error{down, wrong}, 2, fakeClock{time.Second}, "model: bad request (status 400) after 2 attempts"},
		"of another type":    {llm.Retry{}, []error{errors.New("x")}, 1, nil, "x"},
		"wrapped":            {llm.Retry{}, []error{fmt.Errorf("x: %w", busy)}, 2, fakeClock{7 * time.Second}, ""},
		"retry after":        {llm.Retry{}, []error{busy, busy}, 3, fakeClock{7 * time.Second, 7 * time.Second}, ""},
		"retry after, short": {llm.Retry{Backoff: 10 * time.Second}, []error{busy}, 2, fakeClock{10 * time.Second}, ""},
		"retry after, long":  {llm.Retry{MaxWait: 6 * time.Second}, []error{busy}, 1, nil, "model: rate limited (status 429)"},
		"once":               {llm.Retry{Attempts: 1}, []error{down}, 1, nil, "model: server error (status 503): down"},
		"often": {llm.Retry{Attempts: 6, Backoff: time.Minute, MaxWait: 5 * time.Minute}, []error{lost, lost, lost, lost, lost}, 6,
			fakeClock{1 * time.Minute, 2 * time.Minute, 4 * time.Minute, 5 * time.Minute, 5 * time.Minute}, ""},
		"at random": {llm.Retry{Random: func() float64 { return 0.5 }}, []error{lost, lost}, 3, fakeClock{750 * time.Millisecond, 1500 * time.Millisecond}, ""},
		"very long": {llm.Retry{Attempts: 200, Backoff: 1, MaxWait: 1<<63 - 1}, slices.Repeat([]error{lost}, 100), 101, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			check := func(way string, call func(llm.Model) (string, error)) {
				var slept fakeClock
				model := &failingModel{errs: test.errs}
				r := test.retry
				r.Model, r.Sleep = model, slept.sleep
				if r.Random == nil {
					r.Random = never
				}
				text, err := call(r)
				if test.err == "" && (err != nil || text != "yes") || test.err != "" && (err == nil || err.Error() != test.err) {
					t.Errorf("%s: %q, %v", way, text, err)
				}
				if model.calls != test.calls || name != "very long" && !slices.Equal(slept, test.waits) {
					t.Errorf("%s: %d calls, waits of %v", way, model.calls, slept)
				}
				if slices.ContainsFunc(slept, func(d time.Duration) bool { return d <= 0 }) {
					t.Errorf("%s: waits of %v", way, slept)
				}
			}
			check("generate", func(m llm.Model) (string, error) {
				response, err := m.Generate(t.Context(), llm.Request{})
				return response.Text, err
			})
			check("stream", func(m llm.Model) (string, error) {
				text := ""
				for chunk, err := range llm.Stream(t.Context(), m, llm.Request{}) {
					if err != nil {
						return text, err
					}
					text += chunk.Text
				}
				return text, nil
			})
		})
	}
	if down.Attempts != 0 {
		t.Error("the error of the model was modified")
	}
}

// TestRetryContext ends the context at every point.
func TestRetryContext(t *testing.T) {
	down := &llm.Error{Kind: llm.ServerError, Err: errors.New("down")}
	const before = "; before that: model: server error: down"
	t.Run("while it waits", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		model := &failingModel{errs: []error{down, down}}
		r := llm.Retry{Model: model, Sleep: func(context.Context, time.Duration) { cancel() }}
		_, err := r.Generate(ctx, llm.Request{})
		if !errors.Is(err, context.Canceled) || !errors.Is(err, down) || model.calls != 1 || err.Error() != "model: cancelled: context canceled"+before {
			t.Errorf("%v after %d calls", err, model.calls)
		}
	})
	t.Run("while it waits by the clock", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		r := llm.Retry{Model: &failingModel{errs: []error{down, down}}, Backoff: time.Hour, MaxWait: time.Hour}
		_, err := r.Generate(ctx, llm.Request{})
		if !errors.Is(err, context.DeadlineExceeded) || err.Error() != "model: timeout: context deadline exceeded"+before {
			t.Error(err)
		}
	})
	t.Run("while the model answers", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		r := llm.Retry{Model: llm.Func(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
			calls++
			cancel()
			return llm.Response{}, &llm.Error{Kind: llm.Unreachable, Err: ctx.Err()}
		})}
		_, err := r.Generate(ctx, llm.Request{})
		if !errors.Is(err, context.Canceled) || calls != 1 || err.Error() != "model: unreachable: context canceled" {
			t.Errorf("%v after %d calls", err, calls)
		}
	})
	t.Run("and says no more", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r := llm.Retry{Model: llm.Func(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
			cancel()
			return llm.Response{}, ctx.Err()
		})}
		_, err := r.Generate(ctx, llm.Request{})
		if !errors.Is(err, context.Canceled) || err.Error() != "model: cancelled: context canceled" {
			t.Error(err)
		}
	})
	t.Run("a wait", func(t *testing.T) {
		r := llm.Retry{Model: &failingModel{errs: []error{down}}, Backoff: time.Millisecond}
		if response, err := r.Generate(t.Context(), llm.Request{}); err != nil || response.Text != "yes" {
			t.Error(response, err)
		}
	})
}

// TestRetryStream checks that a stream is requested again only until its first chunk.
func TestRetryStream(t *testing.T) {
	var slept fakeClock
	down := &llm.Error{Kind: llm.ServerError}
	broken := streamer{chunks: []llm.Chunk{{Text: "one"}}, err: down}
	r := llm.Retry{Model: broken, Sleep: slept.sleep}
	texts, _, err := read(r.Stream(t.Context(), llm.Request{}))
	if !slices.Equal(texts, []string{"one"}) || !errors.Is(err, down) || len(slept) != 0 {
		t.Errorf("%q, %v, %v", texts, err, slept)
	}
	for range r.Stream(t.Context(), llm.Request{}) { // left before the error
		break
	}
	r.Model = streamer{err: down}
	if texts, _, err = read(r.Stream(t.Context(), llm.Request{})); texts != nil || err == nil || len(slept) != 2 {
		t.Errorf("%q, %v, %v", texts, err, slept)
	}
}
