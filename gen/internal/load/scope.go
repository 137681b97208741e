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
)

// Scope has the names that Go files in a directory declare and import at package level,
// which generated code must avoid. It includes test files and files for other systems, but
// not generated ones.
type Scope struct {
	Name     string // of the package; "" without files
	Declared []string
	Imported []string
}

// Scope returns the names in a directory, which need not exist.
func (cfg Config) Scope(dir string) Scope { return cfg.readScope(dir, nil) }

// Scope returns the names in the directory of the package. It reuses the files that Check has
// parsed.
func (p *Package) Scope(cfg Config) Scope { return cfg.readScope(p.Dir, p.parsed) }

func (cfg Config) readScope(dir string, parsed map[string]*ast.File) Scope {
	var s Scope
	files := cfg.Overlay
	entries, _ := files.ReadDir(dir) // an unreadable directory declares nothing
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if e.IsDir() || !strings.HasSuffix(name, ".go") || cfg.Generated(name) {
			continue
		}
		file := parsed[name]
		if file == nil {
			src, err := files.ReadFile(name)
			if err != nil {
				continue // the go command cannot build it
			}
			file, _ = parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		}
		if file != nil && file.Name != nil && !strings.HasSuffix(file.Name.Name, "_test") {
			s.addFile(file)
		}
	}
	return s
}

func (s *Scope) addFile(file *ast.File) {
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

// importName returns the name of an import: the one that the file gives it, or the last element of
// its path.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	imported, _ := strconv.Unquote(spec.Path.Value)
	return path.Base(imported)
}

// namedImports returns the NamedPaths to load in addition to the imports of the files. It leaves
// out a path without a slash if it is not in the standard library, or if the files declare or
// import that name.
func (p *Package) namedImports(goroot string) (paths []string) {
	var s Scope
	var imported []string
	for _, file := range p.Files {
		s.addFile(file)
		imported = append(imported, slices.Collect(maps.Keys(importSpecs(file)))...)
	}
	for _, path := range p.NamedPaths {
		skip := path == p.Path || path == p.Name || slices.ContainsFunc(imported, func(other string) bool { return other == path || strings.HasPrefix(other, path+".") })
		if !skip && !strings.Contains(path, "/") {
			_, err := os.Stat(filepath.Join(goroot, "src", path))
			skip = goroot == "" || err != nil || slices.Contains(s.Declared, path) || slices.Contains(s.Imported, path)
		}
		if !skip {
			paths = append(paths, path)
		}
	}
	return paths
}

// importSpecs returns the imports of a file by path, without "C".
func importSpecs(file *ast.File) map[string][]*ast.ImportSpec {
	paths := map[string][]*ast.ImportSpec{}
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil && path != "C" && path != "unsafe" {
			paths[path] = append(paths[path], spec)
		}
	}
	return paths
}
