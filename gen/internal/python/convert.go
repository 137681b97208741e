package python

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"

	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// deref returns what an optional value is when it is not None; if it is, the
// function fails with the complaint, an exception and its message.
func (g *generator) deref(v *value, at syntax.Place, complaint string, args ...any) *value {
	if v.kind() != optionalKind {
		return v
	}
	elem := g.try(variableName(elemType(v.typ)), call(g.py("Value"), v.expr, quoted(fmt.Sprintf(complaint, args...))), elemType(v.typ), at)
	elem.origin = v.origin
	return elem
}

// convert returns a value as a Go type, or reports that it cannot be one. The words
// say what it is for.
func (g *generator) convert(v *value, t types.Type, at syntax.Place, what string) *value {
	switch k, target := v.kind(), kindOf(t); {
	case v.bad() || types.Identical(v.typ, t):
		return v
	case k == noneKind:
		return g.convertNone(v, t, at, what)
	case target == anyKind && !isNumberText(t):
		return g.boxed(v, t)
	case target == optionalKind && k != optionalKind:
		return g.pointer(g.convert(v, elemType(t), at, what), t)
	case target == objectKind:
		return g.convertObject(v, t, at, what)
	case k == optionalKind && target == optionalKind:
		return g.misfit(v, t, at, what)
	case k == optionalKind:
		elem := g.deref(v, at, "TypeError: %s must be %s, not None", what, kindNames[target])
		return g.convert(elem, t, at, what)
	case k == anyKind:
		return g.unboxed(v, t, at, what)
	case k == intKind && target == intKind:
		return g.convertInt(v, t, at)
	case (k == intKind || k == boolKind) && target == floatKind && k != boolKind:
		return g.convertFloat(v, t, at)
	case k == floatKind && target == floatKind:
		return g.convertFloat(v, t, at)
	case k == target && (k == strKind || k == boolKind):
		return g.conversion(v, t)
	case k == target && (k == listKind || k == dictKind):
		return g.convertElems(v, t, at, what)
	}
	return g.misfit(v, t, at, what)
}

func (g *generator) misfit(v *value, t types.Type, at syntax.Place, what string) *value {
	d := g.mismatch(at, "%s must be %s, but %s", what, g.name(t), g.describe(v))
	if v.origin.what == "" {
		d.Message = fmt.Sprintf("%s must be %s, but this is %s", what, g.name(t), g.name(v.typ))
	}
	because(d, v)
	if function := map[kind]string{strKind: "str", intKind: "int", floatKind: "float", boolKind: "bool"}[kindOf(t)]; function != "" && isData(v.typ) {
		d.WithHelp("write %s(…) around it", function)
	}
	return bad()
}

func (g *generator) convertNone(v *value, t types.Type, at syntax.Place, what string) *value {
	if k := kindOf(t); k != optionalKind && k != anyKind && !isNil(t) {
		d := g.mismatch(at, "%s must be %s, but this is None", what, g.name(t))
		d.WithHelp("None fits pointers, slices, maps and any in Go")
		return bad()
	}
	none := *v
	none.typ = t
	return &none
}

// boxed is a value as an any, which may become a part of the result: a list that is
// nil in Go would be None there.
func (g *generator) boxed(v *value, t types.Type) *value {
	box := *v
	box.typ, box.expr = t, g.dynamic(v)
	if (holdsLists(v.typ) || v.kind() == optionalKind && holdsLists(elemType(v.typ))) && !v.whole {
		box.expr = call(&ast.IndexExpr{X: g.dyn("Whole"), Index: g.typeExpr(t)}, box.expr)
	}
	box.local, box.known = nil, nil
	box.fixed = v.fixed && box.expr == v.expr
	return &box
}

// dynamic is a value as the operand of a function of package dyn. Displays get the
// types that dynamic values have.
func (g *generator) dynamic(v *value) ast.Expr {
	switch {
	case isEmpty(v.typ):
		return g.empty(settled(v.typ)).expr
	case v.kind() == optionalKind: // a nil pointer in an any is not nil
		return call(g.py("Boxed"), v.expr)
	case v.kind() == objectKind && isNil(v.typ) && !v.present: // nor is that of an object
		return call(g.dyn("Object"), v.expr)
	}
	return v.expr
}

func (g *generator) convertDisplay(v *value) *value {
	if isEmpty(v.typ) {
		return g.empty(settled(v.typ))
	}
	return v
}

// empty is a list or dict without elements.
func (g *generator) empty(t types.Type) *value {
	return &value{expr: &ast.CompositeLit{Type: g.typeExpr(t)}, typ: t, pure: true, whole: true}
}

// pointer is a value as an optional one.
func (g *generator) pointer(v *value, t types.Type) *value {
	if v.bad() {
		return v
	}
	if v.local == nil || v.known != nil {
		l := g.newLocal(variableName(v.typ))
		x := v.expr
		if v.known != nil && !types.Identical(v.typ, types.Default(v.typ)) || isUntypedLiteral(v) {
			x = call(g.typeExpr(v.typ), x)
		}
		g.emit(define(l.declaration(), x))
		v = &value{expr: l.use(), typ: v.typ, local: l, fixed: true, pure: true}
	}
	return &value{expr: &ast.UnaryExpr{Op: token.AND, X: v.expr}, typ: t, fixed: true, pure: true}
}

