// Package size bounds how large the value of a lambda may become, by its text.
package size

import (
	"strings"

	"github.com/aiongen/aiongen/gen/internal/python/ops"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// maxCopies bounds how many times the value of an expression may hold what the
// arguments hold. Without a bound, [y + y for y in [y + y for y in …]] would be as
// large as two to the power of its length. What grows with the arguments themselves,
// such as s * n, is bounded when it runs.
const maxCopies = 256

// Check reports an expression that may become too large.
func Check(e syntax.Expr, names *scope.Names) {
	(&scale{Names: names, elements: map[string]int{}}).of(e)
}

// A scale tells how large values may become.
type scale struct {
	*scope.Names
	elements map[string]int // of comprehensions
	beyond   bool           // whether that was reported
}

// of is how many times an expression may hold its arguments. Beyond maxCopies, there
// is a fault.
func (s *scale) of(e syntax.Expr) int {
	n := s.copies(e)
	if n <= maxCopies || s.beyond {
		return min(n, maxCopies)
	}
	s.beyond = true
	s.Fault("too-large", e.At(), "the result may hold the arguments more than %d times", maxCopies).
		WithHelp("write a Go function, and call it here")
	return 1
}

func (s *scale) copies(e syntax.Expr) int {
	switch e := e.(type) {
	case *syntax.Name:
		return max(1, s.elements[e.Name])
	case *syntax.List, *syntax.Dict:
		return s.sum(syntax.Parts(e))
	case *syntax.FString:
		return 2 * s.sum(syntax.Parts(e)) // as str
	case *syntax.Attr:
		return s.of(e.X)
	case *syntax.Index:
		s.of(e.Index)
		return s.of(e.X)
	case *syntax.Slice:
		s.largest([]syntax.Expr{e.Start, e.Stop, e.Step})
		return s.of(e.X)
	case *syntax.Binary:
		if e.Op.Text == "+" && !s.isNumber(e) {
			return s.sum(syntax.Parts(e))
		}
	case *syntax.Comp:
		return s.loop(e.Var.Name, s.of(e.In), []syntax.Expr{e.Elem, e.If})
	case *syntax.Call:
		return s.call(e)
	}
	return s.largest(syntax.Parts(e))
}

// isNumber reports whether an expression is a number, or fails: sums of these are no
// larger than what they add.
func (s *scale) isNumber(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Int, *syntax.Float, *syntax.Bool:
		return true
	case *syntax.Name:
		_, element := s.elements[e.Name]
		v := s.Env[e.Name]
		return !element && v != nil && !v.Bad() && v.IsNumber()
	case *syntax.Unary:
		return s.isNumber(e.X)
	case *syntax.Binary:
		switch e.Op.Text {
		case "+", "-", "/", "//", "**":
			return s.isNumber(e.Y) || s.isNumber(e.X)
		case "*":
			return s.isNumber(e.Y) && s.isNumber(e.X)
		}
	case *syntax.Call:
		f, ok := e.Func.(*syntax.Name)
		return ok && (f.Name == "len" || f.Name == "int" || f.Name == "float") && s.Package().Scope().Lookup(f.Name) == nil
	}
	return false
}

func (s *scale) sum(list []syntax.Expr) int {
	n := 0
	for _, e := range list {
		if e != nil {
			n += s.of(e)
		}
	}
	return n
}

func (s *scale) largest(list []syntax.Expr) int {
	n := 1
	for _, e := range list {
		if e != nil {
			n = max(n, s.of(e))
		}
	}
	return n
}

// loop is the largest of some expressions where a name stands for an element.
func (s *scale) loop(name string, copies int, list []syntax.Expr) int {
	outer, hidden := s.elements[name]
	s.elements[name] = copies
	n := s.largest(list)
	if delete(s.elements, name); hidden {
		s.elements[name] = outer
	}
	return n
}

func (s *scale) call(e *syntax.Call) int {
	n := 1
	var args []syntax.Expr
	var key *syntax.Lambda
	for _, a := range e.Args {
		if l, ok := a.Value.(*syntax.Lambda); ok {
			key = l
		} else {
			args = append(args, a.Value)
		}
	}
	largest := s.largest(args)
	if key != nil && len(key.Params) == 1 {
		s.loop(key.Params[0].Name, largest, []syntax.Expr{key.Body})
	}
	switch f := e.Func.(type) {
	case *syntax.Name:
		if f.Name == "str" {
			largest *= 2 // quotes within lists are escaped
		}
		if s.IsPython(f.Name) {
			n = largest
		}
	case *syntax.Attr:
		n = max(s.of(f.X), largest)
		if ops.Methods[f.Name.Name] != nil {
			n *= growth(f, args)
		}
	}
	return n
}

// growth is how many times larger than its parts a method may make a text, as far as
// the lambda decides on it.
func growth(f *syntax.Attr, args []syntax.Expr) int {
	length := func(e syntax.Expr) int {
		if text, ok := e.(*syntax.Str); ok {
			return len(text.Value)
		}
		return 0
	}
	switch f.Name.Name {
	case "format":
		if template, ok := f.X.(*syntax.Str); ok {
			return 2 * max(1, strings.Count(template.Value, "{"))
		}
	case "join":
		return 1 + length(f.X)/len(`"",`) // an element takes as much in JSON
	case "replace":
		if len(args) >= 2 {
			return max(1, (length(args[1])+length(args[0]))/max(1, length(args[0])))
		}
	}
	return 1
}

// IsLinear reports whether what a list holds grows no faster than what it is made of.
func IsLinear(e syntax.Expr, n *scope.Names) bool {
	switch e := e.(type) {
	case *syntax.Comp:
		return IsLinear(e.In, n) && isClosed(e.Elem, e.Var.Name, n)
	case *syntax.Binary:
		if e.Op.Text == "*" {
			return false
		}
	case *syntax.Lambda, *syntax.Attr:
		return true
	}
	for _, part := range syntax.Parts(e) {
		if part != nil && !IsLinear(part, n) {
			return false
		}
	}
	return true
}

// isClosed reports whether an expression is made of one name alone, so that a list
// of its values is no larger than the list of what the name stands for.
func isClosed(e syntax.Expr, name string, n *scope.Names) bool {
	closed := true
	syntax.Walk(e, func(part syntax.Expr) {
		switch part := part.(type) {
		case *syntax.Name:
			closed = closed && (part.Name == name || n.IsPython(part.Name))
		case *syntax.Binary:
			closed = closed && part.Op.Text != "*"
		case *syntax.Comp:
			closed = false
		}
	})
	return closed
}

// IsMultiplying reports whether a call may make a text that is larger than its parts
// together, as far as not the lambda decides on it.
func IsMultiplying(e *syntax.Call) bool {
	f, ok := e.Func.(*syntax.Attr)
	if !ok {
		return false
	}
	isText := func(e syntax.Expr) bool { _, ok := e.(*syntax.Str); return ok }
	switch f.Name.Name {
	case "join", "format":
		return !isText(f.X)
	case "replace":
		return len(e.Args) < 2 || !isText(e.Args[1].Value)
	}
	return false
}
