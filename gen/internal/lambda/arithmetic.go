package lambda

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"math/big"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// operators translates Python's operators and functions to steps.
type operators struct{ *valueBuilder }

// applySign translates -x and +x.
func (o operators) applySign(symbol string, x *ir.Value, at pysyntax.Place) *ir.Value {
	if x.IsBad() {
		return x
	}
	x = o.dereference(x, at, "TypeError: bad operand type for unary %s: 'NoneType'", symbol)
	if x.Kind() == ir.Any {
		return o.callHelper("number", ir.GoAny, at, ir.DynRef(map[string]string{"-": "Neg", "+": "Pos"}[symbol]), x)
	}
	if !x.IsNumber() {
		d := o.addWrongType(x, at, "the operator %s takes a number", symbol)
		if x.Kind() == ir.Str {
			d.WithHelp("wrap it in int(…) or float(…)")
		}
		return ir.NewBad()
	}
	x = o.toNumber(x, at)
	if symbol == "+" {
		return x
	}
	switch constant := x.Constant.(type) {
	case int64:
		if constant == math.MinInt64 {
			return o.reportTooLarge(at)
		}
		return o.IntLiteral(-constant)
	case float64:
		return o.FloatLiteral(-constant)
	}
	if x.Kind() == ir.Float || x.Bits > 0 {
		return o.UnaryOp(x.Type, token.SUB, x).SetBits(x.Bits)
	}
	return o.callHelper("number", ir.GoInt, at, ir.PyRef("Neg"), x)
}

func (o operators) reportTooLarge(at pysyntax.Place) *ir.Value {
	o.addFault("lambda-number", at, "the result does not fit a 64-bit integer")
	return ir.NewBad()
}

// arithmeticOp describes how an arithmetic operator is translated.
type arithmeticOp struct {
	helper      string      // function of package py for integers, and of package dyn for values of any type
	floatHelper string      // function of package py for floats; "" to use goToken
	goToken     token.Token // Go's operator, for floats and for integers that cannot overflow
	name        string      // preferred name of the variable for the result
}

var arithmeticOps = map[string]arithmeticOp{
	"+":  {"Add", "", token.ADD, "sum"},
	"-":  {"Sub", "", token.SUB, "difference"},
	"*":  {"Mul", "", token.MUL, "product"},
	"/":  {"Div", "DivFloat", token.QUO, "quotient"},
	"//": {"FloorDiv", "FloorDivFloat", 0, "quotient"},
	"%":  {"Mod", "ModFloat", 0, "remainder"},
	"**": {"Pow", "PowFloat", 0, "power"},
	"|":  {"Or", "", 0, "union"},
}

// applyArithmetic applies the operator of e to the values x and y of its operands.
//
//nolint:gocyclo // one case per pair of types
func (o operators) applyArithmetic(e *pysyntax.Binary, x, y *ir.Value) *ir.Value {
	if ir.HasBad(x, y) {
		return ir.NewBad()
	}
	op, symbol := arithmeticOps[e.Op.Text], e.Op.Text
	x = o.dereference(x, e.Location(), "%s", noneOperandError(symbol, ir.GoNone, y.Type))
	y = o.dereference(y, e.Location(), "%s", noneOperandError(symbol, x.Type, ir.GoNone))
	kx, ky := x.Kind(), y.Kind()
	switch {
	case isDynamic(x, y):
		if o.rejectJSONChange(x, e.Location(), "the left side") || o.rejectJSONChange(y, e.Location(), "the right side") {
			return ir.NewBad()
		}
		return o.callHelper(op.name, ir.GoAny, e.Location(), ir.DynRef(op.helper), o.toDynamic(x), o.toDynamic(y))
	case symbol == "|":
		return o.joinDicts(e, x, y)
	case x.IsNumber() && y.IsNumber():
		return o.computeNumbers(symbol, x, y, e.Location())
	case symbol == "+" && kx == ir.Str && ky == ir.Str:
		return o.concatTexts(x, y)
	case symbol == "+" && kx == ir.List && ky == ir.List:
		return o.concatLists(e, x, y)
	case symbol == "*" && isRepeatable(x, y):
		return o.repeatSequence(x, y, e.Location())
	case symbol == "*" && isRepeatable(y, x):
		return o.repeatSequence(y, x, e.Location())
	}
	return o.reportOperands(e, x, y)
}

