package ops

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"math/big"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// Ops are Python's operators and functions.
type Ops struct{ *Values }

// Sign translates -x and +x.
func (o Ops) Sign(symbol string, x *code.Value, at syntax.Place) *code.Value {
	if x.Bad() {
		return x
	}
	x = o.Deref(x, at, "TypeError: bad operand type for unary %s: 'NoneType'", symbol)
	if x.Kind() == kind.Any {
		return o.Do("number", kind.GoAny, at, code.Dyn(map[string]string{"-": "Neg", "+": "Pos"}[symbol]), x)
	}
	if !x.IsNumber() {
		d := o.Wrong(x, at, "the operator %s takes a number", symbol)
		if x.Kind() == kind.Str {
			d.WithHelp("write int(…) or float(…) around it")
		}
		return code.Bad()
	}
	x = o.Number(x, at)
	if symbol == "+" {
		return x
	}
	switch known := x.Known.(type) {
	case int64:
		if known == math.MinInt64 {
			return o.tooLarge(at)
		}
		return o.Int(-known)
	case float64:
		return o.Float(-known)
	}
	if x.Kind() == kind.Float || x.Bits > 0 {
		return o.Unary(x.Type, token.SUB, x).Sized(x.Bits)
	}
	return o.Do("number", kind.GoInt, at, code.Py("Neg"), x)
}

func (o Ops) tooLarge(at syntax.Place) *code.Value {
	o.Fault("lambda-number", at, "the result does not fit a 64-bit integer")
	return code.Bad()
}

// An operation is an operator of arithmetic with the functions for it.
type operation struct {
	helper string // for integers, whose results have an error, and for dynamic values
	floats string
	plain  token.Token // what Go has for it, where nothing can go wrong
	name   string      // of a variable for the result
}

var operations = map[string]operation{
	"+":  {"Add", "", token.ADD, "sum"},
	"-":  {"Sub", "", token.SUB, "difference"},
	"*":  {"Mul", "", token.MUL, "product"},
	"/":  {"Div", "DivFloat", token.QUO, "quotient"},
	"//": {"FloorDiv", "FloorDivFloat", 0, "quotient"},
	"%":  {"Mod", "ModFloat", 0, "remainder"},
	"**": {"Pow", "PowFloat", 0, "power"},
}

// Arithmetic applies the operator of an expression to its operands.
func (o Ops) Arithmetic(e *syntax.Binary, x, y *code.Value) *code.Value {
	if code.AnyBad(x, y) {
		return code.Bad()
	}
	op, symbol := operations[e.Op.Text], e.Op.Text
	x = o.Deref(x, e.At(), "%s", operandComplaint(symbol, kind.GoNone, y.Type))
	y = o.Deref(y, e.At(), "%s", operandComplaint(symbol, x.Type, kind.GoNone))
	kx, ky := x.Kind(), y.Kind()
	isSequence := func(k kind.Kind) bool { return k == kind.Str || k == kind.List }
	switch {
	case (kx == kind.Any || kind.IsData(x.Type)) && ky == kind.Any, kx == kind.Any && kind.IsData(y.Type):
		return o.Do(op.name, kind.GoAny, e.At(), code.Dyn(op.helper), o.dynamic(x), o.dynamic(y))
	case x.IsNumber() && y.IsNumber():
		return o.reckon(symbol, x, y, e.At())
	case symbol == "+" && kx == kind.Str && ky == kind.Str:
		return o.concat(x, y)
	case symbol == "+" && kx == kind.List && ky == kind.List:
		return o.concatLists(e, x, y)
	case symbol == "*" && isSequence(kx) && y.IsInteger():
		return o.repeat(x, y, e.At())
	case symbol == "*" && isSequence(ky) && x.IsInteger():
		return o.repeat(y, x, e.At())
	}
	return o.noOperation(e, x, y)
}

