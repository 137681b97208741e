// Package gen compiles the .aion files of Go packages into Go: it finds the
// packages, drives the stages from text to files, and compares the outcome with
// what is on disk. Nothing is written unless the whole run is free of errors.
package gen

import (
	"context"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/regular"
	"github.com/aiongen/aiongen/gen/bind"
	"github.com/aiongen/aiongen/gen/contract"
	"github.com/aiongen/aiongen/gen/emit"
	"github.com/aiongen/aiongen/gen/load"
	"github.com/aiongen/aiongen/gen/model"
)

// Config says what to compile. The zero value is the package in the current
// directory.
type Config struct {
	Dir      string   // working directory; "" is the current one
	Patterns []string // packages, as the go command takes them; none is "."
	Output   string   // directory of the generated package; "" is that of the source
	Tags     string   // build tags, as the go command takes them
}

func (cfg Config) patterns() []string {
	if len(cfg.Patterns) == 0 {
		return []string{"."}
	}
	return cfg.Patterns
}

// Generate compiles. The result is what writing would change; it is empty when
// the list holds an error. Diagnostics name files relative to Config.Dir.
func Generate(ctx context.Context, cfg Config) (*Result, diag.List) {
	g := &generator{cfg: cfg, folders: map[string]*folder{}}
	result := &Result{}
	for _, s := range g.sources(ctx) {
		g.compile(s, result)
	}
	g.faults.Sort()
	if g.faults.Err() != nil {
		return &Result{}, g.faults
	}
	return result, g.faults
}

// Tools returns what the packages promise the callers of their tools, in the
// order of packages and .aion files; nothing when the list holds an error. What
// generated files would clash with does not matter, nor does Config.Output.
func Tools(ctx context.Context, cfg Config) ([]contract.Tool, diag.List) {
	promises, faults := Promises(ctx, cfg)
	return promises.Tools, faults
}

// Promises returns what [Tools] does, and the prompts of the packages.
func Promises(ctx context.Context, cfg Config) (contract.Promises, diag.List) {
	cfg.Output = ""
	g := &generator{cfg: cfg, folders: map[string]*folder{}}
	var promises contract.Promises
	for _, s := range g.sources(ctx) {
		if m, ok := g.bind(s, bind.Target{Path: s.pkg.Path, Name: s.pkg.Name}); ok {
			promises.Tools = append(promises.Tools, s.contracts(m)...)
			promises.Prompts = append(promises.Prompts, s.prompts(m)...)
		}
	}
	g.faults.Sort()
	if g.faults.Err() != nil {
		return contract.Promises{}, g.faults
	}
	return promises, g.faults
}

type generator struct {
	cfg     Config
	load    load.Config
	folders map[string]*folder // by directory
	faults  diag.List
}

// sources finds the packages that take part, and type-checks those that have
// something to bind.
func (g *generator) sources(ctx context.Context) []*source {
	dir, err := filepath.Abs(g.cfg.Dir)
	if err == nil {
		_, err = os.ReadDir(dir)
	}
	if err != nil {
		g.faults.Errorf("no-directory", diag.Span{}, "%v", err)
		return nil
	}
	g.load = load.Config{Dir: dir, Tags: g.cfg.Tags, Generated: g.isGenerated, Imports: g.cfg.Output != ""}
	sources := g.find(ctx)
	if g.cfg.Output != "" && len(sources) > 1 {
		g.faults.Errorf("many-packages", diag.Span{}, "-o takes one package, but the patterns match %d: %s and %s", len(sources), sources[0].pkg.Path, sources[1].pkg.Path).
			WithHelp("run aiongen once for each package, each into a directory of its own")
		return nil
	}
	g.check(ctx, sources)
	return sources
}

// shown is a path as messages show it.
func (g *generator) shown(path string) string { return load.Relative(g.load.Dir, path) }

// source is a package that takes part, with its .aion files in name order.
type source struct {
	pkg  *load.Package
	docs []*aion.Document
}

// find lists the packages that take part: those with .aion files, or with files
// that were generated from .aion files.
func (g *generator) find(ctx context.Context) []*source {
	patterns := g.cfg.patterns()
	pkgs, err := load.Find(ctx, g.load, patterns...)
	if err != nil {
		g.faults.Errorf("go-list", diag.Span{}, "%v", err).SplitMessage()
		return nil
	}
	var sources []*source
	for _, p := range pkgs {
		if s := g.source(ctx, p, wanted(patterns)); s != nil {
			sources = append(sources, s)
		}
	}
	g.orphans(ctx, patterns, pkgs)
	return sources
}

// wanted reports whether packages were named as such, not through a wildcard.
func wanted(patterns []string) bool {
	return !slices.ContainsFunc(patterns, func(pattern string) bool { return strings.Contains(pattern, "...") })
}

