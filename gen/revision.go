package gen

import (
	"context"
	"errors"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// readPromisesAt is readPromises for a git revision, in the syntax of git rev-parse. A package
// that does not exist or has no .aion files at the revision has no tools. The checkout of the
// user is not changed.
func readPromisesAt(ctx context.Context, cfg Config, name string) (contract.Promises, diag.List) {
	folder, err := contract.Checkout(ctx, cfg.Dir, name)
	if err != nil {
		return contract.Promises{}, diag.List{newRevisionDiagnostic(name, err)}
	}
	promises, faults := readPromisesIn(ctx, cfg, folder.Dir)
	for _, d := range faults {
		d.Message = strings.TrimPrefix(d.Span.String()+": "+d.Message, ": ")
		d.Message = "at revision " + name + ", " + d.Message
		d.Span, d.Related = diag.Span{}, nil // positions in another version of the files
	}
	if err := folder.Remove(); err != nil {
		faults.Warnf("unwritable", diag.Span{File: folder.Dir}, "cannot remove the temporary folder: %v", err)
	}
	return promises, faults
}

// readPromisesIn is readPromises for dir, a copy of the working directory. It returns no
// warnings and notes.
func readPromisesIn(ctx context.Context, cfg Config, dir string) (promises contract.Promises, faults diag.List) {
	here, err := filepath.Abs(cfg.Dir)
	if err != nil {
		faults.Errorf("no-directory", diag.Span{}, "%v", err)
		return promises, faults
	}
	then := Config{Dir: dir, Tags: cfg.Tags}
	for _, pattern := range cfg.patterns() {
		if filepath.IsAbs(pattern) {
			pattern = "./" + load.Relative(here, pattern)
		}
		if mayMatch(dir, pattern) {
			then.Patterns = append(then.Patterns, pattern)
		}
	}
	if len(then.Patterns) == 0 {
		return promises, nil
	}
	promises, faults = readPromises(ctx, then, true)
	return promises, slices.DeleteFunc(faults, func(d *diag.Diagnostic) bool { return d.Severity != diag.Error })
}

// mayMatch reports whether a pattern can match packages with .aion files in the working
// directory dir. It returns true for import paths, which it does not check.
func mayMatch(dir, pattern string) bool {
	path, wildcard := strings.CutSuffix(pattern, "...")
	if !build.IsLocalImport(strings.TrimSuffix(path, "/")) {
		return true
	}
	entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(path)))
	return err == nil && (wildcard || slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasSuffix(e.Name(), load.AionSuffix)
	}))
}

// newRevisionDiagnostic returns the diagnostic for a revision that cannot be read.
func newRevisionDiagnostic(name string, err error) *diag.Diagnostic {
	var list diag.List
	d := list.Errorf("unknown-revision", diag.Span{}, "revision %q cannot be read: %v", name, err).WithCause(err)
	if unknown, ok := errors.AsType[*contract.UnknownRevisionError](err); ok {
		d.Message = unknown.Error()
		if unknown.Near != "" {
			d.WithHelp("did you mean %s?", unknown.Near)
		}
		if unknown.Shallow {
			d.WithHelp("this is a shallow clone; fetch the missing history: git fetch --unshallow --tags")
		}
	}
	return d.SplitMessage()
}
