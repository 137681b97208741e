package lower

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/python/code"
)

// An orderer writes the steps of a block. Those that must be taken in their turn wait
// for the step that uses them; what cannot wait becomes a variable.
type orderer struct {
	*writer
	list    []ast.Stmt
	waiting []*code.Step
	tried   *try // what the last statement checks
}

// expression writes a step that makes a value.
func (o *orderer) expression(s *code.Step) {
	if s.When == code.Anytime && !s.Keep {
		return // it is written wherever it is used
	}
	if o.inPlace(s) {
		return
	}
	op := o.made(s, o.take(s.Args, false))
	o.place(s, op)
}

// inPlace writes what operands that wait are made to by a step that need not be taken
// in its turn, so that it can wait where they do.
func (o *orderer) inPlace(s *code.Step) bool {
	needed := among(s.Args, o.waiting)
	if len(needed) == 0 || s.Own == code.InTurn || !o.waits(s) {
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
	o.operands[s] = o.made(s, took)
	o.waiting = slices.Replace(o.waiting, first, last, s)
	return true
}

// made is a step written as an expression, with operands that waited.
func (o *orderer) made(s *code.Step, took []*operand) *operand {
	op := &operand{inTurn: s.Own == code.InTurn, calls: s.Foreign, reads: reads(s)}
	for _, t := range took {
		op.inTurn = true
		op.calls = op.calls || t.calls
		op.reads = op.reads || t.reads && transparent(s)
	}
	op.expr = o.write(s)
	return op
}

// waits reports whether a step can wait for the one place where it is used.
func (o *orderer) waits(s *code.Step) bool {
	u := o.uses[s]
	return u.times == 1 && !s.Keep && u.at == u.home
}

// place decides where an expression goes: to a variable, or to where it is used.
func (o *orderer) place(s *code.Step, op *operand) {
	u := o.uses[s]
	switch {
	case u.times == 0:
		o.flush()
		o.emit(assign(ast.NewIdent("_"), op.expr))
	case o.waits(s) && op.inTurn:
		o.operands[s] = op
		if op.calls {
			o.keepReads()
		}
		o.waiting = append(o.waiting, s)
	case u.times == 1 && !s.Keep && !op.inTurn && u.at.repeated == u.home.repeated:
		o.operands[s] = op
	default:
		if op.inTurn {
			o.flush()
		}
		o.emit(define(o.declare(s).declaration(), op.expr))
	}
}

// keepReads puts what waits and reads a variable into one before a function of Go is
// called: Go calls functions in their order, but reads variables when it likes.
func (o *orderer) keepReads() {
	for i := len(o.waiting) - 1; i >= 0; i-- {
		if o.operands[o.waiting[i]].reads {
			o.keep(i + 1)
			return
		}
	}
}

// reads reports whether a step itself reads what a function may set.
func reads(s *code.Step) bool {
	switch s.Op {
	case code.Global:
		_, variable := s.Object.(*types.Var)
		return variable
	case code.Select, code.Index:
		return true
	case code.Unary:
		return s.Own == code.InTurn
	}
	return false
}

// transparent reports whether what an operand of a step reads, the step reads: a call
// takes its arguments before it is made, but len is no call.
func transparent(s *code.Step) bool {
	return s.Op != code.Call && s.Op != code.Func || s.Op == code.Call && s.Args[0].IsRef("", "len")
}

// take takes the operands of a step out of those that wait. The last ones can go into
// an expression, as far as it takes them in their order; those before them become
// variables, if a statement follows or the step needs one of them behind its turn.
func (o *orderer) take(args []*code.Step, statement bool) (took []*operand) {
	var needed []*code.Step
	for _, arg := range args {
		if slices.Contains(o.waiting, arg) {
			needed = append(needed, arg)
		}
	}
	first := 0 // of those that go into the expression
	for !slices.Equal(o.waiting[first:], among(needed, o.waiting[first:])) {
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
	o.keep(kept)
	return took
}

// among are those of some steps that are among others.
func among(steps, others []*code.Step) (list []*code.Step) {
	for _, s := range steps {
		if slices.Contains(others, s) {
			list = append(list, s)
		}
	}
	return list
}

// keep puts the first steps that wait into variables.
func (o *orderer) keep(n int) {
	for _, s := range o.waiting[:n] {
		o.emit(define(o.declare(s).declaration(), o.operands[s].expr))
	}
	o.waiting = slices.Clone(o.waiting[n:])
}

func (o *orderer) flush() { o.keep(len(o.waiting)) }

// emit appends statements, before which nothing waits that must come first.
func (o *orderer) emit(stmts ...ast.Stmt) { o.list = append(o.list, stmts...) }
