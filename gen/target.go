package gen

import (
	"cmp"
	"go/token"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

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
	return t, g.reachable(s, t)
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
