package promise

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/gen/internal/find"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/internal/regular"
)

// Compare says what changed for callers since a snapshot, if there is a file of that
// name, seen from the current directory, else since a git revision.
func Compare(ctx context.Context, cfg find.Config, against string) diag.List {
	now, faults := Of(ctx, cfg)
	if faults.Err() != nil {
		return faults
	}
	return append(withoutCosts(faults, now), compare(ctx, cfg, against, now)...)
}

// withoutCosts leaves out the notes on what types cost, which change nothing.
func withoutCosts(faults diag.List, p contract.Promises) diag.List {
	return slices.DeleteFunc(faults, func(d *diag.Diagnostic) bool { return slices.Contains(p.Costs, d.Message) })
}

func compare(ctx context.Context, cfg find.Config, against string, now contract.Promises) (faults diag.List) {
	file, err := regular.Open(against)
	if err == nil {
		defer file.Close()
		return compareSnapshot(file, now.Tools)
	}
	if info, statErr := os.Stat(against); statErr == nil && !info.IsDir() {
		return folder.Unreadable(filepath.ToSlash(against), err)
	}
	before, faults := promisedAt(ctx, cfg, against)
	if faults.Err() != nil {
		for _, d := range faults {
			if d.Code == "unknown-revision" && err != nil {
				d.WithHelp("nor is there a file %q; for one to compare with later: aiongen list -schema mcp -o tools.json", against)
			}
		}
		return faults
	}
	return append(withoutCosts(faults, before), contract.Compare(before, now)...)
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
