package python

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

func (g *generator) cond(e *syntax.Cond, want types.Type) *value {
	test := g.condition(e.If)
	if test.known != nil {
		return g.single(map[bool]syntax.Expr{true: e.Then, false: e.Else}[test.known.(bool)], want)
	}
	var then, otherwise *value
	thenBlock := g.within(func() { g.narrowed(test.then, func() { then = g.single(e.Then, want) }) })
	elseBlock := g.within(func() { g.narrowed(test.otherwise, func() { otherwise = g.single(e.Else, want) }) })
	return g.choose(test.expr, choice{then, thenBlock, e.Then.At()}, choice{otherwise, elseBlock, e.Else.At()}, want)
}

// A choice is one side of a conditional expression.
type choice struct {
	value *value
	block *block
	at    syntax.Place
}

// choose assigns the value of one of two sides to a variable.
func (g *generator) choose(test ast.Expr, then, otherwise choice, want types.Type) *value {
	if anyBad(then.value, otherwise.value) {
		return bad()
	}
	t := g.common([]*value{then.value, otherwise.value}, nil)
	if want != nil && kindOf(t) == anyKind {
		t = want
	}
	if types.Identical(t, noneType) {
		return g.none()
	}
	l := g.newLocal(variableName(t))
	set := func(c choice) {
		outer, held := g.block, g.held
		g.block, g.held = c.block, nil
		if v := g.convert(c.value, t, c.at, "this side"); !v.bad() {
			g.emit(assign(l.use(), v.expr))
		}
		g.block, g.held = outer, held
	}
	set(then)
	set(otherwise)
	if last, ok := onlyAssignment(otherwise.block); ok && otherwise.value.fixed && isPlain(last) {
		var first ast.Stmt = define(l.declaration(), last)
		switch {
		case isIdent(last, "nil"):
			first = &ast.DeclStmt{Decl: variable(l.declaration(), g.typeExpr(t), nil)}
		case !types.Identical(t, plainType(otherwise.value.typ)):
			first = &ast.DeclStmt{Decl: variable(l.declaration(), g.typeExpr(t), last)}
		}
		g.emit(first, &ast.IfStmt{Cond: test, Body: then.block})
	} else {
		g.emit(
			&ast.DeclStmt{Decl: variable(l.declaration(), g.typeExpr(t), nil)},
			&ast.IfStmt{Cond: test, Body: then.block, Else: otherwise.block},
		)
	}
	return &value{expr: l.use(), typ: t, local: l, fixed: true, pure: true}
}

