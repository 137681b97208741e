package load

import (
	"go/ast"
	"go/build/constraint"
	"path/filepath"
	"strings"
)

// SystemFiles returns the files of this package, or of one that it imports, that are limited to some systems
// or depend on cgo. It includes files for other systems, but no tests and no generated files.
func (p *Package) SystemFiles(path string) (files []*ast.File) {
	im, pkg := p.importer, p
	if path != p.Path {
		pkg = im.findPackage(path)
	}
	if pkg == nil || pkg.Dir == "" {
		return nil
	}
	texts := im.cfg.Overlay
	entries, _ := texts.ReadDir(pkg.Dir) // an unreadable directory has none
	for _, e := range entries {
		name := filepath.Join(pkg.Dir, e.Name())
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || im.cfg.Generated(name) {
			continue
		}
		cached := im.memory.parseFile(texts, name, Relative(pkg.root, name))
		if cached != nil && cached.file != nil && cached.file.Name != nil && cached.file.Name.Name == pkg.Name && dependsOnSystem(cached.file, e.Name()) {
			files = append(files, cached.file)
		}
	}
	return files
}

// dependsOnSystem reports whether the name of a file or its build constraint limits it to some systems,
// or depends on cgo.
func dependsOnSystem(file *ast.File, name string) bool {
	if !buildsEverywhere(name) {
		return true
	}
	expr, err := constraint.Parse(buildLine(file))
	if err != nil { // there is none
		return false
	}
	depends := false
	expr.Eval(func(tag string) bool {
		depends = depends || tag == "unix" || tag == "cgo" || !buildsEverywhere("p_"+tag+".go")
		return false
	})
	return depends
}
