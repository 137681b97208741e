package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

	"github.com/aiongen/aiongen/gen/internal/failure"
	"github.com/aiongen/aiongen/gen/internal/goenv"
	"github.com/aiongen/aiongen/gen/internal/load/internal/modules"
	"github.com/aiongen/aiongen/gen/internal/overlay"
)

// Config says where and how packages are looked up.
type Config struct {
	Dir  string // absolute working directory; file names are shown relative to it
	Tags string // build tags, as the go command takes them

	// Env has the settings of the go command in Dir; nil asks it.
	Env goenv.Env

	// Imports says to find out, too, what packages import, directly or not.
	Imports bool

	// Generated reports whether a Go file, by its path, was written by aiongen
	// and so must not be read.
	Generated func(path string) bool

	// Overlay holds, by absolute path, the texts of Go files that stand for what is on
	// disk; nil for one that is to be gone.
	Overlay map[string][]byte

	// Memory keeps what is loaded for further runs; nil keeps it as long as packages are
	// checked together.
	Memory *Memory
}

// Package is a Go package. Until Check it is only known by its place.
type Package struct {
	Dir       string // absolute
	Path      string
	Name      string
	Module    string // directory of its module; empty if unknown
	GoVersion string // language version of its module, "1.26"; empty if unknown
	Errors    []error

	// Named are import paths that more than its files may name: Check looks for these
	// packages, too, rather than [Package.Import] for each.
	Named []string

	Fset   *token.FileSet
	Files  []*ast.File // without the bodies of most functions
	Types  *types.Package
	Faults []types.Error // syntax and type errors, as far as they were met

	// Failure is the mistake in aiongen or in a library that kept the package from being
	// parsed or type-checked, nil if there was none.
	Failure error

	// Mixed is the error of the go command if the files are of more than one package, "" if
	// they are not. Generated files do not count.
	Mixed string

	module   string // path of its module; empty if unknown
	set      *modules.Set
	goFiles  []string
	direct   []string                     // import paths in its files, generated ones too, as far as they are known
	parsed   map[string]*ast.File         // by name, as far as they could be parsed
	imports  map[string]*packages.Package // by path
	root     string                       // Config.Dir
	importer *importer
}

func (cfg Config) packages(ctx context.Context, mode packages.LoadMode) *packages.Config {
	pc := &packages.Config{Context: ctx, Dir: cfg.Dir, Mode: mode, Overlay: cfg.Overlay}
	if cfg.Tags != "" {
		pc.BuildFlags = []string{"-tags=" + cfg.Tags}
	}
	env := cfg.env(ctx)
	if file := env.Flags()["modfile"]; file != "" { // go/packages also asks outside of modules, where the go command wants none
		pc.BuildFlags = append(pc.BuildFlags, "-modfile="+file)
		pc.Env = append(os.Environ(), "GOFLAGS="+env.FlagsWithout("modfile"))
	}
	return pc
}

// env has the settings of the go command; nil where it cannot be asked, which loading says.
func (cfg Config) env(ctx context.Context) goenv.Env {
	if cfg.Env != nil {
		return cfg.Env
	}
	env, _ := goenv.Read(ctx, cfg.Dir)
	return env
}

// local is a package that was found without the go command, without the files that omit
// says.
func (cfg Config) local(set *modules.Set, p *modules.Package, omit func(path string) bool) *Package {
	return &Package{
		Dir: p.Dir, Path: p.Path, Name: p.Name, Module: p.Module.Dir, GoVersion: p.Module.GoVersion,
		module: p.Module.Path, set: set, root: cfg.Dir, direct: p.Imports, goFiles: slices.DeleteFunc(slices.Clone(p.Files), omit),
	}
}

func (cfg Config) found(set *modules.Set, p *packages.Package) *Package {
	found := &Package{Dir: p.Dir, Path: p.PkgPath, Name: p.Name, imports: p.Imports, root: cfg.Dir, set: set}
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

// tidy shortens what go/packages says when the go command fails, or cannot be run: the
// message without the invocation.
func tidy(err error) error {
	said, after, ok := strings.Cut(err.Error(), "stderr: ")
	if !ok {
		return err
	}
	if after = strings.TrimSpace(after); after == "" {
		after = strings.TrimSuffix(strings.TrimPrefix(said, "err: "), ": ")
	}
	return errors.New(after)
}

func (p *Package) firstError() error {
	if len(p.Errors) == 0 {
		return nil
	}
	return p.Errors[0]
}

// try runs a stage of loading, unless one has failed before.
func (p *Package) try(stage func()) {
	if p.Failure == nil {
		p.Failure = cmp.Or(failure.Catch(stage), p.Failure)
	}
}

// parse parses the files of a package, unless that is done.
func (p *Package) parse(m *Memory, texts overlay.Files) {
	if p.Fset == m.fset {
		return
	}
	p.Fset, p.parsed = m.fset, map[string]*ast.File{}
	for _, name := range p.goFiles {
		kept := m.parse(texts, name, Relative(p.root, name))
		if kept == nil {
			continue // the compiler says it, too
		}
		file := kept.file
		p.Faults = append(p.Faults, syntaxFaults(kept.err)...)
		for _, deep := range kept.deep {
			p.Faults = append(p.Faults, types.Error{Fset: m.fset, Pos: deep.Pos, Msg: deep.Error()})
		}
		if file != nil && file.Name != nil && file.Name.Name != "" { // else its package is unknown
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

// settleName makes the package's name that of its first file, unless others have the name
// that the go command gave: it does not know it where files are of several packages, and
// may take that of a generated file. The result is the go command's error if files that
// count are of several packages.
func (p *Package) settleName() (mixed string) {
	first, known := "", false
	for _, name := range p.goFiles {
		file := p.parsed[name]
		if file == nil {
			continue
		}
		if first == "" {
			first = name
		}
		known = known || file.Name.Name == p.Name
		if other := p.parsed[first].Name.Name; mixed == "" && file.Name.Name != other {
			mixed = fmt.Sprintf("found packages %s (%s) and %s (%s) in %s", other, filepath.Base(first), file.Name.Name, filepath.Base(name), Relative(p.root, p.Dir))
		}
	}
	if first != "" && !known {
		p.Name = p.parsed[first].Name.Name
	}
	return mixed
}

func (p *Package) check(im *importer, from types.Importer) {
	p.importer = im
	key := typesKey{path: p.Path, own: from == types.Importer(im)}
	if r, ok := im.source.(*reader); ok {
		key.store = r.store
	}
	im.memory.check(key, p, types.Config{
		GoVersion:        languageVersion(p.GoVersion),
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Importer:         from,
		Sizes:            im.sizes,
	})
}

// languageVersion leaves out what is newer than this build of aiongen knows:
// a declaration that needs it is still read as well as can be.
func languageVersion(module string) string {
	if module == "" || newer(module) {
		return ""
	}
	return "go" + module
}

// Relative returns path as seen from dir, with slashes, or path itself where
// there is no way from one to the other.
func Relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		path = rel
	}
	return filepath.ToSlash(path)
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
