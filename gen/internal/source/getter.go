package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// HasGetters reports whether one type of the package has getters with all these names, of which there must
// be at least one. The body of a getter is one return statement, whose expression has no effect (see
// isValue).
func (d *PackageDoc) HasGetters(methods []string) bool {
	for name := range d.FuncDecls {
		owner, ok := strings.CutSuffix(name, "."+methods[0])
		if ok && !slices.ContainsFunc(methods, func(method string) bool {
			value := d.Returned(owner + "." + method)
			return value == nil || !isValue(value)
		}) {
			return true
		}
	}
	return false
}

// isValue reports whether evaluating an expression has no effect and does not wait. It may contain
// conversions to basic types and lists, but no other calls, no function literals and no receive
// operations.
func isValue(e ast.Expr) bool {
	return !contains(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !isConversion(n.Fun)
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.FuncLit:
			return true
		}
		return false
	})
}

// isConversion reports whether a call of f converts a value to a basic type or a list.
func isConversion(f ast.Expr) bool {
	switch f := ast.Unparen(f).(type) {
	case *ast.ArrayType:
		return true
	case *ast.Ident:
		_, ok := types.Universe.Lookup(f.Name).(*types.TypeName)
		return ok
	}
	return false
}
