// Package exports knows the types of packages that do not change: those of the standard
// library, and of modules in the module cache. It reads them from source once, without
// function bodies, and keeps what they export in a cache of its own. Nothing has to be
// compiled for that, and no go command runs for what is kept.
//
// Its layers, from top to bottom:
//
//	exports   types by import path
//	check     types from source
//	unclear   which of these are not told by Go alone
//	listing   which files packages have, by the go command
//	cache     files that are right or not there
package exports

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"

	"github.com/aiongen/aiongen/gen/internal/load/internal/modules"
)

// A Store has the types of packages, as far as they were imported.
type Store struct {
	set   *modules.Set
	dir   string // of the go command
	fset  *token.FileSet
	types map[string]*types.Package // some only as far as others need them
	fault map[string]error          // of paths that cannot be imported
	about map[string]*About         // nil until needed
	cache cache
}

// Open returns a store for what packages of a set import.
func Open(set *modules.Set, dir string, fset *token.FileSet) *Store {
	return &Store{
		set: set, dir: dir, fset: fset,
		types: map[string]*types.Package{"unsafe": types.Unsafe}, fault: map[string]error{}, cache: openCache(set),
	}
}

// Retry forgets what could not be imported, which may be there by now.
func (s *Store) Retry() { clear(s.fault) }

// Need makes packages ready to be imported. It asks the go command at most once. Those
// that import what can change it returns instead: they have to be read from source. The
// error is one of the go command as a whole, or [modules.ErrUncertain]; what cannot be
// imported is no error yet.
func (s *Store) Need(ctx context.Context, paths []string) (changing []*About, err error) {
	var missing []string
	for _, path := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		switch {
		case !modules.IsImportPath(path): // Import reports it
		case s.has(path) || s.kept(path):
		case s.About(path) != nil && s.About(path).Changing:
			changing = append(changing, s.about[path])
		default:
			missing = append(missing, path)
		}
	}
	if len(missing) == 0 {
		return changing, nil
	}
	listed, err := list(ctx, s.set, s.dir, missing)
	if err != nil {
		return nil, err
	}
	checked, sound := check(s.set, listed)
	if sound = sound && s.cache == openCache(s.set); !sound {
		s.cache = cache{} // what was read while it changed must not be kept
	}
	s.learn(listed)
	for _, path := range missing {
		switch l := listed[path]; {
		case l != nil && l.changes && !isFixed(s.set, l.Dir):
			return nil, fmt.Errorf("%w: package %s can change", modules.ErrUncertain, path)
		case l != nil && l.usesC && isUnclear(checked[path]):
			return nil, fmt.Errorf("%w: package %s declares what C says", modules.ErrUncertain, path)
		case l != nil && l.changes:
			changing = append(changing, l.about())
		default:
			s.fault[path] = s.take(path, l, checked[path])
		}
	}
	return changing, nil
}

// Recall reads those of packages that are kept, ahead of their being needed.
func (s *Store) Recall(paths []string) {
	for _, path := range paths {
		_ = s.has(path) || s.kept(path)
	}
}

// has reports whether a path is known to be there, or not to be.
func (s *Store) has(path string) bool {
	return s.types[path] != nil && s.types[path].Complete() || s.fault[path] != nil
}

// kept reads a package from the cache, if it is there.
func (s *Store) kept(path string) bool {
	data, ok := s.cache.read(path)
	return ok && s.decode(path, data) == nil
}

// take adds a package by way of what would be kept of it: so it is the same whether or
// not it was.
func (s *Store) take(path string, l *listed, p *types.Package) error {
	switch {
	case l == nil:
		return fmt.Errorf("package %s was not found", path)
	case p == nil:
		return cmp.Or(l.fault(), fmt.Errorf("package %s has no Go files", path))
	}
	var data bytes.Buffer
	if err := gcexportdata.Write(&data, token.NewFileSet(), p); err != nil {
		return fmt.Errorf("package %s cannot be read: %w", path, err)
	}
	if err := s.decode(path, data.Bytes()); err != nil {
		return fmt.Errorf("package %s cannot be read: %w", path, err)
	}
	s.cache.write(path, data.Bytes())
	return nil
}

func (s *Store) decode(path string, data []byte) error {
	_, err := gcexportdata.Read(bytes.NewReader(data), s.fset, s.types, path)
	return err
}

// Import returns a package, which Need need not have made ready.
func (s *Store) Import(ctx context.Context, path string) (*types.Package, error) {
	if !modules.IsImportPath(path) {
		return nil, fmt.Errorf("package %s was not found", path)
	}
	if _, err := s.Need(ctx, []string{path}); err != nil {
		return nil, err
	}
	if s.fault[path] != nil {
		return nil, s.fault[path]
	}
	return s.types[path], nil
}

// About says where a package lies, as far as that is known; nil if it is not.
func (s *Store) About(path string) *About {
	if s.about == nil {
		s.about = s.cache.readAbout()
	}
	return s.about[path]
}

// Find is About for a package that the go command may have to be asked for.
func (s *Store) Find(ctx context.Context, path string) *About {
	if a := s.About(path); a != nil || !modules.IsImportPath(path) || path == "unsafe" {
		return a
	}
	listed, err := list(ctx, s.set, s.dir, append(s.roots(), path))
	if err != nil {
		return nil
	}
	s.learn(listed)
	return s.about[path]
}

// roots are the packages that are known to import others.
func (s *Store) roots() (paths []string) {
	for path, p := range s.types {
		if p.Complete() && path != "unsafe" && !strings.HasPrefix(path, "vendor/") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// learn remembers where packages lie.
func (s *Store) learn(found map[string]*listed) {
	if s.about == nil {
		s.about = s.cache.readAbout()
	}
	before := len(s.about)
	for path, l := range found {
		if len(l.files()) > 0 && s.about[path] == nil {
			s.about[path] = l.about()
		}
	}
	if len(s.about) > before {
		s.cache.writeAbout(slices.SortedFunc(maps.Values(s.about), func(a, b *About) int { return strings.Compare(a.Path, b.Path) }))
	}
}

// Uncertain reports whether an error says that only go/packages can tell.
func Uncertain(err error) bool { return errors.Is(err, modules.ErrUncertain) }
