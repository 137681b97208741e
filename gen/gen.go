// Package gen compiles the .aion files of Go packages into Go, and answers what
// one asks of them without compiling. Nothing is written unless the whole run is free
// of errors.
//
// It is a door of some twenty names; the rooms behind it are packages below it:
//
//	tools, new, format, explain  what can be asked without compiling, each by a room of its own
//	fix                          the edits that diagnostics carry, made
//	watch, session               runs that keep what they load for those that follow
//	gen                          the stages: text and Go types to a model, and that to files
//	target, result               where generated files go, and what they change there
//	format_literal               Go code within .aion files, formatted
package gen

import (
	"context"
	"path/filepath"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/emit"
	"github.com/aiongen/aiongen/gen/internal/find"
	"github.com/aiongen/aiongen/gen/internal/goenv"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/promise"
	"github.com/aiongen/aiongen/gen/internal/unchanged"
	"github.com/aiongen/aiongen/runtime/schema"
)

// Config says what to compile. The zero value is the package in the current
// directory.
type Config struct {
	Dir      string   // working directory; "" is the current one
	Patterns []string // packages, as the go command takes them; none is "."
	Output   string   // directory of the generated package; "" is that of the source
	Tags     string   // build tags, as the go command takes them

	// Lint names targets; of what these will refuse or drop of the tools there are
	// warnings, as [Lint] has them.
	Lint []schema.Target

	// Memory is a folder in which [Generate] keeps what it goes by to end at once where
	// nothing has changed since; "" is none. All is to go by nothing that is there.
	Memory string
	All    bool

	// Progress is told how many packages are compiled, out of how many; nil is not.
	Progress func(done, of int)
}

func (cfg Config) find() find.Config {
	return find.Config{Dir: cfg.Dir, Patterns: cfg.Patterns, Output: cfg.Output, Tags: cfg.Tags}
}

func (cfg Config) unchanged() unchanged.Config {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return unchanged.Config{}
	}
	options := []string{cfg.Output, cfg.Tags}
	for _, target := range cfg.Lint {
		options = append(options, string(target))
	}
	return unchanged.Config{Folder: cfg.Memory, Dir: dir, Patterns: cfg.find().Asked(), Options: options}
}

// A generator compiles what it finds.
type generator struct {
	*find.Finder
	ends     bool // no run follows that could use what is loaded
	linted   bool
	progress func(done, of int)
	claims   map[string]claim // by directory

	tools     []Tool            // if they are to be linted
	generated map[string][]byte // all files, by path
	read      []string          // directories of packages that sources import
	hidden    bool              // whether more was read, of which nobody tells
	sources   []*find.Source    // all of them; those that are compiled are nil if the session ends
}

func newGenerator(s *Session, env goenv.Env) *generator {
	cfg := s.cfg.find()
	cfg.Env, cfg.Files, cfg.Memory = env, s.texts, s.memory
	return &generator{
		Finder: find.New(cfg), ends: s.ends,
		linted: len(s.cfg.Lint) > 0, progress: s.cfg.Progress,
		claims: map[string]claim{}, generated: map[string][]byte{},
	}
}

// compileAll finds, binds and prints all packages.
func (g *generator) compileAll(ctx context.Context) *Result {
	result := &Result{costs: map[string]bool{}}
	g.sources = g.Sources(ctx)
	if g.ends {
		g.Forget()
	}
	for i, s := range g.sources {
		if ctx.Err() != nil {
			break
		}
		if g.progress != nil {
			g.progress(i, len(g.sources))
		}
		if g.ends {
			g.sources[i] = nil // printing needs memory, too
		}
		changes := len(result.Changes)
		if !g.RunStage(s, func() { g.compile(s, result) }) {
			result.Changes = result.Changes[:changes] // of this package none is to be made
		}
	}
	if err := ctx.Err(); err != nil {
		g.Faults.Errorf("canceled", diag.Span{}, "the run was interrupted: %v", err)
	}
	g.Faults.Sort()
	return result
}

// compile binds and prints one package, and adds what that changes on disk.
func (g *generator) compile(s *find.Source, result *Result) {
	target, ok := g.target(s)
	if !ok || !g.claim(target.dir, s) {
		return
	}
	if s.Failed {
		return
	}
	var files []emit.File
	if m, ok := g.Bind(s, target.Target); ok {
		dirs, complete := s.Package.Sources()
		g.read, g.hidden = append(g.read, dirs...), g.hidden || !complete
		if g.linted {
			g.tools = promise.AddTools(g.tools, s, m)
		}
		g.addCosts(target, m.Notes(), result)
		if files, ok = g.print(s, m); !ok {
			return
		}
	}
	if !s.Failed && g.Faults.Err() == nil {
		g.compare(target, files, result)
	}
}

func (g *generator) print(s *find.Source, m *model.Package) ([]emit.File, bool) {
	files, err := emit.Files(s.Budget, m)
	g.Fail(s, err)
	return files, err == nil
}
