package check

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
	"github.com/aiongen/aiongen/internal/words"
)

// A goCall is a call of a Go function on its way.
type goCall struct {
	*checker
	*syntax.Call
	name    string
	obj     types.Object
	sig     *types.Signature
	visible []*types.Var
	args    []*code.Value // by parameter; those of a variadic one at the end
	places  []syntax.Place
	star    *code.Value // the starred argument
	starAt  int         // the parameter that its first element goes to
	starred syntax.Place
}

// bind checks the arguments in their order, and finds their parameters.
func (c *goCall) bind() bool {
	sound := true
	position := 0
	for _, a := range c.Ordered() {
		i := position
		if a.Name != "" {
			if i = c.ParamIndex(c.visible, a.Name); i < 0 || c.sig.Variadic() && i == len(c.visible)-1 {
				c.noParam(a)
				c.single(a.Value, nil)
				sound = false
				continue
			}
			if c.args[i] != nil {
				c.wrong(a.Place, "gets its parameter %s twice", a.Name)
				sound = false
				continue
			}
		}
		v := c.single(a.Value, c.paramType(i))
		switch {
		case v.Bad():
			sound = false
		case a.Star:
			c.star, c.starAt, c.starred = v, position, a.Value.At()
			continue // it counts as many positions as are left
		}
		if a.Name == "" {
			position++
		}
		for i >= len(c.args) {
			c.args, c.places = append(c.args, nil), append(c.places, syntax.Place{})
		}
		c.args[i], c.places[i] = v, a.Value.At()
	}
	switch {
	case !sound:
		return false
	case c.star != nil:
		return c.bindStar(position)
	}
	return c.counted()
}

// paramType is the type that an argument is wanted in.
func (c *goCall) paramType(i int) types.Type {
	last := len(c.visible) - 1
	switch {
	case c.sig.Variadic() && i >= last && last >= 0:
		return kind.Elem(c.visible[last].Type())
	case i <= last:
		return c.visible[i].Type()
	}
	return nil
}

func (c *goCall) wrong(at syntax.Place, format string, args ...any) *diag.Diagnostic {
	d := c.Fault("lambda-call", at, "the call of %s %s", c.name, fmt.Sprintf(format, args...))
	d.Related = c.Declared(c.obj)
	return d
}

func (c *goCall) noParam(a syntax.Arg) {
	i := c.ParamIndex(slices.Collect(c.sig.Params().Variables()), a.Name)
	if i >= 0 {
		c.wrong(a.Place, "names its parameter %s, which is supplied", a.Name).WithHelp(unwritten)
		return
	}
	d := c.wrong(a.Place, "names a parameter %s, which it does not have", a.Name)
	names := c.paramNames(len(c.visible))
	if near := words.Nearest(a.Name, names); near != "" {
		d.WithHelp("did you mean %s?", near)
	} else if len(names) > 0 {
		d.WithHelp("its parameters are %s", strings.Join(names, ", "))
	}
}

// paramNames are the names of the first parameters, as Python spells them.
func (c *goCall) paramNames(n int) (names []string) {
	for _, v := range c.visible[:n] {
		names = append(names, goname.Snake(v.Name()))
	}
	return names
}

// counted checks that every parameter has an argument.
func (c *goCall) counted() bool {
	required := len(c.visible)
	if c.sig.Variadic() {
		required--
	}
	given, missing := 0, []string{}
	for i, v := range c.args {
		if v != nil {
			given++
		} else if i < required {
			missing = append(missing, goname.Snake(c.visible[i].Name()))
		}
	}
	switch {
	case len(missing) > 0:
		c.wrong(c.At(), "lacks the argument %s", strings.Join(missing, ", ")).WithHelp("its parameters are %s", c.signature())
	case given > len(c.visible) && !c.sig.Variadic():
		d := c.wrong(c.At(), "has %s, but it takes %d", words.Count(given, "argument"), len(c.visible)).WithHelp("its parameters are %s", c.signature())
		if slices.ContainsFunc(c.args, func(v *code.Value) bool { return v != nil && c.Supplied(v.Type) }) {
			d.WithHelp(unwritten)
		}
	default:
		return true
	}
	return false
}

