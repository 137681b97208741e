package peer

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"
)

// How much of what a call tells is told: so many at once, and then so often. What is more
// is left out, since a loop may tell at every turn.
const (
	burst = 20
	every = 100 * time.Millisecond
)

// progress returns what tells the client how far the call is, in order, and at the end;
// nil if it did not ask for that. What is done must become more, says the protocol. The
// end is told however much was, but once: a total may be wrong, and passed at every turn.
func (r *Request) progress(ctx context.Context) func(done, total float64, text string) {
	token := r.Meta["progressToken"]
	if token == nil || r.Tell == nil {
		return nil
	}
	var mu sync.Mutex
	before, ended := math.Inf(-1), false
	limit := rate.NewLimiter(rate.Every(every), burst)
	return func(done, total float64, text string) {
		mu.Lock()
		defer mu.Unlock()
		ends := total != 0 && done >= total && !ended
		if !(done > before) || !limit.Allow() && !ends {
			return
		}
		before, ended = done, ended || ends
		_ = r.Tell.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: total, Message: text}) // who is gone is not told
	}
}

// log returns what tells the client something for its log; nil if it wants none. Errors
// have a limit of their own, so that what matters less does not displace them.
func (r *Request) log(ctx context.Context) func(int, string) {
	if r.Tell == nil || r.Version >= withoutSessions && r.Meta[sdk.MetaKeyLogLevel] == nil {
		return nil
	}
	var mu sync.Mutex
	errors, others := rate.NewLimiter(rate.Every(every), burst), rate.NewLimiter(rate.Every(every), burst)
	return func(number int, text string) {
		level, limit := slog.Level(number), others
		if level >= slog.LevelError {
			limit = errors
		}
		mu.Lock()
		defer mu.Unlock()
		if !limit.Allow() {
			return
		}
		_ = r.Tell.Log(ctx, &sdk.LoggingMessageParams{Level: levelOf(level), Logger: r.Name, Data: text}) // who is gone is not told
	}
}

// levels are those of the protocol, from the least to the worst.
var levels = []struct {
	from slog.Level
	name sdk.LoggingLevel
}{
	{sdk.LevelInfo, "info"}, {sdk.LevelNotice, "notice"}, {sdk.LevelWarning, "warning"}, {sdk.LevelError, "error"},
	{sdk.LevelCritical, "critical"}, {sdk.LevelAlert, "alert"}, {sdk.LevelEmergency, "emergency"},
}

func levelOf(level slog.Level) sdk.LoggingLevel {
	name := sdk.LoggingLevel("debug")
	for _, l := range levels {
		if level >= l.from {
			name = l.name
		}
	}
	return name
}
