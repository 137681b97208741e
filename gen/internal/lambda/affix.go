package lambda

import (
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// hasAffixes reports whether the first argument is a tuple, as in s.startswith(('a', 'b')).
func (c pythonCall) hasAffixes() bool {
	if len(c.Args) == 0 {
		return false
	}
	tuple, ok := c.Args[0].Value.(*pysyntax.List)
	return ok && tuple.Brackets == pysyntax.Round
}

// checkAffixes checks a call of startswith or endswith whose first argument is a tuple.
func (c pythonCall) checkAffixes(x *ir.Value, name string) *ir.Value {
	args := c.checkMethodArgs(name, &textMethod{Params: "abb", MinArgs: 1})
	if args == nil {
		return ir.NewBad()
	}
	list := args[0]
	if k := ir.KindOf(ir.ElemType(list.Type)); !ir.IsEmpty(list.Type) && k != ir.Str {
		c.addValueMismatch(list, c.Args[0].Value.Location(), "the tuple of %s must contain only str", name).
			WithHelp("join calls with or: s.%[1]s(a) or s.%[1]s(b)", name)
		return ir.NewBad()
	}
	list = c.convertTo(list, types.NewSlice(ir.GoString), c.Args[0].Value.Location(), "the tuple")
	from, to := c.searchBounds(args[1:])
	function := map[string]string{"startswith": "StartsWithAny", "endswith": "EndsWithAny"}[name]
	return c.CallInTurn(ir.GoBool, ir.PyRef(function), x, list, from, to)
}

// newTestMethod returns a method such as isalpha, which tests the characters of a string.
func newTestMethod(function string) *textMethod {
	return &textMethod{build: func(o operators, s *ir.Value, _ []*ir.Value, _ pysyntax.Place) *ir.Value {
		return o.CallPure(ir.GoBool, ir.PyRef(function), s)
	}}
}

// newPadMethod returns a method such as ljust, which pads a string to a width.
func newPadMethod(function string) *textMethod {
	return &textMethod{Params: "wf", MinArgs: 1, build: func(o operators, s *ir.Value, args []*ir.Value, at pysyntax.Place) *ir.Value {
		fill := o.StrLiteral(" ")
		if args[1] != nil {
			fill = args[1]
		}
		return o.callHelper("text", ir.GoString, at, ir.PyRef(function), s, args[0], fill)
	}}
}

// newPartitionMethod returns partition or rpartition, which split a string into three parts.
func newPartitionMethod(function string) *textMethod {
	return &textMethod{Params: "t", MinArgs: 1, build: func(o operators, s *ir.Value, args []*ir.Value, at pysyntax.Place) *ir.Value {
		return o.callHelper("texts", types.NewSlice(ir.GoString), at, ir.PyRef(function), s, args[0])
	}}
}

// newAffixMethod returns removeprefix or removesuffix.
func newAffixMethod(function string) *textMethod {
	return &textMethod{Params: "x", MinArgs: 1, build: func(o operators, s *ir.Value, args []*ir.Value, _ pysyntax.Place) *ir.Value {
		return o.CallPure(ir.GoString, ir.PackageRef("strings", function), s, args[0])
	}}
}

// newLocateMethod returns a method such as rfind or index, which searches a string between two bounds. fails says
// whether the method raises an error if it finds nothing.
func newLocateMethod(function string, fails bool) *textMethod {
	return &textMethod{Params: "tbb", MinArgs: 1, build: func(o operators, s *ir.Value, args []*ir.Value, at pysyntax.Place) *ir.Value {
		from, to := o.searchBounds(args[1:])
		if fails {
			return o.callHelper("index", ir.GoInt, at, ir.PyRef(function), s, args[0], from, to).SetBits(lengthBits)
		}
		return o.CallPure(ir.GoInt, ir.PyRef(function), s, args[0], from, to).SetBits(lengthBits)
	}}
}

func (o operators) zeroFill(s *ir.Value, args []*ir.Value, at pysyntax.Place) *ir.Value {
	return o.callHelper("text", ir.GoString, at, ir.PyRef("ZeroFill"), s, args[0])
}

func (o operators) splitLines(s *ir.Value, args []*ir.Value, _ pysyntax.Place) *ir.Value {
	keep := o.BoolLiteral(false)
	if args[0] != nil {
		keep = o.BinaryOp(ir.GoBool, args[0], token.NEQ, o.IntLiteral(0))
	}
	return o.CallPure(types.NewSlice(ir.GoString), ir.PyRef("Lines"), s, keep)
}

func (o operators) splitRight(s *ir.Value, args []*ir.Value, at pysyntax.Place) *ir.Value {
	limit := o.IntLiteral(-1)
	if args[1] != nil {
		limit = args[1]
	}
	list := types.NewSlice(ir.GoString)
	switch {
	case args[0] == nil:
		return o.CallPure(list, ir.PyRef("FieldsRight"), s, limit)
	case args[0].Kind() == ir.Any, args[0].Kind() == ir.Optional:
		return o.callHelper("list", list, at, ir.DynRef("SplitRight"), s, o.toDynamic(args[0]), limit)
	}
	return o.callHelper("list", list, at, ir.PyRef("SplitRight"), s, args[0], limit)
}

// checkInt checks int(x) and int(text, base).
func (c pythonCall) checkInt() *ir.Value {
	args := c.checkArguments(2, "base")
	if args == nil {
		return ir.NewBad()
	}
	base := c.secondArgument(args, "base")
	if base == nil {
		return c.applyInt(args[0], c.Location())
	}
	at := c.Args[1].Value.Location()
	if base = c.toIndexInt(base, at, describeArgument(1, "int")); base.IsBad() {
		return base
	}
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
