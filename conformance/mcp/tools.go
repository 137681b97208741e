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

// SimpleText says a text.
func SimpleText() string { return "This is a simple text response for testing." }

// Fail fails.
//
//lint:ignore ST1005 the suite wants this text
func Fail() error { return errors.New("This tool intentionally returns an error for testing") }

// Log logs that it begins, goes on and ends.
func Log(x *tool.Exchange) string {
	for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		x.Log(int(slog.LevelInfo), text)
	}
	return "It is in the log, if anybody reads it."
}

// pause is between what a tool tells and its result. The TypeScript SDKs forget whom to
// tell when they read the result, at times before they have told what came before it.
const pause = 20 * time.Millisecond

// Progress tells three times how far it is.
func Progress(x *tool.Exchange) string {
	for done := 0.0; done <= 100; done += 50 {
		x.Progress(done, 100, "")
		time.Sleep(pause)
	}
	return "All is done."
}

// Caller says who calls it.
func Caller(x *tool.Exchange) string { return x.Header("X-User") }

// waiting counts calls of Wait.
var waiting atomic.Int64

// Wait waits, or is cancelled.
func Wait(ctx context.Context, milliseconds int) (string, error) {
	waiting.Add(1)
	defer waiting.Add(-1)
	select {
	case <-time.After(time.Duration(milliseconds) * time.Millisecond):
		return "It is over.", nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// Running counts what waits.
func Running() int { return int(waiting.Load()) }
