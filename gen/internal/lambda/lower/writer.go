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

// declareVariable stores the value of a step in a variable.
func (w *writer) declareVariable(s *ir.Step) *localVariable {
	l := w.newLocal(s)
	w.variables[s] = l
	return l
}

// operand is the expression of a step that waits for its only use.
type operand struct {
	expr   ast.Expr
	inTurn bool // must keep its position among the other steps
	calls  bool // calls a function that the lambda names
	reads  bool // reads a variable that such a function may set, other than as an argument
}
