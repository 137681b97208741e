package find

import (
	"context"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// find lists the packages that take part: those with .aion files, or with files
// that were generated from .aion files.
func (f *Finder) find(ctx context.Context) (found []*load.Package) {
	patterns := f.cfg.Asked()
	pkgs, err := load.Find(ctx, f.Load, patterns...)
	if err != nil {
		f.Faults.Errorf("go-list", diag.Span{}, "%v", err).SplitMessage()
		return nil
	}
	for _, p := range pkgs {
		if p.Dir == "" && f.begins(p.Path) { // it is a pattern that cannot be looked through
			f.nothing(p)
			return nil
		}
		f.passedOver(p.Dir)
		if in := f.Folders.At(p.Dir); len(in.Aion) > 0 || len(in.Generated) > 0 {
			found = append(found, p)
		} else if !slices.ContainsFunc(patterns, isWildcard) {
			f.nothing(p)
		}
	}
	for _, pattern := range patterns {
		orphans := f.orphans(ctx, pattern, pkgs)
		if isWildcard(pattern) && !orphans && !f.cfg.Past && !slices.ContainsFunc(pkgs, func(p *load.Package) bool { return matches(pattern, f.Load.Dir, p) }) {
			f.Faults.Errorf("no-packages", diag.Span{}, "%s matches no packages", pattern).
				WithHelp("packages are named as for go build: ./... is all from here on")
		}
	}
	if found == nil && f.Faults.Err() == nil && !f.cfg.Past {
		f.Faults.Notef("no-aion-files", diag.Span{}, "no package that %s matches has .aion files", strings.Join(patterns, " "))
	}
	return found
}

func isWildcard(pattern string) bool { return strings.Contains(pattern, "...") }

// begins reports whether a pattern is a wildcard below a directory that there is.
func (f *Finder) begins(pattern string) bool {
	fixed, _, wild := strings.Cut(pattern, "...")
	dir := filepath.Dir(fixed + "_")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(f.Load.Dir, dir)
	}
	_, err := os.Stat(dir)
	return wild && err == nil
}

// isLocal reports whether a pattern is a path in the file system.
func isLocal(pattern string) bool { return build.IsLocalImport(pattern) || filepath.IsAbs(pattern) }

// matches reports whether a pattern takes in a package, seen from a directory.
func matches(pattern, from string, p *load.Package) bool {
	if !isLocal(pattern) {
		return matchesName(pattern, p.Path)
	}
	if !filepath.IsAbs(pattern) {
		pattern = filepath.Join(from, pattern)
	}
	dir, rest := pattern, ""
	if i := strings.Index(pattern, "..."); i >= 0 {
		dir, rest = filepath.Split(pattern[:i])
		rest += pattern[i:]
	}
	// Either may lead through a link.
	for _, way := range []func(string) string{filepath.Clean, folder.Resolved} {
		if matchesName(filepath.ToSlash(filepath.Join(way(dir), rest)), filepath.ToSlash(way(p.Dir))) {
			return true
		}
	}
	return false
}

func matchesName(pattern, name string) bool {
	text := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if parent, below := strings.CutSuffix(text, `/.*`); below {
		text = parent + `(/.*)?` // dir/... takes in dir
	}
	ok, err := regexp.MatchString("^"+text+"$", name)
	return ok && err == nil
}

// orphans reports directories below a ./... pattern that hold .aion files but no
// Go files, so that the go command does not list them, and whether there are any.
func (f *Finder) orphans(ctx context.Context, pattern string, pkgs []*load.Package) (found bool) {
	prefix, wildcard := strings.CutSuffix(pattern, "...")
	if !wildcard || !build.IsLocalImport(strings.TrimSuffix(prefix, "/")) {
		return false
	}
	root := filepath.Join(f.Load.Dir, filepath.FromSlash(prefix))
	filepath.WalkDir(root, func(dir string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return nil
		}
		if dir != root && folder.Ignored(dir) {
			return filepath.SkipDir
		}
		if len(f.Folders.At(dir).Aion) > 0 && !slices.ContainsFunc(pkgs, func(p *load.Package) bool { return p.Dir == dir }) {
			found = true
			f.noGoFiles(ctx, dir)
		}
		return nil
	})
	return found
}

func (f *Finder) nothing(p *load.Package) {
	if len(p.Errors) > 0 {
		f.Faults.Errorf("go-list", diag.Span{}, "%v", p.Errors[0]).SplitMessage()
		return
	}
	f.Faults.Errorf("no-aion-files", diag.Span{}, "package %s has no .aion files", p.Path).
		WithHelp("write one, such as tools.aion, in %s", f.Shown(p.Dir))
}

// noGoFiles reports a directory with .aion files that the go command finds no Go
// files in, and why, as far as it says.
func (f *Finder) noGoFiles(ctx context.Context, dir string) {
	at := diag.Span{File: f.Shown(filepath.Join(dir, f.Folders.At(dir).Aion[0]))}
	if reason := load.Reason(ctx, f.Load, dir); reason != "" && !strings.HasPrefix(reason, "no Go files") {
		d := f.Faults.Errorf("no-go-files", at, "the go command finds no Go files beside it: %s", strings.TrimSuffix(reason, " in "+dir)).SplitMessage()
		if strings.HasPrefix(reason, "build constraints") {
			d.WithHelp("name the build tags that its Go files want: -tags name")
		}
		return
	}
	f.Faults.Errorf("no-go-files", at, "its directory has no Go files that could hold the functions, tests aside").
		WithHelp("add a Go file that begins with: package %s", folder.PackageName(filepath.Base(dir)))
}

// passedOver reports the files in a directory that look like .aion files and are
// none: nobody means that by the case of letters, while a name that begins with
// . or _ may be meant. Those that editors and file systems make are theirs.
func (f *Finder) passedOver(dir string) {
	for _, name := range f.Folders.At(dir).Names {
		at := diag.Span{File: f.Shown(filepath.Join(dir, name))}
		switch ext := filepath.Ext(name); {
		case !strings.EqualFold(ext, folder.Suffix), strings.HasPrefix(name, ".#"), strings.HasPrefix(name, "._"):
		case name[0] == '.', name[0] == '_':
			f.Faults.Notef("passed-over", at, "the file is not compiled, as its name begins with %c", name[0])
		case ext != folder.Suffix:
			f.Faults.Warnf("passed-over", at, "the file is not compiled, as its name ends in %s", ext).
				WithHelp("rename it: %s", strings.TrimSuffix(name, ext)+folder.Suffix)
		}
	}
}
