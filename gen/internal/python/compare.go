package python

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

var goComparisons = map[string]token.Token{
	"==": token.EQL, "!=": token.NEQ, "<": token.LSS, "<=": token.LEQ, ">": token.GTR, ">=": token.GEQ,
}

// compared is a comparison of Go, with what is fixed at the right.
func compared(op string, x, y ast.Expr) ast.Expr {
	if _, literal := x.(*ast.BasicLit); literal && (op == "==" || op == "!=") {
		x, y = y, x
	}
	return binary(x, goComparisons[op], y)
}

// maxLinks bounds a chain of comparisons, each of which may nest in the Go code.
const maxLinks = 100

// compare translates a chain of comparisons. Each operand is evaluated once, and
// none behind a comparison that is false.
func (g *generator) compare(e *syntax.Compare) *value {
	if len(e.Rest) > maxLinks {
		g.fault("too-deep", e.At(), "a chain of comparisons has at most %d operators", maxLinks).WithHelp("join comparisons with and")
		return bad()
	}
	t := g.chain(g.single(e.X, nil), e.X, e.Rest)
	if t.expr == nil {
		return bad()
	}
	if known, ok := t.known.(bool); ok {
		return g.boolConst(known)
	}
	return &value{expr: t.expr, typ: boolType, pure: t.pure}
}

// chain compares a value with the rest of a chain.
func (g *generator) chain(x *value, left syntax.Expr, rest []syntax.Comparison) test {
	c := rest[0]
	g.hold(x)
	y := g.hold(g.single(c.Y, nil))
	right := y
	if len(rest) > 1 {
		again := *g.keep(y)
		right = &again // what comparing makes of it is not what is compared next
	}
	var t test
	if !anyBad(x, y) {
		t = g.comparison(c.Op.Text, x, right, syntax.Place{From: left.At().From, To: c.Y.At().To})
	}
	g.release(2)
	if len(rest) == 1 || t.expr == nil {
		return t
	}
	var next test
	more := g.within(func() { next = g.chain(y, c.Y, rest[1:]) })
	switch {
	case next.expr == nil:
		return next
	case len(more.List) == 0:
		return test{expr: binary(t.expr, token.LAND, next.expr), pure: t.pure && next.pure}
	}
	l := g.newLocal("ok")
	g.emit(define(l.declaration(), t.expr))
	more.List = append(more.List, assign(l.use(), next.expr))
	g.emit(&ast.IfStmt{Cond: l.use(), Body: more})
	return test{expr: l.use(), pure: true}
}

func (g *generator) comparison(op string, x, y *value, at syntax.Place) test {
	switch op {
	case "is", "is not":
		return g.isNone(x, op == "is")
	case "in", "not in":
		t := g.contains(x, y, at)
		if op == "not in" && t.expr != nil {
			t.expr = not(t.expr)
		}
		return t
	case "==", "!=":
		return g.equality(op, x, y, at)
	}
	return g.order(op, x, y, at)
}

// equality translates == and !=.
func (g *generator) equality(op string, x, y *value, at syntax.Place) test {
	kx, ky := x.kind(), y.kind()
	pure := x.pure && y.pure
	plainly := func(a, b ast.Expr) test { return test{expr: compared(op, a, b), pure: pure} }
	helped := func(f ast.Expr, more ...ast.Expr) test {
		t := test{expr: call(f, append([]ast.Expr{x.expr, y.expr}, more...)...), pure: pure}
		if op == "!=" {
			t.expr = not(t.expr)
		}
		return t
	}
	switch {
	case kx == noneKind:
		return g.isNone(y, op == "==")
	case ky == noneKind:
		return g.isNone(x, op == "==")
	case isNumber(x) && isNumber(y) && !mayNotFit(x, y):
		return g.compareNumbers(op, x, y, at)
	case kx == strKind && ky == strKind, kx == boolKind && ky == boolKind:
		if types.Identical(x.typ, y.typ) || x.known != nil || y.known != nil {
			return plainly(x.expr, y.expr)
		}
		return plainly(g.plainExpr(x), g.plainExpr(y))
	case holdsLists(x.typ) && types.Identical(x.typ, y.typ) && isSimple(elemType(x.typ)) && !isArray(x.typ):
		pkg := map[kind]string{listKind: "slices", dictKind: "maps"}[kx]
		if kindOf(elemType(x.typ)) == floatKind {
			return helped(g.imported(pkg, "EqualFunc"), g.py("Same"))
		}
		return helped(g.imported(pkg, "Equal"))
	case kx == objectKind && types.Identical(x.typ, y.typ) && types.Comparable(x.typ) && !isPointer(x.typ) && !types.IsInterface(x.typ):
		return plainly(x.expr, y.expr)
	case isEquatable(x.typ) && isEquatable(y.typ) && !neverEqual(x.typ, y.typ):
		equal := g.try("equal", call(g.dyn("Equal"), g.dynamic(x), g.dynamic(y)), boolType, at)
		if op == "!=" {
			equal.expr = not(equal.expr)
		}
		return test{expr: equal.expr, pure: true}
	}
	if kx == objectKind || ky == objectKind {
		g.unfit(at, []*value{x, y}, "%s and %s cannot be compared", g.name(x.typ), g.name(y.typ)).WithHelp("compare a field of theirs")
		return test{}
	}
	d := g.unfit(at, []*value{x, y}, "%s and %s are never equal", g.name(x.typ), g.name(y.typ))
	if kx == strKind || ky == strKind {
		d.WithHelp("write str(…) around the other side, or int(…) or float(…) around the str")
	}
	return test{}
}

