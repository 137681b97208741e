// Package load reads the declarations of Go packages, whether or not they compile. Find
// lists the packages that match patterns; Check parses and type-checks them, without the
// files that aiongen generated and without most function bodies.
//
// Packages of the main module, of a workspace, and of directories that replace modules are read from source.
// The types of all other packages come from a cache of export data. The go command runs only where it is
// needed. Pass a Memory to consecutive runs, so that they only read what has changed.
//
// FolderCache lists the files of a directory that concern aiongen, ReadDirectives reads the
// lines that begin with go:generate, ReadEnv the settings of the go command, and Overlay holds
// the unsaved texts of an editor.
package load

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/aiongen/aiongen/aion/diag"
)

// Find lists the packages that match patterns, sorted by path. It returns an error only if the go command
// fails; errors of single packages are in their Errors.
func Find(ctx context.Context, cfg Config, patterns ...string) ([]*Package, error) {
	set := cfg.openModules(ctx)
	if set != nil {
		if matched, err := set.matchPatterns(cfg.Dir, patterns); err == nil {
			found := make([]*Package, len(matched))
			for i, p := range matched {
				found[i] = cfg.newLocalPackage(set, p, cfg.Generated)
			}
			return found, nil
		}
	}
	loaded, err := packages.Load(cfg.packagesConfig(ctx, packages.NeedName|packages.NeedFiles|packages.NeedModule), patterns...)
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w", shortenError(err))
	}
	found := make([]*Package, 0, len(loaded))
	for _, p := range loaded {
		found = append(found, cfg.newListedPackage(set, p))
	}
	slices.SortFunc(found, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	return found, nil
}

// FindReason returns the go command's reason why a directory is not a package, or "" if it is one.
func FindReason(ctx context.Context, cfg Config, dir string) string {
	pkgs, err := Find(ctx, cfg, dir)
	if err != nil {
		return err.Error()
	}
	for _, p := range pkgs {
		if err := p.firstError(); err != nil {
			return strings.TrimPrefix(err.Error(), "package "+p.Path+": ")
		}
	}
	return ""
}

// openModules reads the modules without the go command. It returns nil if that is not possible.
func (cfg Config) openModules(ctx context.Context) *moduleSet {
	env := cfg.goEnv(ctx)
	if env == nil {
		return nil
	}
	set, _ := openModules(env, cfg.Tags, cfg.Overlay) // nil after an error
	return set
}

// Parse parses packages that Find returned. A later Check with the same Memory, which must
// not be nil, does not parse them again.
func Parse(cfg Config, pkgs ...*Package) {
	for _, p := range pkgs {
		p.runStage(func() { p.parseFiles(cfg.Memory, cfg.Overlay) })
	}
}

// ReadCached loads the types of imported packages from the cache, for packages that Find returned. It ignores
// imports that are not in the cache. It may run concurrently with Parse.
func ReadCached(cfg Config, pkgs ...*Package) {
	for _, p := range pkgs {
		if p.set != nil {
			cfg.Memory.exportsFor(p.set, cfg.Dir).readCached(p.direct)
		}
	}
}

// Check parses and type-checks packages that Find returned, without function bodies. It records
// errors in the packages in their Faults and continues, so that valid declarations are available
// afterwards.
func Check(ctx context.Context, cfg Config, pkgs ...*Package) error {
	if len(pkgs) == 0 {
		return nil
	}
	im := newImporter(ctx, cfg)
	if set := pkgs[0].set; set != nil {
		im.importSource = newReader(im, set)
		if err := im.checkPackages(pkgs); !errors.Is(err, errNeedGoCommand) {
			return err
		}
		im = newImporter(ctx, cfg)
	}
	im.importSource = newDriver(im)
	return im.checkPackages(pkgs)
}