// unwritten helps where a lambda hands on what needs no word.
const unwritten = "leave it out: it is passed unwritten"

func (c *goCall) signature() string {
	var list []string
	for _, v := range c.visible {
		list = append(list, goname.Snake(v.Name())+" "+c.Name(v.Type()))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// bindStar spreads the starred argument over the parameters that are left, of which
// those behind it already have the arguments that followed it.
func (c *goCall) bindStar(positional int) bool {
	what := "Value"
	if positional == c.starAt && c.starAt == 0 {
		what = c.name + "() argument"
	}
	if c.star.Kind() == kind.Any {
		c.star = c.Do("list", kind.AnyList, c.starred, code.Dyn("Starred"), c.star, c.Str(what))
	} else {
		c.star = c.IterableElse(c.star, c.starred, "a starred argument", what+" after * must be an iterable, not NoneType")
	}
	if c.star.Bad() {
		return false
	}
	after := positional - c.starAt
	if c.sig.Variadic() {
		return c.bindVariadic(after)
	}
	free := 0 // parameters without an argument by name
	for i := range c.visible {
		if c.args[i] == nil || i < positional {
			free++
		} else if i < len(c.visible)-1 && c.args[i+1] == nil {
			c.wrong(c.starred, "names a parameter that the starred argument may reach")
			return false
		}
	}
	count := free - positional
	if count < 0 {
		c.wrong(c.At(), "has %d arguments, but it takes %d", positional, free)
		return false
	}
	c.spread("Spread", free, c.Int(int64(c.starAt)), c.Int(int64(after)))
	copy(c.args[c.starAt+count:free], c.args[c.starAt:positional])
	copy(c.places[c.starAt+count:free], c.places[c.starAt:positional])
	c.elements(count)
	return true
}

// bindVariadic binds a starred argument of a variadic function: its first elements
// go to the parameters that are left, the others to the last one.
func (c *goCall) bindVariadic(after int) bool {
	last := len(c.visible) - 1
	first := max(0, last-c.starAt)
	if first == 0 {
		return c.counted()
	}
	if after > 0 || slices.ContainsFunc(c.args[c.starAt:last], func(v *code.Value) bool { return v != nil }) {
		c.Unsupported(c.starred, "a starred argument that "+c.name+" takes by a parameter and by its variadic one, with others behind it").
			WithHelp("pass the first elements by index")
		return false
	}
	c.spread("SpreadSome", last, c.Int(int64(c.starAt)))
	c.elements(first)
	c.star = c.Rest(c.star.Type, c.star, first).From(c.star.Origin)
	c.starAt = last
	return c.counted()
}

// spread checks that the starred argument is as long as the parameters need it.
func (c *goCall) spread(helper string, params int, numbers ...*code.Value) {
	c.star = c.star.Kept()
	args := append(append([]*code.Value{c.star}, numbers...), c.Str(c.name))
	for _, name := range c.paramNames(params) {
		args = append(args, c.Str(name))
	}
	c.Check(c.Position(c.At()), code.Py(helper), args...)
}

// elements makes the first elements of the starred argument arguments.
func (c *goCall) elements(n int) {
	for i := range n {
		c.args[c.starAt+i] = c.Element(kind.Elem(c.star.Type), c.star, i).From(c.star.Element())
		c.places[c.starAt+i] = c.starred
	}
}

// A slot is a parameter of the Go function with what it gets: what the runtime
// supplies, an argument, or those of a variadic one, of which one may be starred.
type slot struct {
	typ      types.Type
	supplied bool
	from, to int // of the arguments
	spread   bool
}

// layout lays the arguments out over the parameters.
func (c *goCall) layout() (slots []slot) {
	next, last := 0, len(c.visible)-1
	for v := range c.sig.Params().Variables() {
		s := slot{typ: v.Type(), supplied: c.Supplied(v.Type())}
		if !s.supplied {
			s.from, s.to = next, next+1
			if c.sig.Variadic() && next == last {
				s.to, s.spread = len(c.args), c.star != nil
			}
			next++
		}
		slots = append(slots, s)
	}
	return slots
}

// pass converts the arguments to the types of their parameters.
func (c *goCall) pass(call *code.Step) (sound bool) {
	sound = true
	for _, s := range c.layout() {
		var values []*code.Value
		switch {
		case s.supplied:
			values = []*code.Value{c.supply(s.typ)}
		case s.spread:
			call.Spread = true
			values = []*code.Value{c.concatenated(s)}
		default:
			values = c.converted(s.from, s.to, sound)
		}
		for _, v := range values {
			sound = sound && !v.Bad()
			call.Args = append(call.Args, v.Step)
		}
	}
	return sound
}

// converted are some arguments as their parameters take them. What was said of one
// element of the starred argument goes for all.
func (c *goCall) converted(from, to int, sound bool) (list []*code.Value) {
	for i := from; i < to; i++ {
		switch v := c.args[i]; {
		case v == nil:
		case !sound && c.star != nil && c.places[i] == c.starred:
			list = append(list, code.Bad())
		default:
			v = c.Convert(v, c.paramType(i), c.places[i], c.paramWord(min(i, len(c.visible)-1)))
			list = append(list, v)
			sound = sound && !v.Bad()
		}
	}
	return list
}

// concatenated is the list that a variadic parameter gets: a starred argument, with
// others before and behind it.
func (c *goCall) concatenated(s slot) *code.Value {
	at := max(s.from, min(c.starAt, s.to))
	before, behind := c.converted(s.from, at, true), c.converted(at, s.to, true)
	star := c.Convert(c.star, s.typ, c.starred, "the starred argument")
	if code.AnyBad(before...) || code.AnyBad(behind...) || star.Bad() {
		return code.Bad()
	}
	lists := []*code.Value{star}
	if len(before) > 0 {
		lists = slices.Insert(lists, 0, c.Display(s.typ, before...))
	}
	if len(behind) > 0 {
		lists = append(lists, c.Display(s.typ, behind...))
	}
	if len(lists) == 1 {
		return star
	}
	return c.Read(s.typ, code.Std("slices", "Concat"), lists...)
}

// paramWord is a parameter as messages mention it.
func (c *goCall) paramWord(i int) string {
	if name := c.visible[i].Name(); name != "" {
		return "argument " + goname.Snake(name) + " of " + c.name
	}
	return fmt.Sprintf("argument %d of %s", i+1, c.name)
}

// result is what a call returns: a value, None, or several values.
func (c *goCall) result(s *code.Step) *code.Value {
	results := c.sig.Results()
	n := results.Len()
	for r := range results.Variables() {
		c.FromGo(r.Type())
	}
	if n > 0 && types.Identical(results.At(n-1).Type(), kind.GoError) {
		s.Fails = true
		n--
	}
	from := code.Origin{What: "the result of " + c.name, Why: "as Go declares it", Related: c.Declared(c.obj)}
	switch n {
	case 0:
		c.Foreign(s)
		return c.None().From(from)
	case 1:
		s.Type = results.At(0).Type()
		return c.Foreign(s).From(from)
	}
	v := &code.Value{Step: s, Origin: code.Origin{What: from.What, Related: from.Related}}
	var vars []*types.Var
	for i := range n {
		r := results.At(i)
		s.Results = append(s.Results, c.Param(r.Name(), r.Type()).Step)
		vars = append(vars, r)
	}
	c.Foreign(s)
	v.Type, v.Several = types.NewTuple(vars...), s.Results
	return v
}

// callGo checks the call of a Go function, which is made when its arguments are there.
func (c *checker) callGo(e *syntax.Call, name string, obj types.Object, sig *types.Signature, callee func() *code.Step) *code.Value {
	if sig.TypeParams().Len() > 0 {
		c.Unsupported(e.At(), "a call of "+name+", which is generic").Related = c.Declared(obj)
		return code.Bad()
	}
	visible := c.Visible(sig)
	call := &goCall{
		checker: c, Call: e, name: name, obj: obj, sig: sig, visible: visible,
		args: make([]*code.Value, len(visible)), places: make([]syntax.Place, len(visible)),
	}
	if !call.bind() {
		return code.Bad()
	}
	s := callee()
	if !call.pass(s) {
		return code.Bad()
	}
	if e == c.body {
		c.called.Whole = obj
	}
	return call.result(s)
}
