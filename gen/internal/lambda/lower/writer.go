package lower

import (
	"go/ast"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// writer writes a function and the function literals inside it.
type writer struct {
	*nameTable
	uses      useTable
	variables map[*ir.Step]*localVariable
	operands  map[*ir.Step]*operand
	results   []types.Type // of the current function, without the error
	fails     bool
}

// declareVariable creates the variable that holds the value of a step.
func (w *writer) declareVariable(s *ir.Step) *localVariable {
	l := w.newLocal(s)
	w.variables[s] = l
	return l
}

// operand is the expression of a step that has not been printed, because it will be part of the expression or
// statement that uses it.
type operand struct {
	expr   ast.Expr
	inTurn bool // must keep its position among the other steps
	calls  bool // calls a function that the lambda names
	reads  bool // reads a variable that such a function may set, outside of the arguments of calls
}
