package lambda

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// newNumeral returns a Python function such as hex, which formats an integer. spec is the format, such as "#x".
func newNumeral(spec string) builtin {
	return builtin{maxArgs: 1, check: func(c pythonCall, args []*ir.Value) *ir.Value {
		return c.formatValue(c.toInteger(args[0]), 0, c.StrLiteral(spec), c.Location())
	}}
}

// toInteger converts the only argument of a call to int.
func (c pythonCall) toInteger(v *ir.Value) *ir.Value {
	return c.toIndexInt(v, c.Args[0].Value.Location(), "the argument of "+writtenName(c.Func))
}

// checkInt checks int(x) and int(text, base).
func (c pythonCall) checkInt(args []*ir.Value) *ir.Value {
	base := c.secondArgument(args, "base")
	if base == nil {
		return c.applyInt(args[0], c.Location())
	}
	at := c.Args[1].Value.Location()
	base = c.toIndexInt(base, at, describeArgument(1, "int"))
	switch x := args[0]; x.Kind() {
	case ir.Str:
		return c.callHelper("number", ir.GoInt, c.Location(), ir.PyRef("ParseIntBase"), c.toPlain(x), base)
	case ir.Any, ir.Optional:
		return c.callHelper("number", ir.GoInt, c.Location(), ir.DynRef("IntBase"), c.toDynamic(x), base)
	default:
		c.addWrongType(x, c.Location(), "int() takes a str with a base")
	}
	return ir.NewBad()
}

// checkPow checks pow(a, b, n). The rewriter has already replaced pow(a, b) by a ** b.
func (c pythonCall) checkPow(args []*ir.Value) *ir.Value {
	if len(args) != 3 || slices.ContainsFunc(args, func(v *ir.Value) bool { return !v.IsInteger() }) {
		suggester{c.nameResolver}.reportUnsupportedCall(c.Call, c.Func.(*pysyntax.Name))
		return ir.NewBad()
	}
	for i, v := range args {
		args[i] = c.toIndexInt(v, c.Args[i].Value.Location(), "an argument of pow")
	}
	return c.callHelper("power", ir.GoInt, c.Location(), ir.PyRef("PowMod"), args...)
}

func (c pythonCall) checkChr(args []*ir.Value) *ir.Value {
	return c.callHelper("char", ir.GoString, c.Location(), ir.PyRef("Chr"), c.toInteger(args[0]))
}

// checkDivmod checks divmod of integers. It returns a list instead of a tuple, which makes no difference if the
// tuple is indexed or becomes the result of the lambda. Other uses are reported.
func (c pythonCall) checkDivmod(args []*ir.Value) *ir.Value {
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
	return c.makeList(values, ir.GoInt, func(int) pysyntax.Place { return c.Place }, "an element of the tuple")
}

// checkDictCopy checks dict(d). It returns d itself, because no expression of a lambda changes a dict.
func (c pythonCall) checkDictCopy(args []*ir.Value) *ir.Value {
	if args[0].Kind() != ir.Dict {
		suggester{c.nameResolver}.reportUnsupportedCall(c.Call, c.Func.(*pysyntax.Name))
		return ir.NewBad()
	}
	return c.settleDisplay(args[0])
}

// checkInstance checks isinstance(x, types) for a value whose type is known only at run time. For other values, the
// result is always the same, and a fault suggests it.
func (c pythonCall) checkInstance([]*ir.Value) *ir.Value {
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
	return c.CallPure(ir.GoBool, ir.DynRef("IsInstance"), args...)
}
