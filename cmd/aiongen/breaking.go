package main

import (
	"context"

	"github.com/aiongen/aiongen/gen"
)

// breaking tells what changed for the callers of the tools since a snapshot or a
// git revision.
func (c *command) breaking(ctx context.Context, args []string) int {
	var cfg gen.Config
	against := c.flags.String("against", "", "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	patterns, status := c.patterns(args)
	switch {
	case status != parsed:
		return status
	case *against == "":
		return c.misuse("breaking takes what to compare with, a file or a git revision, as in: aiongen breaking -against main")
	case (*against)[0] == '-':
		return c.misuse("-against %s: that is a flag, neither a file nor a git revision", *against)
	}
	cfg.Patterns = patterns
	faults := gen.Compare(ctx, cfg, *against)
	suggestCommand(patterns, faults)
	return c.finish(c.diagnostics(), faults, nil)
}
