package lambda

import (
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// otherValue is the help for a tuple, a set or an iterator that no list can replace.
const otherValue = "a list would have another value here, so write this part in Go"

// mayBeList reports whether the lambda has the same value if a list takes the place of the tuple, set or
// iterator at a place: if nothing around that makes a text of it or compares it with anything else.
func (n *nameResolver) mayBeList(at pysyntax.Place) bool {
	var around []pysyntax.Expr // from the outermost to the innermost
	pysyntax.Walk(n.body, func(e pysyntax.Expr) {
		if o := e.Location(); o != at && o.From <= at.From && at.To <= o.To {
			around = append(around, e)
		}
	})
	for _, e := range slices.Backward(around) {
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
			if e.X.Location() == at { // an element, which remains what it is
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

// comparesTuples reports whether a comparison is one of tuples.
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

// readsLists reports whether a call has the same value with a list as with a tuple or a set. Functions of
// Go take lists only.
func (n *nameResolver) readsLists(e *pysyntax.Call) bool {
	switch f := e.Func.(type) {
	case *pysyntax.Name:
		return n.isHidden(f.Name) || !slices.Contains([]string{"ascii", "format", "hash", "isinstance", "print", "repr", "str", "type"}, f.Name)
	case *pysyntax.Attr:
		return n.findPackage(f.X) != nil || n.isDeps(f.X)
	}
	return false
}
