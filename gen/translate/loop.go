package translate

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/aion/lambda"
)

// comprehension translates a list comprehension into a loop.
func (g *generator) comprehension(e *lambda.Comp, want types.Type) *value {
	source := g.single(e.In, nil)
	source = g.iterable(source, e.In.At(), "a comprehension")
	if source.bad() {
		return bad()
	}
	var elem types.Type
	if want != nil && kindOf(want) == listKind {
		elem = elemType(want)
	}
	if name, ok := e.Elem.(*lambda.Name); ok && name.Name == e.Var.Name && e.If == nil && (elem == nil || types.Identical(elem, elemType(source.typ))) {
		return read(call(g.imported("slices", "Clone"), source.expr), types.NewSlice(elemType(source.typ)))
	}
	return g.loop(e.Var, source, e.If, func() (*value, lambda.Place) { return g.single(e.Elem, elem), e.Elem.At() }, elem)
}

// loop appends what build makes of each element of a list, or of those that fulfil
// a condition, to a new list.
func (g *generator) loop(name lambda.Param, source *value, condition lambda.Expr, build func() (*value, lambda.Place), want types.Type) *value {
	source = g.keep(source)
	item := g.newLocal("value")
	if name.Name != unnamed {
		item.base = g.scope.Local(name.Name)
	}
	list := g.newLocal("list")
	element := &value{expr: item.declaration(), typ: elemType(source.typ), local: item, fixed: true, pure: true, whole: source.whole}
	element.origin = elementOf(source)
	t, whole := bad().typ, true
	appended := func() {
		v, at := build()
		if t = want; t == nil {
			t = settled(v.typ)
		}
		if t != nil && kindOf(t) == noneKind {
			t = anyType
		}
		whole = v.whole || !holdsLists(t)
		if v = g.convert(v, t, at, "an element of the list"); v.bad() {
			t = nil
			return
		}
		g.emit(assign(list.use(), call(ast.NewIdent("append"), list.use(), v.expr)))
	}
	body := g.within(func() {
		g.narrowed(map[string]*value{name.Name: element}, func() {
			if condition == nil {
				appended()
				return
			}
			test := g.condition(condition)
			then := g.within(func() { g.narrowed(test.then, appended) })
			g.emit(&ast.IfStmt{Cond: test.expr, Body: then})
		})
	})
	if t == nil {
		return bad()
	}
	typ := types.NewSlice(t)
	list.base = variableName(typ)
	g.emit(
		define(list.declaration(), call(ast.NewIdent("make"), g.typeExpr(typ), integer(0), call(ast.NewIdent("len"), source.expr))),
		loopOver(source.expr, item, body),
	)
	return &value{expr: list.use(), typ: typ, local: list, fixed: true, pure: true, whole: whole}
}

// elementOf is where the type of an element of a list comes from.
func elementOf(list *value) origin {
	o := origin{what: "an element", why: list.origin.why, related: list.origin.related}
	if list.origin.what != "" {
		o.what += " of " + list.origin.what
	}
	return o
}

// loopOver is a loop over the elements of a list, which need not be used.
func loopOver(list ast.Expr, item *local, body *block) *ast.RangeStmt {
	if !item.used() {
		return &ast.RangeStmt{X: list, Body: body}
	}
	return &ast.RangeStmt{Key: ast.NewIdent("_"), Value: item.declaration(), Tok: token.DEFINE, X: list, Body: body}
}

// iterable returns what a loop over a value takes its elements from, a slice. The
// taker is who loops.
func (g *generator) iterable(v *value, at lambda.Place, taker string) *value {
	return g.iterableElse(v, at, taker, "'NoneType' object is not iterable")
}

// iterableElse is iterable with a complaint of its own about None.
func (g *generator) iterableElse(v *value, at lambda.Place, taker, complaint string) *value {
	if v.bad() {
		return v
	}
	switch v = g.deref(v, at, "TypeError: %s", complaint); v.kind() {
	case listKind:
		if isEmpty(v.typ) {
			return g.empty(anyList)
		}
		return g.asSlice(v)
	case strKind:
		return made(call(g.py("Chars"), g.plainExpr(v)), types.NewSlice(stringType), v)
	case dictKind:
		if isEmpty(v.typ) {
			return g.empty(types.NewSlice(stringType))
		}
		key := v.typ.Underlying().(*types.Map).Key()
		return read(call(g.imported("slices", "Sorted"), call(g.imported("maps", "Keys"), v.expr)), types.NewSlice(key))
	case anyKind:
		return g.try("list", call(g.dyn("Elements"), v.expr), anyList, at)
	}
	because(g.mismatch(at, "%s takes a list, a str or a dict, but %s", taker, g.describeThis(v)), v)
	return bad()
}
