package gen

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/gen/internal/goenv"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/overlay"
	"github.com/aiongen/aiongen/gen/internal/unchanged"
)

// Generate compiles. The result is what writing would change. It is empty when the list
// holds an error, unless the only errors are that whole packages cannot be compiled: by a
// mistake in aiongen, by their size or because their Go files do not belong together. Then
// it has the changes of the other packages. Diagnostics name files relative to Config.Dir.
func Generate(ctx context.Context, cfg Config) (*Result, diag.List) {
	s := NewSession(cfg)
	s.ends = true
	return s.Generate(ctx)
}

// A Session compiles the same packages time and again, as one who watches files or an
// editor does. What it answers is what [Generate] would, but it keeps what it loaded, as
// far as the files are still the same that this was read from. It is for one goroutine at
// a time.
type Session struct {
	cfg    Config
	memory *load.Memory
	texts  overlay.Files
	last   *generator // of the last run
	ends   bool       // with the first run
}

// NewSession returns a Session that has loaded nothing yet.
func NewSession(cfg Config) *Session {
	return &Session{cfg: cfg, memory: load.NewMemory(), texts: overlay.Files{}}
}

// Show has a text stand for an .aion or Go file from now on, whether or not there is such
// a file: what an editor holds and has not saved. The path may be relative to Config.Dir.
func (s *Session) Show(path string, text []byte) error {
	path, err := s.path(path)
	if err == nil {
		s.texts[path] = append([]byte{}, text...) // nil would be that it is gone
	}
	return err
}

// Hide has a file count again as it is on disk.
func (s *Session) Hide(path string) error {
	path, err := s.path(path)
	delete(s.texts, path)
	return err
}

func (s *Session) path(path string) (string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.cfg.Dir, path)
	}
	return filepath.Abs(path)
}

// Generate compiles the files as they are now. The result and the list are those of the
// function [Generate]; the Fixes of one that knows no function of a name are the candidates that
// there are, the likeliest first.
func (s *Session) Generate(ctx context.Context) (*Result, diag.List) {
	var run *unchanged.Run
	if len(s.texts) == 0 {
		run = unchanged.Begin(s.cfg.unchanged())
	}
	if last, ok := run.Outcome(); ok && !s.cfg.All {
		return recalled(last), last.Faults
	}
	env := run.Env()
	if env == nil {
		env, _ = goenv.Read(ctx, s.cfg.Dir) // where that fails, so does loading, which says why
	}
	g, result := s.compile(ctx, env)
	if g.Faults.Err() != nil {
		return &Result{}, append(g.Faults.Short(), g.Failures...)
	}
	if len(g.Failures) > 0 {
		result.keep = func() {} // the next run has to fail as well
		return result, append(g.Faults, g.Failures...)
	}
	g.Faults = append(g.Faults, contract.Lint(g.tools, s.cfg.Lint...)...)
	if g.hidden {
		run = nil // the next one could not know whether it is the same
	}
	result.keep = func() { run.Keep(g.generated, g.read, env, result.outcome(g.Faults)) }
	if len(result.Changes) == 0 {
		result.keep()
	}
	return result, g.Faults
}

// compile compiles all that there is, with the settings of the go command, which is asked
// where there are none.
func (s *Session) compile(ctx context.Context, env goenv.Env) (*generator, *Result) {
	s.memory.Begin()
	g := newGenerator(s, env)
	s.last = g
	if s.ends {
		s.memory = nil
	}
	return g, g.compileAll(ctx)
}

// A Binding is a piece of notation and what it stands for in Go.
type Binding struct {
	Tool     string
	Span     diag.Span // in the .aion file
	Name     string    // of a function or parameter, "" for a function literal
	Type     string    // as Go has it: "func(words string) error"
	Declared diag.Span // in a Go file; the zero Span where the source is not at hand
}

// Bindings returns what could be bound in the last run, whether or not it had errors, in
// the order of packages and files. After a run that ended since nothing had changed, by
// Config.Memory, there are none.
func (s *Session) Bindings() (all []Binding) {
	if s.last == nil {
		return nil
	}
	for _, source := range s.last.sources {
		pkg := source.Package
		for _, b := range source.Bound {
			binding := Binding{Tool: b.Tool, Span: b.Span}
			if b.Sig != nil {
				binding.Type = pkg.TypeName(b.Sig)
			}
			if b.To != nil {
				binding.Name = b.To.Name()
				binding.Type = cmp.Or(binding.Type, pkg.TypeName(b.To.Type()))
				binding.Declared = pkg.Place(b.To)
			}
			all = append(all, binding)
		}
	}
	return all
}
