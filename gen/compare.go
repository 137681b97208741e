package gen

import (
	"context"
	"os"
	"path/filepath"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/internal/regular"
)

// Compare says what changed for the callers of the tools since a snapshot, if there
// is a file of that name, which [Definitions] for MCP make, else since a git
// revision: an error for what breaks some of them, a warning where the same call
// means something else, a note for the rest. Neither the checkout nor the index
// changes.
func Compare(ctx context.Context, cfg Config, against string) diag.List {
	now, faults := Promises(ctx, cfg)
	if faults.Err() != nil {
		return faults
	}
	return append(faults, compareWith(ctx, cfg, against, now)...)
}

func compareWith(ctx context.Context, cfg Config, against string, now contract.Promises) (faults diag.List) {
	file, err := regular.Open(against)
	if err == nil {
		defer file.Close()
		return compareSnapshot(file, now.Tools)
	}
	if info, statErr := os.Stat(against); statErr == nil && !info.IsDir() {
		faults.Errorf("unreadable", diag.Span{File: filepath.ToSlash(against)}, "cannot read the file: %v", regular.Reason(err)).WithCause(err)
		return faults
	}
	before, faults := PromisesAt(ctx, cfg, against)
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
	now, err = contract.AsSnapshot(now)
	if err != nil {
		faults.Errorf("internal", diag.Span{}, "%v", err)
		return faults
	}
	return contract.Compare(before, contract.Promises{Tools: now})
}
