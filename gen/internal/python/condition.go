package python

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// A test is a condition: a bool of Go, and what is known of names where it holds
// and where it does not.
type test struct {
	expr            ast.Expr
	pure            bool
	known           any // a bool, where it is known
	then, otherwise map[string]*value
}

// narrowed runs build with names that are known better.
func (g *generator) narrowed(names map[string]*value, build func()) {
	outer := g.env
	g.env = maps.Clone(outer)
	maps.Copy(g.env, names)
	build()
	g.env = outer
}

// condition translates an expression of which only the truth counts.
func (g *generator) condition(e syntax.Expr) test {
	switch e := e.(type) {
	case *syntax.Unary:
		if e.Op.Text == "not" {
			t := g.condition(e.X)
			t.expr = not(t.expr)
			if known, ok := t.known.(bool); ok {
				t.known = !known
			}
			t.then, t.otherwise = t.otherwise, t.then
			return t
		}
	case *syntax.Binary:
		if e.Op.Text == "and" || e.Op.Text == "or" {
			return g.bothConditions(e)
		}
	case *syntax.Compare:
		if len(e.Rest) == 1 && strings.HasPrefix(e.Rest[0].Op.Text, "is") {
			return g.testNone(e.X, e.Rest[0].Op.Text == "is")
		}
	}
	return g.truthOf(e, g.single(e, nil))
}

// truthOf is whether Python takes the value of an expression for true. A name whose
// value is true is not None.
func (g *generator) truthOf(e syntax.Expr, v *value) test {
	t := g.truth(v)
	t.then = g.narrowing(e, v)
	return t
}

// narrowing is what is known of a name, or a field of one, where it is not None.
func (g *generator) narrowing(e syntax.Expr, v *value) map[string]*value {
	name := pathOf(e)
	if name == "" || !v.fixed || v.kind() != optionalKind && (v.kind() != objectKind || !isNil(v.typ)) {
		return nil
	}
	return map[string]*value{name: g.notNil(v)}
}

// pathOf is a name, or a field of one as in a.b.c; empty for other expressions.
func pathOf(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Name:
		return e.Name
	case *syntax.Attr:
		if of := pathOf(e.X); of != "" {
			return of + "." + e.Name.Name
		}
	}
	return ""
}

// testNone translates a comparison with `is None` or `is not None`.
func (g *generator) testNone(e syntax.Expr, isNone bool) test {
	v := g.single(e, nil)
	if v.bad() {
		return test{expr: ast.NewIdent("false")}
	}
	t := g.isNone(v, isNone)
	if isNone {
		t.otherwise = g.narrowing(e, v)
	} else {
		t.then = g.narrowing(e, v)
	}
	return t
}

// notNil is a value where it is known to be there.
func (g *generator) notNil(v *value) *value {
	there := *v
	if there.present = true; v.kind() == optionalKind {
		there.typ = elemType(v.typ)
		there.narrowed = true
	}
	return &there
}

// isNone is the condition that a value is None, or is not.
func (g *generator) isNone(v *value, isNone bool) test {
	op := token.NEQ
	if isNone {
		op = token.EQL
	}
	switch k := v.kind(); {
	case k == noneKind:
		return g.knownTest(isNone)
	case k == anyKind && !isNumberText(v.typ), types.IsInterface(v.typ):
		t := test{expr: call(g.dyn("IsNone"), v.expr), pure: v.pure}
		if !isNone {
			t.expr = not(t.expr)
		}
		return t
	case k == optionalKind, k == objectKind && isNil(v.typ):
		return test{expr: binary(v.expr, op, ast.NewIdent("nil")), pure: v.pure}
	}
	g.discard(v)
	return g.knownTest(!isNone)
}

func (g *generator) knownTest(holds bool) test {
	v := g.boolConst(holds)
	return test{expr: v.expr, pure: true, known: holds}
}

// bothConditions translates `and` and `or` where only the truth counts.
func (g *generator) bothConditions(e *syntax.Binary) test {
	and := e.Op.Text == "and"
	left := g.condition(e.X)
	entering := left.then
	if !and {
		entering = left.otherwise
	}
	if known, ok := left.known.(bool); ok {
		if known != and {
			return left
		}
		return g.condition(e.Y)
	}
	var right test
	more := g.within(func() { g.narrowed(entering, func() { right = g.condition(e.Y) }) })
	joined := g.both(and, left, right, more)
	if and {
		joined.then = merge(left.then, right.then)
	} else {
		joined.otherwise = merge(left.otherwise, right.otherwise)
	}
	return joined
}

// both joins two conditions, of which statements compute the second one.
func (g *generator) both(and bool, left, right test, more *block) test {
	op := token.LAND
	if !and {
		op = token.LOR
	}
	if len(more.List) == 0 {
		return test{expr: binary(left.expr, op, right.expr), pure: left.pure && right.pure}
	}
	l := g.newLocal("ok")
	g.emit(define(l.declaration(), left.expr))
	more.List = append(more.List, assign(l.use(), right.expr))
	var enter ast.Expr = l.use()
	if !and {
		enter = not(enter)
	}
	g.emit(&ast.IfStmt{Cond: enter, Body: more})
	return test{expr: l.use(), pure: true}
}

func merge(a, b map[string]*value) map[string]*value {
	if a == nil {
		return b
	}
	both := maps.Clone(a)
	maps.Copy(both, b)
	return both
}

// truth is whether Python takes a value for true.
func (g *generator) truth(v *value) test {
	t := test{pure: v.pure}
	if v.bad() {
		return test{expr: ast.NewIdent("false")}
	}
	switch known := v.known.(type) {
	case bool:
		return g.knownTest(known)
	case int64:
		return g.knownTest(known != 0)
	case float64:
		return g.knownTest(known != 0)
	case string:
		return g.knownTest(known != "")
	}
	switch v.kind() {
	case noneKind:
		return g.knownTest(false)
	case boolKind:
		t.expr = v.expr
		if !types.Identical(v.typ, boolType) {
			t.expr = g.plainExpr(v)
		}
	case intKind, floatKind:
		t.expr = binary(v.expr, token.NEQ, integer(0))
	case strKind:
		t.expr = binary(v.expr, token.NEQ, quoted(""))
	case listKind, dictKind:
		t.expr = binary(call(ast.NewIdent("len"), v.expr), token.GTR, integer(0))
	case anyKind:
		t.expr = call(g.dyn("Truth"), v.expr)
	case optionalKind:
		v = g.keep(v)
		there := g.notNil(v)
		there.expr = &ast.StarExpr{X: v.expr}
		t.expr = binary(binary(v.expr, token.NEQ, ast.NewIdent("nil")), token.LAND, g.truth(there).expr)
	case objectKind:
		if isNil(v.typ) {
			return g.isNone(v, false)
		}
		g.discard(v)
		return g.knownTest(true)
	}
	return t
}

// isTest reports whether an expression is a bool whatever it is made of.
func isTest(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Compare:
		return true
	case *syntax.Unary:
		return e.Op.Text == "not"
	case *syntax.Binary:
		return (e.Op.Text == "and" || e.Op.Text == "or") && isTest(e.X) && isTest(e.Y)
	}
	return false
}

// tested is a condition as a value.
func (g *generator) tested(t test) *value {
	if known, ok := t.known.(bool); ok {
		return g.boolConst(known)
	}
	if t.expr == nil {
		return bad()
	}
	return &value{expr: t.expr, typ: boolType, pure: t.pure}
}
