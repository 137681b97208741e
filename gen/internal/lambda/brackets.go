package lambda

import (
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

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
