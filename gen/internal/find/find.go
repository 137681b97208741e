package find

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
	"github.com/aiongen/aiongen/gen/internal/failure"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/internal/budget"
)

// A Source is a package that takes part, with its .aion files in name order, and how
// it is generated.
type Source struct {
	Run
	Docs  []*aion.Document
	Bound []bind.Bound // once it is bound

	Budget *budget.Budget // limits the work for the package
	Failed bool           // Finder.Failures says why it cannot be compiled

	says   *godoc.Reader // of its source
	unread error         // it could not be read
}

// A Run is one way in which a package is generated.
type Run struct {
	Package *load.Package
	Again   bool // it is not the first of the package
	Tags    string
	Output  string    // absolute directory; "" is that of the package
	Linked  bool      // the directory was named by an absolute path, which may lead through a link
	Line    diag.Span // the go:generate line that says so; none for the command line
}

// Sources finds the packages that take part, and type-checks those that have
// something to bind.
func (f *Finder) Sources(ctx context.Context) (sources []*Source) {
	dir, err := filepath.Abs(f.cfg.Dir)
	if err == nil {
		_, err = os.ReadDir(dir)
	}
	if err != nil {
		f.Faults.Errorf("no-directory", diag.Span{}, "%v", err)
		return nil
	}
	f.Load = load.Config{Dir: dir, Tags: f.cfg.Tags, Env: f.cfg.Env, Generated: f.Folders.IsGenerated, Imports: f.cfg.Output != "", Overlay: f.cfg.Files, Memory: f.cfg.Memory}
	pkgs := f.find(ctx)
	if f.cfg.Output != "" && len(pkgs) > 1 {
		f.Faults.Errorf("many-packages", diag.Span{}, "-o takes one package, but the patterns match %d: %s and %s", len(pkgs), pkgs[0].Path, pkgs[1].Path).
			WithHelp("run aiongen once for each package, each into a directory of its own")
		return nil
	}
	for r, runs := range f.rounds(pkgs) {
		sources = append(sources, f.round(ctx, r, runs)...)
	}
	slices.SortStableFunc(sources, func(a, b *Source) int { return strings.Compare(a.Package.Path, b.Package.Path) })
	return sources
}

// round loads packages, and type-checks those that have something to bind.
func (f *Finder) round(ctx context.Context, in round, runs []Run) (sources []*Source) {
	cfg := f.Load
	cfg.Tags, cfg.Imports = in.tags, cfg.Imports || in.output
	if in != (round{0, f.Load.Tags, f.Load.Imports}) {
		if err := reload(ctx, cfg, runs); err != nil {
			f.Faults.Errorf("go-list", runs[0].Line, "%v", err).SplitMessage()
			return nil
		}
	}
	var parsing, reading sync.WaitGroup // of Go, beside notation; of its comments, beside types
	described := f.described(runs)
	parsing.Go(func() { load.Parse(cfg, described...) })
	for _, r := range runs {
		if s := f.source(ctx, r); s != nil {
			sources = append(sources, s)
		}
	}
	load.Recall(cfg, described...)
	parsing.Wait()
	var bound []*load.Package
	for _, s := range sources {
		f.Fail(s, s.Package.Failure)
		if len(s.Docs) > 0 && s.Package.Mixed != "" {
			s.Failed = true
			f.Failures.Errorf("mixed-packages", diag.Span{File: s.Docs[0].Name}, "%s", s.Package.Mixed).
				WithHelp("move the files of one of them to a directory of its own")
		}
		if len(s.Docs) > 0 && !s.Failed {
			s.Package.Named, s.says = named(s.Docs), godoc.NewReader(s.Package)
			reading.Go(func() { s.unread = failure.Catch(s.says.Ahead) })
			bound = append(bound, s.Package)
		}
	}
	if err := load.Check(ctx, cfg, bound...); err != nil {
		f.Faults.Errorf("go-list", diag.Span{}, "%v", err).SplitMessage()
	}
	reading.Wait()
	for _, s := range sources {
		f.Fail(s, cmp.Or(s.Package.Failure, s.unread))
	}
	return sources
}

