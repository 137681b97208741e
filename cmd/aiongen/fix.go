package main

import (
	"context"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
)

// fix makes the edits that diagnostics carry, and reports what is left. With -d it shows
// them instead, and reports what there is.
func (c *command) fix(ctx context.Context, args []string) int {
	var cfg gen.Config
	var guess []diag.Code
	show := c.flags.Bool("d", false, "")
	c.flags.StringVar(&cfg.Output, "o", "", "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	c.flags.Func("guess", "", func(codes string) error {
		for code := range strings.SplitSeq(codes, ",") {
			if _, ok := gen.Explain(diag.Code(code)); !ok {
				return unknownCode(code)
			}
			guess = append(guess, diag.Code(code))
		}
		return nil
	})
	patterns, status := c.patterns(args)
	if status != parsed {
		return status
	}
	cfg.Patterns = patterns
	result, found, left := gen.Fix(ctx, cfg, guess...)
	if !*show {
		suggestCommand(patterns, left)
		return c.finish(c.diagnostics(), left, result.Write())
	}
	suggestCommand(patterns, found)
	var err error
	if c.format == textFormat {
		_, err = c.stdout.Write(result.Diff())
	}
	status = c.finish(c.diagnostics(), found, err)
	if status == exitOK && len(result.Changes) > 0 {
		status = exitFindings
	}
	return status
}
