package translate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"math/big"

	"github.com/aiongen/aiongen/aion/lambda"
)

func (g *generator) unary(e *lambda.Unary) *value {
	if e.Op.Text == "not" {
		t := g.condition(e)
		v := &value{expr: t.expr, typ: boolType, pure: t.pure}
		if known, ok := t.known.(bool); ok {
			return g.boolConst(known)
		}
		return v
	}
	if n, ok := e.X.(*lambda.Int); ok && e.Op.Text == "-" && new(big.Int).Neg(n.Value).IsInt64() {
		return g.intConst(new(big.Int).Neg(n.Value).Int64())
	}
	x := g.single(e.X, nil)
	if x.bad() {
		return x
	}
	symbol := e.Op.Text
	x = g.deref(x, e.At(), "TypeError: bad operand type for unary %s: 'NoneType'", symbol)
	if x.kind() == anyKind {
		return g.try("number", call(g.dyn(map[string]string{"-": "Neg", "+": "Pos"}[symbol]), x.expr), anyType, e.At())
	}
	if !isNumber(x) {
		d := because(g.mismatch(e.At(), "the operator %s takes a number, but %s", symbol, g.describeThis(x)), x)
		if x.kind() == strKind {
			d.WithHelp("write int(…) or float(…) around it")
		}
		return bad()
	}
	x = g.number(x, e.At())
	if symbol == "+" {
		return x
	}
	switch known := x.known.(type) {
	case int64:
		if known == math.MinInt64 {
			return g.tooLarge(e.At())
		}
		return g.intConst(-known)
	case float64:
		return g.floatConst(-known)
	}
	if x.kind() == floatKind || x.bits > 0 {
		minus := made(&ast.UnaryExpr{Op: token.SUB, X: unaryOperand(x.expr)}, x.typ, x)
		minus.bits = x.bits
		return minus
	}
	return g.try("number", call(g.py("Neg"), x.expr), intType, e.At())
}

// unaryOperand puts parentheses around what a unary operator would tear apart.
func unaryOperand(x ast.Expr) ast.Expr {
	switch x.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr:
		return &ast.ParenExpr{X: x}
	}
	return x
}

func isNumber(v *value) bool {
	k := v.kind()
	return k == intKind || k == floatKind || k == boolKind
}

func (g *generator) tooLarge(at lambda.Place) *value {
	g.fault("lambda-number", at, "the result does not fit a 64-bit integer")
	return bad()
}

// An operation is an operator of arithmetic with the functions for it.
type operation struct {
	dyn    string
	ints   string // of package py; their results have an error
	floats string
	plain  token.Token // what Go has for it, where nothing can go wrong
	name   string      // of a variable for the result
}

var operations = map[string]operation{
	"+":  {"Add", "Add", "", token.ADD, "sum"},
	"-":  {"Sub", "Sub", "", token.SUB, "difference"},
	"*":  {"Mul", "Mul", "", token.MUL, "product"},
	"/":  {"Div", "Div", "DivFloat", token.QUO, "quotient"},
	"//": {"FloorDiv", "FloorDiv", "FloorDivFloat", 0, "quotient"},
	"%":  {"Mod", "Mod", "ModFloat", 0, "remainder"},
	"**": {"Pow", "Pow", "PowFloat", 0, "power"},
}

func (g *generator) arithmetic(e *lambda.Binary) *value {
	values, done := g.operands(e.X, e.Y)
	defer done()
	x, y := values[0], values[1]
	if anyBad(x, y) {
		return bad()
	}
	op, symbol := operations[e.Op.Text], e.Op.Text
	*x = *g.deref(x, e.At(), "%s", operandComplaint(symbol, noneType, y.typ))
	*y = *g.deref(y, e.At(), "%s", operandComplaint(symbol, x.typ, noneType))
	kx, ky := x.kind(), y.kind()
	switch {
	case (kx == anyKind || isData(x.typ)) && ky == anyKind, kx == anyKind && isData(y.typ):
		return g.try(op.name, call(g.dyn(op.dyn), g.dynamic(x), g.dynamic(y)), anyType, e.At())
	case isNumber(x) && isNumber(y):
		return g.reckon(symbol, x, y, e.At())
	case symbol == "+" && kx == strKind && ky == strKind:
		return g.concat(x, y)
	case symbol == "+" && kx == listKind && ky == listKind:
		return g.concatLists(x, y, e)
	case symbol == "*" && (kx == strKind || kx == listKind) && (ky == intKind || ky == boolKind):
		return g.repeat(x, y, e.At())
	case symbol == "*" && (ky == strKind || ky == listKind) && (kx == intKind || kx == boolKind):
		g.inTurn(x, y)
		return g.repeat(y, x, e.At())
	}
	return g.noOperation(e, x, y)
}

