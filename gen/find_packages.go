package gen

import (
	"context"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// findPackages returns the packages that have .aion files or files generated from them.
func (f *finder) findPackages(ctx context.Context) (found []*load.Package) {
	patterns := f.cfg.patterns()
	pkgs, err := load.Find(ctx, f.Load, patterns...)
	if err != nil {
		f.Faults.Errorf("go-list", diag.Span{}, "%v", err).SplitMessage()
		return nil
	}
	for _, p := range pkgs {
		if p.Dir == "" && f.isPatternInDir(p.Path) { // the go command could not search the directory of the pattern
			f.reportNoAionFiles(p)
			return nil
		}
		f.reportIgnoredFiles(p.Dir)
		if folder := f.Folders.Folder(p.Dir); len(folder.Aion) > 0 || len(folder.Generated) > 0 {
			found = append(found, p)
		} else if !slices.ContainsFunc(patterns, isWildcard) {
			f.reportNoAionFiles(p)
		}
	}
	for _, pattern := range patterns {
		f.checkMatches(ctx, pattern, pkgs)
	}
	if found == nil && f.Faults.Err() == nil && !f.allowNoMatch {
		f.Faults.Notef("no-aion-files", diag.Span{}, "no package that %s matches has .aion files", strings.Join(patterns, " "))
	}
	return found
}

// checkMatches reports a pattern that matches no packages, and the directories below the pattern that
// have .aion files but no Go files.
func (f *finder) checkMatches(ctx context.Context, pattern string, pkgs []*load.Package) {
	orphans := f.reportOrphans(ctx, pattern, pkgs)
	if isWildcard(pattern) && !orphans && !f.allowNoMatch && !slices.ContainsFunc(pkgs, func(p *load.Package) bool { return p.Matches(pattern, f.Load.Dir) }) {
		f.Faults.Errorf("no-packages", diag.Span{}, "%s matches no packages", pattern).
			WithHelp("use the patterns of go build: ./... matches all packages below the current directory")
	}
}

func isWildcard(pattern string) bool { return strings.Contains(pattern, "...") }

// isPatternInDir reports whether a pattern is a wildcard below an existing directory.
func (f *finder) isPatternInDir(pattern string) bool {
	prefix, _, wildcard := strings.Cut(pattern, "...")
	dir := filepath.Dir(prefix + "_")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(f.Load.Dir, dir)
	}
	_, err := os.Stat(dir)
	return wildcard && err == nil
}

// reportOrphans reports directories below a ./... pattern that have .aion files but no Go
// files. The go command does not list such directories. It returns false if there are none.
func (f *finder) reportOrphans(ctx context.Context, pattern string, pkgs []*load.Package) (found bool) {
	prefix, wildcard := strings.CutSuffix(pattern, "...")
	if !wildcard || !build.IsLocalImport(strings.TrimSuffix(prefix, "/")) {
		return false
	}
	root := filepath.Join(f.Load.Dir, filepath.FromSlash(prefix))
	// Because of the separator, WalkDir follows root if it is a link. The function returns no error.
	_ = filepath.WalkDir(root+string(filepath.Separator), func(dir string, e fs.DirEntry, err error) error {
		dir = filepath.Clean(dir)
		if err != nil || !e.IsDir() {
			return nil
		}
		if dir != root && load.IsIgnoredDir(dir) {
			return filepath.SkipDir
		}
		if len(f.Folders.Folder(dir).Aion) > 0 && !slices.ContainsFunc(pkgs, func(p *load.Package) bool { return p.Dir == dir }) {
			found = true
			f.reportNoGoFiles(ctx, dir)
		}
		return nil
	})
	return found
}

// reportNoAionFiles reports why a package without .aion files cannot be compiled.
func (f *finder) reportNoAionFiles(p *load.Package) {
	if len(p.Errors) > 0 {
		d := f.Faults.Errorf("go-list", diag.Span{}, "%v", p.Errors[0]).SplitMessage()
		if len(f.cfg.Patterns) == 0 && strings.HasPrefix(d.Message, "no Go files in ") {
			d.WithHelp("to compile all packages of the module, use ./...")
		}
		return
	}
	f.Faults.Errorf("no-aion-files", diag.Span{}, "package %s has no .aion files", p.Path).
		WithHelp("write one, such as tools.aion, in %s", f.shownPath(p.Dir))
}

// reportNoGoFiles reports a directory with .aion files in which the go command finds no Go
// files. The diagnostic contains the reason of the go command, if there is one.
func (f *finder) reportNoGoFiles(ctx context.Context, dir string) {
	at := diag.Span{File: f.shownPath(filepath.Join(dir, f.Folders.Folder(dir).Aion[0]))}
	if reason := load.FindReason(ctx, f.Load, dir); reason != "" && !strings.HasPrefix(reason, "no Go files") {
		d := f.Faults.Errorf("no-go-files", at, "the go command finds no Go files in this directory: %s", strings.TrimSuffix(reason, " in "+dir)).SplitMessage()
		if strings.HasPrefix(reason, "build constraints") {
			d.WithHelp("give the build tags that its Go files require: -tags name")
		}
		return
	}
	f.Faults.Errorf("no-go-files", at, "the directory has no Go files for the functions (test files do not count)").
		WithHelp("add a Go file that starts with: package %s", load.PackageNameFor(filepath.Base(dir)))
}

// reportIgnoredFiles reports files that are not compiled although their names resemble
// those of .aion files. A suffix such as .AION is certainly a mistake, so it causes a warning. A
// leading . or _ may be intended, so it causes a note. The function skips the temporary files of
// editors and file systems.
func (f *finder) reportIgnoredFiles(dir string) {
	for _, name := range f.Folders.Folder(dir).Names {
		at := diag.Span{File: f.shownPath(filepath.Join(dir, name))}
		switch ext := filepath.Ext(name); {
		case !strings.EqualFold(ext, load.AionSuffix), strings.HasPrefix(name, ".#"), strings.HasPrefix(name, "._"):
		case name[0] == '.', name[0] == '_':
			f.Faults.Notef("passed-over", at, "the file is not compiled, because its name begins with %c", name[0])
		case ext != load.AionSuffix:
			f.Faults.Warnf("passed-over", at, "the file is not compiled, because its name ends in %s", ext).
				WithHelp("rename it: %s", strings.TrimSuffix(name, ext)+load.AionSuffix)
		}
	}
}
