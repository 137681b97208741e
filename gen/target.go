package gen

import (
	"cmp"
	"errors"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/aiongen/aiongen/aion/regular"
	"github.com/aiongen/aiongen/gen/bind"
	"github.com/aiongen/aiongen/gen/load"
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
		from, to = resolved(from), resolved(to)
	}
	scope := g.load.Scope(dir)
	rel, err := filepath.Rel(from, to)
	if err != nil || rel == "." {
		g.faults.Errorf("bad-output", s.line, "-o names the directory of package %s itself", s.pkg.Path).
			WithHelp("leave out -o to generate into the package")
		return target{}, false
	}
	t := target{dir: dir, Target: bind.Target{
		Path:     ImportPath(dir),
		Name:     cmp.Or(scope.Name, packageName(filepath.Base(dir))),
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
	isFile := err != nil && (filepath.Ext(at) == ".go" || filepath.Ext(at) == aionSuffix)
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

// resolved is a path without links, as far as it exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(resolved(parent), filepath.Base(path))
	}
	return path
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

// ImportPath is the import path of a directory, which need not exist yet: that
// of the module around it and the way from there.
func ImportPath(dir string) string {
	for root := dir; ; root = filepath.Dir(root) {
		if mod, err := regular.ReadFile(filepath.Join(root, "go.mod")); err == nil {
			return path.Join(modfile.ModulePath(mod), load.Relative(root, dir))
		}
		if root == filepath.Dir(root) {
			return filepath.Base(dir)
		}
	}
}

// packageName is a package name for a directory of that name.
func packageName(base string) string {
	name := strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(base))
	if token.IsIdentifier(name) {
		return name
	}
	return "tools"
}

// claim reports whether nothing else is generated into a directory.
func (g *generator) claim(dir string, s *source) bool {
	if len(s.docs) == 0 {
		return true
	}
	first := g.taken[resolved(dir)]
	switch {
	case first == nil:
		g.taken[resolved(dir)] = s
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
