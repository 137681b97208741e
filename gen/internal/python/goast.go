package python

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// The packages that generated code may import.
const (
	pyPath  = "github.com/aiongen/aiongen/runtime/py"
	dynPath = "github.com/aiongen/aiongen/runtime/py/dyn"
)

func (g *generator) py(name string) ast.Expr  { return g.imported(pyPath, name) }
func (g *generator) dyn(name string) ast.Expr { return g.imported(dynPath, name) }

// imported is a name of a package that is known by its path alone.
func (g *generator) imported(path, name string) ast.Expr {
	p := g.packages[path]
	if p == nil {
		p = types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
		g.packages[path] = p
	}
	obj := p.Scope().Lookup(name)
	if obj == nil {
		obj = types.NewFunc(token.NoPos, p, name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
		p.Scope().Insert(obj)
	}
	return g.ref(obj)
}

// isImported reports whether an expression is a name of such a package.
func (g *generator) isImported(x ast.Expr, path, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && g.uses[id] != nil && g.uses[id].Pkg() == g.packages[path] && id.Name == name
}

// ref is a name of a package.
func (g *generator) ref(obj types.Object) ast.Expr {
	id := ast.NewIdent(obj.Name())
	g.uses[id] = obj
	return id
}

// typeExpr writes a type.
func (g *generator) typeExpr(t types.Type) ast.Expr {
	switch t := t.(type) {
	case *types.Named:
		return g.typeName(t.Obj(), t.TypeArgs())
	case *types.Alias:
		return g.typeName(t.Obj(), t.TypeArgs())
	case *types.Basic:
		return ast.NewIdent(t.Name())
	case *types.Pointer:
		return &ast.StarExpr{X: g.typeExpr(t.Elem())}
	case *types.Slice:
		return &ast.ArrayType{Elt: g.typeExpr(t.Elem())}
	case *types.Array:
		return &ast.ArrayType{Len: integer(t.Len()), Elt: g.typeExpr(t.Elem())}
	case *types.Map:
		return &ast.MapType{Key: g.typeExpr(t.Key()), Value: g.typeExpr(t.Elem())}
	case *types.Interface:
		if t.Empty() {
			return ast.NewIdent("any")
		}
	}
	g.faults.Errorf("lambda-type", g.scope.At(syntax.Place{}), "the type %s needs a name to be used in a lambda", g.scope.TypeName(t)).
		WithHelp("declare a type for it in Go")
	return ast.NewIdent("any")
}

func (g *generator) typeName(obj *types.TypeName, args *types.TypeList) ast.Expr {
	if obj.Pkg() == nil {
		return ast.NewIdent(obj.Name())
	}
	name := g.ref(obj)
	switch args.Len() {
	case 0:
		return name
	case 1:
		return &ast.IndexExpr{X: name, Index: g.typeExpr(args.At(0))}
	}
	list := &ast.IndexListExpr{X: name}
	for arg := range args.Types() {
		list.Indices = append(list.Indices, g.typeExpr(arg))
	}
	return list
}

// zero is the zero value of a type.
func (g *generator) zero(t types.Type) ast.Expr {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return quoted("")
		case u.Info()&types.IsBoolean != 0:
			return ast.NewIdent("false")
		case u.Info()&types.IsNumeric != 0:
			return integer(0)
		}
	case *types.Struct, *types.Array:
		return &ast.CompositeLit{Type: g.typeExpr(t)}
	}
	return ast.NewIdent("nil")
}

// The shapes of Go that generated code is made of.

func call(f ast.Expr, args ...ast.Expr) *ast.CallExpr { return &ast.CallExpr{Fun: f, Args: args} }

func binary(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
	if b, ok := y.(*ast.BinaryExpr); ok && b.Op == op && (op == token.LAND || op == token.LOR) {
		return binary(binary(x, op, b.X), op, b.Y)
	}
	return &ast.BinaryExpr{X: operand(x, op, false), Op: op, Y: operand(y, op, true)}
}

// operand puts parentheses around an operand that binds less than its operator.
func operand(x ast.Expr, op token.Token, right bool) ast.Expr {
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

// float is a float64; those that no literal can be are made by package math.
func (g *generator) float(f float64) ast.Expr {
	switch {
	case math.IsNaN(f):
		return call(g.imported("math", "NaN"))
	case math.IsInf(f, 0):
		return call(g.imported("math", "Inf"), integer(int64(math.Copysign(1, f))))
	case f == 0 && math.Signbit(f):
		return call(g.imported("math", "Copysign"), integer(0), integer(-1))
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return numeral(token.FLOAT, text)
}
