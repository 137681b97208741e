package lambda

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
	"github.com/aiongen/aiongen/internal/words"
)

// callArguments is the state of a call of a Go function while its arguments are bound to parameters.
type callArguments struct {
	*checker
	*pysyntax.Call
	name      string // of the function in the lambda
	obj       types.Object
	sig       *types.Signature
	visible   []*types.Var     // the parameters that are not supplied
	args      []*ir.Value      // by index in visible; a variadic parameter may have several, at the end
	places    []pysyntax.Place // of args
	star      *ir.Value        // the starred argument, or nil
	starIndex int              // the index in args of its first element
	starPlace pysyntax.Place
}

// buildCall builds a call of a Go function. name is its name in the lambda. callee returns the step for the
// function. It is called after the arguments are built, because its nil check must follow their evaluation.
func (c *checker) buildCall(e *pysyntax.Call, name string, obj types.Object, sig *types.Signature, callee func() *ir.Step) *ir.Value {
	if sig.TypeParams().Len() > 0 {
		c.addUnsupported(e.Location(), "a call of "+name+", which is generic").Related = c.Declared(obj)
		return ir.NewBad()
	}
	visible := c.visibleParams(sig)
	call := &callArguments{
		checker: c, Call: e, name: name, obj: obj, sig: sig, visible: visible,
		args: make([]*ir.Value, len(visible)), places: make([]pysyntax.Place, len(visible)),
	}
	if !call.bindArguments() {
		return ir.NewBad()
	}
	s := callee()
	if !call.passArguments(s) {
		return ir.NewBad()
	}
	return call.callResult(s)
}

// bindArguments checks the arguments in order and assigns them to parameters. It returns false after a fault.
func (c *callArguments) bindArguments() bool {
	valid := true
	position := 0
	for _, a := range c.ArgsInOrder() {
		i := position
		if a.Name != "" {
			if i = c.paramIndex(c.visible, a.Name); i < 0 || c.sig.Variadic() && i == len(c.visible)-1 {
				c.reportNoParam(a)
				c.checkSingle(a.Value, nil)
				valid = false
				continue
			}
			if c.args[i] != nil {
				c.addCallFault(a.Place, "gets its parameter %s twice", a.Name)
				valid = false
				continue
			}
		}
		v := c.checkSingle(a.Value, paramType(c.sig, c.visible, i))
		switch {
		case v.IsBad():
			valid = false
		case a.Star:
			c.star, c.starIndex, c.starPlace = v, position, a.Value.Location()
			continue // bindStar assigns its elements
		}
		if a.Name == "" {
			position++
		}
		for i >= len(c.args) {
			c.args, c.places = append(c.args, nil), append(c.places, pysyntax.Place{})
		}
		c.args[i], c.places[i] = v, a.Value.Location()
	}
	switch {
	case !valid:
		return false
	case c.star != nil:
		return c.bindStar(position)
	}
	return c.checkCount()
}

// callResult returns the result of a call: a value, None, or several values.
func (c *callArguments) callResult(s *ir.Step) *ir.Value {
	results := c.sig.Results()
	n := results.Len()
	for r := range results.Variables() {
		c.noteGoValue(r.Type())
	}
	if n > 0 && types.Identical(results.At(n-1).Type(), ir.GoError) {
		s.Fails = true
		n--
	}
	from := ir.Origin{What: "the result of " + c.name, Why: "as Go declares it", Related: c.Declared(c.obj)}
	switch n {
	case 0:
		c.CallForeign(s)
		return c.NoneLiteral().SetOrigin(from)
	case 1:
		s.Type = results.At(0).Type()
		return c.CallForeign(s).SetOrigin(from)
	}
	v := &ir.Value{Step: s, Origin: ir.Origin{What: from.What, Related: from.Related}}
	vars := slices.Collect(results.Variables())[:n]
	for _, r := range vars {
		s.Results = append(s.Results, c.NewParam(r.Name(), r.Type()).Step)
	}
	c.CallForeign(s)
	v.Type, v.TupleSteps = types.NewTuple(vars...), s.Results
	return v
}

func (c *callArguments) addCallFault(at pysyntax.Place, format string, args ...any) *diag.Diagnostic {
	d := c.addFault("lambda-call", at, "the call of %s %s", c.name, fmt.Sprintf(format, args...))
	d.Related = c.Declared(c.obj)
	return d
}

