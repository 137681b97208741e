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

	"github.com/aiongen/aiongen/gen/internal/load/internal/modules"
)

// A driver finds imported packages by go/packages, which has a compiler's export data
// made of them. A package that does not compile has none; it is read from source, like
// the packages that import it.
type driver struct {
	im       *importer
	wanted   map[string]bool              // not yet looked up
	listed   map[string]*packages.Package // what the go command said
	indirect map[string]*packages.Package // and of all that these import
	export   types.Importer               // reads what has export data
	source   map[string]*types.Package    // checked from source; nil while under way
}

func newDriver(im *importer) *driver {
	d := &driver{im: im, wanted: map[string]bool{}, listed: map[string]*packages.Package{}, indirect: map[string]*packages.Package{}, source: map[string]*types.Package{}}
	// The reader of the toolchain that built aiongen knows the format that the
	// same toolchain's go command writes.
	d.export = goimporter.ForCompiler(im.memory.fset, "gc", d.open)
	return d
}

func (d *driver) open(path string) (io.ReadCloser, error) {
	return os.Open(d.listed[path].ExportFile)
}

func (d *driver) need(pkgs []*Package) error {
	for _, p := range pkgs {
		for _, path := range p.wanted("") {
			d.want(path)
		}
		for _, file := range p.Files {
			for path := range importsOf(file) {
				d.want(path)
			}
		}
	}
	return d.fetch()
}

func (d *driver) want(path string) {
	if d.listed[path] == nil {
		d.wanted[path] = true
	}
}

// fetch asks the go command, once, for all that is wanted. What is no import
// path it does not get to see.
func (d *driver) fetch() error {
	paths := slices.DeleteFunc(slices.Sorted(maps.Keys(d.wanted)), func(path string) bool {
		return !modules.IsImportPath(path)
	})
	clear(d.wanted)
	if len(paths) == 0 {
		return nil
	}
	mode := packages.NeedName | packages.NeedFiles | packages.NeedModule | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile
	loaded, err := packages.Load(d.im.cfg.packages(d.im.ctx, mode), paths...)
	if err != nil {
		return fmt.Errorf("finding imports: %w", tidy(err))
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
	d.want(path)
	if err := d.fetch(); err != nil {
		return nil, err
	}
	listed := d.listed[path]
	if listed == nil {
		return nil, fmt.Errorf("package %s was not found", path)
	}
	if listed.ExportFile != "" {
		return d.export.Import(path)
	}
	return d.check(listed)
}

// check reads an imported package from source. What is wrong with it shows
// where something invalid of it is used.
func (d *driver) check(listed *packages.Package) (*types.Package, error) {
	if p, ok := d.source[listed.PkgPath]; ok {
		if p == nil {
			return nil, fmt.Errorf("import cycle through %s", listed.PkgPath)
		}
		return p, nil
	}
	p := d.im.cfg.found(nil, listed)
	if len(p.goFiles) == 0 {
		return nil, cmp.Or(p.firstError(), fmt.Errorf("package %s has no Go files", p.Path))
	}
	d.source[listed.PkgPath] = nil
	p.parse(d.im.memory, d.im.cfg.Overlay)
	if err := d.need([]*Package{p}); err != nil {
		return nil, err
	}
	p.check(d.im, d)
	d.source[listed.PkgPath] = p.Types
	return p.Types, nil
}

func (d *driver) known(path string) *Package {
	if p := d.listed[path]; p != nil {
		return d.im.cfg.found(nil, p)
	}
	return nil
}

func (d *driver) find(path string) *Package {
	if p := d.known(path); p != nil {
		return p
	}
	if p := d.indirect[path]; p != nil {
		return d.im.cfg.found(nil, p)
	}
	d.want(path)
	_ = d.fetch() // what is not found is not listed
	return d.known(path)
}

func (d *driver) chain(from, to string) (through []string, certain bool) {
	p := cmp.Or(d.listed[from], d.indirect[from])
	if p == nil {
		return nil, false
	}
	return chain(p.Imports, to, map[string]bool{}), true
}

func chain(imports map[string]*packages.Package, path string, seen map[string]bool) []string {
	if imports[path] != nil {
		return []string{path}
	}
	for _, direct := range slices.Sorted(maps.Keys(imports)) {
		if seen[direct] {
			continue
		}
		seen[direct] = true
		if rest := chain(imports[direct].Imports, path, seen); rest != nil {
			return append([]string{direct}, rest...)
		}
	}
	return nil
}

// changeable implements [source].
func (d *driver) changeable() (dirs []string, complete bool) {
	complete = true
	seen := map[*packages.Package]bool{}
	var visit func(all map[string]*packages.Package)
	visit = func(all map[string]*packages.Package) {
		for _, dep := range all {
			if seen[dep] || dep.Module == nil {
				continue
			}
			seen[dep] = true
			if !inCache(dep.Module) {
				dirs = append(dirs, dep.Dir)
				complete = complete && !slices.ContainsFunc(dep.GoFiles, usesC)
			}
			visit(dep.Imports)
		}
	}
	visit(d.listed)
	return dirs, complete
}

// usesC reports whether a file imports what C declares, or cannot be read.
func usesC(path string) bool {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	return err != nil || slices.ContainsFunc(file.Imports, importsC)
}

// inCache reports whether a module lies where modules of one version do.
func inCache(m *packages.Module) bool {
	if m.Replace != nil {
		m = m.Replace
	}
	return m.Version != "" && strings.HasSuffix(m.Dir, "@"+m.Version)
}
