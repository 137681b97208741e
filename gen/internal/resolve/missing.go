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
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/internal/words"
)

// reportGhost reports a tool that refers to a function, method, type or field that does not exist.
func (r *resolver) reportGhost(text aion.Text, kind, name, where string) *diag.Diagnostic {
	return r.faults.Errorf("ghost-tool", text.Span, "ghost tool: there is no %s %s in %s", kind, name, where)
}

// helpWithLeftOut adds to a diagnostic the position of a declaration that is not part of the package, and the
// reason, for example that its file is for another system. It searches for the method owner.name, for the
// function name if owner is empty, or for the type owner if name is empty. It returns true if there is such a
// declaration, or if the package cannot be imported at all.
func (s *Scope) helpWithLeftOut(d *diag.Diagnostic, pkg *types.Package, owner, name string) bool {
	for _, f := range s.pkg.IgnoredFiles(pkg.Path()) {
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
				WithHelp("rename it to %s", goname.Capitalize(id.Name))
			return true
		}
	}
	return false
}

// declaredIn returns the identifier in a file that declares what helpWithLeftOut searches for. The name may
// have another spelling there, such as FindOrder for find_order.
func declaredIn(file *ast.File, owner, name string) *ast.Ident {
	matches := func(id *ast.Ident, name string) bool { return id.Name == name || goname.IsSpelling(name, id.Name) }
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			receiver := ""
			if decl.Recv != nil && len(decl.Recv.List) == 1 {
				receiver = load.TypeIdent(decl.Recv.List[0].Type).Name
			}
			if receiver == owner && name != "" && matches(decl.Name, name) {
				return decl.Name
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok && name == "" && matches(t.Name, owner) {
					return t.Name
				}
			}
		}
	}
	return nil
}

// reportMissingOwner reports a name before a dot that is not a type, variable or import of the package. The
// list rest contains the names after it.
func (r *resolver) reportMissingOwner(text aion.Text, pkg *types.Package, owner string, rest ...string) {
	if r.reportConstantOwner(text, pkg, owner, rest) {
		return
	}
	d := r.reportGhost(text, "type", owner, "package "+pkg.Name())
	if r.helpWithLeftOut(d, pkg, owner, "") {
		return
	}
	if near := words.NearestFitting(owner, typeNames(pkg), func(name string) bool { return r.hasMember(pkg, name, rest) }); near != "" {
		d.WithHelp("did you mean %s%s?", near, r.pkg.DescribePlace(pkg.Scope().Lookup(near))).WithGuess(text.Replace(owner, near)...)
		return
	}
	if pkg != r.pkg.Types {
		return
	}
	sameName := slices.DeleteFunc(r.listImportable(), func(k load.ImportablePackage) bool { return k.Name != owner })
	if len(sameName) == 0 {
		if len(rest) == 1 && r.helpWithOwnFunction(d, text, rest[0]) || r.helpWithNearPackage(d, text, owner, rest) {
			return
		}
		d.WithHelp("if %s is a package, import it in a Go file, or write its path", owner)
		return
	}
	if withMember := slices.DeleteFunc(slices.Clone(sameName), func(k load.ImportablePackage) bool { return r.memberOfImportable(k, rest[0]) == "" }); len(withMember) > 0 {
		sameName = withMember
	}
	for _, k := range sameName[:min(len(sameName), 3)] {
		written := append([]string{k.Path, cmp.Or(r.memberOfImportable(k, rest[0]), rest[0])}, rest[1:]...)
		full := strings.Join(written, ".")
		d.WithHelp("%s may be %s, which no Go file of the package imports: write %q", owner, k.Path, full).WithGuess(text.Rewrite(full)...)
	}
}

// hasMember reports whether a type of a package has a field or method whose name is the first in selected.
func (r *resolver) hasMember(pkg *types.Package, typeName string, selected []string) bool {
	if len(selected) == 0 {
		return true
	}
	_, member := r.findMember(pkg.Scope().Lookup(typeName).Type(), selected[0])
	return member != nil
}

