package gen

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"

	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/folder"
)

// target is where the generated files of a package go.
type target struct {
	bind.Target
	dir string // absolute
}

func (g *generator) target(s *source) (target, bool) {
	if s.output == "" {
		scope := s.pkg.Scope(g.load)
		return target{dir: s.pkg.Dir, Target: bind.Target{
			Path:     s.pkg.Path,
			Name:     s.pkg.Name,
			Declared: scope.Declared,
			Imported: scope.Imported,
		}}, true
	}
	if !g.isDirectory(s) {
		return target{}, false
	}
	dir, from, to := s.output, s.output, s.pkg.Dir
	if s.linked {
		from, to = folder.Resolved(from), folder.Resolved(to)
	}
	scope := g.load.Scope(dir)
	rel, err := filepath.Rel(from, to)
	if err != nil || rel == "." {
		g.faults.Errorf("bad-output", s.line, "-o names the directory of package %s itself", s.pkg.Path).
			WithHelp("leave out -o to generate into the package")
		return target{}, false
	}
	t := target{dir: dir, Target: bind.Target{
		Path:     folder.ImportPath(dir),
		Name:     cmp.Or(scope.Name, folder.PackageName(filepath.Base(dir))),
		Declared: scope.Declared,
		Imported: scope.Imported,
		Source:   filepath.ToSlash(rel) + "/",
	}}
	return t, g.importable(s, t) && g.reachable(s, t)
}

// isDirectory reports whether -o names a directory, or what may become one.
func (g *generator) isDirectory(s *source) bool {
	at := s.output
	info, err := os.Stat(at)
	isFile := err != nil && (filepath.Ext(at) == ".go" || filepath.Ext(at) == folder.Suffix)
	for err != nil && !isFile && at != filepath.Dir(at) {
		at = filepath.Dir(at)
		info, err = os.Stat(at)
	}
	if isFile || err == nil && !info.IsDir() {
		g.faults.Errorf("bad-output", s.line, "-o names a directory, and %s is a file", g.shown(at)).
			WithHelp("generated files have names of their own; name the directory for them")
		return false
	}
	return true
}

// importable reports whether an import path can name the generated package.
func (g *generator) importable(s *source, t target) bool {
	err := module.CheckImportPath(t.Path)
	if invalid, ok := errors.AsType[*module.InvalidPathError](err); ok {
		err = invalid.Err
	}
	if err != nil {
		g.faults.Errorf("bad-output", s.line, "no package can be imported as %q: %v", t.Path, err).
			WithHelp("give the directory a name of ASCII letters, digits, - and _")
	}
	return err == nil
}

// reachable reports whether the generated package can import the source package.
func (g *generator) reachable(s *source, t target) bool {
	if s.pkg.Name == "main" {
		g.faults.Errorf("bad-output", s.line, "package main cannot be imported, so its tools cannot be generated into %s", t.Name).
			WithHelp("leave out -o, or move the tools into a package of their own")
		return false
	}
	if chain := s.pkg.Chain(t.Path); chain != nil {
		g.faults.Errorf("bad-output", s.line, "package %s imports %s, which would have to import it", s.pkg.Path, strings.Join(chain, ", which imports ")).
			WithHelp("let another package import both")
		return false
	}
	return true
}

// claim reports whether nothing else is generated into a directory.
func (g *generator) claim(dir string, s *source) bool {
	if len(s.docs) == 0 {
		return true
	}
	first := g.taken[folder.Resolved(dir)]
	switch {
	case first == nil:
		g.taken[folder.Resolved(dir)] = s
		return true
	case first.pkg.Path == s.pkg.Path:
		g.faults.Errorf("bad-output", s.line, "package %s is generated into one directory with -tags %q and with -tags %q", s.pkg.Path, first.tags, s.tags).
			WithRelated(first.line, "the other line").
			WithHelp("keep one of the lines, or name a directory of its own: -o dir")
	default:
		g.faults.Errorf("many-packages", s.line, "packages %s and %s are both generated into %s", first.pkg.Path, s.pkg.Path, g.shown(dir)).
			WithHelp("generate each package into a directory of its own")
	}
	return false
}
