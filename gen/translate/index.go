package translate

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/aion/lambda"
)

func (g *generator) index(e *lambda.Index) *value {
	values, done := g.operands(e.X, e.Index)
	defer done()
	x, i := values[0], values[1]
	if anyBad(x, i) {
		return bad()
	}
	*x = *g.deref(x, e.At(), "TypeError: 'NoneType' object is not subscriptable")
	var v *value
	name := g.elementName(x, i)
	switch k := x.kind(); {
	case isEmpty(x.typ) || k == anyKind || i.kind() == anyKind && isData(x.typ):
		v = g.try(name, call(g.dyn("Index"), g.boxed(x, anyType).expr, g.boxed(i, anyType).expr), anyType, e.At())
	case k == strKind && isInteger(i):
		v = g.try("char", call(g.py("CharAt"), g.plainExpr(x), g.number(i, e.At()).expr), stringType, e.At())
	case k == listKind && isInteger(i):
		*x = *g.asSlice(x)
		v = g.try(name, call(g.py("Index"), x.expr, g.number(i, e.At()).expr), elemType(x.typ), e.At())
	case k == dictKind && i.kind() == kindOf(x.typ.Underlying().(*types.Map).Key()):
		key := g.convert(i, x.typ.Underlying().(*types.Map).Key(), e.Index.At(), "the key")
		v = g.try(name, call(g.py("Item"), x.expr, key.expr), elemType(x.typ), e.At())
	default:
		d := because(g.mismatch(e.At(), "%s cannot be indexed with %s", g.name(x.typ), g.name(i.typ)), x, i)
		if x.origin.what != "" {
			d.WithHelp("%s", g.describe(x))
		}
		if k == objectKind {
			d.WithHelp("its fields are attributes: x.name")
		}
		return bad()
	}
	v.origin = origin{what: "the element", why: "of " + g.name(x.typ), related: x.origin.related}
	return v
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

func (g *generator) slice(e *lambda.Slice) *value {
	x := g.hold(g.single(e.X, nil))
	held := 1
	var bounds [3]*value
	for i, bound := range []lambda.Expr{e.Start, e.Stop, e.Step} {
		if bound != nil {
			bounds[i] = g.hold(g.single(bound, nil))
			held++
		}
	}
	defer func() { g.release(held) }()
	if x.bad() {
		return bad()
	}
	*x = *g.deref(x, e.At(), "TypeError: 'NoneType' object is not subscriptable")
	dynamic := x.kind() == anyKind
	for i, bound := range []lambda.Expr{e.Start, e.Stop, e.Step} {
		if bound == nil {
			continue
		}
		if bounds[i].kind() == anyKind {
			dynamic = true
			continue
		}
		if !g.bound(bounds[i], bound.At()) {
			return bad()
		}
		if bounds[i].kind() == noneKind {
			bounds[i] = nil
		}
	}
	if dynamic {
		return g.sliceDynamic(x, bounds, e.At())
	}
	return g.sliceOf(x, bounds, e)
}

// sliceDynamic slices what is known when it is there, or with such bounds.
func (g *generator) sliceDynamic(x *value, bounds [3]*value, at lambda.Place) *value {
	args := []ast.Expr{g.boxed(x, anyType).expr}
	for _, b := range bounds {
		if b == nil {
			b = g.none()
		}
		args = append(args, b.expr)
	}
	part := g.try("part", call(g.dyn("Slice"), args...), anyType, at)
	if x.kind() == anyKind {
		return part
	}
	return g.convert(part, settled(plainType(x.typ)), at, "the slice")
}

// bound makes a bound of a slice an int, if it can be one.
func (g *generator) bound(v *value, at lambda.Place) bool {
	switch v.kind() {
	case intKind, boolKind:
		*v = *g.number(v, at)
	case anyKind:
		*v = *g.unboxed(v, intType, at, "a bound of a slice")
	case noneKind:
	case optionalKind:
		*v = *g.deref(v, at, "TypeError: a bound of a slice must be int, not None")
		return g.bound(v, at)
	default:
		if !v.bad() {
			because(g.mismatch(at, "a bound of a slice is an int, but %s", g.describeThis(v)), v)
		}
		return false
	}
	return !v.bad()
}

func (g *generator) sliceOf(x *value, bounds [3]*value, e *lambda.Slice) *value {
	start, stop, step := bounds[0], bounds[1], bounds[2]
	if step != nil {
		if n, ok := step.known.(int64); ok && n == 1 {
			step = nil
		} else if ok && n == 0 {
			g.mismatch(e.Step.At(), "the step of a slice cannot be 0")
			return bad()
		}
	}
	from, to := g.ends(start, stop, step)
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
			return read(call(g.py("Slice"), args...), types.NewSlice(elemType(x.typ)))
		}
		return g.try("list", call(g.py("SliceStep"), args...), types.NewSlice(elemType(x.typ)), e.At())
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
func (g *generator) ends(start, stop, step *value) (from, to ast.Expr) {
	first, last := ast.Expr(integer(0)), g.py("End")
	if step != nil {
		switch n, known := step.known.(int64); {
		case known && n < 0:
			first, last = g.py("End"), g.py("Start")
		case !known:
			if start == nil || stop == nil {
				*step = *g.keep(step)
			}
			first, last = call(g.py("First"), step.expr), call(g.py("Last"), step.expr)
		}
	}
	from, to = first, last
	if start != nil {
		from = start.expr
	}
	if stop != nil {
		to = stop.expr
	}
	return from, to
}
