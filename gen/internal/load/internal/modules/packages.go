package modules

import (
	"errors"
	"go/build"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"
)

// A Package is a directory with Go files.
type Package struct {
	Path, Name, Dir string
	Module          Module
	Files           []string // paths of those that belong to it, tests not among them
	Imports         []string // in order
}

// Match finds the packages that patterns match, each a directory or all below one, in
// the order of their paths.
func (s *Set) Match(from string, patterns []string) (found []*Package, err error) {
	for _, pattern := range patterns {
		dir, all := strings.CutSuffix(filepath.ToSlash(pattern), "/...")
		if strings.Contains(dir, "...") || !build.IsLocalImport(dir) && !filepath.IsAbs(dir) {
			return nil, uncertain("%s is no directory", pattern)
		}
		if dir = filepath.FromSlash(dir); !filepath.IsAbs(dir) {
			dir = filepath.Join(from, dir)
		}
		dirs := []string{filepath.Clean(dir)}
		if all {
			if dirs = below(dirs[0]); len(dirs) == 0 {
				return nil, uncertain("%s is a link, or there is nothing", dir)
			}
		}
		for i, dir := range dirs {
			p, err := s.At(dir)
			if _, empty := errors.AsType[*build.NoGoError](err); empty && all && (i > 0 || len(dirs) > 1) {
				continue
			}
			if err != nil {
				return nil, uncertain("%v", err)
			}
			if p.Module.Replaces {
				return nil, uncertain("%s is not of a module that is worked in", dir)
			}
			if !slices.Contains(found, p) {
				found = append(found, p)
			}
		}
	}
	if len(found) == 0 {
		return nil, uncertain("nothing is matched")
	}
	slices.SortFunc(found, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	return found, nil
}

// below lists a directory and those below it that wildcards match.
func below(root string) (dirs []string) {
	filepath.WalkDir(root, func(dir string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return nil // what cannot be read has no packages
		}
		if name := e.Name(); dir != root && (name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || isModule(dir)) {
			return filepath.SkipDir
		}
		dirs = append(dirs, dir)
		return nil
	})
	return dirs
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// maxImportPath limits the length of an import path, in bytes. The lookup of a longer one
// takes time with the square of its length, and no file system holds its directory.
const maxImportPath = 4000

// IsImportPath reports whether a text can be the import path of a package.
func IsImportPath(path string) bool {
	return len(path) <= maxImportPath && module.CheckImportPath(path) == nil
}

// Find returns the package of an import path, nil if it is not of one of the modules.
func (s *Set) Find(importPath string) (*Package, error) {
	if !IsImportPath(importPath) {
		return nil, nil // which the go command says better
	}
	if p, err := s.copied(importPath); p != nil || err != nil {
		return p, err
	}
	for _, m := range s.modules {
		if !within(m.Path, importPath) {
			continue
		}
		for other := range s.required {
			if len(other) > len(m.Path) && within(other, importPath) {
				return nil, nil
			}
		}
		dir := m.dirOf(importPath)
		s.asked[dir] = true
		p, err := s.At(dir)
		if err != nil || p.Module != m {
			return nil, uncertain("package %s: %v", importPath, err)
		}
		if err := s.unlessIn(importPath, m); err != nil {
			return nil, err
		}
		return p, nil
	}
	return nil, nil
}

// unlessIn returns an error if one more of the modules may have a package.
func (s *Set) unlessIn(importPath string, besides Module) error {
	for _, m := range s.modules {
		if m == besides || !within(m.Path, importPath) {
			continue
		}
		dir := m.dirOf(importPath)
		s.asked[dir] = true
		_, err := os.Stat(dir)
		if of, _ := s.moduleOf(dir); of == m && err == nil {
			return uncertain("package %s may be of two modules", importPath)
		}
	}
	return nil
}

// copied returns the copy of a package of another module, nil if there is none.
func (s *Set) copied(importPath string) (*Package, error) {
	if s.vendored == nil {
		return nil, nil
	}
	of, ok := s.vendored.packages[importPath]
	if !ok {
		return nil, nil
	}
	first, _, _ := strings.Cut(importPath, "/")
	if !strings.Contains(first, ".") {
		return nil, uncertain("package %s may be of the standard library", importPath)
	}
	if err := s.unlessIn(importPath, Module{}); err != nil {
		return nil, err
	}
	dir := filepath.Join(s.vendored.dir, filepath.FromSlash(importPath))
	s.asked[dir] = true
	if p := s.found[dir]; p != nil {
		return p, nil
	}
	p, err := s.read(dir, Module{Path: of.Path, GoVersion: s.vendored.modules[of].goVersion}, importPath)
	if err != nil {
		return nil, uncertain("package %s: %v", importPath, err)
	}
	return p, nil
}

func within(modulePath, importPath string) bool {
	rest, ok := strings.CutPrefix(importPath, modulePath)
	return ok && (rest == "" || rest[0] == '/')
}

// At returns the package of a directory. That it has no Go files is a
// [build.NoGoError].
func (s *Set) At(dir string) (*Package, error) {
	if p := s.found[dir]; p != nil {
		return p, nil
	}
	m, ok := s.moduleOf(dir)
	if !ok {
		return nil, uncertain("%s is of no module", dir)
	}
	rel, err := filepath.Rel(m.Dir, dir)
	if err != nil {
		return nil, err
	}
	importPath := path.Join(m.Path, filepath.ToSlash(rel))
	if err := module.CheckImportPath(importPath); err != nil {
		return nil, uncertain("%v", err)
	}
	return s.read(dir, m, importPath)
}

// read reads which files a package has.
func (s *Set) read(dir string, m Module, importPath string) (*Package, error) {
	built, err := s.context.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	// Which of these are set only the toolchain knows.
	if i := slices.IndexFunc(built.AllTags, func(tag string) bool { return strings.HasPrefix(tag, "goexperiment.") || isFeature(tag) }); i >= 0 {
		return nil, uncertain("its files ask for %s", built.AllTags[i])
	}
	p := &Package{Path: importPath, Name: built.Name, Dir: dir, Module: m, Imports: built.Imports}
	for _, name := range slices.Concat(built.GoFiles, built.CgoFiles) {
		p.Files = append(p.Files, filepath.Join(dir, name))
	}
	s.found[dir] = p
	return p, nil
}

// Asked returns the directories in which [Set.Find] looked for a package.
func (s *Set) Asked() []string { return slices.Sorted(maps.Keys(s.asked)) }

// isFeature reports whether a tag is one of a processor, as amd64.v2 is, or of a
// toolchain that is not gc.
func isFeature(tag string) bool {
	return strings.Contains(tag, ".") && !strings.HasPrefix(tag, "go1.") || tag == "gccgo" || tag == "boringcrypto"
}

// moduleOf returns the module that a directory belongs to, if no other lies between.
func (s *Set) moduleOf(dir string) (Module, bool) {
	for at := dir; ; at = filepath.Dir(at) {
		if i := slices.IndexFunc(s.modules, func(m Module) bool { return m.Dir == at }); i >= 0 {
			return s.modules[i], true
		}
		if at == filepath.Dir(at) || isModule(at) || filepath.Base(at) == "vendor" {
			return Module{}, false
		}
	}
}
