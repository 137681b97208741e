package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/overlay"
)

// Scope is what the Go files of a directory declare and import at the top
// level, tests and files for other systems included, generated ones not: names
// that generated code has to avoid.
type Scope struct {
	Name     string // of the package; "" if there are no files
	Declared []string
	Imported []string
}

// Scope reads the names of a directory, which need not exist.
func (cfg Config) Scope(dir string) Scope { return cfg.scope(dir, nil) }

// Scope returns the names of the package's directory. What Check has read is not
// read again.
func (p *Package) Scope(cfg Config) Scope { return cfg.scope(p.Dir, p.parsed) }

func (cfg Config) scope(dir string, parsed map[string]*ast.File) Scope {
	var s Scope
	files := overlay.Files(cfg.Overlay)
	entries, _ := files.ReadDir(dir) // one that cannot be read declares nothing
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if e.IsDir() || !strings.HasSuffix(name, ".go") || cfg.Generated(name) {
			continue
		}
		file := parsed[name]
		if file == nil {
			src, err := files.ReadFile(name)
			if err != nil {
				continue // it declares nothing that the go command could build
			}
			file, _ = parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		}
		if file != nil && file.Name != nil && !strings.HasSuffix(file.Name.Name, "_test") {
			s.add(file)
		}
	}
	return s
}

func (s *Scope) add(file *ast.File) {
	s.Name = file.Name.Name
	for _, spec := range file.Imports {
		s.Imported = append(s.Imported, importName(spec))
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				s.Declared = append(s.Declared, decl.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				s.addSpec(spec)
			}
		}
	}
}

func (s *Scope) addSpec(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		s.Declared = append(s.Declared, spec.Name.Name)
	case *ast.ValueSpec:
		for _, n := range spec.Names {
			s.Declared = append(s.Declared, n.Name)
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

// wanted are the packages that are Named and that no name in the files means. Those
// without a slash are of the standard library, or nothing.
func (p *Package) wanted(goroot string) (paths []string) {
	var s Scope
	var imported []string
	for _, file := range p.Files {
		s.add(file)
		imported = append(imported, slices.Collect(maps.Keys(importsOf(file)))...)
	}
	for _, path := range p.Named {
		known := path == p.Path || path == p.Name || slices.ContainsFunc(imported, func(other string) bool { return other == path || strings.HasPrefix(other, path+".") })
		if !known && !strings.Contains(path, "/") {
			_, err := os.Stat(filepath.Join(goroot, "src", path))
			known = goroot == "" || err != nil || slices.Contains(s.Declared, path) || slices.Contains(s.Imported, path)
		}
		if !known {
			paths = append(paths, path)
		}
	}
	return paths
}

// importsOf are the paths that a file imports, each perhaps by several names, those
// aside that stand for no package.
func importsOf(file *ast.File) map[string][]*ast.ImportSpec {
	paths := map[string][]*ast.ImportSpec{}
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && path != "C" && path != "unsafe" {
			paths[path] = append(paths[path], spec)
		}
	}
	return paths
}
