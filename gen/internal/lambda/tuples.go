package lambda

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// rewriteResult rewrites an expression whose value is the result of the lambda or a part of it. Tuples become lists,
// because both are the same in JSON.
func (r *rewriter) rewriteResult(e pysyntax.Expr) pysyntax.Expr {
	switch e := e.(type) {
	case *pysyntax.List:
		if e.Brackets == pysyntax.Curly {
			break
		}
		rewritten := *e
		rewritten.Brackets = pysyntax.Square
		return pysyntax.MapParts(&rewritten, r.rewriteResult)
	case *pysyntax.Dict:
		rewritten := *e
		rewritten.Items = nil
		for _, item := range e.Items {
			if item.Key == nil {
				rewritten.Items = append(rewritten.Items, pysyntax.Item{Value: r.rewriteValue(item.Value)})
			} else {
				rewritten.Items = append(rewritten.Items, pysyntax.Item{Key: r.rewriteValue(item.Key), Value: r.rewriteResult(item.Value)})
			}
		}
		return &rewritten
	case *pysyntax.Cond:
		rewritten := &pysyntax.Cond{Place: e.Place, If: r.rewriteValue(e.If)}
		rewritten.Then, rewritten.Else = r.rewriteResult(e.Then), r.rewriteResult(e.Else)
		return rewritten
	case *pysyntax.Comp:
		if e.Brackets == pysyntax.Square {
			return r.rewriteLoop(r.unpackElements(e), pysyntax.Square, false, r.rewriteResult)
		}
	case *pysyntax.Call:
		return r.rewriteResultCall(e)
	}
	return r.rewriteValue(e)
}

// rewriteResultCall is rewriteResult for calls.
func (r *rewriter) rewriteResultCall(e *pysyntax.Call) pysyntax.Expr {
	var elements pysyntax.Expr = e
	name := r.pythonName(e.Func)
	isList := (name == "list" || name == "tuple") && len(e.Args) == 1 && countPositional(e) == 1
	if isList {
		elements = e.Args[0].Value
	}
	comp, isComp := elements.(*pysyntax.Comp)
	switch {
	case r.tupleWidth(elements) > 0 && (isList || name == "sorted"):
		return r.rewriteLoop(r.unpackElements(newListComp(e.Place, elements)), pysyntax.Square, false, r.rewriteResult)
	case isList && isComp && comp.Brackets == pysyntax.Round:
		rewritten := r.rewriteLoop(comp, pysyntax.Square, false, r.rewriteResult)
		rewritten.Place = e.Place
		return rewritten
	case name == "tuple" && (isList || len(e.Args) == 0):
		return r.rewriteList(e, false)
	}
	value := r.rewriteValue(e)
	call, ok := value.(*pysyntax.Call)
	if !ok {
		return value
	}
	rewritten := *call
	rewritten.MayBeTuple = true
	return &rewritten
}

// unpackElements turns [x for x in zip(xs, ys)] into [[a, b] for a, b in zip(xs, ys)]. It returns other comprehensions
// unchanged.
func (r *rewriter) unpackElements(e *pysyntax.Comp) *pysyntax.Comp {
	name, ok := e.Elem.(*pysyntax.Name)
	l := e.Loops[0]
	if !ok || len(e.Loops) > 1 || len(l.More) > 0 || l.If != nil || name.Name != l.Var.Name {
		return e
	}
	width := r.tupleWidth(l.In)
	if width == 0 {
		return e
	}
	names, elements := newElementNames(l.Var.Place, width)
	rewritten := *e
	rewritten.Elem = &pysyntax.List{Place: name.Place, Elems: elements}
	rewritten.Loops = []pysyntax.Loop{{Var: names[0], More: names[1:], In: l.In}}
	return &rewritten
}

// newElementNames returns n names that are not used in the lambda, and expressions that refer to them.
func newElementNames(at pysyntax.Place, n int) (names []pysyntax.Param, values []pysyntax.Expr) {
	for i := range n {
		p := pysyntax.Param{Place: at, Name: fmt.Sprintf("%s %d", unnamedElement, i)}
		names, values = append(names, p), append(values, &pysyntax.Name{Place: at, Name: p.Name})
	}
	return names, values
}

// tupleWidth returns the length of the tuples over which e iterates, such as 2 for zip(xs, ys). It returns 0 for other
// expressions.
func (r *rewriter) tupleWidth(e pysyntax.Expr) int {
	call, ok := e.(*pysyntax.Call)
	if !ok {
		return 0
	}
	positional := countPositional(call)
	switch name := r.pythonName(call.Func); {
	case isItems(call):
		return 2
	case name == "enumerate" && positional > 0:
		return 2
	case name == "zip" && positional > 1 && positional == len(call.Args):
		return positional
	case name == "sorted" && positional == 1 && isItems(call.Args[0].Value) && !hasKey(call):
		return 2
	}
	return 0
}

