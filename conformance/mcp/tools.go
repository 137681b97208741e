package main

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/aiongen/aiongen/runtime/tool"
)

//go:generate go run -C ../.. ./cmd/aiongen -C conformance/mcp

// SimpleText returns a text.
func SimpleText() string { return "This is a simple text response for testing." }

// Fail always fails.
//
//lint:ignore ST1005 the suite wants this text
func Fail() error { return errors.New("This tool intentionally returns an error for testing") }

// Log logs when it starts, continues and ends.
func Log(x *tool.Exchange) string {
	for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		x.Log(int(slog.LevelInfo), text)
	}
	return "The messages are in the log."
}

// progressPause is the time between a progress notification and the next, or the result. When the
// TypeScript SDKs read the result, they may drop notifications that they have not delivered yet.
const progressPause = 20 * time.Millisecond

// Progress reports its progress three times.
func Progress(x *tool.Exchange) string {
	for done := 0.0; done <= 100; done += 50 {
		x.Progress(done, 100, "")
		time.Sleep(progressPause)
	}
	return "Done."
}

// Caller returns the name of the caller.
func Caller(x *tool.Exchange) string { return x.Header("X-User") }

// waitingCalls counts running calls of Wait.
var waitingCalls atomic.Int64

// Wait waits until the time has passed or the call is canceled.
func Wait(ctx context.Context, milliseconds int) (string, error) {
	waitingCalls.Add(1)
	defer waitingCalls.Add(-1)
	select {
	case <-time.After(time.Duration(milliseconds) * time.Millisecond):
		return "The time has passed.", nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// Running returns the number of running calls of Wait.
func Running() int { return int(waitingCalls.Load()) }