// described are the packages that have .aion files.
func (f *Finder) described(runs []Run) (pkgs []*load.Package) {
	for _, r := range runs {
		if len(f.Folders.At(r.Package.Dir).Aion) > 0 {
			pkgs = append(pkgs, r.Package)
		}
	}
	return pkgs
}

// named are import paths that function texts name.
func named(docs []*aion.Document) (paths []string) {
	for _, doc := range docs {
		for _, el := range doc.Elements {
			if el.Function != nil {
				paths = append(paths, resolve.Named(el.Function.Text.Value)...)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// reload finds the packages again, as they are with other flags.
func reload(ctx context.Context, cfg load.Config, runs []Run) error {
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

// source reads the .aion files of a package; nil if that cannot be.
func (f *Finder) source(ctx context.Context, r Run) *Source {
	in := f.Folders.At(r.Package.Dir)
	if len(in.Aion) > 0 && r.Package.Empty() {
		f.noGoFiles(ctx, r.Package.Dir)
		return nil
	}
	s := &Source{Run: r, Budget: budget.New(ctx)}
	f.RunStage(s, func() { f.documents(s, in) })
	return s
}

// documents reads the .aion files of a package in a folder.
func (f *Finder) documents(s *Source, in *folder.Folder) {
	for _, name := range in.Aion {
		if other, ok := folder.Alike(name, in.Aion); ok && other < name {
			f.Faults.Errorf("bad-file-name", diag.Span{File: f.Shown(filepath.Join(s.Package.Dir, name))}, "its name and %s differ by case only, as would those of the Go files generated for them", other).
				WithHelp("rename one of them")
			continue
		}
		if doc := f.parse(s, filepath.Join(s.Package.Dir, name)); doc != nil {
			s.Docs = append(s.Docs, doc)
		}
	}
	f.Faults = append(f.Faults, aion.Check(s.Docs...)...)
}

// bytesPerStep is how much of an .aion file a step reads: about a token.
const bytesPerStep = 8

func (f *Finder) parse(s *Source, path string) *aion.Document {
	name := f.Shown(path)
	if help := folder.BadName(filepath.Base(path)); help != "" {
		f.Faults.Errorf("bad-file-name", diag.Span{File: name}, "a Go file cannot be generated for the name %s", filepath.Base(path)).WithHelp("%s", help)
		return nil
	}
	src, err := f.cfg.Files.ReadFile(path)
	if err != nil {
		f.Faults = append(f.Faults, folder.Unreadable(name, err)...)
		return nil
	}
	f.Texts[path] = src
	s.Budget.Text(len(src))
	s.Budget.Step(1 + len(src)/bytesPerStep)
	doc, faults := aion.Parse(name, src)
	f.Faults = append(f.Faults, faults...)
	return doc
}

// Bind binds one package, if it has anything to bind and that is sound.
func (f *Finder) Bind(s *Source, target gotype.Target) (*model.Package, bool) {
	if s.Failed || len(s.Docs) == 0 || s.Package.Types == nil {
		return nil, false
	}
	var m *model.Package
	var faults diag.List
	err := failure.Catch(func() {
		m, s.Bound, faults = bind.Bind(s.Budget, s.Package, s.says, s.Docs, target)
	})
	for _, d := range faults {
		if failure.Is(d) {
			f.Failures = append(f.Failures, d)
			s.Failed = true
		} else {
			f.Faults = append(f.Faults, d)
		}
	}
	f.Fail(s, cmp.Or(err, s.Budget.Err()))
	return m, !s.Failed && f.Faults.Err() == nil
}

// RunStage runs a stage of compiling a package and reports whether the package is still
// sound. A panic or a used-up budget is reported in Failures.
func (f *Finder) RunStage(s *Source, stage func()) bool {
	err := failure.Catch(stage)
	f.Fail(s, cmp.Or(err, s.Budget.Err()))
	return !s.Failed
}

// Fail reports the error of a stage, unless it is nil or the package has failed before.
func (f *Finder) Fail(s *Source, err error) {
	if err == nil || s.Failed {
		return
	}
	s.Failed = true
	var at diag.Span
	if len(s.Docs) > 0 {
		at.File = s.Docs[0].Name
	}
	failure.Report(&f.Failures, s.Package.Path, at, err)
}
