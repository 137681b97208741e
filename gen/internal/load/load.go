// Package load reads Go packages as far as their declarations go, whether or
// not they compile. The package itself is parsed and type-checked here, without
// the files that aiongen generated; only what it imports comes from export data.
//
// Its layers, from top to bottom:
//
//	leftout, place  why a file is left out; where a declaration stands
//	load, import    a package, and what it imports, which is loaded alike
//	scope           what names mean at a place
package load

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load/internal/bodies"
	"github.com/aiongen/aiongen/internal/regular"
)

// Config says where and how packages are looked up.
type Config struct {
	Dir  string // absolute working directory; file names are shown relative to it
	Tags string // build tags, as the go command takes them

	// Imports says to find out, too, what packages import, directly or not.
	Imports bool

	// Generated reports whether a Go file, by its path, was written by aiongen
	// and so must not be read.
	Generated func(path string) bool
}

// Package is a Go package. Until Check it is only known by its place.
type Package struct {
	Dir       string // absolute
	Path      string
	Name      string
	Module    string // directory of its module; empty if unknown
	GoVersion string // language version of its module, "1.26"; empty if unknown
	Errors    []error

	Fset   *token.FileSet
	Files  []*ast.File // without the bodies of most functions
	Types  *types.Package
	Faults []types.Error // syntax and type errors, as far as they were met

	module   string // path of its module; empty if unknown
	goFiles  []string
	parsed   map[string]*ast.File         // by name, as far as they could be parsed
	imports  map[string]*packages.Package // by path
	root     string                       // Config.Dir
	importer *importer
}

