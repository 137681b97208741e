package lower

import (
	"go/ast"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/code"
)

// A writer writes one function, and those within it.
type writer struct {
	*names
	uses      uses
	variables map[*code.Step]*local
	operands  map[*code.Step]*operand
	results   []types.Type // of the function that is under way, without the error
	fails     bool
}

// declare puts the value of a step into a variable.
func (w *writer) declare(s *code.Step) *local {
	l := w.newLocal(s)
	w.variables[s] = l
	return l
}

// An operand is a step on its way to the one place where it is used.
type operand struct {
	expr   ast.Expr
	inTurn bool // it must not pass what comes before or behind it
	calls  bool // it calls a function that lambdas can name
	reads  bool // it reads what such a function may set, other than as an argument
}
