package load

import (
	"crypto/sha256"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/budget"
)

// A Memory keeps parsed files and checked packages for the next run. It reuses a file if its
// content is unchanged, and the types of a package if its files and imports are unchanged. Only one
// run at a time may use it.
type Memory struct {
	// Parsed and Checked count the files parsed and the packages checked from source since the
	// Memory was created.
	Parsed, Checked int

	fset      *token.FileSet
	stores    map[string]*exportStore // by cacheKey and directory
	files     map[fileKey]*cachedFile
	types     map[typesKey]*cachedTypes
	empty     map[[2]string]*types.Package // by path and name
	temporary []*ast.File                  // files that the next run drops

	importable importableList
}

type fileKey struct{ path, shown string }

type cachedFile struct {
	sum     [sha256.Size]byte // hash of the content
	file    *ast.File         // nil if nothing could be parsed
	err     error
	tooDeep []*budget.NestingError // types that were cut out of the file
	used    bool                   // in this run
}

type typesKey struct {
	store *exportStore
	path  string
	own   bool // without generated files
}

// cachedTypes are the types of a package and the input of the type checker.
type cachedTypes struct {
	files   []*ast.File
	version string
	imports map[string]*types.Package // by path in the source; nil after an error
	types   *types.Package
	faults  []types.Error
	used    bool // in this run
}

// NewMemory returns an empty Memory.
func NewMemory() *Memory {
	return &Memory{
		fset: token.NewFileSet(), stores: map[string]*exportStore{}, files: map[fileKey]*cachedFile{},
		types: map[typesKey]*cachedTypes{}, empty: map[[2]string]*types.Package{},
	}
}

// StartRun starts a run. It drops files and types that the last run did not use.
func (m *Memory) StartRun() {
	m.removeFiles(m.temporary)
	m.temporary = nil
	maps.DeleteFunc(m.types, func(_ typesKey, cached *cachedTypes) bool { return !cached.used })
	for _, cached := range m.types {
		cached.used = false
	}
	for key, cached := range m.files {
		if !cached.used {
			m.removeFiles([]*ast.File{cached.file})
			delete(m.files, key)
		}
		cached.used = false
	}
	for _, store := range m.stores {
		clear(store.failures) // retry the imports
	}
}

// removeFiles removes the positions of files from the file set.
func (m *Memory) removeFiles(files []*ast.File) {
	for _, file := range files {
		if file != nil && file.FileStart.IsValid() {
			m.fset.RemoveFile(m.fset.File(file.FileStart))
		}
	}
}

// parseFile reads and parses a file, unless this run has done so or its content is unchanged.
// Messages use shown as the file name. It returns nil if the file cannot be read.
func (m *Memory) parseFile(files Overlay, path, shown string) *cachedFile {
	key := fileKey{path, shown}
	cached := m.files[key]
	if cached != nil && cached.used {
		return cached
	}
	src, err := files.ReadFile(path)
	if err != nil {
		return nil
	}
	if sum := sha256.Sum256(src); cached == nil || cached.sum != sum {
		if cached != nil {
			m.temporary = append(m.temporary, cached.file) // types of the last run may refer to its positions
		}
		m.Parsed++
		cached = &cachedFile{sum: sum}
		cached.file, cached.err = parseWithoutBodies(m.fset, shown, src, parser.ParseComments|parser.SkipObjectResolution)
		if cached.file != nil {
			cached.tooDeep = budget.CutDeepTypes(cached.file)
		}
		m.files[key] = cached
	}
	cached.used = true
	return cached
}

// exportsFor returns the store of packages that do not change, for a module set.
func (m *Memory) exportsFor(set *moduleSet, dir string) *exportStore {
	key := cacheKey(set) + "\x00" + dir
	if m.stores[key] == nil {
		m.stores[key] = newExportStore(set, dir, m.fset)
	}
	return m.stores[key]
}

// emptyPackage returns an empty package as a placeholder for one whose declarations are not needed.
func (m *Memory) emptyPackage(path, name string) *types.Package {
	key := [2]string{path, name}
	if m.empty[key] == nil {
		m.empty[key] = types.NewPackage(path, name)
		m.empty[key].MarkComplete()
	}
	return m.empty[key]
}

// checkPackage type-checks a package, unless its cached types are current.
func (m *Memory) checkPackage(key typesKey, p *Package, conf types.Config) {
	cached := m.types[key]
	if cached == nil || key.store == nil || !cached.isCurrent(p, conf) {
		m.Checked++
		cached = &cachedTypes{files: p.Files, version: conf.GoVersion, imports: map[string]*types.Package{}}
		conf.Importer = importRecorder{conf.Importer, cached.imports}
		conf.Error = func(err error) { cached.faults = append(cached.faults, toTypeError(err)) }
		cached.types, _ = conf.Check(p.Path, m.fset, p.Files, nil) // errors went to faults
		breakCycles(cached.types, cached.faults)
		m.types[key] = cached
	}
	cached.used = true
	p.Types, p.Faults = cached.types, append(p.Faults, cached.faults...)
}

// breakCycles invalidates generic types that contain ever larger instances of themselves,
// according to the errors of the type checker. Otherwise walks over their instances would
// not end, even in package types.
func breakCycles(p *types.Package, faults []types.Error) {
	params := map[token.Pos]bool{} // type parameters in a cycle
	cyclic := false
	for _, fault := range faults {
		// The type checker adds a line for each type parameter in the cycle, which begins with a
		// tab.
		cyclic = strings.HasPrefix(fault.Msg, "instantiation cycle") || cyclic && strings.HasPrefix(fault.Msg, "\t")
		if cyclic {
			params[fault.Pos] = true
		}
	}
	if len(params) == 0 {
		return
	}
	for _, name := range p.Scope().Names() {
		named, ok := p.Scope().Lookup(name).Type().(*types.Named)
		if !ok {
			continue
		}
		for param := range named.TypeParams().TypeParams() {
			if params[param.Obj().Pos()] {
				named.SetUnderlying(types.Typ[types.Invalid])
			}
		}
	}
}

// isCurrent reports whether checking the package again would use the same input as the check that returned k.
func (k *cachedTypes) isCurrent(p *Package, conf types.Config) bool {
	if k.version != conf.GoVersion || !slices.Equal(k.files, p.Files) {
		return false
	}
	for path, cached := range k.imports {
		if current, err := conf.Importer.Import(path); err != nil || current != cached {
			return false
		}
	}
	return true
}

// dropTypes drops cached types to which the caller is about to add declarations.
func (m *Memory) dropTypes(p *types.Package) {
	maps.DeleteFunc(m.types, func(_ typesKey, cached *cachedTypes) bool { return cached.types == p })
}

// An importRecorder imports packages and records them by path.
type importRecorder struct {
	types.Importer
	imports map[string]*types.Package
}

func (r importRecorder) Import(path string) (*types.Package, error) {
	p, err := r.Importer.Import(path)
	r.imports[path] = p
	return p, err
}

func toTypeError(err error) types.Error {
	if fault, ok := errors.AsType[types.Error](err); ok {
		return fault
	}
	return types.Error{Msg: err.Error()}
}
