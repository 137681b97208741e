package main

import (
	"context"
	"log/slog"
	"os"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/example/desk"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// taskQueue is where workers find the runs of the desk.
const taskQueue = "aiongen-desk"

// onTemporal has runs as workflows. It has no room for tickets.
var onTemporal = desk.Place{
	Flag: "temporal", Usage: "have workers drive runs in the Temporal at an `address`; tickets are where -memory or another place is",
	Open: func(ctx context.Context, address string) (*desk.Opened, error) {
		warnings := slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}) // such as that the server is away
		c, err := client.DialContext(ctx, client.Options{HostPort: address, Logger: log.NewStructuredLogger(slog.New(warnings))})
		if err != nil {
			return nil, err
		}
		return &desk.Opened{
			Engine: func(model llm.Model, tools *tool.Registry, events ...func(context.Context, record.Event)) (desk.Engine, error) {
				return temporal.New(c, taskQueue, model, tools, temporal.Events(func(ctx context.Context, e record.Event) {
					for _, f := range events {
						f(ctx, e)
					}
				}))
			},
			Close: c.Close,
		}, nil
	},
}
