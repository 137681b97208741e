package main

import (
	"context"
	"path/filepath"

	"github.com/aiongen/aiongen/gen"
)

// defaultCatalog is the directory of a catalog without the flag -o.
const defaultCatalog = "catalog"

// writeCatalog writes web pages about the tools.
func (c *command) writeCatalog(ctx context.Context, args []string) int {
	var cfg gen.Config
	c.flags.StringVar(&cfg.Output, "o", defaultCatalog, "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	c.flags.Func("lint", "", func(names string) (err error) {
		cfg.Lint, err = parseTargets(names)
		return err
	})
	patterns, status := c.parsePatterns(args)
	if status != flagsParsed {
		return status
	}
	if cfg.Output == "" {
		return c.usageError("-o needs the name of a directory")
	}
	cfg.Output = filepath.Clean(cfg.Output)
	cfg.Patterns = patterns
	result, faults := gen.Catalog(ctx, cfg)
	suggestCommand(patterns, faults)
	if faults.Err() != nil {
		return c.reportOutcome(c.diagnosticsWriter(), faults, nil)
	}
	_, faults = splitNotes(faults) // generating prints the notes about tools; do not repeat them here
	return c.reportOutcome(c.diagnosticsWriter(), faults, result.Write())
}
