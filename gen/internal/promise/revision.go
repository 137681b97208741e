package promise

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
	"github.com/aiongen/aiongen/gen/internal/find"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/revision"
)

// promisedAt returns what [Of] returned at a git revision, as git rev-parse takes
// its name. A package that was not there, or had no .aion files, had no tools.
// The checkout stays as it is.
func promisedAt(ctx context.Context, cfg find.Config, name string) (contract.Promises, diag.List) {
	folder, err := revision.Checkout(ctx, cfg.Dir, name)
	if err != nil {
		return contract.Promises{}, diag.List{noRevision(name, err)}
	}
	promises, faults := promisesIn(ctx, cfg, folder.Dir)
	for _, d := range faults {
		d.Message = strings.TrimPrefix(d.Span.String()+": "+d.Message, ": ")
		d.Message = "at revision " + name + ", " + d.Message
		d.Span, d.Related = diag.Span{}, nil // they are not what is there now
	}
	if err := folder.Remove(); err != nil {
		faults.Warnf("unwritable", diag.Span{File: folder.Dir}, "the temporary folder cannot be removed: %v", err)
	}
	return promises, faults
}

// promisesIn returns what packages promised, in a copy of the directory. Of
// faults only errors are of interest.
func promisesIn(ctx context.Context, cfg find.Config, dir string) (promises contract.Promises, faults diag.List) {
	here, err := filepath.Abs(cfg.Dir)
	if err != nil {
		faults.Errorf("no-directory", diag.Span{}, "%v", err)
		return promises, faults
	}
	then := find.Config{Dir: dir, Tags: cfg.Tags, Past: true}
	for _, pattern := range cfg.Asked() {
		if filepath.IsAbs(pattern) {
			pattern = "./" + load.Relative(here, pattern)
		}
		if had(dir, pattern) {
			then.Patterns = append(then.Patterns, pattern)
		}
	}
	if len(then.Patterns) == 0 {
		return promises, nil
	}
	promises, faults = Of(ctx, then)
	return promises, slices.DeleteFunc(faults, func(d *diag.Diagnostic) bool { return d.Severity != diag.Error })
}

// had reports whether a pattern may match packages with .aion files, for a
// working directory. Those that are not named by directory may.
func had(dir, pattern string) bool {
	path, wildcard := strings.CutSuffix(pattern, "...")
	if !build.IsLocalImport(strings.TrimSuffix(path, "/")) {
		return true
	}
	entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(path)))
	return err == nil && (wildcard || slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasSuffix(e.Name(), folder.Suffix)
	}))
}

// noRevision reports that there are no files of a revision, and what may help.
func noRevision(name string, err error) *diag.Diagnostic {
	var list diag.List
	d := list.Errorf("unknown-revision", diag.Span{}, "revision %q cannot be read: %v", name, err).WithCause(err)
	if unknown, ok := errors.AsType[*revision.UnknownError](err); ok {
		d.Message = unknown.Error()
		if unknown.Near != "" {
			d.WithHelp("did you mean %s?", unknown.Near)
		}
		if unknown.Shallow {
			d.WithHelp("the clone is a shallow one; fetch what is missing: git fetch --unshallow --tags")
		}
	}
	return d.SplitMessage()
}