func (c *callArguments) reportNoParam(a pysyntax.Arg) {
	i := c.paramIndex(slices.Collect(c.sig.Params().Variables()), a.Name)
	if i >= 0 {
		c.addCallFault(a.Place, "names its parameter %s, which is supplied", a.Name).WithHelp(suppliedHelp)
		return
	}
	d := c.addCallFault(a.Place, "names a parameter %s, which it does not have", a.Name)
	names := c.paramNames(len(c.visible))
	if near := words.Nearest(a.Name, names); near != "" {
		d.WithHelp("did you mean %s?", near).
			WithGuess(diag.Edit{Span: c.faultReport.At(pysyntax.Place{From: a.From, To: a.From + len(a.Name)}), Text: near})
	} else if len(names) > 0 {
		d.WithHelp("its parameters are %s", strings.Join(names, ", "))
	}
}

// paramNames returns the names of the first n parameters in Python's spelling.
func (c *callArguments) paramNames(n int) (names []string) {
	for _, v := range c.visible[:n] {
		names = append(names, goname.SnakeCase(v.Name()))
	}
	return names
}

// checkCount checks that every required parameter has an argument and that there are not too many.
func (c *callArguments) checkCount() bool {
	required := len(c.visible)
	if c.sig.Variadic() {
		required--
	}
	count, missing := 0, []string{}
	for i, v := range c.args {
		if v != nil {
			count++
		} else if i < required {
			missing = append(missing, goname.SnakeCase(c.visible[i].Name()))
		}
	}
	switch {
	case len(missing) > 0:
		c.addCallFault(c.Location(), "lacks the argument %s", strings.Join(missing, ", ")).WithHelp("its parameters are %s", c.signatureText())
	case count > len(c.visible) && !c.sig.Variadic():
		d := c.addCallFault(c.Location(), "has %s, but it takes %d", words.Count(count, "argument"), len(c.visible)).WithHelp("its parameters are %s", c.signatureText())
		if slices.ContainsFunc(c.args, func(v *ir.Value) bool { return v != nil && c.Supplied(v.Type) }) {
			d.WithHelp(suppliedHelp)
		}
	default:
		return true
	}
	return false
}

// suppliedHelp is the help for an argument that the runtime supplies.
const suppliedHelp = "omit it: it is passed automatically"

