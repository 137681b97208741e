package lower

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// blockWriter writes the steps of a block. Steps whose order matters wait in a queue until another
// step uses them, or are stored in variables.
type blockWriter struct {
	*writer
	stmts   []ast.Stmt
	waiting []*ir.Step
	lastTry *checkedCall // the call that the last statement checks
}

// writeExpression writes a step that produces a value.
func (o *blockWriter) writeExpression(s *ir.Step) {
	if s.Timing == ir.Anytime && !s.InVariable {
		return // it is written at each use
	}
	if o.writeInPlace(s) {
		return
	}
	op := o.newOperand(s, o.takeOperands(s.Args, false))
	o.placeOperand(s, op)
}

// writeInPlace merges waiting operands into the step that uses them and lets the step wait in their
// position. It reports whether that was possible: the step itself must not depend on the order.
func (o *blockWriter) writeInPlace(s *ir.Step) bool {
	needed := intersectSteps(s.Args, o.waiting)
	if len(needed) == 0 || s.OwnTiming == ir.InTurn || !o.canWait(s) {
		return false
	}
	first := slices.Index(o.waiting, needed[0])
	last := first + len(needed)
	if last > len(o.waiting) || !slices.Equal(o.waiting[first:last], needed) {
		return false
	}
	var took []*operand
	for _, n := range needed {
		took = append(took, o.operands[n])
	}
	o.operands[s] = o.newOperand(s, took)
	o.waiting = slices.Replace(o.waiting, first, last, s)
	return true
}

// newOperand writes a step as an expression of the given operands, which waited.
func (o *blockWriter) newOperand(s *ir.Step, took []*operand) *operand {
	op := &operand{inTurn: s.OwnTiming == ir.InTurn, calls: s.Foreign, reads: readsVariable(s)}
	for _, t := range took {
		op.inTurn = true
		op.calls = op.calls || t.calls
		op.reads = op.reads || t.reads && passesReads(s)
	}
	op.expr = o.stepExpr(s)
	return op
}

// canWait reports whether a step can wait until its only use.
func (o *blockWriter) canWait(s *ir.Step) bool {
	u := o.uses[s]
	return u.count == 1 && !s.InVariable && u.usedAt == u.home
}

// placeOperand writes an expression to a variable, or keeps it for its only use.
func (o *blockWriter) placeOperand(s *ir.Step, op *operand) {
	u := o.uses[s]
	switch {
	case u.count == 0:
		o.storeAll()
		o.emit(assignStmt(ast.NewIdent("_"), op.expr))
	case o.canWait(s) && op.inTurn:
		o.operands[s] = op
		if op.calls {
			o.storeReads()
		}
		o.waiting = append(o.waiting, s)
	case u.count == 1 && !s.InVariable && !op.inTurn && u.usedAt.repeated == u.home.repeated:
		o.operands[s] = op
	default:
		if op.inTurn {
			o.storeAll()
		}
		o.emit(defineStmt(o.declareVariable(s).declaringIdent(), op.expr))
	}
}

// storeReads stores waiting steps that read a variable before a call of a function of the lambda. Go
// specifies the order of calls, but not when it reads variables between them.
func (o *blockWriter) storeReads() {
	for i := len(o.waiting) - 1; i >= 0; i-- {
		if o.operands[o.waiting[i]].reads {
			o.storeWaiting(i + 1)
			return
		}
	}
}

// readsVariable reports whether a step itself reads a variable that a function may set.
func readsVariable(s *ir.Step) bool {
	switch s.Op {
	case ir.Global:
		_, variable := s.Object.(*types.Var)
		return variable
	case ir.Select, ir.Index:
		return true
	case ir.Unary:
		return s.OwnTiming == ir.InTurn
	}
	return false
}

// passesReads reports whether a step reads the variables of its operands. A call evaluates its
// arguments before it runs, so it does not; len is not a call in this sense.
func passesReads(s *ir.Step) bool {
	return s.Op != ir.Call && s.Op != ir.Func || s.Op == ir.Call && s.Args[0].IsRef("", "len")
}

// takeOperands removes the operands of a step from the queue. The last waiting steps can stay in the
// step's expression if it uses them in order. Earlier ones are stored in variables if the step is a
// statement or uses them out of order.
func (o *blockWriter) takeOperands(args []*ir.Step, statement bool) (took []*operand) {
	var needed []*ir.Step
	for _, arg := range args {
		if slices.Contains(o.waiting, arg) {
			needed = append(needed, arg)
		}
	}
	first := 0 // index of the first one that stays in the expression
	for !slices.Equal(o.waiting[first:], intersectSteps(needed, o.waiting[first:])) {
		first++
	}
	kept := first
	for !statement && kept > 0 && !slices.Contains(needed, o.waiting[kept-1]) {
		kept--
	}
	for _, s := range o.waiting[first:] {
		took = append(took, o.operands[s])
	}
	o.waiting = o.waiting[:first]
	o.storeWaiting(kept)
	return took
}

// intersectSteps returns the steps that are also in others.
func intersectSteps(steps, others []*ir.Step) (list []*ir.Step) {
	for _, s := range steps {
		if slices.Contains(others, s) {
			list = append(list, s)
		}
	}
	return list
}

// storeWaiting stores the first n waiting steps in variables.
func (o *blockWriter) storeWaiting(n int) {
	for _, s := range o.waiting[:n] {
		o.emit(defineStmt(o.declareVariable(s).declaringIdent(), o.operands[s].expr))
	}
	o.waiting = slices.Clone(o.waiting[n:])
}

func (o *blockWriter) storeAll() { o.storeWaiting(len(o.waiting)) }

// emit appends statements. The caller must have stored all waiting steps that have to come first.
func (o *blockWriter) emit(stmts ...ast.Stmt) { o.stmts = append(o.stmts, stmts...) }
