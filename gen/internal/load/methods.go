package load

import (
	"go/ast"

	"github.com/aiongen/aiongen/gen/internal/budget"
)

// maxMethods is the largest number of methods that a type may have. The type checker compares each method of
// a type with all others.
const maxMethods = 5000

// checkMethods returns a *budget.Error if a type of a package has too many methods.
func checkMethods(files []*ast.File) error {
	methods := map[string]int{}
	for _, file := range files {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil || len(f.Recv.List) == 0 {
				continue
			}
			name := TypeIdent(f.Recv.List[0].Type).Name
			if methods[name]++; methods[name] > maxMethods {
				return &budget.Error{Resource: "methods of a type", Limit: maxMethods}
			}
		}
	}
	return nil
}

// TypeIdent returns the name in the type of a receiver or an embedded field.
func TypeIdent(t ast.Expr) *ast.Ident {
	switch t := ast.Unparen(t).(type) {
	case *ast.StarExpr:
		return TypeIdent(t.X)
	case *ast.IndexExpr:
		return TypeIdent(t.X)
	case *ast.IndexListExpr:
		return TypeIdent(t.X)
	case *ast.SelectorExpr:
		return t.Sel
	case *ast.Ident:
		return t
	}
	return &ast.Ident{} // Go that does not compile
}
