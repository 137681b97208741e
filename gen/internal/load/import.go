package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	goimporter "go/importer"
	"go/scanner"
	"go/token"
	"go/types"
	"go/version"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/mod/module"
	"golang.org/x/tools/go/packages"
)

// importer finds imported packages by their export data. A package that does
// not compile has none; it is read from source, like the packages that import it.
type importer struct {
	ctx      context.Context
	cfg      Config
	fset     *token.FileSet
	wanted   map[string]bool              // not yet looked up
	listed   map[string]*packages.Package // what the go command said
	indirect map[string]*packages.Package // and what it said of all that these import; nil until asked for
	export   types.Importer               // reads what has export data
	source   map[string]*types.Package    // checked from source; nil while under way
	parsed   map[string][]*ast.File

	leftOut map[string][]LeftOut                    // by package path, as asked for
	known   []Known                                 // nil until asked for
	imports map[string]map[string]*packages.Package // of packages that were asked for
}

func newImporter(ctx context.Context, cfg Config) *importer {
	im := &importer{
		ctx:    ctx,
		cfg:    cfg,
		fset:   token.NewFileSet(),
		wanted: map[string]bool{},
		listed: map[string]*packages.Package{},
		source: map[string]*types.Package{},
		parsed: map[string][]*ast.File{},

		leftOut: map[string][]LeftOut{},
		imports: map[string]map[string]*packages.Package{},
	}
	// The reader of the toolchain that built aiongen knows the format that the
	// same toolchain's go command writes.
	im.export = goimporter.ForCompiler(im.fset, "gc", im.open)
	return im
}

// want notes the imports of files for the next fetch.
func (im *importer) want(files []*ast.File) {
	for _, file := range files {
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err == nil && path != "C" && path != "unsafe" && im.listed[path] == nil {
				im.wanted[path] = true
			}
		}
	}
}

// fetch asks the go command, once, for all that is wanted. What is no import
// path it does not get to see.
func (im *importer) fetch() error {
	paths := slices.DeleteFunc(slices.Sorted(maps.Keys(im.wanted)), func(path string) bool {
		return module.CheckImportPath(path) != nil
	})
	clear(im.wanted)
	if len(paths) == 0 {
		return nil
	}
	mode := packages.NeedName | packages.NeedFiles | packages.NeedModule | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile
	loaded, err := packages.Load(im.cfg.packages(im.ctx, mode), paths...)
	if err != nil {
		return fmt.Errorf("finding imports: %w", tidy(err))
	}
	for _, p := range loaded {
		im.listed[p.PkgPath] = p
	}
	return nil
}

// Import implements types.Importer.
func (im *importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	listed := im.listed[path]
	if listed == nil {
		return nil, fmt.Errorf("package %s was not found", path)
	}
	if listed.ExportFile != "" {
		return im.export.Import(path)
	}
	return im.check(listed)
}

func (im *importer) open(path string) (io.ReadCloser, error) {
	return os.Open(im.listed[path].ExportFile)
}

// check reads an imported package from source. What is wrong with it shows
// where something invalid of it is used.
func (im *importer) check(listed *packages.Package) (*types.Package, error) {
	if p, ok := im.source[listed.PkgPath]; ok {
		if p == nil {
			return nil, fmt.Errorf("import cycle through %s", listed.PkgPath)
		}
		return p, nil
	}
	p := im.cfg.found(listed)
	if len(p.goFiles) == 0 {
		return nil, cmp.Or(p.firstError(), fmt.Errorf("package %s has no Go files", p.Path))
	}
	im.source[listed.PkgPath] = nil
	p.parse(im.fset)
	im.want(p.Files)
	if err := im.fetch(); err != nil {
		return nil, err
	}
	p.check(im)
	im.source[listed.PkgPath] = p.Types
	return p.Types, nil
}

// syntax parses a package that some type comes from, which need not be
// imported directly.
func (im *importer) syntax(path string) []*ast.File {
	if files, ok := im.parsed[path]; ok {
		return files
	}
	listed := im.about(path)
	if listed == nil {
		return nil
	}
	p := im.cfg.found(listed)
	p.parse(im.fset)
	im.parsed[path] = p.Files
	return p.Files
}

// about is where a package lies that is imported, directly or not, or that can be. The
// go command says it, once, of all that is imported.
func (im *importer) about(path string) *packages.Package {
	if p := im.listed[path]; p != nil {
		return p
	}
	if im.indirect == nil {
		im.indirect = map[string]*packages.Package{}
		mode := packages.NeedName | packages.NeedFiles | packages.NeedModule | packages.NeedImports | packages.NeedDeps
		loaded, _ := packages.Load(im.cfg.packages(im.ctx, mode), slices.Sorted(maps.Keys(im.listed))...) // what is not found is asked for below
		packages.Visit(loaded, nil, func(p *packages.Package) { im.indirect[p.PkgPath] = p })
	}
	if p := im.indirect[path]; p != nil {
		return p
	}
	im.wanted[path] = true
	_ = im.fetch() // what is not found is not listed
	return im.listed[path]
}

// newer reports whether a language version is newer than the toolchain that
// built aiongen.
func newer(v string) bool {
	return version.Compare("go"+v, version.Lang(runtime.Version())) > 0
}

func syntaxFaults(err error) []types.Error {
	var faults []types.Error
	if list, ok := errors.AsType[scanner.ErrorList](err); ok {
		for _, e := range list {
			faults = append(faults, types.Error{Msg: e.Msg + " (" + e.Pos.String() + ")"})
		}
	}
	return faults
}

func asFault(err error) types.Error {
	if fault, ok := errors.AsType[types.Error](err); ok {
		return fault
	}
	return types.Error{Msg: err.Error()}
}