// joinDicts returns the union of two dicts.
func (o operators) joinDicts(e *pysyntax.Binary, x, y *ir.Value) *ir.Value {
	switch xDict, yDict := x.Kind() == ir.Dict, y.Kind() == ir.Dict; {
	case xDict && yDict:
		return o.mergeDicts([]*ir.Value{x, y}, nil, []pysyntax.Place{e.X.Location(), e.Y.Location()})
	case xDict || yDict:
		return o.reportOperands(e, x, y)
	}
	o.addUnsupported(e.Op.Place, "the operator |")
	return ir.NewBad()
}

// noneOperandError returns Python's error message for an operation on types x and y, one of which is that of None.
func noneOperandError(symbol string, x, y types.Type) string {
	name, isSequence := ir.PythonName(x), ir.KindOf(x) == ir.Str || ir.KindOf(x) == ir.List
	switch {
	case symbol == "+" && isSequence:
		return fmt.Sprintf(`TypeError: can only concatenate %s (not "NoneType") to %s`, name, name)
	case symbol == "*" && (isSequence || ir.KindOf(y) == ir.Str || ir.KindOf(y) == ir.List):
		return "TypeError: can't multiply sequence by non-int of type 'NoneType'"
	case symbol == "**":
		symbol = "** or pow()"
	}
	return fmt.Sprintf("TypeError: unsupported operand type(s) for %s: '%s' and '%s'", symbol, name, ir.PythonName(y))
}

// isDynamic reports whether an operation on x and y must look at their types at run time: one is of type any, and
// the other can be a JSON value.
func isDynamic(x, y *ir.Value) bool {
	return x.Kind() == ir.Any && ir.IsData(y.Type) || y.Kind() == ir.Any && ir.IsData(x.Type)
}

// isRepeatable reports whether x * n repeats x, a str or list, n times.
func isRepeatable(x, n *ir.Value) bool {
	return (x.Kind() == ir.Str || x.Kind() == ir.List) && n.IsInteger()
}

// reportOperands reports operands that an operator does not support.
func (o operators) reportOperands(e *pysyntax.Binary, x, y *ir.Value) *ir.Value {
	kx, ky := x.Kind(), y.Kind()
	if e.Op.Text == "%" && kx == ir.Str {
		o.addUnsupported(e.Op.Place, "the formatting of strings with %").WithHelp("write a formatted string: f'{x:.2f}'")
		return ir.NewBad()
	}
	d := o.addIncompatible(e.Op.Place, []*ir.Value{x, y}, "the operator %s does not take %s and %s", e.Op.Text, o.describeType(x.Type), o.describeType(y.Type))
	switch {
	case e.Op.Text == "+" && kx == ir.Str && ir.IsData(y.Type) && ky != ir.None:
		d.WithHelp("wrap the right side in str(…), or use a formatted string").WithGuess(o.wrapEdits("str", e.Y.Location())...)
	case e.Op.Text == "+" && ky == ir.Str && ir.IsData(x.Type) && kx != ir.None:
		d.WithHelp("wrap the left side in str(…), or use a formatted string").WithGuess(o.wrapEdits("str", e.X.Location())...)
	case kx == ir.Str && y.IsNumber():
		d.WithHelp("wrap the left side in int(…) or float(…)")
	case ky == ir.Str && x.IsNumber():
		d.WithHelp("wrap the right side in int(…) or float(…)")
	}
	return ir.NewBad()
}

// computeNumbers applies an operator to two numbers.
func (o operators) computeNumbers(symbol string, x, y *ir.Value, at pysyntax.Place) *ir.Value {
	x, y = o.toNumber(x, at), o.toNumber(y, at)
	if x.Kind() == ir.Int && y.Kind() == ir.Int {
		return o.computeInts(symbol, x, y, at)
	}
	return o.computeFloats(symbol, o.toGoFloat(x), o.toGoFloat(y), at)
}

