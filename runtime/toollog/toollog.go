// Package toollog writes the calls of tools to a log of package log/slog, and
// gives functions that take a logger theirs. It is apart from package tool, of
// which slog alone would make a sixth.
package toollog

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Calls writes a record for each call that has ended: tool, id, status, duration
// and the code of the error. Its level is that of a warning if the call has
// failed, else of information. Arguments, results and texts of errors, which may
// hold secrets, are not in it; see [Values].
func Calls(l *slog.Logger) tool.Middleware { return calls(l, nil, false) }

// Values is [Calls] with the arguments, and the result or the text of the error,
// each cut to 1000 bytes.
func Values(l *slog.Logger) tool.Middleware {
	return calls(l, func(_ context.Context, c *tool.Call, _ tool.Definition) *tool.Call { return c }, false)
}

// Redacted is [Values] for what redact returns, which is the method Call of a Redactor of
// package redact, or another function that returns a record with what may be shown of a
// call. It gets the context of the call and the definition of the tool, and must not change
// the record. If it panics or returns nil, only the ID of the call, the name of a tool that
// exists, the status and the duration are shown.
func Redacted(l *slog.Logger, redact func(ctx context.Context, c *tool.Call, d tool.Definition) *tool.Call) tool.Middleware {
	return calls(l, redact, true)
}

const longest = 1000 // bytes of a value

// show returns what to write of a call.
type show func(ctx context.Context, c *tool.Call, d tool.Definition) *tool.Call

// calls returns middleware that writes a record for each call. If show is nil, the record
// has no values; if hides is true, names and codes are those that show returns.
func calls(l *slog.Logger, show show, hides bool) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (output json.RawMessage, err error) {
			began := time.Now()
			err = errGoexit // unless next returns
			defer func() {
				level, status := ending(ctx, err)
				duration := time.Since(began)
				name, code := c.Request.Name, tool.Code(err)
				var shown []slog.Attr
				if show != nil {
					of := &tool.Call{ID: c.ID, Request: c.Request, Arguments: c.Arguments, Status: status, Output: output, Err: err}
					what, why := apply(ctx, show, of, c.Definition())
					shown = values(what, why)
					switch {
					case hides && what == nil:
						name, code = c.Definition().Name, ""
					case hides:
						name, code = what.Request.Name, tool.Code(what.Err)
					}
				}
				attrs := []slog.Attr{
					slog.String("tool", cut(name)), slog.String("id", cut(c.ID)),
					slog.String("status", string(status)), slog.Duration("duration", duration),
				}
				if err != nil && code != "" {
					attrs = append(attrs, slog.String("error", cut(code)))
				}
				attrs = append(attrs, shown...)
				l.LogAttrs(ctx, level, "tool call", attrs...)
			}()
			output, err = next(ctx, c)
			return output, err
		}
	}
}

// errGoexit stands for the end of a goroutine, which the caller does not see.
var errGoexit = &tool.PanicError{Value: "the function ended its goroutine (runtime.Goexit)"}

// ending tells how a call ends, and how much that matters.
func ending(ctx context.Context, err error) (slog.Level, tool.Status) {
	switch {
	case err == nil:
		return slog.LevelInfo, tool.StatusCompleted
	case ctx.Err() == context.Canceled && errors.Is(err, context.Canceled):
		return slog.LevelInfo, tool.StatusCancelled
	}
	return slog.LevelWarn, tool.StatusFailed
}

// apply returns what to show of a call, or why that is nothing. A panic does not reach the
// caller, whose call has ended.
func apply(ctx context.Context, show show, c *tool.Call, d tool.Definition) (shown *tool.Call, why string) {
	defer func() {
		if recover() != nil { // the value may be a secret
			shown, why = nil, "the rule panicked"
		}
	}()
	return show(ctx, c, d), "the rule left nothing"
}

// values returns the arguments and the outcome of a call, or why they are not shown.
func values(shown *tool.Call, why string) []slog.Attr {
	if shown == nil {
		return []slog.Attr{slog.String("unshown", why)}
	}
	return []slog.Attr{slog.String("arguments", cut(string(shown.Arguments))), value(shown.Output, shown.Err)}
}

// value is what came of a call.
func value(output json.RawMessage, err error) slog.Attr {
	if err != nil {
		return slog.String("text", cut(err.Error()))
	}
	return slog.String("output", cut(string(output)))
}

func cut(s string) string { return words.Cut(s, longest) }

type loggerKey struct{}

// With gives the functions that have a parameter of type *slog.Logger theirs: l,
// with the name of the tool.
func With(l *slog.Logger) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			return next(context.WithValue(ctx, loggerKey{}, l.With("tool", c.Request.Name)), c)
		}
	}
}

// Supplied returns the logger for a function that runs in ctx. Generated code
// calls it; that there is none is an error, which fails the call.
func Supplied(ctx context.Context) (*slog.Logger, error) {
	if l, ok := ctx.Value(loggerKey{}).(*slog.Logger); ok {
		return l, nil
	}
	return nil, words.Unsupplied("there is no logger: the registry needs one, by tool.Use(toollog.With(logger))")
}
