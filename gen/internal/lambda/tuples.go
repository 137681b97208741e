package lambda

import (
	"fmt"

	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// rewriteResult rewrites an expression whose value is the result of the lambda, or part of it. The result
// becomes JSON, so its tuples may be lists.
func (r *rewriter) rewriteResult(e pysyntax.Expr) pysyntax.Expr {
	switch e := e.(type) {
	case *pysyntax.List:
		if e.Brackets == pysyntax.Curly {
			break
		}
		made := *e
		made.Brackets = pysyntax.Square
		return pysyntax.MapParts(&made, r.rewriteResult)
	case *pysyntax.Dict:
		made := *e
		made.Items = nil
		for _, item := range e.Items {
			if item.Key == nil {
				made.Items = append(made.Items, pysyntax.Item{Value: r.rewriteValue(item.Value)})
			} else {
				made.Items = append(made.Items, pysyntax.Item{Key: r.rewriteValue(item.Key), Value: r.rewriteResult(item.Value)})
			}
		}
		return &made
	case *pysyntax.Cond:
		made := &pysyntax.Cond{Place: e.Place, If: r.rewriteValue(e.If)}
		made.Then, made.Else = r.rewriteResult(e.Then), r.rewriteResult(e.Else)
		return made
	case *pysyntax.Comp:
		if e.Brackets == pysyntax.Square {
			return r.rewriteLoop(r.unpackElements(e), pysyntax.Square, false, r.rewriteResult)
		}
	case *pysyntax.Call:
		return r.rewriteResultCall(e)
	}
	return r.rewriteValue(e)
}

// rewriteResultCall rewrites a call whose value is a result.
func (r *rewriter) rewriteResultCall(e *pysyntax.Call) pysyntax.Expr {
	var of pysyntax.Expr = e
	name := r.pythonName(e.Func)
	isList := (name == "list" || name == "tuple") && len(e.Args) == 1 && countPositional(e) == 1
	if isList {
		of = e.Args[0].Value
	}
	comp, isComp := of.(*pysyntax.Comp)
	switch {
	case r.tupleWidth(of) > 0 && (isList || name == "sorted"):
		return r.rewriteLoop(r.unpackElements(newListComp(e.Place, of)), pysyntax.Square, false, r.rewriteResult)
	case isList && isComp && comp.Brackets == pysyntax.Round:
		made := r.rewriteLoop(comp, pysyntax.Square, false, r.rewriteResult)
		made.Place = e.Place
		return made
	case name == "tuple" && (isList || len(e.Args) == 0):
		return r.rewriteList(e, false)
	}
	value := r.rewriteValue(e)
	call, ok := value.(*pysyntax.Call)
	if !ok {
		return value
	}
	made := *call
	made.MayBeTuple = true
	return &made
}

// unpackElements returns [[a, b] for a, b in zip(xs, ys)] for [x for x in zip(xs, ys)], and other
// comprehensions unchanged.
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
	made := *e
	made.Elem = &pysyntax.List{Place: name.Place, Elems: elements}
	made.Loops = []pysyntax.Loop{{Var: names[0], More: names[1:], In: l.In}}
	return &made
}

// newElementNames returns names for the elements of a tuple, which hide no other names.
func newElementNames(at pysyntax.Place, n int) (names []pysyntax.Param, values []pysyntax.Expr) {
	for i := range n {
		p := pysyntax.Param{Place: at, Name: fmt.Sprintf("%s %d", unnamedElement, i)}
		names, values = append(names, p), append(values, &pysyntax.Name{Place: at, Name: p.Name})
	}
	return names, values
}

// tupleWidth returns the number of elements of the tuples that a call makes, or 0 if it makes none.
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

// rewriteKey rewrites the value of the argument key for an element. Tuples are compared like lists.
func (r *rewriter) rewriteKey(e pysyntax.Expr) pysyntax.Expr {
	if tuple, ok := e.(*pysyntax.List); ok && tuple.Brackets == pysyntax.Round {
		made := *tuple
		made.Brackets = pysyntax.Square
		return pysyntax.MapParts(&made, r.rewriteKey)
	}
	return r.rewriteValue(e)
}

// rewriteBuiltin rewrites a call of dict, isinstance or pow. It returns nil for others, and for calls
// that remain as they are.
func (r *rewriter) rewriteBuiltin(e *pysyntax.Call, name string) pysyntax.Expr {
	switch name {
	case "dict":
		return r.rewriteDict(e)
	case "isinstance":
		return r.rewriteInstance(e)
	case "pow":
		if len(e.Args) == 2 && countPositional(e) == 2 {
			return r.rewritePow(e)
		}
	}
	return nil
}

// rewriteDict rewrites dict(a=x), dict(pairs) and dict(d, a=x). It returns nil for other calls.
func (r *rewriter) rewriteDict(e *pysyntax.Call) pysyntax.Expr {
	made := &pysyntax.Dict{Place: e.Place}
	for i, a := range e.Args {
		switch {
		case a.Star || a.Name == "" && i > 0:
			return nil
		case a.Name != "":
			made.Items = append(made.Items, pysyntax.Item{Key: &pysyntax.Str{Place: a.Place, Value: a.Name}, Value: r.rewriteValue(a.Value)})
		case len(e.Args) == 1:
			return r.rewriteDictOf(e, a)
		default:
			of := *e
			of.Args = []pysyntax.Arg{a}
			value := r.rewriteDictOf(&of, a)
			if value == nil {
				return nil
			}
			made.Items = append(made.Items, pysyntax.Item{Value: value})
		}
	}
	return made
}

// rewriteDictOf rewrites dict of one argument. It returns a call of dict if the argument is not written
// as pairs.
func (r *rewriter) rewriteDictOf(e *pysyntax.Call, a pysyntax.Arg) pysyntax.Expr {
	if comp, ok := a.Value.(*pysyntax.Comp); ok && comp.Key == nil && comp.Brackets != pysyntax.Curly {
		pair, ok := comp.Elem.(*pysyntax.List)
		if !ok || pair.Brackets == pysyntax.Curly || len(pair.Elems) != 2 || hasStar(pair) {
			return nil
		}
		made := *comp
		made.Place, made.Key, made.Elem = e.Place, pair.Elems[0], pair.Elems[1]
		return r.rewriteComp(&made, pysyntax.Square, false)
	}
	if r.tupleWidth(a.Value) == 2 {
		names, values := newElementNames(a.Place, 2)
		loop := pysyntax.Loop{Var: names[0], More: names[1:], In: a.Value}
		made := &pysyntax.Comp{Place: e.Place, Key: values[0], Elem: values[1], Loops: []pysyntax.Loop{loop}}
		return r.rewriteComp(made, pysyntax.Square, false)
	}
	made := *e
	made.Args = r.rewriteArgs(e.Args)
	return &made
}

// rewritePow rewrites pow(a, b).
func (r *rewriter) rewritePow(e *pysyntax.Call) pysyntax.Expr {
	return &pysyntax.Binary{Place: e.Place, Op: pysyntax.Op{Place: e.Place, Text: "**"}, X: r.rewriteValue(e.Args[0].Value), Y: r.rewriteValue(e.Args[1].Value)}
}

// rewriteInstance rewrites isinstance, whose second argument may be a tuple of types. It returns nil if
// that is something else.
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
	made := *e
	made.Args = append(r.rewriteArgs(e.Args[:1]), e.Args[1])
	return &made
}
