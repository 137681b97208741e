// Package resolve finds the Go function that the text of an element names, or
// makes one of a literal or a lambda. Of a ghost, which is not there, it finds
// out why.
//
// Its layers, from top to bottom:
//
//	named                      which packages a text may name
//	resolve                    which kind of text it is
//	lambda, literal            what each kind stands for
//	method                     methods
//	path                       the fields on the way to them
//	generic, shadow            type arguments; declarations that hide what Go means
//	ghost, member, elsewhere   functions and members that are not there, or are elsewhere
//	types, missing             what is meant by types, or what is nearly there
//	scope, function            what names in the package stand for
package resolve

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/nesting"
)

// A reference is the text of a function property, taken apart.
type reference struct {
	text     aion.Text
	path     string // import path in front, "" if none
	expr     ast.Expr
	typeArgs []ast.Expr
}

// A resolving is one search for a function, with what is wrong about it.
type resolving struct {
	*Scope
	faults diag.List
}

// Resolve finds the function that an element names. The list says why there is
// none.
func (s *Scope) Resolve(el *aion.Element) (Function, diag.List, bool) {
	r := resolving{Scope: s}
	fn, ok := r.resolve(el)
	return fn, r.faults, ok
}

// resolve finds the function that the text of a function property names, and
// reports why there is none.
func (r *resolving) resolve(el *aion.Element) (Function, bool) {
	text := el.Function.Text
	switch source := strings.TrimSpace(text.Value); {
	case isLambda(source):
		return r.resolveLambda(el)
	case strings.HasPrefix(source, "func(") || strings.HasPrefix(source, "func ("):
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
	r.badReference(ref.text)
	return Function{}, false
}

// parseReference takes a function text apart. An import path with slashes is
// no Go expression, so it is cut off first.
func (r *resolving) parseReference(text aion.Text) (reference, bool) {
	ref := reference{text: text}
	source := strings.TrimSpace(text.Value)
	if slash := strings.LastIndexByte(source, '/'); slash >= 0 && !strings.ContainsAny(source[:slash], "[ (") {
		dot := r.pathEnd(source, slash)
		if dot < 0 {
			r.badReference(text)
			return ref, false
		}
		ref.path, source = source[:dot], source[dot+1:]
	}
	if token.IsIdentifier(source) { // most are, and need no parser
		ref.expr = ast.NewIdent(source)
		return ref, true
	}
	expr, err := nesting.Parse(source)
	if err != nil {
		r.badReference(text)
		return ref, false
	}
	ref.expr, ref.typeArgs = typeArguments(expr)
	return ref, true
}

// resolveByPath finds a function by the import path of its package.
func (r *resolving) resolveByPath(ref reference) (Function, bool) {
	pkg, err := r.pkg.Types, error(nil)
	if ref.path != r.pkg.Path {
		pkg, err = r.pkg.Import(ref.path)
	}
	if err != nil {
		r.missingPackage(ref, err)
		return Function{}, false
	}
	if !r.mayImport(ref, pkg) {
		return Function{}, false
	}
	switch e := ref.expr.(type) {
	case *ast.Ident:
		return r.resolveMember(ref, pkg, e.Name)
	case *ast.SelectorExpr:
		if c, ok := chainOf(e.X); ok {
			return r.resolveMethod(ref, pkg, c, e.Sel.Name)
		}
	}
	r.badReference(ref.text)
	return Function{}, false
}

// pathEnd is the dot that ends an import path whose last slash is known, -1 if there is
// none: behind the longest that the package imports, else the shortest that there is.
func (r *resolving) pathEnd(source string, slash int) int {
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

// resolveSelector finds a.B and (*a).B: in a package, else a type, else a
// variable, else this package by its name, else a package that is not imported yet.
func (r *resolving) resolveSelector(ref reference, e *ast.SelectorExpr) (Function, bool) {
	c, ok := chainOf(e.X)
	if !ok {
		r.badReference(ref.text)
		return Function{}, false
	}
	pkg := r.packageNamed(c.names[0])
	switch {
	case pkg == nil:
		return r.resolveMethod(ref, r.pkg.Types, c, e.Sel.Name)
	case !r.mayImport(ref, pkg):
		return Function{}, false
	case len(c.names) == 1:
		return r.resolveMember(ref, pkg, e.Sel.Name)
	}
	return r.resolveMethod(ref, pkg, c.behind(), e.Sel.Name)
}

// mayImport reports a package that the generated one cannot import: an internal one,
// a program, or one that imports it. What the source package imports itself is none
// of the last two.
func (r *resolving) mayImport(ref reference, pkg *types.Package) bool {
	if err := r.write.Importable(pkg); err != nil {
		r.faults.Errorf("no-package", ref.text.Span, "%v", err).
			WithHelp("write a function of your own that does the same")
		return false
	}
	if pkg.Path() == r.write.Target.Path || slices.Contains(r.pkg.Types.Imports(), pkg) {
		return true
	}
	if pkg.Name() == "main" {
		r.faults.Errorf("no-package", ref.text.Span, "%s is a program, package main, which nothing can import", cmp.Or(ref.path, pkg.Path())).
			WithHelp("move the function into a package of its own")
		return false
	}
	if chain := r.pkg.ChainFrom(pkg.Path(), r.write.Target.Path); chain != nil {
		r.faults.Errorf("no-package", ref.text.Span, "package %s imports %s, which would have to import it", pkg.Path(), strings.Join(chain, ", which imports ")).
			WithHelp("write the .aion file beside package %s, or in a package that imports both", pkg.Name())
		return false
	}
	return true
}

// resolveMember finds a function, or a variable that holds one, of a package.
func (r *resolving) resolveMember(ref reference, pkg *types.Package, name string) (Function, bool) {
	obj, ok := r.member(ref, pkg, name)
	if !ok {
		return Function{}, false
	}
	switch obj := obj.(type) {
	case *types.Func:
		return r.instantiate(ref, Function{Obj: obj, Sig: obj.Signature(), DocKey: docKey(obj)})
	case *types.Var:
		if sig, ok := obj.Type().Underlying().(*types.Signature); ok {
			return r.instantiate(ref, Function{Obj: obj, Sig: sig, DocKey: obj.Name()})
		}
		r.notFunction(ref.text, obj, "a variable of type "+r.pkg.TypeName(obj.Type()))
	case *types.TypeName:
		r.notFunction(ref.text, obj, "a type")
	default:
		r.notFunction(ref.text, obj, "a constant")
	}
	return Function{}, false
}

// member finds an object of a package by its name or a spelling of it.
func (r *resolving) member(ref reference, pkg *types.Package, name string) (types.Object, bool) {
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
		r.ambiguous(ref.text, name, rivals)
		return nil, false
	case obj == nil:
		r.ghost(ref.text, pkg, "", name, functions(pkg.Scope(), r.namesOf(pkg)))
		return nil, false
	}
	return obj, true
}
