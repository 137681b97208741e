package lambda

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// checkTextCall checks a call of the string method m on x.
func (c pythonCall) checkTextCall(f *pysyntax.Attr, x *ir.Value, m *textMethod) *ir.Value {
	name := f.Name.Name
	x = c.dereference(x, f.Location(), "%s", "AttributeError: 'NoneType' object has no attribute '"+name+"'")
	switch k := x.Kind(); {
	case k == ir.Any && name == "count": // lists have this method, too
		return c.checkDynamicCount(x, m)
	case k == ir.Any && name == "index":
		c.addUnsupported(f.Name.Place, "the method index of a value of any type").WithHelp("write str.index(…), or give the argument the type str in its note")
		return ir.NewBad()
	case k == ir.Any:
		x = c.callHelper("text", ir.GoString, f.Location(), ir.DynRef("Receiver"), x, c.StrLiteral(name))
	case k != ir.Str:
		c.reportNoMember(x, f, nil)
		return ir.NewBad()
	}
	x = c.toText(x, f.Location())
	if strings.HasSuffix(name, "partition") && !c.MayBeTuple {
		c.addUnsupported(f.Name.Place, "the tuple of "+name).WithHelp("index it: s.%s(t)[0]", name)
		return ir.NewBad()
	}
	if c.hasAffixes() {
		return c.checkAffixes(x, name)
	}
	if name == "format" {
		return c.checkFormat(x, f.X.Location())
	}
	args := c.checkMethodArgs(name, m)
	if args == nil {
		return ir.NewBad()
	}
	return m.build(c.operators, x, args, c.Location())
}

// checkDynamicCount checks a call of count on a value that may be a string or a list.
func (c pythonCall) checkDynamicCount(x *ir.Value, m *textMethod) *ir.Value {
	if slices.ContainsFunc(c.Args, func(a pysyntax.Arg) bool { return len(pysyntax.Parts(a.Value)) > 0 }) {
		x = c.callHelper("value", ir.GoAny, c.Location(), ir.DynRef("Sequence"), x) // as in Python, its error precedes those of the arguments
	}
	args := c.checkMethodArgs("count", &textMethod{Params: "aaa", MinArgs: m.MinArgs})
	if args == nil {
		return ir.NewBad()
	}
	all := []*ir.Value{x}
	for _, v := range args[:len(c.Args)] {
		all = append(all, c.toDynamic(v))
	}
	return c.callHelper("count", ir.GoInt, c.Location(), ir.DynRef("Count"), all...).SetBits(lengthBits)
}

// checkMethodArgs checks the arguments of a string method and returns one value for each parameter, which is nil for
// an omitted argument. It returns a nil slice after a fault.
func (c pythonCall) checkMethodArgs(name string, m *textMethod) []*ir.Value {
	args := make([]*ir.Value, len(m.Params))
	places := make([]pysyntax.Place, len(m.Params))
	position := 0
	valid := true
	for _, a := range c.Args {
		i := position
		if a.Name == "" {
			position++
		} else {
			i = slices.Index(m.Names, a.Name)
		}
		v := c.checkSingle(a.Value, nil)
		v.Linear = isLinear(a.Value, c.nameResolver)
		valid = valid && !v.IsBad()
		switch {
		case a.Star:
			c.addUnsupported(a.Place, "a starred argument of "+name)
			valid = false
		case i < 0:
			c.addUnsupported(a.Place, "the argument "+a.Name+" of "+name)
			valid = false
		case i >= len(args):
			c.addFault("lambda-call", a.Place, "the method %s takes %s", name, describeCount(m.MinArgs, len(m.Params)))
			valid = false
		default:
			args[i], places[i] = v, a.Value.Location()
		}
	}
	if valid && position < m.MinArgs {
		c.addFault("lambda-call", c.Location(), "the method %s takes %s, not %d", name, describeCount(m.MinArgs, len(m.Params)), position)
		valid = false
	}
	if !valid || !m.convertArguments(c.operators, name, args, places) {
		return nil
	}
	return slices.Clip(append([]*ir.Value{}, args...))
}

// fieldArgument returns the argument that replaces a field of the template, or nil if there is none. values are the
// values of all arguments.
func (c pythonCall) fieldArgument(field pysyntax.Field, values []*ir.Value) *ir.Value {
	positional := 0
	for i, a := range c.Args {
		switch {
		case a.Name == "" && positional == field.Number, a.Name == field.Text && field.Number < 0:
			return values[i]
		case a.Name == "":
			positional++
		}
	}
	return nil
}

// checkFormat checks template.format(…). x is the value of the template, which may be known only at run time.
func (c pythonCall) checkFormat(x *ir.Value, at pysyntax.Place) *ir.Value {
	template, isConstant := x.Constant.(string)
	fields, problem := pysyntax.ParseTemplate(template)
	if problem != "" {
		c.addMismatch(at, "%s", problem)
		return ir.NewBad()
	}
	var values []*ir.Value
	for _, a := range c.Args {
		v := c.checkSingle(a.Value, nil)
		if a.Star {
			c.addUnsupported(a.Place, "a starred argument of format")
			v = ir.NewBad()
		}
		values = append(values, v)
	}
	switch {
	case ir.HasBad(values...):
		return ir.NewBad()
	case !isConstant:
		return c.formatDynamic(x, values)
	}
	var pieces []textPiece
	for _, field := range fields {
		piece := textPiece{Text: field.Text}
		if field.IsValue {
			if piece.Value = c.fieldArgument(field, values); piece.Value == nil {
				c.addMismatch(at, "the template has the field {%s}, but there is no such argument", field.Text)
				return ir.NewBad()
			}
		}
		pieces = append(pieces, piece)
	}
	for i, p := range pieces {
		if p.Value != nil {
			pieces[i].Value = c.formatValue(p.Value, fields[i].Conversion, c.StrLiteral(fields[i].Spec), at)
		}
	}
	return c.joinPieces(pieces)
}

// formatDynamic translates template.format(…) for a template that is known only at run time.
func (c pythonCall) formatDynamic(template *ir.Value, values []*ir.Value) *ir.Value {
	var positional, named []*ir.Value
	for i, a := range c.Args {
		if v := c.toDynamic(values[i]); a.Name == "" {
			positional = append(positional, v)
		} else {
			named = append(named, c.StrLiteral(a.Name), v)
		}
	}
	list, dict := c.NoneLiteral(), c.NoneLiteral()
	if positional != nil {
		list = c.NewDisplay(ir.AnyList, positional...)
	}
	if named != nil {
		dict = c.NewDisplay(ir.AnyDict, named...)
	}
	return c.callHelper("text", ir.GoString, c.Location(), ir.DynRef("Format"), template, list, dict)
}

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
