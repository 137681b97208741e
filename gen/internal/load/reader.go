package load

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A reader finds imported packages itself, and runs the go command only for those that it cannot find. It
// reads packages that can change from source, and the types of others from a cache. It reads the generated
// files of imported packages as well, because packages that import them may use the declarations there.
type reader struct {
	im      *importer
	set     *moduleSet
	store   *exportStore
	local   map[string]*Package // read from source, by path
	visited map[*Package]bool   // packages whose check has begun
}

func newReader(im *importer, set *moduleSet) *reader {
	im.sizes = types.SizesFor("gc", set.Env["GOARCH"])
	return &reader{
		im: im, set: set, store: im.memory.exportsFor(set, im.cfg.Dir),
		local: map[string]*Package{}, visited: map[*Package]bool{},
	}
}

// loadImports parses the imported packages that can change, and recursively those that their
// declarations need. It loads all other imports at once.
func (r *reader) loadImports(pkgs []*Package) error {
	var immutable []string
	for len(pkgs) > 0 {
		if i := slices.IndexFunc(pkgs, r.needsC); i >= 0 {
			return fmt.Errorf("%w: package %s uses types that C declares", errNeedGoCommand, pkgs[i].Path)
		}
		next, unresolved, paths := r.parseImported(pkgs)
		if err := r.askGoCommand(unresolved); err != nil {
			return err
		}
		for _, path := range unresolved {
			next = append(next, r.local[path])
		}
		if pkgs, immutable = next, append(immutable, paths...); len(pkgs) > 0 {
			continue
		}
		changing, err := r.store.prepare(r.im.ctx, immutable)
		if err != nil {
			return err
		}
		for _, a := range changing {
			pkgs = append(pkgs, r.addPackage(a.Path, r.newImmutable(a)))
		}
		immutable = nil
	}
	return nil
}

// needsC reports whether declarations of an imported package use types that C declares, which only
// a C compiler knows. It returns false for the packages to check.
func (r *reader) needsC(p *Package) bool {
	return r.local[p.Path] == p && slices.ContainsFunc(p.Files, func(file *ast.File) bool {
		return Qualifiers(file)["C"] && slices.ContainsFunc(file.Imports, importsC)
	})
}

