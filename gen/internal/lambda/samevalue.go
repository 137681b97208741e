package lambda

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// listDiffersHelp is the help for a tuple, a set or an iterator that no list can replace.
const listDiffersHelp = "a list would change the value here: write this part in Go"

// mayBeList reports whether the lambda has the same value if the tuple, set or iterator at a place is replaced with a
// list. It is false if an enclosing expression converts the value to a string, compares it or calls a method on it.
func (n *nameResolver) mayBeList(at pysyntax.Place) bool {
	var enclosing []pysyntax.Expr // from the outermost to the innermost
	pysyntax.Walk(n.written, func(e pysyntax.Expr) {
		if o := e.Location(); o != at && o.From <= at.From && at.To <= o.To {
			enclosing = append(enclosing, e)
		}
	})
	for _, e := range slices.Backward(enclosing) {
		switch e := e.(type) {
		case *pysyntax.FString:
			return false
		case *pysyntax.Binary:
			if e.Op.Text == "%" {
				return false
			}
		case *pysyntax.Compare:
			return comparesTuples(e)
		case *pysyntax.Index:
			if e.X.Location() == at { // an element of a tuple equals that of the list
				return true
			}
		case *pysyntax.Call:
			name := writtenName(e.Func)
			if slices.Contains([]string{"all", "any", "bool", "len", "sum"}, name) && !n.isHidden(name) {
				return true
			}
			if !n.readsLists(e) {
				return false
			}
		}
	}
	return true
}

// comparesTuples reports whether all operands of a comparison are written as tuples.
func comparesTuples(e *pysyntax.Compare) bool {
	isTuple := func(e pysyntax.Expr) bool {
		list, ok := e.(*pysyntax.List)
		return ok && list.Brackets == pysyntax.Round
	}
	for _, c := range e.Rest {
		if !isTuple(c.Y) {
			return false
		}
	}
	return isTuple(e.X)
}

// readsLists reports whether a call has the same value if an argument is a list instead of a tuple or a set. That holds
// for all Go functions, because they accept only lists.
func (n *nameResolver) readsLists(e *pysyntax.Call) bool {
	switch f := e.Func.(type) {
	case *pysyntax.Name:
		return n.isHidden(f.Name) || !slices.Contains([]string{"ascii", "format", "hash", "isinstance", "print", "repr", "str", "type"}, f.Name)
	case *pysyntax.Attr:
		return n.findPackage(f.X) != nil || n.isDeps(f.X)
	}
	return false
}

// reportBrackets reports a tuple, a set or a generator where only a list is supported. It suggests a list if the
// lambda then compiles and has the same value.
func (r *rewriter) reportBrackets(e pysyntax.Expr, brackets pysyntax.Brackets) pysyntax.Expr {
	w := suggester{r.nameResolver}
	what, text := "a tuple", w.listText(e)
	_, isComp := e.(*pysyntax.Comp)
	switch {
	case brackets == pysyntax.Curly:
		what, text = "a set here, because it has no order", "sorted("+strings.TrimPrefix(w.text(e), "frozen")+")"
	case isComp:
		what = "a generator"
	}
	if call, ok := e.(*pysyntax.Call); ok && brackets != pysyntax.Curly {
		what = "Python's " + writtenName(call.Func)
	}
	d := r.addUnsupported(e.Location(), what)
	switch {
	case !r.mayBeList(e.Location()):
		d.WithHelp(listDiffersHelp)
	case r.suggest(d, e.Location(), text):
	case isComp:
		d.WithHelp("write a list comprehension: [… for x in xs]")
	case brackets == pysyntax.Curly:
		functionReplacement("set").addHelp(d)
	default:
		d.WithHelp("write a list: [a, b]")
	}
	return &pysyntax.Bad{Place: e.Location()}
}

// reportSetOperation reports an operation on two sets.
func (r *rewriter) reportSetOperation(e pysyntax.Expr, op pysyntax.Op, x, y pysyntax.Expr) pysyntax.Expr {
	what := "the operator " + op.Text + " of sets"
	if call, ok := e.(*pysyntax.Call); ok {
		what = "the method " + writtenName(call.Func) + " of a set"
	}
	d := r.addUnsupported(op.Place, what)
	text := suggester{r.nameResolver}.setOperation(op.Text, x, y)
	if text == "" || !r.suggest(d, e.Location(), text) && (!r.mayBeList(e.Location()) || !r.suggest(d, e.Location(), "sorted("+text+")")) {
		d.WithHelp("write a Go function for the two lists, and call it")
	}
	return &pysyntax.Bad{Place: e.Location()}
}
