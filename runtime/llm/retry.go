package llm

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/errtype"
)

// Retry is a model that calls another one, and repeats a request if it fails with a temporary error, which is an error
// whose method Retryable returns true. If all attempts fail, Retry returns the last error. It repeats a request only
// once after a [Malformed] response, and never after the first chunk of a stream has arrived.
//
// Between attempts, Retry waits for a second, then two, four and so on. It subtracts up to half of that at random,
// but waits at least as long as the endpoint asks for. It returns immediately when the context is done.
type Retry struct {
	Model    Model
	Attempts int           // maximum number of attempts; 0 means 3
	Backoff  time.Duration // first wait; 0 means a second
	MaxWait  time.Duration // longest wait; 0 means a minute; if the endpoint asks for a longer one, there is no further attempt

	// Sleep waits for the given time or until ctx is done. Nil uses a timer.
	Sleep func(ctx context.Context, d time.Duration)

	// Random returns random numbers in [0,1) for the waits. It must be safe for
	// concurrent use. Nil means rand.Float64.
	Random func() float64
}

var (
	_ Model    = Retry{}
	_ Streamer = Retry{}
)

// Name returns the name of the wrapped model; see [Name].
func (r Retry) Name() string { return Name(r.Model) }

// Generate implements [Model].
func (r Retry) Generate(ctx context.Context, req Request) (Response, error) {
	for attempt := 1; ; attempt++ {
		response, err := r.Model.Generate(ctx, req)
		if err == nil {
			return response, nil
		}
		if err := r.waitForRetry(ctx, attempt, err); err != nil {
			return Response{}, err
		}
	}
}

// Stream implements [Streamer], even if the model does not.
func (r Retry) Stream(ctx context.Context, req Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		for attempt := 1; ; attempt++ {
			done, err := r.streamOnce(ctx, req, yield)
			if done {
				return
			}
			if err := r.waitForRetry(ctx, attempt, err); err != nil {
				yield(Chunk{}, err)
				return
			}
		}
	}
}

// streamOnce makes one attempt. It returns false and the error if the attempt failed before the first chunk. It
// yields a later error itself.
func (r Retry) streamOnce(ctx context.Context, req Request, yield func(Chunk, error) bool) (done bool, err error) {
	for chunk, err := range Stream(ctx, r.Model, req) {
		if err != nil && !done {
			return false, err
		}
		done = true
		if !yield(chunk, err) {
			break
		}
	}
	return true, nil
}

// waitForRetry waits before the next attempt. If there must not be another one, it returns the final error.
func (r Retry) waitForRetry(ctx context.Context, attempt int, err error) error {
	if done := ContextError(ctx, err); done != nil {
		return done
	}
	wait, retry := r.retryDelay(attempt, err)
	if !retry {
		return withAttempts(err, attempt)
	}
	sleep := r.Sleep
	if sleep == nil {
		sleep = sleepFor
	}
	sleep(ctx, wait)
	return ContextError(ctx, err)
}

// malformedAttempts limits the attempts that may end in a malformed response. Repeating the
// request helps if a proxy has temporarily sent an HTML page with the status 200, but not if the
// endpoint uses another protocol.
const malformedAttempts = 2

// retryDelay returns how long to wait after a failed attempt, and whether to make another one.
func (r Retry) retryDelay(attempt int, err error) (d time.Duration, retry bool) {
	var retryable interface{ Retryable() bool }
	var e *Error
	attempts := cmp.Or(r.Attempts, 3)
	if errors.As(err, &e) && e.Kind == Malformed {
		attempts = min(attempts, malformedAttempts)
	}
	if attempt >= attempts || !errors.As(err, &retryable) || !retryable.Retryable() {
		return 0, false
	}
	longest := cmp.Or(r.MaxWait, time.Minute)
	d = min(cmp.Or(r.Backoff, time.Second), longest)
	for range attempt - 1 {
		d += min(d, longest-d) // doubles d, up to longest
	}
	random := r.Random
	if random == nil {
		random = rand.Float64
	}
	d -= time.Duration(random() * float64(d) / 2)
	if e != nil {
		d = max(d, e.RetryAfter)
	}
	return d, d <= longest
}

// withAttempts returns a copy of err that contains the number of attempts.
func withAttempts(err error, attempts int) error {
	e, ok := errtype.As[*Error](err)
	if !ok || attempts == 1 {
		return err
	}
	c := *e
	c.Attempts = attempts
	return &c
}

func sleepFor(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
