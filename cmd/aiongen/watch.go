package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/internal/words"
)

// watch generates, and again whenever a file is saved, until it is interrupted. It says
// what it wrote, in a line, and what is wrong, unless it has just said so.
func (c *command) watch(ctx context.Context, cfg gen.Config) int {
	var last diag.List
	fmt.Fprintln(c.stderr, "watching; interrupt to stop")
	err := gen.NewSession(cfg).Watch(ctx, func(result *gen.Result, faults diag.List) {
		suggestCommand(cfg.Patterns, faults)
		if len(cfg.Lint) == 0 {
			faults = result.Fresh(faults)
		}
		failure := result.Write()
		if failure != nil || !reflect.DeepEqual(faults, last) {
			c.finish(c.diagnostics(), faults, failure)
		}
		if line := outcome(result, last.Err(), errors.Join(faults.Err(), failure)); line != "" {
			fmt.Fprintln(c.stderr, line)
		}
		last = faults
	})
	if errors.Is(err, context.Canceled) {
		return exitOK
	}
	return c.fail(err)
}

// mostNamed is how many files a line names.
const mostNamed = 3

// outcome is a line on a run, "" if nothing is to be said of it.
func outcome(result *gen.Result, before, now error) string {
	var wrote, removed []string
	for _, change := range result.Changes {
		if change.New == nil {
			removed = append(removed, change.Name)
		} else {
			wrote = append(wrote, change.Name)
		}
	}
	switch {
	case now != nil && len(result.Changes) == 0:
		return "nothing is written before this is mended"
	case len(removed) == 0 && len(wrote) == 0 && before != nil:
		return "all is as it should be"
	}
	var said []string
	if len(wrote) > 0 {
		said = append(said, "wrote "+words.Join(wrote, ", ", mostNamed))
	}
	if len(removed) > 0 {
		said = append(said, "removed "+words.Join(removed, ", ", mostNamed))
	}
	return strings.Join(said, "; ")
}
