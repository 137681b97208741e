package main

import (
	"context"

	"github.com/aiongen/aiongen/gen"
)

// compareTools reports what has changed for callers of the tools since a snapshot or a git revision.
func (c *command) compareTools(ctx context.Context, args []string) int {
	var cfg gen.Config
	against := c.flags.String("against", "", "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	patterns, status := c.parsePatterns(args)
	switch {
	case status != flagsParsed:
		return status
	case *against == "":
		return c.usageError("breaking needs a file or a git revision to compare with, as in: go tool aiongen breaking -against main")
	case (*against)[0] == '-':
		return c.usageError("-against %s: this is a flag, not a file or a git revision", *against)
	}
	cfg.Patterns = patterns
	return c.reportOutcome(c.diagnosticsWriter(), gen.Compare(ctx, cfg, *against), nil)
}
