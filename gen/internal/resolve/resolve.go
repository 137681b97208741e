// Package resolve finds the Go function that an element names, or compiles its function
// literal or lambda. If there is no such function, it finds out why.
//
// It also finds the parameters that the runtime or the application supplies (NewSupply), and
// declares the functions of literals in .aion files (DeclareLiteral).
package resolve

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/lazyregexp"
)

// A reference is the parsed text of a function property.
type reference struct {
	text     aion.Text
	path     string // import path before the name, "" if none
	expr     ast.Expr
	typeArgs []ast.Expr
}

// A resolver searches for one function and collects the diagnostics.
type resolver struct {
	*Scope
	args   []aion.Entry // of the element
	faults diag.List
}

// Resolve finds the function that an element names, or compiles its literal or lambda. If it
// returns false, the list has the reason.
func (s *Scope) Resolve(el *aion.Element) (Function, diag.List, bool) {
	r := resolver{Scope: s, args: el.Function.Args}
	fn, ok := r.resolveElement(el)
	return fn, r.faults, ok
}

// resolveElement implements Scope.Resolve.
func (r *resolver) resolveElement(el *aion.Element) (Function, bool) {
	text := el.Function.Text
	switch source := strings.TrimSpace(text.Value); {
	case isLambda(source):
		return r.resolveLambda(el)
	case strings.HasPrefix(source, "func(") || strings.HasPrefix(source, "func (") && !methodDeclaration.Get().MatchString(source):
		return r.resolveLiteral(text)
	}
	ref, ok := r.parseReference(text)
	if !ok {
		return Function{}, false
	}
	if ref.path != "" {
		return r.resolveByPath(ref)
	}
	switch e := ref.expr.(type) {
	case *ast.Ident:
		return r.resolveMember(ref, r.pkg.Types, e.Name)
	case *ast.SelectorExpr:
		return r.resolveSelector(ref, e)
	}
	r.reportBadReference(ref.text)
	return Function{}, false
}

// methodDeclaration matches the beginning of a method declaration in Go.
var methodDeclaration = lazyregexp.Regexp{Text: `^func \([^()]*\)\s*\w+\s*\(`}

// parseReference parses a function text such as (*Store).Find or example.com/shop.Find. An import
// path with slashes is not a Go expression, so it is cut off first.
func (r *resolver) parseReference(text aion.Text) (reference, bool) {
	ref := reference{text: text}
	source := strings.TrimSpace(text.Value)
	if slash := strings.LastIndexByte(source, '/'); slash >= 0 && !strings.ContainsAny(source[:slash], "[ (") {
		dot := r.findPathEnd(source, slash)
		if dot < 0 {
			r.reportBadReference(text)
			return ref, false
		}
		ref.path, source = source[:dot], source[dot+1:]
	}
	expr, err := budget.ParseExpr(source)
	if err != nil {
		r.reportBadReference(text)
		return ref, false
	}
	ref.expr, ref.typeArgs = splitTypeArguments(expr)
	return ref, true
}

// resolveByPath finds a function by the import path of its package.
func (r *resolver) resolveByPath(ref reference) (Function, bool) {
	pkg, err := r.pkg.Types, error(nil)
	if ref.path != r.pkg.Path {
		pkg, err = r.pkg.Import(ref.path)
	}
	if err != nil {
		r.reportMissingPackage(ref, err)
		return Function{}, false
	}
	if !r.checkImport(ref, pkg) {
		return Function{}, false
	}
	switch e := ref.expr.(type) {
	case *ast.Ident:
		return r.resolveMember(ref, pkg, e.Name)
	case *ast.SelectorExpr:
		if c, ok := parseChain(e.X); ok {
			return r.resolveMethod(ref, pkg, c, e.Sel.Name)
		}
	}
	r.reportBadReference(ref.text)
	return Function{}, false
}

// findPathEnd returns the offset of the dot after the import path in source, whose last slash is at
// slash, or -1 if there is no dot. If there are several dots, it prefers the longest path that the
// package imports, then the shortest path of an existing package.
func (r *resolver) findPathEnd(source string, slash int) int {
	var ends []int
	for i := slash; i < len(source) && !strings.ContainsRune("[(", rune(source[i])); i++ {
		if source[i] == '.' {
			ends = append(ends, i)
		}
	}
	for _, end := range slices.Backward(ends) {
		if slices.ContainsFunc(r.pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == source[:end] }) {
			return end
		}
	}
	for _, end := range ends {
		if _, err := r.pkg.Import(source[:end]); len(ends) == 1 || source[:end] == r.pkg.Path || err == nil {
			return end
		}
	}
	if len(ends) > 0 {
		return ends[0]
	}
	return -1
}

