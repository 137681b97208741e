package tool

import (
	"context"
	"encoding/json"
	"log/slog"
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

// Limit bounds how many calls run at a time, at least one. Others wait for their
// turn, in the order in which they came, until their context is done. A function
// that itself calls a tool holds its place meanwhile.
func Limit(concurrent int) Middleware {
	places := make(queue, max(concurrent, 1))
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (json.RawMessage, error) {
			if err := places.enter(ctx); err != nil {
				return nil, err
			}
			defer places.leave()
			return next(ctx, c)
		}
	}
}

// queue has as many places as its capacity.
type queue chan struct{}

func (q queue) enter(ctx context.Context) error {
	select {
	case q <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (q queue) leave() { <-q }

// Rate bounds how many calls begin within any span of time of the given length,
// at least one. Others wait for their turn, in the order in which they came,
// until their context is done.
func Rate(calls int, span time.Duration) Middleware {
	r := &rate{turn: make(queue, 1), limit: max(calls, 1), span: span}
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (json.RawMessage, error) {
			if err := r.wait(ctx); err != nil {
				return nil, err
			}
			return next(ctx, c)
		}
	}
}

type rate struct {
	limit int
	span  time.Duration

	turn   queue       // whose it is may use what follows
	begun  []time.Time // when the last calls began, at most limit of them, as a ring
	oldest int         // in begun
}

// wait returns when a call may begin.
func (r *rate) wait(ctx context.Context) error {
	if err := r.turn.enter(ctx); err != nil {
		return err
	}
	defer r.turn.leave()
	if len(r.begun) < r.limit {
		r.begun = append(r.begun, time.Now())
		return nil
	}
	if delay := time.Until(r.begun[r.oldest].Add(r.span)); delay > 0 {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	r.begun[r.oldest] = time.Now()
	r.oldest = (r.oldest + 1) % r.limit
	return nil
}

// Log writes a record for each call that has ended: tool, id, status, duration and
// the code of the error. Its level is that of a warning if the call has failed,
// else of information. Arguments, results and texts of errors, which may hold
// secrets, are not in it; see [LogValues].
func Log(l *slog.Logger) Middleware { return logWith(l, false) }

// LogValues is [Log] with the arguments, and the result or the text of the error,
// each cut to 1000 bytes.
func LogValues(l *slog.Logger) Middleware { return logWith(l, true) }

const longestLogged = 1000

func logWith(l *slog.Logger, values bool) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context, c *Call) (output json.RawMessage, err error) {
			began, returned := time.Now(), false
			defer func() {
				if !returned {
					err = &PanicError{Tool: c.Request.Name, Value: errGoexit}
				}
				level, status := ending(ctx, err)
				attrs := []slog.Attr{
					slog.String("tool", cut(c.Request.Name, longestLogged)), slog.String("id", cut(c.ID, longestLogged)),
					slog.String("status", string(status)), slog.Duration("duration", time.Since(began)),
				}
				if err != nil {
					attrs = append(attrs, slog.String("error", Code(err)))
				}
				if values {
					attrs = append(attrs, slog.String("arguments", cut(string(c.Arguments), longestLogged)), valueOf(output, err))
				}
				l.LogAttrs(ctx, level, "tool call", attrs...)
			}()
			output, err = next(ctx, c)
			returned = true
			return output, err
		}
	}
}

// ending tells how a call ends, and how much that matters.
func ending(ctx context.Context, err error) (slog.Level, Status) {
	switch {
	case err == nil:
		return slog.LevelInfo, StatusCompleted
	case isCancelled(ctx, err):
		return slog.LevelInfo, StatusCancelled
	}
	return slog.LevelWarn, StatusFailed
}

// valueOf is what came of a call.
func valueOf(output json.RawMessage, err error) slog.Attr {
	if err != nil {
		return slog.String("text", cut(err.Error(), longestLogged))
	}
	return slog.String("output", cut(string(output), longestLogged))
}

// Logger gives the registry the logger that functions with a parameter of type
// *slog.Logger get.
func Logger(l *slog.Logger) Option {
	return func(r *Registry) { r.settings.logger = l }
}
