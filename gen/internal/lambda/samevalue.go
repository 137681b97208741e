package lambda

import (
	"slices"

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
