package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// writeBlock returns the statements of a block whose result is not used.
func (w *writer) writeBlock(b *ir.Block) *ast.BlockStmt {
	o := w.writeSteps(b)
	return &ast.BlockStmt{List: o.stmts}
}

// writeSteps writes the steps of a block. The caller gets the expression for the block's result with operandExpr.
func (w *writer) writeSteps(b *ir.Block) *blockWriter {
	o := &blockWriter{writer: w}
	for _, s := range b.Steps {
		if w.uses.isLive(s) {
			o.writeStep(s)
		}
	}
	if b.Result != nil {
		o.takeOperands([]*ir.Step{b.Result}, true)
	}
	return o
}

func (o *blockWriter) writeStep(s *ir.Step) {
	switch {
	case s.Op == ir.Call && s.Fails:
		o.writeTry(s)
	case s.Foreign && (s.Type == nil || s.Results != nil):
		o.takeOperands(s.Args, true)
		if s.Results == nil {
			o.emit(&ast.ExprStmt{X: o.stepExpr(s)})
		} else {
			o.emit(o.assignResults(s))
		}
	case s.Op == ir.Logic:
		o.writeLogic(s)
	case s.Op == ir.Choose:
		o.writeChoice(s)
	case s.Op == ir.Define:
		o.writeDefine(s)
	case s.Op >= ir.Assign:
		o.writeStatement(s)
	case s.Op == ir.Func:
		o.placeOperand(s, &operand{expr: o.funcLiteral(s)})
	default:
		o.writeExpression(s)
	}
}

func (o *blockWriter) writeStatement(s *ir.Step) {
	if s.Op == ir.Return && o.returnLastTry(s) {
		return
	}
	o.takeOperands(s.Args, true)
	switch s.Op {
	case ir.Assign:
		var to ast.Expr = o.variables[s.Target].addUse()
		if len(s.Args) > 1 {
			to = &ast.IndexExpr{X: to, Index: o.operandExpr(s.Args[0])}
		}
		o.emit(assignStmt(to, o.operandExpr(s.Args[len(s.Args)-1])))
	case ir.If:
		o.emit(&ast.IfStmt{Cond: o.operandExpr(s.Args[0]), Body: o.writeBlock(s.Blocks[0])})
	case ir.Range:
		o.emit(o.rangeStmt(s))
	case ir.Break:
		o.emit(&ast.BranchStmt{Tok: token.BREAK})
	case ir.FailIf:
		test, failure := o.operandExpr(s.Args[0]), o.operandExpr(s.Args[1])
		o.emit(&ast.IfStmt{Cond: test, Body: &ast.BlockStmt{List: []ast.Stmt{o.errorReturn(o.addPlace(s.Place, failure))}}})
	case ir.Return:
		o.emit(o.returnStmt(s.Args))
	}
}

// rangeStmt returns a loop over the elements of a list.
func (o *blockWriter) rangeStmt(s *ir.Step) *ast.RangeStmt {
	list := o.operandExpr(s.Args[0])
	if u := o.uses[s.Param]; u == nil || u.count == 0 {
		return &ast.RangeStmt{X: list, Body: o.writeBlock(s.Blocks[0])}
	}
	item := o.declareVariable(s.Param)
	return &ast.RangeStmt{Key: ast.NewIdent("_"), Value: item.declaringIdent(), Tok: token.DEFINE, X: list, Body: o.writeBlock(s.Blocks[0])}
}

// writeDefine writes the definition of a variable.
func (o *blockWriter) writeDefine(s *ir.Step) {
	if len(s.Args) > 0 {
		o.takeOperands(s.Args, true)
		x := o.operandExpr(s.Args[0])
		o.emit(defineStmt(o.declareVariable(s).declaringIdent(), x))
	} else {
		o.emit(varDecl(o.declareVariable(s).declaringIdent(), o.typeExpr(s.Type), nil))
	}
	o.discardUnused(s)
}

// discardUnused assigns the variable of s to _ if nothing reads it, because Go rejects unused variables.
func (o *blockWriter) discardUnused(s *ir.Step) {
	if o.uses[s].count == 0 {
		o.emit(assignStmt(ast.NewIdent("_"), o.variables[s].addUse()))
	}
}

// writeLogic writes an expression with && or ||, or an if statement if the right side needs statements.
func (o *blockWriter) writeLogic(s *ir.Step) {
	right := o.writeSteps(s.Blocks[0])
	result := s.Blocks[0].Result
	if len(right.stmts) > 0 {
		o.takeOperands(s.Args, true)
		left := o.operandExpr(s.Args[0])
		l := o.newLocal(s)
		right.emit(assignStmt(l.addUse(), o.operandExpr(result)))
		var condition ast.Expr = l.addUse()
		if s.Token == token.LOR {
			condition = negateExpr(condition)
		}
		o.emit(defineStmt(l.declaringIdent(), left), &ast.IfStmt{Cond: condition, Body: &ast.BlockStmt{List: right.stmts}})
		o.variables[s] = l
		o.discardUnused(s)
		return
	}
	op := &operand{}
	operands := o.takeOperands(s.Args, false)
	if r := o.operands[result]; r != nil {
		operands = append(operands, r)
	}
	for _, t := range operands {
		op.inTurn, op.calls, op.reads = op.inTurn || t.inTurn, op.calls || t.calls, op.reads || t.reads
	}
	op.expr = binaryExpr(o.operandExpr(s.Args[0]), s.Token, o.operandExpr(result))
	o.placeOperand(s, op)
}

