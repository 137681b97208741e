package python

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"math/big"

	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

func (g *generator) unary(e *syntax.Unary) *value {
	if e.Op.Text == "not" {
		t := g.condition(e)
		v := &value{expr: t.expr, typ: boolType, pure: t.pure}
		if known, ok := t.known.(bool); ok {
			return g.boolConst(known)
		}
		return v
	}
	if n, ok := e.X.(*syntax.Int); ok && e.Op.Text == "-" && new(big.Int).Neg(n.Value).IsInt64() {
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

func (g *generator) tooLarge(at syntax.Place) *value {
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

func (g *generator) arithmetic(e *syntax.Binary) *value {
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
func (g *generator) noOperation(e *syntax.Binary, x, y *value) *value {
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
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return "object"
}

// reckon applies an operator to two numbers.
func (g *generator) reckon(symbol string, x, y *value, at syntax.Place) *value {
	*x = *g.number(x, at)
	*y = *g.number(y, at)
	if x.kind() == intKind && y.kind() == intKind {
		return g.reckonInts(symbol, x, y, at)
	}
	*x = *g.toFloat(x, at)
	*y = *g.toFloat(y, at)
	return g.reckonFloats(symbol, x, y, at)
}

func (g *generator) reckonInts(symbol string, x, y *value, at syntax.Place) *value {
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

// sumBits is how many bits the sum of integers of two sizes needs.
func sumBits(a, b int) int {
	if a == 0 || b == 0 {
		return math.MaxInt
	}
	return max(a, b) + 1
}

func sized(v *value, bits int) *value {
	v.bits = bits
	return v
}

// foldInts computes what is known when the code is generated; nil if it fails at
// run time.
func (g *generator) foldInts(symbol string, m, n int64, x, y *value, at syntax.Place) *value {
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

func (g *generator) reckonFloats(symbol string, x, y *value, at syntax.Place) *value {
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

func (g *generator) concatLists(x, y *value, e *syntax.Binary) *value {
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
		both.whole = x.whole && y.whole || !g.mayHoldNil(elemType(t))
	}
	return both
}

// hasElements reports whether a list is a display with elements.
func hasElements(v *value) bool {
	display, ok := v.expr.(*ast.CompositeLit)
	return ok && len(display.Elts) > 0
}

func (g *generator) repeat(x, n *value, at syntax.Place) *value {
	*n = *g.number(n, at)
	if x.kind() == strKind {
		return g.try("text", call(g.py("Repeat"), g.plainExpr(x), n.expr), stringType, at)
	}
	*x = *g.asSlice(g.convertDisplay(x))
	repeat := g.py("RepeatList")
	if !isSimple(elemType(x.typ)) { // which may be lists themselves
		repeat = g.dyn("RepeatList")
	}
	return g.remade(g.try("list", call(repeat, x.expr, n.expr), x.typ, at), x)
}