// operandComplaint is what Python says of two operands, one of which is None.
func operandComplaint(symbol string, x, y types.Type) string {
	name, isSequence := kind.PythonName(x), kind.Of(x) == kind.Str || kind.Of(x) == kind.List
	switch {
	case symbol == "+" && isSequence:
		return fmt.Sprintf(`TypeError: can only concatenate %s (not "NoneType") to %s`, name, name)
	case symbol == "*" && (isSequence || kind.Of(y) == kind.Str || kind.Of(y) == kind.List):
		return "TypeError: can't multiply sequence by non-int of type 'NoneType'"
	case symbol == "**":
		symbol = "** or pow()"
	}
	return fmt.Sprintf("TypeError: unsupported operand type(s) for %s: '%s' and '%s'", symbol, name, kind.PythonName(y))
}

// noOperation reports operands that an operator does not take.
func (o Ops) noOperation(e *syntax.Binary, x, y *code.Value) *code.Value {
	kx, ky := x.Kind(), y.Kind()
	if e.Op.Text == "%" && kx == kind.Str {
		o.Unsupported(e.Op.Place, "the formatting of strings with %").WithHelp("write a formatted string: f'{x:.2f}'")
		return code.Bad()
	}
	d := o.Unfit(e.Op.Place, []*code.Value{x, y}, "the operator %s does not take %s and %s", e.Op.Text, o.Name(x.Type), o.Name(y.Type))
	switch {
	case e.Op.Text == "+" && kx == kind.Str && kind.IsData(y.Type) && ky != kind.None:
		d.WithHelp("write str(…) around the right side, or a formatted string").WithGuess(o.Around("str", e.Y.At())...)
	case e.Op.Text == "+" && ky == kind.Str && kind.IsData(x.Type) && kx != kind.None:
		d.WithHelp("write str(…) around the left side, or a formatted string").WithGuess(o.Around("str", e.X.At())...)
	case kx == kind.Str && y.IsNumber():
		d.WithHelp("write int(…) or float(…) around the left side")
	case ky == kind.Str && x.IsNumber():
		d.WithHelp("write int(…) or float(…) around the right side")
	}
	return code.Bad()
}

// reckon applies an operator to two numbers.
func (o Ops) reckon(symbol string, x, y *code.Value, at syntax.Place) *code.Value {
	x, y = o.Number(x, at), o.Number(y, at)
	if x.Kind() == kind.Int && y.Kind() == kind.Int {
		return o.reckonInts(symbol, x, y, at)
	}
	return o.reckonFloats(symbol, o.float(x), o.float(y), at)
}

func (o Ops) reckonInts(symbol string, x, y *code.Value, at syntax.Place) *code.Value {
	op := operations[symbol]
	m, xKnown := x.Known.(int64)
	n, yKnown := y.Known.(int64)
	if xKnown && yKnown {
		if v := o.fold(symbol, m, n, x, y, at); v != nil {
			return v
		}
	}
	result := kind.GoInt
	switch bits := resultBits(symbol, x.Bits, y.Bits); {
	case bits <= maxPlainBits:
		return o.Binary(kind.GoInt, x, op.plain, y).Sized(bits)
	case symbol == "//" && yKnown && n != 0 && n != -1:
		return o.Made(kind.GoInt, code.Py("Quotient"), x, y).Sized(x.Bits)
	case symbol == "%" && yKnown && n != 0 && n != -1:
		return o.Made(kind.GoInt, code.Py("Remainder"), x, y).Sized(y.Bits)
	case symbol == "/" && yKnown && n != 0 && x.Bits > 0 && y.Bits <= maxPlainBits, // both are exact as floats
		symbol == "**" && yKnown && n < 0:
		return o.reckonFloats(symbol, o.float(x), o.float(y), at)
	case symbol == "/":
		result = kind.GoFloat
	}
	return o.Do(op.name, result, at, code.Py(op.helper), x, y)
}

// resultBits is how many bits the sum or product of integers of two sizes needs.
func resultBits(symbol string, a, b int) int {
	switch {
	case a == 0 || b == 0:
	case symbol == "+" || symbol == "-":
		return max(a, b) + 1
	case symbol == "*":
		return a + b
	}
	return math.MaxInt
}

