package gen

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// A sourcePackage is a package to compile, with its .aion files in name order.
type sourcePackage struct {
	packageRun
	Docs  []*aion.Document
	Bound []bind.Reference // set by bindPackage
	Model *model.Package   // set by bindPackage; it contains only elements without errors

	Budget *budget.Budget // limits the work for the package
	Failed bool           // the package cannot be compiled; finder.Failures has the reason

	docs    *source.DocReader // Go comments of the package and its imports
	docsErr error             // error of reading the comments
}

// A packageRun is one run of aiongen for a package, with its build tags and output directory.
type packageRun struct {
	Package          *load.Package
	Repeated         bool // not the first run of the package
	Tags             string
	Output           string    // absolute path of the output directory; "" for the directory of the package
	OutputIsAbsolute bool      // Output was given as an absolute path, which may contain symbolic links
	Directive        diag.Span // the go:generate line; the zero Span for the command line
}

// findSources returns the packages to compile, sorted by import path. It type-checks those that
// have .aion files.
func (f *finder) findSources(ctx context.Context) (sources []*sourcePackage) {
	dir, err := filepath.Abs(f.cfg.Dir)
	if err == nil {
		_, err = os.ReadDir(dir)
	}
	if err != nil {
		f.Faults.Errorf("no-directory", diag.Span{}, "%v", err)
		return nil
	}
	f.Load = load.Config{Dir: dir, Tags: f.cfg.Tags, Env: f.env, Generated: f.Folders.IsGenerated, Overlay: f.files, Memory: f.memory}
	pkgs := f.findPackages(ctx)
	if f.cfg.Output != "" && len(pkgs) > 1 {
		f.Faults.Errorf("many-packages", diag.Span{}, "-o takes one package, but the patterns match %d: %s and %s", len(pkgs), pkgs[0].Path, pkgs[1].Path).
			WithHelp("run go tool aiongen once for each package, with a separate directory for each")
		return nil
	}
	for group, runs := range f.groupRuns(pkgs) {
		sources = append(sources, f.loadRound(ctx, group, runs)...)
	}
	slices.SortStableFunc(sources, func(a, b *sourcePackage) int { return strings.Compare(a.Package.Path, b.Package.Path) })
	return sources
}

// loadRound loads the packages of a group, and type-checks those that have .aion files. To save
// time, it parses Go files and .aion files concurrently, and reads Go comments while it
// type-checks.
func (f *finder) loadRound(ctx context.Context, group loadGroup, runs []packageRun) (sources []*sourcePackage) {
	cfg := f.Load
	cfg.Tags = group.tags
	if group != (loadGroup{0, f.Load.Tags}) {
		if err := reloadPackages(ctx, cfg, runs); err != nil {
			f.Faults.Errorf("go-list", runs[0].Directive, "%v", err).SplitMessage()
			return nil
		}
	}
	var parsing, reading sync.WaitGroup
	withFiles := f.withAionFiles(runs)
	parsing.Go(func() { load.Parse(cfg, withFiles...) })
	for _, r := range runs {
		if s := f.readSource(ctx, r); s != nil {
			sources = append(sources, s)
		}
	}
	load.ReadCached(cfg, withFiles...)
	parsing.Wait()
	var bound []*load.Package
	for _, s := range sources {
		f.reportFailure(s, s.Package.Failure)
		if len(s.Docs) > 0 && s.Package.Mixed != nil {
			s.Failed = true
			s.Package.Mixed.Report(&f.Failures)
		}
		if len(s.Docs) > 0 && !s.Failed {
			s.Package.NamedPaths, s.docs = collectImportPaths(s.Docs), source.NewDocReader(s.Package)
			reading.Go(func() { s.docsErr = budget.Catch(s.docs.Prefetch) })
			bound = append(bound, s.Package)
		}
	}
	if err := load.Check(ctx, cfg, bound...); err != nil {
		f.Faults.Errorf("go-list", diag.Span{}, "%v", err).SplitMessage()
	}
	reading.Wait()
	for _, s := range sources {
		f.reportFailure(s, cmp.Or(s.Package.Failure, s.docsErr))
	}
	return sources
}

// withAionFiles returns the packages that have .aion files.
func (f *finder) withAionFiles(runs []packageRun) (pkgs []*load.Package) {
	for _, r := range runs {
		if len(f.Folders.Folder(r.Package.Dir).Aion) > 0 {
			pkgs = append(pkgs, r.Package)
		}
	}
	return pkgs
}

