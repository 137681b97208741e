package lambda

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// checkRepr checks repr.
func (c pythonCall) checkRepr() *ir.Value {
	args := c.checkArguments(1)
	if args == nil {
		return ir.NewBad()
	}
	return c.toRepr(args[0], c.Location())
}

// newNumeral returns a function that checks calls of a Python function such as hex, which formats an integer.
// spec is the format, such as "#x".
func newNumeral(spec string) func(pythonCall) *ir.Value {
	return func(c pythonCall) *ir.Value {
		n := c.checkInteger()
		if n.IsBad() {
			return n
		}
		return c.formatValue(n, 0, c.StrLiteral(spec), c.Location())
	}
}

// checkInteger checks the call of a function with one argument, and returns that argument as an int.
func (c pythonCall) checkInteger() *ir.Value {
	args := c.checkArguments(1)
	if args == nil {
		return ir.NewBad()
	}
	return c.toIndexInt(args[0], c.Args[0].Value.Location(), "the argument of "+writtenName(c.Func))
}

// checkPow checks pow(a, b, n). The rewriter has already replaced pow(a, b) by a ** b.
func (c pythonCall) checkPow() *ir.Value {
	args := c.checkArguments(3)
	if args == nil {
		return ir.NewBad()
	}
	if len(args) != 3 || slices.ContainsFunc(args, func(v *ir.Value) bool { return !v.IsInteger() }) {
		suggester{c.nameResolver}.reportUnsupportedCall(c.Call, c.Func.(*pysyntax.Name))
		return ir.NewBad()
	}
	for i, v := range args {
		args[i] = c.toIndexInt(v, c.Args[i].Value.Location(), "an argument of pow")
	}
	if ir.HasBad(args...) {
		return ir.NewBad()
	}
	return c.callHelper("power", ir.GoInt, c.Location(), ir.PyRef("PowMod"), args...)
}

// checkChr checks chr.
func (c pythonCall) checkChr() *ir.Value {
	n := c.checkInteger()
	if n.IsBad() {
		return n
	}
	return c.callHelper("char", ir.GoString, c.Location(), ir.PyRef("Chr"), n)
}

// checkOrd checks ord.
func (c pythonCall) checkOrd() *ir.Value {
	args := c.checkArguments(1)
	if args == nil {
		return ir.NewBad()
	}
	v := c.dereference(args[0], c.Location(), "TypeError: ord() expected string of length 1, but NoneType found")
	switch v.Kind() {
	case ir.Str:
		return c.callHelper("number", ir.GoInt, c.Location(), ir.PyRef("Ord"), c.toPlain(v))
	case ir.Any:
		return c.callHelper("number", ir.GoInt, c.Location(), ir.DynRef("Ord"), v)
	}
	return c.reportArgument(v, c.Location(), "ord", "a str")
}

// checkDivmod checks divmod of integers. It returns a list instead of a tuple, which makes no difference if the
// tuple is indexed or becomes the result of the lambda. Other uses are reported.
func (c pythonCall) checkDivmod() *ir.Value {
	args := c.checkArguments(2)
	if args == nil {
		return ir.NewBad()
	}
	if !c.MayBeTuple || len(args) != 2 || !args[0].IsInteger() || !args[1].IsInteger() {
		f := c.Func.(*pysyntax.Name)
		suggester{c.nameResolver}.reportUnsupportedCall(c.Call, f)
		return ir.NewBad()
	}
	x, y := args[0].KeepInVariable(), args[1].KeepInVariable()
	apply := func(op string) *ir.Value {
		operation := &pysyntax.Binary{Place: c.Place, Op: pysyntax.Op{Place: c.Place, Text: op}, X: c.Args[0].Value, Y: c.Args[1].Value}
		return c.applyArithmetic(operation, x, y)
	}
	quotient := apply("//")
	values := []*ir.Value{quotient, apply("%")}
	if ir.HasBad(values...) {
		return ir.NewBad()
	}
	return c.makeList(values, ir.GoInt, func(int) pysyntax.Place { return c.Place }, "an element of the tuple")
}

// checkDictCopy checks dict(d). It returns d itself, because no expression of a lambda changes a dict.
func (c pythonCall) checkDictCopy() *ir.Value {
	args := c.checkArguments(1)
	if args == nil {
		return ir.NewBad()
	}
	if args[0].Kind() != ir.Dict {
		suggester{c.nameResolver}.reportUnsupportedCall(c.Call, c.Func.(*pysyntax.Name))
		return ir.NewBad()
	}
	return c.settleDisplay(args[0])
}

// checkInstance checks isinstance(x, types) for a value whose type is known only at run time. For other values, the
// result is always the same, and a fault suggests it.
func (c pythonCall) checkInstance() *ir.Value {
	names, ok := typeNames(c.Call)
	if !ok {
		suggester{c.nameResolver}.reportUnsupportedCall(c.Call, c.Func.(*pysyntax.Name))
		return ir.NewBad()
	}
	v := c.checkSingle(c.Args[0].Value, nil)
	if v.Kind() != ir.Any && v.Kind() != ir.Optional && !v.IsBad() {
		suggester{c.nameResolver}.reportUnsupportedCall(c.Call, c.Func.(*pysyntax.Name))
		return ir.NewBad()
	}
	args := []*ir.Value{c.toDynamic(v)}
	for _, name := range names {
		args = append(args, c.StrLiteral(name))
	}
	if ir.HasBad(args...) {
		return ir.NewBad()
	}
	return c.CallPure(ir.GoBool, ir.DynRef("IsInstance"), args...)
}