// fold computes what is known when the code is generated; nil if it fails at run
// time.
func (o Ops) fold(symbol string, m, n int64, x, y *code.Value, at syntax.Place) *code.Value {
	a, b, result := big.NewInt(m), big.NewInt(n), new(big.Int)
	switch symbol {
	case "+":
		result.Add(a, b)
	case "-":
		result.Sub(a, b)
	case "*":
		result.Mul(a, b)
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
			return o.tooLarge(at)
		}
		if n > 64 {
			b.SetInt64(n%2 + 2)
		}
		result.Exp(a, b, nil)
	default:
		return nil
	}
	if !result.IsInt64() {
		return o.tooLarge(at)
	}
	v := o.Int(result.Int64())
	if plain := operations[symbol].plain; plain != 0 { // constants of Go are exact
		v.Step = o.Binary(kind.GoInt, x, plain, y).Step
		v.Step.Own, v.Step.When = code.Anytime, code.Anytime
	}
	return v
}

func (o Ops) reckonFloats(symbol string, x, y *code.Value, at syntax.Place) *code.Value {
	op := operations[symbol]
	a, xKnown := x.Known.(float64)
	b, yKnown := y.Known.(float64)
	if xKnown && yKnown { // constants of Go would be too exact
		switch symbol {
		case "+":
			return o.Float(a + b)
		case "-":
			return o.Float(a - b)
		case "*":
			return o.Float(a * b)
		case "/":
			if b != 0 {
				return o.Float(a / b)
			}
		}
		x = o.Cast(kind.GoFloat, x)
	}
	if op.floats == "" || symbol == "/" && yKnown && b != 0 {
		return o.Binary(kind.GoFloat, o.unfused(op.plain, x), op.plain, o.unfused(op.plain, y))
	}
	return o.Do(op.name, kind.GoFloat, at, code.Py(op.floats), x, y)
}

// unfused keeps Go from computing a product and a sum in one step, which would round
// once where Python rounds twice.
func (o Ops) unfused(op token.Token, x *code.Value) *code.Value {
	if x.Op == code.Binary && x.Token == token.MUL && (op == token.ADD || op == token.SUB) {
		return o.Cast(kind.GoFloat, x)
	}
	return x
}

func (o Ops) concat(x, y *code.Value) *code.Value {
	a, xKnown := x.Known.(string)
	b, yKnown := y.Known.(string)
	if xKnown && yKnown {
		return o.Str(a + b)
	}
	return o.Binary(kind.GoString, o.plain(x), token.ADD, o.plain(y))
}

func (o Ops) concatLists(e *syntax.Binary, x, y *code.Value) *code.Value {
	t := kind.Settled(kind.Join(x.Type, y.Type))
	switch {
	case t == nil, kind.Of(t) != kind.List && kind.Of(t) != kind.Any:
		return o.noOperation(e, x, y)
	case kind.Of(t) == kind.Any:
		t = kind.AnyList
	}
	if kind.IsArray(t) {
		t = types.NewSlice(kind.Elem(t))
	}
	x = o.Convert(o.slice(x), t, e.X.At(), "the left side")
	y = o.Convert(o.slice(y), t, e.Y.At(), "the right side")
	if code.AnyBad(x, y) {
		return code.Bad()
	}
	lists := []*code.Step{code.Std("slices", "Concat"), x.Step}
	if x.IsCall("slices", "Concat") && !x.Keep {
		lists = x.Args
	}
	both := o.Read(t, lists[0])
	both.Step.Args = append(append([]*code.Step{}, lists...), y.Step)
	if x.HasElements() || y.HasElements() { // else it is nil where both are empty
		both.Whole = x.Whole && y.Whole || !o.MayHoldNil(kind.Elem(t))
	}
	return both
}

func (o Ops) repeat(x, n *code.Value, at syntax.Place) *code.Value {
	n = o.Number(n, at)
	if x.Kind() == kind.Str {
		return o.Do("text", kind.GoString, at, code.Py("Repeat"), o.plain(x), n)
	}
	x = o.slice(o.settled(x))
	repeat := code.Py("RepeatList")
	if !kind.IsSimple(kind.Elem(x.Type)) { // which may be lists themselves
		repeat = code.Dyn("RepeatList")
	}
	return o.remade(o.Do("list", x.Type, at, repeat, x, n), x)
}
