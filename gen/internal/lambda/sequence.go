package lambda

import (
	"go/types"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// toIterable converts a value to a slice of the elements over which Python would iterate. consumer names the
// loop or function that iterates, for messages.
func (o *valueBuilder) toIterable(v *ir.Value, at pysyntax.Place, consumer string) *ir.Value {
	return o.toIterableOrError(v, at, consumer, "'NoneType' object is not iterable")
}

// toIterableOrError is toIterable, but message is the text of the TypeError if the value is None.
func (o *valueBuilder) toIterableOrError(v *ir.Value, at pysyntax.Place, consumer, message string) *ir.Value {
	if v.IsBad() {
		return v
	}
	switch v = o.dereference(v, at, "TypeError: %s", message); v.Kind() {
	case ir.List:
		if ir.IsEmpty(v.Type) {
			return o.EmptyDisplay(ir.AnyList)
		}
		return o.toSlice(v)
	case ir.Str:
		return o.CallPure(types.NewSlice(ir.GoString), ir.PyRef("Chars"), o.toPlain(v))
	case ir.Dict:
		if ir.IsEmpty(v.Type) {
			return o.EmptyDisplay(types.NewSlice(ir.GoString))
		}
		keys := types.NewSlice(ir.KeyType(v.Type))
		return o.CallInTurn(keys, ir.PackageRef("slices", "Sorted"), o.CallInTurn(keys, ir.PackageRef("maps", "Keys"), v))
	case ir.Any:
		return o.callHelper("list", ir.AnyList, at, ir.DynRef("Elements"), v)
	}
	d := o.addWrongType(v, at, "%s takes a list, a str or a dict", consumer)
	if v.Kind() == ir.Object {
		o.helpElements(d, v, at)
	}
	return ir.NewBad()
}

// reportArgument reports an argument that a Python function does not accept. takes says what it accepts, such
// as "a number".
func (o operators) reportArgument(v *ir.Value, at pysyntax.Place, function, takes string) *ir.Value {
	d := o.addWrongType(v, at, "%s() takes %s", function, takes)
	switch k := v.Kind(); {
	case k == ir.Str && strings.HasSuffix(takes, "a number"):
		o.helpConvert(d, at, "float", "write %s, or use int instead of float for an integer", "wrap the argument in int(…) or float(…)")
	case function == "len" && (k == ir.Int || k == ir.Float):
		o.helpConvert(d, at, "str", "for the number of its characters write %s", "for the number of its characters, wrap the argument in str(…)")
	}
	return ir.NewBad()
}

// helpConvert adds help about the call at a place with its first argument wrapped in a call of function: len(str(n)) for
// len(n), for example. If that compiles, it replaces %s in help; otherwise, the help is general.
func (o operators) helpConvert(d *diag.Diagnostic, at pysyntax.Place, function, help, general string) {
	text := ""
	pysyntax.Walk(o.written, func(e pysyntax.Expr) {
		if call, ok := e.(*pysyntax.Call); ok && call.Place == at && len(call.Args) > 0 && !call.Args[0].Star && call.Args[0].Name == "" {
			p := call.Args[0].Value.Location()
			text = o.source[at.From:p.From] + function + "(" + o.source[p.From:p.To] + ")" + o.source[p.To:at.To]
		}
	})
	if text == "" || o.compiles == nil || !o.compiles(at, text) {
		d.WithHelp("%s", general)
	} else {
		d.WithHelp(help, text)
	}
}

// applyLen translates len(v). The methods below do the same for other Python functions of one value.
func (o operators) applyLen(v *ir.Value, at pysyntax.Place) *ir.Value {
	v = o.dereference(v, at, "TypeError: object of type 'NoneType' has no len()")
	switch v.Kind() {
	case ir.Str:
		if s, ok := v.Constant.(string); ok {
			return o.IntLiteral(int64(len([]rune(s))))
		}
		return o.CallPure(ir.GoInt, ir.PackageRef("unicode/utf8", "RuneCountInString"), o.toPlain(v)).SetBits(lengthBits)
	case ir.List, ir.Dict:
		return o.CallInTurn(ir.GoInt, ir.GoRef("len"), o.settleDisplay(v)).SetBits(lengthBits)
	case ir.Any:
		return o.callHelper("length", ir.GoInt, at, ir.DynRef("Len"), v).SetBits(lengthBits)
	}
	return o.reportArgument(v, at, "len", "a str, a list or a dict")
}

func (o operators) applyInt(v *ir.Value, at pysyntax.Place) *ir.Value {
	v = o.dereference(v, at, "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'NoneType'")
	switch v.Kind() {
	case ir.Bool, ir.Int:
		return o.toNumber(v, at)
	case ir.Float:
		return o.callHelper("number", ir.GoInt, at, ir.PyRef("Trunc"), o.toGoFloat(v))
	case ir.Str:
		return o.callHelper("number", ir.GoInt, at, ir.PyRef("ParseInt"), o.toPlain(v))
	case ir.Any:
		return o.callHelper("number", ir.GoInt, at, ir.DynRef("Int"), v)
	}
	return o.reportArgument(v, at, "int", "a number or a str")
}

func (o operators) applyFloat(v *ir.Value, at pysyntax.Place) *ir.Value {
	v = o.dereference(v, at, "TypeError: float() argument must be a string or a real number, not 'NoneType'")
	switch v.Kind() {
	case ir.Bool, ir.Int, ir.Float:
		return o.toGoFloat(o.toNumber(v, at))
	case ir.Str:
		return o.callHelper("number", ir.GoFloat, at, ir.PyRef("ParseFloat"), o.toPlain(v))
	case ir.Any:
		return o.callHelper("number", ir.GoFloat, at, ir.DynRef("Float"), v)
	}
	return o.reportArgument(v, at, "float", "a number or a str")
}

func (o operators) applyOrd(v *ir.Value, at pysyntax.Place) *ir.Value {
	v = o.dereference(v, at, "TypeError: ord() expected string of length 1, but NoneType found")
	switch v.Kind() {
	case ir.Str:
		return o.callHelper("number", ir.GoInt, at, ir.PyRef("Ord"), o.toPlain(v))
	case ir.Any:
		return o.callHelper("number", ir.GoInt, at, ir.DynRef("Ord"), v)
	}
	return o.reportArgument(v, at, "ord", "a str")
}

func (o operators) applyAbs(v *ir.Value, at pysyntax.Place) *ir.Value {
	v = o.dereference(v, at, "TypeError: bad operand type for abs(): 'NoneType'")
	switch v.Kind() {
	case ir.Bool, ir.Int:
		return o.callHelper("size", ir.GoInt, at, ir.PyRef("Abs"), o.toNumber(v, at))
	case ir.Float:
		return o.CallPure(ir.GoFloat, ir.PackageRef("math", "Abs"), o.toGoFloat(v))
	case ir.Any:
		return o.callHelper("size", ir.GoAny, at, ir.DynRef("Abs"), v)
	}
	return o.reportArgument(v, at, "abs", "a number")
}

// containsTruth translates any(v) if truth is true, and all(v) if truth is false. The generated code searches v
// for an element whose truth value is truth.
func (o operators) containsTruth(v *ir.Value, at pysyntax.Place, function string, truth bool) *ir.Value {
	list := o.toIterable(v, at, function)
	if list.IsBad() {
		return list
	}
	var found *ir.Value
	if elem := ir.ElemType(list.Type); types.Identical(elem, ir.GoBool) {
		found = o.CallInTurn(ir.GoBool, ir.PackageRef("slices", "Contains"), list, o.BoolLiteral(truth))
	} else {
		param := o.NewParam("value", elem)
		matches := o.FuncLiteral(ir.GoBool, param, func() *ir.Value { return o.equalBool(o.truthOf(param), truth) })
		found = o.CallInTurn(ir.GoBool, ir.PackageRef("slices", "ContainsFunc"), list.KeepInVariable(), matches)
	}
	return o.equalBool(found, truth)
}

// applySum adds the elements of a list to start.
func (o operators) applySum(v, start *ir.Value, at pysyntax.Place) *ir.Value {
	list := o.toIterable(v, at, "sum()")
	if list.IsBad() {
		return list
	}
	elem := ir.ElemType(list.Type)
	switch k := ir.KindOf(elem); {
	case types.Identical(elem, ir.GoInt) && start.Kind() == ir.Int:
		return o.callHelper("sum", ir.GoInt, at, ir.PyRef("SumInts"), list, o.toNumber(start, at))
	case types.Identical(elem, ir.GoFloat) && start.IsNumber():
		return o.CallInTurn(ir.GoFloat, ir.PyRef("SumFloats"), list, o.toGoFloat(o.toNumber(start, at)))
	case ir.IsData(elem) && (k != ir.Str || start.Constant == nil):
		return o.callHelper("sum", ir.GoAny, at, ir.DynRef("Sum"), o.toAnyList(list), o.toDynamic(start))
	}
	d := o.addWrongType(v, at, "sum() takes a list of numbers")
	switch {
	case v.Kind() == ir.Dict:
		d.WithHelp("write sum([d[k] for k in d]) for its values")
	case v.Kind() == ir.List && ir.KindOf(elem) == ir.Str:
		d.WithHelp("write ''.join(…) to join strings")
	}
	return ir.NewBad()
}

// applyRound translates round(v, digits). digits may be nil.
func (o operators) applyRound(v, digits *ir.Value, at pysyntax.Place) *ir.Value {
	x := o.dereference(v, at, "TypeError: type NoneType doesn't define __round__ method")
	if digits != nil && digits.Kind() != ir.None {
		return o.roundToDigits(x, digits, at)
	}
	switch x.Kind() {
	case ir.Bool, ir.Int:
		return o.toNumber(x, at)
	case ir.Float:
		return o.callHelper("number", ir.GoInt, at, ir.PyRef("Round"), o.toGoFloat(x))
	case ir.Any:
		return o.callHelper("number", ir.GoAny, at, ir.DynRef("Round"), x)
	}
	return o.reportArgument(x, at, "round", "a number")
}

// roundToDigits rounds x to a number of digits. If digits may be None, the result is an any, because round(x, None)
// returns an int.
func (o operators) roundToDigits(x, digits *ir.Value, at pysyntax.Place) *ir.Value {
	if !x.IsNumber() && x.Kind() != ir.Any {
		return o.reportArgument(x, at, "round", "a number")
	}
	if x.Kind() == ir.Any || digits.Kind() == ir.Any || digits.Kind() == ir.Optional {
		return o.callHelper("number", ir.GoAny, at, ir.DynRef("RoundTo"), o.toDynamic(x), o.toDynamic(digits))
	}
	digits = o.toIndexInt(digits, at, "argument 2 of round")
	if x.Kind() == ir.Float {
		return o.callHelper("number", ir.GoFloat, at, ir.PyRef("RoundTo"), o.toGoFloat(x), digits)
	}
	n := o.toNumber(x, at)
	if d, ok := digits.Constant.(int64); ok && d >= 0 {
		return n
	}
	return o.callHelper("number", ir.GoInt, at, ir.PyRef("RoundInt"), n, digits)
}

// applySorted returns a sorted copy of a list. keys has the sort key of each element, and may be list itself.
func (o operators) applySorted(list, keys, reverse *ir.Value, at pysyntax.Place) *ir.Value {
	elem, key, isOwnKey := ir.ElemType(list.Type), ir.ElemType(keys.Type), keys == list
	t := types.NewSlice(elem)
	var sorted *ir.Value
	switch {
	case ir.IsOrdered(key) && isOwnKey:
		sorted = o.CallInTurn(t, ir.PyRef("Sorted"), list, reverse)
	case ir.IsOrdered(key):
		sorted = o.CallInTurn(t, ir.PyRef("SortedBy"), list, keys, reverse)
	case ir.IsData(key) && types.Identical(elem, ir.GoAny) && isOwnKey:
		sorted = o.callHelper("list", t, at, ir.DynRef("Sorted"), list, reverse)
	case ir.IsData(key):
		sorted = o.callHelper("list", t, at, ir.DynRef("SortedBy"), list, o.toAnyList(keys), reverse)
	default:
		o.addIncompatible(at, []*ir.Value{list}, "values of %s have no order", o.describeType(key)).WithHelp("give the key to sort by: key=lambda x: x.name")
		return ir.NewBad()
	}
	return o.copyNilFree(sorted, list)
}

// toReverseFlag converts the argument reverse of sorted, a bool or an integer, to a bool.
func (o operators) toReverseFlag(v *ir.Value, at pysyntax.Place) *ir.Value {
	switch {
	case v.IsBad():
		return v
	case v.Kind() == ir.Any, ir.IsOptional(v.Type, ir.Int), ir.IsOptional(v.Type, ir.Bool):
		v = o.toIndexInt(v, at, "")
	case !v.IsInteger():
		o.addWrongType(v, at, "argument reverse of sorted must be a bool").WithHelp("wrap it in bool(…)")
		return ir.NewBad()
	}
	return o.truthOf(v)
}

// applyExtreme returns the smallest or largest element of a list. keys has the key of each element, and may be list
// itself. args are the arguments of the call, for messages.
func (o operators) applyExtreme(function string, list, keys *ir.Value, args []*ir.Value, at pysyntax.Place) *ir.Value {
	function = map[string]string{"min": "Min", "max": "Max"}[function]
	elem, key := ir.ElemType(list.Type), ir.ElemType(keys.Type)
	name := ir.VariableName(elem)
	switch {
	case ir.IsOrdered(key) && keys == list:
		return o.callHelper(name, elem, at, ir.PyRef(function), list)
	case ir.IsOrdered(key):
		return o.callHelper(name, elem, at, ir.PyRef(function+"By"), list, keys)
	case types.Identical(elem, ir.GoAny) && keys == list:
		return o.callHelper(name, elem, at, ir.DynRef(function), list)
	case ir.IsData(key):
		return o.callHelper(name, elem, at, ir.DynRef(function+"By"), list, o.toAnyList(keys))
	}
	o.addIncompatible(at, args, "values of %s have no order", o.describeType(key)).WithHelp("give the key to compare: key=lambda x: x.name")
	return ir.NewBad()
}

// applyExtremeInt returns the smallest or largest of integers with Go's min or max.
func (o operators) applyExtremeInt(function string, args []*ir.Value, at pysyntax.Place) *ir.Value {
	allConstant := true
	for i, v := range args {
		args[i] = o.toNumber(v, at)
		allConstant = allConstant && args[i].Constant != nil
	}
	if allConstant {
		args[0] = o.CastTo(ir.GoInt, args[0])
	}
	return o.CallPure(ir.GoInt, ir.GoRef(function), args...)
}
