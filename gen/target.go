package gen

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// A target is the package that files are generated into.
type target struct {
	shape.Target
	dir string // absolute
}

// findTarget returns the target of a package. If the files cannot be generated there, it adds
// a diagnostic and returns false.
func (g *generator) findTarget(s *sourcePackage) (target, bool) {
	if s.Output == "" {
		scope := s.Package.Scope(g.Load)
		return target{dir: s.Package.Dir, Target: shape.Target{
			Path:     s.Package.Path,
			Name:     s.Package.Name,
			Declared: scope.Declared,
			Imported: scope.Imported,
		}}, true
	}
	if !g.checkOutputDir(s) {
		return target{}, false
	}
	dir, from, to := s.Output, s.Output, s.Package.Dir
	if s.OutputIsAbsolute {
		from, to = load.ResolveLinks(from), load.ResolveLinks(to)
	}
	scope := g.Load.Scope(dir)
	rel, err := filepath.Rel(from, to)
	if err != nil || rel == "." {
		g.Faults.Errorf("bad-output", s.Directive, "-o is the directory of package %s itself", s.Package.Path).
			WithHelp("omit -o to generate into the package")
		return target{}, false
	}
	t := target{dir: dir, Target: shape.Target{
		Path:     load.ImportPathOf(dir),
		Name:     cmp.Or(scope.Name, load.PackageNameFor(filepath.Base(dir))),
		Declared: scope.Declared,
		Imported: scope.Imported,
		Source:   filepath.ToSlash(rel) + "/",
	}}
	return t, g.checkImportPath(s, t) && g.checkImportable(s, t)
}

// checkOutputDir reports whether the output is a directory, or can be created as one. If not, it
// adds a diagnostic.
func (g *generator) checkOutputDir(s *sourcePackage) bool {
	at := s.Output
	info, err := os.Stat(at)
	isFile := err != nil && (filepath.Ext(at) == ".go" || filepath.Ext(at) == load.AionSuffix)
	for err != nil && !isFile && at != filepath.Dir(at) {
		at = filepath.Dir(at)
		info, err = os.Stat(at)
	}
	if isFile || err == nil && !info.IsDir() {
		g.Faults.Errorf("bad-output", s.Directive, "-o must be a directory, but %s is a file", g.shownPath(at)).
			WithHelp("give the directory for the generated files, which get their own names")
		return false
	}
	return true
}

// checkImportPath reports whether the generated package has a valid import path. If not, it adds a
// diagnostic.
func (g *generator) checkImportPath(s *sourcePackage, t target) bool {
	err := module.CheckImportPath(t.Path)
	if invalid, ok := errors.AsType[*module.InvalidPathError](err); ok {
		err = invalid.Err
	}
	if err != nil {
		g.Faults.Errorf("bad-output", s.Directive, "%q is not a valid import path: %v", t.Path, err).
			WithHelp("use only ASCII letters, digits, - and _ in the name of the directory")
	}
	return err == nil
}

// checkImportable reports whether the generated package can import the source package. If not, it
// adds a diagnostic.
func (g *generator) checkImportable(s *sourcePackage, t target) bool {
	if s.Package.Name == "main" {
		g.Faults.Errorf("bad-output", s.Directive, "package main cannot be imported, so its tools cannot be generated into %s", t.Name).
			WithHelp("omit -o, or move the tools to another package")
		return false
	}
	if chain := s.Package.ImportChain(s.Package.Path, t.Path); chain != nil {
		g.Faults.Errorf("bad-output", s.Directive, "import cycle: package %s imports %s, which would have to import it", s.Package.Path, strings.Join(chain, ", which imports ")).
			WithHelp("generate into a package that it does not import")
		return false
	}
	return true
}

// An outputClaim records which package is generated into a directory, and by which go:generate line.
type outputClaim struct {
	path string
	tags string
	line diag.Span // the go:generate line
}

// claimDir claims dir for the files of a package. If another package, or another go:generate line of
// the same package, has already claimed dir, it adds a diagnostic and returns false.
func (g *generator) claimDir(dir string, s *sourcePackage) bool {
	if len(s.Docs) == 0 {
		return true
	}
	claim := outputClaim{s.Package.Path, s.Tags, s.Directive}
	first, claimed := g.claims[load.ResolveLinks(dir)]
	switch {
	case !claimed:
		g.claims[load.ResolveLinks(dir)] = claim
		return true
	case first.path == claim.path:
		g.Faults.Errorf("bad-output", claim.line, "package %s is generated into the same directory with -tags %q and -tags %q", claim.path, first.tags, claim.tags).
			WithRelated(first.line, "the other line").
			WithHelp("keep one of the lines, or add another directory: -o dir")
	default:
		g.Faults.Errorf("many-packages", claim.line, "packages %s and %s are both generated into %s", first.path, claim.path, g.shownPath(dir)).
			WithHelp("generate each package into its own directory")
	}
	return false
}
