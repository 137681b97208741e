package transport

import (
	"context"
	"log/slog"

	"golang.org/x/time/rate"
)

// logsPerSecond limits the log messages about a server.
const logsPerSecond = 50

// limitedLog drops messages beyond a limit, so that a server cannot fill a log.
type limitedLog struct {
	slog.Handler
	limit *rate.Limiter
}

// Handle passes on a message unless there were too many.
func (l *limitedLog) Handle(ctx context.Context, r slog.Record) error {
	if !l.limit.Allow() {
		return nil
	}
	return l.Handler.Handle(ctx, r)
}

// LimitLog returns a logger that writes at most 50 messages at once, and then 50 per second.
func LimitLog(log *slog.Logger) *slog.Logger {
	return slog.New(&limitedLog{log.Handler(), rate.NewLimiter(logsPerSecond, logsPerSecond)})
}
