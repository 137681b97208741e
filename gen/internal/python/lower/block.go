package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/python/code"
)

// block writes a block that ends by itself.
func (w *writer) block(b *code.Block) *ast.BlockStmt {
	o := w.ordered(b)
	return &ast.BlockStmt{List: o.list}
}

// ordered writes the steps of a block.
func (w *writer) ordered(b *code.Block) *orderer {
	o := &orderer{writer: w}
	for _, s := range b.Steps {
		if w.uses.live(s) {
			o.step(s)
		}
	}
	if b.Result != nil {
		o.take([]*code.Step{b.Result}, true)
	}
	return o
}

// step writes a step.
func (o *orderer) step(s *code.Step) {
	switch {
	case s.Op == code.Call && s.Fails:
		o.try(s)
	case s.Foreign && (s.Type == nil || s.Results != nil):
		o.take(s.Args, true)
		if s.Results == nil {
			o.emit(&ast.ExprStmt{X: o.write(s)})
		} else {
			o.emit(o.assigned(s))
		}
	case s.Op == code.Logic:
		o.logic(s)
	case s.Op == code.Choose:
		o.choose(s)
	case s.Op == code.Define:
		o.define(s)
	case s.Op >= code.Assign:
		o.statement(s)
	case s.Op == code.Func:
		o.place(s, &operand{expr: o.literal(s)})
	default:
		o.expression(s)
	}
}

func (o *orderer) statement(s *code.Step) {
	if s.Op == code.Return && o.returnTried(s) {
		return
	}
	o.take(s.Args, true)
	switch s.Op {
	case code.Assign:
		o.emit(assign(o.variables[s.Target].use(), o.operand(s.Args[0])))
	case code.If:
		o.emit(&ast.IfStmt{Cond: o.operand(s.Args[0]), Body: o.block(s.Blocks[0])})
	case code.Range:
		o.emit(o.loop(s))
	case code.Refuse:
		test, complaint := o.operand(s.Args[0]), o.operand(s.Args[1])
		o.emit(&ast.IfStmt{Cond: test, Body: &ast.BlockStmt{List: []ast.Stmt{o.failed(o.at(s.Place, complaint))}}})
	case code.Return:
		o.emit(o.returned(s.Args))
	}
}

// loop is a loop over the elements of a list, which need not be used.
func (o *orderer) loop(s *code.Step) *ast.RangeStmt {
	list := o.operand(s.Args[0])
	if u := o.uses[s.Param]; u == nil || u.times == 0 {
		return &ast.RangeStmt{X: list, Body: o.block(s.Blocks[0])}
	}
	item := o.declare(s.Param)
	return &ast.RangeStmt{Key: ast.NewIdent("_"), Value: item.declaration(), Tok: token.DEFINE, X: list, Body: o.block(s.Blocks[0])}
}

// define writes a variable.
func (o *orderer) define(s *code.Step) {
	if len(s.Args) > 0 {
		o.take(s.Args, true)
		x := o.operand(s.Args[0])
		o.emit(define(o.declare(s).declaration(), x))
	} else {
		o.emit(variable(o.declare(s).declaration(), o.typeExpr(s.Type), nil))
	}
	o.read(s)
}

// read reads a variable that nobody reads, which Go refuses.
func (o *orderer) read(s *code.Step) {
	if o.uses[s].times == 0 {
		o.emit(assign(ast.NewIdent("_"), o.variables[s].use()))
	}
}

// logic writes && and ||, as Go's where no statement is needed for the right side.
func (o *orderer) logic(s *code.Step) {
	right := o.ordered(s.Blocks[0])
	result := s.Blocks[0].Result
	if len(right.list) > 0 {
		o.take(s.Args, true)
		left := o.operand(s.Args[0])
		l := o.newLocal(s)
		right.emit(assign(l.use(), o.operand(result)))
		var enter ast.Expr = l.use()
		if s.Token == token.LOR {
			enter = not(enter)
		}
		o.emit(define(l.declaration(), left), &ast.IfStmt{Cond: enter, Body: &ast.BlockStmt{List: right.list}})
		o.variables[s] = l
		o.read(s)
		return
	}
	op := &operand{}
	took := o.take(s.Args, false)
	if r := o.operands[result]; r != nil {
		took = append(took, r)
	}
	for _, t := range took {
		op.inTurn, op.calls, op.reads = op.inTurn || t.inTurn, op.calls || t.calls, op.reads || t.reads
	}
	op.expr = binary(o.operand(s.Args[0]), s.Token, o.operand(result))
	o.place(s, op)
}

