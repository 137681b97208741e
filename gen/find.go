package gen

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
	"github.com/aiongen/aiongen/gen/load"
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
		if f := g.folder(p.Dir); len(f.aion) > 0 || len(f.generated) > 0 {
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
	for _, way := range []func(string) string{filepath.Clean, resolved} {
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
		if len(g.folder(dir).aion) > 0 && !slices.ContainsFunc(pkgs, func(p *load.Package) bool { return p.Dir == dir }) {
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
	at := diag.Span{File: g.shown(filepath.Join(dir, g.folder(dir).aion[0]))}
	if reason := load.Reason(ctx, g.load, dir); reason != "" && !strings.HasPrefix(reason, "no Go files") {
		d := g.faults.Errorf("no-go-files", at, "the go command finds no Go files beside it: %s", strings.TrimSuffix(reason, " in "+dir)).SplitMessage()
		if strings.HasPrefix(reason, "build constraints") {
			d.WithHelp("name the build tags that its Go files want: -tags name")
		}
		return
	}
	g.faults.Errorf("no-go-files", at, "its directory has no Go files that could hold the functions, tests aside").
		WithHelp("add a Go file that begins with: package %s", packageName(filepath.Base(dir)))
}
