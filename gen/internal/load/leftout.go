package load

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/aiongen/aiongen/gen/internal/overlay"
)

// A LeftOut is a Go file that lies beside those of a package and is no part of
// it.
type LeftOut struct {
	File   *ast.File
	Reason string // "tests are no part of a package"
	Help   string // what makes it a part
}

// LeftOut returns the files that are no part of this package, or of one that it
// imports, generated ones aside.
func (p *Package) LeftOut(path string) []LeftOut {
	im := p.importer
	if files, known := im.leftOut[path]; known {
		return files
	}
	of := p
	if path != p.Path {
		if of = im.known(path); of == nil {
			return nil
		}
	}
	im.leftOut[path] = im.readLeftOut(of)
	return im.leftOut[path]
}

func (im *importer) readLeftOut(p *Package) (files []LeftOut) {
	texts := overlay.Files(im.cfg.Overlay)
	entries, _ := texts.ReadDir(p.Dir) // what cannot be read is no reason
	for _, e := range entries {
		name := filepath.Join(p.Dir, e.Name())
		if e.IsDir() || !strings.HasSuffix(name, ".go") || slices.Contains(p.goFiles, name) || im.cfg.Generated(name) {
			continue
		}
		kept := im.memory.parse(texts, name, Relative(p.root, name))
		if kept == nil || kept.file == nil || kept.file.Name == nil {
			continue
		}
		f := LeftOut{File: kept.file}
		if f.Reason, f.Help = reason(kept.file, p.Name, name); f.Reason != "" {
			files = append(files, f)
		}
	}
	return files
}

// reason says why the go command leaves a file out of a package.
func reason(file *ast.File, pkg, path string) (reason, help string) {
	name := filepath.Base(path)
	switch {
	case strings.HasPrefix(name, "_"), strings.HasPrefix(name, "."):
		return fmt.Sprintf("a file whose name begins with %q is no part of a package", name[:1]), "rename the file"
	case strings.HasSuffix(name, "_test.go"):
		return "tests are no part of a package", "move it to a file whose name does not end in _test.go"
	case !isForThisSystem(path):
		return "the name of its file says that it is for another system", "move it to a file for all systems, or set GOOS and GOARCH"
	}
	if line := buildLine(file); line != "" {
		return line + " leaves its file out", helpTags(line)
	}
	if pkg != "" && file.Name.Name != pkg {
		return "its file is of package " + file.Name.Name, "move it to a file of package " + pkg
	}
	for _, spec := range file.Imports {
		if spec.Path.Value == `"C"` {
			return `its file imports "C", and cgo is off`, "set CGO_ENABLED=1, or move it to a file without cgo"
		}
	}
	return "", ""
}

// isForThisSystem reports whether the name of a file is one that the go command
// reads for this system.
func isForThisSystem(path string) bool { return isRead(path, "package p\n") }

// isRead reports whether the go command reads a file of a name and a source, if no
// tags are named.
func isRead(path, source string) bool {
	context := build.Default
	context.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(source)), nil }
	ok, err := context.MatchFile(filepath.Dir(path), filepath.Base(path))
	return ok || err != nil
}

// helpTags says how a build constraint is met.
func helpTags(line string) string {
	if expr, err := constraint.Parse(line); err == nil {
		if tags, ok := missingTags(expr); ok && len(tags) > 0 {
			return "its file wants build tags: -tags " + strings.Join(tags, ",")
		}
	}
	return "name the build tags that its file wants: -tags name"
}

// missingTags are tags that meet a constraint, if there are any that can be named:
// it is no tag that makes another system.
func missingTags(expr constraint.Expr) (tags []string, ok bool) {
	switch expr := expr.(type) {
	case *constraint.TagExpr:
		set := isRead("p.go", "//go:build "+expr.Tag+"\n\npackage p\n")
		switch {
		case set:
			return nil, true
		case isForThisSystem("p_" + expr.Tag + ".go"):
			return []string{expr.Tag}, true
		}
	case *constraint.NotExpr:
		return nil, isRead("p.go", "//go:build "+expr.String()+"\n\npackage p\n")
	case *constraint.AndExpr:
		x, okX := missingTags(expr.X)
		y, okY := missingTags(expr.Y)
		return append(x, y...), okX && okY
	case *constraint.OrExpr:
		if x, ok := missingTags(expr.X); ok {
			return x, true
		}
		return missingTags(expr.Y)
	}
	return nil, false
}

// buildLine is the build constraint of a file, "" if it has none.
func buildLine(file *ast.File) string {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() < file.Package && constraint.IsGoBuild(c.Text) {
				return c.Text
			}
		}
	}
	return ""
}

// A Known package is one that could be imported.
type Known struct{ Path, Name string }

// Known lists the packages of the standard library and of the build list, as far
// as these need each other. It asks the go command, so it is for when something
// was not found.
func (p *Package) Known() []Known {
	im := p.importer
	if im.importable == nil {
		loaded, _ := packages.Load(im.cfg.packages(im.ctx, packages.NeedName), "all", "std") // without an answer there is no advice
		im.importable = []Known{}
		for _, k := range loaded {
			if k.Name != "" && k.Name != "main" && !strings.Contains("/"+k.PkgPath+"/", "/vendor/") {
				im.importable = append(im.importable, Known{k.PkgPath, k.Name})
			}
		}
		slices.SortFunc(im.importable, func(a, b Known) int { return strings.Compare(a.Path, b.Path) })
	}
	return im.importable
}
