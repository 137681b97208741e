package lambda

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// pairChecker checks loops over tuples, such as "for i, x in enumerate(xs)". A list of tuples becomes a list of
// py.Pair, and each name is bound to a field of the pair.
type pairChecker struct{ *checker }

// pairType returns a struct type with the fields of py.Pair. The checker needs no other property of that type.
func pairType(first, second types.Type) types.Type {
	field := func(name string, t types.Type) *types.Var { return types.NewField(token.NoPos, nil, name, t, false) }
	return types.NewStruct([]*types.Var{field("First", first), field("Second", second)}, nil)
}

// checkPairSource checks the list of a loop with several names. It returns nil after a fault.
func (c pairChecker) checkPairSource(e pysyntax.Loop) *loopSource {
	iter, ok := e.In.(*pysyntax.Iter)
	if !ok {
		return c.reportUnpacking(e)
	}
	call := pythonCall{c.checker, iter.Call}
	var list *ir.Value
	switch name := writtenName(iter.Call.Func); name {
	case "enumerate":
		list = c.checkEnumerate(call)
	case "zip":
		list = c.checkZip(call)
	case "items":
		list = c.checkItems(call, iter, false)
	case "sorted":
		list = c.checkSortedItems(call)
	default:
		return c.reportUnpacking(e)
	}
	if list == nil || list.IsBad() {
		return nil
	}
	names := e.Names()
	targets := pairTargets(ir.ElemType(list.Type), len(names))
	if targets == nil {
		c.addFault("lambda-call", e.More[0].Place, "%d names do not match the length of the tuples of %s", len(names), writtenName(iter.Call.Func))
		return nil
	}
	for i, p := range names {
		targets[i].name = p.Name
	}
	return &loopSource{list, targets}
}

func (c pairChecker) reportUnpacking(e pysyntax.Loop) *loopSource {
	c.addUnsupported(e.More[0].Place, "a comprehension over several names, except for enumerate, zip and items").
		WithHelp("loop over one name and index its elements: [x[0] for x in xs]")
	return nil
}

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

// checkEnumerate checks enumerate(list, start).
func (c pairChecker) checkEnumerate(call pythonCall) *ir.Value {
	args := call.checkArguments(2, "start")
	if args == nil {
		return nil
	}
	start := call.secondArgument(args, "start")
	if start == nil {
		start = c.IntLiteral(0)
	}
	if start = c.toIndexInt(start, call.Location(), "argument start of enumerate"); start.IsBad() {
		return nil
	}
	list := c.toIterable(args[0], call.Args[0].Value.Location(), "enumerate()")
	if list.IsBad() {
		return nil
	}
	t := types.NewSlice(pairType(ir.GoInt, ir.ElemType(list.Type)))
	return c.copyNilFree(c.callHelper("pairs", t, call.Location(), ir.PyRef("Enumerate"), list, start), list)
}

// checkZip checks zip of two or more lists.
func (c pairChecker) checkZip(call pythonCall) *ir.Value {
	args := call.checkArguments(len(call.Args))
	if args == nil {
		return nil
	}
	var pairs *ir.Value
	for i, v := range args {
		list := c.toIterable(v, call.Args[i].Value.Location(), "zip()")
		switch {
		case list.IsBad():
			return nil
		case pairs == nil:
			pairs = list
		default:
			t := types.NewSlice(pairType(ir.ElemType(pairs.Type), ir.ElemType(list.Type)))
			pairs = c.CallInTurn(t, ir.PyRef("Zip"), pairs, list)
		}
	}
	return pairs
}

// checkItems checks d.items() and returns a list of pairs. The generated code sorts them by key, in descending order
// if reverse is set.
func (c pairChecker) checkItems(call pythonCall, e *pysyntax.Iter, reverse bool) *ir.Value {
	f, ok := call.Func.(*pysyntax.Attr)
	if !ok {
		return nil
	}
	x := c.checkOwner(f)
	if x.IsBad() {
		return nil
	}
	if !isDictLike(x) {
		c.reportNoMethod(x, call.Call, f)
		return nil
	}
	if !call.checkOrder(e, f) {
		return nil
	}
	dict := call.requireDict(f, x)
	var pairs *ir.Value
	if dict.Kind() == ir.Any {
		pairs = c.callHelper("pairs", types.NewSlice(pairType(ir.GoAny, ir.GoAny)), call.Location(), ir.DynRef("Items"), dict)
	} else {
		pairs = c.CallInTurn(types.NewSlice(pairType(ir.KeyType(dict.Type), ir.ElemType(dict.Type))), ir.PyRef("Items"), dict)
	}
	if reverse {
		pairs = c.CallInTurn(pairs.Type, ir.PyRef("Reversed"), pairs)
	}
	return pairs
}

// checkSortedItems checks sorted(d.items()). The result of checkItems is already sorted, because it is in the
// order of the keys, and no two keys are equal.
func (c pairChecker) checkSortedItems(call pythonCall) *ir.Value {
	reverse := false
	for _, a := range call.Args[1:] {
		b, ok := a.Value.(*pysyntax.Bool)
		if !ok || a.Name != "reverse" {
			c.addUnsupported(a.Place, "this argument of sorted(d.items())").WithHelp("write reverse=True or leave it out")
			return nil
		}
		reverse = b.Value
	}
	iter := call.Args[0].Value.(*pysyntax.Iter)
	return c.checkItems(pythonCall{c.checker, iter.Call}, iter, reverse)
}
