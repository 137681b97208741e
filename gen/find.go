package gen

import (
	"context"
	"errors"
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
func (g *generator) find(ctx context.Context) (found []*load.Package) {
	patterns := g.cfg.patterns()
	pkgs, err := load.Find(ctx, g.load, patterns...)
	if err != nil {
		g.faults.Errorf("go-list", diag.Span{}, "%v", err).SplitMessage()
		return nil
	}
	for _, p := range pkgs {
		g.passedOver(p.Dir)
		if f := g.folder(p.Dir); len(f.Aion) > 0 || len(f.Generated) > 0 {
			found = append(found, p)
		} else if !slices.ContainsFunc(patterns, isWildcard) {
			g.nothing(p)
		}
	}
	for _, pattern := range patterns {
		orphans := g.orphans(ctx, pattern, pkgs)
		if isWildcard(pattern) && !orphans && !g.past && !slices.ContainsFunc(pkgs, func(p *load.Package) bool { return matches(pattern, g.load.Dir, p) }) {
			g.faults.Errorf("no-packages", diag.Span{}, "%s matches no packages", pattern).
				WithHelp("packages are named as for go build: ./... is all from here on")
		}
	}
	if found == nil && g.faults.Err() == nil && !g.past {
		g.faults.Notef("no-aion-files", diag.Span{}, "no package that %s matches has .aion files", strings.Join(patterns, " "))
	}
	return found
}

func isWildcard(pattern string) bool { return strings.Contains(pattern, "...") }

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
func (g *generator) orphans(ctx context.Context, pattern string, pkgs []*load.Package) (found bool) {
	prefix, wildcard := strings.CutSuffix(pattern, "...")
	if !wildcard || !build.IsLocalImport(strings.TrimSuffix(prefix, "/")) {
		return false
	}
	root := filepath.Join(g.load.Dir, filepath.FromSlash(prefix))
	filepath.WalkDir(root, func(dir string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return nil
		}
		if dir != root && ignored(dir) {
			return filepath.SkipDir
		}
		if len(g.folder(dir).Aion) > 0 && !slices.ContainsFunc(pkgs, func(p *load.Package) bool { return p.Dir == dir }) {
			found = true
			g.noGoFiles(ctx, dir)
		}
		return nil
	})
	return found
}

// ignored reports whether the go command's wildcards pass over a directory.
func ignored(dir string) bool {
	name := filepath.Base(dir)
	if name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func (g *generator) nothing(p *load.Package) {
	if len(p.Errors) > 0 {
		g.faults.Errorf("go-list", diag.Span{}, "%v", p.Errors[0]).SplitMessage()
		return
	}
	g.faults.Errorf("no-aion-files", diag.Span{}, "package %s has no .aion files", p.Path).
		WithHelp("write one, such as tools.aion, in %s", g.shown(p.Dir))
}

// noGoFiles reports a directory with .aion files that the go command finds no Go
// files in, and why, as far as it says.
func (g *generator) noGoFiles(ctx context.Context, dir string) {
	at := diag.Span{File: g.shown(filepath.Join(dir, g.folder(dir).Aion[0]))}
	if reason := load.Reason(ctx, g.load, dir); reason != "" && !strings.HasPrefix(reason, "no Go files") {
		d := g.faults.Errorf("no-go-files", at, "the go command finds no Go files beside it: %s", strings.TrimSuffix(reason, " in "+dir)).SplitMessage()
		if strings.HasPrefix(reason, "build constraints") {
			d.WithHelp("name the build tags that its Go files want: -tags name")
		}
		return
	}
	g.faults.Errorf("no-go-files", at, "its directory has no Go files that could hold the functions, tests aside").
		WithHelp("add a Go file that begins with: package %s", folder.PackageName(filepath.Base(dir)))
}

// folder reads a directory, once a run.
func (g *generator) folder(dir string) *folder.Folder {
	if g.folders[dir] == nil {
		g.folders[dir] = folder.Read(dir)
	}
	return g.folders[dir]
}

// isGenerated reports whether a file is aiongen's own, by its name and its
// header. One that is gone is, too: another run is about to put it back.
func (g *generator) isGenerated(path string) bool {
	dir, name := filepath.Split(path)
	if !folder.MayBeGenerated(name) {
		return false
	}
	if _, ok := g.generated(filepath.Clean(dir), name); ok {
		return true
	}
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// generated returns what a generated file held when its directory was read, or,
// if another run has written it since, what it holds.
func (g *generator) generated(dir, name string) (content []byte, ok bool) {
	if content, ok := g.folder(dir).Generated[name]; ok {
		return content, true
	}
	return folder.ReadGenerated(filepath.Join(dir, name))
}

// passedOver reports the files in a directory that look like .aion files and are
// none: nobody means that by the case of letters, while a name that begins with
// . or _ may be meant. Those that editors and file systems make are theirs.
func (g *generator) passedOver(dir string) {
	for _, name := range g.folder(dir).Names {
		at := diag.Span{File: g.shown(filepath.Join(dir, name))}
		switch ext := filepath.Ext(name); {
		case !strings.EqualFold(ext, folder.Suffix), strings.HasPrefix(name, ".#"), strings.HasPrefix(name, "._"):
		case name[0] == '.', name[0] == '_':
			g.faults.Notef("passed-over", at, "the file is not compiled, as its name begins with %c", name[0])
		case ext != folder.Suffix:
			g.faults.Warnf("passed-over", at, "the file is not compiled, as its name ends in %s", ext).
				WithHelp("rename it: %s", strings.TrimSuffix(name, ext)+folder.Suffix)
		}
	}
}
