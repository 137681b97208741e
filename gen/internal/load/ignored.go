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
)

// An IgnoredFile is a Go file that is in the directory of a package but not part of the package.
type IgnoredFile struct {
	File   *ast.File
	Reason string // "tests are not part of a package"
	Help   string // how to make the file part of the package
}

// IgnoredFiles returns the Go files in the directory of this package, or of one that it imports,
// that are not part of the package. It leaves out generated files.
func (p *Package) IgnoredFiles(path string) []IgnoredFile {
	im := p.importer
	if files, ok := im.ignoredFiles[path]; ok {
		return files
	}
	pkg := p
	if path != p.Path {
		if pkg = im.loadedPackage(path); pkg == nil {
			return nil
		}
	}
	im.ignoredFiles[path] = im.listIgnored(pkg)
	return im.ignoredFiles[path]
}

func (im *importer) listIgnored(p *Package) (files []IgnoredFile) {
	texts := im.cfg.Overlay
	entries, _ := texts.ReadDir(p.Dir) // an unreadable directory has none
	for _, e := range entries {
		name := filepath.Join(p.Dir, e.Name())
		if e.IsDir() || !strings.HasSuffix(name, ".go") || slices.Contains(p.goFiles, name) || im.cfg.Generated(name) {
			continue
		}
		cached := im.memory.parseFile(texts, name, Relative(p.root, name))
		if cached == nil || cached.file == nil || cached.file.Name == nil {
			continue
		}
		f := IgnoredFile{File: cached.file}
		if f.Reason, f.Help = explainIgnored(cached.file, p.Name, name); f.Reason != "" {
			files = append(files, f)
		}
	}
	return files
}

// explainIgnored returns why the go command ignores a file, and how to change that.
func explainIgnored(file *ast.File, pkg, path string) (reason, help string) {
	name := filepath.Base(path)
	switch {
	case strings.HasPrefix(name, "_"), strings.HasPrefix(name, "."):
		return fmt.Sprintf("a file whose name starts with %q is not part of a package", name[:1]), "rename the file"
	case strings.HasSuffix(name, "_test.go"):
		return "tests are not part of a package", "move it to a file whose name does not end in _test.go"
	case !isForThisSystem(path):
		return "its file name limits it to another system", "move it to a file for all systems, or set GOOS and GOARCH"
	}
	if line := buildLine(file); line != "" {
		if pkg != "" && file.Name.Name != pkg {
			return line + " excludes its file", fmt.Sprintf("move it to a file of package %s without this line", pkg)
		}
		return line + " excludes its file", explainConstraint(line, name)
	}
	if pkg != "" && file.Name.Name != pkg {
		return "its file belongs to package " + file.Name.Name, "move it to a file of package " + pkg
	}
	for _, spec := range file.Imports {
		if spec.Path.Value == `"C"` {
			return `its file imports "C", and cgo is off`, "set CGO_ENABLED=1, or move it to a file without cgo"
		}
	}
	return "", ""
}

// isForThisSystem reports whether the go command builds a file with this name on this system.
func isForThisSystem(path string) bool { return isBuilt(path, "package p\n") }

// isBuilt reports whether the go command builds a file with this name and source if no tags are
// set.
func isBuilt(path, source string) bool {
	context := build.Default
	context.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(source)), nil }
	ok, err := context.MatchFile(filepath.Dir(path), filepath.Base(path))
	return ok || err != nil
}

// explainConstraint returns help on how to remove or to satisfy the build constraint of a file.
func explainConstraint(line, file string) string {
	help := fmt.Sprintf("remove %s from %s", line, file)
	if expr, err := constraint.Parse(line); err == nil {
		if tags, ok := missingTags(expr); ok && len(tags) > 0 {
			noun := "tag"
			if len(tags) > 1 {
				noun = "tags"
			}
			return fmt.Sprintf("%s, or generate with the %s: //go:generate go tool aiongen -tags %s", help, noun, strings.Join(tags, ","))
		}
	}
	return help + ", or move what the tool needs to a file without this line"
}

// missingTags returns tags that satisfy a constraint. It reports false if tags alone
// cannot, for example if another system is required.
func missingTags(expr constraint.Expr) (tags []string, ok bool) {
	switch expr := expr.(type) {
	case *constraint.TagExpr:
		set := isBuilt("p.go", "//go:build "+expr.Tag+"\n\npackage p\n")
		switch {
		case set:
			return nil, true
		case isForThisSystem("p_" + expr.Tag + ".go"):
			return []string{expr.Tag}, true
		}
	case *constraint.NotExpr:
		return nil, isBuilt("p.go", "//go:build "+expr.String()+"\n\npackage p\n")
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

// buildLine returns the build constraint of a file, or "".
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