// onlyAssignment is the value that a block of one statement assigns.
func onlyAssignment(b *block) (ast.Expr, bool) {
	if len(b.List) != 1 {
		return nil, false
	}
	a, ok := b.List[0].(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN {
		return nil, false
	}
	return a.Rhs[0], true
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

func variable(name *ast.Ident, t, x ast.Expr) *ast.GenDecl {
	spec := &ast.ValueSpec{Names: []*ast.Ident{name}, Type: t}
	if x != nil {
		spec.Values = []ast.Expr{x}
	}
	return &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{spec}}
}

// logical translates `and` and `or`, whose value is one of the operands.
func (g *generator) logical(e *syntax.Binary, want types.Type) *value {
	and := e.Op.Text == "and"
	if isTest(e) {
		return g.tested(g.bothConditions(e))
	}
	if x, ok := e.X.(*syntax.Binary); ok && x.Op.Text == "and" && !and {
		return g.andOr(x, e, want)
	}
	if isTest(e.X) {
		t := g.condition(e.X)
		left := g.tested(t)
		switch {
		case left.known == and:
			return g.single(e.Y, want)
		case left.known != nil:
			return left
		case and:
			return g.logicalBool(e, left, t.then, want)
		}
		return g.logicalBool(e, left, t.otherwise, want)
	}
	left := g.single(e.X, want)
	if left.kind() == boolKind && left.known == nil {
		return g.logicalBool(e, left, nil, want)
	}
	left = g.keep(left)
	t := g.truthOf(e.X, left)
	if known, ok := t.known.(bool); ok && !left.bad() {
		if known != and {
			return left
		}
		return g.single(e.Y, want)
	}
	entering := t.otherwise
	if and {
		entering = t.then
	}
	var right *value
	block := g.within(func() { g.narrowed(entering, func() { right = g.single(e.Y, want) }) })
	if anyBad(left, right) {
		return bad()
	}
	kept, other := choice{left, &ast.BlockStmt{}, e.X.At()}, choice{right, block, e.Y.At()}
	if and {
		if left.kind() == objectKind { // what is not true is None
			kept.value = g.none()
		}
		return g.choose(t.expr, other, kept, want)
	}
	kept.value = g.whenTrue(left)
	return g.choose(t.expr, kept, other, want)
}

// whenTrue is a value where it is known to be true.
func (g *generator) whenTrue(v *value) *value {
	there := *v
	if v.kind() == optionalKind {
		there = *g.notNil(v)
		there.expr, there.local = &ast.StarExpr{X: v.expr}, nil
	}
	return &there
}

// andOr translates `x and y or z`: y where both x and y are true, else z, but never
// x, so that only y and z need a type in common.
func (g *generator) andOr(and, or *syntax.Binary, want types.Type) *value {
	left := g.condition(and.X)
	if known, ok := left.known.(bool); ok {
		if !known {
			return g.single(or.Y, want)
		}
		return g.logical(&syntax.Binary{Place: or.Place, Op: or.Op, X: and.Y, Y: or.Y}, want)
	}
	var v *value
	block := g.within(func() { g.narrowed(left.then, func() { v = g.single(and.Y, want) }) })
	if v.bad() || left.expr == nil {
		g.single(or.Y, want)
		return bad()
	}
	right := g.truth(v)
	if v.kind() == boolKind && v.known == nil {
		return g.logicalBool(or, g.tested(g.both(true, left, right, block)), nil, want)
	}
	if right.known == false {
		g.discard(&value{expr: left.expr, typ: boolType, pure: left.pure})
		return g.single(or.Y, want)
	}
	var otherwise *value
	otherBlock := g.within(func() { otherwise = g.single(or.Y, want) })
	kept, other := choice{g.whenTrue(v), block, and.Y.At()}, choice{otherwise, otherBlock, or.Y.At()}
	switch {
	case right.known == true:
		return g.choose(left.expr, kept, other, want)
	case v.fixed && len(block.List) == 0:
		return g.choose(binary(left.expr, token.LAND, right.expr), kept, other, want)
	}
	v.typ = settled(v.typ)
	result, holds := g.newLocal(variableName(v.typ)), g.newLocal("ok")
	block.List = append(block.List, assign(result.use(), v.expr))
	v = &value{expr: result.use(), typ: v.typ, local: result, fixed: true, pure: true, origin: v.origin}
	block.List = append(block.List, assign(holds.use(), g.truth(v).expr))
	g.emit(
		&ast.DeclStmt{Decl: variable(result.declaration(), g.typeExpr(v.typ), nil)},
		define(holds.declaration(), left.expr),
		&ast.IfStmt{Cond: holds.use(), Body: block},
	)
	if types.Identical(v.typ, otherwise.typ) {
		otherBlock.List = append(otherBlock.List, assign(result.use(), otherwise.expr))
		g.emit(&ast.IfStmt{Cond: not(holds.use()), Body: otherBlock})
		return v
	}
	return g.choose(holds.use(), choice{g.whenTrue(v), &ast.BlockStmt{}, and.Y.At()}, other, want)
}

// logicalBool is logical for a bool at the left, where Go's operators often do. What
// is known of names where the right side is evaluated comes from the left one.
func (g *generator) logicalBool(e *syntax.Binary, left *value, entering map[string]*value, want types.Type) *value {
	var right *value
	block := g.within(func() { g.narrowed(entering, func() { right = g.single(e.Y, want) }) })
	if anyBad(left, right) {
		return bad()
	}
	and := e.Op.Text == "and"
	if right.kind() == boolKind {
		return g.tested(g.both(and, test{expr: g.plainExpr(left), pure: left.pure}, test{expr: g.plainExpr(right), pure: right.pure}, block))
	}
	left = g.keep(left)
	kept, other := choice{left, &ast.BlockStmt{}, e.X.At()}, choice{right, block, e.Y.At()}
	if and {
		return g.choose(left.expr, other, kept, want)
	}
	return g.choose(left.expr, kept, other, want)
}
