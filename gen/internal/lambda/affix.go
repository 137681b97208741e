package lambda

import (
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
	args[0] = c.convertTo(list, textList, c.Args[0].Value.Location(), "the tuple")
	function := map[string]string{"startswith": "StartsWithAny", "endswith": "EndsWithAny"}[name]
	return c.CallInTurn(ir.GoBool, ir.PyRef(function), c.fillArguments("abb", x, args)...)
}