// source reads the .aion files of a package; nil if it takes no part.
func (g *generator) source(ctx context.Context, p *load.Package, wanted bool) *source {
	f := g.folder(p.Dir)
	switch {
	case len(f.aion) == 0 && len(f.generated) == 0 && wanted:
		g.nothing(p)
		return nil
	case len(f.aion) == 0 && len(f.generated) == 0:
		return nil
	case len(f.aion) > 0 && p.Empty():
		g.noGoFiles(ctx, p.Dir)
		return nil
	}
	s := &source{pkg: p}
	for _, name := range f.aion {
		if doc := g.parse(filepath.Join(p.Dir, name)); doc != nil {
			s.docs = append(s.docs, doc)
		}
	}
	g.faults = append(g.faults, aion.Check(s.docs...)...)
	return s
}

func (g *generator) parse(path string) *aion.Document {
	name := g.shown(path)
	if help := badName(filepath.Base(path)); help != "" {
		g.faults.Errorf("bad-file-name", diag.Span{File: name}, "a Go file cannot be generated for the name %s", filepath.Base(path)).WithHelp("%s", help)
		return nil
	}
	src, err := regular.ReadFile(path)
	if err != nil {
		g.faults = append(g.faults, unreadable(name, err)...)
		return nil
	}
	doc, faults := aion.Parse(name, src)
	g.faults = append(g.faults, faults...)
	return doc
}

// orphans reports directories below a ./... pattern that hold .aion files but no
// Go files, so that the go command does not list them.
func (g *generator) orphans(ctx context.Context, patterns []string, pkgs []*load.Package) {
	listed := map[string]bool{}
	for _, p := range pkgs {
		listed[p.Dir] = true
	}
	for _, pattern := range patterns {
		prefix, wildcard := strings.CutSuffix(pattern, "...")
		if !wildcard || !build.IsLocalImport(strings.TrimSuffix(prefix, "/")) {
			continue
		}
		root := filepath.Join(g.load.Dir, filepath.FromSlash(prefix))
		filepath.WalkDir(root, func(dir string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() {
				return nil
			}
			if dir != root && ignored(dir) {
				return filepath.SkipDir
			}
			if len(g.folder(dir).aion) > 0 && !listed[dir] {
				listed[dir] = true
				g.noGoFiles(ctx, dir)
			}
			return nil
		})
	}
}

// ignored reports whether the go command's wildcards pass over a directory.
func ignored(dir string) bool {
	name := filepath.Base(dir)
	if name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func (g *generator) nothing(p *load.Package) {
	if len(p.Errors) > 0 {
		g.faults.Errorf("go-list", diag.Span{}, "%v", p.Errors[0]).SplitMessage()
		return
	}
	g.faults.Errorf("no-aion-files", diag.Span{}, "package %s has no .aion files", p.Path).
		WithHelp("write one, such as tools.aion, in %s", g.shown(p.Dir))
}

// noGoFiles reports a directory with .aion files that the go command finds no Go
// files in, and why, as far as it says.
func (g *generator) noGoFiles(ctx context.Context, dir string) {
	at := diag.Span{File: g.shown(filepath.Join(dir, g.folder(dir).aion[0]))}
	if reason := load.Reason(ctx, g.load, dir); reason != "" && !strings.HasPrefix(reason, "no Go files") {
		d := g.faults.Errorf("no-go-files", at, "the go command finds no Go files beside it: %s", strings.TrimSuffix(reason, " in "+dir)).SplitMessage()
		if strings.HasPrefix(reason, "build constraints") {
			d.WithHelp("name the build tags that its Go files want: -tags name")
		}
		return
	}
	g.faults.Errorf("no-go-files", at, "its directory has no Go files that could hold the functions, tests aside").
		WithHelp("add a Go file that begins with: package %s", packageName(filepath.Base(dir)))
}

// check type-checks the packages that have something to bind.
func (g *generator) check(ctx context.Context, sources []*source) {
	var pkgs []*load.Package
	for _, s := range sources {
		if len(s.docs) > 0 {
			pkgs = append(pkgs, s.pkg)
		}
	}
	if err := load.Check(ctx, g.load, pkgs...); err != nil {
		g.faults.Errorf("go-list", diag.Span{}, "%v", err).SplitMessage()
	}
}

// compile binds and prints one package, and adds what that changes on disk.
func (g *generator) compile(s *source, result *Result) {
	target, ok := g.target(s)
	if !ok {
		return
	}
	var files []emit.File
	if m, ok := g.bind(s, target.Target); ok {
		printed, err := emit.Files(m)
		if err != nil {
			g.faults.Errorf("internal", diag.Span{}, "generated code that does not parse: %v", err).
				WithHelp("this is a mistake in aiongen; please report it with the .aion file")
			return
		}
		files = printed
		result.Tools = append(result.Tools, s.contracts(m)...)
	}
	if g.faults.Err() == nil {
		g.compare(target, files, result)
	}
}

// bind binds one package, if it has anything to bind and that is sound.
func (g *generator) bind(s *source, target bind.Target) (*model.Package, bool) {
	if len(s.docs) == 0 || s.pkg.Types == nil {
		return nil, false
	}
	m, faults := bind.Bind(s.pkg, s.docs, target)
	faults.Sort()
	g.faults = append(g.faults, aion.First(faults)...)
	return m, g.faults.Err() == nil
}
