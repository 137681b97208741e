package resolve

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/lambda"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/words"
)

// A Scope resolves names in the scope of a package.
type Scope struct {
	pkg      *load.Package
	write    shape.TypeWriter
	docs     *source.DocReader
	shapes   *shape.Shapes
	supply   *Supply
	injected []*lambda.Injected

	spellings map[*types.Package]map[string][]string // names by their folded spelling
	imports   []*ast.File                            // see allImports
}

// New returns the scope of the package of w. In that scope, lambdas pass the values in supply implicitly, and
// can refer to injected values by names such as deps.store.
func New(w shape.TypeWriter, docs *source.DocReader, shapes *shape.Shapes, supply *Supply) *Scope {
	s := &Scope{pkg: w.Package, write: w, docs: docs, shapes: shapes, supply: supply, spellings: map[*types.Package]map[string][]string{}}
	for _, in := range supply.injections {
		v := types.NewField(token.NoPos, s.pkg.Types, in.Field, in.Type, false)
		s.injected = append(s.injected, &lambda.Injected{Var: v, Span: in.Span})
	}
	return s
}

// packageNamed returns the package that a name refers to, or nil if there is none. The name may refer to an
// imported package. Unless the package declares the name, it may also refer to the package itself, or to a
// package that is not imported yet. In package main, main refers to the package, although the package
// declares a function main. In the standard library, a name equal to the path of the package refers to the
// package itself, because strconv imports another package named strconv.
func (s *Scope) packageNamed(name string) *types.Package {
	if name == s.pkg.Path && s.pkg.Module == "" {
		return s.pkg.Types
	}
	if pkg := s.findImport(name); pkg != nil {
		return pkg
	}
	declared := s.pkg.Types.Scope().Lookup(name)
	if _, isFunc := declared.(*types.Func); name == s.pkg.Name && (declared == nil || isFunc) {
		return s.pkg.Types
	}
	if declared != nil {
		return nil
	}
	pkg, err := s.pkg.Import(name)
	if err != nil {
		return nil
	}
	return pkg
}

// findImport returns the package that a file of the source package imports under a name. A blank
// import has the name of the imported package.
func (s *Scope) findImport(name string) *types.Package {
	for _, path := range s.importedPaths(name) {
		if p := s.importedPackage(path); p != nil {
			return p
		}
	}
	return nil
}

// lookupIn finds an object of a package by its name or another spelling, such as find_order for FindOrder. If
// it finds other spellings, it returns all objects that match as rivals.
func (s *Scope) lookupIn(pkg *types.Package, name string) (types.Object, []types.Object) {
	if obj := pkg.Scope().Lookup(name); obj != nil && (pkg == s.pkg.Types || obj.Exported()) {
		return obj, nil
	}
	spellings := s.spellings[pkg]
	if spellings == nil {
		spellings = map[string][]string{}
		for _, n := range s.namesOf(pkg) {
			spellings[words.FoldName(n)] = append(spellings[words.FoldName(n)], n)
		}
		s.spellings[pkg] = spellings
	}
	return lookupSpelling(name, spellings[words.FoldName(name)], pkg.Scope().Lookup)
}

// namesOf returns the names of a package that the function property may use.
func (s *Scope) namesOf(pkg *types.Package) []string {
	if pkg == s.pkg.Types {
		return pkg.Scope().Names()
	}
	return ExportedNames(pkg)
}

// ExportedNames returns the names that a package exports.
func ExportedNames(pkg *types.Package) []string {
	return slices.DeleteFunc(pkg.Scope().Names(), func(n string) bool { return !token.IsExported(n) })
}

// DotImports returns the paths of the packages that the source package imports with a dot.
func (s *Scope) DotImports() []string { return s.importedPaths(".") }

// lookupSpelling finds the object with the exact name. Otherwise it returns all objects whose Go
// name is a spelling of the name, and the first of them. Exported objects take precedence.
func lookupSpelling(name string, names []string, find func(string) types.Object) (types.Object, []types.Object) {
	if slices.Contains(names, name) {
		return find(name), nil
	}
	var exported, others []types.Object
	for _, candidate := range names {
		if !goname.IsSpelling(name, candidate) {
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

// importedPaths returns the paths of the packages that files of the package import under a
// name.
func (s *Scope) importedPaths(name string) []string {
	var paths []string
	for declared, path := range s.allImportNames {
		if declared == name && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// allImportNames yields the name and the path of each import in the files of the package.
func (s *Scope) allImportNames(yield func(name, path string) bool) {
	for _, file := range s.pkg.Files {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if !yield(s.declaredName(spec, path), path) {
				return
			}
		}
	}
}

// importedPackage returns the package with a path among those that the package imports directly, or nil.
func (s *Scope) importedPackage(path string) *types.Package {
	i := slices.IndexFunc(s.pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == path })
	if i < 0 {
		return nil
	}
	return s.pkg.Types.Imports()[i]
}

// declaredName returns the name that an import declares, "" if its package is unknown.
func (s *Scope) declaredName(spec *ast.ImportSpec, path string) string {
	if spec.Name != nil && spec.Name.Name != "_" {
		return spec.Name.Name
	}
	if p := s.importedPackage(path); p != nil {
		return p.Name()
	}
	return ""
}

// methodsOf returns the methods that can be called on a variable of a type, including those of its
// pointer type. It includes unexported methods if own is set.
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

// methodNamed returns a reference to a method of the package with a name, such as (*Store).Find,
// and its position. It returns "" if there is none.
func (s *Scope) methodNamed(name string) string {
	for _, owner := range typeNames(s.pkg.Types) {
		if obj := s.methodOf(owner, name); obj != nil {
			return fmt.Sprintf("(*%s).%s%s", owner, obj.Name(), s.pkg.DescribePlace(obj))
		}
	}
	return ""
}

// methodOf returns the method of a type of the package whose name is a spelling of name, or nil if
// there is none.
func (s *Scope) methodOf(owner, name string) types.Object {
	methods := methodsOf(s.pkg.Types.Scope().Lookup(owner).Type(), true)
	obj, _ := lookupSpelling(name, slices.Sorted(maps.Keys(methods)), func(name string) types.Object { return methods[name] })
	return obj
}

// typeNames returns the names of the types that a package declares.
func typeNames(pkg *types.Package) []string {
	return slices.DeleteFunc(pkg.Scope().Names(), func(name string) bool {
		_, isType := pkg.Scope().Lookup(name).(*types.TypeName)
		return !isType
	})
}
