package load

import (
	"errors"
	"go/build"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"
)

// A modulePackage is a directory with Go files.
type modulePackage struct {
	Path, Name, Dir string
	Module          workModule
	Files           []string // paths of its Go files, except tests
	Imports         []string // sorted
}

// matchPatterns returns the packages that match patterns, sorted by path. A pattern names a
// directory, or ends in /... and also matches the directories below it.
func (s *moduleSet) matchPatterns(from string, patterns []string) (found []*modulePackage, err error) {
	for _, pattern := range patterns {
		dirs, all, err := patternDirs(from, pattern)
		if err != nil {
			return nil, err
		}
		for i, dir := range dirs {
			p, err := s.packageIn(dir)
			if _, empty := errors.AsType[*build.NoGoError](err); empty && all && (i > 0 || len(dirs) > 1) {
				continue
			}
			if err != nil {
				return nil, newNeedGoCommandError("%v", err)
			}
			if p.Module.Replaces {
				return nil, newNeedGoCommandError("%s is in a replaced module, not in a main module", dir)
			}
			if !slices.Contains(found, p) {
				found = append(found, p)
			}
		}
	}
	if len(found) == 0 {
		return nil, newNeedGoCommandError("no package matches the patterns")
	}
	slices.SortFunc(found, func(a, b *modulePackage) int { return strings.Compare(a.Path, b.Path) })
	return found, nil
}

// patternDirs returns the directories that a pattern names, and whether the pattern ends in /...
func patternDirs(from, pattern string) (dirs []string, all bool, err error) {
	dir, all := strings.CutSuffix(filepath.ToSlash(pattern), "/...")
	if strings.Contains(dir, "...") || !build.IsLocalImport(dir) && !filepath.IsAbs(dir) {
		return nil, false, newNeedGoCommandError("%s is not a directory", pattern)
	}
	if dir = filepath.FromSlash(dir); !filepath.IsAbs(dir) {
		dir = filepath.Join(from, dir)
	}
	if !all {
		return []string{filepath.Clean(dir)}, false, nil
	}
	if dirs = listDirs(filepath.Clean(dir)); len(dirs) == 0 {
		return nil, false, newNeedGoCommandError("%s is a symbolic link or does not exist", dir)
	}
	return dirs, true, nil
}

