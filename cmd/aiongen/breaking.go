package main

import (
	"context"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/contract"
)

// breaking tells what changed for the callers of the tools since a git revision.
func (c *command) breaking(ctx context.Context, args []string) int {
	var cfg gen.Config
	against := c.flags.String("against", "", "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	patterns, status := c.patterns(args)
	switch {
	case status != parsed:
		return status
	case *against == "":
		return c.misuse("breaking takes what to compare with, as in: aiongen breaking -against main")
	case (*against)[0] == '-':
		return c.misuse("-against %s: that is a flag, neither a file nor a revision", *against)
	}
	cfg.Patterns = patterns
	now, faults := gen.Tools(ctx, cfg)
	suggestCommand(patterns, faults)
	if faults.Err() == nil {
		faults = append(faults, compare(ctx, cfg, *against, now)...)
	}
	return c.finish(c.diagnostics(), faults, nil)
}

// compare compares the tools with those of a git revision.
func compare(ctx context.Context, cfg gen.Config, against string, now []contract.Tool) diag.List {
	before, faults := gen.ToolsAt(ctx, cfg, against)
	if faults.Err() != nil {
		return faults
	}
	return append(faults, contract.Compare(before, now)...)
}