// collectImportPaths returns the import paths in the functions of documents.
func collectImportPaths(docs []*aion.Document) (paths []string) {
	for _, doc := range docs {
		for _, el := range doc.Elements {
			if el.Function != nil {
				paths = append(paths, resolve.ImportPathsIn(el.Function.Text.Value)...)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// reloadPackages loads the package of each run again, with the settings cfg, which differ from those of
// the command line.
func reloadPackages(ctx context.Context, cfg load.Config, runs []packageRun) error {
	var dirs []string
	for _, r := range runs {
		dirs = append(dirs, r.Package.Dir)
	}
	pkgs, err := load.Find(ctx, cfg, dirs...)
	if err != nil {
		return err
	}
	for i, r := range runs {
		if j := slices.IndexFunc(pkgs, func(p *load.Package) bool { return p.Dir == r.Package.Dir }); j >= 0 {
			runs[i].Package = pkgs[j]
		}
	}
	return nil
}

// readSource parses the .aion files of a package. If the package has .aion files but no Go
// files, it reports an error and returns nil.
func (f *finder) readSource(ctx context.Context, r packageRun) *sourcePackage {
	folder := f.Folders.Folder(r.Package.Dir)
	if len(folder.Aion) > 0 && r.Package.IsEmpty() {
		f.reportNoGoFiles(ctx, r.Package.Dir)
		return nil
	}
	s := &sourcePackage{packageRun: r, Budget: budget.New(ctx)}
	f.runStage(s, func() { f.parseDocuments(s, folder) })
	return s
}

// parseDocuments parses the .aion files of a folder.
func (f *finder) parseDocuments(s *sourcePackage, folder *load.Folder) {
	for _, name := range folder.Aion {
		if other, ok := load.FindSameName(name, folder.Aion); ok && other < name {
			f.Faults.Errorf("bad-file-name", diag.Span{File: f.shownPath(filepath.Join(s.Package.Dir, name))}, "its name differs from %s only by case, and so would the names of the generated Go files", other).
				WithHelp("rename one of them")
			continue
		}
		if doc := f.parseDocument(s, filepath.Join(s.Package.Dir, name)); doc != nil {
			s.Docs = append(s.Docs, doc)
		}
	}
	f.Faults = append(f.Faults, aion.Check(s.Docs...)...)
}

// bytesPerStep is the number of bytes of an .aion file that count as one step of work. It is about
// the size of a token.
const bytesPerStep = 8

func (f *finder) parseDocument(s *sourcePackage, path string) *aion.Document {
	name := f.shownPath(path)
	if help := load.CheckFileName(filepath.Base(path)); help != "" {
		f.Faults.Errorf("bad-file-name", diag.Span{File: name}, "cannot generate a Go file for the name %s", filepath.Base(path)).WithHelp("%s", help)
		return nil
	}
	src, err := f.files.ReadFile(path)
	if err != nil {
		f.Faults = append(f.Faults, load.ReportUnreadable(name, err)...)
		return nil
	}
	f.Texts[path] = src
	s.Budget.UseBytes(len(src))
	s.Budget.UseSteps(1 + len(src)/bytesPerStep)
	doc, faults := aion.Parse(name, src)
	f.Faults = append(f.Faults, faults...)
	return doc
}

// bindPackage binds one package. It returns false if there is nothing to bind, if binding
// failed, or if this or an earlier package has errors.
func (f *finder) bindPackage(s *sourcePackage, target shape.Target) (*model.Package, bool) {
	if s.Failed || len(s.Docs) == 0 || s.Package.Types == nil {
		return nil, false
	}
	var m *model.Package
	var faults diag.List
	err := budget.Catch(func() {
		bind.SuggestFunctions(s.Package.Types, s.Docs, f.Faults)
		m, s.Bound, faults = bind.Bind(s.Budget, s.Package, s.docs, s.Docs, target)
	})
	for _, d := range faults {
		if budget.IsFailure(d) {
			f.Failures = append(f.Failures, d)
			s.Failed = true
		} else {
			f.Faults = append(f.Faults, d)
		}
	}
	f.reportFailure(s, cmp.Or(err, s.Budget.Err()))
	if !s.Failed {
		s.Model = m
	}
	return m, !s.Failed && f.Faults.Err() == nil
}

// runStage runs a stage of compiling a package and reports whether the package is still
// valid. It reports a panic or an exhausted budget in Failures.
func (f *finder) runStage(s *sourcePackage, stage func()) bool {
	err := budget.Catch(stage)
	f.reportFailure(s, cmp.Or(err, s.Budget.Err()))
	return !s.Failed
}

// reportFailure reports err, the error of a stage, and marks the package as failed. It does
// nothing if err is nil or the package has already failed.
func (f *finder) reportFailure(s *sourcePackage, err error) {
	if err == nil || s.Failed {
		return
	}
	s.Failed = true
	var at diag.Span
	if len(s.Docs) > 0 {
		at.File = s.Docs[0].Name
	}
	budget.ReportFailure(&f.Failures, s.Package.Path, at, err)
}