func (c *callArguments) signatureText() string {
	var list []string
	for _, v := range c.visible {
		list = append(list, goname.SnakeCase(v.Name())+" "+c.describeType(v.Type()))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// describeParam describes parameter i for messages, such as "argument limit of find".
func (c *callArguments) describeParam(i int) string {
	if name := c.visible[i].Name(); name != "" {
		return "argument " + goname.SnakeCase(name) + " of " + c.name
	}
	return fmt.Sprintf("argument %d of %s", i+1, c.name)
}

// bindStar assigns the elements of the starred argument to parameters. In f(a, *xs, b), the first parameter
// receives a, the last one b, and those between them the elements of xs. positional is the number of positional
// arguments, not counting the starred one. bindStar returns false after a fault.
func (c *callArguments) bindStar(positional int) bool {
	what := "Value"
	if positional == c.starIndex && c.starIndex == 0 {
		what = c.name + "() argument"
	}
	if c.star.Kind() == ir.Any {
		c.star = c.callHelper("list", ir.AnyList, c.starPlace, ir.DynRef("Starred"), c.star, c.StrLiteral(what))
	} else {
		c.star = c.toIterableOrError(c.star, c.starPlace, "a starred argument", what+" after * must be an iterable, not NoneType")
	}
	if c.star.IsBad() {
		return false
	}
	after := positional - c.starIndex
	if c.sig.Variadic() {
		return c.bindVariadic(after)
	}
	free := 0 // parameters without a keyword argument
	for i := range c.visible {
		if c.args[i] == nil || i < positional {
			free++
		} else if i < len(c.visible)-1 && c.args[i+1] == nil {
			c.addCallFault(c.starPlace, "names a parameter that the starred argument may also supply")
			return false
		}
	}
	count := free - positional
	if count < 0 {
		c.addCallFault(c.Location(), "has %d arguments, but it takes %d", positional, free)
		return false
	}
	c.checkSpread("Spread", free, c.IntLiteral(int64(c.starIndex)), c.IntLiteral(int64(after)))
	copy(c.args[c.starIndex+count:free], c.args[c.starIndex:positional])
	copy(c.places[c.starIndex+count:free], c.places[c.starIndex:positional])
	c.bindElements(count)
	return true
}

// bindVariadic is bindStar for a variadic function. It assigns the first elements of the starred argument to the
// parameters before the variadic one, which receives the others. after is the number of positional arguments
// after the starred one.
func (c *callArguments) bindVariadic(after int) bool {
	last := len(c.visible) - 1
	first := max(0, last-c.starIndex)
	if first == 0 {
		return c.checkCount()
	}
	if after > 0 || slices.ContainsFunc(c.args[c.starIndex:last], func(v *ir.Value) bool { return v != nil }) {
		c.addUnsupported(c.starPlace, "a starred argument of "+c.name+" that supplies both named and variadic parameters and is followed by other arguments").
			WithHelp("pass the first elements by index")
		return false
	}
	c.checkSpread("SpreadSome", last, c.IntLiteral(int64(c.starIndex)))
	c.bindElements(first)
	c.star = c.SliceFrom(c.star.Type, c.star, first).SetOrigin(c.star.Origin)
	c.starIndex = last
	return c.checkCount()
}

// checkSpread adds a run-time check that the starred argument has as many elements as there are parameters for
// them. helper is the function of package py that checks it; params is the number of parameters to name in errors.
func (c *callArguments) checkSpread(helper string, params int, numbers ...*ir.Value) {
	c.star = c.star.KeepInVariable()
	args := append(append([]*ir.Value{c.star}, numbers...), c.StrLiteral(c.name))
	for _, name := range c.paramNames(params) {
		args = append(args, c.StrLiteral(name))
	}
	c.CheckCall(c.placeText(c.Location()), ir.PyRef(helper), args...)
}

// bindElements stores the first n elements of the starred argument in args.
func (c *callArguments) bindElements(n int) {
	for i := range n {
		c.args[c.starIndex+i] = c.ElementAt(ir.ElemType(c.star.Type), c.star, i).SetOrigin(c.star.ElementOrigin())
		c.places[c.starIndex+i] = c.starPlace
	}
}

// passArguments converts the arguments to the types of their parameters and adds them to call. It returns false
// after a fault.
func (c *callArguments) passArguments(call *ir.Step) (valid bool) {
	valid = true
	next := 0
	for v := range c.sig.Params().Variables() {
		var values []*ir.Value
		switch t, isLast := v.Type(), next == len(c.visible)-1; {
		case c.Supplied(t):
			values = []*ir.Value{c.suppliedParam(t)}
		case !c.sig.Variadic() || !isLast:
			values = c.convertArguments(next, next+1, valid)
			next++
		case c.star != nil:
			call.Spread = true
			values = []*ir.Value{c.concatVariadic(t, next)}
		default:
			if option := c.optionWithContext(ir.ElemType(t)); option != nil {
				values = append(values, option) // first, so that options in the lambda take precedence
			}
			values = append(values, c.convertArguments(next, len(c.args), valid)...)
		}
		for _, v := range values {
			valid = valid && !v.IsBad()
			call.Args = append(call.Args, v.Step)
		}
	}
	return valid
}

// convertArguments converts the arguments from up to but not including to. valid is false if there was a fault
// before. After a fault, it reports no others for elements of the starred argument, because they all have the same
// place.
func (c *callArguments) convertArguments(from, to int, valid bool) (list []*ir.Value) {
	for i := from; i < to; i++ {
		switch v := c.args[i]; {
		case v == nil:
		case !valid && c.star != nil && c.places[i] == c.starPlace:
			list = append(list, ir.NewBad())
		default:
			v = c.convertArgument(v, i)
			list = append(list, v)
			valid = valid && !v.IsBad()
		}
	}
	return list
}

// convertArgument converts v to the type of the parameter of argument i. A parameter of type any accepts every
// value, because only the Go function knows which ones it can use.
func (c *callArguments) convertArgument(v *ir.Value, i int) *ir.Value {
	t := paramType(c.sig, c.visible, i)
	if ir.KindOf(t) == ir.Any && !ir.IsNumberText(t) && !v.IsBad() && v.Kind() != ir.None && !v.HasType(t) {
		return c.boxAny(v, t)
	}
	return c.convertTo(v, t, c.places[i], c.describeParam(min(i, len(c.visible)-1)))
}

// concatVariadic returns the list for a variadic parameter of type t: the elements of the starred argument, and the
// arguments before and after it, of which the first one has index from.
func (c *callArguments) concatVariadic(t types.Type, from int) *ir.Value {
	at := max(from, min(c.starIndex, len(c.args)))
	before, after := c.convertArguments(from, at, true), c.convertArguments(at, len(c.args), true)
	if option := c.optionWithContext(ir.ElemType(t)); option != nil {
		before = slices.Insert(before, 0, option)
	}
	star := c.convertTo(c.star, t, c.starPlace, "the starred argument")
	lists := []*ir.Value{star}
	if len(before) > 0 {
		lists = slices.Insert(lists, 0, c.NewDisplay(t, before...))
	}
	if len(after) > 0 {
		lists = append(lists, c.NewDisplay(t, after...))
	}
	if len(lists) == 1 {
		return star
	}
	return c.CallInTurn(t, ir.PackageRef("slices", "Concat"), lists...)
}
