package middleware

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/tool"
)

// LogCalls logs each call when it has ended: tool, ID, status, duration and error code. The level is Warn for
// failed calls and Info for others. Arguments, results and error texts are not logged, because they may
// contain secrets; see [LogValues].
func LogCalls(l *slog.Logger) tool.Middleware { return logCalls(l, nil, false) }

// LogValues is [LogCalls] with the arguments and the result or the error text, each cut to 1000 bytes.
func LogValues(l *slog.Logger) tool.Middleware {
	return logCalls(l, func(_ context.Context, c *tool.Call, _ tool.Definition) *tool.Call { return c }, false)
}

// LogRedacted is [LogValues] for the record that redact returns. redact is the method Call of a Redactor of
// package redact, or another function that returns a record without secrets. It receives the context of the
// call and the definition of the tool, and must not change the record. If it panics or returns nil, only the
// ID of the call, the name of a tool that exists, the status and the duration are logged.
func LogRedacted(l *slog.Logger, redact func(ctx context.Context, c *tool.Call, d tool.Definition) *tool.Call) tool.Middleware {
	return logCalls(l, redact, true)
}

const longestLogged = 1000 // bytes of a logged value

// redaction returns the record to log for a call.
type redaction func(ctx context.Context, c *tool.Call, d tool.Definition) *tool.Call

// logCalls returns middleware that logs each call. If show is nil, no values are logged. If hides is true,
// names and codes come from the record that show returns.
func logCalls(l *slog.Logger, show redaction, hides bool) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (output json.RawMessage, err error) {
			began := time.Now()
			err = errGoexit // unless next returns
			defer func() {
				level, status := describeEnd(ctx, err)
				duration := time.Since(began)
				name, code := c.Request.Name, tool.Code(err)
				var shown []slog.Attr
				if show != nil {
					of := &tool.Call{ID: c.ID, Request: c.Request, Arguments: c.Arguments, Status: status, Output: output, Err: err}
					what, why := applyRedaction(ctx, show, of, c.Definition())
					shown = valueAttrs(what, why)
					switch {
					case hides && what == nil:
						name, code = c.Definition().Name, ""
					case hides:
						name, code = what.Request.Name, tool.Code(what.Err)
					}
				}
				attrs := []slog.Attr{
					slog.String("tool", cutValue(name)), slog.String("id", cutValue(c.ID)),
					slog.String("status", string(status)), slog.Duration("duration", duration),
				}
				if err != nil && code != "" {
					attrs = append(attrs, slog.String("error", cutValue(code)))
				}
				attrs = append(attrs, shown...)
				l.LogAttrs(ctx, level, "tool call", attrs...)
			}()
			output, err = next(ctx, c)
			return output, err
		}
	}
}

// errGoexit is the error of a call whose function ended its goroutine.
var errGoexit = &tool.PanicError{Value: "the function ended its goroutine (runtime.Goexit)"}

// describeEnd returns the log level and the status of a call.
func describeEnd(ctx context.Context, err error) (slog.Level, tool.Status) {
	switch {
	case err == nil:
		return slog.LevelInfo, tool.StatusCompleted
	case errors.Is(ctx.Err(), context.Canceled) && errors.Is(err, context.Canceled):
		return slog.LevelInfo, tool.StatusCancelled
	}
	return slog.LevelWarn, tool.StatusFailed
}

// applyRedaction returns the record to log, or why there is none. The call has ended, so a panic must not
// reach its caller.
func applyRedaction(ctx context.Context, show redaction, c *tool.Call, d tool.Definition) (shown *tool.Call, why string) {
	defer func() {
		if recover() != nil { // the value may be a secret
			shown, why = nil, "the redaction panicked"
		}
	}()
	return show(ctx, c, d), "the redaction returned nothing"
}

// valueAttrs returns the arguments and the outcome of a call, or why they are not logged.
func valueAttrs(shown *tool.Call, why string) []slog.Attr {
	if shown == nil {
		return []slog.Attr{slog.String("unshown", why)}
	}
	return []slog.Attr{slog.String("arguments", cutValue(string(shown.Arguments))), outcomeAttr(shown.Output, shown.Err)}
}

// outcomeAttr returns the outcome of a call.
func outcomeAttr(output json.RawMessage, err error) slog.Attr {
	if err != nil {
		return slog.String("text", cutValue(err.Error()))
	}
	return slog.String("output", cutValue(string(output)))
}

func cutValue(s string) string { return words.Cut(s, longestLogged) }

type loggerKey struct{}

// WithLogger provides a logger for functions that have a parameter of type *slog.Logger: l with the name of
// the tool.
func WithLogger(l *slog.Logger) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			return next(context.WithValue(ctx, loggerKey{}, l.With("tool", c.Request.Name)), c)
		}
	}
}

// SuppliedLogger returns the logger for a function that runs in ctx. Generated code calls it. If there is
// none, it returns an error, which fails the call.
func SuppliedLogger(ctx context.Context) (*slog.Logger, error) {
	if l, ok := ctx.Value(loggerKey{}).(*slog.Logger); ok {
		return l, nil
	}
	return nil, words.NotSuppliedError("there is no logger: add one to the registry with tool.Use(middleware.WithLogger(logger))")
}
