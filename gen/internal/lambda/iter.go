package lambda

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// checkIter checks a call whose result is only iterated over, and returns a list of the elements. Those of enumerate, zip
// and items are pairs; see pairType.
func (c pythonCall) checkIter(e *pysyntax.Iter) *ir.Value {
	if f, ok := c.Func.(*pysyntax.Attr); ok {
		return c.checkView(e, f, false)
	}
	switch writtenName(c.Func) {
	case "range":
		return c.checkRange()
	case "reversed":
		return c.checkReversed()
	case "set":
		return c.checkSet(e)
	case "enumerate":
		return c.checkEnumerate()
	case "zip":
		return c.checkZip()
	}
	return c.checkSortedItems()
}

// checkIterValue is checkIter for an Iter that is not in a loop that unpacks its tuples.
func (c pythonCall) checkIterValue(e *pysyntax.Iter) *ir.Value {
	list := c.checkIter(e)
	if isPairList(list) {
		return c.reportTuples(e)
	}
	return list
}

// reportTuples reports a call such as zip(xs, ys) that is not in a loop that unpacks its tuples. The loop `for a, b
// in zip(xs, ys)` unpacks them.
func (c pythonCall) reportTuples(e *pysyntax.Iter) *ir.Value {
	names := "k, v"
	if name := writtenName(c.Func); name == "enumerate" {
		names = "i, x"
	} else if name == "zip" {
		names = strings.Join([]string{"a", "b", "c", "d"}[:min(4, max(2, len(c.Args)))], ", ")
	}
	d := c.addUnsupported(e.Place, "the tuples of "+writtenName(c.Func))
	switch {
	case !c.mayBeList(e.Place):
		d.WithHelp(listDiffersHelp)
		return ir.NewBad()
	case c.suggest(d, e.Place, suggester{c.nameResolver}.tupleList(c.Call)):
		return ir.NewBad()
	}
	d.WithHelp("loop over them: [… for %s in %s(…)]", names, writtenName(c.Func))
	return ir.NewBad()
}

// isDictLike reports whether a value is a dict or may be one.
func isDictLike(x *ir.Value) bool {
	return x.Kind() == ir.Dict || x.Kind() == ir.Any || ir.IsOptional(x.Type, ir.Dict)
}

// requireDict adds a run-time check that the receiver x of a method is a dict. Like Python, generated code checks it
// before it evaluates the arguments.
func (c pythonCall) requireDict(f *pysyntax.Attr, x *ir.Value) *ir.Value {
	x = c.dereference(x, f.Location(), "AttributeError: 'NoneType' object has no attribute '%s'", f.Name.Name)
	if x.Kind() == ir.Any {
		return c.callHelper("dict", ir.GoAny, f.Location(), ir.DynRef("Dictionary"), x, c.StrLiteral(f.Name.Name))
	}
	return c.settleDisplay(x)
}

// checkView checks d.keys(), d.values() and d.items(), or a method of a Go type with one of these names. The generated
// code sorts items by key, in descending order if reverse is set.
func (c pythonCall) checkView(e *pysyntax.Iter, f *pysyntax.Attr, reverse bool) *ir.Value {
	x := c.checkOwner(f)
	if x.IsBad() {
		return x
	}
	if _, method := c.Member(x.Type, f.Name.Name); method != nil || !isDictLike(x) {
		return c.checkMethodOf(c.Call, f, x)
	}
	if !c.checkOrder(e, f) {
		return ir.NewBad()
	}
	dict := c.requireDict(f, x)
	switch isAny := dict.Kind() == ir.Any; {
	case f.Name.Name == "keys": // iterating over the dict itself yields its keys
		return dict
	case f.Name.Name == "items":
		return c.listItems(dict, reverse)
	case isAny:
		return c.callHelper("list", ir.AnyList, c.Location(), ir.DynRef("Values"), dict)
	}
	return c.copyNilFree(c.CallInTurn(types.NewSlice(ir.ElemType(dict.Type)), ir.PyRef("Values"), dict), dict)
}

// listItems returns a list of the entries of a dict, sorted by key.
func (c pythonCall) listItems(dict *ir.Value, reverse bool) *ir.Value {
	var pairs *ir.Value
	if dict.Kind() == ir.Any {
		pairs = c.callHelper("pairs", types.NewSlice(pairType(ir.GoAny, ir.GoAny)), c.Location(), ir.DynRef("Items"), dict)
	} else {
		pairs = c.CallInTurn(types.NewSlice(pairType(ir.KeyType(dict.Type), ir.ElemType(dict.Type))), ir.PyRef("Items"), dict)
	}
	if reverse {
		pairs = c.CallInTurn(pairs.Type, ir.PyRef("Reversed"), pairs)
	}
	return pairs
}

