package bind

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/goname"
)

// target is the Go function that a function text names.
type target struct {
	obj      types.Object     // *types.Func or *types.Var, nil if it is a literal; of a lambda, the function that it stands for
	sig      *types.Signature // without receiver, type arguments put in
	args     []types.Type     // type arguments
	receiver types.Type       // of a method: what Deps has to hold, *T or an interface
	holder   *types.Var       // of a method of a package variable: that variable
	docKey   string

	literal *literal // of a function literal, which is no object
}

// describe is the function as messages show it.
func (t target) describe() string {
	switch {
	case t.literal != nil && t.literal.lambda != nil:
		return "the lambda"
	case t.literal != nil:
		return "the function literal"
	}
	return t.obj.Name()
}

// pkg is the package that declares the function, nil if it is none.
func (t target) pkg() *types.Package {
	if t.obj == nil {
		return nil
	}
	return t.obj.Pkg()
}

// A reference is the text of a function property, taken apart.
type reference struct {
	text     aion.Text
	path     string // import path in front, "" if none
	expr     ast.Expr
	typeArgs []ast.Expr
}

// resolve finds the function that the text of a function property names, and
// reports why there is none.
func (b *binder) resolve(el *aion.Element) (target, bool) {
	text := el.Function.Text
	switch source := strings.TrimSpace(text.Value); {
	case isLambda(source):
		return b.resolveLambda(el)
	case strings.HasPrefix(source, "func(") || strings.HasPrefix(source, "func ("):
		return b.resolveLiteral(text)
	}
	ref, ok := b.parseReference(text)
	if !ok {
		return target{}, false
	}
	if ref.path != "" {
		return b.resolveByPath(ref)
	}
	switch e := ref.expr.(type) {
	case *ast.Ident:
		return b.resolveMember(ref, b.pkg.Types, e.Name)
	case *ast.SelectorExpr:
		return b.resolveSelector(ref, e)
	}
	b.badReference(ref.text)
	return target{}, false
}

// parseReference takes a function text apart. An import path with slashes is
// no Go expression, so it is cut off first.
func (b *binder) parseReference(text aion.Text) (reference, bool) {
	ref := reference{text: text}
	source := strings.TrimSpace(text.Value)
	if slash := strings.LastIndexByte(source, '/'); slash >= 0 && !strings.ContainsAny(source[:slash], "[ (") {
		dot := strings.IndexByte(source[slash:], '.')
		if dot < 0 {
			b.badReference(text)
			return ref, false
		}
		ref.path, source = source[:slash+dot], source[slash+dot+1:]
	}
	expr, err := parser.ParseExpr(source)
	if err != nil {
		b.badReference(text)
		return ref, false
	}
	ref.expr, ref.typeArgs = typeArguments(expr)
	return ref, true
}

// resolveByPath finds a function by the import path of its package.
func (b *binder) resolveByPath(ref reference) (target, bool) {
	pkg, err := b.pkg.Types, error(nil)
	if ref.path != b.pkg.Path {
		pkg, err = b.pkg.Import(ref.path)
	}
	if err != nil {
		b.missingPackage(ref, err)
		return target{}, false
	}
	if !b.mayImport(ref, pkg) {
		return target{}, false
	}
	switch e := ref.expr.(type) {
	case *ast.Ident:
		return b.resolveMember(ref, pkg, e.Name)
	case *ast.SelectorExpr:
		owner, args := receiver(e.X)
		if name, ok := owner.(*ast.Ident); ok {
			return b.resolveMethod(ref, pkg, name.Name, args, e.Sel.Name)
		}
	}
	b.badReference(ref.text)
	return target{}, false
}

// resolveSelector finds a.B and (*a).B: in a package, else a type, else a
// variable, else this package by its name, else a package that is not imported yet.
func (b *binder) resolveSelector(ref reference, e *ast.SelectorExpr) (target, bool) {
	owner, args := receiver(e.X)
	switch x := owner.(type) {
	case *ast.Ident:
		if pkg := b.packageNamed(x.Name); pkg != nil {
			if !b.mayImport(ref, pkg) {
				return target{}, false
			}
			return b.resolveMember(ref, pkg, e.Sel.Name)
		}
		return b.resolveMethod(ref, b.pkg.Types, x.Name, args, e.Sel.Name)
	case *ast.SelectorExpr:
		if name, ok := x.X.(*ast.Ident); ok {
			if pkg := b.packageNamed(name.Name); pkg != nil {
				if !b.mayImport(ref, pkg) {
					return target{}, false
				}
				return b.resolveMethod(ref, pkg, x.Sel.Name, args, e.Sel.Name)
			}
			b.missingOwner(ref.text, b.pkg.Types, name.Name, x.Sel.Name, e.Sel.Name)
			return target{}, false
		}
	}
	b.badReference(ref.text)
	return target{}, false
}

