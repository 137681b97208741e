package python

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// comprehension translates a list comprehension into a loop.
func (g *generator) comprehension(e *syntax.Comp, want types.Type) *value {
	source := g.single(e.In, nil)
	source = g.iterable(source, e.In.At(), "a comprehension")
	if source.bad() {
		return bad()
	}
	var elem types.Type
	if want != nil && kindOf(want) == listKind {
		elem = elemType(want)
	}
	if name, ok := e.Elem.(*syntax.Name); ok && name.Name == e.Var.Name && e.If == nil && (elem == nil || types.Identical(elem, elemType(source.typ))) {
		return read(call(g.imported("slices", "Clone"), source.expr), types.NewSlice(elemType(source.typ)))
	}
	return g.loop(e.Var, source, e.If, e.Elem, func() *value { return g.single(e.Elem, elem) }, elem)
}

// loop appends what build makes of an expression for each element of a list, or for
// those that fulfil a condition, to a new list.
func (g *generator) loop(name syntax.Param, source *value, condition, elem syntax.Expr, build func() *value, want types.Type) *value {
	source = g.keep(source)
	item := g.newLocal("value")
	if name.Name != unnamed {
		item.base = g.scope.Local(name.Name)
	}
	list, size := g.newLocal("list"), g.newLocal("size")
	element := &value{expr: item.declaration(), typ: elemType(source.typ), local: item, fixed: true, pure: true, whole: source.whole}
	element.origin = elementOf(source)
	t, whole := bad().typ, true
	appended := func() {
		v, at := build(), elem.At()
		if t = want; t == nil {
			t = settled(v.typ)
		}
		if t != nil && kindOf(t) == noneKind {
			t = anyType
		}
		whole = v.whole || !g.mayHoldNil(t)
		if v = g.convert(v, t, at, "an element of the list"); v.bad() {
			t = nil
			return
		}
		if g.multiplies(elem, name.Name, t) {
			g.check(call(g.dyn("Grow"), &ast.UnaryExpr{Op: token.AND, X: size.use()}, g.keep(v).expr), g.scope.Position(at))
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
	if size.used() {
		g.emit(define(size.declaration(), integer(0)))
	}
	g.emit(
		define(list.declaration(), call(ast.NewIdent("make"), g.typeExpr(typ), integer(0), call(ast.NewIdent("len"), source.expr))),
		loopOver(source.expr, item, body),
	)
	return &value{expr: list.use(), typ: typ, local: list, fixed: true, pure: true, whole: whole}
}

// multiplies reports whether a list of the values of an expression, one for each value
// of a name, may hold what other names stand for many times.
func (g *generator) multiplies(e syntax.Expr, name string, t types.Type) (found bool) {
	sizeless := func(t types.Type) bool { return t == nil || isNumber(&value{typ: t}) || kindOf(t) == objectKind }
	if sizeless(t) {
		return false
	}
	syntax.Walk(e, func(part syntax.Expr) {
		switch part := part.(type) {
		case *syntax.Name:
			if v := g.env[part.Name]; v != nil && part.Name != name {
				found = found || !sizeless(v.typ)
			}
		case *syntax.Comp:
			found = found || g.multiplies(part.Elem, part.Var.Name, t)
		case *syntax.Binary:
			found = found || part.Op.Text == "*"
		case *syntax.Call:
			found = found || multiplying(part)
		}
	})
	return found
}

// multiplying reports whether a call may make a text that is larger than its parts
// together, as far as not the lambda decides on it.
func multiplying(e *syntax.Call) bool {
	f, ok := e.Func.(*syntax.Attr)
	if !ok {
		return false
	}
	isText := func(e syntax.Expr) bool { _, ok := e.(*syntax.Str); return ok }
	switch f.Name.Name {
	case "join", "format":
		return !isText(f.X)
	case "replace":
		return len(e.Args) < 2 || !isText(e.Args[1].Value)
	}
	return false
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
func (g *generator) iterable(v *value, at syntax.Place, taker string) *value {
	return g.iterableElse(v, at, taker, "'NoneType' object is not iterable")
}

// iterableElse is iterable with a complaint of its own about None.
func (g *generator) iterableElse(v *value, at syntax.Place, taker, complaint string) *value {
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
