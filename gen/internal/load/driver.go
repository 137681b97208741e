package load

import (
	"cmp"
	"fmt"
	goimporter "go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A driver finds imported packages with go/packages, which supplies export data of the compiler. A
// package that does not compile has no export data, so it is read from source, and so are the
// packages that import it.
type driver struct {
	im       *importer
	wanted   map[string]bool              // not yet looked up
	listed   map[string]*packages.Package // packages that the go command listed
	indirect map[string]*packages.Package // packages that listed ones import, directly or not
	export   types.Importer               // reads export data
	source   map[string]*types.Package    // checked from source; nil while being checked
}

func newDriver(im *importer) *driver {
	d := &driver{im: im, wanted: map[string]bool{}, listed: map[string]*packages.Package{}, indirect: map[string]*packages.Package{}, source: map[string]*types.Package{}}
	// The standard importer reads the export data of the toolchain that built aiongen.
	d.export = goimporter.ForCompiler(im.memory.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(d.listed[path].ExportFile)
	})
	return d
}

func (d *driver) loadImports(pkgs []*Package) error {
	for _, p := range pkgs {
		for _, path := range p.namedImports("") {
			d.addWanted(path)
		}
		for _, file := range p.Files {
			for path := range importSpecs(file) {
				d.addWanted(path)
			}
		}
	}
	return d.listWanted()
}

func (d *driver) addWanted(path string) {
	if d.listed[path] == nil {
		d.wanted[path] = true
	}
}

// listWanted runs the go command once for all wanted packages. It leaves out invalid import
// paths.
func (d *driver) listWanted() error {
	paths := slices.DeleteFunc(slices.Sorted(maps.Keys(d.wanted)), func(path string) bool {
		return !isImportPath(path)
	})
	clear(d.wanted)
	if len(paths) == 0 {
		return nil
	}
	mode := packages.NeedName | packages.NeedFiles | packages.NeedModule | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile
	loaded, err := packages.Load(d.im.cfg.packagesConfig(d.im.ctx, mode), paths...)
	if err != nil {
		return fmt.Errorf("finding imports: %w", shortenError(err))
	}
	for _, p := range loaded {
		d.listed[p.PkgPath] = p
	}
	packages.Visit(loaded, nil, func(p *packages.Package) { d.indirect[p.PkgPath] = p })
	return nil
}

// Import implements [types.Importer].
func (d *driver) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	d.addWanted(path)
	if err := d.listWanted(); err != nil {
		return nil, err
	}
	listed := d.listed[path]
	if listed == nil {
		return nil, fmt.Errorf("package %s was not found", path)
	}
	if listed.ExportFile != "" {
		return d.export.Import(path)
	}
	return d.checkSource(listed)
}

// checkSource type-checks an imported package from source. Its errors show up where an
// invalid object is used.
func (d *driver) checkSource(listed *packages.Package) (*types.Package, error) {
	if p, ok := d.source[listed.PkgPath]; ok {
		if p == nil {
			return nil, fmt.Errorf("import cycle through %s", listed.PkgPath)
		}
		return p, nil
	}
	p := d.im.cfg.newListedPackage(nil, listed)
	if len(p.goFiles) == 0 {
		return nil, cmp.Or(p.firstError(), fmt.Errorf("package %s has no Go files", p.Path))
	}
	d.source[listed.PkgPath] = nil
	p.parseFiles(d.im.memory, d.im.cfg.Overlay)
	if err := d.loadImports([]*Package{p}); err != nil {
		return nil, err
	}
	p.checkTypes(d.im, d)
	d.source[listed.PkgPath] = p.Types
	return p.Types, nil
}

func (d *driver) loadedPackage(path string) *Package {
	if p := d.listed[path]; p != nil {
		return d.im.cfg.newListedPackage(nil, p)
	}
	return nil
}

func (d *driver) findPackage(path string) *Package {
	if p := d.loadedPackage(path); p != nil {
		return p
	}
	if p := d.indirect[path]; p != nil {
		return d.im.cfg.newListedPackage(nil, p)
	}
	d.addWanted(path)
	_ = d.listWanted() // a missing package is not listed
	return d.loadedPackage(path)
}

func (d *driver) importChain(from, to string) (through []string, certain bool) {
	p := cmp.Or(d.listed[from], d.indirect[from])
	if p == nil {
		return nil, false
	}
	return findChain(p.Imports, to, map[string]bool{}), true
}

// findChain returns the packages through which imports lead to path, ending with path, or nil. It
// skips the packages in seen.
func findChain(imports map[string]*packages.Package, path string, seen map[string]bool) []string {
	if imports[path] != nil {
		return []string{path}
	}
	for _, direct := range slices.Sorted(maps.Keys(imports)) {
		if seen[direct] {
			continue
		}
		seen[direct] = true
		if rest := findChain(imports[direct].Imports, path, seen); rest != nil {
			return append([]string{direct}, rest...)
		}
	}
	return nil
}

// importedDirs implements [importSource].
func (d *driver) importedDirs() (dirs []string, complete bool) {
	complete = true
	seen := map[*packages.Package]bool{}
	var visit func(imports map[string]*packages.Package)
	visit = func(imports map[string]*packages.Package) {
		for _, dep := range imports {
			if seen[dep] || dep.Module == nil {
				continue
			}
			seen[dep] = true
			if !isVersioned(dep.Module) {
				dirs = append(dirs, dep.Dir)
				complete = complete && !slices.ContainsFunc(dep.GoFiles, mayUseC)
			}
			visit(dep.Imports)
		}
	}
	visit(d.listed)
	return dirs, complete
}

// mayUseC reports whether a file imports "C" or cannot be read.
func mayUseC(path string) bool {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	return err != nil || slices.ContainsFunc(file.Imports, importsC)
}

// isVersioned reports whether the directory of a module is in the module cache.
func isVersioned(m *packages.Module) bool {
	if m.Replace != nil {
		m = m.Replace
	}
	return m.Version != "" && strings.HasSuffix(m.Dir, "@"+m.Version)
}
