package shape

import (
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/source"
)

// isLossOfContent reports whether a tool may need the content of a field that is left out. It may need
//
//   - a required argument: a field that is not a pointer and has neither omitempty nor omitzero
//   - an interface if its package exports implementations of it, or a type that contains such an interface. Its values
//     are content, such as a file or an attribute, and not behavior.
//   - an error, or a type that contains errors
//
// For variadic parameters, IsOptions decides this instead.
func (r *typeReader) isLossOfContent(f JSONField) bool {
	t := f.valueType()
	if r.output {
		return r.carriesContent(t, map[types.Type]bool{})
	}
	_, pointer := types.Unalias(t).(*types.Pointer)
	optional := f.presence != nil && !isRequiredParam(f) || pointer || f.hasOption("omitempty") || f.hasOption("omitzero") || r.isOption(f)
	return !optional || r.carriesContent(t, map[types.Type]bool{})
}

// IsOptions reports whether the elements of a variadic parameter are functional options, which a tool rarely
// needs. These are
//   - functions,
//   - interfaces without an exported implementation that has data, and
//   - interfaces with a name such as CallOption whose implementations are returned by functions.
//
// Other parameters that JSON cannot carry are content.
func (s *Shapes) IsOptions(elem types.Type) bool {
	elem = types.Unalias(elem)
	switch elem.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		named, ok := elem.(*types.Named)
		if !ok {
			return true
		}
		found := s.implementationsOf(named)
		return !found.withData || found.returned && hasOptionName(named.Obj().Name())
	}
	return false
}

// hasOptionName reports whether the name of a type says that its values are options.
func hasOptionName(name string) bool {
	name = strings.TrimSuffix(name, "s")
	return strings.HasSuffix(name, "Option") || strings.HasSuffix(name, "Opt")
}

// carriesContent reports whether a type that JSON cannot carry is an error, or an interface whose package
// exports implementations of it, or contains such types.
func (r *typeReader) carriesContent(t types.Type, visited map[types.Type]bool) bool {
	t = types.Unalias(t)
	if visited[t] || r.isOpaque(t) || r.isHandle(t) || !r.write.Budget.UseSteps(1) {
		return false
	}
	visited[t] = true
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return false
	case interface{ Elem() types.Type }: // a pointer, list or map
		return r.carriesContent(u.Elem(), visited)
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() && r.carriesContent(f.Type(), visited) {
				return true
			}
		}
	case *types.Interface:
		named, ok := t.(*types.Named)
		return source.IsError(t) || ok && r.implementationsOf(named).isReachable()
	}
	return false
}

// implementations describes the implementations of an interface that its package exports.
type implementations struct {
	exist    bool // exported types or variables implement the interface
	withData bool // one of the types has data: it is neither a function nor a struct without exported fields
	returned bool // functions return implementations, or methods construct them from arguments
}

// isReachable reports whether a program can get an implementation from the package.
func (found implementations) isReachable() bool { return found.exist || found.returned }

// implementationsOf finds what the package of an interface exports to implement it.
func (s *Shapes) implementationsOf(t *types.Named) implementations {
	i, ok := t.Underlying().(*types.Interface)
	if !ok || i.Empty() || t.Obj().Pkg() == nil { // error has no package
		return implementations{}
	}
	if cached, ok := s.implemented.At(t).(implementations); ok {
		return cached
	}
	pkg := s.wholePackage(t.Obj().Pkg())
	found := implementations{}
	for _, named := range s.exportedTypes(pkg, 0) {
		if types.Implements(named, i) || types.Implements(types.NewPointer(named), i) {
			found.exist = true
			found.withData = found.withData || holdsData(named)
		}
	}
	s.addSuppliers(&found, pkg, t)
	s.implemented.Set(t, found)
	return found
}

// addSuppliers records whether variables, functions or methods of a package supply implementations of an interface.
func (s *Shapes) addSuppliers(found *implementations, pkg *types.Package, t *types.Named) {
	i := t.Underlying().(*types.Interface)
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		if !obj.Exported() || !s.write.Budget.UseSteps(1) {
			continue
		}
		switch obj := obj.(type) {
		case *types.Var:
			found.exist = found.exist || types.Implements(obj.Type(), i)
		case *types.Func:
			results := obj.Signature().Results()
			found.returned = found.returned || returnsValue(results) && types.Implements(results.At(0).Type(), i)
		case *types.TypeName:
			found.returned = found.returned || s.hasFactoryMethod(obj, t)
		}
	}
}

// hasFactoryMethod reports whether a type has a method that constructs values of an interface from its
// arguments. A method without arguments does not count, because it returns a part of its receiver.
func (s *Shapes) hasFactoryMethod(owner *types.TypeName, t *types.Named) bool {
	return slices.ContainsFunc(declaredMethods(owner), func(m *types.Func) bool {
		sig := m.Signature()
		takes := slices.ContainsFunc(slices.Collect(sig.Params().Variables()), func(v *types.Var) bool { return !source.IsContext(v.Type()) })
		return s.write.Budget.UseSteps(1) && m.Exported() && takes && returnsValue(sig.Results()) && types.Identical(sig.Results().At(0).Type(), t)
	})
}

// returnsValue reports whether results are one value, or one value and an error.
func returnsValue(results *types.Tuple) bool {
	return results.Len() == 1 || results.Len() == 2 && source.IsError(results.At(1).Type())
}

// wholePackage returns a package with everything that it exports. A package that was loaded only in part,
// from the export data of another package, is imported.
func (s *Shapes) wholePackage(pkg *types.Package) *types.Package {
	if pkg != s.write.Package.Types && !pkg.Complete() {
		if whole, err := s.write.Package.Import(pkg.Path()); err == nil {
			return whole
		}
	}
	return pkg
}

// exportedTypes returns the exported types of a package that are not interfaces and have no type parameters
// or the given number of them.
func (s *Shapes) exportedTypes(pkg *types.Package, parameters int) (all []*types.Named) {
	pkg = s.wholePackage(pkg)
	for _, name := range pkg.Scope().Names() {
		obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || !obj.Exported() || obj.IsAlias() || !s.write.Budget.UseSteps(1) {
			continue
		}
		named, ok := obj.Type().(*types.Named)
		if !ok || types.IsInterface(named) {
			continue
		}
		if n := named.TypeParams().Len(); n == 0 || n == parameters {
			all = append(all, named)
		}
	}
	return all
}

// holdsData reports whether values of a type carry more than behavior.
func holdsData(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Chan:
		return false
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() {
				return true
			}
		}
		return false
	}
	return true
}