// checkOrder reports a view of a dict, such as d.values(), if its order affects the result, because Go maps do not
// keep the order of the JSON text. It returns false after a fault.
func (c pythonCall) checkOrder(e *pysyntax.Iter, f *pysyntax.Attr) bool {
	if e.Unordered || f.Name.Name == "keys" {
		return true
	}
	d := c.addUnsupported(f.Name.Place, "the order of ."+f.Name.Name+"(), because Go does not keep the order of the JSON text")
	w := suggester{c.nameResolver}
	dict, key := w.operand(f.X), w.variable()
	text := fmt.Sprintf("[%[1]s[%[2]s] for %[2]s in sorted(%[1]s)]", dict, key)
	if f.Name.Name == "items" {
		text = "sorted(" + w.text(e.Call) + ")"
	}
	if !c.suggestWithNote(d, e.Place, ", which is in the order of the keys", text) {
		d.WithHelp("sort them by key: %s", text)
	}
	return false
}

// checkRange checks range(…) and returns a list of its numbers.
func (c pythonCall) checkRange() *ir.Value {
	args := c.checkArguments(3)
	if args == nil {
		return ir.NewBad()
	}
	for i, v := range args {
		args[i] = c.toIndexInt(v, c.Args[i].Value.Location(), describeArgument(i, "range"))
	}
	switch len(args) {
	case 1:
		args = []*ir.Value{c.IntLiteral(0), args[0], c.IntLiteral(1)}
	case 2:
		args = append(args, c.IntLiteral(1))
	}
	return c.callHelper("numbers", types.NewSlice(ir.GoInt), c.Location(), ir.PyRef("Range"), args...)
}

// checkReversed checks reversed(xs) and returns a list.
func (c pythonCall) checkReversed() *ir.Value {
	x := c.dereference(c.checkSingle(c.Args[0].Value, nil), c.Location(), "TypeError: 'NoneType' object is not reversible")
	if x.Kind() == ir.Any {
		x = c.callHelper("list", ir.AnyList, c.Location(), ir.DynRef("Reversible"), x)
	}
	list := c.toIterable(x, c.Location(), "reversed()")
	if list.IsBad() {
		return list
	}
	return c.copyNilFree(c.CallInTurn(types.NewSlice(ir.ElemType(list.Type)), ir.PyRef("Reversed"), list), list)
}

// checkSet checks set(xs). It returns a list without duplicates, in the order in which the elements first occur.
func (c pythonCall) checkSet(e *pysyntax.Iter) *ir.Value {
	if !e.Unordered {
		d := c.addUnsupported(e.Place, "the order of a set")
		if !c.suggest(d, e.Place, "sorted("+suggester{c.nameResolver}.text(e)+")") {
			d.WithHelp("sort it: sorted(set(…))")
		}
		return ir.NewBad()
	}
	list := c.toHashable(c.checkSingle(c.Args[0].Value, nil), e.Place)
	if list.IsBad() {
		return list
	}
	if t := ir.ElemType(list.Type); ir.KindOf(t) != ir.Any {
		return c.CallInTurn(types.NewSlice(t), ir.PyRef("Distinct"), list)
	}
	return c.callHelper("list", ir.AnyList, e.Place, ir.DynRef("Distinct"), list)
}

// toHashable converts a value to a list whose elements can be in a set. Elements of type any are checked at run
// time.
func (c pythonCall) toHashable(v *ir.Value, at pysyntax.Place) *ir.Value {
	list := c.toIterable(v, at, "set()")
	if list.IsBad() {
		return list
	}
	switch t := ir.ElemType(list.Type); {
	case ir.IsSimple(t) && ir.KindOf(t) != ir.Float:
		return list
	case ir.KindOf(t) == ir.Any, ir.KindOf(t) == ir.Float:
		return c.callHelper("list", ir.AnyList, at, ir.DynRef("Hashable"), c.toAnyList(list))
	default:
		c.addIncompatible(at, []*ir.Value{v}, "a set cannot hold %s", c.describeType(t)).WithHelp("write a list: [a, b]")
	}
	return ir.NewBad()
}