// choose assigns the result of one of two blocks to a variable.
func (o *orderer) choose(s *code.Step) {
	then, otherwise := o.ordered(s.Blocks[0]), o.ordered(s.Blocks[1])
	o.take(s.Args, true)
	test := o.operand(s.Args[0])
	l := o.newLocal(s)
	then.emit(assign(l.use(), o.operand(s.Blocks[0].Result)))
	last := o.operand(s.Blocks[1].Result)
	choice := &ast.IfStmt{Cond: test, Body: &ast.BlockStmt{List: then.list}}
	if from := s.Blocks[1].Result; len(otherwise.list) == 0 && from.When == code.Anytime && isPlain(last) {
		switch {
		case isIdent(last, "nil"):
			o.emit(variable(l.declaration(), o.typeExpr(s.Type), nil))
		case !types.Identical(s.Type, natural(from)):
			o.emit(variable(l.declaration(), o.typeExpr(s.Type), last))
		default:
			o.emit(define(l.declaration(), last))
		}
	} else {
		otherwise.emit(assign(l.use(), last))
		choice.Else = &ast.BlockStmt{List: otherwise.list}
		o.emit(variable(l.declaration(), o.typeExpr(s.Type), nil))
	}
	o.emit(choice)
	o.variables[s] = l
	o.read(s)
}

// natural is the type that a variable gets which a step starts.
func natural(s *code.Step) types.Type {
	switch s.Known.(type) {
	case int64:
		return types.Typ[types.Int]
	case float64:
		return types.Typ[types.Float64]
	case string:
		return types.Typ[types.String]
	case bool:
		return types.Typ[types.Bool]
	}
	return s.Type
}

// A try is a call that was checked by the last statement.
type try struct {
	step *code.Step
	from int // where its statements begin
	to   int
}

// try writes a call that may fail, with the check behind it.
func (o *orderer) try(s *code.Step) {
	o.take(s.Args, true)
	o.tried = &try{step: s, from: len(o.list)}
	check := o.check(s.Place)
	switch assigned := o.assigned(s); {
	case !slices.ContainsFunc(assigned.Lhs[:len(assigned.Lhs)-1], func(x ast.Expr) bool { return !isIdent(x, "_") }):
		check.Init = assigned // err may be there already
		o.emit(check)
	default:
		o.emit(assigned, check)
	}
	o.tried.to = len(o.list)
}

// assigned is a call with the variables for its results, blanks for those that are not
// used.
func (o *orderer) assigned(s *code.Step) *ast.AssignStmt {
	a := &ast.AssignStmt{Tok: token.DEFINE, Rhs: []ast.Expr{o.write(s)}}
	results := s.Results
	if results == nil && s.Type != nil {
		results = []*code.Step{s}
	}
	for _, r := range results {
		if u := o.uses[r]; u == nil || u.times == 0 {
			a.Lhs = append(a.Lhs, ast.NewIdent("_"))
		} else {
			a.Lhs = append(a.Lhs, o.declare(r).declaration())
		}
	}
	if s.Fails {
		a.Lhs = append(a.Lhs, ast.NewIdent("err"))
	}
	return a
}

// returnTried writes what is returned right behind a check as one would by hand:
// `return f(x)`, and `n, err := f(x)` with `return n, py.At(place, err)`.
func (o *orderer) returnTried(s *code.Step) bool {
	t := o.tried
	if t == nil || t.to != len(o.list) || len(o.waiting) > 0 || !slices.Equal(s.Args, t.results()) {
		return false
	}
	switch {
	case t.step.Place == "":
		o.list = append(o.list[:t.from], &ast.ReturnStmt{Results: []ast.Expr{t.called(o.list[t.from])}})
	case len(s.Args) == 1:
		o.list[t.from+1] = &ast.ReturnStmt{Results: []ast.Expr{o.operand(s.Args[0]), o.at(t.step.Place, ast.NewIdent("err"))}}
	default:
		return false
	}
	return true
}

// called is the call within the first statement of a try.
func (t *try) called(s ast.Stmt) ast.Expr {
	if check, ok := s.(*ast.IfStmt); ok {
		s = check.Init
	}
	return s.(*ast.AssignStmt).Rhs[0]
}

func (t *try) results() []*code.Step {
	if t.step.Results == nil && t.step.Type != nil {
		return []*code.Step{t.step}
	}
	return t.step.Results
}

// literal is a function of one parameter that is an argument of another.
func (w *writer) literal(s *code.Step) *ast.FuncLit {
	results, fails := w.results, w.fails
	w.results, w.fails = []types.Type{s.Type}, s.Fails
	defer func() { w.results, w.fails = results, fails }()
	param := w.declare(s.Param).declaration()
	body := s.Blocks[0]
	o := &orderer{writer: w}
	for _, inner := range body.Steps {
		if w.uses.live(inner) {
			o.step(inner)
		}
	}
	o.step(&code.Step{Op: code.Return, Args: []*code.Step{body.Result}})
	return &ast.FuncLit{
		Type: &ast.FuncType{
			Params:  &ast.FieldList{List: []*ast.Field{{Names: []*ast.Ident{param}, Type: w.typeExpr(s.Param.Type)}}},
			Results: w.resultTypes(),
		},
		Body: &ast.BlockStmt{List: o.list},
	}
}