// listDirs returns root and the directories below it that root/... matches.
func listDirs(root string) (dirs []string) {
	_ = filepath.WalkDir(root, func(dir string, e fs.DirEntry, err error) error { // the function returns no error
		if err != nil || !e.IsDir() {
			return nil // an unreadable directory has no packages
		}
		if dir != root && IsIgnoredDir(dir) {
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

// maxImportPath limits the length of an import path, in bytes. Looking up a path takes
// quadratic time, and no file system has names that long.
const maxImportPath = 4000

// isImportPath reports whether path can be the import path of a package.
func isImportPath(path string) bool {
	return len(path) <= maxImportPath && module.CheckImportPath(path) == nil
}

// findPackage returns the package with the given import path, or nil if neither the modules of s
// nor its vendor directory contain it.
func (s *moduleSet) findPackage(importPath string) (*modulePackage, error) {
	if !isImportPath(importPath) {
		return nil, nil // the go command has a better error for an invalid path
	}
	if p, err := s.findVendored(importPath); p != nil || err != nil {
		return p, err
	}
	for _, m := range s.modules {
		if !hasPathPrefix(m.Path, importPath) {
			continue
		}
		for other := range s.required {
			if len(other) > len(m.Path) && hasPathPrefix(other, importPath) {
				return nil, nil
			}
		}
		dir := m.packageDir(importPath)
		s.searched[dir] = true
		p, err := s.packageIn(dir)
		if err != nil || p.Module != m {
			return nil, newNeedGoCommandError("package %s: %v", importPath, err)
		}
		if err := s.checkUnambiguous(importPath, m); err != nil {
			return nil, err
		}
		return p, nil
	}
	return nil, nil
}

// checkUnambiguous returns an error if a module other than owner may also contain the package.
func (s *moduleSet) checkUnambiguous(importPath string, owner workModule) error {
	for _, m := range s.modules {
		if m == owner || !hasPathPrefix(m.Path, importPath) {
			continue
		}
		dir := m.packageDir(importPath)
		s.searched[dir] = true
		_, err := os.Stat(dir)
		if found, _ := s.moduleOf(dir); found == m && err == nil {
			return newNeedGoCommandError("more than one module may contain package %s", importPath)
		}
	}
	return nil
}

// findVendored returns the vendored copy of a package, or nil.
func (s *moduleSet) findVendored(importPath string) (*modulePackage, error) {
	if s.vendored == nil {
		return nil, nil
	}
	owner, ok := s.vendored.packages[importPath]
	if !ok {
		return nil, nil
	}
	first, _, _ := strings.Cut(importPath, "/")
	if !strings.Contains(first, ".") {
		return nil, newNeedGoCommandError("package %s may belong to the standard library", importPath)
	}
	if err := s.checkUnambiguous(importPath, workModule{}); err != nil {
		return nil, err
	}
	dir := filepath.Join(s.vendored.dir, filepath.FromSlash(importPath))
	s.searched[dir] = true
	if p := s.packages[dir]; p != nil {
		return p, nil
	}
	p, err := s.readPackage(dir, workModule{Path: owner.Path, GoVersion: s.vendored.modules[owner].goVersion}, importPath)
	if err != nil {
		return nil, newNeedGoCommandError("package %s: %v", importPath, err)
	}
	return p, nil
}

func hasPathPrefix(modulePath, importPath string) bool {
	rest, ok := strings.CutPrefix(importPath, modulePath)
	return ok && (rest == "" || rest[0] == '/')
}

// packageIn returns the package in a directory. The error is a [build.NoGoError] if it has
// no Go files.
func (s *moduleSet) packageIn(dir string) (*modulePackage, error) {
	if p := s.packages[dir]; p != nil {
		return p, nil
	}
	m, ok := s.moduleOf(dir)
	if !ok {
		return nil, newNeedGoCommandError("%s is not in a module that is read from source", dir)
	}
	rel, err := filepath.Rel(m.Dir, dir)
	if err != nil {
		return nil, err
	}
	importPath := path.Join(m.Path, filepath.ToSlash(rel))
	if err := module.CheckImportPath(importPath); err != nil {
		return nil, newNeedGoCommandError("%v", err)
	}
	return s.readPackage(dir, m, importPath)
}

// readPackage reads and caches the package in a directory, without parsing its files.
func (s *moduleSet) readPackage(dir string, m workModule, importPath string) (*modulePackage, error) {
	built, err := s.context.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	// Only the toolchain knows whether these tags, such as goexperiment.jsonv2, are set.
	if i := slices.IndexFunc(built.AllTags, func(tag string) bool { return strings.HasPrefix(tag, "goexperiment.") || isToolchainTag(tag) }); i >= 0 {
		return nil, newNeedGoCommandError("its files use the build tag %s", built.AllTags[i])
	}
	p := &modulePackage{Path: importPath, Name: built.Name, Dir: dir, Module: m, Imports: built.Imports}
	for _, name := range slices.Concat(built.GoFiles, built.CgoFiles) {
		p.Files = append(p.Files, filepath.Join(dir, name))
	}
	s.packages[dir] = p
	return p, nil
}

// isToolchainTag reports whether a tag is a processor feature such as amd64.v2, or belongs
// to a toolchain other than gc.
func isToolchainTag(tag string) bool {
	return strings.Contains(tag, ".") && !strings.HasPrefix(tag, "go1.") || tag == "gccgo" || tag == "boringcrypto"
}

// moduleOf returns the innermost module that contains a directory. It returns false if that is
// not a module of s, or if the directory is vendored.
func (s *moduleSet) moduleOf(dir string) (workModule, bool) {
	for ancestor := dir; ; ancestor = filepath.Dir(ancestor) {
		if i := slices.IndexFunc(s.modules, func(m workModule) bool { return m.Dir == ancestor }); i >= 0 {
			return s.modules[i], true
		}
		if ancestor == filepath.Dir(ancestor) || isModule(ancestor) || filepath.Base(ancestor) == "vendor" {
			return workModule{}, false
		}
	}
}
