// Why something that a function text names is not there, where it nearly is.

package resolve

import (
	"cmp"
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/internal/words"
)

// LeftOut says where a function of a package, or a method of its owner, or with
// no name the owner itself, is declared although the package does not have it,
// and why that is so: all of a package that cannot be imported may be. It returns false
// if it is declared nowhere.
func (s *Scope) LeftOut(d *diag.Diagnostic, pkg *types.Package, owner, name string) bool {
	for _, f := range s.pkg.LeftOut(pkg.Path()) {
		if id := declaredIn(f.File, owner, name); id != nil {
			d.WithRelated(s.pkg.Span(id.Pos(), id.End()), "%s is declared here, but %s", id.Name, f.Reason).WithHelp("%s", f.Help)
			return true
		}
	}
	if pkg == s.pkg.Types {
		return false
	}
	if _, err := s.pkg.Import(pkg.Path()); err != nil {
		d.WithHelp("package %s cannot be imported: %s", pkg.Path(), strings.Join(strings.Fields(err.Error()), " "))
		return true
	}
	for _, file := range s.pkg.Syntax(pkg.Path()) {
		if id := declaredIn(file, owner, name); id != nil && !id.IsExported() {
			d.WithRelated(s.pkg.Span(id.Pos(), id.End()), "%s is declared here, but is not exported", id.Name).
				WithHelp("rename it to %s", goname.Capitalised(id.Name))
			return true
		}
	}
	return false
}

// declaredIn is where a file declares what LeftOut looks for, under the name or a
// spelling of it.
func declaredIn(file *ast.File, owner, name string) *ast.Ident {
	is := func(id *ast.Ident, name string) bool { return id.Name == name || goname.Spells(name, id.Name) }
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			of := ""
			if decl.Recv != nil && len(decl.Recv.List) == 1 {
				of = godoc.TypeIdent(decl.Recv.List[0].Type).Name
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
func (r *resolving) missingOwner(text aion.Text, pkg *types.Package, owner string, rest ...string) {
	d := r.faults.Errorf("ghost-tool", text.Span, "ghost tool: there is no type %s in package %s", owner, pkg.Name())
	if r.LeftOut(d, pkg, owner, "") {
		return
	}
	if near := words.Nearest(owner, typeNames(pkg)); near != "" {
		d.WithHelp("did you mean %s%s?", near, r.pkg.Beside(pkg.Scope().Lookup(near))).WithGuess(text.Replace(owner, near)...)
		return
	}
	if pkg != r.pkg.Types {
		return
	}
	named := slices.DeleteFunc(r.importable(), func(k load.Known) bool { return k.Name != owner })
	if len(named) == 0 {
		d.WithHelp("if %s is a package, import it in a Go file, or write its path", owner)
		return
	}
	if having := slices.DeleteFunc(slices.Clone(named), func(k load.Known) bool { return r.memberOfKnown(k, rest[0]) == "" }); len(having) > 0 {
		named = having
	}
	for _, k := range named[:min(len(named), 3)] {
		written := append([]string{k.Path, cmp.Or(r.memberOfKnown(k, rest[0]), rest[0])}, rest[1:]...)
		full := strings.Join(written, ".")
		d.WithHelp("%s may be %s, which no Go file of the package imports: write %q", owner, k.Path, full).WithGuess(text.Rewrite(full)...)
	}
}

// importable are the packages that the target package may import.
func (s *Scope) importable() []load.Known {
	return slices.DeleteFunc(slices.Clone(s.pkg.Known()), func(k load.Known) bool {
		return s.write.Importable(types.NewPackage(k.Path, k.Name)) != nil || k.Path == s.write.Target.Path
	})
}

// memberOfKnown is what a package calls a member that a name means, "" if it has
// none.
func (s *Scope) memberOfKnown(k load.Known, name string) string {
	pkg, err := s.pkg.Import(k.Path)
	if err != nil {
		return ""
	}
	if obj, _ := s.lookupIn(pkg, name); obj != nil {
		return obj.Name()
	}
	return ""
}

// missingPackage reports an import path that leads nowhere.
func (r *resolving) missingPackage(ref reference, err error) {
	d := r.faults.Errorf("no-package", ref.text.Span, "package %s cannot be imported: %v", ref.path, err).SplitMessage()
	var paths []string
	for _, k := range r.importable() {
		paths = append(paths, k.Path)
	}
	full := ref.path
	if strings.HasPrefix(full, ".") {
		d.WithHelp("a package is named by its import path, not by its place")
		full = path.Join(r.pkg.Path, full)
	}
	near := words.Nearest(full, paths)
	if i := slices.IndexFunc(paths, func(p string) bool { return strings.HasSuffix(p, "/"+full) }); i >= 0 {
		near = paths[i]
	}
	if near != "" {
		meant := near + strings.TrimPrefix(strings.TrimSpace(ref.text.Value), ref.path)
		d.WithHelp("did you mean %q?", meant).WithGuess(ref.text.Rewrite(meant)...)
	} else if len(d.Help) == 0 {
		d.WithHelp("write the import path of a package of this module, of the standard library or of a module that go.mod requires")
	}
}

// methodSpelling is a method as a function text has it, and its place where the package
// has it.
func (s *Scope) methodSpelling(owner, name string) (spelling, place string) {
	if near := words.Nearest(owner, typeNames(s.pkg.Types)); near != "" {
		owner = near
		if obj := s.methodOf(owner, name); obj != nil {
			name, place = obj.Name(), s.pkg.Beside(obj)
		}
	}
	return "(*" + owner + ")." + name, place
}