func (o operators) computeInts(symbol string, x, y *ir.Value, at pysyntax.Place) *ir.Value {
	op := arithmeticOps[symbol]
	m, xKnown := x.Constant.(int64)
	n, yKnown := y.Constant.(int64)
	if xKnown && yKnown {
		if v := o.foldInts(symbol, m, n, x, y, at); v != nil {
			return v
		}
	}
	canDivide := yKnown && n != 0 && n != -1 // dividing by -1 can overflow
	result := ir.GoInt
	switch bits := resultBits(symbol, x.Bits, y.Bits); {
	case bits <= maxPlainBits:
		return o.BinaryOp(ir.GoInt, x, op.goToken, y).SetBits(bits)
	case symbol == "//" && canDivide:
		return o.CallPure(ir.GoInt, ir.PyRef("Quotient"), x, y).SetBits(x.Bits)
	case symbol == "%" && canDivide:
		return o.CallPure(ir.GoInt, ir.PyRef("Remainder"), x, y).SetBits(y.Bits)
	case yKnown && computesAsFloats(symbol, n, x, y):
		return o.computeFloats(symbol, o.toGoFloat(x), o.toGoFloat(y), at)
	case symbol == "/":
		result = ir.GoFloat
	}
	return o.callHelper(op.name, result, at, ir.PyRef(op.helper), x, y)
}

// resultBits returns the number of bits that an operation on integers of a and b bits needs. It returns
// math.MaxInt if a size is unknown (0), and for operators other than +, - and *.
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

// computesAsFloats reports whether an operation on integers can be done with floats without losing precision. n is
// the value of y.
func computesAsFloats(symbol string, n int64, x, y *ir.Value) bool {
	switch symbol {
	case "/":
		return n != 0 && x.Bits > 0 && y.Bits <= maxPlainBits
	case "**":
		return n < 0
	}
	return false
}

// floorDivide divides as Python does: the quotient is rounded down, and the remainder has the sign
// of the divisor.
func floorDivide(a, b *big.Int) (quotient, remainder *big.Int) {
	quotient, remainder = new(big.Int).QuoRem(a, b, new(big.Int))
	if remainder.Sign() != 0 && remainder.Sign() != b.Sign() {
		quotient.Sub(quotient, big.NewInt(1))
		remainder.Add(remainder, b)
	}
	return quotient, remainder
}

// foldInts computes an operation on the constants m and n, which are the values of x and y. It returns nil if the
// operation fails at run time or has a float as its result.
func (o operators) foldInts(symbol string, m, n int64, x, y *ir.Value, at pysyntax.Place) *ir.Value {
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
		quotient, remainder := floorDivide(a, b)
		result = map[string]*big.Int{"//": quotient, "%": remainder}[symbol]
	case "**":
		if n < 0 {
			return nil
		}
		if n > 64 && m != 0 && m != 1 && m != -1 {
			return o.reportTooLarge(at)
		}
		if n > 64 {
			b.SetInt64(n%2 + 2)
		}
		result.Exp(a, b, nil)
	default:
		return nil
	}
	if !result.IsInt64() {
		return o.reportTooLarge(at)
	}
	v := o.IntLiteral(result.Int64())
	if operator := arithmeticOps[symbol].goToken; operator != 0 { // generate the expression instead of its value: Go evaluates constants exactly
		v.Step = o.BinaryOp(ir.GoInt, x, operator, y).Step
		v.Step.OwnTiming, v.Step.Timing = ir.Anytime, ir.Anytime
	}
	return v
}

func (o operators) computeFloats(symbol string, x, y *ir.Value, at pysyntax.Place) *ir.Value {
	op := arithmeticOps[symbol]
	a, xKnown := x.Constant.(float64)
	b, yKnown := y.Constant.(float64)
	if xKnown && yKnown { // Go would compute constants with more precision than Python
		switch symbol {
		case "+":
			return o.FloatLiteral(a + b)
		case "-":
			return o.FloatLiteral(a - b)
		case "*":
			return o.FloatLiteral(a * b)
		case "/":
			if b != 0 {
				return o.FloatLiteral(a / b)
			}
		}
		x = o.CastTo(ir.GoFloat, x)
	}
	if op.floatHelper == "" || symbol == "/" && yKnown && b != 0 {
		return o.BinaryOp(ir.GoFloat, o.preventFusing(op.goToken, x), op.goToken, o.preventFusing(op.goToken, y))
	}
	return o.callHelper(op.name, ir.GoFloat, at, ir.PyRef(op.floatHelper), x, y)
}

