// Package load reads Go packages as far as their declarations go, whether or
// not they compile. The package itself is parsed and type-checked here, without
// the files that aiongen generated, and so is what it imports that people work on.
// The types of all else are kept. The go command is asked where only that can tell.
//
// Its layers, from top to bottom:
//
//	leftout, place  why a file is left out; where a declaration stands
//	load            a package, and those that patterns match
//	reader, driver  what it imports: from source and from a cache, or from go/packages
//	import          what packages share that are checked together
//	package         one package: its files, and their declarations
//	memory          what is kept of packages for further runs
//	scope           what names mean at a place
package load

import (
	"context"
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
	"github.com/aiongen/aiongen/gen/internal/load/internal/exports"
	"github.com/aiongen/aiongen/gen/internal/load/internal/modules"
)

// Find lists the packages that patterns match, in the order of their paths.
// The error is one of the go command as a whole; errors of a single package
// are in its Errors.
func Find(ctx context.Context, cfg Config, patterns ...string) ([]*Package, error) {
	set := cfg.modules(ctx)
	if set != nil && !cfg.Imports {
		if matched, err := set.Match(cfg.Dir, patterns); err == nil {
			found := make([]*Package, len(matched))
			for i, p := range matched {
				found[i] = cfg.local(set, p, cfg.Generated)
			}
			return found, nil
		}
	}
	mode := packages.NeedName | packages.NeedFiles | packages.NeedModule
	if cfg.Imports {
		mode |= packages.NeedImports | packages.NeedDeps
	}
	loaded, err := packages.Load(cfg.packages(ctx, mode), patterns...)
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w", tidy(err))
	}
	found := make([]*Package, 0, len(loaded))
	for _, p := range loaded {
		found = append(found, cfg.found(set, p))
	}
	slices.SortFunc(found, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	return found, nil
}

// Reason says why a directory is no package, in the words of the go command; ""
// if it does not say.
func Reason(ctx context.Context, cfg Config, dir string) string {
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

// modules are those that packages are read from without the go command; nil where only
// that can tell.
func (cfg Config) modules(ctx context.Context) *modules.Set {
	env := cfg.env(ctx)
	if env == nil {
		return nil
	}
	set, _ := modules.Open(env, cfg.Tags, cfg.Overlay) // nil where there is an error
	return set
}

// Parse parses packages that Find returned, so that a Check with the same Memory, which
// there has to be, finds that done.
func Parse(cfg Config, pkgs ...*Package) {
	for _, p := range pkgs {
		p.try(func() { p.parse(cfg.Memory, cfg.Overlay) })
	}
}

// Recall reads what is kept of packages that those import which Find returned, while they
// are parsed.
func Recall(cfg Config, pkgs ...*Package) {
	for _, p := range pkgs {
		if p.set != nil {
			cfg.Memory.store(p.set, cfg.Dir).Recall(p.direct)
		}
	}
}

// Check parses and type-checks packages that Find returned. Function bodies
// are left out, and no error stops it: declarations that are sound are there
// afterwards, what went wrong is in Faults.
func Check(ctx context.Context, cfg Config, pkgs ...*Package) error {
	if len(pkgs) == 0 {
		return nil
	}
	im := newImporter(ctx, cfg)
	if set := pkgs[0].set; set != nil {
		im.source = newReader(im, set)
		if err := im.check(pkgs); !exports.Uncertain(err) {
			return err
		}
		im = newImporter(ctx, cfg)
	}
	im.source = newDriver(im)
	return im.check(pkgs)
}

// Chain returns the packages through which this one imports another, that last:
// nil if it does not. It needs Config.Imports.
func (p *Package) Chain(path string) []string {
	return chain(p.imports, path, map[string]bool{})
}

// ChainFrom does so for another package, which Import has returned. Those of the
// standard library import none that is not of it.
func (p *Package) ChainFrom(from, path string) []string {
	im := p.importer
	if known := im.known(from); known != nil && known.module == "" {
		return nil
	}
	if through, certain := im.chain(from, path); certain {
		return through
	}
	imports, known := im.imports[from]
	if !known {
		loaded, err := packages.Load(im.cfg.packages(im.ctx, packages.NeedName|packages.NeedImports|packages.NeedDeps), from)
		if err == nil && len(loaded) == 1 {
			imports = loaded[0].Imports
		}
		im.imports[from] = imports
	}
	return chain(imports, path, map[string]bool{})
}

// Empty reports whether the package has no Go files, generated ones aside.
func (p *Package) Empty() bool { return len(p.goFiles) == 0 }

// Syntax returns the source of this package or of one that it imports, for
// what export data leaves out. It is empty where there is no source to be had.
func (p *Package) Syntax(path string) []*ast.File {
	if path == p.Path {
		return p.Files
	}
	return p.importer.syntax(path)
}

// ParseFile parses a further file of the package.
func (p *Package) ParseFile(name, source string) (*ast.File, error) {
	file, err := parser.ParseFile(p.Fset, name, source, parser.SkipObjectResolution)
	if p.importer != nil { // it was checked
		p.importer.memory.brief = append(p.importer.memory.brief, file)
	}
	return file, err
}

// CheckFile type-checks a file as a further one of the package, bodies included.
func (p *Package) CheckFile(file *ast.File, info *types.Info) (faults []types.Error) {
	conf := types.Config{
		GoVersion: languageVersion(p.GoVersion),
		Error:     func(err error) { faults = append(faults, asFault(err)) },
	}
	if p.importer != nil { // it was checked
		conf.Importer, conf.Sizes = p.importer, p.importer.sizes
		p.importer.memory.extended(p.Types)
	}
	// What is wrong is in faults.
	_ = types.NewChecker(&conf, p.Fset, p.Types, info).Files([]*ast.File{file})
	return faults
}

// Import returns a package that need not be imported by this one.
func (p *Package) Import(path string) (*types.Package, error) {
	return p.importer.Import(path)
}

// Sources returns the directories of the packages that this one imports, directly or
// not, or that it was asked for, as far as no version says what is in them: those of
// the standard library and of the module cache are left out. They are not all that counts
// where a C compiler says what types are, from files that may lie anywhere.
func (p *Package) Sources() (dirs []string, complete bool) {
	if p.importer == nil { // it was not checked
		return nil, true
	}
	return p.importer.changeable()
}

// Owns reports whether a package is of the module of this one, so that its author
// can change it.
func (p *Package) Owns(path string) bool {
	if path == p.Path {
		return true
	}
	if p.importer != nil {
		if known := p.importer.known(path); known != nil && known.module != "" {
			return known.module == p.module
		}
	}
	return p.module != "" && strings.HasPrefix(path+"/", p.module+"/")
}

// Span is the place of a piece of Go source.
func (p *Package) Span(from, to token.Pos) diag.Span {
	start, end := p.Fset.PositionFor(from, false), p.Fset.PositionFor(to, false)
	return diag.Span{
		File:  filepath.ToSlash(start.Filename),
		Start: diag.Pos{Offset: start.Offset, Line: start.Line, Column: start.Column},
		End:   diag.Pos{Offset: end.Offset, Line: end.Line, Column: end.Column},
	}
}