// isUntypedLiteral reports whether a constant would get another type in := than the
// value has.
func isUntypedLiteral(v *value) bool {
	switch v.known.(type) {
	case int64:
		return !types.Identical(v.typ, intType)
	case float64:
		return !types.Identical(v.typ, floatType)
	case string:
		return !types.Identical(v.typ, stringType)
	}
	return false
}

func (g *generator) convertObject(v *value, t types.Type, at syntax.Place, what string) *value {
	switch pointer, isPointer := types.Unalias(t).(*types.Pointer); {
	case types.AssignableTo(v.typ, t):
	case isPointer && types.Identical(pointer.Elem(), v.typ) && g.isVariable(v.expr):
		return &value{expr: &ast.UnaryExpr{Op: token.AND, X: v.expr}, typ: t, fixed: true, pure: true}
	case isPointer && types.Identical(pointer.Elem(), v.typ):
		return g.pointer(v, t)
	default:
		if p, ok := types.Unalias(v.typ).(*types.Pointer); ok && types.Identical(p.Elem(), t) {
			checked := g.notNone(v, at, call(g.py("Errorf"), quoted("TypeError"), quoted("%s"), quoted(what+" must be "+g.name(t)+", not None")))
			return &value{expr: &ast.StarExpr{X: checked.expr}, typ: t}
		}
		d := because(g.mismatch(at, "%s must be %s, but %s", what, g.name(t), g.describeThis(v)), v)
		if v.kind() == dictKind {
			d.WithHelp("give the argument this Go type in its note, so that its JSON is read as one")
		}
		return bad()
	}
	object := *v
	object.typ = t
	return &object
}

// isVariable reports whether an expression is the name of a variable of a package.
func (g *generator) isVariable(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	_, variable := g.uses[id].(*types.Var)
	return ok && variable
}

func (g *generator) describeThis(v *value) string {
	if v.origin.what == "" {
		return "this is " + g.name(v.typ)
	}
	return g.describe(v)
}

// notNone checks that an object is not nil: else the function fails with an error.
func (g *generator) notNone(v *value, at syntax.Place, complaint ast.Expr) *value {
	v = g.keep(v)
	test := g.failure(g.scope.Position(at))
	test.Cond = g.isNone(v, true).expr
	failed := test.Body.List[0].(*ast.ReturnStmt)
	failed.Results = []ast.Expr{call(g.py("At"), quoted(g.scope.Position(at)), complaint)}
	g.emit(test)
	return v
}

// conversion is a Go conversion that cannot fail.
func (g *generator) conversion(v *value, t types.Type) *value {
	c := *v
	c.typ, c.origin = t, v.origin
	if _, name := v.expr.(*ast.Ident); name || v.known == nil {
		c.expr, c.local = call(g.typeExpr(t), v.expr), nil
	}
	return &c
}

func (g *generator) convertInt(v *value, t types.Type, at syntax.Place) *value {
	basic := t.Underlying().(*types.Basic)
	if n, ok := v.known.(int64); ok {
		if !fits(n, basic.Kind()) {
			g.mismatch(at, "%d does not fit Go's %s", n, g.scope.TypeName(t))
			return bad()
		}
		return g.conversion(v, t)
	}
	from := v.typ.Underlying().(*types.Basic)
	if from.Kind() == basic.Kind() || from.Kind() == types.Int && basic.Kind() == types.Int64 {
		return g.conversion(v, t)
	}
	whole := &ast.IndexExpr{X: g.py("Whole"), Index: g.typeExpr(t)}
	return g.try("number", call(whole, v.expr), t, at)
}

// fits reports whether a constant is one of a kind of integer, on every machine.
func fits(n int64, k types.BasicKind) bool {
	switch k {
	case types.Int8:
		return n == int64(int8(n))
	case types.Int16:
		return n == int64(int16(n))
	case types.Int32:
		return n == int64(int32(n))
	case types.Uint8:
		return n == int64(uint8(n))
	case types.Uint16:
		return n == int64(uint16(n))
	case types.Uint32:
		return n == int64(uint32(n))
	case types.Uint, types.Uint64, types.Uintptr:
		return n >= 0
	}
	return true
}

func (g *generator) convertFloat(v *value, t types.Type, at syntax.Place) *value {
	f := g.toFloat(v, at)
	known, isKnown := f.known.(float64)
	narrower := isFloat32(t) && !isFloat32(v.typ)
	switch {
	case types.Identical(t, floatType):
		return f
	case narrower && isKnown && math.IsInf(float64(float32(known)), 0) && !math.IsInf(known, 0):
		g.mismatch(at, "%v does not fit Go's %s", known, g.scope.TypeName(t))
		return bad()
	case narrower && !isKnown && v.kind() == floatKind:
		narrow := &ast.IndexExpr{X: g.py("Narrow"), Index: g.typeExpr(t)}
		return g.try("number", call(narrow, f.expr), t, at)
	case v.kind() == intKind && !isKnown:
		f = made(v.expr, v.typ, v) // one conversion is enough
	}
	return g.conversion(f, t)
}

