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
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// taskQueue is the task queue for the runs of the desk.
const taskQueue = "aiongen-desk"

// onTemporal runs requests as workflows. It cannot store tickets.
var onTemporal = desk.Place{
	Flag: "temporal", Usage: "let workers execute runs with the Temporal server at an `address`; tickets need -memory or another place",
	Open: func(ctx context.Context, address string) (*desk.Opened, error) {
		warnings := slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}) // for example if the server is away
		c, err := client.DialContext(ctx, client.Options{HostPort: address, Logger: log.NewStructuredLogger(slog.New(warnings))})
		if err != nil {
			return nil, err
		}
		return &desk.Opened{
			Engine: func(model llm.Model, tools *tool.Registry, events ...func(context.Context, run.Event)) (desk.Engine, error) {
				return temporal.New(c, taskQueue, model, tools, temporal.Events(func(ctx context.Context, e run.Event) {
					for _, f := range events {
						f(ctx, e)
					}
				}))
			},
			Close: c.Close,
		}, nil
	},
}
