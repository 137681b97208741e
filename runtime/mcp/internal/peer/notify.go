package peer

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"github.com/aiongen/aiongen/internal/words"
)

// A call can send a burst of messages to the client, and then one per interval. Further messages
// are dropped, because a function may send messages in a loop.
const (
	messageBurst    = 20
	messageInterval = 100 * time.Millisecond
)

// maxMessageBytes limits a progress or log message, in bytes.
const maxMessageBytes = 16 << 10

// newProgressFunc returns a function that reports progress to the client, or nil if the client
// did not request it. As the protocol requires, the function drops reports whose value does not
// increase. The first report that reaches the total is sent regardless of the rate limit. Later
// reports are limited again, because a tool with a wrong total may exceed it many times.
func (r *Request) newProgressFunc(ctx context.Context) func(done, total float64, text string) {
	token := r.Meta["progressToken"]
	if token == nil || r.Reach == nil {
		return nil
	}
	var mu sync.Mutex
	last, ended := math.Inf(-1), false
	limit := rate.NewLimiter(rate.Every(messageInterval), messageBurst)
	return func(done, total float64, text string) {
		mu.Lock()
		defer mu.Unlock()
		completes := total != 0 && done >= total && !ended
		if !(done > last) || !limit.Allow() && !completes {
			return
		}
		last, ended = done, ended || completes
		if ctx, session, err := r.Reach(ctx); err == nil { // else the client is gone
			_ = session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: total, Message: words.Cut(text, maxMessageBytes)})
		}
	}
}

// newLogFunc returns a function that sends log messages to the client, or nil if the client
// does not want any. Errors have a separate rate limit, so that less important messages do not
// displace them.
func (r *Request) newLogFunc(ctx context.Context) func(int, string) {
	if r.Reach == nil || r.Version >= statelessVersion && r.Meta[sdk.MetaKeyLogLevel] == nil {
		return nil
	}
	var mu sync.Mutex
	errors, others := rate.NewLimiter(rate.Every(messageInterval), messageBurst), rate.NewLimiter(rate.Every(messageInterval), messageBurst)
	return func(number int, text string) {
		level, limit := slog.Level(number), others
		if !r.wantsLevel(protocolLevel(level)) {
			return
		}
		if level >= slog.LevelError {
			limit = errors
		}
		mu.Lock()
		defer mu.Unlock()
		if !limit.Allow() {
			return
		}
		if ctx, session, err := r.Reach(ctx); err == nil { // else the client is gone
			_ = session.Log(ctx, &sdk.LoggingMessageParams{Level: protocolLevel(level), Logger: r.Name, Data: words.Cut(text, maxMessageBytes)})
		}
	}
}

// wantsLevel reports whether the client may want log messages of this level.
func (r *Request) wantsLevel(level sdk.LoggingLevel) bool {
	if r.LogLevel == nil {
		return true
	}
	minimum := r.LogLevel()
	return minimum != "" && levelRank(level) >= levelRank(minimum)
}

// logLevel is a log level of the protocol.
type logLevel struct {
	from slog.Level // lowest level of slog that it covers
	name sdk.LoggingLevel
}

// protocolLevels are the protocol's log levels above "debug", from least to most severe.
var protocolLevels = []logLevel{
	{sdk.LevelInfo, "info"}, {sdk.LevelNotice, "notice"}, {sdk.LevelWarning, "warning"}, {sdk.LevelError, "error"},
	{sdk.LevelCritical, "critical"}, {sdk.LevelAlert, "alert"}, {sdk.LevelEmergency, "emergency"},
}

// levelRank returns the rank of a level; the rank of "debug" is -1.
func levelRank(name sdk.LoggingLevel) int {
	return slices.IndexFunc(protocolLevels, func(l logLevel) bool { return l.name == name })
}

func protocolLevel(level slog.Level) sdk.LoggingLevel {
	name := sdk.LoggingLevel("debug")
	for _, l := range protocolLevels {
		if level >= l.from {
			name = l.name
		}
	}
	return name
}
