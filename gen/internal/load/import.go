package load

import (
	"context"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// A source is where imported packages come from. There are two: [reader] and [driver].
type source interface {
	types.Importer // which looks for what was not needed before

	// need makes ready what packages import, asking the go command at most once.
	need(pkgs []*Package) error

	// known is a package that was met, as far as its place; nil if it was not. Find looks
	// for it, too.
	known(path string) *Package
	find(path string) *Package

	// chain is that of packages through which one imports another, if it is certain
	// without the go command.
	chain(from, to string) (through []string, certain bool)

	// changeable are the directories of packages that were met, those aside of which a
	// version says what is in them, and whether all that their types depend on is there.
	changeable() (dirs []string, complete bool)
}

// An importer has what packages that are checked together share.
type importer struct {
	source

	ctx    context.Context
	cfg    Config
	memory *Memory
	sizes  types.Sizes

	parsed     map[string][]*ast.File                  // by package path, as asked for
	leftOut    map[string][]LeftOut                    // the same
	imports    map[string]map[string]*packages.Package // the same
	importable []Known                                 // nil until asked for
}

func newImporter(ctx context.Context, cfg Config) *importer {
	if cfg.Memory == nil {
		cfg.Memory = NewMemory()
	}
	return &importer{
		ctx: ctx, cfg: cfg, memory: cfg.Memory,
		parsed: map[string][]*ast.File{}, leftOut: map[string][]LeftOut{}, imports: map[string]map[string]*packages.Package{},
	}
}

func (im *importer) check(pkgs []*Package) error {
	for _, p := range pkgs {
		p.try(func() { p.parse(im.memory, im.cfg.Overlay) })
	}
	if err := im.need(pkgs); err != nil {
		return err
	}
	for _, p := range pkgs {
		if err := im.ctx.Err(); err != nil {
			return err
		}
		p.try(func() { p.check(im, im) })
	}
	return nil
}

// syntax parses a package that some type comes from, which need not be imported
// directly.
func (im *importer) syntax(path string) []*ast.File {
	if files, ok := im.parsed[path]; ok {
		return files
	}
	p := im.find(path)
	if p == nil {
		return nil
	}
	if p.Files == nil {
		p.parse(im.memory, im.cfg.Overlay)
	}
	im.parsed[path] = p.Files
	return p.Files
}
