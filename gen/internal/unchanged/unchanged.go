// Package unchanged knows when a run of the compiler would find all as the last one
// left it, so that it need not load anything. It goes by what files hold, not by when
// they were written; what it knows is kept in a folder of the user's, and never
// trusted over the files.
//
// Its layers, from top to bottom:
//
//	places       where what a run depends on lies
//	unchanged    a run: what the last one found, or what this one depends on
//	inputs       what that is: files, directories, links, variables
//	store        what is kept, in a folder of bounded size
//	snapshot     how inputs are at a time
//	environment  the toolchain, its settings, and this program
package unchanged

import (
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goenv"
)

// A Config says what is run.
type Config struct {
	Folder   string   // for what is kept of runs; "" is none
	Dir      string   // absolute
	Patterns []string // packages
	Options  []string // all else that the outcome depends on
}

// An Outcome is what a run without errors has to say.
type Outcome struct {
	Faults diag.List
	Costs  []string // messages of those that are notes on what types cost
}

// A Run is one that is about to begin. That of which nothing can be known is nil,
// which never is unchanged.
type Run struct {
	cfg    Config
	work   string   // GOWORK, as set
	roots  []string // of the toolchain, unless it chooses another
	entry  entry
	last   record
	before snapshot
	same   bool
}

// Begin looks at all that the last run with this Config depended on.
func Begin(cfg Config) *Run {
	if cfg.Folder == "" {
		return nil
	}
	env, ok := readEnvironment()
	if !ok {
		return nil
	}
	r := &Run{cfg: cfg, work: env.setting("GOWORK"), roots: env.roots, entry: entryOf(cfg, env)}
	r.last = r.entry.read()
	r.before = take(slices.Collect(maps.Keys(r.last.Items)))
	if r.last.Proven && r.before.holds(r.last) && r.last.stands() {
		r.same = true
		return r
	}
	if in, ok := r.inputs(); ok { // there may be more by now
		maps.Copy(r.before, take(slices.DeleteFunc(in.list(), func(i item) bool { return r.before[i] != nil || r.last.generated(i) })))
	}
	return r
}

// Outcome returns what the last run had to say, if this one would find the same.
func (r *Run) Outcome() (Outcome, bool) {
	if r == nil || !r.same {
		return Outcome{}, false
	}
	return r.last.Outcome, true
}

// Env returns what the go command said in the last run of its settings, if it would say
// the same: its environment is as it was, since Begin found a record of that run, and so
// are the files that settings stand in. Else it is nil.
func (r *Run) Env() goenv.Env {
	if r == nil || !r.last.Proven || !slices.Contains(r.roots, r.last.Env["GOROOT"]) {
		return nil
	}
	for i, sum := range r.last.Items {
		if ext := filepath.Ext(i.name); i.kind != content || ext != ".mod" && ext != ".work" {
			continue
		}
		if now := r.before[i]; !now.known || now.sum != sum {
			return nil
		}
	}
	return r.last.Env
}

// Keep keeps the outcome of the run, once its files are written: generated ones by
// their absolute paths, and the directories of all packages that were read, those of
// which no version changes aside, with the settings of the go command. What was not the
// same before the run as after it may have been read in between: then the next run will
// know no more than where to look. That something cannot be kept is no error.
func (r *Run) Keep(generated map[string][]byte, packages []string, env goenv.Env, found Outcome) {
	if r == nil {
		return
	}
	in, ok := r.inputs()
	if !ok {
		return
	}
	for _, dir := range packages {
		in.sources(dir)
	}
	for path := range generated {
		in.whole(filepath.Dir(path))
	}
	for path := range generated {
		delete(in.items, item{content, path})
	}
	var beside sync.WaitGroup
	var written bool
	next := record{Outcome: found, Env: env}
	beside.Go(func() { next.Generated = sumsOf(generated) })
	beside.Go(func() { written = areWritten(generated) })
	after := take(in.list())
	beside.Wait()
	next.Items = after.sums(next.Generated)
	next.Proven = written && r.before.proves(after, next.Generated)
	r.entry.write(next)
}

// inputs are those that can be told from the patterns: packages that are not in the
// directories that these name are not among them. It is false where others may be
// meant.
func (r *Run) inputs() (*inputs, bool) {
	in := newInputs(r.work)
	in.follow(r.cfg.Dir)
	for _, pattern := range r.cfg.Patterns {
		if !in.pattern(r.cfg.Dir, pattern) {
			return in, false
		}
	}
	return in, in.inModule
}