// mayImport reports a package that the generated one cannot import: an internal one,
// a program, or one that imports it. What the source package imports itself is none
// of the last two.
func (b *binder) mayImport(ref reference, pkg *types.Package) bool {
	if err := b.visible(pkg); err != nil {
		b.faults.Errorf("no-package", ref.text.Span, "%v", err).
			WithHelp("write a function of your own that does the same")
		return false
	}
	if pkg.Path() == b.target.Path || slices.Contains(b.pkg.Types.Imports(), pkg) {
		return true
	}
	if pkg.Name() == "main" {
		b.faults.Errorf("no-package", ref.text.Span, "%s is a program, package main, which nothing can import", cmp.Or(ref.path, pkg.Path())).
			WithHelp("move the function into a package of its own")
		return false
	}
	if chain := b.pkg.ChainFrom(pkg.Path(), b.target.Path); chain != nil {
		b.faults.Errorf("no-package", ref.text.Span, "package %s imports %s, which would have to import it", pkg.Path(), strings.Join(chain, ", which imports ")).
			WithHelp("write the .aion file beside package %s, or in a package that imports both", pkg.Name())
		return false
	}
	return true
}

// packageNamed is the package that a name stands for, if it does: an imported
// one, else, unless the package declares the name, itself or one that is not
// imported yet.
func (b *binder) packageNamed(name string) *types.Package {
	if pkg := b.imported(name); pkg != nil {
		return pkg
	}
	if b.pkg.Types.Scope().Lookup(name) != nil {
		return nil
	}
	if name == b.pkg.Name {
		return b.pkg.Types
	}
	pkg, err := b.pkg.Import(name)
	if err != nil {
		return nil
	}
	return pkg
}

// imported is the package that a file of the source package imports by a name.
func (b *binder) imported(name string) *types.Package {
	for _, file := range b.pkg.Files {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if spec.Name != nil && spec.Name.Name != name {
				continue
			}
			for _, p := range b.pkg.Types.Imports() {
				if p.Path() == path && (spec.Name != nil || p.Name() == name) {
					return p
				}
			}
		}
	}
	return nil
}

// resolveMember finds a function, or a variable that holds one, of a package.
func (b *binder) resolveMember(ref reference, pkg *types.Package, name string) (target, bool) {
	obj, ok := b.member(ref, pkg, name)
	if !ok {
		return target{}, false
	}
	switch obj := obj.(type) {
	case *types.Func:
		return b.instantiate(ref, target{obj: obj, sig: obj.Signature(), docKey: obj.Name()})
	case *types.Var:
		if sig, ok := obj.Type().Underlying().(*types.Signature); ok {
			return b.instantiate(ref, target{obj: obj, sig: sig, docKey: obj.Name()})
		}
		b.notFunction(ref.text, obj, "a variable of type "+b.typeName(obj.Type()))
	case *types.TypeName:
		b.notFunction(ref.text, obj, "a type")
	default:
		b.notFunction(ref.text, obj, "a constant")
	}
	return target{}, false
}

// member finds an object of a package by its name or a spelling of it.
func (b *binder) member(ref reference, pkg *types.Package, name string) (types.Object, bool) {
	obj, rivals := b.lookupIn(pkg, name)
	for _, path := range b.dotImports(pkg) {
		if imported, err := b.pkg.Import(path); obj == nil && err == nil {
			obj, rivals = b.lookupIn(imported, name)
		}
	}
	switch {
	case len(rivals) > 1:
		b.ambiguous(ref.text, name, rivals)
		return nil, false
	case obj == nil:
		b.ghost(ref.text, pkg, "", name, functions(pkg.Scope(), b.namesOf(pkg)))
		return nil, false
	}
	return obj, true
}

// lookupIn finds an object of a package by its name or a spelling of it.
func (b *binder) lookupIn(pkg *types.Package, name string) (types.Object, []types.Object) {
	if obj := pkg.Scope().Lookup(name); obj != nil && (pkg == b.pkg.Types || obj.Exported()) {
		return obj, nil
	}
	spellings := b.spellings[pkg]
	if spellings == nil {
		spellings = map[string][]string{}
		for _, n := range b.namesOf(pkg) {
			spellings[goname.Loose(n)] = append(spellings[goname.Loose(n)], n)
		}
		b.spellings[pkg] = spellings
	}
	return lookup(name, spellings[goname.Loose(name)], pkg.Scope().Lookup)
}

// namesOf are the names of a package that a function text may mention.
func (b *binder) namesOf(pkg *types.Package) []string {
	if pkg == b.pkg.Types {
		return pkg.Scope().Names()
	}
	return exportedNames(pkg)
}

func exportedNames(pkg *types.Package) []string {
	return slices.DeleteFunc(pkg.Scope().Names(), func(n string) bool { return !token.IsExported(n) })
}

// dotImports are the packages whose names the source package has as its own.
func (b *binder) dotImports(pkg *types.Package) []string {
	if pkg != b.pkg.Types {
		return nil
	}
	return b.importedPaths(".")
}

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
