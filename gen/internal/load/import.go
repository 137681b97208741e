package load

import (
	"context"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// An importSource finds imported packages. The implementations are [reader] and [driver].
type importSource interface {
	types.Importer // also loads packages that were not needed before

	// loadImports loads the imports of packages, with at most one run of the go command.
	loadImports(pkgs []*Package) error

	// loadedPackage returns a package that was loaded, perhaps without parsed files, or nil.
	// findPackage also looks for packages that were not loaded.
	loadedPackage(path string) *Package
	findPackage(path string) *Package

	// importChain returns the packages through which from imports to. Certain is false if only the
	// go command can tell.
	importChain(from, to string) (through []string, certain bool)

	// importedDirs returns the directories of loaded packages that can change. Complete is false if
	// types also depend on files elsewhere.
	importedDirs() (dirs []string, complete bool)
}

// An importer holds the state shared by packages that are checked together.
type importer struct {
	importSource

	ctx    context.Context
	cfg    Config
	memory *Memory
	sizes  types.Sizes

	parsed       map[string][]*ast.File                  // by package path
	ignoredFiles map[string][]IgnoredFile                // by package path
	imports      map[string]map[string]*packages.Package // by package path
	importable   []ImportablePackage                     // nil until needed
}

func newImporter(ctx context.Context, cfg Config) *importer {
	if cfg.Memory == nil {
		cfg.Memory = NewMemory()
	}
	return &importer{
		ctx: ctx, cfg: cfg, memory: cfg.Memory,
		parsed: map[string][]*ast.File{}, ignoredFiles: map[string][]IgnoredFile{}, imports: map[string]map[string]*packages.Package{},
	}
}

func (im *importer) checkPackages(pkgs []*Package) error {
	for _, p := range pkgs {
		p.runStage(func() { p.parseFiles(im.memory, im.cfg.Overlay) })
	}
	if err := im.loadImports(pkgs); err != nil {
		return err
	}
	for _, p := range pkgs {
		if err := im.ctx.Err(); err != nil {
			return err
		}
		p.runStage(func() { p.checkTypes(im, im) })
	}
	return nil
}

// parseImported returns the files of a package, which need not be imported directly.
func (im *importer) parseImported(path string) []*ast.File {
	if files, ok := im.parsed[path]; ok {
		return files
	}
	p := im.findPackage(path)
	if p == nil {
		return nil
	}
	if p.Files == nil {
		p.parseFiles(im.memory, im.cfg.Overlay)
	}
	im.parsed[path] = p.Files
	return p.Files
}
