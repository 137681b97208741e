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
	waiting []*ir.Step   // the queue, in evaluation order; their expressions are in operands
	lastTry *checkedCall // the last call that may fail
}

// writeExpression writes a step that produces a value.
func (o *blockWriter) writeExpression(s *ir.Step) {
	if s.Timing == ir.Anytime && !s.InVariable {
		return // operandExpr writes it at each use
	}
	if o.writeInPlace(s) {
		return
	}
	op := o.newOperand(s, o.takeOperands(s.Args, false))
	o.placeOperand(s, op)
}

// writeInPlace builds the expression of s from waiting operands and lets s wait in their position. It reports
// whether that was possible: the operands must follow each other in the queue, and the order must not matter for
// s itself.
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
	var operands []*operand
	for _, n := range needed {
		operands = append(operands, o.operands[n])
	}
	o.operands[s] = o.newOperand(s, operands)
	o.waiting = slices.Replace(o.waiting, first, last, s)
	return true
}

// newOperand returns the expression of s. operands are the operands of s that were waiting.
func (o *blockWriter) newOperand(s *ir.Step, operands []*operand) *operand {
	op := &operand{inTurn: s.OwnTiming == ir.InTurn, calls: s.Foreign, reads: readsVariable(s)}
	for _, t := range operands {
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

// placeOperand assigns the expression of s to a variable, or keeps it for its only use.
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

// storeReads stores the waiting steps up to the last one that reads a variable. It must be called before a call
// that may set the variable, because Go specifies the order of calls, but not when variables are read between
// them.
func (o *blockWriter) storeReads() {
	for i := len(o.waiting) - 1; i >= 0; i-- {
		if o.operands[o.waiting[i]].reads {
			o.storeWaiting(i + 1)
			return
		}
	}
}

// readsVariable reports whether a step, apart from its operands, reads a variable that a function may set.
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

// passesReads reports whether reads of variables in the operands of s count as reads of s. They do not if s is
// a call, because Go evaluates the arguments before it makes the call. Here, len counts as an operator, not as
// a call.
func passesReads(s *ir.Step) bool {
	return s.Op != ir.Call && s.Op != ir.Func || s.Op == ir.Call && s.Args[0].IsRef("", "len")
}

// takeOperands removes args from the queue. It returns the operands that can become part of the expression that uses
// args: those of the last steps in the queue, if args has them in the same order. It stores earlier steps in
// variables: all of them if a statement uses args, otherwise those up to the last one that is in args. For the queue
// a, b, c and the arguments b, c, for example, it returns b and c. For the arguments c, b it returns c and stores a
// and b.
func (o *blockWriter) takeOperands(args []*ir.Step, statement bool) (operands []*operand) {
	var needed []*ir.Step
	for _, arg := range args {
		if slices.Contains(o.waiting, arg) {
			needed = append(needed, arg)
		}
	}
	first := 0 // index of the first step that becomes part of the expression
	for !slices.Equal(o.waiting[first:], intersectSteps(needed, o.waiting[first:])) {
		first++
	}
	stored := first // the number of steps to store in variables
	for !statement && stored > 0 && !slices.Contains(needed, o.waiting[stored-1]) {
		stored--
	}
	for _, s := range o.waiting[first:] {
		operands = append(operands, o.operands[s])
	}
	o.waiting = o.waiting[:first]
	o.storeWaiting(stored)
	return operands
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

// emit appends statements. The caller must first store the waiting steps that have to run before them.
func (o *blockWriter) emit(stmts ...ast.Stmt) { o.stmts = append(o.stmts, stmts...) }