// Find lists the packages that patterns match, in the order of their paths.
// The error is one of the go command as a whole; errors of a single package
// are in its Errors.
func Find(ctx context.Context, cfg Config, patterns ...string) ([]*Package, error) {
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
		found = append(found, cfg.found(p))
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

func (cfg Config) packages(ctx context.Context, mode packages.LoadMode) *packages.Config {
	pc := &packages.Config{Context: ctx, Dir: cfg.Dir, Mode: mode}
	if cfg.Tags != "" {
		pc.BuildFlags = []string{"-tags=" + cfg.Tags}
	}
	return pc
}

func (cfg Config) found(p *packages.Package) *Package {
	found := &Package{Dir: p.Dir, Path: p.PkgPath, Name: p.Name, imports: p.Imports, root: cfg.Dir}
	if p.Module != nil {
		found.Module, found.module, found.GoVersion = p.Module.Dir, p.Module.Path, p.Module.GoVersion
	}
	for _, e := range p.Errors {
		found.Errors = append(found.Errors, errors.New(e.Msg))
	}
	for _, file := range p.GoFiles {
		// The go command reports broken files twice.
		if !cfg.Generated(file) && !slices.Contains(found.goFiles, file) {
			found.goFiles = append(found.goFiles, file)
		}
	}
	if found.Dir == "" && len(found.goFiles) > 0 {
		found.Dir = filepath.Dir(found.goFiles[0])
	}
	return found
}

// tidy shortens what go/packages says when the go command fails: the message
// without the invocation.
func tidy(err error) error {
	if _, after, ok := strings.Cut(err.Error(), "stderr: "); ok {
		return errors.New(strings.TrimSpace(after))
	}
	return err
}

// Check parses and type-checks packages that Find returned. Function bodies
// are left out, and no error stops it: declarations that are sound are there
// afterwards, what went wrong is in Faults.
func Check(ctx context.Context, cfg Config, pkgs ...*Package) error {
	im := newImporter(ctx, cfg)
	for _, p := range pkgs {
		p.parse(im.fset)
		im.want(p.Files)
	}
	if err := im.fetch(); err != nil {
		return err
	}
	for _, p := range pkgs {
		p.check(im)
	}
	return nil
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
	if listed := im.listed[from]; listed != nil && listed.Module == nil {
		return nil
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

// Empty reports whether the package has no Go files, generated ones aside.
func (p *Package) Empty() bool { return len(p.goFiles) == 0 }

func (p *Package) firstError() error {
	if len(p.Errors) == 0 {
		return nil
	}
	return p.Errors[0]
}

func (p *Package) parse(fset *token.FileSet) {
	p.Fset, p.parsed = fset, map[string]*ast.File{}
	for _, name := range p.goFiles {
		src, err := regular.ReadFile(name)
		if err != nil {
			p.Errors = append(p.Errors, err)
			continue
		}
		file, err := bodies.Parse(fset, Relative(p.root, name), src)
		p.Faults = append(p.Faults, syntaxFaults(err)...)
		p.parsed[name] = file
		if file != nil && file.Name != nil && file.Name.Name == p.name(file) {
			p.Files = append(p.Files, file)
		}
	}
}

// name returns the package's name, which the go command may not have known:
// then it is that of the first file.
func (p *Package) name(file *ast.File) string {
	if p.Name == "" {
		p.Name = file.Name.Name
	}
	return p.Name
}

func (p *Package) check(im *importer) {
	p.importer = im
	conf := types.Config{
		GoVersion:        languageVersion(p.GoVersion),
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Importer:         im,
		Error:            func(err error) { p.Faults = append(p.Faults, asFault(err)) },
	}
	p.Types, _ = conf.Check(p.Path, p.Fset, p.Files, nil) // errors went to Faults
}

// languageVersion leaves out what is newer than this build of aiongen knows:
// a declaration that needs it is still read as well as can be.
func languageVersion(module string) string {
	if module == "" || newer(module) {
		return ""
	}
	return "go" + module
}

// Syntax returns the source of this package or of one that it imports, for
// what export data leaves out. It is empty where there is no source to be had.
func (p *Package) Syntax(path string) []*ast.File {
	if path == p.Path {
		return p.Files
	}
	return p.importer.syntax(path)
}

// CheckFile type-checks a file as a further one of the package, bodies included.
func (p *Package) CheckFile(file *ast.File, info *types.Info) (faults []types.Error) {
	conf := types.Config{
		GoVersion: languageVersion(p.GoVersion),
		Importer:  p.importer,
		Error:     func(err error) { faults = append(faults, asFault(err)) },
	}
	// What is wrong is in faults.
	_ = types.NewChecker(&conf, p.Fset, p.Types, info).Files([]*ast.File{file})
	return faults
}

// Import returns a package that need not be imported by this one.
func (p *Package) Import(path string) (*types.Package, error) {
	if p.importer.listed[path] == nil && path != "unsafe" {
		p.importer.wanted[path] = true
		if err := p.importer.fetch(); err != nil {
			return nil, err
		}
	}
	return p.importer.Import(path)
}

// Sources returns the directories of the packages that this one imports, directly or
// not, or that it was asked for, as far as no version says what is in them: those of
// the standard library and of the module cache are left out.
func (p *Package) Sources() (dirs []string) {
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
			}
			visit(dep.Imports)
		}
	}
	visit(p.importer.listed)
	return dirs
}

// inCache reports whether a module lies where modules of one version do.
func inCache(m *packages.Module) bool {
	if m.Replace != nil {
		m = m.Replace
	}
	return m.Version != "" && strings.HasSuffix(m.Dir, "@"+m.Version)
}

// Owns reports whether a package is of the module of this one, so that its author
// can change it.
func (p *Package) Owns(path string) bool {
	if p.importer != nil {
		if listed := p.importer.listed[path]; listed != nil && listed.Module != nil {
			return listed.Module.Path == p.module
		}
	}
	return path == p.Path || p.module != "" && strings.HasPrefix(path+"/", p.module+"/")
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

// Relative returns path as seen from dir, with slashes, or path itself where
// there is no way from one to the other.
func Relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		path = rel
	}
	return filepath.ToSlash(path)
}
