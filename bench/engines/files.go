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
	"github.com/aiongen/aiongen/runtime/run/record"
)

// files has each worker begin and execute runs of its own, in a folder that all have.
var files = engine{
	name:  "journal/file",
	there: func(settings) bool { return true },
	fresh: func(context.Context, settings) (string, func(), error) {
		folder, err := os.MkdirTemp("", "engines")
		return folder, func() { os.RemoveAll(folder) }, err
	},
	client: func(context.Context, string) (client, error) { return nil, nil },
	work: func(ctx context.Context, place string, own share) error {
		j, err := file.Open(place)
		if err != nil {
			return err
		}
		o, err := desk(orchestrator.Journal(j))
		if err != nil {
			return err
		}
		errs := make([]error, atOnce)
		var wg sync.WaitGroup
		for k := range atOnce {
			wg.Go(func() {
				for i := own.from + k; i < own.to && errs[k] == nil; i += atOnce {
					errs[k] = execute(ctx, o, i)
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

// execute carries a run out, here.
func execute(ctx context.Context, o *orchestrator.Orchestrator, i int) error {
	r, err := o.Start(ctx, input(i))
	if err != nil {
		return err
	}
	result, err := r.Execute(ctx)
	if err == nil && result.Status != record.Completed {
		err = fmt.Errorf("run %d is %s: %w", i, result.Status, result.Error)
	}
	return err
}
