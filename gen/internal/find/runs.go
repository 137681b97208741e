package find

import (
	"bytes"
	"cmp"
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

// maxRuns limits how many go:generate lines of a package name aiongen: each is a run.
const maxRuns = 64

// runs returns how a package is generated: as its go:generate lines say, unless
// the command line says otherwise. Where that gives one of the two flags, the
// lines are meant that give it alike. If none does, the first says with which tags
// to write to a directory, and all say where to write with tags.
func (f *Finder) runs(p *load.Package) []Run {
	asked := Run{Package: p, Tags: f.cfg.Tags, Output: f.output(), Linked: filepath.IsAbs(f.cfg.Output)}
	runs := f.written(p)
	if len(runs) > maxRuns {
		f.Faults.Errorf("too-large", runs[maxRuns].Line, "package %s has more than %d go:generate lines for aiongen", p.Path, maxRuns).
			WithHelp("name all packages in one line, ./..., or delete the lines that say the same")
		runs = nil
	}
	if len(runs) == 0 {
		return []Run{asked}
	}
	if asked.Output != "" {
		runs = prefer(runs, 1, func(r Run) bool { return folder.Resolved(r.Output) == folder.Resolved(asked.Output) })
	}
	if asked.Tags != "" {
		runs = prefer(runs, len(runs), func(r Run) bool { return r.Tags == asked.Tags })
	}
	var distinct []Run
	for _, r := range runs {
		r.Tags = cmp.Or(asked.Tags, r.Tags)
		if asked.Output != "" || f.cfg.Anywhere {
			r.Output, r.Linked = asked.Output, asked.Linked
		}
		if !slices.ContainsFunc(distinct, func(d Run) bool { return d.Tags == r.Tags && d.Output == r.Output }) {
			distinct = append(distinct, r)
		}
	}
	return distinct
}

// output is the directory that the command line names.
func (f *Finder) output() string {
	if f.cfg.Output == "" || filepath.IsAbs(f.cfg.Output) {
		return f.cfg.Output
	}
	return filepath.Join(f.Load.Dir, f.cfg.Output)
}

// prefer returns the runs that are alike, or the first few if none is.
func prefer(runs []Run, few int, alike func(Run) bool) []Run {
	if slices.ContainsFunc(runs, alike) {
		return slices.DeleteFunc(runs, func(r Run) bool { return !alike(r) })
	}
	return runs[:few]
}

// written returns what the go:generate lines of a package say of it, in the files
// that go generate looks at.
func (f *Finder) written(p *load.Package) (runs []Run) {
	built := build.Default
	built.BuildTags = append(strings.Split(f.cfg.Tags, ","), "generate")
	entries, _ := os.ReadDir(p.Dir) // one that cannot be read says nothing
	for _, e := range entries {
		path := filepath.Join(p.Dir, e.Name())
		if e.IsDir() || filepath.Ext(path) != ".go" || f.Folders.IsGenerated(path) {
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
			if r, ok := f.line(p, d); ok {
				runs = append(runs, r)
			}
		}
	}
	return runs
}

// TagsOf returns the build tags that the first go:generate line of a package gives;
// "" if none does.
func TagsOf(p *load.Package) string {
	f := New(Config{Anywhere: true})
	for _, r := range f.written(p) {
		return r.Tags
	}
	return ""
}

// line returns what a go:generate line says of the package that it stands in, if
// it speaks of that.
func (f *Finder) line(p *load.Package, d directive.Run) (Run, bool) {
	at := diag.Pos{Line: d.Line, Column: 1}
	r := Run{Package: p, Tags: d.Tags, Output: d.Output, Linked: filepath.IsAbs(d.Output), Line: diag.Span{File: f.Shown(d.File), Start: at, End: at}}
	if len(d.Patterns) == 0 {
		d.Patterns = []string{"."}
	}
	if !slices.ContainsFunc(d.Patterns, func(pattern string) bool { return matches(pattern, d.Dir, p) }) {
		return Run{}, false
	}
	if r.Output != "" && !filepath.IsAbs(r.Output) {
		r.Output = filepath.Join(d.Dir, r.Output)
	}
	// What other people's Go files say must not write anywhere.
	if r.Output != "" && p.Module != "" && f.output() == "" && !f.cfg.Anywhere && !folder.Within(p.Module, r.Output) {
		f.Faults.Errorf("bad-output", r.Line, "-o %s leads out of the module of package %s", d.Output, p.Path).
			WithHelp("where that is meant, name it on the command line: aiongen -o %s %s", f.Shown(r.Output), p.Path)
		return Run{}, false
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
func (f *Finder) rounds(pkgs []*load.Package) iter.Seq2[round, []Run] {
	runs := map[round][]Run{}
	for _, p := range pkgs {
		for i, r := range f.runs(p) {
			in := round{i, r.Tags, r.Output != ""}
			r.Again = i > 0
			runs[in] = append(runs[in], r)
		}
	}
	order := slices.SortedFunc(maps.Keys(runs), func(a, b round) int {
		return cmp.Or(cmp.Compare(a.nth, b.nth), cmp.Compare(a.tags, b.tags), cmp.Compare(len(runs[a][0].Output), len(runs[b][0].Output)))
	})
	return func(yield func(round, []Run) bool) {
		for _, in := range order {
			if !yield(in, runs[in]) {
				return
			}
		}
	}
}
