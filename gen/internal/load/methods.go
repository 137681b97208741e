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
			name := receiverName(f.Recv.List[0].Type)
			if methods[name]++; methods[name] > maxMethods {
				return &budget.Error{Resource: "methods of a type", Limit: maxMethods}
			}
		}
	}
	return nil
}

// receiverName returns the name of the type of a receiver, or "" if it has none.
func receiverName(receiver ast.Expr) string {
	for {
		switch e := receiver.(type) {
		case *ast.Ident:
			return e.Name
		case *ast.StarExpr:
			receiver = e.X
		case *ast.ParenExpr:
			receiver = e.X
		case *ast.IndexExpr:
			receiver = e.X
		case *ast.IndexListExpr:
			receiver = e.X
		default:
			return ""
		}
	}
}
