package gen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/bind"
	"github.com/aiongen/aiongen/gen/load"
)

// target is where the generated files of a package go.
type target struct {
	bind.Target
	dir string // absolute
}

func (g *generator) target(s *source) (target, bool) {
	if g.cfg.Output == "" {
		scope := readScope(s.pkg.Dir)
		return target{dir: s.pkg.Dir, Target: bind.Target{
			Path:     s.pkg.Path,
			Name:     s.pkg.Name,
			Declared: scope.declared,
			Imported: scope.imported,
		}}, true
	}
	dir := g.cfg.Output
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(g.load.Dir, dir)
	}
	scope := readScope(dir)
	if scope.name == "" {
		scope.name = packageName(filepath.Base(dir))
	}
	rel, err := filepath.Rel(dir, s.pkg.Dir)
	if err != nil || rel == "." {
		g.faults.Errorf("bad-output", diag.Span{}, "-o names the directory of package %s itself", s.pkg.Path).
			WithHelp("leave out -o to generate into the package")
		return target{}, false
	}
	t := target{dir: dir, Target: bind.Target{
		Path:     importPath(dir),
		Name:     scope.name,
		Declared: scope.declared,
		Imported: scope.imported,
		Source:   filepath.ToSlash(rel) + "/",
	}}
	return t, g.reachable(s, t)
}

// reachable reports whether the generated package can import the source package.
func (g *generator) reachable(s *source, t target) bool {
	switch {
	case s.pkg.Name == "main":
		g.faults.Errorf("bad-output", diag.Span{}, "package main cannot be imported, so its tools cannot be generated into %s", t.Name).
			WithHelp("leave out -o, or move the tools into a package of their own")
	case imports(s.pkg, t.Path):
		g.faults.Errorf("bad-output", diag.Span{}, "package %s imports %s, which would have to import it", s.pkg.Path, t.Path).
			WithHelp("let another package import both")
	default:
		return true
	}
	return false
}

func imports(p *load.Package, path string) bool {
	for _, file := range p.Files {
		for _, spec := range file.Imports {
			if imported, err := strconv.Unquote(spec.Path.Value); err == nil && imported == path {
				return true
			}
		}
	}
	return false
}

// scope is what the Go files of a directory declare and import at the top
// level, tests and files for other systems included: generated names must differ
// from all of it.
type scope struct {
	name     string // of the package; "" if there are no files
	declared []string
	imported []string
}

func readScope(dir string) scope {
	var s scope
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".go") || isGenerated(file) {
			continue
		}
		f, _ := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if f == nil || f.Name == nil || strings.HasSuffix(f.Name.Name, "_test") {
			continue
		}
		s.name = f.Name.Name
		for _, decl := range f.Decls {
			s.add(decl)
		}
	}
	return s
}

func (s *scope) add(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			s.declared = append(s.declared, decl.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.declared = append(s.declared, spec.Name.Name)
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					s.declared = append(s.declared, n.Name)
				}
			case *ast.ImportSpec:
				s.imported = append(s.imported, importName(spec))
			}
		}
	}
}

// importName is the name an import goes by, as far as the text tells.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	imported, _ := strconv.Unquote(spec.Path.Value)
	return path.Base(imported)
}

// importPath is the import path of a directory, which need not exist yet: that
// of the module around it and the way from there.
func importPath(dir string) string {
	for root := dir; ; root = filepath.Dir(root) {
		if mod, err := os.ReadFile(filepath.Join(root, "go.mod")); err == nil {
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
