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

// LogRedacted is like [LogValues], but logs the copy of the call that redact returns. Pass the method Call of
// a Redactor of package redact, or another function that removes secrets. redact receives the context of the
// call and the definition of the tool, and must not change the call that it receives. If it panics or returns
// nil, only the ID of the call, the status, the duration and, if the tool exists, its name are logged.
func LogRedacted(l *slog.Logger, redact func(ctx context.Context, c *tool.Call, d tool.Definition) *tool.Call) tool.Middleware {
	return logCalls(l, redact, true)
}

const maxLoggedBytes = 1000 // bytes of a logged value

// redaction returns the copy of a call to log.
type redaction func(ctx context.Context, c *tool.Call, d tool.Definition) *tool.Call

// logCalls returns middleware that logs each call. The logged arguments and result, or error text, come from
// the copy of the call that show returns. If show is nil, none of these are logged. If redactNames is true,
// the tool name and the error code come from that copy, too.
func logCalls(l *slog.Logger, show redaction, redactNames bool) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (output json.RawMessage, err error) {
			began := time.Now()
			err = errGoexit // replaced when next returns
			defer func() {
				level, status := describeEnd(ctx, err)
				duration := time.Since(began)
				name, code := c.Request.Name, tool.Code(err)
				var values []slog.Attr
				if show != nil {
					record := &tool.Call{ID: c.ID, Request: c.Request, Arguments: c.Arguments, Status: status, Output: output, Err: err}
					logged, reason := applyRedaction(ctx, show, record, c.Definition())
					values = valueAttrs(logged, reason)
					switch {
					case redactNames && logged == nil:
						name, code = c.Definition().Name, ""
					case redactNames:
						name, code = logged.Request.Name, tool.Code(logged.Err)
					}
				}
				attrs := []slog.Attr{
					slog.String("tool", cutValue(name)), slog.String("id", cutValue(c.ID)),
					slog.String("status", string(status)), slog.Duration("duration", duration),
				}
				if err != nil && code != "" {
					attrs = append(attrs, slog.String("error", cutValue(code)))
				}
				attrs = append(attrs, values...)
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

// applyRedaction returns the record to log, or nil and the reason why there is none. It recovers from panics
// of show, because the call itself has already succeeded or failed.
func applyRedaction(ctx context.Context, show redaction, c *tool.Call, d tool.Definition) (shown *tool.Call, reason string) {
	defer func() {
		if recover() != nil { // the value may be a secret
			shown, reason = nil, "the redaction panicked"
		}
	}()
	return show(ctx, c, d), "the redaction returned nothing"
}

// valueAttrs returns the arguments and the outcome of a call, or why they are not logged.
func valueAttrs(shown *tool.Call, reason string) []slog.Attr {
	if shown == nil {
		return []slog.Attr{slog.String("unshown", reason)}
	}
	outcome := slog.String("output", cutValue(string(shown.Output)))
	if shown.Err != nil {
		outcome = slog.String("text", cutValue(shown.Err.Error()))
	}
	return []slog.Attr{slog.String("arguments", cutValue(string(shown.Arguments))), outcome}
}

func cutValue(s string) string { return words.Cut(s, maxLoggedBytes) }

type loggerKey struct{}

// WithLogger passes a logger to functions that have a parameter of type *slog.Logger. The logger is l with
// the attribute "tool", the name of the called tool.
func WithLogger(l *slog.Logger) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			return next(context.WithValue(ctx, loggerKey{}, l.With("tool", c.Request.Name)), c)
		}
	}
}

// SuppliedLogger returns the logger that [WithLogger] added to ctx. If ctx has no logger, it returns an error,
// which fails the call. Generated code calls SuppliedLogger.
func SuppliedLogger(ctx context.Context) (*slog.Logger, error) {
	if l, ok := ctx.Value(loggerKey{}).(*slog.Logger); ok {
		return l, nil
	}
	return nil, words.NotSuppliedError("there is no logger: add one to the registry with tool.Use(middleware.WithLogger(logger))")
}