// rewriteKey rewrites the body of a lambda that returns a sort key. Tuples become lists, which have the same order.
func (r *rewriter) rewriteKey(e pysyntax.Expr) pysyntax.Expr {
	if tuple, ok := e.(*pysyntax.List); ok && tuple.Brackets == pysyntax.Round {
		rewritten := *tuple
		rewritten.Brackets = pysyntax.Square
		return pysyntax.MapParts(&rewritten, r.rewriteKey)
	}
	return r.rewriteValue(e)
}

// rewriteBuiltin rewrites a call of dict, isinstance or pow. It returns nil for other functions and for a call that it
// does not replace.
func (r *rewriter) rewriteBuiltin(e *pysyntax.Call, name string) pysyntax.Expr {
	switch name {
	case "dict":
		return r.rewriteDict(e)
	case "isinstance":
		return r.rewriteInstance(e)
	case "pow":
		if len(e.Args) == 2 && countPositional(e) == 2 {
			op := pysyntax.Op{Place: e.Place, Text: "**"}
			return &pysyntax.Binary{Place: e.Place, Op: op, X: r.rewriteValue(e.Args[0].Value), Y: r.rewriteValue(e.Args[1].Value)}
		}
	}
	return nil
}

// rewriteDict rewrites dict(a=x), dict(pairs) and dict(d, a=x). It returns nil for other calls.
func (r *rewriter) rewriteDict(e *pysyntax.Call) pysyntax.Expr {
	rewritten := &pysyntax.Dict{Place: e.Place}
	for i, a := range e.Args {
		switch {
		case a.Star || a.Name == "" && i > 0:
			return nil
		case a.Name != "":
			rewritten.Items = append(rewritten.Items, pysyntax.Item{Key: &pysyntax.Str{Place: a.Place, Value: a.Name}, Value: r.rewriteValue(a.Value)})
		case len(e.Args) == 1:
			return r.rewriteDictOf(e, a)
		default:
			single := *e
			single.Args = []pysyntax.Arg{a}
			value := r.rewriteDictOf(&single, a)
			if value == nil {
				return nil
			}
			rewritten.Items = append(rewritten.Items, pysyntax.Item{Value: value})
		}
	}
	return rewritten
}

// rewriteDictOf rewrites e, a call of dict with the single argument a. If a iterates over pairs, as zip(xs, ys) does, it
// returns a dict comprehension. Otherwise it returns a call of dict with a rewritten argument.
func (r *rewriter) rewriteDictOf(e *pysyntax.Call, a pysyntax.Arg) pysyntax.Expr {
	if comp, ok := a.Value.(*pysyntax.Comp); ok && comp.Key == nil && comp.Brackets != pysyntax.Curly {
		pair, ok := comp.Elem.(*pysyntax.List)
		if !ok || pair.Brackets == pysyntax.Curly || len(pair.Elems) != 2 || hasStar(pair) {
			return nil
		}
		rewritten := *comp
		rewritten.Place, rewritten.Key, rewritten.Elem = e.Place, pair.Elems[0], pair.Elems[1]
		return r.rewriteComp(&rewritten, pysyntax.Square, false)
	}
	if r.tupleWidth(a.Value) == 2 {
		names, values := newElementNames(a.Place, 2)
		loop := pysyntax.Loop{Var: names[0], More: names[1:], In: a.Value}
		rewritten := &pysyntax.Comp{Place: e.Place, Key: values[0], Elem: values[1], Loops: []pysyntax.Loop{loop}}
		return r.rewriteComp(rewritten, pysyntax.Square, false)
	}
	rewritten := *e
	rewritten.Args = r.rewriteArgs(e.Args)
	return &rewritten
}

// rewriteInstance rewrites isinstance(x, types), where types is a type or a tuple of types. It returns nil if types
// is something else.
func (r *rewriter) rewriteInstance(e *pysyntax.Call) pysyntax.Expr {
	names, ok := typeNames(e)
	if !ok {
		return nil
	}
	for _, name := range names {
		if r.pythonName(&pysyntax.Name{Name: name}) == "" {
			return nil
		}
	}
	rewritten := *e
	rewritten.Args = append(r.rewriteArgs(e.Args[:1]), e.Args[1])
	return &rewritten
}
