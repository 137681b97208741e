package lambda

import (
	"maps"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// maxCopies limits how many copies of the lambda's arguments the value of an expression may contain. Without a limit,
// the value of [y + y for y in [y + y for y in …]] could be exponentially larger than the lambda. Growth that depends
// on the values of arguments, as in s * n, is limited at run time.
const maxCopies = 256

// checkSize reports an expression whose value may become too large.
func checkSize(e pysyntax.Expr, names *nameResolver) {
	(&copyCounter{nameResolver: names, elements: map[string]int{}}).boundedCopies(e)
}

// copyCounter estimates how many copies of the arguments the value of an expression may contain.
type copyCounter struct {
	*nameResolver
	elements map[string]int // number of copies in each loop variable
	reported bool           // a fault was reported
}

// boundedCopies returns the number of copies of the arguments that the value of e may contain. It reports a fault if
// that exceeds maxCopies.
func (s *copyCounter) boundedCopies(e pysyntax.Expr) int {
	n := s.exprCopies(e)
	if n <= maxCopies || s.reported {
		return min(n, maxCopies)
	}
	s.reported = true
	s.addFault("too-large", e.Location(), "the result may contain more than %d copies of the arguments", maxCopies).
		WithHelp("write a Go function and call it here")
	return 1
}

// exprCopies is boundedCopies without the check of the limit for e itself.
func (s *copyCounter) exprCopies(e pysyntax.Expr) int {
	switch e := e.(type) {
	case *pysyntax.Name:
		return max(1, s.elements[e.Name])
	case *pysyntax.List, *pysyntax.Dict:
		return s.sumCopies(pysyntax.Parts(e))
	case *pysyntax.FString:
		return 2 * s.sumCopies(pysyntax.Parts(e)) // for the same reason as str, see callCopies
	case *pysyntax.Attr:
		return s.boundedCopies(e.X)
	case *pysyntax.Index:
		s.boundedCopies(e.Index)
		return s.boundedCopies(e.X)
	case *pysyntax.Slice:
		s.maxCopiesOf([]pysyntax.Expr{e.Start, e.Stop, e.Step})
		return s.boundedCopies(e.X)
	case *pysyntax.Binary:
		if (e.Op.Text == "+" || e.Op.Text == "|") && !s.isNumber(e) {
			return s.sumCopies(pysyntax.Parts(e))
		}
	case *pysyntax.Comp:
		return s.compCopies(e)
	case *pysyntax.Iter:
		return s.maxCopiesOf(pysyntax.Parts(e))
	case *pysyntax.Call:
		return s.callCopies(e)
	}
	return s.maxCopiesOf(pysyntax.Parts(e))
}

// isNumber reports whether an expression always returns a number, or fails. Unlike the sum of strings, the sum of
// numbers does not need more space than its operands.
func (s *copyCounter) isNumber(e pysyntax.Expr) bool {
	switch e := e.(type) {
	case *pysyntax.Int, *pysyntax.Float, *pysyntax.Bool:
		return true
	case *pysyntax.Name:
		_, element := s.elements[e.Name]
		v := s.Env[e.Name]
		return !element && v != nil && !v.IsBad() && v.IsNumber()
	case *pysyntax.Unary:
		return s.isNumber(e.X)
	case *pysyntax.Binary:
		switch e.Op.Text {
		case "+", "-", "/", "//", "**":
			return s.isNumber(e.Y) || s.isNumber(e.X)
		case "*":
			return s.isNumber(e.Y) && s.isNumber(e.X)
		}
	case *pysyntax.Call:
		f, ok := e.Func.(*pysyntax.Name)
		return ok && slices.Contains([]string{"len", "int", "float"}, f.Name) && s.Package().Scope().Lookup(f.Name) == nil
	}
	return false
}

func (s *copyCounter) sumCopies(list []pysyntax.Expr) int {
	n := 0
	for _, e := range list {
		n += s.boundedCopies(e)
	}
	return n
}

func (s *copyCounter) maxCopiesOf(list []pysyntax.Expr) int {
	n := 1
	for _, e := range list {
		if e != nil {
			n = max(n, s.boundedCopies(e))
		}
	}
	return n
}

// compCopies returns the number of copies in an element of a comprehension.
func (s *copyCounter) compCopies(e *pysyntax.Comp) int {
	outer, n := s.elements, 1
	for _, l := range e.Loops {
		s.bindElements(l.Names(), s.boundedCopies(l.In))
		n = max(n, s.maxCopiesOf([]pysyntax.Expr{l.If}))
	}
	n = max(n, s.maxCopiesOf([]pysyntax.Expr{e.Key, e.Elem}))
	s.elements = outer
	return n
}

// bindElements records that each of names is a loop variable whose value contains the given number of copies.
func (s *copyCounter) bindElements(names []pysyntax.Param, copies int) {
	s.elements = maps.Clone(s.elements)
	for _, p := range names {
		s.elements[p.Name] = copies
	}
}

func (s *copyCounter) callCopies(e *pysyntax.Call) int {
	n := 1
	var args []pysyntax.Expr
	var key *pysyntax.Lambda
	for _, a := range e.Args {
		if l, ok := a.Value.(*pysyntax.Lambda); ok {
			key = l
		} else {
			args = append(args, a.Value)
		}
	}
	largest := s.maxCopiesOf(args)
	if key != nil && len(key.Params) == 1 {
		outer := s.elements
		s.bindElements(key.Params, largest)
		s.boundedCopies(key.Body)
		s.elements = outer
	}
	switch f := e.Func.(type) {
	case *pysyntax.Name:
		if f.Name == "str" || f.Name == "format" || f.Name == "repr" {
			largest *= 2 // strings inside lists are quoted, and their escapes can double the size
		}
		if s.isPython(f.Name) {
			n = largest
		}
	case *pysyntax.Attr:
		n = max(s.boundedCopies(f.X), largest)
		if textMethods[f.Name.Name] != nil {
			n *= methodGrowth(f, args)
		}
	}
	return n
}

// methodGrowth returns the factor by which the result of a method can be larger than the receiver and arguments, because
// of literals: x.replace('a', 'bbbb') can grow by a factor of 5.
func methodGrowth(f *pysyntax.Attr, args []pysyntax.Expr) int {
	length := func(e pysyntax.Expr) int {
		if text, ok := e.(*pysyntax.Str); ok {
			return len(text.Value)
		}
		return 0
	}
	switch f.Name.Name {
	case "format":
		if template, ok := f.X.(*pysyntax.Str); ok {
			return 2 * max(1, strings.Count(template.Value, "{"))
		}
	case "join":
		return 1 + length(f.X)/len(`"",`) // in JSON, each element has a separator and quotes as well
	case "replace":
		if len(args) >= 2 {
			return max(1, (length(args[1])+length(args[0]))/max(1, length(args[0])))
		}
	}
	return 1
}

// isLinear reports whether the size of a list is at most proportional to the size of the lambda's arguments.
func isLinear(e pysyntax.Expr, n *nameResolver) bool {
	if n.usesRange || mayGrow(e) {
		return false
	}
	switch e := e.(type) {
	case *pysyntax.Comp:
		l := e.Loops[0]
		return isLinear(l.In, n) && len(l.More) == 0 && len(e.Loops) == 1 && usesOnlyName(e.Elem, l.Var.Name, n)
	case *pysyntax.Lambda, *pysyntax.Attr:
		return true
	}
	return !slices.ContainsFunc(pysyntax.Parts(e), func(part pysyntax.Expr) bool { return !isLinear(part, n) })
}

// usesOnlyName reports whether name is the only variable in e, and no operation in e may grow (see mayGrow). Then the
// list [e for name in xs] is not much larger than xs.
func usesOnlyName(e pysyntax.Expr, name string, n *nameResolver) bool {
	onlyName := true
	pysyntax.Walk(e, func(part pysyntax.Expr) {
		switch part := part.(type) {
		case *pysyntax.Name:
			onlyName = onlyName && (part.Name == name || n.isPython(part.Name))
		case *pysyntax.Comp:
			onlyName = false
		}
		onlyName = onlyName && !mayGrow(part)
	})
	return onlyName
}

// mayGrow reports whether the result of an operation may be much longer than its operands together.
func mayGrow(e pysyntax.Expr) bool {
	switch e := e.(type) {
	case *pysyntax.Binary:
		return e.Op.Text == "*"
	case *pysyntax.FString:
		return padsValues(e)
	case *pysyntax.Call:
		return mayGrowText(e)
	}
	return false
}

// mayGrowText reports whether a call may return a string that is much longer than the receiver and the arguments
// together, depending on values that are not literals.
func mayGrowText(e *pysyntax.Call) bool {
	if f, ok := e.Func.(*pysyntax.Name); ok && f.Name == "format" && len(e.Args) == 2 {
		return mayWiden(e.Args[1].Value)
	}
	f, ok := e.Func.(*pysyntax.Attr)
	if !ok {
		return false
	}
	isText := func(e pysyntax.Expr) bool { _, ok := e.(*pysyntax.Str); return ok }
	switch f.Name.Name {
	case "zfill", "ljust", "rjust", "center", "expandtabs":
		return true
	case "join":
		return !isText(f.X)
	case "format":
		return mayWiden(f.X)
	case "replace":
		return len(e.Args) < 2 || !isText(e.Args[1].Value)
	}
	return false
}
