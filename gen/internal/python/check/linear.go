package check

import "github.com/aiongen/aiongen/gen/internal/python/syntax"

// isLinear reports whether what a list holds grows no faster than what it is made of.
func (n *names) isLinear(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Comp:
		return n.isLinear(e.In) && n.isClosed(e.Elem, e.Var.Name)
	case *syntax.Binary:
		if e.Op.Text == "*" {
			return false
		}
	case *syntax.Lambda, *syntax.Attr:
		return true
	}
	for _, part := range syntax.Parts(e) {
		if part != nil && !n.isLinear(part) {
			return false
		}
	}
	return true
}

// isClosed reports whether an expression is made of one name alone, so that a list
// of its values is no larger than the list of what the name stands for.
func (n *names) isClosed(e syntax.Expr, name string) bool {
	closed := true
	syntax.Walk(e, func(part syntax.Expr) {
		switch part := part.(type) {
		case *syntax.Name:
			closed = closed && (part.Name == name || n.isPython(part.Name))
		case *syntax.Binary:
			closed = closed && part.Op.Text != "*"
		case *syntax.Comp:
			closed = false
		}
	})
	return closed
}
