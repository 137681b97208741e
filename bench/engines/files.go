package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

// fileEngine lets each worker start and execute its own runs, in a shared folder.
var fileEngine = engine{
	name:        "journal/file",
	isAvailable: func(settings) bool { return true },
	create: func(context.Context, settings) (string, func(), error) {
		folder, err := os.MkdirTemp("", "engines")
		return folder, func() { os.RemoveAll(folder) }, err
	},
	client: func(context.Context, string) (client, error) { return nil, nil },
	work: func(ctx context.Context, place string, own share) error {
		j, err := file.Open(place)
		if err != nil {
			return err
		}
		o, err := newOrchestrator(orchestrator.Journal(j))
		if err != nil {
			return err
		}
		errs := make([]error, concurrentRuns)
		var wg sync.WaitGroup
		for k := range concurrentRuns {
			wg.Go(func() {
				for i := own.from + k; i < own.to && errs[k] == nil; i += concurrentRuns {
					errs[k] = executeRun(ctx, o, i)
				}
			})
		}
		wg.Wait()
		return errors.Join(errs...)
	},
	cost: func(ctx context.Context, place string) (c cost, err error) {
		j, err := file.Open(place)
		if err != nil {
			return c, err
		}
		for info, err := range j.Runs(ctx, journal.Filter{}) {
			if err != nil {
				return c, err
			}
			c.entries += info.Entries
		}
		c.bytes, err = sizeOf(place)
		c.written, c.syncs, c.commits = c.bytes, -1, -1
		return c, err
	},
}

// executeRun starts and executes a run in this process.
func executeRun(ctx context.Context, o *orchestrator.Orchestrator, i int) error {
	r, err := o.Start(ctx, newInput(i))
	if err != nil {
		return err
	}
	result, err := r.Execute(ctx)
	if err == nil && result.Status != run.Completed {
		err = fmt.Errorf("run %d is %s: %w", i, result.Status, result.Error)
	}
	return err
}