// ImportChain returns the packages through which from imports path, ending with path. from is p or a package that Import
// has returned. It returns nil if from does not import path, and for packages of the standard library, which import
// only each other. Call it after Check.
func (p *Package) ImportChain(from, path string) []string {
	im := p.importer
	if im == nil {
		return nil // Check has not loaded p, because it has errors
	}
	if loaded := im.loadedPackage(from); loaded != nil && loaded.module == "" {
		return nil
	}
	if through, certain := im.importChain(from, path); certain {
		return through
	}
	imports, ok := im.imports[from]
	if !ok {
		loaded, err := packages.Load(im.cfg.packagesConfig(im.ctx, packages.NeedName|packages.NeedImports|packages.NeedDeps), from)
		if err == nil && len(loaded) == 1 {
			imports = loaded[0].Imports
		}
		im.imports[from] = imports
	}
	return findChain(imports, path, map[string]bool{})
}

// IsEmpty reports whether the package has no Go files except generated ones.
func (p *Package) IsEmpty() bool { return len(p.goFiles) == 0 }

// Syntax returns the files of this package or of one that it imports, for information that
// export data lacks. It is empty if the source is not available.
func (p *Package) Syntax(path string) []*ast.File {
	if path == p.Path {
		return p.Files
	}
	return p.importer.parseImported(path)
}

// ParseFile parses an additional file of the package.
func (p *Package) ParseFile(name, source string) (*ast.File, error) {
	file, err := parser.ParseFile(p.Fset, name, source, parser.SkipObjectResolution)
	if p.importer != nil {
		p.importer.memory.temporary = append(p.importer.memory.temporary, file)
	}
	return file, err
}

// CheckFile type-checks an additional file of the package, including function bodies.
func (p *Package) CheckFile(file *ast.File, info *types.Info) (faults []types.Error) {
	conf := types.Config{
		GoVersion: languageVersion(p.GoVersion),
		Error:     func(err error) { faults = append(faults, toTypeError(err)) },
	}
	if p.importer != nil { // Check has run
		conf.Importer, conf.Sizes = p.importer, p.importer.sizes
		p.importer.memory.dropTypes(p.Types)
	}
	// Errors are in faults.
	_ = types.NewChecker(&conf, p.Fset, p.Types, info).Files([]*ast.File{file})
	return faults
}

// Import loads a package, whether or not p imports it.
func (p *Package) Import(path string) (*types.Package, error) {
	return p.importer.Import(path)
}

// CompleteImport loads all exported declarations of a package that p imports indirectly. Until
// then, the package has only the declarations that other packages refer to. If it cannot be loaded,
// it stays incomplete.
func (p *Package) CompleteImport(indirect *types.Package) {
	if p.importer != nil && !indirect.Complete() {
		_, _ = p.importer.Import(indirect.Path()) // completes the same package
	}
}

// ImportedDirs returns the directories of the packages that p imports, directly or not, and of those passed
// to Import. It leaves out the standard library and the module cache, which do not change. The result
// complete is false if a package uses C, because its types then depend on other files.
func (p *Package) ImportedDirs() (dirs []string, complete bool) {
	if p.importer == nil {
		return nil, true
	}
	return p.importer.importedDirs()
}

// IsInModule reports whether a package belongs to the same module as p, so that its author
// can change it.
func (p *Package) IsInModule(path string) bool {
	if path == p.Path {
		return true
	}
	if p.importer != nil {
		if loaded := p.importer.loadedPackage(path); loaded != nil && loaded.module != "" {
			return loaded.module == p.module
		}
	}
	return p.module != "" && strings.HasPrefix(path+"/", p.module+"/")
}

// Span returns the position of the Go source between from and to.
func (p *Package) Span(from, to token.Pos) diag.Span {
	start, end := p.Fset.PositionFor(from, false), p.Fset.PositionFor(to, false)
	return diag.Span{
		File:  filepath.ToSlash(start.Filename),
		Start: diag.Pos{Offset: start.Offset, Line: start.Line, Column: start.Column},
		End:   diag.Pos{Offset: end.Offset, Line: end.Line, Column: end.Column},
	}
}
