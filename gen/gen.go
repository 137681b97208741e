// Package gen compiles the .aion files of Go packages into Go: it finds the
// packages, drives the stages from text to files, and compares the outcome with
// what is on disk. Nothing is written unless the whole run is free of errors.
package gen

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/gen/internal/emit"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/regular"
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
	g := newGenerator(cfg)
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

// Promises returns what [Tools] does, and the prompts of the packages.
func Promises(ctx context.Context, cfg Config) (contract.Promises, diag.List) {
	return newGenerator(cfg).promises(ctx)
}

func (g *generator) promises(ctx context.Context) (promises contract.Promises, faults diag.List) {
	g.cfg.Output, g.anywhere = "", true
	for _, s := range g.sources(ctx) {
		if m, ok := g.bind(s, bind.Target{Path: s.pkg.Path, Name: s.pkg.Name}); ok {
			promises.Tools = s.addContracts(promises.Tools, m)
			if !s.again { // tags change no prompts
				promises.Prompts = append(promises.Prompts, s.prompts(m)...)
			}
		}
	}
	g.faults.Sort()
	if g.faults.Err() != nil {
		return contract.Promises{}, g.faults
	}
	return promises, g.faults
}

type generator struct {
	cfg      Config
	anywhere bool // it does not matter where to
	past     bool // patterns may match nothing, as there was nothing yet
	load     load.Config
	folders  map[string]*folder.Folder // by directory
	taken    map[string]*source        // by the directory that it is generated into
	faults   diag.List
}

func newGenerator(cfg Config) *generator {
	return &generator{cfg: cfg, folders: map[string]*folder.Folder{}, taken: map[string]*source{}}
}

// source is a package that takes part, with its .aion files in name order, and how
// it is generated.
type source struct {
	run
	docs []*aion.Document
}

// sources finds the packages that take part, and type-checks those that have
// something to bind.
func (g *generator) sources(ctx context.Context) (sources []*source) {
	dir, err := filepath.Abs(g.cfg.Dir)
	if err == nil {
		_, err = os.ReadDir(dir)
	}
	if err != nil {
		g.faults.Errorf("no-directory", diag.Span{}, "%v", err)
		return nil
	}
	g.load = load.Config{Dir: dir, Tags: g.cfg.Tags, Generated: g.isGenerated, Imports: g.cfg.Output != ""}
	pkgs := g.find(ctx)
	if g.cfg.Output != "" && len(pkgs) > 1 {
		g.faults.Errorf("many-packages", diag.Span{}, "-o takes one package, but the patterns match %d: %s and %s", len(pkgs), pkgs[0].Path, pkgs[1].Path).
			WithHelp("run aiongen once for each package, each into a directory of its own")
		return nil
	}
	for r, runs := range g.rounds(pkgs) {
		sources = append(sources, g.round(ctx, r, runs)...)
	}
	slices.SortStableFunc(sources, func(a, b *source) int { return strings.Compare(a.pkg.Path, b.pkg.Path) })
	return sources
}

// shown is a path as messages show it.
func (g *generator) shown(path string) string { return load.Relative(g.load.Dir, path) }

// source reads the .aion files of a package; nil if that cannot be.
func (g *generator) source(ctx context.Context, r run) *source {
	f := g.folder(r.pkg.Dir)
	if len(f.Aion) > 0 && r.pkg.Empty() {
		g.noGoFiles(ctx, r.pkg.Dir)
		return nil
	}
	s := &source{run: r}
	for _, name := range f.Aion {
		if other, ok := folder.Alike(name, f.Aion); ok && other < name {
			g.faults.Errorf("bad-file-name", diag.Span{File: g.shown(filepath.Join(r.pkg.Dir, name))}, "its name and %s differ by case only, as would those of the Go files generated for them", other).
				WithHelp("rename one of them")
			continue
		}
		if doc := g.parse(filepath.Join(r.pkg.Dir, name)); doc != nil {
			s.docs = append(s.docs, doc)
		}
	}
	g.faults = append(g.faults, aion.Check(s.docs...)...)
	return s
}

func (g *generator) parse(path string) *aion.Document {
	name := g.shown(path)
	if help := folder.BadName(filepath.Base(path)); help != "" {
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

// compile binds and prints one package, and adds what that changes on disk.
func (g *generator) compile(s *source, result *Result) {
	target, ok := g.target(s)
	if !ok || !g.claim(target.dir, s) {
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
		result.Tools = s.addContracts(result.Tools, m)
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