// writeChoice assigns the result of one of two blocks to a variable.
func (o *blockWriter) writeChoice(s *ir.Step) {
	then, otherwise := o.writeSteps(s.Blocks[0]), o.writeSteps(s.Blocks[1])
	o.takeOperands(s.Args, true)
	test := o.operandExpr(s.Args[0])
	l := o.newLocal(s)
	then.emit(assignStmt(l.addUse(), o.operandExpr(s.Blocks[0].Result)))
	otherwiseExpr := o.operandExpr(s.Blocks[1].Result)
	choice := &ast.IfStmt{Cond: test, Body: &ast.BlockStmt{List: then.stmts}}
	if otherResult := s.Blocks[1].Result; len(otherwise.stmts) == 0 && otherResult.Timing == ir.Anytime && isSimpleExpr(otherwiseExpr) {
		switch {
		case isIdent(otherwiseExpr, "nil"):
			o.emit(varDecl(l.declaringIdent(), o.typeExpr(s.Type), nil))
		case !types.Identical(s.Type, ir.InferredType(otherResult.Constant, otherResult.Type)):
			o.emit(varDecl(l.declaringIdent(), o.typeExpr(s.Type), otherwiseExpr))
		default:
			o.emit(defineStmt(l.declaringIdent(), otherwiseExpr))
		}
	} else {
		otherwise.emit(assignStmt(l.addUse(), otherwiseExpr))
		choice.Else = &ast.BlockStmt{List: otherwise.stmts}
		o.emit(varDecl(l.declaringIdent(), o.typeExpr(s.Type), nil))
	}
	o.emit(choice)
	o.variables[s] = l
	o.discardUnused(s)
}

// checkedCall is a call and the check of its error: the statements stmts[from:to].
type checkedCall struct {
	step     *ir.Step
	from, to int
}

// writeTry writes a call that may fail and the check of its error.
func (o *blockWriter) writeTry(s *ir.Step) {
	o.takeOperands(s.Args, true)
	o.lastTry = &checkedCall{step: s, from: len(o.stmts)}
	check := o.errorCheck(s.Place)
	switch assigned := o.assignResults(s); {
	case !slices.ContainsFunc(assigned.Lhs[:len(assigned.Lhs)-1], func(x ast.Expr) bool { return !isIdent(x, "_") }):
		check.Init = assigned // a statement of its own would declare no new variable if err exists already
		o.emit(check)
	default:
		o.emit(assigned, check)
	}
	o.lastTry.to = len(o.stmts)
}

// assignResults returns the statement that assigns the results of a call to new variables, or to _ if they are not
// used.
func (o *blockWriter) assignResults(s *ir.Step) *ast.AssignStmt {
	a := &ast.AssignStmt{Tok: token.DEFINE, Rhs: []ast.Expr{o.stepExpr(s)}}
	for _, r := range resultSteps(s) {
		if u := o.uses[r]; u == nil || u.count == 0 {
			a.Lhs = append(a.Lhs, ast.NewIdent("_"))
		} else {
			a.Lhs = append(a.Lhs, o.declareVariable(r).declaringIdent())
		}
	}
	if s.Fails {
		a.Lhs = append(a.Lhs, ast.NewIdent("err"))
	}
	return a
}

// returnLastTry simplifies the code if s returns exactly the results of the call that the last statements make and
// check. It replaces these statements with `return f(x)`, or only the check with `return n, py.At(place, err)`.
// It reports whether it did.
func (o *blockWriter) returnLastTry(s *ir.Step) bool {
	t := o.lastTry
	if t == nil || t.to != len(o.stmts) || len(o.waiting) > 0 || !slices.Equal(s.Args, resultSteps(t.step)) {
		return false
	}
	switch {
	case t.step.Place == "":
		o.stmts = append(o.stmts[:t.from], &ast.ReturnStmt{Results: []ast.Expr{t.callIn(o.stmts[t.from])}})
	case len(s.Args) == 1:
		o.stmts[t.from+1] = &ast.ReturnStmt{Results: []ast.Expr{o.operandExpr(s.Args[0]), o.addPlace(t.step.Place, ast.NewIdent("err"))}}
	default:
		return false
	}
	return true
}

// callIn returns the call in s, the first statement of a checked call.
func (t *checkedCall) callIn(s ast.Stmt) ast.Expr {
	if check, ok := s.(*ast.IfStmt); ok {
		s = check.Init
	}
	return s.(*ast.AssignStmt).Rhs[0]
}

// resultSteps returns the steps for the results of a call, without the error.
func resultSteps(s *ir.Step) []*ir.Step {
	if s.Results == nil && s.Type != nil {
		return []*ir.Step{s}
	}
	return s.Results
}

// funcLiteral returns the function literal for a Func step.
func (w *writer) funcLiteral(s *ir.Step) *ast.FuncLit {
	results, fails := w.results, w.fails
	w.results, w.fails = []types.Type{s.Type}, s.Fails
	defer func() { w.results, w.fails = results, fails }()
	param := w.declareVariable(s.Param).declaringIdent()
	return &ast.FuncLit{
		Type: &ast.FuncType{
			Params:  &ast.FieldList{List: []*ast.Field{{Names: []*ast.Ident{param}, Type: w.typeExpr(s.Param.Type)}}},
			Results: w.resultTypes(),
		},
		Body: w.writeBlock(s.Blocks[0]),
	}
}