// preventFusing prevents Go from fusing a product and a sum into one operation, which would round once
// where Python rounds twice.
func (o operators) preventFusing(op token.Token, x *ir.Value) *ir.Value {
	if x.Op == ir.Binary && x.Token == token.MUL && (op == token.ADD || op == token.SUB) {
		return o.CastTo(ir.GoFloat, x)
	}
	return x
}

func (o operators) concatTexts(x, y *ir.Value) *ir.Value {
	a, xKnown := x.Constant.(string)
	b, yKnown := y.Constant.(string)
	if xKnown && yKnown {
		return o.StrLiteral(a + b)
	}
	return o.BinaryOp(ir.GoString, o.toPlain(x), token.ADD, o.toPlain(y))
}

func (o operators) concatLists(e *pysyntax.Binary, x, y *ir.Value) *ir.Value {
	t := ir.SettledType(ir.JoinTypes(x.Type, y.Type))
	switch {
	case t == nil, ir.KindOf(t) != ir.List && ir.KindOf(t) != ir.Any:
		return o.reportOperands(e, x, y)
	case ir.KindOf(t) == ir.Any:
		t = ir.AnyList
	}
	if ir.IsArray(t) {
		t = types.NewSlice(ir.ElemType(t))
	}
	x = o.convertTo(o.toSlice(x), t, e.X.Location(), "the left side")
	y = o.convertTo(o.toSlice(y), t, e.Y.Location(), "the right side")
	if ir.HasBad(x, y) {
		return ir.NewBad()
	}
	lists := []*ir.Step{ir.PackageRef("slices", "Concat"), x.Step}
	if x.IsCall("slices", "Concat") && !x.InVariable {
		lists = x.Args
	}
	both := o.CallInTurn(t, lists[0])
	both.Step.Args = append(append([]*ir.Step{}, lists...), y.Step)
	if x.HasElements() || y.HasElements() { // slices.Concat returns nil if both lists are empty
		both.NilFree = x.NilFree && y.NilFree || !o.mayHoldNil(ir.ElemType(t))
	}
	return both
}

func (o operators) repeatSequence(x, n *ir.Value, at pysyntax.Place) *ir.Value {
	n = o.toNumber(n, at)
	if x.Kind() == ir.Str {
		return o.callHelper("text", ir.GoString, at, ir.PyRef("Repeat"), o.toPlain(x), n)
	}
	x = o.toSlice(o.settleDisplay(x))
	repeat := ir.PyRef("RepeatList")
	if !ir.IsSimple(ir.ElemType(x.Type)) { // elements may be lists, whose contents count for the size limit
		repeat = ir.DynRef("RepeatList")
	}
	return o.copyNilFree(o.callHelper("list", x.Type, at, repeat, x, n), x)
}

// dictOf returns the type of a dict whose values have type elem, or nil if elem is nil.
func dictOf(elem types.Type) types.Type {
	if elem == nil {
		return nil
	}
	return types.NewMap(ir.GoString, elem)
}

// mergeDicts returns a dict with the entries of all dicts. want is the type of its values, or nil to choose one
// that fits all.
func (o operators) mergeDicts(dicts []*ir.Value, want types.Type, places []pysyntax.Place) *ir.Value {
	if ir.HasBad(dicts...) {
		return ir.NewBad()
	}
	var elements []types.Type
	for _, dict := range dicts {
		if !ir.IsEmpty(dict.Type) {
			elements = append(elements, ir.ElemType(dict.Type))
		}
	}
	t := dictOf(ir.CommonType(elements, want))
	nilFree := true
	for i, dict := range dicts {
		nilFree = nilFree && (dict.NilFree || !o.mayHoldNil(ir.ElemType(t)))
		dicts[i] = o.convertTo(dict, t, places[i], "this dict")
	}
	all := o.CallInTurn(t, ir.PyRef("Merge"), dicts...)
	all.NilFree = nilFree
	return all
}
