package resolve

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/python"
	"github.com/aiongen/aiongen/gen/internal/supply"
	"github.com/aiongen/aiongen/internal/words"
)

// A Scope is what the names in a package stand for.
type Scope struct {
	pkg      *load.Package
	write    gotype.Writer
	docs     *godoc.Reader
	supply   *supply.Supply
	injected []*python.Injected

	spellings map[*types.Package]map[string][]string // names by any spelling of them
	imports   []*ast.File                            // the one of all imports, once it is wanted
}

// New returns the scope of the package that w writes types of. What is supplied is
// passed unwritten by lambdas; what is injected has a name there.
func New(w gotype.Writer, docs *godoc.Reader, given *supply.Supply) *Scope {
	s := &Scope{pkg: w.Package, write: w, docs: docs, supply: given, spellings: map[*types.Package]map[string][]string{}}
	for _, in := range given.Injected() {
		v := types.NewField(token.NoPos, s.pkg.Types, in.Field, in.Type, false)
		s.injected = append(s.injected, &python.Injected{Var: v, Span: in.Span})
	}
	return s
}

// packageNamed is the package that a name stands for, if it does: an imported
// one, else, unless the package declares the name, itself or one that is not
// imported yet. Who looks from within the standard library, as for a new file, means
// paths: strconv imports another of its name.
func (s *Scope) packageNamed(name string) *types.Package {
	if name == s.pkg.Path && s.pkg.Module == "" {
		return s.pkg.Types
	}
	if pkg := s.imported(name); pkg != nil {
		return pkg
	}
	if s.pkg.Types.Scope().Lookup(name) != nil {
		return nil
	}
	if name == s.pkg.Name {
		return s.pkg.Types
	}
	pkg, err := s.pkg.Import(name)
	if err != nil {
		return nil
	}
	return pkg
}

// imported is the package that a file of the source package imports by a name; a blank
// import is one by the package's own.
func (s *Scope) imported(name string) *types.Package {
	for _, file := range s.pkg.Files {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if s.declaredName(spec, path) != name {
				continue
			}
			for _, p := range s.pkg.Types.Imports() {
				if p.Path() == path {
					return p
				}
			}
		}
	}
	return nil
}

// lookupIn finds an object of a package by its name or a spelling of it.
func (s *Scope) lookupIn(pkg *types.Package, name string) (types.Object, []types.Object) {
	if obj := pkg.Scope().Lookup(name); obj != nil && (pkg == s.pkg.Types || obj.Exported()) {
		return obj, nil
	}
	spellings := s.spellings[pkg]
	if spellings == nil {
		spellings = map[string][]string{}
		for _, n := range s.namesOf(pkg) {
			spellings[words.Folded(n)] = append(spellings[words.Folded(n)], n)
		}
		s.spellings[pkg] = spellings
	}
	return lookup(name, spellings[words.Folded(name)], pkg.Scope().Lookup)
}

// namesOf are the names of a package that a function text may mention.
func (s *Scope) namesOf(pkg *types.Package) []string {
	if pkg == s.pkg.Types {
		return pkg.Scope().Names()
	}
	return ExportedNames(pkg)
}

// ExportedNames are the names that a package exports.
func ExportedNames(pkg *types.Package) []string {
	return slices.DeleteFunc(pkg.Scope().Names(), func(n string) bool { return !token.IsExported(n) })
}

// DotImports are the packages whose names the source package has as its own.
func (s *Scope) DotImports() []string { return s.importedPaths(".") }

// lookup finds the object of that name, or of a Go spelling of it: the
// exported ones first, and all of the same rank.
func lookup(name string, names []string, find func(string) types.Object) (types.Object, []types.Object) {
	if slices.Contains(names, name) {
		return find(name), nil
	}
	var exported, others []types.Object
	for _, candidate := range names {
		if !goname.Spells(name, candidate) {
			continue
		}
		if token.IsExported(candidate) {
			exported = append(exported, find(candidate))
		} else {
			others = append(others, find(candidate))
		}
	}
	if len(exported) == 0 {
		exported = others
	}
	if len(exported) == 0 {
		return nil, nil
	}
	return exported[0], exported
}

// importedPaths are the packages that files of the package import by a name.
func (s *Scope) importedPaths(name string) []string {
	var paths []string
	for _, file := range s.pkg.Files {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if s.declaredName(spec, path) == name && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// declaredName is the name that an import declares; "" if its package is unknown.
func (s *Scope) declaredName(spec *ast.ImportSpec, path string) string {
	if spec.Name != nil && spec.Name.Name != "_" {
		return spec.Name.Name
	}
	for _, p := range s.pkg.Types.Imports() {
		if p.Path() == path {
			return p.Name()
		}
	}
	return ""
}

// methodsOf lists the methods that can be called on a value of a type; a
// variable's address can be taken, so those of its pointer count.
func methodsOf(t types.Type, own bool) map[string]types.Object {
	if _, pointer := types.Unalias(t).(*types.Pointer); !pointer && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	methods := map[string]types.Object{}
	for m := range types.NewMethodSet(t).Methods() {
		if own || m.Obj().Exported() {
			methods[m.Obj().Name()] = m.Obj()
		}
	}
	return methods
}

// methodNamed is a method of the package by that name, as a function text has it;
// "" if there is none.
func (s *Scope) methodNamed(name string) string {
	for _, owner := range typeNames(s.pkg.Types) {
		if obj := s.methodOf(owner, name); obj != nil {
			return fmt.Sprintf("(*%s).%s%s", owner, obj.Name(), s.pkg.Beside(obj))
		}
	}
	return ""
}

// methodOf is the method of a type of the package that a name means, nil if it has
// none.
func (s *Scope) methodOf(owner, name string) types.Object {
	methods := methodsOf(s.pkg.Types.Scope().Lookup(owner).Type(), true)
	obj, _ := lookup(name, slices.Sorted(maps.Keys(methods)), func(name string) types.Object { return methods[name] })
	return obj
}

// typeNames are the types that a package declares.
func typeNames(pkg *types.Package) []string {
	return slices.DeleteFunc(pkg.Scope().Names(), func(name string) bool {
		_, isType := pkg.Scope().Lookup(name).(*types.TypeName)
		return !isType
	})
}
