package lambda

import (
	"cmp"
	"go/token"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// pythonCall is a call of a Python function or of a string method.
type pythonCall struct {
	*checker
	*pysyntax.Call
}

// builtin is a Python function that a lambda may call.
type builtin struct {
	maxArgs  int      // of positional arguments, of which at least one is required; 0 if check checks the arguments itself
	keywords []string // the keyword arguments that it accepts
	check    func(c pythonCall, args []*ir.Value) *ir.Value
}

var builtins = map[string]builtin{
	"abs":        newUnary(operators.applyAbs),
	"all":        {check: func(c pythonCall, _ []*ir.Value) *ir.Value { return c.checkSearch(false) }},
	"any":        {check: func(c pythonCall, _ []*ir.Value) *ir.Value { return c.checkSearch(true) }},
	"bin":        newNumeral("#b"),
	"bool":       newUnary(func(o operators, v *ir.Value, _ pysyntax.Place) *ir.Value { return o.truthOf(v) }),
	"chr":        {maxArgs: 1, check: pythonCall.checkChr},
	"dict":       {maxArgs: 1, check: pythonCall.checkDictCopy},
	"divmod":     {maxArgs: 2, check: pythonCall.checkDivmod},
	"float":      newUnary(operators.applyFloat),
	"format":     {check: pythonCall.checkFormatCall},
	"hex":        newNumeral("#x"),
	"int":        {maxArgs: 2, keywords: []string{"base"}, check: pythonCall.checkInt},
	"isinstance": {check: pythonCall.checkInstance},
	"len":        newUnary(operators.applyLen),
	"max":        {maxArgs: 100, keywords: []string{"key", "default"}, check: pythonCall.checkExtreme},
	"min":        {maxArgs: 100, keywords: []string{"key", "default"}, check: pythonCall.checkExtreme},
	"next":       {check: pythonCall.checkNext},
	"oct":        newNumeral("#o"),
	"ord":        newUnary(operators.applyOrd),
	"pow":        {maxArgs: 3, check: pythonCall.checkPow},
	"repr":       newUnary(func(o operators, v *ir.Value, at pysyntax.Place) *ir.Value { return o.toRepr(v, at) }),
	"round":      {maxArgs: 2, keywords: []string{"ndigits"}, check: pythonCall.checkRound},
	"sorted":     {maxArgs: 1, keywords: []string{"key", "reverse"}, check: pythonCall.checkSorted},
	"str":        newUnary(func(o operators, v *ir.Value, at pysyntax.Place) *ir.Value { return o.toText(v, at) }),
	"sum":        {maxArgs: 2, keywords: []string{"start"}, check: pythonCall.checkSum},
}

// newUnary returns a Python function with one argument. build translates the call.
func newUnary(build func(operators, *ir.Value, pysyntax.Place) *ir.Value) builtin {
	return builtin{maxArgs: 1, check: func(c pythonCall, args []*ir.Value) *ir.Value { return build(c.operators, args[0], c.Location()) }}
}

// checkBuiltin checks a call of b.
func (c pythonCall) checkBuiltin(b builtin) *ir.Value {
	if b.maxArgs == 0 {
		return b.check(c, nil)
	}
	args := c.checkArguments(b.maxArgs, b.keywords...)
	if args == nil {
		return ir.NewBad()
	}
	return b.check(c, args)
}

func (c pythonCall) checkSum(args []*ir.Value) *ir.Value {
	return c.applySum(args[0], cmp.Or(c.secondArgument(args, "start"), c.IntLiteral(0)), c.Location())
}

func (c pythonCall) checkRound(args []*ir.Value) *ir.Value {
	return c.applyRound(args[0], c.secondArgument(args, "ndigits"), c.Location())
}

// checkSorted checks sorted(list, key=…, reverse=…).
func (c pythonCall) checkSorted(args []*ir.Value) *ir.Value {
	reverse := c.BoolLiteral(false)
	r := c.keywordValue("reverse")
	if r != nil {
		reverse = c.checkSingle(r, nil)
	}
	list := c.toIterable(args[0], c.Location(), "sorted()")
	if r != nil {
		reverse = c.toReverseFlag(reverse, r.Location())
	}
	if ir.HasBad(list, reverse) {
		return ir.NewBad()
	}
	list, keys := c.checkKeys(list)
	if keys.IsBad() {
		return keys
	}
	return c.applySorted(list, keys, reverse, c.Location())
}

// checkExtreme checks a call of min or max.
func (c pythonCall) checkExtreme(args []*ir.Value) *ir.Value {
	name := writtenName(c.Func)
	list := args[0]
	if len(args) > 1 {
		if c.keywordValue("key") == nil && !slices.ContainsFunc(args, func(v *ir.Value) bool { return v.Kind() != ir.Int }) {
			return c.applyExtremeInt(name, args, c.Location())
		}
		list = c.makeList(slices.Clone(args), ir.CommonType(ir.TypesOf(args), nil), func(int) pysyntax.Place { return c.Location() }, "an argument of "+name)
	}
	list = c.toIterable(list, c.Location(), name+"()")
	if list.IsBad() {
		return list
	}
	if d := c.keywordValue("default"); d != nil {
		return c.checkExtremeWithDefault(name, list, args, d)
	}
	list, keys := c.checkKeys(list)
	if keys.IsBad() {
		return keys
	}
	return c.applyExtreme(name, list, keys, args, c.Location())
}

// checkExtremeWithDefault checks min(list, default=…) and max(list, default=…).
func (c pythonCall) checkExtremeWithDefault(name string, list *ir.Value, args []*ir.Value, otherwise pysyntax.Expr) *ir.Value {
	if len(args) > 1 {
		c.addFault("lambda-call", otherwise.Location(), "%s() takes the argument default only with one list", name)
		return ir.NewBad()
	}
	missing := c.checkSingle(otherwise, nil).KeepInVariable()
	list = list.KeepInVariable()
	test := c.BinaryOp(ir.GoBool, c.CallInTurn(ir.GoInt, ir.GoRef("len"), list), token.GTR, c.IntLiteral(0))
	found := branch{at: c.Location()}
	found.block = c.buildBranch(func() {
		elements, keys := c.checkKeys(list)
		if found.value = keys; !keys.IsBad() {
			found.value = c.applyExtreme(name, elements, keys, args, c.Location())
		}
	})
	return c.chooseBranch(test, found, newBranch(missing, otherwise), nil)
}

// unnamedElement is the name of a loop element that has no name in the lambda, as in map(f, xs). It is not an
// identifier, so it cannot hide another name.
const unnamedElement = "value of a list"

// callKey returns a call of the function key, such as len in sorted(xs, key=len), with an element as its argument.
func (c pythonCall) callKey(key, element pysyntax.Expr) pysyntax.Expr {
	call := &pysyntax.Call{Place: key.Location(), Func: key, Args: []pysyntax.Arg{{Place: key.Location(), Value: element}}}
	if f, ok := key.(*pysyntax.Attr); ok && (&rewriter{nameResolver: c.nameResolver}).pythonName(f.X) == "str" {
		if bound := bindMethod(call, f); bound != nil {
			return bound
		}
	}
	return call
}

// checkKeys returns list and the list of its sort keys: the results of the argument key for each element, or list
// itself if there is no such argument. Bools become integers, because Go cannot order them.
func (c pythonCall) checkKeys(list *ir.Value) (_, keys *ir.Value) {
	key := c.keywordValue("key")
	name, body := unnamedElement, key
	switch k := key.(type) {
	case nil, *pysyntax.None:
		if ir.KindOf(ir.ElemType(list.Type)) != ir.Bool {
			return list, list
		}
		body = c.Call
	case *pysyntax.Lambda:
		if len(k.Params) != 1 {
			c.addFault("lambda-call", k.Location(), "the key has %d parameters, but is called with one", len(k.Params))
			return list, ir.NewBad()
		}
		name, body = k.Params[0].Name, k.Body
	case *pysyntax.Bad:
		return list, ir.NewBad()
	default:
		body = c.callKey(key, &pysyntax.Name{Place: key.Location(), Name: name})
	}
	list = list.KeepInVariable()
	loops := []pysyntax.Loop{{Var: pysyntax.Param{Name: name}}}
	keys = c.buildLoop(loopOver(list, name), loops, body, nil, func() *ir.Value {
		v := c.Env[unnamedElement]
		if body != c.Call {
			v = c.checkSingle(body, nil)
		}
		if v.Kind() == ir.Bool {
			return c.toNumber(v, body.Location())
		}
		return v
	})
	return list, keys
}

// rejectCall reports a call of a Python function that lambdas support only with other arguments.
func (c pythonCall) rejectCall() *ir.Value {
	suggester{c.nameResolver}.reportUnsupportedCall(c.Call, c.Func.(*pysyntax.Name))
	return ir.NewBad()
}

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
		return c.rejectCall()
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
		return c.rejectCall()
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
		return c.rejectCall()
	}
	return c.settleDisplay(args[0])
}

// checkInstance checks isinstance(x, types) for a value whose type is known only at run time. For other values, the
// result is always the same, and a fault suggests it.
func (c pythonCall) checkInstance([]*ir.Value) *ir.Value {
	names, ok := typeNames(c.Call)
	if !ok {
		return c.rejectCall()
	}
	v := c.checkSingle(c.Args[0].Value, nil)
	if v.Kind() != ir.Any && v.Kind() != ir.Optional && !v.IsBad() {
		return c.rejectCall()
	}
	args := []*ir.Value{c.toDynamic(v)}
	for _, name := range names {
		args = append(args, c.StrLiteral(name))
	}
	return c.CallPure(ir.GoBool, ir.DynRef("IsInstance"), args...)
}
