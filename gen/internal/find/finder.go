// Package find finds what there is to compile: the packages that patterns match,
// their .aion files, and how their go:generate lines say that each is generated. It
// loads the packages and binds them.
//
// Its layers, from top to bottom:
//
//	find              documents and packages, bound
//	runs              how each package is generated
//	packages, finder  packages and their files, each looked at once
package find

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/gen/internal/goenv"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/overlay"
)

// Config says what to find.
type Config struct {
	Dir      string   // working directory; "" is the current one
	Patterns []string // packages, as the go command takes them; none is "."
	Output   string   // directory of the generated package; "" is that of the source
	Tags     string   // build tags, as the go command takes them

	Anywhere bool // it does not matter where to
	Past     bool // patterns may match nothing, as there was nothing yet

	Env    goenv.Env     // settings of the go command; nil asks it
	Files  overlay.Files // .aion and Go files as an editor shows them
	Memory *load.Memory  // keeps what is loaded for further Finders; nil is one for this
}

// Asked returns the patterns, as they are where there are none.
func (cfg Config) Asked() []string {
	if len(cfg.Patterns) == 0 {
		return []string{"."}
	}
	return cfg.Patterns
}

// A Finder finds the packages of one run, and collects what is wrong with them.
type Finder struct {
	Faults diag.List

	// Failures are errors that keep one package from being compiled and do not concern
	// others. They are not in Faults.
	Failures diag.List

	Folders folder.Cache
	Texts   map[string][]byte // of the .aion files that were read, by absolute path
	Load    load.Config       // as on the command line, once [Finder.Sources] is called

	cfg Config
}

// New returns a Finder.
func New(cfg Config) *Finder {
	if cfg.Memory == nil {
		cfg.Memory = load.NewMemory()
	}
	return &Finder{cfg: cfg, Folders: folder.NewCache(cfg.Files), Texts: map[string][]byte{}}
}

// Forget lets go of what was loaded, as far as no Source has it: there is no more to load.
func (f *Finder) Forget() { f.cfg.Memory, f.Load.Memory = nil, nil }

// Shown is a path as messages show it.
func (f *Finder) Shown(path string) string { return load.Relative(f.Load.Dir, path) }
