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
	"github.com/aiongen/aiongen/runtime/run"
)

// temporalEngine is adapters/temporal. A place is an address and a task queue.
var temporalEngine = engine{
	name:        "Temporal",
	isAvailable: func(s settings) bool { return s.temporal != "" },
	create: func(_ context.Context, s settings) (string, func(), error) {
		return fmt.Sprintf("%s engines-%d", s.temporal, rand.Uint64()), func() {}, nil
	},
	client: newTemporalClient,
	work: func(ctx context.Context, place string, _ share) error {
		w, err := dialTemporal(ctx, place)
		if err != nil {
			return err
		}
		defer w.Close()
		return w.Work(ctx)
	},
	cost: temporalCost,
}

// temporalRuns starts runs on Temporal, with IDs that begin with the task queue.
type temporalRuns struct {
	*temporal.Engine
	client sdk.Client
	queue  string
}

func dialTemporal(ctx context.Context, place string) (*temporalRuns, error) {
	address, queue, _ := strings.Cut(place, " ")
	c, err := sdk.DialContext(ctx, sdk.Options{HostPort: address, Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler))})
	if err != nil {
		return nil, err
	}
	t, err := newTools()
	if err != nil {
		return nil, err
	}
	e, err := temporal.New(c, queue, unusedModel, t)
	return &temporalRuns{e, c, queue}, err
}

func newTemporalClient(ctx context.Context, place string) (client, error) {
	return dialTemporal(ctx, place)
}

func (f *temporalRuns) Start(ctx context.Context, i int) error {
	in := newInput(i)
	in.ID = fmt.Sprintf("%s-%d", f.queue, i)
	_, err := f.Engine.Start(ctx, in)
	return err
}

// Wait waits for one run after another.
func (f *temporalRuns) Wait(ctx context.Context, runs int) error {
	for i := range runs {
		r, err := f.Result(ctx, fmt.Sprintf("%s-%d", f.queue, i))
		if err == nil && r.Status != run.Completed {
			err = fmt.Errorf("run %d is %s: %w", i, r.Status, r.Error)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *temporalRuns) Close() { f.client.Close() }

// temporalCost returns the events and bytes of the histories, and the CPU time that the dev server used before
// this function reads the histories.
func temporalCost(ctx context.Context, place string) (c cost, err error) {
	address, _, _ := strings.Cut(place, " ")
	c.syncs, c.processor = -1, processorTime(devServerPID(address))
	f, err := dialTemporal(ctx, place)
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
		c.commits += int(run.WorkflowExecutionInfo.StateTransitionCount) // each is a transaction; Temporal's queues need more
	}
}

// devServerPID returns the process ID of the dev server at an address of this machine, or 0.
func devServerPID(address string) int {
	_, port, _ := strings.Cut(address, ":")
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range all {
		text, _ := os.ReadFile(name)
		if args := strings.Split(string(text), "\x00"); strings.Contains(string(text), "start-dev") && strings.HasSuffix(args[0], "temporal") && strings.Contains(string(text), port) {
			return parseNumber(filepath.Base(filepath.Dir(name)))
		}
	}
	return 0
}
