package load

import (
	"crypto/sha256"
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/load/internal/bodies"
	"github.com/aiongen/aiongen/gen/internal/load/internal/exports"
	"github.com/aiongen/aiongen/gen/internal/load/internal/modules"
	"github.com/aiongen/aiongen/gen/internal/nesting"
	"github.com/aiongen/aiongen/gen/internal/overlay"
)

// A Memory keeps what was loaded from one run to the next, as far as it would be loaded
// again just so: a file by what it holds, the types of a package by its files and by the
// very packages that it imports. It serves one run at a time.
type Memory struct {
	// Parsed and Checked count what was not kept: files, and packages that are read from
	// source, since the Memory was made.
	Parsed, Checked int

	fset   *token.FileSet
	stores map[string]*exports.Store // by what their packages are built with
	files  map[fileKey]*keptFile
	types  map[typesKey]*keptTypes
	empty  map[[2]string]*types.Package // by path and name
	brief  []*ast.File                  // which no run behind this one needs
}

type fileKey struct{ path, shown string }

type keptFile struct {
	sum  [sha256.Size]byte // of what it holds
	file *ast.File         // nil if nothing could be parsed
	err  error
	deep []*nesting.Error // what was cut out of the file
	used bool             // in this run
}

type typesKey struct {
	store *exports.Store
	path  string
	own   bool // without what aiongen generated
}

// keptTypes are those of a package, and what they were told from.
type keptTypes struct {
	files   []*ast.File
	version string
	imports map[string]*types.Package // each by the path in the source, nil where there was an error
	types   *types.Package
	faults  []types.Error
	used    bool // in this run
}

// NewMemory returns a Memory of nothing.
func NewMemory() *Memory {
	return &Memory{
		fset: token.NewFileSet(), stores: map[string]*exports.Store{}, files: map[fileKey]*keptFile{},
		types: map[typesKey]*keptTypes{}, empty: map[[2]string]*types.Package{},
	}
}

// Begin begins a run: what the last one did not need is forgotten.
func (m *Memory) Begin() {
	m.remove(m.brief)
	m.brief = nil
	maps.DeleteFunc(m.types, func(_ typesKey, kept *keptTypes) bool { return !kept.used })
	for _, kept := range m.types {
		kept.used = false
	}
	for key, kept := range m.files {
		if !kept.used {
			m.remove([]*ast.File{kept.file})
			delete(m.files, key)
		}
		kept.used = false
	}
	for _, store := range m.stores {
		store.Retry()
	}
}

// remove takes files out of the set that has their lines.
func (m *Memory) remove(files []*ast.File) {
	for _, file := range files {
		if file != nil && file.FileStart.IsValid() {
			m.fset.RemoveFile(m.fset.File(file.FileStart))
		}
	}
}

// parse reads and parses a file, which messages call as shown, unless this run has done
// so, or it holds what it did before. It is nil for one that cannot be read.
func (m *Memory) parse(files overlay.Files, path, shown string) *keptFile {
	key := fileKey{path, shown}
	kept := m.files[key]
	if kept != nil && kept.used {
		return kept
	}
	src, err := files.ReadFile(path)
	if err != nil {
		return nil
	}
	if sum := sha256.Sum256(src); kept == nil || kept.sum != sum {
		if kept != nil {
			m.brief = append(m.brief, kept.file) // types of the last run may have places in it
		}
		m.Parsed++
		kept = &keptFile{sum: sum}
		kept.file, kept.err = bodies.Parse(m.fset, shown, src)
		if kept.file != nil {
			kept.deep = nesting.Cut(kept.file)
		}
		m.files[key] = kept
	}
	kept.used = true
	return kept
}

// store has the packages that do not change, as a set of modules has them.
func (m *Memory) store(set *modules.Set, dir string) *exports.Store {
	key := exports.Key(set) + "\x00" + dir
	if m.stores[key] == nil {
		m.stores[key] = exports.Open(set, dir, m.fset)
	}
	return m.stores[key]
}

// stand is an empty package that stands for one that is not needed.
func (m *Memory) stand(path, name string) *types.Package {
	key := [2]string{path, name}
	if m.empty[key] == nil {
		m.empty[key] = types.NewPackage(path, name)
		m.empty[key].MarkComplete()
	}
	return m.empty[key]
}

// check type-checks a package, unless its types are known.
func (m *Memory) check(key typesKey, p *Package, conf types.Config) {
	kept := m.types[key]
	if kept == nil || key.store == nil || !kept.holds(p, conf) {
		m.Checked++
		kept = &keptTypes{files: p.Files, version: conf.GoVersion, imports: map[string]*types.Package{}}
		conf.Importer = recorder{conf.Importer, kept.imports}
		conf.Error = func(err error) { kept.faults = append(kept.faults, asFault(err)) }
		kept.types, _ = conf.Check(p.Path, m.fset, p.Files, nil) // errors went to faults
		breakCycles(kept.types, kept.faults)
		m.types[key] = kept
	}
	kept.used = true
	p.Types, p.Faults = kept.types, append(p.Faults, kept.faults...)
}

// breakCycles makes generic types invalid that contain ever larger instances of
// themselves, as the errors of the type checker say. Otherwise no walk over their
// instances would end, not even one in package types.
func breakCycles(p *types.Package, faults []types.Error) {
	params := map[token.Pos]bool{} // type parameters in a cycle
	cyclic := false
	for _, fault := range faults {
		// A line for each type parameter in the cycle follows, which begins with a tab.
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

// holds reports whether a package has these types still.
func (k *keptTypes) holds(p *Package, conf types.Config) bool {
	if k.version != conf.GoVersion || !slices.Equal(k.files, p.Files) {
		return false
	}
	for path, was := range k.imports {
		if now, err := conf.Importer.Import(path); err != nil || now != was {
			return false
		}
	}
	return true
}

// extended forgets types to which something is about to be added.
func (m *Memory) extended(p *types.Package) {
	maps.DeleteFunc(m.types, func(_ typesKey, kept *keptTypes) bool { return kept.types == p })
}

// A recorder notes what was imported.
type recorder struct {
	types.Importer
	imports map[string]*types.Package
}

func (r recorder) Import(path string) (*types.Package, error) {
	p, err := r.Importer.Import(path)
	r.imports[path] = p
	return p, err
}

func asFault(err error) types.Error {
	if fault, ok := errors.AsType[types.Error](err); ok {
		return fault
	}
	return types.Error{Msg: err.Error()}
}