func isFloat32(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Float32
}

// convertElems returns a list or dict with elements of another type.
func (g *generator) convertElems(v *value, t types.Type, at syntax.Place, what string) *value {
	if isEmpty(v.typ) {
		return g.empty(t)
	}
	from, to := v.typ.Underlying(), t.Underlying()
	if types.Identical(from, to) {
		return g.conversion(v, t)
	}
	name, function := "list", "Map"
	if v.kind() == dictKind {
		name, function = "dict", "MapDict"
		if !types.Identical(from.(*types.Map).Key(), to.(*types.Map).Key()) {
			return g.misfit(v, t, at, what)
		}
	} else {
		v = g.asSlice(v)
	}
	if _, array := to.(*types.Array); array {
		before := len(g.faults)
		g.misfit(v, t, at, what)
		g.faults[before].WithHelp("a list may have any length: let the function take a slice")
		return bad()
	}
	before := len(g.faults)
	g.nested++
	defer func() { g.nested-- }()
	if g.nested > maxTypeDepth { // the type holds itself
		return g.misfit(v, t, at, what)
	}
	if function == "Map" && types.Identical(elemType(t), anyType) && isSimple(elemType(v.typ)) {
		list := g.anys(v)
		if !types.Identical(t, anyList) {
			list = g.conversion(list, t)
		}
		return g.remade(list, v)
	}
	convert, fails := g.converter(elemType(v.typ), elemType(t), at, "an element of "+what)
	if len(g.faults) > before {
		return bad()
	}
	list := read(call(g.py(function), v.expr, convert), t)
	if fails {
		list = g.try(name, call(g.py("Try"+function), v.expr, convert), t, at)
	}
	if _, named := types.Unalias(t).(*types.Named); named {
		list.typ = to
		return g.conversion(list, t)
	}
	return list
}

// asSlice returns a list that may be an array as a slice.
func (g *generator) asSlice(v *value) *value {
	array, ok := v.typ.Underlying().(*types.Array)
	if !ok {
		return v
	}
	if v.local == nil {
		g.keep(v)
	}
	return &value{expr: &ast.SliceExpr{X: v.expr}, typ: types.NewSlice(array.Elem()), origin: v.origin}
}

// converter is a function that converts values of one type to another, and returns
// an error if it can fail.
func (g *generator) converter(from, to types.Type, at syntax.Place, what string) (f ast.Expr, fails bool) {
	if kindOf(from) == anyKind {
		if name := unboxers[kindOf(to)]; name != "" && types.Identical(to, settledUnboxed(kindOf(to))) {
			return g.dyn(name), true
		}
	}
	outer := g.fn
	g.fn = &function{}
	param := g.newLocal("value")
	var result *value
	body := g.within(func() {
		result = g.convert(&value{expr: param.use(), typ: from, local: param, fixed: true, pure: true}, to, at, what)
	})
	if fails = len(g.fn.failures) > 0; !result.bad() {
		returned := &ast.ReturnStmt{Results: []ast.Expr{result.expr}}
		if body.List = append(body.List, returned); fails {
			returned.Results = append(returned.Results, ast.NewIdent("nil"))
		}
		for _, failed := range g.fn.failures {
			failed.Results = append([]ast.Expr{g.zero(to)}, failed.Results...)
		}
		g.shorten()
	}
	g.fn = outer
	results := []*ast.Field{{Type: g.typeExpr(to)}}
	if fails {
		results = append(results, &ast.Field{Type: ast.NewIdent("error")})
	}
	return &ast.FuncLit{
		Type: &ast.FuncType{
			Params:  &ast.FieldList{List: []*ast.Field{{Names: []*ast.Ident{param.declaration()}, Type: g.typeExpr(from)}}},
			Results: &ast.FieldList{List: results},
		},
		Body: body,
	}, fails
}

// unboxers are the functions that return a dynamic value as one of a type.
var unboxers = map[kind]string{
	intKind: "ToInt", floatKind: "ToFloat", strKind: "ToText", boolKind: "ToBool", listKind: "ToList", dictKind: "ToDict",
}

// settledUnboxed are the types that these return.
func settledUnboxed(k kind) types.Type {
	return map[kind]types.Type{
		intKind: intType, floatKind: floatType, strKind: stringType, boolKind: boolType, listKind: anyList, dictKind: anyDict,
	}[k]
}

// unboxed returns a dynamic value as one of a type, if it is one.
func (g *generator) unboxed(v *value, t types.Type, at syntax.Place, what string) *value {
	k := kindOf(t)
	name := unboxers[k]
	if name == "" {
		return g.misfit(v, t, at, what)
	}
	plain := settledUnboxed(k)
	u := g.try(variableName(plain), call(g.dyn(name), v.expr), plain, at)
	u.origin = v.origin
	return g.convert(u, t, at, what)
}
