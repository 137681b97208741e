package gen

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/internal/regularfile"
)

// withoutCosts removes the notes about tools; see [Result.WithoutCosts].
func withoutCosts(faults diag.List, p contract.Promises) diag.List {
	return slices.DeleteFunc(faults, func(d *diag.Diagnostic) bool { return slices.Contains(p.Costs, d.Message) })
}

// comparePromises compares now with a snapshot or a git revision.
func comparePromises(ctx context.Context, cfg Config, against string, now contract.Promises) (faults diag.List) {
	file, err := regularfile.Open(against)
	if err == nil {
		defer file.Close()
		return compareSnapshot(file, now.Tools)
	}
	if info, statErr := os.Stat(against); statErr == nil && !info.IsDir() {
		return load.ReportUnreadable(filepath.ToSlash(against), err)
	}
	before, faults := readPromisesAt(ctx, cfg, against)
	if faults.Err() != nil {
		for _, d := range faults {
			if d.Code == "unknown-revision" && err != nil {
				d.WithHelp("there is no file %q either; to write a snapshot for later: go tool aiongen list -schema mcp -o tools.json", against)
			}
		}
		return faults
	}
	return append(withoutCosts(faults, before), contract.Compare(before, now)...)
}

// compareSnapshot compares only tools, because a snapshot has no prompts.
func compareSnapshot(file *os.File, now []contract.Tool) (faults diag.List) {
	name := filepath.ToSlash(file.Name())
	before, err := contract.ReadSnapshot(file, name)
	if err != nil {
		faults.Errorf("bad-snapshot", diag.Span{File: name}, "not a snapshot of tools: %v", err).
			WithHelp("to write a snapshot: go tool aiongen list -schema mcp -o tools.json")
		return faults
	}
	now, err = contract.AsSnapshot(now)
	if err != nil {
		faults.Errorf("internal", diag.Span{}, "%v", err)
		return faults
	}
	return contract.Compare(before, contract.Promises{Tools: now})
}
