package output

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// A RunConfig identifies runs that have the same outcome if no file changes.
type RunConfig struct {
	Folder   string   // directory of the cache; "" for none
	Dir      string   // absolute
	Patterns []string // packages
	Options  []string // other settings that affect the outcome
}

// A RunOutcome is what a successful run reports.
type RunOutcome struct {
	Faults diag.List
	Costs  []string // messages of notes about limits of Go types, such as fields that encoding/json drops
}

// A CachedRun is a run whose outcome may be in the cache. A nil *CachedRun, for a run that
// cannot be cached, is valid.
type CachedRun struct {
	cfg       RunConfig
	work      string   // value of GOWORK
	roots     []string // possible values of GOROOT, unless the go command selects another toolchain
	entry     storeEntry
	record    runRecord
	before    snapshot
	unchanged bool
}

// BeginRun reads the record of the last run with the same configuration and checks whether
// its inputs have changed. It returns nil if the run cannot be cached.
func BeginRun(cfg RunConfig) *CachedRun {
	if cfg.Folder == "" {
		return nil
	}
	env, ok := readEnvironment()
	if !ok {
		return nil
	}
	r := &CachedRun{cfg: cfg, work: env.readSetting("GOWORK"), roots: env.roots, entry: newStoreEntry(cfg, env)}
	r.record = r.entry.readRecord()
	r.before = takeSnapshot(slices.Collect(maps.Keys(r.record.Items)))
	if r.record.Proven && r.before.matchesRecord(r.record) && r.record.isOnDisk() {
		r.unchanged = true
		return r
	}
	if in, ok := r.findInputs(); ok { // there may be new inputs
		maps.Copy(r.before, takeSnapshot(slices.DeleteFunc(in.allItems(), func(i inputItem) bool { return r.before[i] != nil || r.record.isGenerated(i) })))
	}
	return r
}

// Outcome returns the outcome of the last run, and reports whether nothing has changed
// since.
func (r *CachedRun) Outcome() (RunOutcome, bool) {
	if r == nil || !r.unchanged {
		return RunOutcome{}, false
	}
	return r.record.Outcome, true
}

// Env returns the settings of the go command from the last run if the files that affect
// them have not changed, and nil otherwise.
func (r *CachedRun) Env() load.Env {
	if r == nil || !r.record.Proven || !slices.Contains(r.roots, r.record.Env["GOROOT"]) {
		return nil
	}
	for i, sum := range r.record.Items {
		if ext := filepath.Ext(i.name); i.kind != fileContent || ext != ".mod" && ext != ".work" {
			continue
		}
		if now := r.before[i]; !now.exists || now.sum != sum {
			return nil
		}
	}
	return r.record.Env
}

// Save stores the outcome of the run after its files have been written. It needs the generated files by
// absolute path, the directories of the imported packages that can change, and the settings of the go
// command. If an input has changed during the run, the outcome is not used again. The record then only
// lists the inputs that the next run has to compare. Failing to save is not an error.
func (r *CachedRun) Save(generated map[string][]byte, packages []string, env load.Env, outcome RunOutcome) {
	if r == nil {
		return
	}
	in, ok := r.findInputs()
	if !ok {
		return
	}
	for _, dir := range packages {
		in.addSources(dir)
	}
	for path := range generated {
		in.addDir(filepath.Dir(path))
	}
	for path := range generated { // addDir has added it
		delete(in.items, inputItem{fileContent, path})
	}
	next := runRecord{Outcome: outcome, Env: env, Generated: hashFiles(generated)}
	after := takeSnapshot(in.allItems())
	next.Items = after.hashItems(next.Generated)
	next.Proven = next.isOnDisk() && r.before.confirms(after, next.Generated)
	r.entry.writeRecord(next)
}

// findInputs returns the inputs that follow from the patterns, without imported packages.
// It reports false if only the go command can resolve a pattern.
func (r *CachedRun) findInputs() (*inputs, bool) {
	in := newInputs(r.work)
	in.addLink(r.cfg.Dir)
	for _, pattern := range r.cfg.Patterns {
		if !in.addPattern(r.cfg.Dir, pattern) {
			return in, false
		}
	}
	return in, in.inModule
}
