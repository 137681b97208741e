package python

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// visible are the parameters of a signature without those that the runtime supplies.
func (g *generator) visible(sig *types.Signature) []*types.Var {
	var list []*types.Var
	for v := range sig.Params().Variables() {
		if !g.scope.Supplied(v.Type()) {
			list = append(list, v)
		}
	}
	return list
}

// paramIndex finds a parameter by the name that Python gives it; -1 if there is none.
func (g *generator) paramIndex(visible []*types.Var, name string) int {
	for i, v := range visible {
		if v.Name() == name || g.scope.Snake(v.Name()) == name {
			return i
		}
	}
	return -1
}

// A goCall is a call of a Go function on its way.
type goCall struct {
	*syntax.Call
	name    string
	obj     types.Object
	sig     *types.Signature
	visible []*types.Var
	args    []*value // by parameter; those of a variadic one at the end
	places  []syntax.Place
	star    *value // the starred argument
	starAt  int    // the parameter that its first element goes to
	starred syntax.Place
}

// callGo translates the call of a Go function.
func (g *generator) callGo(e *syntax.Call, name string, obj types.Object, sig *types.Signature, f func() ast.Expr) *value {
	if sig.TypeParams().Len() > 0 {
		g.unsupported(e.At(), "a call of "+name+", which is generic").Related = g.scope.Declared(obj)
		return bad()
	}
	c := &goCall{Call: e, name: name, obj: obj, sig: sig, visible: g.visible(sig)}
	c.args = make([]*value, len(c.visible))
	c.places = make([]syntax.Place, len(c.visible))
	held := len(g.held)
	defer func() { g.held = g.held[:held] }()
	if !g.bindArgs(c) {
		return bad()
	}
	called := f()
	args, spread := g.goArgs(c)
	if args == nil {
		return bad()
	}
	x := call(called, args...)
	if spread {
		x.Ellipsis = 1
	}
	return g.resultOf(c, x)
}

