package lower

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// The functions in this file create syntax trees of Go.

func callExpr(f ast.Expr, args ...ast.Expr) *ast.CallExpr { return &ast.CallExpr{Fun: f, Args: args} }

func binaryExpr(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
	if b, ok := y.(*ast.BinaryExpr); ok && b.Op == op && (op == token.LAND || op == token.LOR) {
		return binaryExpr(binaryExpr(x, op, b.X), op, b.Y)
	}
	return &ast.BinaryExpr{X: operandParens(x, op, false), Op: op, Y: operandParens(y, op, true)}
}

// operandParens adds parentheses to an operand of op if it is an operation of lower precedence, or of the same
// precedence on the right side.
func operandParens(x ast.Expr, op token.Token, right bool) ast.Expr {
	b, ok := x.(*ast.BinaryExpr)
	if ok && (b.Op.Precedence() < op.Precedence() || right && b.Op.Precedence() == op.Precedence()) {
		return &ast.ParenExpr{X: x}
	}
	return x
}

// primaryParens adds parentheses to an expression that needs them before a selector or an index.
func primaryParens(x ast.Expr) ast.Expr {
	switch x.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr:
		return &ast.ParenExpr{X: x}
	}
	return x
}

func negateExpr(x ast.Expr) ast.Expr {
	opposite := map[token.Token]token.Token{
		token.EQL: token.NEQ, token.NEQ: token.EQL,
	}
	switch b := x.(type) {
	case *ast.BinaryExpr:
		if op, ok := opposite[b.Op]; ok {
			return &ast.BinaryExpr{X: b.X, Op: op, Y: b.Y}
		}
		return &ast.UnaryExpr{Op: token.NOT, X: &ast.ParenExpr{X: x}}
	case *ast.UnaryExpr:
		if b.Op == token.NOT {
			return ast.Unparen(b.X)
		}
	}
	return &ast.UnaryExpr{Op: token.NOT, X: x}
}

func defineStmt(name *ast.Ident, x ast.Expr) *ast.AssignStmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{name}, Tok: token.DEFINE, Rhs: []ast.Expr{x}}
}

func assignStmt(to, x ast.Expr) *ast.AssignStmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{to}, Tok: token.ASSIGN, Rhs: []ast.Expr{x}}
}

func selectorExpr(x ast.Expr, names ...string) ast.Expr {
	for _, name := range names {
		x = &ast.SelectorExpr{X: primaryParens(x), Sel: ast.NewIdent(name)}
	}
	return x
}

func stringLit(s string) ast.Expr {
	return &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(s)}
}

func intLit(n int64) ast.Expr { return numberLit(token.INT, strconv.FormatInt(n, 10)) }

func numberLit(kind token.Token, text string) ast.Expr {
	if digits, negative := strings.CutPrefix(text, "-"); negative {
		return &ast.UnaryExpr{Op: token.SUB, X: &ast.BasicLit{Kind: kind, Value: digits}}
	}
	return &ast.BasicLit{Kind: kind, Value: text}
}

// unaryExpr applies a unary operator, with parentheses around the operand where Go needs them. token.MUL
// dereferences a pointer.
func unaryExpr(op token.Token, x ast.Expr) ast.Expr {
	switch op {
	case token.NOT:
		return negateExpr(x)
	case token.MUL:
		return &ast.StarExpr{X: x}
	case token.SUB:
		switch x.(type) {
		case *ast.BinaryExpr, *ast.UnaryExpr:
			x = &ast.ParenExpr{X: x}
		}
	}
	return &ast.UnaryExpr{Op: op, X: x}
}

func varDecl(name *ast.Ident, t, x ast.Expr) ast.Stmt {
	spec := &ast.ValueSpec{Names: []*ast.Ident{name}, Type: t}
	if x != nil {
		spec.Values = []ast.Expr{x}
	}
	return &ast.DeclStmt{Decl: &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{spec}}}
}

func isIdent(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

// isSimpleExpr reports whether an expression is a literal or a name.
func isSimpleExpr(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit, *ast.Ident:
		return true
	case *ast.UnaryExpr:
		return x.Op == token.SUB && isSimpleExpr(x.X)
	}
	return false
}