// checkSearched checks the right side of a comparison x op y and returns both values. If y is a set, x must be
// hashable.
func (c *checker) checkSearched(x *ir.Value, r pysyntax.Comparison) (_, y *ir.Value) {
	set, ok := r.Y.(*pysyntax.Iter)
	if !ok || writtenName(set.Call.Func) != "set" || x.IsBad() {
		return x, c.checkSingle(r.Y, nil)
	}
	call := pythonCall{c, set.Call}
	y = call.toHashable(c.checkSingle(set.Call.Args[0].Value, nil), set.Place)
	switch at := r.Op.Place; {
	case x.Kind() == ir.Any, x.Kind() == ir.Optional:
		x = c.callHelper("value", ir.GoAny, at, ir.DynRef("HashableValue"), c.toDynamic(x))
	case ir.IsContainer(x.Type):
		c.addValueMismatch(x, at, "a set cannot hold %s", c.describeType(x.Type)).WithHelp("search in a list: in [a, b]")
		return ir.NewBad(), y
	}
	return x, y
}

// checkEnumerate checks enumerate(list, start).
func (c pythonCall) checkEnumerate() *ir.Value {
	args := c.checkArguments(2, "start")
	if args == nil {
		return ir.NewBad()
	}
	start := c.toIndexInt(cmp.Or(c.secondArgument(args, "start"), c.IntLiteral(0)), c.Location(), "argument start of enumerate")
	list := c.toIterable(args[0], c.Args[0].Value.Location(), "enumerate()")
	if list.IsBad() {
		return list
	}
	t := types.NewSlice(pairType(ir.GoInt, ir.ElemType(list.Type)))
	return c.copyNilFree(c.callHelper("pairs", t, c.Location(), ir.PyRef("Enumerate"), list, start), list)
}

// checkZip checks zip of two or more lists.
func (c pythonCall) checkZip() *ir.Value {
	var pairs *ir.Value
	for i, v := range c.checkArguments(len(c.Args)) {
		list := c.toIterable(v, c.Args[i].Value.Location(), "zip()")
		switch {
		case list.IsBad():
			return list
		case pairs == nil:
			pairs = list
		default:
			t := types.NewSlice(pairType(ir.ElemType(pairs.Type), ir.ElemType(list.Type)))
			pairs = c.CallInTurn(t, ir.PyRef("Zip"), pairs, list)
		}
	}
	return cmp.Or(pairs, ir.NewBad())
}

// checkSortedItems checks sorted(d.items()). The items are already sorted, because they are in the order of the keys,
// and no two keys are equal.
func (c pythonCall) checkSortedItems() *ir.Value {
	reverse := false
	for _, a := range c.Args[1:] {
		b, ok := a.Value.(*pysyntax.Bool)
		if !ok || a.Name != "reverse" {
			c.addUnsupported(a.Place, "this argument of sorted(d.items())").WithHelp("write reverse=True or leave it out")
			return ir.NewBad()
		}
		reverse = b.Value
	}
	items := c.Args[0].Value.(*pysyntax.Iter)
	return pythonCall{c.checker, items.Call}.checkView(items, items.Call.Func.(*pysyntax.Attr), reverse)
}

// pairType returns a struct type with the fields of py.Pair. The checker needs no other property of that type.
func pairType(first, second types.Type) types.Type {
	field := func(name string, t types.Type) *types.Var { return types.NewField(token.NoPos, nil, name, t, false) }
	return types.NewStruct([]*types.Var{field("First", first), field("Second", second)}, nil)
}

// isPairList reports whether v is a list of pairs.
func isPairList(v *ir.Value) bool { return v.Kind() == ir.List && isPair(ir.ElemType(v.Type)) }

// pairTargets returns targets, still without names, for the n elements of a tuple. A tuple of more than two elements
// is a pair of a shorter tuple and the last element: (a, b, c) is represented as ((a, b), c). pairTargets returns nil
// if the tuple does not have n elements.
func pairTargets(t types.Type, n int) []loopTarget {
	targets := make([]loopTarget, n)
	var path []string
	for i := n - 1; i > 0; i-- {
		if !isPair(t) {
			return nil
		}
		pair := t.(*types.Struct)
		targets[i] = loopTarget{fields: append(slices.Clone(path), "Second"), typ: pair.Field(1).Type()}
		path, t = append(path, "First"), pair.Field(0).Type()
	}
	if isPair(t) {
		return nil
	}
	targets[0] = loopTarget{fields: path, typ: t}
	return targets
}

// isPair reports whether a type is the result of pairType.
func isPair(t types.Type) bool {
	s, ok := t.(*types.Struct)
	return ok && s.NumFields() == 2 && s.Field(0).Name() == "First" && s.Field(1).Name() == "Second"
}