func importsC(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` }

// parseImported parses the imported packages that can change, unless they are parsed already, and returns
// them as next. The list unresolved contains import paths that only the go command can resolve, and immutable
// contains the paths of packages that do not change.
func (r *reader) parseImported(pkgs []*Package) (next []*Package, unresolved, immutable []string) {
	for _, p := range pkgs {
		paths := p.namedImports(r.set.Env["GOROOT"])
		for _, file := range p.Files {
			paths = append(paths, r.listImports(file, r.local[p.Path] != p)...)
		}
		for _, path := range paths {
			found, err := r.set.findPackage(path)
			switch {
			case r.local[path] != nil:
			case err != nil:
				unresolved = append(unresolved, path)
			case found == nil:
				immutable = append(immutable, path)
			default:
				next = append(next, r.addPackage(path, r.im.cfg.newLocalPackage(nil, found, omitNone)))
			}
		}
	}
	slices.Sort(unresolved)
	return next, slices.Compact(unresolved), immutable
}

// omitNone keeps all files of a package, including generated ones.
func omitNone(string) bool { return false }

// addPackage adds and parses a package.
func (r *reader) addPackage(path string, p *Package) *Package {
	r.local[path] = p
	p.parseFiles(r.im.memory, r.im.cfg.Overlay)
	return p
}

// listImports returns the paths that a file imports. Unless all is set, it leaves out imports that
// no declaration needs.
func (r *reader) listImports(file *ast.File, all bool) (paths []string) {
	imported := importSpecs(file)
	var qualifiers map[string]bool
	if !all {
		qualifiers = Qualifiers(file)
	}
	for _, path := range slices.Sorted(maps.Keys(imported)) {
		if all || slices.ContainsFunc(imported[path], func(spec *ast.ImportSpec) bool {
			name := r.importName(path, spec)
			return name == "" || qualifiers[name]
		}) {
			paths = append(paths, path)
		}
	}
	return paths
}

// importName returns the name of an import in its file, or "" if it is unknown or the import is a
// dot import.
func (r *reader) importName(path string, spec *ast.ImportSpec) string {
	switch found, err := r.set.findPackage(path); {
	case err != nil || found == nil || spec.Name != nil && spec.Name.Name == ".":
		return ""
	case spec.Name != nil:
		return spec.Name.Name
	default:
		return found.Name
	}
}

// Qualifiers returns the names on the left side of selectors, such as fmt in fmt.Println.
func Qualifiers(n ast.Node) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				names[x.Name] = true
			}
		}
		return true
	})
	return names
}

// askGoCommand asks the go command for packages and adds them to r.local. A package that cannot be
// found has an error instead of files.
func (r *reader) askGoCommand(paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	mode := packages.NeedName | packages.NeedFiles | packages.NeedModule
	loaded, err := packages.Load(r.im.cfg.packagesConfig(r.im.ctx, mode), paths...)
	if err != nil {
		return fmt.Errorf("finding imports: %w", shortenError(err))
	}
	for _, path := range paths {
		r.local[path] = &Package{Path: path, root: r.im.cfg.Dir}
	}
	for _, p := range loaded {
		r.addPackage(p.PkgPath, r.im.cfg.newListedPackage(nil, p))
	}
	return nil
}

// Import implements [types.Importer].
func (r *reader) Import(path string) (*types.Package, error) {
	p := r.local[path]
	if p == nil {
		found, err := r.set.findPackage(path)
		switch {
		case err != nil:
			if err := r.askGoCommand([]string{path}); err != nil {
				return nil, err
			}
			p = r.local[path]
		case found == nil:
			changing, err := r.store.prepare(r.im.ctx, []string{path})
			if err != nil || len(changing) == 0 {
				return r.store.importPackage(r.im.ctx, path)
			}
			p = r.addPackage(path, r.newImmutable(changing[0]))
		default:
			p = r.addPackage(path, r.im.cfg.newLocalPackage(nil, found, omitNone))
		}
		if err := r.loadImports([]*Package{p}); err != nil {
			return nil, err
		}
	}
	return r.checkPackage(p)
}

func (r *reader) checkPackage(p *Package) (*types.Package, error) {
	switch {
	case p.Types != nil:
		return p.Types, nil
	case r.visited[p]:
		return nil, fmt.Errorf("import cycle through %s", p.Path)
	case len(p.goFiles) == 0:
		return nil, cmp.Or(p.firstError(), fmt.Errorf("package %s has no Go files", p.Path))
	}
	r.visited[p] = true
	p.checkTypes(r.im, declarationImporter{r})
	return p.Types, nil
}

// A declarationImporter resolves the imports of packages whose function bodies are not checked. It
// returns empty placeholders for imports that no declaration needs.
type declarationImporter struct{ *reader }

func (d declarationImporter) Import(path string) (*types.Package, error) {
	if d.local[path] == nil {
		if found, _ := d.set.findPackage(path); found != nil {
			return d.im.memory.emptyPackage(path, found.Name), nil
		}
	}
	return d.reader.Import(path)
}

func (r *reader) loadedPackage(path string) *Package {
	if p := r.local[path]; p != nil {
		return p
	}
	switch found, err := r.set.findPackage(path); {
	case err != nil:
		return nil
	case found != nil:
		return r.im.cfg.newLocalPackage(nil, found, omitNone)
	}
	return r.newImmutable(r.store.infoOf(path))
}

func (r *reader) importChain(from, to string) (through []string, certain bool) {
	return r.findChain(from, to, map[string]bool{})
}

// findChain implements importChain, but skips the packages in seen. It does not follow the imports
// of packages that do not change, because they import no packages that do.
func (r *reader) findChain(from, to string, seen map[string]bool) (through []string, certain bool) {
	seen[from] = true
	found, err := r.set.findPackage(from)
	if err != nil {
		return nil, false
	}
	if found == nil {
		a := r.store.infoOf(from)
		return nil, a != nil && !a.Changing || r.isStandard(from)
	}
	if slices.Contains(found.Imports, to) {
		return []string{to}, true
	}
	for _, path := range found.Imports {
		if seen[path] || path == "C" {
			continue
		}
		if rest, certain := r.findChain(path, to, seen); rest != nil || !certain {
			return append([]string{path}, rest...), certain
		}
	}
	return nil, true
}

// isStandard reports whether a package belongs to the standard library.
func (r *reader) isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	_, err := os.Stat(filepath.Join(r.set.Env["GOROOT"], "src", filepath.FromSlash(path)))
	return err == nil && !strings.Contains(first, ".")
}

func (r *reader) importedDirs() (dirs []string, complete bool) {
	return slices.Sorted(maps.Keys(r.set.searched)), true
}

func (r *reader) findPackage(path string) *Package {
	if p := r.loadedPackage(path); p != nil {
		return p
	}
	return r.newImmutable(r.store.findInfo(r.im.ctx, path))
}

func (r *reader) newImmutable(a *packageInfo) *Package {
	if a == nil {
		return nil
	}
	return &Package{Dir: a.Dir, Path: a.Path, Name: a.Name, GoVersion: a.GoVersion, module: a.Module, goFiles: a.Files, root: r.im.cfg.Dir}
}
