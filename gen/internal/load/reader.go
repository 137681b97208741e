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

	"github.com/aiongen/aiongen/gen/internal/load/internal/exports"
	"github.com/aiongen/aiongen/gen/internal/load/internal/modules"
)

// A reader finds imported packages without the go command: those that people work on
// from source, others in a cache. Files that aiongen generated are part of them, since
// what imports a package may use these.
type reader struct {
	im    *importer
	set   *modules.Set
	store *exports.Store
	local map[string]*Package // read from source, by path
	begun map[*Package]bool   // whose check began
}

func newReader(im *importer, set *modules.Set) *reader {
	im.sizes = types.SizesFor("gc", set.Env["GOARCH"])
	return &reader{
		im: im, set: set, store: im.memory.store(set, im.cfg.Dir),
		local: map[string]*Package{}, begun: map[*Package]bool{},
	}
}

// need parses what packages import that can change, and what that imports in turn, as
// far as its declarations need it. All else is looked for at once.
func (r *reader) need(pkgs []*Package) error {
	var fixed []string
	for len(pkgs) > 0 {
		if i := slices.IndexFunc(pkgs, r.needsC); i >= 0 {
			return fmt.Errorf("%w: package %s declares what C says", modules.ErrUncertain, pkgs[i].Path)
		}
		next, odd, more := r.imported(pkgs)
		if err := r.ask(odd); err != nil {
			return err
		}
		for _, path := range odd {
			next = append(next, r.local[path])
		}
		if pkgs, fixed = next, append(fixed, more...); len(pkgs) > 0 {
			continue
		}
		changing, err := r.store.Need(r.im.ctx, fixed)
		if err != nil {
			return err
		}
		for _, a := range changing {
			pkgs = append(pkgs, r.open(a.Path, r.fixed(a)))
		}
		fixed = nil
	}
	return nil
}

// needsC reports whether declarations of an imported package name what C declares, which
// takes a C compiler. The packages that are to be checked do without.
func (r *reader) needsC(p *Package) bool {
	return r.local[p.Path] == p && slices.ContainsFunc(p.Files, func(file *ast.File) bool {
		return Qualifiers(file)["C"] && slices.ContainsFunc(file.Imports, importsC)
	})
}

