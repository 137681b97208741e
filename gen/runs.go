package gen

import (
	"cmp"
	"iter"
	"maps"
	"path/filepath"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// maxRuns limits the number of go:generate lines of a package that run aiongen.
const maxRuns = 64

// planRuns returns the runs that generate a package. Without flags, each go:generate line of the package
// is a run. If the command line sets -o or -tags, only the lines with the same value are runs. If there is
// no such line, -o causes one run with the tags of the first line, and -tags causes a run for the output
// of each line.
func (f *finder) planRuns(p *load.Package) []packageRun {
	flags := packageRun{Package: p, Tags: f.cfg.Tags, Output: f.outputDir(), OutputIsAbsolute: filepath.IsAbs(f.cfg.Output)}
	runs := f.readRuns(p)
	if len(runs) > maxRuns {
		f.Faults.Errorf("too-large", runs[maxRuns].Directive, "package %s has more than %d go:generate lines for aiongen", p.Path, maxRuns).
			WithHelp("use one line for all packages, with ./..., or delete duplicate lines")
		runs = nil
	}
	if len(runs) == 0 {
		return []packageRun{flags}
	}
	if flags.Output != "" {
		runs = preferRuns(runs, 1, func(r packageRun) bool { return load.ResolveLinks(r.Output) == load.ResolveLinks(flags.Output) })
	}
	if flags.Tags != "" {
		runs = preferRuns(runs, len(runs), func(r packageRun) bool { return r.Tags == flags.Tags })
	}
	var distinct []packageRun
	for _, r := range runs {
		r.Tags = cmp.Or(flags.Tags, r.Tags)
		if flags.Output != "" || f.ignoreOutput {
			r.Output, r.OutputIsAbsolute = flags.Output, flags.OutputIsAbsolute
		}
		if !slices.ContainsFunc(distinct, func(d packageRun) bool { return d.Tags == r.Tags && d.Output == r.Output }) {
			distinct = append(distinct, r)
		}
	}
	return distinct
}

// outputDir returns the absolute output directory of the command line, or "".
func (f *finder) outputDir() string {
	if f.cfg.Output == "" || filepath.IsAbs(f.cfg.Output) {
		return f.cfg.Output
	}
	return filepath.Join(f.Load.Dir, f.cfg.Output)
}

// preferRuns returns the runs for which match is true, or the first n if there are none.
func preferRuns(runs []packageRun, n int, match func(packageRun) bool) []packageRun {
	if slices.ContainsFunc(runs, match) {
		return slices.DeleteFunc(runs, func(r packageRun) bool { return !match(r) })
	}
	return runs[:n]
}

// readRuns returns the runs in the go:generate lines of a package.
func (f *finder) readRuns(p *load.Package) (runs []packageRun) {
	for _, d := range p.Directives(f.cfg.Tags, f.Folders.IsGenerated) {
		if r, ok := f.newRun(p, d); ok {
			runs = append(runs, r)
		}
	}
	return runs
}

// newRun returns the run of a go:generate line. If the line names a directory outside of its
// module, newRun adds a diagnostic and returns false.
func (f *finder) newRun(p *load.Package, d load.Directive) (packageRun, bool) {
	at := diag.Pos{Line: d.Line, Column: 1}
	r := packageRun{Package: p, Tags: d.Tags, Output: d.Output, OutputIsAbsolute: filepath.IsAbs(d.Output), Directive: diag.Span{File: f.shownPath(d.File), Start: at, End: at}}
	if r.Output != "" && !filepath.IsAbs(r.Output) {
		r.Output = filepath.Join(d.Dir, r.Output)
	}
	// Go files of other authors must not cause writes outside of their module.
	if r.Output != "" && p.Module != "" && f.outputDir() == "" && !f.ignoreOutput && !load.IsWithin(p.Module, r.Output) {
		f.Faults.Errorf("bad-output", r.Directive, "-o %s is outside of the module of package %s", d.Output, p.Path).
			WithHelp("if this is intended, run: go tool aiongen -o %s %s", f.shownPath(r.Output), p.Path)
		return packageRun{}, false
	}
	return r, true
}

// A loadGroup identifies runs that are loaded together.
type loadGroup struct {
	nth  int // index among the runs of a package, because runs of the same package are loaded separately
	tags string
}

// groupRuns groups the runs of packages, in a deterministic order.
func (f *finder) groupRuns(pkgs []*load.Package) iter.Seq2[loadGroup, []packageRun] {
	runs := map[loadGroup][]packageRun{}
	for _, p := range pkgs {
		for i, r := range f.planRuns(p) {
			group := loadGroup{i, r.Tags}
			r.Repeated = i > 0
			runs[group] = append(runs[group], r)
		}
	}
	order := slices.SortedFunc(maps.Keys(runs), func(a, b loadGroup) int {
		return cmp.Or(cmp.Compare(a.nth, b.nth), cmp.Compare(a.tags, b.tags))
	})
	return func(yield func(loadGroup, []packageRun) bool) {
		for _, group := range order {
			if !yield(group, runs[group]) {
				return
			}
		}
	}
}