// bindArgs translates the arguments in their order, and finds their parameters.
func (g *generator) bindArgs(c *goCall) bool {
	sound := true
	position := 0
	furthest, swapped := 0, false
	var inOrder []*value
	for _, a := range inPythonOrder(c.Args) {
		i := position
		if a.Name != "" {
			if i = g.paramIndex(c.visible, a.Name); i < 0 || c.sig.Variadic() && i == len(c.visible)-1 {
				g.noParam(c, a)
				g.single(a.Value, nil)
				sound = false
				continue
			}
			if c.args[i] != nil {
				g.wrongCall(c, a.Place, "gets its parameter %s twice", a.Name)
				sound = false
				continue
			}
		}
		v := g.hold(g.single(a.Value, g.paramType(c, i)))
		inOrder = append(inOrder, v)
		furthest, swapped = max(furthest, i), swapped || i < furthest
		switch {
		case v.bad():
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
	if !sound {
		return false
	}
	if swapped {
		g.inTurn(inOrder...)
	}
	if c.star != nil {
		return g.bindStar(c, position)
	}
	return g.countArgs(c)
}

// inPythonOrder returns arguments as Python evaluates them: those by keyword last,
// also where a starred one follows them.
func inPythonOrder(args []syntax.Arg) []syntax.Arg {
	keyword := func(a syntax.Arg) bool { return a.Name != "" }
	return slices.Concat(
		slices.DeleteFunc(slices.Clone(args), keyword),
		slices.DeleteFunc(slices.Clone(args), func(a syntax.Arg) bool { return !keyword(a) }))
}

// paramType is the type that an argument is wanted in.
func (g *generator) paramType(c *goCall, i int) types.Type {
	last := len(c.visible) - 1
	switch {
	case c.sig.Variadic() && i >= last && last >= 0:
		return elemType(c.visible[last].Type())
	case i <= last:
		return c.visible[i].Type()
	}
	return nil
}

func (g *generator) wrongCall(c *goCall, at syntax.Place, format string, args ...any) *diag.Diagnostic {
	d := g.fault("lambda-call", at, "the call of %s %s", c.name, fmt.Sprintf(format, args...))
	d.Related = g.scope.Declared(c.obj)
	return d
}

func (g *generator) noParam(c *goCall, a syntax.Arg) {
	d := g.wrongCall(c, a.Place, "names a parameter %s, which it does not have", a.Name)
	var names []string
	for _, v := range c.visible {
		names = append(names, g.scope.Snake(v.Name()))
	}
	if near := diag.Nearest(a.Name, names); near != "" {
		d.WithHelp("did you mean %s?", near)
	} else if len(names) > 0 {
		d.WithHelp("its parameters are %s", strings.Join(names, ", "))
	}
}

// countArgs checks that every parameter has an argument.
func (g *generator) countArgs(c *goCall) bool {
	required := len(c.visible)
	if c.sig.Variadic() {
		required--
	}
	given, missing := 0, []string{}
	for i, v := range c.args {
		if v != nil {
			given++
		} else if i < required {
			missing = append(missing, g.scope.Snake(c.visible[i].Name()))
		}
	}
	switch {
	case len(missing) > 0:
		g.wrongCall(c, c.At(), "lacks the argument %s", strings.Join(missing, ", ")).
			WithHelp("its parameters are %s", g.signatureOf(c))
	case given > len(c.visible) && !c.sig.Variadic():
		g.wrongCall(c, c.At(), "has %d arguments, but it takes %d", given, len(c.visible)).
			WithHelp("its parameters are %s", g.signatureOf(c))
	default:
		return true
	}
	return false
}

func (g *generator) signatureOf(c *goCall) string {
	var list []string
	for _, v := range c.visible {
		list = append(list, g.scope.Snake(v.Name())+" "+g.name(v.Type()))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// bindStar spreads the starred argument over the parameters that are left, of which
// those behind it already have the arguments that followed it.
func (g *generator) bindStar(c *goCall, positional int) bool {
	what := "Value"
	if positional == c.starAt && c.starAt == 0 {
		what = c.name + "() argument"
	}
	if c.star.kind() == anyKind {
		*c.star = *g.try("list", call(g.dyn("Starred"), c.star.expr, quoted(what)), anyList, c.starred)
	} else {
		*c.star = *g.iterableElse(c.star, c.starred, "a starred argument", what+" after * must be an iterable, not NoneType")
	}
	if c.star.bad() {
		return false
	}
	after := positional - c.starAt
	if c.sig.Variadic() {
		return g.bindVariadicStar(c, after)
	}
	g.keep(c.star)
	free := 0 // parameters without an argument by name
	for i := range c.visible {
		if c.args[i] == nil || i < positional {
			free++
		} else if i < len(c.visible)-1 && c.args[i+1] == nil {
			g.wrongCall(c, c.starred, "names a parameter that the starred argument may reach")
			return false
		}
	}
	count := free - positional
	if count < 0 {
		g.wrongCall(c, c.At(), "has %d arguments, but it takes %d", positional, free)
		return false
	}
	names := []ast.Expr{c.star.expr, integer(int64(c.starAt)), integer(int64(after)), quoted(c.name)}
	for _, v := range c.visible[:free] {
		names = append(names, quoted(g.scope.Snake(v.Name())))
	}
	g.check(call(g.py("Spread"), names...), g.scope.Position(c.At()))
	copy(c.args[c.starAt+count:free], c.args[c.starAt:positional])
	copy(c.places[c.starAt+count:free], c.places[c.starAt:positional])
	for i := range count {
		element := &ast.IndexExpr{X: primary(c.star.expr), Index: integer(int64(i))}
		c.args[c.starAt+i] = g.hold(&value{expr: element, typ: elemType(c.star.typ), fixed: true, pure: true, origin: elementOf(c.star)})
		c.places[c.starAt+i] = c.starred
	}
	return true
}

// bindVariadicStar binds a starred argument of a variadic function: its first elements
// go to the parameters that are left, the others to the last one.
func (g *generator) bindVariadicStar(c *goCall, after int) bool {
	last := len(c.visible) - 1
	first := max(0, last-c.starAt)
	if first == 0 {
		return g.countArgs(c)
	}
	if after > 0 || slices.ContainsFunc(c.args[c.starAt:last], func(v *value) bool { return v != nil }) {
		g.unsupported(c.starred, "a starred argument that "+c.name+" takes by a parameter and by its variadic one, with others behind it").
			WithHelp("pass the first elements by index")
		return false
	}
	g.keep(c.star)
	names := []ast.Expr{c.star.expr, integer(int64(c.starAt)), quoted(c.name)}
	for _, v := range c.visible[:last] {
		names = append(names, quoted(g.scope.Snake(v.Name())))
	}
	g.check(call(g.py("SpreadSome"), names...), g.scope.Position(c.At()))
	for i := range first {
		element := &ast.IndexExpr{X: primary(c.star.expr), Index: integer(int64(i))}
		c.args[c.starAt+i] = g.hold(&value{expr: element, typ: elemType(c.star.typ), fixed: true, pure: true, origin: elementOf(c.star)})
		c.places[c.starAt+i] = c.starred
	}
	rest := *c.star
	rest.expr, rest.local = &ast.SliceExpr{X: primary(c.star.expr), Low: integer(int64(first))}, nil
	c.star = g.hold(&rest)
	c.starAt = last
	return g.countArgs(c)
}

// goArgs converts the arguments to the types of their parameters.
func (g *generator) goArgs(c *goCall) (args []ast.Expr, spread bool) {
	args = []ast.Expr{}
	last := len(c.visible) - 1
	sound := true
	for i, v := range c.args {
		if v == nil {
			continue
		}
		if !sound && c.star != nil && c.places[i] == c.starred {
			continue // what was said of one element goes for all
		}
		*v = *g.convert(v, g.paramType(c, i), c.places[i], g.paramWord(c, min(i, last)))
		sound = sound && !v.bad()
	}
	variadic := c.sig.Variadic() && c.star != nil
	if variadic {
		t := c.visible[last].Type()
		*c.star = *g.convert(c.star, t, c.starred, "the starred argument")
		sound = sound && !c.star.bad()
		if sound {
			lists := []ast.Expr{c.star.expr}
			if before := g.displayOf(c.args[last:min(c.starAt, len(c.args))], t); before != nil {
				lists = []ast.Expr{before, c.star.expr}
			}
			if behind := g.displayOf(c.args[min(c.starAt, len(c.args)):], t); behind != nil {
				lists = append(lists, behind)
			}
			if len(lists) > 1 {
				c.star.expr = call(g.imported("slices", "Concat"), lists...)
			}
		}
	}
	if !sound {
		return nil, false
	}
	next := 0
	for v := range c.sig.Params().Variables() {
		switch {
		case g.scope.Supplied(v.Type()):
			args = append(args, g.supply(v.Type()))
			continue
		case c.sig.Variadic() && next == last && variadic:
			args = append(args, c.star.expr)
		case c.sig.Variadic() && next == last:
			for _, extra := range c.args[last:] {
				if extra != nil {
					args = append(args, extra.expr)
				}
			}
		default:
			args = append(args, c.args[next].expr)
		}
		next++
	}
	return args, variadic
}

// displayOf is a list of a type with the values that are there; nil if there are none.
func (g *generator) displayOf(values []*value, t types.Type) ast.Expr {
	lit := &ast.CompositeLit{Type: g.typeExpr(t)}
	for _, v := range values {
		if v != nil {
			lit.Elts = append(lit.Elts, v.expr)
		}
	}
	if len(lit.Elts) == 0 {
		return nil
	}
	return lit
}

// paramWord is a parameter as messages mention it.
func (g *generator) paramWord(c *goCall, i int) string {
	if name := c.visible[i].Name(); name != "" {
		return "argument " + g.scope.Snake(name) + " of " + c.name
	}
	return fmt.Sprintf("argument %d of %s", i+1, c.name)
}
