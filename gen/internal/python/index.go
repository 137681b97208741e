package python

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

func (g *generator) index(e *syntax.Index) *value {
	values, done := g.operands(e.X, e.Index)
	defer done()
	x, i := values[0], values[1]
	if anyBad(x, i) {
		return bad()
	}
	*x = *g.deref(x, e.At(), "TypeError: 'NoneType' object is not subscriptable")
	if complaint := noneIndex[x.kind()]; complaint != "" && !isEmpty(x.typ) {
		*i = *g.deref(i, e.At(), "%s", complaint)
	}
	var v *value
	name := g.elementName(x, i)
	switch k := x.kind(); {
	case isEmpty(x.typ) || k == anyKind || i.kind() == anyKind && isData(x.typ):
		v = g.try(name, call(g.dyn("Index"), g.dynamic(x), g.dynamic(i)), anyType, e.At())
	case k == strKind && isInteger(i):
		v = g.try("char", call(g.py("CharAt"), g.plainExpr(x), g.number(i, e.At()).expr), stringType, e.At())
	case k == listKind && isInteger(i):
		*x = *g.asSlice(x)
		v = g.try(name, call(g.py("Index"), x.expr, g.number(i, e.At()).expr), elemType(x.typ), e.At())
	case k == dictKind && i.kind() == intKind && keyMayNotFit(x, i):
		v = g.try(name, call(g.py("ItemOfInt"), x.expr, g.number(i, e.At()).expr), elemType(x.typ), e.At())
	case k == dictKind && i.kind() == kindOf(x.typ.Underlying().(*types.Map).Key()):
		key := g.convert(i, x.typ.Underlying().(*types.Map).Key(), e.Index.At(), "the key")
		v = g.try(name, call(g.py("Item"), x.expr, key.expr), elemType(x.typ), e.At())
	default:
		d := g.unfit(e.At(), []*value{x, i}, "%s cannot be indexed with %s", g.name(x.typ), g.name(i.typ))
		if k == objectKind {
			d.WithHelp("its fields are attributes: x.name")
		}
		return bad()
	}
	v.whole = x.whole
	v.origin = origin{what: "the element", why: "of " + g.name(x.typ), related: x.origin.related}
	return v
}

// keyMayNotFit reports whether the keys of a dict are integers of a type that does not
// hold all those that an index may be.
func keyMayNotFit(dict, i *value) bool {
	key := dict.typ.Underlying().(*types.Map).Key()
	return kindOf(key) == intKind && !types.Identical(key, i.typ) && i.known == nil
}

// noneIndex is what Python says of None as an index.
var noneIndex = map[kind]string{
	strKind:  "TypeError: string indices must be integers, not 'NoneType'",
	listKind: "TypeError: list indices must be integers or slices, not NoneType",
	dictKind: "KeyError: None",
}

// elementName is a name for an element: the key, where it is known.
func (g *generator) elementName(x, i *value) string {
	if key, ok := i.known.(string); ok && token.IsIdentifier(g.scope.Local(key)) {
		return g.scope.Local(key)
	}
	if k := x.kind(); k == listKind || k == dictKind {
		return variableName(elemType(x.typ))
	}
	return "value"
}

// isInteger reports whether a value can be an index: bools can, in Python.
func isInteger(v *value) bool { return v.kind() == intKind || v.kind() == boolKind }

func (g *generator) slice(e *syntax.Slice) *value {
	x := g.hold(g.single(e.X, nil))
	held := 1
	var bounds [3]*value
	for i, bound := range []syntax.Expr{e.Start, e.Stop, e.Step} {
		if bound != nil {
			bounds[i] = g.hold(g.single(bound, nil))
			held++
		}
	}
	defer func() { g.release(held) }()
	if anyBad(g.held[len(g.held)-held:]...) {
		return bad()
	}
	*x = *g.deref(x, e.At(), "TypeError: 'NoneType' object is not subscriptable")
	if x.kind() == anyKind {
		return g.sliceDynamic(x, bounds, e.At())
	}
	for i, b := range bounds {
		if b != nil && b.kind() == noneKind {
			bounds[i] = nil
		}
	}
	return g.sliceOf(x, bounds, e)
}

