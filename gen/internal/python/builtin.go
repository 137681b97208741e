package python

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// builtins are the functions of Python that a lambda may call.
var builtins map[string]func(*generator, *syntax.Call, types.Type) *value

func init() { // what they do calls functions that look here
	builtins = map[string]func(*generator, *syntax.Call, types.Type) *value{
		"len": one((*generator).lenOf), "int": one((*generator).intOf), "float": one((*generator).floatOf),
		"str": one((*generator).strOf), "bool": one((*generator).boolOf), "abs": one((*generator).absOf),
		"any": one((*generator).anyOf), "all": one((*generator).allOf),
		"sum": (*generator).sumOf, "round": (*generator).roundOf, "sorted": (*generator).sortedOf,
		"min": (*generator).extreme, "max": (*generator).extreme,
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// one makes a builtin of a function of one value.
func one(build func(*generator, *value, syntax.Place) *value) func(*generator, *syntax.Call, types.Type) *value {
	return func(g *generator, e *syntax.Call, _ types.Type) *value {
		args := g.builtinArgs(e, 1, 1)
		if args == nil {
			return bad()
		}
		defer g.release(1)
		return build(g, args[0], e.At())
	}
}

// builtinArgs translates the positional arguments of a function of Python and holds
// them; nil if there are too few or too many, or one is no good.
func (g *generator) builtinArgs(e *syntax.Call, least, most int, keywords ...string) []*value {
	name := nameOf(e.Func)
	var values []*value
	sound := true
	for _, a := range e.Args {
		switch {
		case a.Star:
			g.unsupported(a.Place, "a starred argument of "+name)
			sound = false
		case a.Name == "":
			v := g.hold(g.single(a.Value, nil))
			values = append(values, v)
			sound = sound && !v.bad()
		case !slices.Contains(keywords, a.Name):
			g.unsupported(a.Place, "the argument "+a.Name+" of "+name)
			sound = false
		}
	}
	if sound && (len(values) < least || len(values) > most) {
		d := g.fault("lambda-call", e.At(), "%s() takes %s, not %d", name, counted(least, most), len(values))
		if name == "int" && len(values) == 2 {
			d.WithHelp("the base is always 10: write a Go function that calls strconv.ParseInt")
		}
		sound = false
	}
	if !sound {
		g.release(len(values))
		return nil
	}
	return values
}

func counted(least, most int) string {
	words := []string{"no argument", "one argument", "two arguments", "three arguments"}
	number := func(n int) string { return strings.Fields(words[n])[0] }
	switch {
	case least == most:
		return words[least]
	case most >= len(words):
		return "at least " + words[least]
	case least == 0:
		return "at most " + words[most]
	case most == least+1:
		return number(least) + " or " + words[most]
	}
	return number(least) + " to " + words[most]
}

// nameOf is the name of a function or method as it was written.
func nameOf(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Name:
		return e.Name
	case *syntax.Attr:
		return e.Name.Name
	}
	return ""
}

// keyword is the value of a keyword argument; nil if it is not given.
func keyword(e *syntax.Call, name string) syntax.Expr {
	for _, a := range e.Args {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// noArgument reports a value that a function of Python does not take.
func (g *generator) noArgument(v *value, at syntax.Place, function, takes string) *value {
	because(g.mismatch(at, "%s() takes %s, but %s", function, takes, g.describeThis(v)), v)
	return bad()
}

func (g *generator) lenOf(v *value, at syntax.Place) *value {
	v = g.deref(v, at, "TypeError: object of type 'NoneType' has no len()")
	switch v.kind() {
	case strKind:
		if s, ok := v.known.(string); ok {
			return g.intConst(int64(len([]rune(s))))
		}
		return sized(made(call(g.imported("unicode/utf8", "RuneCountInString"), g.plainExpr(v)), intType, v), lengthBits)
	case listKind, dictKind:
		return sized(read(call(ast.NewIdent("len"), g.convertDisplay(v).expr), intType), lengthBits)
	case anyKind:
		return sized(g.try("length", call(g.dyn("Len"), v.expr), intType, at), lengthBits)
	}
	return g.noArgument(v, at, "len", "a str, a list or a dict")
}

func (g *generator) intOf(v *value, at syntax.Place) *value {
	v = g.deref(v, at, "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'NoneType'")
	switch v.kind() {
	case boolKind, intKind:
		return g.number(v, at)
	case floatKind:
		return g.try("number", call(g.py("Trunc"), g.toFloat(v, at).expr), intType, at)
	case strKind:
		return g.try("number", call(g.py("ParseInt"), g.plainExpr(v)), intType, at)
	case anyKind:
		return g.try("number", call(g.dyn("Int"), v.expr), intType, at)
	}
	return g.noArgument(v, at, "int", "a number or a str")
}

func (g *generator) floatOf(v *value, at syntax.Place) *value {
	v = g.deref(v, at, "TypeError: float() argument must be a string or a real number, not 'NoneType'")
	switch v.kind() {
	case boolKind, intKind, floatKind:
		return g.toFloat(g.number(v, at), at)
	case strKind:
		return g.try("number", call(g.py("ParseFloat"), g.plainExpr(v)), floatType, at)
	case anyKind:
		return g.try("number", call(g.dyn("Float"), v.expr), floatType, at)
	}
	return g.noArgument(v, at, "float", "a number or a str")
}

func (g *generator) strOf(v *value, at syntax.Place) *value { return g.text(v, at) }

func (g *generator) boolOf(v *value, at syntax.Place) *value {
	t := g.truth(v)
	if known, ok := t.known.(bool); ok {
		return g.boolConst(known)
	}
	return &value{expr: t.expr, typ: boolType, pure: t.pure}
}

func (g *generator) absOf(v *value, at syntax.Place) *value {
	v = g.deref(v, at, "TypeError: bad operand type for abs(): 'NoneType'")
	switch v.kind() {
	case boolKind, intKind:
		n := g.number(v, at)
		return g.try("size", call(g.py("Abs"), n.expr), intType, at)
	case floatKind:
		f := g.toFloat(v, at)
		return made(call(g.imported("math", "Abs"), f.expr), floatType, f)
	case anyKind:
		return g.try("size", call(g.dyn("Abs"), v.expr), anyType, at)
	}
	return g.noArgument(v, at, "abs", "a number")
}

// anyOf and allOf look for an element that Python takes for true, or for false.
func (g *generator) anyOf(v *value, at syntax.Place) *value { return g.some(v, at, true) }
func (g *generator) allOf(v *value, at syntax.Place) *value { return g.some(v, at, false) }

func (g *generator) some(v *value, at syntax.Place, truth bool) *value {
	list := g.iterable(v, at, map[bool]string{true: "any()", false: "all()"}[truth])
	if list.bad() {
		return bad()
	}
	var found ast.Expr
	if types.Identical(elemType(list.typ), boolType) {
		found = call(g.imported("slices", "Contains"), list.expr, g.boolConst(truth).expr)
	} else {
		list = g.keep(list)
		found = call(g.imported("slices", "ContainsFunc"), list.expr, g.predicate(elemType(list.typ), truth))
	}
	if !truth {
		found = not(found)
	}
	return read(found, boolType)
}

// predicate is a function that reports whether an element is true, or false.
func (g *generator) predicate(elem types.Type, truth bool) ast.Expr {
	param := g.newLocal("value")
	element := &value{expr: param.use(), typ: elem, local: param, fixed: true, pure: true}
	var t test
	body := g.within(func() { t = g.truth(element) })
	holds := t.expr
	if !truth {
		holds = not(holds)
	}
	body.List = append(body.List, &ast.ReturnStmt{Results: []ast.Expr{holds}})
	return &ast.FuncLit{
		Type: &ast.FuncType{
			Params:  &ast.FieldList{List: []*ast.Field{{Names: []*ast.Ident{param.declaration()}, Type: g.typeExpr(elem)}}},
			Results: &ast.FieldList{List: []*ast.Field{{Type: ast.NewIdent("bool")}}},
		},
		Body: body,
	}
}

func (g *generator) sumOf(e *syntax.Call, _ types.Type) *value {
	args := g.builtinArgs(e, 1, 2, "start")
	if args == nil {
		return bad()
	}
	defer g.release(len(args))
	start := (*value)(nil)
	if len(args) == 2 {
		start = args[1]
	} else if s := keyword(e, "start"); s != nil {
		start = g.hold(g.single(s, nil))
		defer g.release(1)
		if start.bad() {
			return bad()
		}
	}
	list := g.iterable(args[0], e.At(), "sum()")
	if list.bad() {
		return bad()
	}
	if start == nil {
		start = g.intConst(0)
	}
	elem := elemType(list.typ)
	switch k := kindOf(elem); {
	case types.Identical(elem, intType) && start.kind() == intKind:
		return g.try("sum", call(g.py("SumInts"), list.expr, g.number(start, e.At()).expr), intType, e.At())
	case types.Identical(elem, floatType) && isNumber(start):
		return read(call(g.py("SumFloats"), list.expr, g.toFloat(g.number(start, e.At()), e.At()).expr), floatType)
	case isData(elem) && (k != strKind || start.known == nil):
		return g.try("sum", call(g.dyn("Sum"), g.anys(list).expr, g.dynamic(start)), anyType, e.At())
	}
	d := because(g.mismatch(e.At(), "sum() takes a list of numbers, but %s", g.describeThis(args[0])), args[0])
	switch {
	case args[0].kind() == dictKind:
		d.WithHelp("write sum([d[k] for k in d]) for its values")
	case args[0].kind() == listKind && kindOf(elem) == strKind:
		d.WithHelp("write ''.join(…) to join strings")
	}
	return bad()
}

// anys is a list with elements of any type.
func (g *generator) anys(list *value) *value {
	if types.Identical(elemType(list.typ), anyType) {
		return list
	}
	return read(call(g.py("Anys"), list.expr), anyList)
}

func (g *generator) roundOf(e *syntax.Call, _ types.Type) *value {
	args := g.builtinArgs(e, 1, 2, "ndigits")
	if args == nil {
		return bad()
	}
	defer g.release(len(args))
	var digits *value
	if len(args) == 2 {
		digits = args[1]
	} else if n := keyword(e, "ndigits"); n != nil {
		digits = g.hold(g.single(n, nil))
		defer g.release(1)
	}
	x := g.deref(args[0], e.At(), "TypeError: type NoneType doesn't define __round__ method")
	if digits != nil && digits.kind() != noneKind {
		return g.roundTo(x, digits, e.At())
	}
	switch x.kind() {
	case boolKind, intKind:
		return g.number(x, e.At())
	case floatKind:
		return g.try("number", call(g.py("Round"), g.toFloat(x, e.At()).expr), intType, e.At())
	case anyKind:
		return g.try("number", call(g.dyn("Round"), x.expr), anyType, e.At())
	}
	return g.noArgument(x, e.At(), "round", "a number")
}

// roundTo translates round with a number of digits, on whose being there the type of
// the result hangs.
func (g *generator) roundTo(x, digits *value, at syntax.Place) *value {
	if !isNumber(x) && x.kind() != anyKind {
		return g.noArgument(x, at, "round", "a number")
	}
	if x.kind() == anyKind || digits.kind() == anyKind || digits.kind() == optionalKind {
		return g.try("number", call(g.dyn("RoundTo"), g.dynamic(x), g.dynamic(digits)), anyType, at)
	}
	if *digits = *g.integerArg(digits, at, "argument 2 of round"); digits.bad() {
		return bad()
	}
	switch x.kind() {
	case boolKind, intKind:
		n := g.number(x, at)
		if d, ok := digits.known.(int64); ok && d >= 0 {
			return n
		}
		return g.try("number", call(g.py("RoundInt"), n.expr, digits.expr), intType, at)
	case floatKind:
		return g.try("number", call(g.py("RoundTo"), g.toFloat(x, at).expr, digits.expr), floatType, at)
	}
	return bad()
}
