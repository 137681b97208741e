package gen

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/find"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/gen/internal/gotype"
)

// target is where the generated files of a package go.
type target struct {
	gotype.Target
	dir string // absolute
}

func (g *generator) target(s *find.Source) (target, bool) {
	if s.Output == "" {
		scope := s.Package.Scope(g.Load)
		return target{dir: s.Package.Dir, Target: gotype.Target{
			Path:     s.Package.Path,
			Name:     s.Package.Name,
			Declared: scope.Declared,
			Imported: scope.Imported,
		}}, true
	}
	if !g.isDirectory(s) {
		return target{}, false
	}
	dir, from, to := s.Output, s.Output, s.Package.Dir
	if s.Linked {
		from, to = folder.Resolved(from), folder.Resolved(to)
	}
	scope := g.Load.Scope(dir)
	rel, err := filepath.Rel(from, to)
	if err != nil || rel == "." {
		g.Faults.Errorf("bad-output", s.Line, "-o names the directory of package %s itself", s.Package.Path).
			WithHelp("leave out -o to generate into the package")
		return target{}, false
	}
	t := target{dir: dir, Target: gotype.Target{
		Path:     folder.ImportPath(dir),
		Name:     cmp.Or(scope.Name, folder.PackageName(filepath.Base(dir))),
		Declared: scope.Declared,
		Imported: scope.Imported,
		Source:   filepath.ToSlash(rel) + "/",
	}}
	return t, g.importable(s, t) && g.reachable(s, t)
}

// isDirectory reports whether -o names a directory, or what may become one.
func (g *generator) isDirectory(s *find.Source) bool {
	at := s.Output
	info, err := os.Stat(at)
	isFile := err != nil && (filepath.Ext(at) == ".go" || filepath.Ext(at) == folder.Suffix)
	for err != nil && !isFile && at != filepath.Dir(at) {
		at = filepath.Dir(at)
		info, err = os.Stat(at)
	}
	if isFile || err == nil && !info.IsDir() {
		g.Faults.Errorf("bad-output", s.Line, "-o names a directory, and %s is a file", g.Shown(at)).
			WithHelp("generated files have names of their own; name the directory for them")
		return false
	}
	return true
}

// importable reports whether an import path can name the generated package.
func (g *generator) importable(s *find.Source, t target) bool {
	err := module.CheckImportPath(t.Path)
	if invalid, ok := errors.AsType[*module.InvalidPathError](err); ok {
		err = invalid.Err
	}
	if err != nil {
		g.Faults.Errorf("bad-output", s.Line, "no package can be imported as %q: %v", t.Path, err).
			WithHelp("give the directory a name of ASCII letters, digits, - and _")
	}
	return err == nil
}

// reachable reports whether the generated package can import the source package.
func (g *generator) reachable(s *find.Source, t target) bool {
	if s.Package.Name == "main" {
		g.Faults.Errorf("bad-output", s.Line, "package main cannot be imported, so its tools cannot be generated into %s", t.Name).
			WithHelp("leave out -o, or move the tools into a package of their own")
		return false
	}
	if chain := s.Package.Chain(t.Path); chain != nil {
		g.Faults.Errorf("bad-output", s.Line, "package %s imports %s, which would have to import it", s.Package.Path, strings.Join(chain, ", which imports ")).
			WithHelp("let another package import both")
		return false
	}
	return true
}

// A claim is a package that is generated into a directory.
type claim struct {
	path string
	tags string
	line diag.Span // the go:generate line that says so
}

// claim reports whether nothing else is generated into a directory.
func (g *generator) claim(dir string, s *find.Source) bool {
	if len(s.Docs) == 0 {
		return true
	}
	here := claim{s.Package.Path, s.Tags, s.Line}
	first, taken := g.claims[folder.Resolved(dir)]
	switch {
	case !taken:
		g.claims[folder.Resolved(dir)] = here
		return true
	case first.path == here.path:
		g.Faults.Errorf("bad-output", here.line, "package %s is generated into one directory with -tags %q and with -tags %q", here.path, first.tags, here.tags).
			WithRelated(first.line, "the other line").
			WithHelp("keep one of the lines, or name a directory of its own: -o dir")
	default:
		g.Faults.Errorf("many-packages", here.line, "packages %s and %s are both generated into %s", first.path, here.path, g.Shown(dir)).
			WithHelp("generate each package into a directory of its own")
	}
	return false
}