func isArray(t types.Type) bool {
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// isSimple reports whether Go compares values of a type as Python does.
func isSimple(t types.Type) bool {
	k := kindOf(t)
	return k == intKind || k == strKind || k == boolKind || k == floatKind
}

// neverEqual reports whether values of two types are different whatever they are,
// so that comparing them is a mistake.
func neverEqual(x, y types.Type) bool {
	a, b := kindOf(x), kindOf(y)
	number := func(k kind) bool { return k == intKind || k == floatKind || k == boolKind }
	open := func(k kind) bool { return k == anyKind || k == optionalKind }
	switch {
	case open(a) || open(b) || number(a) && number(b):
		return false
	case a == objectKind && b == objectKind:
		return !types.Identical(x, y)
	}
	return a != b
}

// compareNumbers compares an integer with a float exactly.
func (g *generator) compareNumbers(op string, x, y *value, at syntax.Place) test {
	if x.kind() == boolKind && y.kind() == boolKind && (op == "==" || op == "!=") {
		return test{expr: compared(op, g.plainExpr(x), g.plainExpr(y)), pure: x.pure && y.pure}
	}
	t := test{pure: x.pure && y.pure}
	if goCompares(x, y) {
		t.expr = compared(op, x.expr, y.expr)
		return t
	}
	*x = *g.number(x, at)
	*y = *g.number(y, at)
	switch kx, ky := x.kind(), y.kind(); {
	case kx == ky:
		t.expr = compared(op, x.expr, y.expr)
		if x.known != nil && y.known != nil { // not a constant of Go, which linters suspect
			t.expr = compared(op, call(ast.NewIdent(plainType(x.typ).(*types.Basic).Name()), x.expr), y.expr)
		}
	case kx == intKind && (x.bits > 0 && x.bits <= 53):
		t.expr = compared(op, g.toFloat(x, at).expr, y.expr)
	case ky == intKind && (y.bits > 0 && y.bits <= 53):
		t.expr = compared(op, x.expr, g.toFloat(y, at).expr)
	case kx == intKind:
		t.expr = compared(op, call(g.py("Compare"), x.expr, y.expr), integer(0))
	default:
		t.expr = compared(op, integer(0), call(g.py("Compare"), y.expr, x.expr))
	}
	return t
}

// goCompares reports whether Go compares two integers as they are.
func goCompares(x, y *value) bool {
	sameInts := x.kind() == intKind && types.Identical(x.typ, y.typ) && x.known == nil && y.known == nil
	return sameInts || fitsKind(y, x.typ) || fitsKind(x, y.typ)
}

// mayNotFit reports whether one of two numbers may be an integer that fits no int, so
// that they are compared as dynamic values are.
func mayNotFit(x, y *value) bool {
	wide := func(v *value) bool {
		basic := v.typ.Underlying().(*types.Basic)
		switch basic.Kind() {
		case types.Uint, types.Uint64, types.Uintptr:
			return v.known == nil
		}
		return false
	}
	return (wide(x) || wide(y)) && !goCompares(x, y)
}

// fitsKind reports whether a value is a known integer, and one that a variable of
// another type of integers can be compared with.
func fitsKind(v *value, t types.Type) bool {
	n, ok := v.known.(int64)
	_, named := v.expr.(*ast.Ident)
	return ok && !named && kindOf(t) == intKind && !types.Identical(t, intType) && fits(n, t.Underlying().(*types.Basic).Kind())
}

var dynComparisons = map[string]string{"<": "Less", "<=": "LessEqual", ">": "Greater", ">=": "GreaterEqual"}

// order translates < and its like.
func (g *generator) order(op string, x, y *value, at syntax.Place) test {
	complaint := "TypeError: '%s' not supported between instances of '%s' and '%s'"
	*x = *g.deref(x, at, complaint, op, "NoneType", pythonName(y.typ))
	*y = *g.deref(y, at, complaint, op, pythonName(x.typ), "NoneType")
	kx, ky := x.kind(), y.kind()
	switch {
	case isNumber(x) && isNumber(y):
		return g.compareNumbers(op, x, y, at)
	case kx == strKind && ky == strKind:
		a, b := g.plainExpr(x), g.plainExpr(y)
		if x.known != nil && y.known != nil {
			a = call(ast.NewIdent("string"), a)
		}
		return test{expr: compared(op, a, b), pure: x.pure && y.pure}
	case kx == anyKind && isData(y.typ), ky == anyKind && isData(x.typ), kx == listKind && ky == listKind && isData(x.typ) && isData(y.typ):
		v := g.try("ok", call(g.dyn(dynComparisons[op]), g.dynamic(x), g.dynamic(y)), boolType, at)
		return test{expr: v.expr, pure: true}
	}
	d := g.unfit(at, []*value{x, y}, "the operator %s does not compare %s with %s", op, g.name(x.typ), g.name(y.typ))
	if kx == strKind && isNumber(y) || ky == strKind && isNumber(x) {
		d.WithHelp("write int(…) or float(…) around the str")
	}
	return test{}
}

// contains translates `x in y`.
func (g *generator) contains(x, y *value, at syntax.Place) test {
	*y = *g.deref(y, at, "TypeError: argument of type 'NoneType' is not iterable")
	kx, ky := x.kind(), y.kind()
	switch {
	case ky == strKind && kx == strKind:
		g.inTurn(x, y)
		return test{expr: call(g.imported("strings", "Contains"), g.plainExpr(y), g.plainExpr(x)), pure: x.pure && y.pure}
	case isEmpty(y.typ):
		g.discard(x)
		return g.knownTest(false)
	case ky == listKind && isSimple(elemType(y.typ)) && g.sameKind(x, elemType(y.typ)) && !isArray(y.typ):
		g.inTurn(x, y)
		element := g.convert(x, elemType(y.typ), at, "the left side")
		contains := g.imported("slices", "Contains")
		if kx == floatKind {
			contains = g.py("Contains")
		}
		return test{expr: call(contains, y.expr, element.expr)}
	case ky == dictKind && kx == strKind && kindOf(y.typ.Underlying().(*types.Map).Key()) == strKind:
		g.inTurn(x, y)
		key := g.convert(x, y.typ.Underlying().(*types.Map).Key(), at, "the key")
		return test{expr: call(g.py("Has"), y.expr, key.expr)}
	case (ky == anyKind || ky == listKind || ky == dictKind || ky == strKind && (kx == anyKind || kx == optionalKind)) && isEquatable(x.typ) && isEquatable(y.typ):
		v := g.try("ok", call(g.dyn("In"), g.dynamic(x), g.dynamic(y)), boolType, at)
		return test{expr: v.expr, pure: true}
	}
	d := g.unfit(at, []*value{x, y}, "the operator in does not look for %s in %s", g.name(x.typ), g.name(y.typ))
	if ky == strKind && isData(x.typ) {
		d.WithHelp("write str(…) around the left side")
	}
	return test{}
}

// sameKind reports whether a value is one that a list of a type may hold without
// another value being equal to it.
func (g *generator) sameKind(x *value, elem types.Type) bool {
	if x.kind() != kindOf(elem) {
		return false
	}
	if x.known != nil {
		n, ok := x.known.(int64)
		return !ok || fits(n, elem.Underlying().(*types.Basic).Kind())
	}
	return types.Identical(x.typ, elem) || x.kind() != intKind && x.kind() != floatKind
}