// reportConstantOwner reports a constant or a function before a dot, which has no methods. It returns
// true for such a name.
func (r *resolver) reportConstantOwner(text aion.Text, pkg *types.Package, owner string, rest []string) bool {
	obj, _ := r.lookupIn(pkg, owner)
	what := "a function"
	switch obj.(type) {
	case *types.Const:
		what = "a constant"
	case *types.Func:
	default:
		return false
	}
	d := r.faults.Errorf("ghost-tool", text.Span, "ghost tool: %s is %s and has no methods", obj.Name(), what)
	d.Related = r.pkg.RelatedDeclaration(obj)
	if pkg != r.pkg.Types || len(rest) != 1 || !r.helpWithOwnFunction(d, text, rest[0]) {
		d.WithHelp("write the name of a function, or of a type of package %s and its method", pkg.Name())
	}
	return true
}

// helpWithNearPackage adds help with an importable package that has a similar name and contains the
// function. It returns true if there is one.
func (r *resolver) helpWithNearPackage(d *diag.Diagnostic, text aion.Text, owner string, rest []string) bool {
	var names []string
	all := r.listImportable()
	for _, k := range all {
		names = append(names, k.Name)
	}
	near := words.Nearest(owner, names)
	for _, k := range all {
		if k.Name == near && near != "" && r.memberOfImportable(k, rest[0]) != "" {
			full := strings.Join(append([]string{k.Path, r.memberOfImportable(k, rest[0])}, rest[1:]...), ".")
			d.WithHelp("did you mean %q?", full).WithGuess(text.Rewrite(full)...)
			return true
		}
	}
	return false
}

// listImportable returns the packages that the target package may import.
func (s *Scope) listImportable() []load.ImportablePackage {
	return slices.DeleteFunc(slices.Clone(s.pkg.Importable()), func(k load.ImportablePackage) bool {
		return s.write.CheckImport(types.NewPackage(k.Path, k.Name)) != nil || k.Path == s.write.Target.Path
	})
}

// memberOfImportable returns the Go name of the declaration in a package whose name is a spelling
// of name, or "" if there is none.
func (s *Scope) memberOfImportable(k load.ImportablePackage, name string) string {
	pkg, err := s.pkg.Import(k.Path)
	if err != nil {
		return ""
	}
	if obj, _ := s.lookupIn(pkg, name); obj != nil {
		return obj.Name()
	}
	return ""
}

// reportMissingPackage reports a package that cannot be imported.
func (r *resolver) reportMissingPackage(ref reference, err error) {
	d := r.faults.Errorf("no-package", ref.text.Span, "package %s cannot be imported: %v", ref.path, err).SplitMessage()
	name := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(ref.text.Value), ref.path), ".")
	if function, position := r.meantFunction("", name); function != "" {
		d.Help = nil
		d.Message = strings.TrimSuffix(d.Message, "; to add it:") // the command that adds it was in the help
		d.WithHelp("write %q%s: it is in this package", function, position).WithGuess(ref.text.Rewrite(function)...)
		return
	}
	var paths []string
	for _, k := range r.listImportable() {
		paths = append(paths, k.Path)
	}
	full := ref.path
	if strings.HasPrefix(full, ".") {
		d.WithHelp("write the import path of the package, not a relative path")
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

// methodSpelling returns a reference to a method, such as (*Store).Find, and its position if the
// package declares it.
func (s *Scope) methodSpelling(owner, name string) (spelling, position string) {
	if near := words.Nearest(owner, typeNames(s.pkg.Types)); near != "" {
		owner = near
		if obj := s.methodOf(owner, name); obj != nil {
			name, position = obj.Name(), s.pkg.DescribePlace(obj)
		}
	}
	return "(*" + owner + ")." + name, position
}
