package resolve

import (
	"go/ast"
	"go/types"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/internal/words"
)

// reportDuplicate reports a function that the package declares more than once, so that Go cannot
// compile it. For a lambda, it checks the functions that the lambda calls. It returns true if there
// is one.
func (r *resolver) reportDuplicate(text aion.Text, t Function) bool {
	objects := []types.Object{t.Obj}
	if t.Literal != nil && t.Literal.Lambda != nil {
		objects = t.Literal.Lambda.Calls
	}
	for _, obj := range objects {
		if obj == nil || obj.Pkg() != r.pkg.Types {
			continue
		}
		key := obj.Name()
		if f, ok := obj.(*types.Func); ok {
			key = DocKey(f)
		}
		names := r.declarations()[key]
		if len(names) < 2 {
			continue
		}
		d := r.faults.Errorf("broken-go", text.Span, "package %s declares %s %s", r.pkg.Name, key, words.Count(len(names), "time"))
		for _, id := range names[:min(len(names), maxListedDeclarations)] {
			d.WithRelated(r.pkg.Span(id.Pos(), id.End()), "%s is declared here", id.Name)
		}
		d.WithHelp("keep one of the declarations: delete the others, or give them other names")
		return true
	}
	return false
}

// maxListedDeclarations limits how many declarations of a name a message lists.
const maxListedDeclarations = 5

// declarations returns the identifiers that declare each name of the package. The key of a method
// begins with the name of its type: Store.Find.
func (s *Scope) declarations() map[string][]*ast.Ident {
	if s.declared != nil {
		return s.declared
	}
	s.declared = map[string][]*ast.Ident{}
	add := func(key string, id *ast.Ident) { s.declared[key] = append(s.declared[key], id) }
	for _, file := range s.pkg.Files {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if key := declarationKey(decl); key != "init" {
					add(key, decl.Name)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					for _, id := range declaredNames(spec) {
						add(id.Name, id)
					}
				}
			}
		}
	}
	return s.declared
}

// declarationKey returns the key of a function or method for declarations: Find or Store.Find.
func declarationKey(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) != 1 {
		return decl.Name.Name
	}
	t := ast.Unparen(decl.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(star.X)
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name + "." + decl.Name.Name
	}
	return "." + decl.Name.Name
}

// declaredNames returns the names that a specification declares.
func declaredNames(spec ast.Spec) []*ast.Ident {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []*ast.Ident{spec.Name}
	case *ast.ValueSpec:
		return spec.Names
	}
	return nil
}
