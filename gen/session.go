package gen

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/output"
)

// Generate compiles packages and returns the changes that [Result.Write] would make. The result
// is empty if there are errors, with one exception: if a package cannot be compiled because of
// its size, inconsistent Go files or a bug in aiongen, the result contains the changes of the
// other packages. Diagnostics name files relative to Config.Dir.
func Generate(ctx context.Context, cfg Config) (*Result, diag.List) {
	s := NewSession(cfg)
	s.singleRun = true
	return s.Generate(ctx)
}

// A Session compiles the same packages repeatedly, for a watcher or an editor. Its results are
// those of [Generate], but it loads only files that have changed since the last run. It is not
// safe for concurrent use.
type Session struct {
	cfg       Config
	memory    *load.Memory
	texts     load.Overlay
	last      *generator // generator of the last run
	singleRun bool       // free loaded packages, because no second run follows
}

// NewSession returns a Session for cfg. It loads nothing yet.
func NewSession(cfg Config) *Session {
	return &Session{cfg: cfg, memory: load.NewMemory(), texts: load.Overlay{}}
}

// Show makes the session use text as the content of an .aion or Go file, such as an unsaved
// file in an editor. The file need not exist. The path may be relative to Config.Dir.
func (s *Session) Show(path string, text []byte) error {
	path, err := s.absolutePath(path)
	if err == nil {
		s.texts[path] = append([]byte{}, text...) // not nil, which would mean that the file does not exist
	}
	return err
}

// Hide makes the session read a file from disk again.
func (s *Session) Hide(path string) error {
	path, err := s.absolutePath(path)
	delete(s.texts, path)
	return err
}

func (s *Session) absolutePath(path string) (string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.cfg.Dir, path)
	}
	return filepath.Abs(path)
}

// Generate compiles the current files and returns the changes and diagnostics like the
// function [Generate]. If an .aion file names a function that does not exist, the Fixes of the
// diagnostic list similar functions, the likeliest first.
func (s *Session) Generate(ctx context.Context) (*Result, diag.List) {
	var run *output.CachedRun
	if len(s.texts) == 0 {
		run = output.BeginRun(s.cfg.runConfig())
	}
	if last, ok := run.Outcome(); ok && !s.cfg.All {
		return resultOf(last), last.Faults
	}
	env := run.Env()
	if env == nil {
		env, _ = load.ReadEnv(ctx, s.cfg.Dir) // if this fails, loading reports the error
	}
	g, result := s.compileAll(ctx, env)
	if g.Faults.Err() != nil {
		return &Result{}, append(g.Faults.Short(), g.Failures...)
	}
	if len(g.Failures) > 0 {
		result.saveRun = func() {} // do not save: the next run must report the failures too
		return result, append(g.Faults, g.Failures...)
	}
	g.Faults = append(g.Faults, contract.Lint(g.tools, s.cfg.Lint...)...)
	if g.hasUnknownInputs {
		run = nil // do not save: changes of unknown inputs would go unnoticed
	}
	outcome := output.RunOutcome{Faults: g.Faults, Costs: slices.Sorted(maps.Keys(result.costs))}
	result.saveRun = func() { run.Save(g.generated, g.importedDirs, env, outcome) }
	if len(result.Changes) == 0 {
		result.saveRun()
	}
	return result, g.Faults
}

// compileAll compiles all packages with the given settings of the go command. If env is nil, it
// reads the settings with go env.
func (s *Session) compileAll(ctx context.Context, env load.Env) (*generator, *Result) {
	s.memory.StartRun()
	g := newGenerator(s, env)
	s.last = g
	if s.singleRun {
		s.memory = nil
	}
	return g, g.compileAll(ctx)
}
