package python

import (
	"go/ast"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// sortedOf translates sorted(list, key=…, reverse=…).
func (g *generator) sortedOf(e *syntax.Call, _ types.Type) *value {
	args := g.builtinArgs(e, 1, 1, "key", "reverse")
	if args == nil {
		return bad()
	}
	defer g.release(1)
	reverse := g.hold(g.boolConst(false))
	defer g.release(1)
	r := keyword(e, "reverse")
	if r != nil {
		*reverse = *g.single(r, nil)
	}
	*args[0] = *g.iterable(args[0], e.At(), "sorted()")
	if r != nil {
		*reverse = *g.reversed(reverse, r.At())
	}
	if anyBad(args[0], reverse) {
		return bad()
	}
	list, keys := g.keyed(e, args[0])
	if list.bad() || keys.bad() {
		return bad()
	}
	elem, key := elemType(list.typ), elemType(keys.typ)
	typ := types.NewSlice(elem)
	switch {
	case isOrdered(key) && keys == list:
		return g.remade(read(call(g.py("Sorted"), list.expr, reverse.expr), typ), list)
	case isOrdered(key):
		return g.remade(read(call(g.py("SortedBy"), list.expr, keys.expr, reverse.expr), typ), list)
	case isData(key) && types.Identical(elem, anyType) && keys == list:
		return g.remade(g.try("list", call(g.dyn("Sorted"), list.expr, reverse.expr), typ, e.At()), list)
	case isData(key):
		return g.remade(g.try("list", call(g.dyn("SortedBy"), list.expr, g.anys(keys).expr, reverse.expr), typ, e.At()), list)
	}
	g.unfit(e.At(), args[:1], "values of %s have no order", g.name(key)).WithHelp("give the key to sort by: key=lambda x: x.name")
	return bad()
}

// reversed makes the argument reverse a bool. Python takes integers, too.
func (g *generator) reversed(v *value, at syntax.Place) *value {
	switch {
	case v.kind() == anyKind, isOptional(v, intKind), isOptional(v, boolKind):
		v = g.integerArg(v, at, "")
	case !v.bad() && !isInteger(v):
		because(g.mismatch(at, "argument reverse of sorted is a bool, but %s", g.describeThis(v)), v).WithHelp("write bool(…) around it")
		return bad()
	}
	if v.bad() {
		return v
	}
	return g.boolOf(v, at)
}

// isOrdered reports whether Go orders values of a type as Python does.
func isOrdered(t types.Type) bool {
	k := kindOf(t)
	return k == intKind || k == floatKind || k == strKind
}

// unnamed is the name of an element where none is written, which no other hides.
const unnamed = "value of a list"

// keyed is a list with the keys by which it is ordered: itself, or what the
// argument key makes of its elements.
func (g *generator) keyed(e *syntax.Call, v *value) (list, keys *value) {
	list = g.iterable(v, e.At(), nameOf(e.Func)+"()")
	key := keyword(e, "key")
	if _, none := key.(*syntax.None); key == nil || none || list.bad() {
		if !list.bad() && kindOf(elemType(list.typ)) == boolKind {
			list = g.keep(list)
			return list, g.loop(syntax.Param{Name: unnamed}, list, nil, e, func() *value {
				return g.boolInt(g.nameExpr(&syntax.Name{Name: unnamed}))
			}, nil)
		}
		if !list.bad() && !isOrdered(elemType(list.typ)) && kindOf(elemType(list.typ)) != anyKind {
			list = g.keep(list) // it is needed twice
		}
		return list, list
	}
	list = g.keep(list)
	name, body := syntax.Param{Name: unnamed}, key
	switch k := key.(type) {
	case *syntax.Lambda:
		if len(k.Params) != 1 {
			g.fault("lambda-call", k.At(), "the key has %d parameters, but is called with one", len(k.Params))
			return bad(), bad()
		}
		name, body = k.Params[0], k.Body
	case *syntax.Bad:
		return bad(), bad()
	default:
		body = &syntax.Call{Place: key.At(), Func: key, Args: []syntax.Arg{{Place: key.At(), Value: &syntax.Name{Place: key.At(), Name: name.Name}}}}
	}
	keys = g.loop(name, list, nil, body, func() *value {
		v := g.single(body, nil)
		if v.kind() == boolKind {
			v = g.boolInt(v)
		}
		return v
	}, nil)
	return list, keys
}

// extreme translates min and max.
func (g *generator) extreme(e *syntax.Call, _ types.Type) *value {
	args := g.builtinArgs(e, 1, 100, "key", "default")
	if args == nil {
		return bad()
	}
	defer g.release(len(args))
	if d := keyword(e, "default"); d != nil {
		g.unsupported(d.At(), "the argument default of "+nameOf(e.Func)).WithHelp("write %s(xs) if xs else …", nameOf(e.Func))
		return bad()
	}
	name, function := nameOf(e.Func), map[string]string{"min": "Min", "max": "Max"}[nameOf(e.Func)]
	if len(args) > 1 {
		if keyword(e, "key") == nil && g.allInts(args) {
			return g.extremeInt(name, args, e.At())
		}
		args = []*value{g.listOf(args, e)}
	}
	list, keys := g.keyed(e, args[0])
	if list.bad() || keys.bad() {
		return bad()
	}
	elem, key := elemType(list.typ), elemType(keys.typ)
	result := variableName(elem)
	switch {
	case isOrdered(key) && keys == list:
		return g.try(result, call(g.py(function), list.expr), elem, e.At())
	case isOrdered(key):
		return g.try(result, call(g.py(function+"By"), list.expr, keys.expr), elem, e.At())
	case types.Identical(elem, anyType) && keys == list:
		return g.try(result, call(g.dyn(function), list.expr), elem, e.At())
	case isData(key):
		return g.try(result, call(g.dyn(function+"By"), list.expr, g.anys(keys).expr), elem, e.At())
	}
	g.unfit(e.At(), args, "values of %s have no order", g.name(key)).WithHelp("give the key to compare: key=lambda x: x.name")
	return bad()
}

func (g *generator) allInts(args []*value) bool {
	for _, v := range args {
		if v.kind() != intKind {
			return false
		}
	}
	return true
}

func (g *generator) extremeInt(name string, args []*value, at syntax.Place) *value {
	f := call(ast.NewIdent(name))
	for _, v := range args {
		*v = *g.number(v, at)
	}
	known := true
	for _, v := range args {
		known = known && v.known != nil
		f.Args = append(f.Args, v.expr)
	}
	if known {
		f.Args[0] = call(ast.NewIdent("int"), f.Args[0])
	}
	return made(f, intType, args...)
}

// listOf is a list of the arguments of a call.
func (g *generator) listOf(args []*value, e *syntax.Call) *value {
	elem := g.common(args, nil)
	lit := &ast.CompositeLit{Type: g.typeExpr(types.NewSlice(elem))}
	for _, v := range args {
		*v = *g.convert(v, elem, e.At(), "an argument of "+nameOf(e.Func))
	}
	for _, v := range args {
		if v.bad() {
			return bad()
		}
		lit.Elts = append(lit.Elts, v.expr)
	}
	return made(lit, types.NewSlice(elem), args...)
}
