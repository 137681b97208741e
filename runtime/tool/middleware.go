package tool

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"
)

// Timeout gives every call a deadline. A call that has no result when its function
// returns after that has failed; one that ignores its context is waited for.
func Timeout(d time.Duration) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (json.RawMessage, error) {
			ctx, cancel := context.WithTimeout(ctx, d)
			defer cancel()
			return next(ctx, c)
		}
	}
}

// Limit bounds how many calls run at a time. Others wait for their turn, until
// their context is done.
func Limit(concurrent int) Middleware {
	free := make(chan struct{}, max(concurrent, 1))
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (json.RawMessage, error) {
			select {
			case free <- struct{}{}:
				defer func() { <-free }()
				return next(ctx, c)
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	}
}

// Rate bounds how many calls begin in any span of time: n at once, and one more
// every n-th part of it. Others wait for their turn, in the order in which they
// came, until their context is done; one that has a deadline before its turn
// fails at once.
func Rate(n int, span time.Duration) Middleware {
	l := &rate{burst: max(n, 1), interval: span / time.Duration(max(n, 1))}
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (json.RawMessage, error) {
			if err := l.wait(ctx); err != nil {
				return nil, err
			}
			return next(ctx, c)
		}
	}
}

type rate struct {
	burst    int
	interval time.Duration // between two turns

	mu   sync.Mutex
	next time.Time // when all turns that were given are paid for
}

// wait returns when the caller has its turn.
func (r *rate) wait(ctx context.Context) error {
	delay := r.turn()
	if delay <= 0 {
		return nil
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < delay {
		r.giveBack()
		return context.DeadlineExceeded
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		r.giveBack()
		return ctx.Err()
	}
}

func (r *rate) giveBack() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next = r.next.Add(-r.interval)
}

// turn gives the caller a turn and returns the time until then.
func (r *rate) turn() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if r.next.Before(now) {
		r.next = now
	}
	r.next = r.next.Add(r.interval)
	return r.next.Sub(now) - time.Duration(r.burst)*r.interval
}

// Log writes a record for each call that has ended: name, id, status, time, code
// of the error. Its level is that of information, and of a warning where the call
// failed. Arguments, results and texts of errors, which may hold secrets, are
// not in it; see [LogValues].
func Log(l *slog.Logger) Middleware { return logWith(l, false) }

// LogValues is [Log] with the arguments, the result and the text of the error,
// each cut to 1000 bytes.
func LogValues(l *slog.Logger) Middleware { return logWith(l, true) }

const longestLogged = 1000

func logWith(l *slog.Logger, values bool) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (output json.RawMessage, err error) {
			began := time.Now()
			panicked := true
			defer func() {
				level, attrs := slog.LevelInfo, []slog.Attr{slog.String("tool", c.Request.Name), slog.String("id", c.ID)}
				attrs = append(attrs, slog.Duration("duration", time.Since(began)))
				switch {
				case panicked:
					level, attrs = slog.LevelError, append(attrs, slog.String("error", "panic"))
				case err != nil:
					level, attrs = slog.LevelWarn, append(attrs, slog.String("error", Code(err)))
				}
				if values {
					attrs = append(attrs, slog.String("arguments", cut(string(c.Arguments), longestLogged)))
					if err != nil {
						attrs = append(attrs, slog.String("text", cut(err.Error(), longestLogged)))
					} else {
						attrs = append(attrs, slog.String("output", cut(string(output), longestLogged)))
					}
				}
				l.LogAttrs(ctx, level, "tool call", attrs...)
			}()
			output, err = next(ctx, c)
			panicked = false
			return output, err
		}
	}
}

// Logger gives the registry the logger that functions with a parameter of type
// *slog.Logger get.
func Logger(l *slog.Logger) Option {
	return func(r *Registry) { r.settings.logger = l }
}
