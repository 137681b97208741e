// Why something that a function text names is not there, where it nearly is.

package bind

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// leftOut says where a function of a package, or a method of its owner, or with
// no name the owner itself, is declared although the package does not have it,
// and why that is so. It returns false if it is declared nowhere.
func (b *binder) leftOut(d *diag.Diagnostic, pkg *types.Package, owner, name string) bool {
	for _, f := range b.pkg.LeftOut(pkg.Path()) {
		if id := declaredIn(f.File, owner, name); id != nil {
			d.WithRelated(b.pkg.Span(id.Pos(), id.End()), "%s is declared here, but %s", id.Name, f.Reason).WithHelp("%s", f.Help)
			return true
		}
	}
	if pkg == b.pkg.Types {
		return false
	}
	for _, file := range b.pkg.Syntax(pkg.Path()) {
		if id := declaredIn(file, owner, name); id != nil && !id.IsExported() {
			d.WithRelated(b.pkg.Span(id.Pos(), id.End()), "%s is declared here, but is not exported", id.Name).
				WithHelp("rename it to %s", goname.Capitalised(id.Name))
			return true
		}
	}
	return false
}

// declaredIn is where a file declares what leftOut looks for, under the name or a
// spelling of it.
func declaredIn(file *ast.File, owner, name string) *ast.Ident {
	is := func(id *ast.Ident, name string) bool { return id.Name == name || goname.Spells(name, id.Name) }
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			of := ""
			if decl.Recv != nil && len(decl.Recv.List) == 1 {
				of = typeIdent(decl.Recv.List[0].Type).Name
			}
			if of == owner && name != "" && is(decl.Name, name) {
				return decl.Name
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok && name == "" && is(t.Name, owner) {
					return t.Name
				}
			}
		}
	}
	return nil
}

// missingOwner reports a name in front of a dot that is neither a type nor a
// variable of the package, nor, in the package of the .aion file, an import.
func (b *binder) missingOwner(text aion.Text, pkg *types.Package, owner string, rest ...string) {
	d := b.faults.Errorf("ghost-tool", text.Span, "ghost tool: there is no type %s in package %s", owner, pkg.Name())
	if b.leftOut(d, pkg, owner, "") {
		return
	}
	if near := diag.Nearest(owner, typeNames(pkg)); near != "" {
		d.WithHelp("did you mean %s%s?", near, b.place(pkg.Scope().Lookup(near)))
		return
	}
	if pkg != b.pkg.Types {
		return
	}
	named := slices.DeleteFunc(b.importable(), func(k load.Known) bool { return k.Name != owner })
	if len(named) == 0 {
		d.WithHelp("if %s is a package, import it in a Go file, or write its path", owner)
		return
	}
	if having := slices.DeleteFunc(slices.Clone(named), func(k load.Known) bool { return b.memberOfKnown(k, rest[0]) == "" }); len(having) > 0 {
		named = having
	}
	for _, k := range named[:min(len(named), 3)] {
		written := append([]string{k.Path, cmp.Or(b.memberOfKnown(k, rest[0]), rest[0])}, rest[1:]...)
		d.WithHelp("%s may be %s, which no Go file of the package imports: write %q", owner, k.Path, strings.Join(written, "."))
	}
}

// importable are the packages that the target package may import.
func (b *binder) importable() []load.Known {
	return slices.DeleteFunc(slices.Clone(b.pkg.Known()), func(k load.Known) bool {
		return b.visible(types.NewPackage(k.Path, k.Name)) != nil || k.Path == b.target.Path
	})
}

// memberOfKnown is what a package calls a member that a name means, "" if it has
// none.
func (b *binder) memberOfKnown(k load.Known, name string) string {
	pkg, err := b.pkg.Import(k.Path)
	if err != nil {
		return ""
	}
	if obj, _ := b.lookupIn(pkg, name); obj != nil {
		return obj.Name()
	}
	return ""
}

// missingPackage reports an import path that leads nowhere.
func (b *binder) missingPackage(ref reference, err error) {
	d := b.faults.Errorf("no-package", ref.text.Span, "package %s cannot be imported: %v", ref.path, err).SplitMessage()
	var paths []string
	for _, k := range b.importable() {
		paths = append(paths, k.Path)
	}
	full := ref.path
	if strings.HasPrefix(full, ".") {
		d.WithHelp("a package is named by its import path, not by its place")
		full = path.Join(b.pkg.Path, full)
	}
	near := diag.Nearest(full, paths)
	if i := slices.IndexFunc(paths, func(p string) bool { return strings.HasSuffix(p, "/"+full) }); i >= 0 {
		near = paths[i]
	}
	if near != "" {
		d.WithHelp("did you mean %q?", near+strings.TrimPrefix(strings.TrimSpace(ref.text.Value), ref.path))
	} else if len(d.Help) == 0 {
		d.WithHelp("write the import path of a package of this module, of the standard library or of a module that go.mod requires")
	}
}

// typeNames are the types that a package declares.
func typeNames(pkg *types.Package) []string {
	return slices.DeleteFunc(pkg.Scope().Names(), func(name string) bool {
		_, isType := pkg.Scope().Lookup(name).(*types.TypeName)
		return !isType
	})
}

// badReference reports a function text that is no name, and what is meant where
// other languages write a method so.
func (b *binder) badReference(text aion.Text) {
	source := strings.TrimSpace(text.Value)
	d := b.faults.Errorf("bad-function", text.Span, "%q is not the name of a function", source)
	if help := elsewhere(source); help != "" {
		d.WithHelp("%s", help)
		return
	}
	expr, _ := parser.ParseExpr(source)
	if call, ok := expr.(*ast.CallExpr); ok {
		switch call.Fun.(type) {
		case *ast.Ident, *ast.SelectorExpr:
			d.WithHelp("write the name alone, %q: the model supplies the arguments", types.ExprString(call.Fun))
			return
		}
	}
	if m := namedFunction.FindStringSubmatch(source); m != nil {
		d.WithHelp("a function literal has no name: write %q", "func"+strings.TrimSpace(m[1])+" { … }")
		return
	}
	if m := methodElsewhere.FindStringSubmatch(source); m != nil {
		d.WithHelp("write %s", b.methodSpelling(m[1], m[2]))
		return
	}
	d.WithHelp("write a function's name, as in \"Find\", or a method, as in \"(*Store).Find\"")
}

// namedFunction is a function as a Go file declares it.
var namedFunction = regexp.MustCompile(`^func\s+\w+\s*(\([^{]*)\{`)

// methodElsewhere is a method as other languages, and Go in other places, write it.
var methodElsewhere = regexp.MustCompile(`^[*&]?\(?[*&]?(\w+)\)?(?:\.|::|->|#)(\w+)$`)

// methodSpelling is a method as a function text has it, with its place where the
// package has it.
func (b *binder) methodSpelling(owner, name string) string {
	place := ""
	if near := diag.Nearest(owner, typeNames(b.pkg.Types)); near != "" {
		owner = near
		if obj := b.methodOf(owner, name); obj != nil {
			name, place = obj.Name(), b.place(obj)
		}
	}
	return fmt.Sprintf("%q%s", "(*"+owner+")."+name, place)
}