// resolveSelector finds a.B and (*a).B. It looks for a as an imported package, as a type or
// variable, as the name of the package itself, and as a package that is not imported yet, in this
// order.
func (r *resolver) resolveSelector(ref reference, e *ast.SelectorExpr) (Function, bool) {
	c, ok := parseChain(e.X)
	if !ok {
		r.reportBadReference(ref.text)
		return Function{}, false
	}
	pkg := r.packageNamed(c.names[0])
	switch {
	case pkg == nil:
		return r.resolveMethod(ref, r.pkg.Types, c, e.Sel.Name)
	case !r.checkImport(ref, pkg):
		return Function{}, false
	case len(c.names) == 1:
		return r.resolveMember(ref, pkg, e.Sel.Name)
	}
	return r.resolveMethod(ref, pkg, selectorChain{c.names[1:], c.args, c.argsIndex - 1}, e.Sel.Name)
}

// checkImport reports a package that the generated package cannot import: an internal one, a
// program, or one that imports the generated package. Packages that the source package imports
// cannot be one of the latter two.
func (r *resolver) checkImport(ref reference, pkg *types.Package) bool {
	if err := r.write.CheckImport(pkg); err != nil {
		r.faults.Errorf("no-package", ref.text.Span, "%v", err).
			WithHelp("write your own function that does the same")
		return false
	}
	if pkg.Path() == r.write.Target.Path || slices.Contains(r.pkg.Types.Imports(), pkg) {
		return true
	}
	if pkg.Name() == "main" {
		r.faults.Errorf("no-package", ref.text.Span, "%s is a program, package main, which nothing can import", cmp.Or(ref.path, pkg.Path())).
			WithHelp("move the function to another package")
		return false
	}
	if chain := r.pkg.ImportChain(pkg.Path(), r.write.Target.Path); chain != nil {
		r.faults.Errorf("no-package", ref.text.Span, "package %s imports %s, which would have to import it", pkg.Path(), strings.Join(chain, ", which imports ")).
			WithHelp("move the .aion file to package %s, or to a package that imports both", pkg.Name())
		return false
	}
	return true
}

// resolveMember finds a function of a package, or a variable that holds one.
func (r *resolver) resolveMember(ref reference, pkg *types.Package, name string) (Function, bool) {
	obj, ok := r.lookupMember(ref, pkg, name)
	if !ok {
		return Function{}, false
	}
	switch obj := obj.(type) {
	case *types.Func:
		return r.instantiateFunction(ref, Function{Obj: obj, Sig: obj.Signature(), DocKey: source.DocKey(obj)})
	case *types.Var:
		if sig, ok := obj.Type().Underlying().(*types.Signature); ok {
			return r.instantiateFunction(ref, Function{Obj: obj, Sig: sig, DocKey: obj.Name()})
		}
		r.reportNotFunction(ref.text, obj, "a variable of type "+r.pkg.TypeName(obj.Type()))
	case *types.TypeName:
		r.reportNotFunction(ref.text, obj, "a type")
	default:
		r.reportNotFunction(ref.text, obj, "a constant")
	}
	return Function{}, false
}

// lookupMember finds an object of a package by its name or another spelling.
func (r *resolver) lookupMember(ref reference, pkg *types.Package, name string) (types.Object, bool) {
	obj, rivals := r.lookupIn(pkg, name)
	if pkg == r.pkg.Types {
		for _, path := range r.DotImports() {
			if imported, err := r.pkg.Import(path); obj == nil && err == nil {
				obj, rivals = r.lookupIn(imported, name)
			}
		}
	}
	switch {
	case len(rivals) > 1:
		r.reportAmbiguous(ref.text, name, rivals)
		return nil, false
	case obj == nil:
		r.reportMissing(ref.text, pkg, "", name, listFunctions(pkg.Scope(), r.namesOf(pkg)))
		return nil, false
	}
	return obj, true
}
