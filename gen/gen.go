// Package gen compiles the .aion files of Go packages into Go and answers questions about
// them.
//
// Generate compiles packages and returns the changes; Result.Write applies them to disk.
// Generate changes nothing itself, and its result is empty unless the whole run is free of
// errors. A Session compiles the same packages repeatedly, for a watcher or an editor. New
// writes an .aion file for existing functions; Tools, Lint and Compare describe the tools
// of packages; Explain describes a diagnostic.
package gen

import (
	"context"
	"path/filepath"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
	"github.com/aiongen/aiongen/gen/internal/emit"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/output"
	"github.com/aiongen/aiongen/runtime/schema"
)

// Config describes what to compile. The zero value selects the package in the current directory.
type Config struct {
	Dir      string   // working directory; "" is the current one
	Patterns []string // packages, in the syntax of the go command; default "."
	Output   string   // directory of the generated package; default the directory of the source
	Tags     string   // build tags, in the syntax of the go command

	// Lint lists targets whose limitations are reported as warnings; see the function [Lint].
	Lint []schema.Target

	// Memory is a directory in which [Generate] caches the outcome of a run, to return it
	// immediately if nothing has changed. "" disables the cache. If All is true, Generate
	// compiles even if nothing has changed.
	Memory string
	All    bool

	// Progress, if not nil, is called before each package with the number of packages compiled
	// so far and their total number.
	Progress func(done, of int)
}

// patterns returns the patterns of packages, by default the current directory.
func (cfg Config) patterns() []string {
	if len(cfg.Patterns) == 0 {
		return []string{"."}
	}
	return cfg.Patterns
}

// runConfig returns the configuration of the run cache.
func (cfg Config) runConfig() output.RunConfig {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return output.RunConfig{}
	}
	options := []string{cfg.Output, cfg.Tags}
	for _, target := range cfg.Lint {
		options = append(options, string(target))
	}
	return output.RunConfig{Folder: cfg.Memory, Dir: dir, Patterns: cfg.patterns(), Options: options}
}

// A generator compiles the packages of one run.
type generator struct {
	*finder
	lastRun      bool // free loaded packages, because no other run follows
	collectTools bool // collect tools for linting
	progress     func(done, of int)
	claims       map[string]outputClaim // by directory

	tools            []Tool            // collected if collectTools is set
	generated        map[string][]byte // contents of all generated files, by path
	importedDirs     []string          // directories of imported packages
	hasUnknownInputs bool              // importedDirs is incomplete
	sources          []*sourcePackage  // nil entries have been compiled and released
}

func newGenerator(s *Session, env load.Env) *generator {
	return &generator{
		finder: newFinder(s.cfg, env, s.texts, s.memory), lastRun: s.singleRun,
		collectTools: len(s.cfg.Lint) > 0, progress: s.cfg.Progress,
		claims: map[string]outputClaim{}, generated: map[string][]byte{},
	}
}

// compileAll compiles all packages and returns the changes.
func (g *generator) compileAll(ctx context.Context) *Result {
	result := &Result{costs: map[string]bool{}}
	g.sources = g.findSources(ctx)
	if g.lastRun {
		g.dropLoaded()
	}
	for i, s := range g.sources {
		if ctx.Err() != nil {
			break
		}
		if g.progress != nil {
			g.progress(i, len(g.sources))
		}
		if g.lastRun {
			g.sources[i] = nil // free its memory after compiling
		}
		changes := len(result.Changes)
		if !g.runStage(s, func() { g.compilePackage(s, result) }) {
			result.Changes = result.Changes[:changes] // discard partial changes
		}
	}
	if err := ctx.Err(); err != nil {
		g.Faults.Errorf("canceled", diag.Span{}, "the run was interrupted: %v", err)
	}
	g.Faults.Sort()
	return result
}

// compilePackage compiles one package and adds the changes to result.
func (g *generator) compilePackage(s *sourcePackage, result *Result) {
	target, ok := g.findTarget(s)
	if !ok || !g.claimDir(target.dir, s) {
		return
	}
	if s.Failed {
		return
	}
	var files []emit.File
	if m, ok := g.bindPackage(s, target.Target); ok {
		dirs, complete := s.Package.ImportedDirs()
		g.importedDirs, g.hasUnknownInputs = append(g.importedDirs, dirs...), g.hasUnknownInputs || !complete
		if g.collectTools {
			g.tools = contract.AppendTools(g.tools, newBoundPackage(s, m))
		}
		g.addCosts(target, m.Notes(), result)
		var err error
		if files, err = emit.Files(s.Budget, m); err != nil {
			g.reportFailure(s, err)
			return
		}
	}
	if !s.Failed && g.Faults.Err() == nil {
		g.addChanges(target, files, result)
	}
}
