package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"go.temporal.io/api/serviceerror"
	sdk "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// onTemporal is adapters/temporal. A place is an address and a task queue.
var onTemporal = engine{
	name:  "Temporal",
	there: func(s settings) bool { return s.temporal != "" },
	fresh: func(_ context.Context, s settings) (string, func(), error) {
		return fmt.Sprintf("%s engines-%d", s.temporal, rand.Uint64()), func() {}, nil
	},
	client: temporalClient,
	work: func(ctx context.Context, place string, _ share) error {
		w, err := dial(ctx, place)
		if err != nil {
			return err
		}
		defer w.Close()
		return w.Work(ctx)
	},
	cost: temporalCost,
}

// flowing begins runs on Temporal, whose IDs there begin with the task queue.
type flowing struct {
	*temporal.Engine
	client sdk.Client
	queue  string
}

func dial(ctx context.Context, place string) (*flowing, error) {
	address, queue, _ := strings.Cut(place, " ")
	c, err := sdk.DialContext(ctx, sdk.Options{HostPort: address, Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler))})
	if err != nil {
		return nil, err
	}
	t, err := tools()
	if err != nil {
		return nil, err
	}
	e, err := temporal.New(c, queue, model, t)
	return &flowing{e, c, queue}, err
}

func temporalClient(ctx context.Context, place string) (client, error) { return dial(ctx, place) }

func (f *flowing) Start(ctx context.Context, i int) error {
	in := input(i)
	in.ID = fmt.Sprintf("%s-%d", f.queue, i)
	_, err := f.Engine.Start(ctx, in)
	return err
}

// Wait waits for one run after the other.
func (f *flowing) Wait(ctx context.Context, runs int) error {
	for i := range runs {
		r, err := f.Result(ctx, fmt.Sprintf("%s-%d", f.queue, i))
		if err == nil && r.Status != record.Completed {
			err = fmt.Errorf("run %d is %s: %w", i, r.Status, r.Error)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *flowing) Close() { f.client.Close() }

// temporalCost tells what the histories have, and what the dev server took before that was
// asked for.
func temporalCost(ctx context.Context, place string) (c cost, err error) {
	address, _, _ := strings.Cut(place, " ")
	c.syncs, c.processor = -1, processorTime(devServer(address))
	f, err := dial(ctx, place)
	if err != nil {
		return c, err
	}
	defer f.Close()
	for i := 0; ; i++ {
		run, err := f.client.DescribeWorkflowExecution(ctx, fmt.Sprintf("%s-%d", f.queue, i), "")
		if _, missing := errors.AsType[*serviceerror.NotFound](err); missing || err != nil {
			if missing {
				err = nil
			}
			return c, err
		}
		c.entries += int(run.WorkflowExecutionInfo.HistoryLength)
		c.bytes += int(run.WorkflowExecutionInfo.HistorySizeBytes)
		c.commits += int(run.WorkflowExecutionInfo.StateTransitionCount) // each a transaction of its database, and more are its queues
	}
}

// devServer returns the process of the dev server at an address of this machine; 0 if
// there is none.
func devServer(address string) int {
	_, port, _ := strings.Cut(address, ":")
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range all {
		text, _ := os.ReadFile(name)
		if args := strings.Split(string(text), "\x00"); strings.Contains(string(text), "start-dev") && strings.HasSuffix(args[0], "temporal") && strings.Contains(string(text), port) {
			return number(filepath.Base(filepath.Dir(name)))
		}
	}
	return 0
}
