package lambda

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// checkGet checks a call d.get(key) or d.get(key, otherwise). x is the value of d.
func (c pythonCall) checkGet(f *pysyntax.Attr, x *ir.Value) *ir.Value {
	dict := c.requireDict(f, x).KeepInVariable()
	args := c.checkArguments(2)
	if args == nil {
		return ir.NewBad()
	}
	key, otherwise := args[0], c.NoneLiteral()
	if len(args) == 2 {
		otherwise = args[1]
	}
	at := c.Args[0].Value.Location()
	missing := branch{otherwise, &ir.Block{}, c.Args[len(c.Args)-1].Value.Location()}
	k, t := key.Kind(), ir.KindOf(dict.Type)
	switch {
	case t == ir.Any, k == ir.Any, k == ir.Optional, k == ir.None:
		otherwise = c.convertTo(c.settleDisplay(otherwise), ir.GoAny, missing.at, "the default")
		if otherwise.IsBad() || c.rejectJSONChange(dict, f.X.Location(), "a value of the dict") {
			return ir.NewBad()
		}
		dict, key = c.toDynamic(dict), c.toDynamic(key)
		return c.callHelper("value", ir.GoAny, c.Location(), ir.DynRef("Get"), dict, key, otherwise)
	case k != ir.KindOf(ir.KeyType(dict.Type)) || keyMayNotFit(dict, key):
		d := c.addIncompatible(at, args[:1], "the keys of the dict are %s, but %s", c.describeType(ir.KeyType(dict.Type)), c.describeThis(key))
		if k == ir.Int {
			c.suggest(d, at, "str("+c.source[at.From:at.To]+")")
		}
		return ir.NewBad()
	}
	key = c.convertTo(key, ir.KeyType(dict.Type), at, "the key").KeepInVariable()
	missing.value = otherwise.KeepInVariable()
	test := c.CallInTurn(ir.GoBool, ir.PyRef("Has"), dict, key)
	found := branch{at: at}
	found.block = c.buildBranch(func() {
		found.value = c.CallInTurn(ir.ElemType(dict.Type), ir.PyRef("Get"), dict, key)
		found.value.NilFree = dict.NilFree
	})
	return c.chooseBranch(test, found, missing, nil)
}

// checkUnbound checks a call such as str.lower(s), which the rewriter has turned into s.lower().
func (c pythonCall) checkUnbound(f *pysyntax.Attr) *ir.Value {
	x := c.checkSingle(f.X, nil)
	switch k := x.Kind(); {
	case x.IsBad():
		return x
	case k == ir.Any || k == ir.Optional || k == ir.None:
		if slices.ContainsFunc(c.Args, func(a pysyntax.Arg) bool { return len(pysyntax.Parts(a.Value)) > 0 }) { // evaluating the arguments may fail before the type of x is checked
			c.addUnsupported(c.Location(), "str."+f.Name.Name+" of a value of any type with such arguments").WithHelp("give the value the type str in its note")
			return ir.NewBad()
		}
		x = c.callHelper("text", ir.GoString, f.Location(), ir.DynRef("Unbound"), c.toDynamic(x), c.StrLiteral(f.Name.Name))
	case k != ir.Str:
		c.addWrongType(x, f.Location(), "str.%s takes a str", f.Name.Name)
		return ir.NewBad()
	}
	return c.checkTextCall(f, x, textMethods[f.Name.Name])
}
