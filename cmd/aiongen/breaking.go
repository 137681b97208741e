package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/regular"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/contract"
	"github.com/aiongen/aiongen/gen/target"
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
	now, faults := gen.Promises(ctx, cfg)
	suggestCommand(patterns, faults)
	if faults.Err() == nil {
		faults = append(faults, compare(ctx, cfg, *against, now)...)
	}
	return c.finish(c.diagnostics(), faults, nil)
}

// compare compares the tools with those of a snapshot, if there is a file of that
// name, else of a git revision.
func compare(ctx context.Context, cfg gen.Config, against string, now contract.Promises) (faults diag.List) {
	file, err := regular.Open(against)
	if err == nil {
		defer file.Close()
		return compareSnapshot(file, now.Tools)
	}
	if info, statErr := os.Stat(against); statErr == nil && !info.IsDir() {
		faults.Errorf("unreadable", diag.Span{File: filepath.ToSlash(against)}, "cannot read the file: %v", regular.Reason(err)).WithCause(err)
		return faults
	}
	before, faults := gen.PromisesAt(ctx, cfg, against)
	if faults.Err() != nil {
		for _, d := range faults {
			if d.Code == "unknown-revision" && err != nil {
				d.WithHelp("nor is there a file %q; for one to compare with later: aiongen list -schema mcp -o tools.json", against)
			}
		}
		return faults
	}
	return append(faults, contract.Compare(before, now)...)
}

// compareSnapshot compares the tools alone, for a snapshot knows no prompts.
func compareSnapshot(file *os.File, now []contract.Tool) (faults diag.List) {
	name := filepath.ToSlash(file.Name())
	before, err := contract.ReadSnapshot(file, name)
	if err != nil {
		faults.Errorf("bad-snapshot", diag.Span{File: name}, "the file is no snapshot of tools: %v", err).
			WithHelp("to write one: aiongen list -schema mcp -o tools.json")
		return faults
	}
	now, err = target.AsSnapshot(now)
	if err != nil {
		faults.Errorf("internal", diag.Span{}, "%v", err)
		return faults
	}
	return contract.Compare(before, contract.Promises{Tools: now})
}
