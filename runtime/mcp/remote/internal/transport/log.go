package transport

import (
	"context"
	"log/slog"

	"golang.org/x/time/rate"

	"github.com/aiongen/aiongen/runtime/mcp/remote/internal/sanitize"
)

// maxLogsPerSecond limits the log messages about a server.
const maxLogsPerSecond = 50

// limitedLog drops messages beyond a limit, so that a server cannot fill a log. It sanitizes the other
// messages, because errors quote text of servers.
type limitedLog struct {
	slog.Handler
	limit *rate.Limiter
}

// Handle passes on a message unless the limit is exceeded.
func (l *limitedLog) Handle(ctx context.Context, r slog.Record) error {
	if !l.limit.Allow() {
		return nil
	}
	clean := slog.NewRecord(r.Time, r.Level, sanitize.Text(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(sanitizeAttr(a))
		return true
	})
	return l.Handler.Handle(ctx, clean)
}

// sanitizeAttr sanitizes the text in an attribute. An error becomes its text.
func sanitizeAttr(a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case string:
		return slog.String(a.Key, sanitize.Text(v))
	case error:
		return slog.String(a.Key, sanitize.Text(v.Error()))
	}
	return a
}

// LimitLog returns a logger that writes bursts of at most 50 messages, at most 50 messages per second
// on average, and no invisible characters.
func LimitLog(log *slog.Logger) *slog.Logger {
	return slog.New(&limitedLog{log.Handler(), rate.NewLimiter(maxLogsPerSecond, maxLogsPerSecond)})
}