func importsC(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` }

// imported parses what packages import that was not met before. Of odd paths only the
// go command knows what they are, and fixed ones do not change.
func (r *reader) imported(pkgs []*Package) (next []*Package, odd, fixed []string) {
	for _, p := range pkgs {
		paths := p.wanted(r.set.Env["GOROOT"])
		for _, file := range p.Files {
			paths = append(paths, r.imports(file, r.local[p.Path] != p)...)
		}
		for _, path := range paths {
			found, err := r.set.Find(path)
			switch {
			case r.local[path] != nil:
			case err != nil:
				odd = append(odd, path)
			case found == nil:
				fixed = append(fixed, path)
			default:
				next = append(next, r.open(path, r.im.cfg.local(nil, found, none)))
			}
		}
	}
	slices.Sort(odd)
	return next, slices.Compact(odd), fixed
}

// none is for packages that are read with the files that aiongen generated.
func none(string) bool { return false }

// open parses a package.
func (r *reader) open(path string, p *Package) *Package {
	r.local[path] = p
	p.parse(r.im.memory, r.im.cfg.Overlay)
	return p
}

// imports are the paths of what a file imports: all of it, or what its declarations
// name, as far as that can be told.
func (r *reader) imports(file *ast.File, all bool) (paths []string) {
	imported := importsOf(file)
	var named map[string]bool
	if !all {
		named = Qualifiers(file)
	}
	for _, path := range slices.Sorted(maps.Keys(imported)) {
		if all || slices.ContainsFunc(imported[path], func(spec *ast.ImportSpec) bool {
			name := r.nameOf(path, spec)
			return name == "" || named[name]
		}) {
			paths = append(paths, path)
		}
	}
	return paths
}

// nameOf is what an import is called in its file, "" if its declarations may need it
// without a name, or the name is not known.
func (r *reader) nameOf(path string, spec *ast.ImportSpec) string {
	switch found, err := r.set.Find(path); {
	case err != nil || found == nil || spec.Name != nil && spec.Name.Name == ".":
		return ""
	case spec.Name != nil:
		return spec.Name.Name
	default:
		return found.Name
	}
}

// Qualifiers returns the names that something is selected of, such as those of packages.
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

// ask has the go command say where packages lie that it alone knows, or what is wrong
// with them.
func (r *reader) ask(paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	mode := packages.NeedName | packages.NeedFiles | packages.NeedModule
	loaded, err := packages.Load(r.im.cfg.packages(r.im.ctx, mode), paths...)
	if err != nil {
		return fmt.Errorf("finding imports: %w", tidy(err))
	}
	for _, path := range paths {
		r.local[path] = &Package{Path: path, root: r.im.cfg.Dir}
	}
	for _, p := range loaded {
		r.open(p.PkgPath, r.im.cfg.found(nil, p))
	}
	return nil
}

// Import implements [types.Importer].
func (r *reader) Import(path string) (*types.Package, error) {
	p := r.local[path]
	if p == nil {
		found, err := r.set.Find(path)
		switch {
		case err != nil:
			if err := r.ask([]string{path}); err != nil {
				return nil, err
			}
			p = r.local[path]
		case found == nil:
			changing, err := r.store.Need(r.im.ctx, []string{path})
			if err != nil || len(changing) == 0 {
				return r.store.Import(r.im.ctx, path)
			}
			p = r.open(path, r.fixed(changing[0]))
		default:
			p = r.open(path, r.im.cfg.local(nil, found, none))
		}
		if err := r.need([]*Package{p}); err != nil {
			return nil, err
		}
	}
	return r.check(p)
}

func (r *reader) check(p *Package) (*types.Package, error) {
	switch {
	case p.Types != nil:
		return p.Types, nil
	case r.begun[p]:
		return nil, fmt.Errorf("import cycle through %s", p.Path)
	case len(p.goFiles) == 0:
		return nil, cmp.Or(p.firstError(), fmt.Errorf("package %s has no Go files", p.Path))
	}
	r.begun[p] = true
	p.check(r.im, declared{r})
	return p.Types, nil
}

// declared imports for packages of which only declarations matter: what these do not
// need was not read, and stands there empty.
type declared struct{ *reader }

func (d declared) Import(path string) (*types.Package, error) {
	if d.local[path] == nil {
		if found, _ := d.set.Find(path); found != nil {
			return d.im.memory.stand(path, found.Name), nil
		}
	}
	return d.reader.Import(path)
}

func (r *reader) known(path string) *Package {
	if p := r.local[path]; p != nil {
		return p
	}
	if found, err := r.set.Find(path); found != nil || err != nil {
		return r.place(found)
	}
	return r.fixed(r.store.About(path))
}

func (r *reader) chain(from, to string) (through []string, certain bool) {
	return r.chainBeside(from, to, map[string]bool{})
}

// chainBeside leaves out packages that were seen. What does not change imports nothing
// that does.
func (r *reader) chainBeside(from, to string, seen map[string]bool) (through []string, certain bool) {
	seen[from] = true
	found, err := r.set.Find(from)
	if err != nil {
		return nil, false
	}
	if found == nil {
		a := r.store.About(from)
		return nil, a != nil && !a.Changing || r.isStandard(from)
	}
	if slices.Contains(found.Imports, to) {
		return []string{to}, true
	}
	for _, path := range found.Imports {
		if seen[path] || path == "C" {
			continue
		}
		if rest, certain := r.chainBeside(path, to, seen); rest != nil || !certain {
			return append([]string{path}, rest...), certain
		}
	}
	return nil, true
}

// isStandard reports whether a package is of the standard library.
func (r *reader) isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	_, err := os.Stat(filepath.Join(r.set.Env["GOROOT"], "src", filepath.FromSlash(path)))
	return err == nil && !strings.Contains(first, ".")
}

func (r *reader) changeable() (dirs []string, complete bool) { return r.set.Asked(), true }

func (r *reader) find(path string) *Package {
	if p := r.known(path); p != nil {
		return p
	}
	return r.fixed(r.store.Find(r.im.ctx, path))
}

// place is a package that was not needed; nil if it is odd.
func (r *reader) place(found *modules.Package) *Package {
	if found == nil {
		return nil
	}
	return r.im.cfg.local(nil, found, none)
}

func (r *reader) fixed(a *exports.About) *Package {
	if a == nil {
		return nil
	}
	return &Package{Dir: a.Dir, Path: a.Path, Name: a.Name, GoVersion: a.GoVersion, module: a.Module, goFiles: a.Files, root: r.im.cfg.Dir}
}
