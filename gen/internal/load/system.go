package load

import (
	"go/ast"
	"go/build/constraint"
	"path/filepath"
	"strings"
)

// SystemFiles returns the files of this package, or of one that it imports, that the go command builds only on
// some systems, or only with or without cgo, whether or not it builds them here. It leaves out tests and
// generated files.
func (p *Package) SystemFiles(path string) (files []*ast.File) {
	im, of := p.importer, p
	if path != p.Path {
		of = im.findPackage(path)
	}
	if of == nil || of.Dir == "" {
		return nil
	}
	texts := Overlay(im.cfg.Overlay)
	entries, _ := texts.ReadDir(of.Dir) // an unreadable directory has none
	for _, e := range entries {
		name := filepath.Join(of.Dir, e.Name())
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || im.cfg.Generated(name) {
			continue
		}
		kept := im.memory.parseFile(texts, name, Relative(of.root, name))
		if kept != nil && kept.file != nil && kept.file.Name != nil && kept.file.Name.Name == of.Name && dependsOnSystem(kept.file, e.Name()) {
			files = append(files, kept.file)
		}
	}
	return files
}

// dependsOnSystem reports whether the name of a file or its build constraint depends on the system, or on
// whether cgo is used.
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
