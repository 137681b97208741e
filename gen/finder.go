package gen

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// A finder finds and loads the packages of one run and collects their diagnostics.
type finder struct {
	Faults diag.List

	// Failures are errors that prevent a single package from being compiled, such as an
	// exceeded limit. Other packages are still generated. Failures are not in Faults.
	Failures diag.List

	Folders load.FolderCache
	Texts   map[string][]byte // .aion files that were read, by absolute path
	Load    load.Config       // settings of the command line; set by findSources

	cfg    Config
	env    load.Env     // settings of the go command; nil to read them with go env
	files  load.Overlay // unsaved .aion and Go files
	memory *load.Memory

	ignoreOutput bool // the run writes no files, so conflicts with existing files are not reported
	allowNoMatch bool // patterns may match nothing
}

func newFinder(cfg Config, env load.Env, files load.Overlay, memory *load.Memory) *finder {
	return &finder{
		cfg: cfg, env: env, files: files, memory: memory,
		Folders: load.NewFolderCache(files), Texts: map[string][]byte{},
	}
}

// dropLoaded frees the loaded packages to which no sourcePackage refers. The finder cannot load
// packages afterwards.
func (f *finder) dropLoaded() { f.memory, f.Load.Memory = nil, nil }

// shownPath returns the path to show in messages.
func (f *finder) shownPath(path string) string { return load.Relative(f.Load.Dir, path) }