// operandComplaint is what Python says of two operands, one of which is None.
func operandComplaint(symbol string, x, y types.Type) string {
	name, isSequence := pythonName(x), kindOf(x) == strKind || kindOf(x) == listKind
	switch {
	case symbol == "+" && isSequence:
		return fmt.Sprintf(`TypeError: can only concatenate %s (not "NoneType") to %s`, name, name)
	case symbol == "*" && (isSequence || kindOf(y) == strKind || kindOf(y) == listKind):
		return "TypeError: can't multiply sequence by non-int of type 'NoneType'"
	case symbol == "**":
		symbol = "** or pow()"
	}
	return fmt.Sprintf("TypeError: unsupported operand type(s) for %s: '%s' and '%s'", symbol, name, pythonName(y))
}

// noOperation reports operands that an operator does not take.
func (g *generator) noOperation(e *lambda.Binary, x, y *value) *value {
	if e.Op.Text == "%" && x.kind() == strKind {
		g.unsupported(e.Op.Place, "the formatting of strings with %").WithHelp("write a formatted string: f'{x:.2f}'")
		return bad()
	}
	d := g.unfit(e.Op.Place, []*value{x, y}, "the operator %s does not take %s and %s", e.Op.Text, g.name(x.typ), g.name(y.typ))
	switch kx, ky := x.kind(), y.kind(); {
	case e.Op.Text == "+" && kx == strKind && isData(y.typ) && ky != noneKind:
		d.WithHelp("write str(…) around the right side, or a formatted string")
	case e.Op.Text == "+" && ky == strKind && isData(x.typ) && kx != noneKind:
		d.WithHelp("write str(…) around the left side, or a formatted string")
	case kx == strKind && isNumber(y):
		d.WithHelp("write int(…) or float(…) around the left side")
	case ky == strKind && isNumber(x):
		d.WithHelp("write int(…) or float(…) around the right side")
	}
	return bad()
}

// pythonName is the name of a type in Python's own messages.
func pythonName(t types.Type) string {
	switch k := kindOf(t); k {
	case noneKind:
		return "NoneType"
	case optionalKind:
		return pythonName(elemType(t))
	case boolKind, intKind, floatKind, strKind, listKind, dictKind:
		return kindNames[k]
	}
	return "object"
}

// reckon applies an operator to two numbers.
func (g *generator) reckon(symbol string, x, y *value, at lambda.Place) *value {
	*x = *g.number(x, at)
	*y = *g.number(y, at)
	if x.kind() == intKind && y.kind() == intKind {
		return g.reckonInts(symbol, x, y, at)
	}
	*x = *g.toFloat(x, at)
	*y = *g.toFloat(y, at)
	return g.reckonFloats(symbol, x, y, at)
}

func (g *generator) reckonInts(symbol string, x, y *value, at lambda.Place) *value {
	op := operations[symbol]
	m, xKnown := x.known.(int64)
	n, yKnown := y.known.(int64)
	if xKnown && yKnown {
		if v := g.foldInts(symbol, m, n, x, y, at); v != nil {
			return v
		}
	}
	switch symbol {
	case "+", "-":
		if bits := sumBits(x.bits, y.bits); bits <= maxPlainBits {
			return sized(made(binary(x.expr, op.plain, y.expr), intType, x, y), bits)
		}
	case "*":
		if x.bits > 0 && y.bits > 0 && x.bits+y.bits <= maxPlainBits {
			return sized(made(binary(x.expr, op.plain, y.expr), intType, x, y), x.bits+y.bits)
		}
	case "//":
		if yKnown && n != 0 && n != -1 {
			return sized(made(call(g.py("Quotient"), x.expr, y.expr), intType, x), x.bits)
		}
	case "%":
		if yKnown && n != 0 && n != -1 {
			return sized(made(call(g.py("Remainder"), x.expr, y.expr), intType, x), y.bits)
		}
	case "/":
		if yKnown && n != 0 && x.bits > 0 && y.bits <= maxPlainBits { // both are exact as floats
			return g.reckonFloats(symbol, g.toFloat(x, at), g.toFloat(y, at), at)
		}
		return g.try(op.name, call(g.py(op.ints), x.expr, y.expr), floatType, at)
	case "**":
		if yKnown && n < 0 {
			return g.reckonFloats(symbol, g.toFloat(x, at), g.toFloat(y, at), at)
		}
	}
	return g.try(op.name, call(g.py(op.ints), x.expr, y.expr), intType, at)
}

func sized(v *value, bits int) *value {
	v.bits = bits
	return v
}

