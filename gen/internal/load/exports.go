package load

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
)

// An exportStore holds the types of imported packages whose files do not change, such as those
// of Go releases and of module versions.
type exportStore struct {
	set      *moduleSet
	dir      string // working directory of the go command
	fset     *token.FileSet
	types    map[string]*types.Package // by import path; incomplete if loaded packages only refer to it
	failures map[string]error          // by import path
	infos    map[string]*packageInfo   // nil until needed
	cache    exportCache
}

// newExportStore returns a store for the imports of packages in a module set.
func newExportStore(set *moduleSet, dir string, fset *token.FileSet) *exportStore {
	return &exportStore{
		set: set, dir: dir, fset: fset,
		types: map[string]*types.Package{"unsafe": types.Unsafe}, failures: map[string]error{}, cache: openExportCache(set),
	}
}

// prepare loads packages to import, with at most one run of the go command. A package that imports one whose
// files can change is not loaded. It is returned in changing, and the caller reads it from source. The error
// comes from the go command or is [errNeedGoCommand]; importPackage returns the errors of single packages.
func (s *exportStore) prepare(ctx context.Context, paths []string) (changing []*packageInfo, err error) {
	changing, missing := s.resolveStored(paths)
	if len(missing) == 0 {
		return changing, nil
	}
	listed, err := listPackages(ctx, s.set, s.dir, missing)
	if err != nil {
		return nil, err
	}
	checked, complete := checkExports(s.set, listed)
	if complete = complete && s.cache == openExportCache(s.set); !complete {
		s.cache = exportCache{} // the files may have changed while they were read
	}
	s.rememberInfo(listed)
	for _, path := range missing {
		switch l := listed[path]; {
		case l != nil && l.changes && !isImmutable(s.set, l.Dir):
			return nil, fmt.Errorf("%w: package %s can change", errNeedGoCommand, path)
		case l != nil && l.usesC && exportsUnknown(checked[path]):
			return nil, fmt.Errorf("%w: package %s uses types that C declares", errNeedGoCommand, path)
		case l != nil && l.changes:
			changing = append(changing, l.newInfo())
		default:
			s.failures[path] = s.addTypes(path, l, checked[path])
		}
	}
	s.addReferenced(listed, checked)
	return changing, nil
}

// addReferenced adds packages that loaded packages refer to, if they declare constants of their own types.
// Otherwise the go command would list them again when the constants are needed. Errors are ignored, because
// another run of the go command would be their only consequence.
func (s *exportStore) addReferenced(listed map[string]*listedPackage, checked map[string]*types.Package) {
	for _, path := range slices.Sorted(maps.Keys(checked)) {
		if p := s.types[path]; p != nil && !p.Complete() && declaresConstants(checked[path]) {
			_ = s.addTypes(path, listed[path], checked[path])
		}
	}
}

// declaresConstants reports whether a package exports constants of types that it declares.
func declaresConstants(p *types.Package) bool {
	return slices.ContainsFunc(p.Scope().Names(), func(name string) bool {
		c, ok := p.Scope().Lookup(name).(*types.Const)
		if !ok || !c.Exported() {
			return false
		}
		t, ok := types.Unalias(c.Type()).(*types.Named)
		return ok && t.Obj().Pkg() == p
	})
}

// resolveStored resolves packages without the go command. It returns the packages to read from
// source (see prepare) and the paths that it cannot resolve.
func (s *exportStore) resolveStored(paths []string) (changing []*packageInfo, missing []string) {
	for _, path := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		switch {
		case !isImportPath(path): // importPackage reports it
		case s.isResolved(path) || s.loadCached(path):
		case s.infoOf(path) != nil && s.infoOf(path).Changing:
			changing = append(changing, s.infos[path])
		default:
			missing = append(missing, path)
		}
	}
	return changing, missing
}

// readCached loads packages that are in the cache, before they are needed.
func (s *exportStore) readCached(paths []string) {
	for _, path := range paths {
		_ = s.isResolved(path) || s.loadCached(path)
	}
}

// isResolved reports whether a package is loaded, or loading it has failed.
func (s *exportStore) isResolved(path string) bool {
	return s.types[path] != nil && s.types[path].Complete() || s.failures[path] != nil
}

// loadCached loads a package from the cache, and reports whether that succeeded.
func (s *exportStore) loadCached(path string) bool {
	data, ok := s.cache.readFile(exportFileName(path))
	return ok && s.decodeTypes(path, data) == nil
}

// addTypes adds a package to the store and to the cache. It encodes the types and adds the
// decoded ones, so that the result is the same with and without the cache.
func (s *exportStore) addTypes(path string, l *listedPackage, p *types.Package) error {
	switch {
	case l == nil:
		return fmt.Errorf("package %s was not found", path)
	case p == nil:
		return cmp.Or(l.loadError(), fmt.Errorf("package %s has no Go files", path))
	}
	var data bytes.Buffer
	if err := gcexportdata.Write(&data, token.NewFileSet(), p); err != nil {
		return fmt.Errorf("package %s cannot be read: %w", path, err)
	}
	if err := s.decodeTypes(path, data.Bytes()); err != nil {
		return fmt.Errorf("package %s cannot be read: %w", path, err)
	}
	s.cache.writeFile(exportFileName(path), data.Bytes())
	return nil
}

func (s *exportStore) decodeTypes(path string, data []byte) error {
	_, err := gcexportdata.Read(bytes.NewReader(data), s.fset, s.types, path)
	return err
}

// importPackage returns a package, and loads it if necessary.
func (s *exportStore) importPackage(ctx context.Context, path string) (*types.Package, error) {
	if !isImportPath(path) {
		return nil, fmt.Errorf("package %s was not found", path)
	}
	if _, err := s.prepare(ctx, []string{path}); err != nil {
		return nil, err
	}
	if s.failures[path] != nil {
		return nil, s.failures[path]
	}
	return s.types[path], nil
}

// infoOf returns the stored information about a package, or nil.
func (s *exportStore) infoOf(path string) *packageInfo {
	if s.infos == nil {
		s.infos = s.cache.readInfos()
	}
	return s.infos[path]
}

// findInfo returns information about a package. Unlike infoOf, it asks the go command if the
// information is not stored.
func (s *exportStore) findInfo(ctx context.Context, path string) *packageInfo {
	if a := s.infoOf(path); a != nil || !isImportPath(path) || path == "unsafe" {
		return a
	}
	listed, err := listPackages(ctx, s.set, s.dir, append(s.loadedPaths(), path))
	if err != nil {
		return nil
	}
	s.rememberInfo(listed)
	return s.infos[path]
}

// loadedPaths returns the sorted paths of all packages that are completely loaded.
func (s *exportStore) loadedPaths() (paths []string) {
	for path, p := range s.types {
		if p.Complete() && path != "unsafe" && !strings.HasPrefix(path, "vendor/") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// rememberInfo stores information about packages, in memory and in the cache.
func (s *exportStore) rememberInfo(found map[string]*listedPackage) {
	if s.infos == nil {
		s.infos = s.cache.readInfos()
	}
	before := len(s.infos)
	for path, l := range found {
		if len(l.absoluteFiles()) > 0 && s.infos[path] == nil {
			s.infos[path] = l.newInfo()
		}
	}
	if len(s.infos) > before {
		s.cache.writeInfos(slices.SortedFunc(maps.Values(s.infos), func(a, b *packageInfo) int { return strings.Compare(a.Path, b.Path) }))
	}
}
