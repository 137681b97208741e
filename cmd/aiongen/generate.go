package main

import (
	"context"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
)

// compile reads the flags, compiles, and hands the result on if it is sound.
func (c *command) compile(ctx context.Context, args []string, use func(*gen.Result) (diag.List, error)) int {
	var cfg gen.Config
	c.flags.StringVar(&cfg.Output, "o", "", "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	patterns, status := c.parse(args)
	if status != parsed {
		return status
	}
	cfg.Patterns = patterns
	result, faults := gen.Generate(ctx, cfg)
	if faults.Err() == nil {
		found, err := use(result)
		if err != nil {
			return c.fail(err)
		}
		faults = append(faults, found...)
	}
	return c.report(c.diagnostics(), faults)
}

// write brings the files up to date.
func (c *command) write(result *gen.Result) (diag.List, error) { return nil, result.Write() }

// check reports what is not up to date, in text with a diff.
func (c *command) check(result *gen.Result) (found diag.List, err error) {
	for _, change := range result.Changes {
		found.Errorf("out-of-date", diag.Span{File: change.Name}, "the generated file is %s", change.State()).
			WithHelp("run aiongen to bring it up to date")
	}
	if c.format == textFormat {
		_, err = c.stdout.Write(result.Diff())
	}
	return found, err
}
