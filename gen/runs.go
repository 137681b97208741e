package gen

import (
	"bytes"
	"cmp"
	"context"
	"go/build"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/directive"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/internal/regular"
)

// A run is one way in which a package is generated.
type run struct {
	pkg    *load.Package
	again  bool // it is not the first of the package
	tags   string
	output string    // absolute directory; "" is that of the package
	linked bool      // the directory was named by an absolute path, which may lead through a link
	line   diag.Span // the go:generate line that says so; none for the command line
}

// runs returns how a package is generated: as its go:generate lines say, unless
// the command line says otherwise. Where that gives one of the two flags, the
// lines are meant that give it alike. If none does, the first says with which tags
// to write to a directory, and all say where to write with tags.
func (g *generator) runs(p *load.Package) []run {
	asked := run{pkg: p, tags: g.cfg.Tags, output: g.output(), linked: filepath.IsAbs(g.cfg.Output)}
	runs := g.written(p)
	if len(runs) == 0 {
		return []run{asked}
	}
	if asked.output != "" {
		runs = prefer(runs, 1, func(r run) bool { return folder.Resolved(r.output) == folder.Resolved(asked.output) })
	}
	if asked.tags != "" {
		runs = prefer(runs, len(runs), func(r run) bool { return r.tags == asked.tags })
	}
	var distinct []run
	for _, r := range runs {
		r.tags = cmp.Or(asked.tags, r.tags)
		if asked.output != "" || g.anywhere {
			r.output, r.linked = asked.output, asked.linked
		}
		if !slices.ContainsFunc(distinct, func(d run) bool { return d.tags == r.tags && d.output == r.output }) {
			distinct = append(distinct, r)
		}
	}
	return distinct
}

// output is the directory that the command line names.
func (g *generator) output() string {
	if g.cfg.Output == "" || filepath.IsAbs(g.cfg.Output) {
		return g.cfg.Output
	}
	return filepath.Join(g.load.Dir, g.cfg.Output)
}

// prefer returns the runs that are alike, or the first few if none is.
func prefer(runs []run, few int, alike func(run) bool) []run {
	if slices.ContainsFunc(runs, alike) {
		return slices.DeleteFunc(runs, func(r run) bool { return !alike(r) })
	}
	return runs[:few]
}

// written returns what the go:generate lines of a package say of it, in the files
// that go generate looks at.
func (g *generator) written(p *load.Package) (runs []run) {
	built := build.Default
	built.BuildTags = append(strings.Split(g.cfg.Tags, ","), "generate")
	entries, _ := os.ReadDir(p.Dir) // one that cannot be read says nothing
	for _, e := range entries {
		path := filepath.Join(p.Dir, e.Name())
		if e.IsDir() || filepath.Ext(path) != ".go" || g.isGenerated(path) {
			continue
		}
		src, err := regular.ReadFile(path)
		if err != nil || !bytes.Contains(src, []byte("//go:generate")) {
			continue
		}
		if ok, err := built.MatchFile(p.Dir, e.Name()); !ok || err != nil {
			continue
		}
		for _, d := range directive.Read(path, p.Name, src) {
			if r, ok := g.line(p, d); ok {
				runs = append(runs, r)
			}
		}
	}
	return runs
}

// tagsOf returns the build tags that the first go:generate line of a package gives;
// "" if none does.
func tagsOf(p *load.Package) string {
	g := newGenerator(Config{})
	g.anywhere = true
	for _, r := range g.written(p) {
		return r.tags
	}
	return ""
}

// line returns what a go:generate line says of the package that it stands in, if
// it speaks of that.
func (g *generator) line(p *load.Package, d directive.Run) (run, bool) {
	at := diag.Pos{Line: d.Line, Column: 1}
	r := run{pkg: p, tags: d.Tags, output: d.Output, linked: filepath.IsAbs(d.Output), line: diag.Span{File: g.shown(d.File), Start: at, End: at}}
	if len(d.Patterns) == 0 {
		d.Patterns = []string{"."}
	}
	if !slices.ContainsFunc(d.Patterns, func(pattern string) bool { return matches(pattern, d.Dir, p) }) {
		return run{}, false
	}
	if r.output != "" && !filepath.IsAbs(r.output) {
		r.output = filepath.Join(d.Dir, r.output)
	}
	// What other people's Go files say must not write anywhere.
	if r.output != "" && p.Module != "" && g.output() == "" && !g.anywhere && !folder.Within(p.Module, r.output) {
		g.faults.Errorf("bad-output", r.line, "-o %s leads out of the module of package %s", d.Output, p.Path).
			WithHelp("where that is meant, name it on the command line: aiongen -o %s %s", g.shown(r.output), p.Path)
		return run{}, false
	}
	return r, true
}

// A round has what packages that are loaded together have in common.
type round struct {
	nth    int // of the runs of each package, which must not share what is loaded
	tags   string
	output bool // into another package
}

// rounds returns the runs of packages, in an order that is always the same.
func (g *generator) rounds(pkgs []*load.Package) iter.Seq2[round, []run] {
	runs := map[round][]run{}
	for _, p := range pkgs {
		for i, r := range g.runs(p) {
			in := round{i, r.tags, r.output != ""}
			r.again = i > 0
			runs[in] = append(runs[in], r)
		}
	}
	order := slices.SortedFunc(maps.Keys(runs), func(a, b round) int {
		return cmp.Or(cmp.Compare(a.nth, b.nth), cmp.Compare(a.tags, b.tags), cmp.Compare(len(runs[a][0].output), len(runs[b][0].output)))
	})
	return func(yield func(round, []run) bool) {
		for _, in := range order {
			if !yield(in, runs[in]) {
				return
			}
		}
	}
}

// round loads packages, and type-checks those that have something to bind.
func (g *generator) round(ctx context.Context, in round, runs []run) (sources []*source) {
	cfg := g.load
	cfg.Tags, cfg.Imports = in.tags, cfg.Imports || in.output
	if in != (round{0, g.load.Tags, g.load.Imports}) {
		if err := reload(ctx, cfg, runs); err != nil {
			g.faults.Errorf("go-list", runs[0].line, "%v", err).SplitMessage()
			return nil
		}
	}
	var bound []*load.Package
	for _, r := range runs {
		s := g.source(ctx, r)
		if s == nil {
			continue
		}
		sources = append(sources, s)
		if len(s.docs) > 0 {
			bound = append(bound, s.pkg)
		}
	}
	if err := load.Check(ctx, cfg, bound...); err != nil {
		g.faults.Errorf("go-list", diag.Span{}, "%v", err).SplitMessage()
	}
	return sources
}

// reload finds the packages again, as they are with other flags.
func reload(ctx context.Context, cfg load.Config, runs []run) error {
	var dirs []string
	for _, r := range runs {
		dirs = append(dirs, r.pkg.Dir)
	}
	pkgs, err := load.Find(ctx, cfg, dirs...)
	if err != nil {
		return err
	}
	for i, r := range runs {
		if j := slices.IndexFunc(pkgs, func(p *load.Package) bool { return p.Dir == r.pkg.Dir }); j >= 0 {
			runs[i].pkg = pkgs[j]
		}
	}
	return nil
}
