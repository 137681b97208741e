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

// watchPackages generates, and generates again whenever a file is saved, until it is interrupted.
// Each time it reports the written files in one line, and the diagnostics if they have changed.
func (c *command) watchPackages(ctx context.Context, cfg gen.Config) int {
	var last diag.List
	fmt.Fprintln(c.stderr, "watching; interrupt to stop")
	err := gen.NewSession(cfg).Watch(ctx, func(result *gen.Result, faults diag.List) {
		suggestCommand(cfg.Patterns, faults)
		faults = result.Fresh(faults)
		failure := result.Write()
		if failure != nil || !reflect.DeepEqual(faults, last) {
			c.reportOutcome(c.diagnosticsWriter(), faults, failure)
		}
		if line := summarizeRun(result, last.Err(), errors.Join(faults.Err(), failure)); line != "" {
			fmt.Fprintln(c.stderr, line)
		}
		last = faults
	})
	if errors.Is(err, context.Canceled) {
		return exitOK
	}
	return c.fail(err)
}

// maxNamedFiles limits the number of files that summarizeRun names.
const maxNamedFiles = 3

// summarizeRun returns a line about a run, or "" if there is nothing to report.
func summarizeRun(result *gen.Result, before, now error) string {
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
		return "nothing is written until these errors are fixed"
	case len(removed) == 0 && len(wrote) == 0 && before != nil:
		return "no errors left, all files are up to date"
	}
	var parts []string
	if len(wrote) > 0 {
		parts = append(parts, "wrote "+words.Join(wrote, ", ", maxNamedFiles))
	}
	if len(removed) > 0 {
		parts = append(parts, "removed "+words.Join(removed, ", ", maxNamedFiles))
	}
	return strings.Join(parts, "; ")
}
