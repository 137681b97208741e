// Package gen compiles the .aion files of Go packages into Go, and answers what
// one asks of them without compiling. Nothing is written unless the whole run is free
// of errors.
//
// It is a door of some twenty names; the rooms behind it are packages below it:
//
//	tools, new, format, explain  what can be asked without compiling, each by a room of its own
//	gen                          the stages: text and Go types to a model, and that to files
//	target, result               where generated files go, and what they change there
//	format_literal               Go code within .aion files, formatted
package gen

import (
	"context"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/emit"
	"github.com/aiongen/aiongen/gen/internal/find"
	"github.com/aiongen/aiongen/gen/internal/promise"
)

// Config says what to compile. The zero value is the package in the current
// directory.
type Config struct {
	Dir      string   // working directory; "" is the current one
	Patterns []string // packages, as the go command takes them; none is "."
	Output   string   // directory of the generated package; "" is that of the source
	Tags     string   // build tags, as the go command takes them
}

func (cfg Config) find() find.Config {
	return find.Config{Dir: cfg.Dir, Patterns: cfg.Patterns, Output: cfg.Output, Tags: cfg.Tags}
}

// Generate compiles. The result is what writing would change; it is empty when
// the list holds an error. Diagnostics name files relative to Config.Dir.
func Generate(ctx context.Context, cfg Config) (*Result, diag.List) {
	g := newGenerator(cfg)
	result := &Result{costs: map[string]bool{}}
	for _, s := range g.Sources(ctx) {
		g.compile(s, result)
	}
	g.Faults.Sort()
	if g.Faults.Err() != nil {
		return &Result{}, g.Faults
	}
	return result, g.Faults
}

// A generator compiles what it finds.
type generator struct {
	*find.Finder
	taken map[string]*find.Source // by the directory that it is generated into
}

func newGenerator(cfg Config) *generator {
	return &generator{find.New(cfg.find()), map[string]*find.Source{}}
}

// compile binds and prints one package, and adds what that changes on disk.
func (g *generator) compile(s *find.Source, result *Result) {
	target, ok := g.target(s)
	if !ok || !g.claim(target.dir, s) {
		return
	}
	var files []emit.File
	if m, ok := g.Bind(s, target.Target); ok {
		printed, err := emit.Files(m)
		if err != nil {
			g.Faults.Errorf("internal", diag.Span{}, "generated code that does not parse: %v", err).
				WithHelp("this is a mistake in aiongen; please report it with the .aion file")
			return
		}
		files = printed
		g.addCosts(target, m.Notes(), result)
		result.Tools = promise.AddTools(result.Tools, s, m)
	}
	if g.Faults.Err() == nil {
		g.compare(target, files, result)
	}
}