// sliceDynamic slices what is known when it is there.
func (g *generator) sliceDynamic(x *value, bounds [3]*value, at syntax.Place) *value {
	args := []ast.Expr{x.expr}
	for _, b := range bounds {
		if b == nil {
			b = g.none()
		}
		args = append(args, g.dynamic(b))
	}
	return g.try("part", call(g.dyn("Slice"), args...), anyType, at)
}

// bound makes a bound of a slice an int. What may be None needs the bound that this
// stands for.
func (g *generator) bound(v *value, missing ast.Expr, at syntax.Place) *value {
	switch {
	case isInteger(v):
		return g.number(v, at)
	case v.kind() == anyKind, isOptional(v, intKind), isOptional(v, boolKind):
		if v.kind() == optionalKind && types.Identical(elemType(v.typ), intType) {
			return made(call(g.py("Or"), v.expr, missing), intType, v)
		}
		return g.try("bound", call(g.dyn("Bound"), g.dynamic(v), missing), intType, at)
	case !v.bad():
		because(g.mismatch(at, "a bound of a slice is an int or None, but %s", g.describeThis(v)), v)
	}
	return bad()
}

func (g *generator) sliceOf(x *value, bounds [3]*value, e *syntax.Slice) *value {
	start, stop, step := bounds[0], bounds[1], bounds[2]
	if step != nil {
		*step = *g.bound(step, integer(1), e.Step.At())
		switch n, known := step.known.(int64); {
		case step.bad():
			return bad()
		case known && n == 1:
			step = nil
		case known && n == 0:
			g.mismatch(e.Step.At(), "the step of a slice cannot be 0")
			return bad()
		}
	}
	from, to, ok := g.ends(start, stop, step, e)
	if !ok {
		return bad()
	}
	args := []ast.Expr{x.expr, from, to}
	if step != nil {
		args = append(args, step.expr)
	}
	switch x.kind() {
	case strKind:
		args[0] = g.plainExpr(x)
		if step == nil {
			return made(call(g.py("Substring"), args...), stringType, present(x, start, stop)...)
		}
		return g.try("text", call(g.py("SubstringStep"), args...), stringType, e.At())
	case listKind:
		x = g.asSlice(g.convertDisplay(x))
		args[0] = x.expr
		if step == nil {
			return g.remade(read(call(g.py("Slice"), args...), types.NewSlice(elemType(x.typ))), x)
		}
		return g.remade(g.try("list", call(g.py("SliceStep"), args...), types.NewSlice(elemType(x.typ)), e.At()), x)
	}
	because(g.mismatch(e.At(), "a slice is one of a str or a list, but %s", g.describeThis(x)), x)
	return bad()
}

func present(values ...*value) []*value {
	var list []*value
	for _, v := range values {
		if v != nil {
			list = append(list, v)
		}
	}
	return list
}

// ends are the bounds of a slice. Where one is left out, it hangs on the direction.
func (g *generator) ends(start, stop, step *value, e *syntax.Slice) (from, to ast.Expr, ok bool) {
	first, last := func() ast.Expr { return integer(0) }, func() ast.Expr { return g.py("End") }
	if step != nil {
		switch n, known := step.known.(int64); {
		case known && n < 0:
			first, last = last, func() ast.Expr { return g.py("Start") }
		case !known:
			*step = *g.keep(step)
			first = func() ast.Expr { return call(g.py("First"), step.expr) }
			last = func() ast.Expr { return call(g.py("Last"), step.expr) }
		}
	}
	end := func(v *value, bound syntax.Expr, missing func() ast.Expr) ast.Expr {
		if v == nil {
			return missing()
		}
		*v = *g.bound(v, missing(), bound.At())
		ok = ok && !v.bad()
		return v.expr
	}
	ok = true
	from = end(start, e.Start, first)
	to = end(stop, e.Stop, last)
	if start != nil {
		from = start.expr // it may have been put into a variable
	}
	return from, to, ok
}