// foldInts computes what is known when the code is generated; nil if it fails at
// run time.
func (g *generator) foldInts(symbol string, m, n int64, x, y *value, at lambda.Place) *value {
	a, b, result := big.NewInt(m), big.NewInt(n), new(big.Int)
	plain := token.ILLEGAL
	switch symbol {
	case "+":
		result.Add(a, b)
		plain = token.ADD
	case "-":
		result.Sub(a, b)
		plain = token.SUB
	case "*":
		result.Mul(a, b)
		plain = token.MUL
	case "//", "%":
		if n == 0 {
			return nil
		}
		quotient, remainder := new(big.Int).QuoRem(a, b, new(big.Int))
		if remainder.Sign() != 0 && remainder.Sign() != b.Sign() {
			quotient.Sub(quotient, big.NewInt(1))
			remainder.Add(remainder, b)
		}
		result = map[string]*big.Int{"//": quotient, "%": remainder}[symbol]
	case "**":
		if n < 0 {
			return nil
		}
		if n > 64 && m != 0 && m != 1 && m != -1 {
			return g.tooLarge(at)
		}
		if n > 64 {
			b.SetInt64(n%2 + 2)
		}
		result.Exp(a, b, nil)
	default:
		return nil
	}
	if !result.IsInt64() {
		return g.tooLarge(at)
	}
	v := g.intConst(result.Int64())
	if plain != token.ILLEGAL {
		v.expr = binary(x.expr, plain, y.expr) // constants of Go are exact
	}
	return v
}

func (g *generator) reckonFloats(symbol string, x, y *value, at lambda.Place) *value {
	op := operations[symbol]
	a, xKnown := x.known.(float64)
	b, yKnown := y.known.(float64)
	if xKnown && yKnown { // constants of Go would be too exact
		switch symbol {
		case "+":
			return g.floatConst(a + b)
		case "-":
			return g.floatConst(a - b)
		case "*":
			return g.floatConst(a * b)
		case "/":
			if b != 0 {
				return g.floatConst(a / b)
			}
		}
		*x = value{expr: call(ast.NewIdent("float64"), x.expr), typ: floatType, fixed: true, pure: true}
	}
	if op.floats == "" || symbol == "/" && yKnown && b != 0 {
		return made(binary(unfused(op.plain, x.expr), op.plain, unfused(op.plain, y.expr)), floatType, x, y)
	}
	return g.try(op.name, call(g.py(op.floats), x.expr, y.expr), floatType, at)
}

// unfused keeps Go from computing a product and a sum in one step, which would round
// once where Python rounds twice.
func unfused(op token.Token, x ast.Expr) ast.Expr {
	if b, ok := ast.Unparen(x).(*ast.BinaryExpr); ok && b.Op == token.MUL && (op == token.ADD || op == token.SUB) {
		return call(ast.NewIdent("float64"), b)
	}
	return x
}

func (g *generator) concat(x, y *value) *value {
	a, xKnown := x.known.(string)
	b, yKnown := y.known.(string)
	if xKnown && yKnown {
		return g.strConst(a + b)
	}
	return made(binary(g.plainExpr(x), token.ADD, g.plainExpr(y)), stringType, x, y)
}

func (g *generator) concatLists(x, y *value, e *lambda.Binary) *value {
	t := settled(join(x.typ, y.typ))
	switch {
	case t == nil, kindOf(t) != listKind && kindOf(t) != anyKind:
		return g.noOperation(e, x, y)
	case kindOf(t) == anyKind:
		t = anyList
	}
	if _, array := t.Underlying().(*types.Array); array {
		t = types.NewSlice(elemType(t))
	}
	*x = *g.convert(g.asSlice(x), t, e.X.At(), "the left side")
	*y = *g.convert(g.asSlice(y), t, e.Y.At(), "the right side")
	if anyBad(x, y) {
		return bad()
	}
	lists := []ast.Expr{x.expr}
	if c, ok := x.expr.(*ast.CallExpr); ok && g.isImported(c.Fun, "slices", "Concat") {
		lists = c.Args
	}
	both := read(call(g.imported("slices", "Concat"), append(lists, y.expr)...), t)
	if hasElements(x) || hasElements(y) { // else it is nil where both are empty
		both.whole = !holdsLists(elemType(t)) || x.whole && y.whole
	}
	return both
}

// hasElements reports whether a list is a display with elements.
func hasElements(v *value) bool {
	display, ok := v.expr.(*ast.CompositeLit)
	return ok && len(display.Elts) > 0
}

