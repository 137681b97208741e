package load

import (
	"cmp"
	"context"
	"errors"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"go/version"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/aiongen/aiongen/gen/internal/budget"
)

// Config says where and how to find packages.
type Config struct {
	Dir  string // absolute working directory; file names are shown relative to it
	Tags string // build tags, in the syntax of the go command

	// Env has the settings of the go command in Dir. If it is nil, ReadEnv reads them.
	Env Env

	// Generated reports whether aiongen generated the Go file at a path, which is then
	// ignored.
	Generated func(path string) bool

	// Overlay has texts that replace Go files on disk, by absolute path. A nil text marks a file as
	// removed.
	Overlay Overlay

	// Memory keeps loaded files and types for later runs. If it is nil, they are shared only by
	// packages that are checked together.
	Memory *Memory
}

// Package is a Go package. Find sets only what is known without its files.
type Package struct {
	Dir       string // absolute
	Path      string
	Name      string
	Module    string // directory of its module; empty if unknown
	GoVersion string // language version of its module, "1.26"; empty if unknown
	Errors    []error

	// NamedPaths are additional import paths that may be needed. Check loads these packages at
	// once, which is faster than calling [Package.Import] for each.
	NamedPaths []string

	Fset   *token.FileSet
	Files  []*ast.File // without the bodies of most functions
	Types  *types.Package
	Faults []types.Error // syntax and type errors

	// Failure is the internal error that prevented the package from being parsed or
	// type-checked.
	Failure error

	// Mixed is set if the files, generated ones aside, belong to more than one package.
	Mixed *MixedFault

	module   string // path of its module; empty if unknown
	set      *moduleSet
	goFiles  []string
	direct   []string             // known import paths in its files, including generated ones
	parsed   map[string]*ast.File // by file name
	root     string               // Config.Dir
	importer *importer
}

func (cfg Config) packagesConfig(ctx context.Context, mode packages.LoadMode) *packages.Config {
	pc := &packages.Config{Context: ctx, Dir: cfg.Dir, Mode: mode, Overlay: cfg.Overlay}
	if cfg.Tags != "" {
		pc.BuildFlags = []string{"-tags=" + cfg.Tags}
	}
	env := cfg.goEnv(ctx)
	if file := env.ParseFlags()["modfile"]; file != "" { // go/packages also runs the go command outside of modules, where it rejects this flag
		pc.BuildFlags = append(pc.BuildFlags, "-modfile="+file)
		pc.Env = append(os.Environ(), "GOFLAGS="+env.flagsWithout("modfile"))
	}
	return pc
}

// goEnv returns the settings of the go command, or nil after an error, which the go command reports
// again when packages are loaded.
func (cfg Config) goEnv(ctx context.Context) Env {
	if cfg.Env != nil {
		return cfg.Env
	}
	env, _ := ReadEnv(ctx, cfg.Dir)
	return env
}

// newLocalPackage returns a package that was found without the go command. It leaves out the files
// for which omit returns true.
func (cfg Config) newLocalPackage(set *moduleSet, p *modulePackage, omit func(path string) bool) *Package {
	return &Package{
		Dir: p.Dir, Path: p.Path, Name: p.Name, Module: p.Module.Dir, GoVersion: p.Module.GoVersion,
		module: p.Module.Path, set: set, root: cfg.Dir, direct: p.Imports, goFiles: slices.DeleteFunc(slices.Clone(p.Files), omit),
	}
}

func (cfg Config) newListedPackage(set *moduleSet, p *packages.Package) *Package {
	found := &Package{Dir: p.Dir, Path: p.PkgPath, Name: p.Name, root: cfg.Dir, set: set}
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

// shortenError reduces the error of a failed go command to its output.
func shortenError(err error) error {
	before, after, ok := strings.Cut(err.Error(), "stderr: ")
	if !ok {
		return err
	}
	if after = strings.TrimSpace(after); after == "" {
		after = strings.TrimSuffix(strings.TrimPrefix(before, "err: "), ": ")
	}
	return errors.New(after)
}

func (p *Package) firstError() error {
	if len(p.Errors) == 0 {
		return nil
	}
	return p.Errors[0]
}

// runStage runs a stage of loading and records its panic as the Failure, unless a stage has already
// failed.
func (p *Package) runStage(stage func()) {
	if p.Failure == nil {
		p.Failure = cmp.Or(budget.Catch(stage), p.Failure)
	}
}

// parseFiles parses the files of a package once.
func (p *Package) parseFiles(m *Memory, texts Overlay) {
	if p.Fset == m.fset {
		return
	}
	p.Fset, p.parsed = m.fset, map[string]*ast.File{}
	for _, name := range p.goFiles {
		cached := m.parseFile(texts, name, Relative(p.root, name))
		if cached == nil {
			continue // the compiler reports it too
		}
		file := cached.file
		p.Faults = append(p.Faults, toTypeErrors(cached.err)...)
		for _, e := range cached.tooDeep {
			p.Faults = append(p.Faults, types.Error{Fset: m.fset, Pos: e.Pos, Msg: e.Error()})
		}
		if file != nil && file.Name != nil && file.Name.Name != "" { // otherwise its package is unknown
			p.parsed[name] = file
		}
	}
	p.Mixed = p.settleName()
	for _, name := range p.goFiles {
		if file := p.parsed[name]; file != nil && file.Name.Name == p.Name {
			p.Files = append(p.Files, file)
		}
	}
	p.Failure = checkMethods(p.Files)
}

// settleName corrects the name of the package, which the go command may have taken from a generated file. If
// no file that parses has this name, the package gets the name in the first such file. settleName returns a
// fault if the files belong to several packages.
func (p *Package) settleName() *MixedFault {
	var files []string // those that parse
	confirmed := false
	for _, name := range p.goFiles {
		if file := p.parsed[name]; file != nil {
			files = append(files, name)
			confirmed = confirmed || file.Name.Name == p.Name
		}
	}
	if len(files) == 0 {
		return nil
	}
	first := p.parsed[files[0]].Name.Name
	if !confirmed {
		p.Name = first
	}
	if other := slices.IndexFunc(files, func(name string) bool { return p.parsed[name].Name.Name != first }); other > 0 {
		return p.newMixedFault(files, other)
	}
	return nil
}

func (p *Package) checkTypes(im *importer, from types.Importer) {
	p.importer = im
	key := typesKey{path: p.Path, own: from == types.Importer(im)}
	if r, ok := im.importSource.(*reader); ok {
		key.store = r.store
	}
	im.memory.checkPackage(key, p, types.Config{
		GoVersion:        languageVersion(p.GoVersion),
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Importer:         from,
		Sizes:            im.sizes,
	})
}

// languageVersion returns the Go version for the type checker. It is empty if the module
// needs a newer version than aiongen was built with, so that the rest of the package can
// still be checked.
func languageVersion(module string) string {
	if module == "" || version.Compare("go"+module, version.Lang(runtime.Version())) > 0 {
		return ""
	}
	return "go" + module
}

// Relative returns path relative to dir, with slashes, or path itself if that is not
// possible.
func Relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		path = rel
	}
	return filepath.ToSlash(path)
}

func toTypeErrors(err error) []types.Error {
	var faults []types.Error
	if list, ok := errors.AsType[scanner.ErrorList](err); ok {
		for _, e := range list {
			faults = append(faults, types.Error{Msg: e.Msg + " (" + e.Pos.String() + ")"})
		}
	}
	return faults
}
