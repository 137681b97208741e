package translate

import (
	"strings"

	"github.com/aiongen/aiongen/aion/lambda"
)

// maxCopies bounds how many times the value of an expression may hold what the
// arguments hold. Without a bound, [y + y for y in [y + y for y in …]] would be as
// large as two to the power of its length. What grows with the arguments themselves,
// such as s * n, is bounded when it runs.
const maxCopies = 256

// A scale tells how large values may become.
type scale struct {
	g      *generator
	names  map[string]int // of comprehensions
	beyond bool           // whether that was reported
}

// of is how many times an expression may hold its arguments. Beyond maxCopies, there
// is a fault.
func (s *scale) of(e lambda.Expr) int {
	n := s.copies(e)
	if n <= maxCopies || s.beyond {
		return min(n, maxCopies)
	}
	s.beyond = true
	s.g.fault("too-large", e.At(), "the result may hold the arguments more than %d times", maxCopies).
		WithHelp("write a Go function, and call it here")
	return 1
}

func (s *scale) copies(e lambda.Expr) int {
	switch e := e.(type) {
	case *lambda.Name:
		return max(1, s.names[e.Name])
	case *lambda.List, *lambda.Dict:
		return s.sum(lambda.Parts(e))
	case *lambda.FString:
		return 2 * s.sum(lambda.Parts(e)) // as str
	case *lambda.Attr:
		return s.of(e.X)
	case *lambda.Index:
		s.of(e.Index)
		return s.of(e.X)
	case *lambda.Slice:
		s.largest([]lambda.Expr{e.Start, e.Stop, e.Step})
		return s.of(e.X)
	case *lambda.Binary:
		if e.Op.Text == "+" && !s.isNumber(e) {
			return s.sum(lambda.Parts(e))
		}
	case *lambda.Comp:
		return s.loop(e.Var.Name, s.of(e.In), []lambda.Expr{e.Elem, e.If})
	case *lambda.Call:
		return s.call(e)
	}
	return s.largest(lambda.Parts(e))
}

// isNumber reports whether an expression is a number, or fails: sums of these are no
// larger than what they add.
func (s *scale) isNumber(e lambda.Expr) bool {
	switch e := e.(type) {
	case *lambda.Int, *lambda.Float, *lambda.Bool:
		return true
	case *lambda.Name:
		_, element := s.names[e.Name]
		v := s.g.env[e.Name]
		return !element && v != nil && !v.bad() && isNumber(v)
	case *lambda.Unary:
		return s.isNumber(e.X)
	case *lambda.Binary:
		switch e.Op.Text {
		case "+", "-", "/", "//", "**":
			return s.isNumber(e.Y) || s.isNumber(e.X)
		case "*":
			return s.isNumber(e.Y) && s.isNumber(e.X)
		}
	case *lambda.Call:
		f, ok := e.Func.(*lambda.Name)
		return ok && (f.Name == "len" || f.Name == "int" || f.Name == "float") && s.g.scope.Package.Scope().Lookup(f.Name) == nil
	}
	return false
}

func (s *scale) sum(list []lambda.Expr) int {
	n := 0
	for _, e := range list {
		if e != nil {
			n += s.of(e)
		}
	}
	return n
}

func (s *scale) largest(list []lambda.Expr) int {
	n := 1
	for _, e := range list {
		if e != nil {
			n = max(n, s.of(e))
		}
	}
	return n
}

// loop is the largest of some expressions where a name stands for an element.
func (s *scale) loop(name string, copies int, list []lambda.Expr) int {
	outer, hidden := s.names[name]
	s.names[name] = copies
	n := s.largest(list)
	if delete(s.names, name); hidden {
		s.names[name] = outer
	}
	return n
}

func (s *scale) call(e *lambda.Call) int {
	n := 1
	var args []lambda.Expr
	var key *lambda.Lambda
	for _, a := range e.Args {
		if l, ok := a.Value.(*lambda.Lambda); ok {
			key = l
		} else {
			args = append(args, a.Value)
		}
	}
	largest := s.largest(args)
	if key != nil && len(key.Params) == 1 {
		s.loop(key.Params[0].Name, largest, []lambda.Expr{key.Body})
	}
	switch f := e.Func.(type) {
	case *lambda.Name:
		if f.Name == "str" {
			largest *= 2 // quotes within lists are escaped
		}
		if builtins[f.Name] != nil {
			n = largest
		}
	case *lambda.Attr:
		n = max(s.of(f.X), largest)
		if methods[f.Name.Name] != nil {
			n *= growth(f, args)
		}
	}
	return n
}

// growth is how many times larger than its parts a method may make a text, as far as
// the lambda decides on it.
func growth(f *lambda.Attr, args []lambda.Expr) int {
	length := func(e lambda.Expr) int {
		if text, ok := e.(*lambda.Str); ok {
			return len(text.Value)
		}
		return 0
	}
	switch f.Name.Name {
	case "format":
		if template, ok := f.X.(*lambda.Str); ok {
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

// isLinear reports whether what a list holds grows no faster than what it is made of.
func isLinear(e lambda.Expr) bool {
	switch e := e.(type) {
	case *lambda.Comp:
		return isLinear(e.In) && isClosed(e.Elem, e.Var.Name)
	case *lambda.Binary:
		if e.Op.Text == "*" {
			return false
		}
	case *lambda.Lambda, *lambda.Attr:
		return true
	}
	for _, part := range lambda.Parts(e) {
		if part != nil && !isLinear(part) {
			return false
		}
	}
	return true
}

// isClosed reports whether an expression is made of one name alone, so that a list
// of its values is no larger than the list of what the name stands for.
func isClosed(e lambda.Expr, name string) bool {
	closed := true
	lambda.Walk(e, func(part lambda.Expr) {
		switch part := part.(type) {
		case *lambda.Name:
			closed = closed && (part.Name == name || builtins[part.Name] != nil)
		case *lambda.Binary:
			closed = closed && part.Op.Text != "*"
		case *lambda.Comp:
			closed = false
		}
	})
	return closed
}