func (g *generator) repeat(x, n *value, at lambda.Place) *value {
	*n = *g.number(n, at)
	if x.kind() == strKind {
		return g.try("text", call(g.py("Repeat"), g.plainExpr(x), n.expr), stringType, at)
	}
	*x = *g.asSlice(g.convertDisplay(x))
	repeat := g.py("RepeatList")
	if !isSimple(elemType(x.typ)) { // which may be lists themselves
		repeat = g.dyn("RepeatList")
	}
	return remade(g.try("list", call(repeat, x.expr, n.expr), x.typ, at), x)
}

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

// compare translates a chain of comparisons. Each operand is evaluated once, and
// none behind a comparison that is false.
func (g *generator) compare(e *lambda.Compare) *value {
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
func (g *generator) chain(x *value, left lambda.Expr, rest []lambda.Comparison) test {
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
		t = g.comparison(c.Op.Text, x, right, lambda.Place{From: left.At().From, To: c.Y.At().To})
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

func (g *generator) comparison(op string, x, y *value, at lambda.Place) test {
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
func (g *generator) equality(op string, x, y *value, at lambda.Place) test {
	kx, ky := x.kind(), y.kind()
	pure := x.pure && y.pure
	plainly := func(a, b ast.Expr) test { return test{expr: compared(op, a, b), pure: pure} }
	helped := func(f ast.Expr) test {
		t := test{expr: call(f, x.expr, y.expr), pure: pure}
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
	case isNumber(x) && isNumber(y):
		return g.compareNumbers(op, x, y, at)
	case kx == strKind && ky == strKind, kx == boolKind && ky == boolKind:
		if types.Identical(x.typ, y.typ) || x.known != nil || y.known != nil {
			return plainly(x.expr, y.expr)
		}
		return plainly(g.plainExpr(x), g.plainExpr(y))
	case kx == listKind && ky == listKind && types.Identical(x.typ, y.typ) && isSimple(elemType(x.typ)) && !isArray(x.typ):
		return helped(g.imported("slices", "Equal"))
	case kx == dictKind && ky == dictKind && types.Identical(x.typ, y.typ) && isSimple(elemType(x.typ)):
		return helped(g.imported("maps", "Equal"))
	case isData(x.typ) && isData(y.typ) && !neverEqual(kx, ky):
		x.expr, y.expr = g.dynamic(x), g.dynamic(y)
		return helped(g.dyn("Equal"))
	case kx == objectKind && types.Identical(x.typ, y.typ) && types.Comparable(x.typ) && !isPointer(x.typ) && !types.IsInterface(x.typ):
		return plainly(x.expr, y.expr)
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

// neverEqual reports whether values of two kinds are different whatever they are,
// so that comparing them is a mistake.
func neverEqual(a, b kind) bool {
	number := func(k kind) bool { return k == intKind || k == floatKind || k == boolKind }
	open := func(k kind) bool { return k == anyKind || k == optionalKind }
	return a != b && !open(a) && !open(b) && (!number(a) || !number(b))
}

// compareNumbers compares an integer with a float exactly.
func (g *generator) compareNumbers(op string, x, y *value, at lambda.Place) test {
	if x.kind() == boolKind && y.kind() == boolKind && (op == "==" || op == "!=") {
		return test{expr: compared(op, g.plainExpr(x), g.plainExpr(y)), pure: x.pure && y.pure}
	}
	t := test{pure: x.pure && y.pure}
	if fitsKind(y, x.typ) || fitsKind(x, y.typ) {
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

// fitsKind reports whether a value is a known integer, and one that a variable of
// another type of integers can be compared with.
func fitsKind(v *value, t types.Type) bool {
	n, ok := v.known.(int64)
	_, named := v.expr.(*ast.Ident)
	return ok && !named && kindOf(t) == intKind && !types.Identical(t, intType) && fits(n, t.Underlying().(*types.Basic).Kind())
}

var dynComparisons = map[string]string{"<": "Less", "<=": "LessEqual", ">": "Greater", ">=": "GreaterEqual"}

// order translates < and its like.
func (g *generator) order(op string, x, y *value, at lambda.Place) test {
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
func (g *generator) contains(x, y *value, at lambda.Place) test {
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
		return test{expr: call(g.imported("slices", "Contains"), y.expr, element.expr)}
	case ky == dictKind && kx == strKind && kindOf(y.typ.Underlying().(*types.Map).Key()) == strKind:
		g.inTurn(x, y)
		key := g.convert(x, y.typ.Underlying().(*types.Map).Key(), at, "the key")
		return test{expr: call(g.py("Has"), y.expr, key.expr)}
	case (ky == anyKind || ky == listKind || ky == dictKind || ky == strKind && (kx == anyKind || kx == optionalKind)) && isData(x.typ) && isData(y.typ):
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
