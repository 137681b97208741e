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
func Calls(l *slog.Logger) tool.Middleware { return calls(l, nil) }

// Values is [Calls] with the arguments, and the result or the text of the error,
// each cut to 1000 bytes.
func Values(l *slog.Logger) tool.Middleware {
	return calls(l, func(c *tool.Call, _ tool.Definition) *tool.Call { return c })
}

// Redacted is [Values] of what a rule leaves of the record of a call, such as the method
// Call of a Func of package redact. It must not change the record. Of a call for which it
// panics or returns nil neither arguments nor what came of it are shown.
func Redacted(l *slog.Logger, rule func(c *tool.Call, d tool.Definition) *tool.Call) tool.Middleware {
	return calls(l, rule)
}

const longest = 1000 // bytes of a value

func calls(l *slog.Logger, show func(*tool.Call, tool.Definition) *tool.Call) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (output json.RawMessage, err error) {
			began := time.Now()
			err = errGoexit // unless next returns
			defer func() {
				level, status := ending(ctx, err)
				attrs := []slog.Attr{
					slog.String("tool", cut(c.Request.Name)), slog.String("id", cut(c.ID)),
					slog.String("status", string(status)), slog.Duration("duration", time.Since(began)),
				}
				if err != nil {
					attrs = append(attrs, slog.String("error", tool.Code(err)))
				}
				if show != nil {
					of := &tool.Call{ID: c.ID, Request: c.Request, Arguments: c.Arguments, Status: status, Output: output, Err: err}
					attrs = append(attrs, values(show, of, c.Definition())...)
				}
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

// values are those that are shown of a call, which has ended whatever becomes of a rule.
func values(show func(*tool.Call, tool.Definition) *tool.Call, c *tool.Call, d tool.Definition) (attrs []slog.Attr) {
	defer func() {
		if recover() != nil { // with what may be a secret
			attrs = []slog.Attr{slog.String("unshown", "the rule panicked")}
		}
	}()
	shown := show(c, d)
	if shown == nil {
		return []slog.Attr{slog.String("unshown", "the rule left nothing")}
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
