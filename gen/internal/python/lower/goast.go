package lower

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// The shapes of Go that generated code is made of.

func call(f ast.Expr, args ...ast.Expr) *ast.CallExpr { return &ast.CallExpr{Fun: f, Args: args} }

func binary(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
	if b, ok := y.(*ast.BinaryExpr); ok && b.Op == op && (op == token.LAND || op == token.LOR) {
		return binary(binary(x, op, b.X), op, b.Y)
	}
	return &ast.BinaryExpr{X: side(x, op, false), Op: op, Y: side(y, op, true)}
}

// side puts parentheses around an operand that binds less than its operator.
func side(x ast.Expr, op token.Token, right bool) ast.Expr {
	b, ok := x.(*ast.BinaryExpr)
	if ok && (b.Op.Precedence() < op.Precedence() || right && b.Op.Precedence() == op.Precedence()) {
		return &ast.ParenExpr{X: x}
	}
	return x
}

// primary puts parentheses around what selectors and indices cannot follow.
func primary(x ast.Expr) ast.Expr {
	switch x.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr:
		return &ast.ParenExpr{X: x}
	}
	return x
}

func not(x ast.Expr) ast.Expr {
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

func define(name *ast.Ident, x ast.Expr) *ast.AssignStmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{name}, Tok: token.DEFINE, Rhs: []ast.Expr{x}}
}

func assign(to, x ast.Expr) *ast.AssignStmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{to}, Tok: token.ASSIGN, Rhs: []ast.Expr{x}}
}

func selector(x ast.Expr, names ...string) ast.Expr {
	for _, name := range names {
		x = &ast.SelectorExpr{X: primary(x), Sel: ast.NewIdent(name)}
	}
	return x
}

func quoted(s string) ast.Expr {
	return &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(s)}
}

func integer(n int64) ast.Expr { return numeral(token.INT, strconv.FormatInt(n, 10)) }

func numeral(kind token.Token, text string) ast.Expr {
	if digits, negative := strings.CutPrefix(text, "-"); negative {
		return &ast.UnaryExpr{Op: token.SUB, X: &ast.BasicLit{Kind: kind, Value: digits}}
	}
	return &ast.BasicLit{Kind: kind, Value: text}
}

// unary puts parentheses around what a unary operator would tear apart.
func unary(op token.Token, x ast.Expr) ast.Expr {
	switch op {
	case token.NOT:
		return not(x)
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

func variable(name *ast.Ident, t, x ast.Expr) ast.Stmt {
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

// isPlain reports whether an expression is a literal or a name.
func isPlain(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit, *ast.Ident:
		return true
	case *ast.UnaryExpr:
		return x.Op == token.SUB && isPlain(x.X)
	}
	return false
}
