package python

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// A generator turns one lambda into Go. Expressions become Go expressions as long
// as they can; what fails, branches or loops becomes statements in front.
type generator struct {
	scope  *Scope
	faults diag.List

	env      map[string]*value // names of the lambda that are in scope
	params   []*value
	supplied []*supplied // what the runtime supplies, in the order of first use
	locals   []*local
	uses     map[*ast.Ident]types.Object
	packages map[string]*types.Package // made up, for what generated code imports
	calls    []types.Object
	foreign  map[*ast.CallExpr]bool // calls of functions that lambdas can name
	anyOfGo  bool                   // a value of Go is used that is an any, or holds some

	fn      *function
	nested  int // conversions of elements that are under way
	block   *block
	held    []*value        // operands that are not used yet: see hold
	checked map[*local]bool // objects that are not nil here
}

// A function is the one that is generated, or one within it.
type function struct {
	block    *block
	returns  []*pending
	failures []*ast.ReturnStmt // whose results are not known yet
	tries    []*try
}

// pending is a return whose type hangs on that of the others.
type pending struct {
	block *block
	value *value
	at    syntax.Place
}

// A block is a list of statements that grows.
type block = ast.BlockStmt

// A supplied parameter is one that the runtime supplies, such as the context.
type supplied struct {
	typ   types.Type
	local *local
}

// A local is a variable or parameter, which is named when all that it must not
// hide is known.
type local struct {
	base   string
	idents []*ast.Ident // the first is that of the declaration
}

func (g *generator) newLocal(base string) *local {
	l := &local{base: base}
	g.locals = append(g.locals, l)
	l.use() // where it is declared
	return l
}

func (l *local) declaration() *ast.Ident { return l.idents[0] }

// use is an occurrence of the variable.
func (l *local) use() *ast.Ident {
	id := ast.NewIdent(l.base)
	l.idents = append(l.idents, id)
	return id
}

func (l *local) used() bool { return len(l.idents) > 1 }

func (l *local) is(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && slices.Contains(l.idents, id)
}

// emit appends statements. What is held comes before what they do: where it would
// not, since they do not use all of it, it is put into variables first, in its order.
func (g *generator) emit(stmts ...ast.Stmt) {
	used := map[ast.Node]bool{}
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			used[n] = true
			return true
		})
	}
	held := g.held
	g.held = nil
	rest := len(held)
	for rest > 0 && (!held[rest-1].pending() || used[held[rest-1].expr]) {
		rest--
	}
	for _, v := range held[:rest] {
		if x := v.expr; v.pending() {
			replace(stmts, x, g.keep(v).expr)
		}
	}
	for _, v := range held[rest:] {
		v.spent = v.spent || used[v.expr]
	}
	g.held = held
	g.block.List = append(g.block.List, stmts...)
}

// replace puts another expression into the place of one in statements.
func replace(stmts []ast.Stmt, old, with ast.Expr) {
	for _, s := range stmts {
		astutil.Apply(s, func(c *astutil.Cursor) bool {
			if c.Node() == old {
				c.Replace(with)
			}
			return true
		}, nil)
	}
}

// emitOf emits a statement that evaluates a value in its turn: before what is held
// behind it.
func (g *generator) emitOf(v *value, s ast.Stmt) {
	held := g.held
	if at := slices.Index(held, v); at >= 0 {
		g.held = held[:at]
	}
	g.emit(s)
	g.held = held
}

// hold keeps the order of evaluation: until its release, a value that statements
// could change is put into a variable before any statement is emitted, and one that
// is read from a variable, before a function of Go is called that could set it.
func (g *generator) hold(v *value) *value {
	if !v.bad() && g.callsGo(v.expr) {
		for _, before := range g.held {
			if before.pending() && g.readsVariable(before.expr) {
				g.keep(before)
			}
		}
	}
	g.held = append(g.held, v)
	return v
}

func (g *generator) release(n int) { g.held = g.held[:len(g.held)-n] }

// inTurn keeps the order of values that Go would evaluate in another one.
func (g *generator) inTurn(values ...*value) {
	last := len(values)
	for last > 0 && !values[last-1].pending() {
		last--
	}
	for _, v := range values[:max(last-1, 0)] {
		if v.pending() {
			g.keep(v)
		}
	}
}

// callsGo reports whether an expression calls a function that lambdas can name.
func (g *generator) callsGo(x ast.Expr) (found bool) {
	inspect(x, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		found = found || ok && g.foreign[c]
		return !found
	})
	return found
}

// readsVariable reports whether an expression reads what a function may set, other
// than as the argument of a call: Go calls functions in their order, but reads
// variables when it likes.
func (g *generator) readsVariable(x ast.Expr) (found bool) {
	inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			f, plain := n.Fun.(*ast.Ident)
			return plain && f.Name == "len" // which is an operation, and no call
		case *ast.Ident:
			_, variable := g.uses[n].(*types.Var)
			found = found || variable
		case *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr:
			found = true
		}
		return !found
	})
	return found
}

func inspect(x ast.Expr, visit func(ast.Node) bool) {
	if x != nil {
		ast.Inspect(x, visit)
	}
}

// within runs build with the statements going into a block of its own.
func (g *generator) within(build func()) *block {
	outer, held, checked := g.block, g.held, g.checked
	g.block, g.held, g.checked = &block{}, nil, maps.Clone(checked)
	build()
	inner := g.block
	g.block, g.held, g.checked = outer, held, checked
	return inner
}

// keep puts a value into a variable, unless it may be evaluated several times.
func (g *generator) keep(v *value) *value {
	if v.fixed || v.bad() {
		return v
	}
	v.typ = settled(v.typ)
	l := g.newLocal(cmp.Or(v.hint, variableName(v.typ)))
	g.emitOf(v, define(l.declaration(), v.expr))
	v.expr, v.local, v.fixed, v.pure = l.use(), l, true, true
	return v
}

// variableName is a name for a variable of a type.
func variableName(t types.Type) string {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return lowered(named.Obj().Name())
	}
	switch kindOf(t) {
	case boolKind:
		return "ok"
	case intKind, floatKind:
		return "number"
	case strKind:
		return "text"
	case listKind:
		if name := variableName(elemType(t)); !isEmpty(t) && kindOf(elemType(t)) != listKind && !strings.HasSuffix(name, "s") {
			return name + "s"
		}
		return "list"
	case dictKind:
		return "dict"
	case objectKind:
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			return variableName(p.Elem())
		}
	}
	return "value"
}

// lowered is a Go name with a small letter at the start, or its capitals there.
func lowered(name string) string {
	upper := len(name) - len(strings.TrimLeft(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	if upper > 1 && upper < len(name) {
		upper--
	}
	return strings.ToLower(name[:upper]) + name[upper:]
}

// discard evaluates a value that nobody needs.
func (g *generator) discard(v *value) {
	if v.pure || v.bad() || v.expr == nil {
		return
	}
	g.emitOf(v, assign(ast.NewIdent("_"), v.expr))
	v.spent = true
}

// A try is a call that may fail, with the check behind it.
type try struct {
	block  *block
	assign *ast.AssignStmt
	check  *ast.IfStmt
	locals []*local // of the results
	place  string   // in errors of Python; empty for a Go function, which has its own
}

// try emits a call with a result and an error, and returns the result.
func (g *generator) try(name string, call ast.Expr, t types.Type, at syntax.Place) *value {
	return g.tryCall(name, call, t, g.scope.Position(at))
}

func (g *generator) tryCall(name string, call ast.Expr, t types.Type, place string) *value {
	l := g.newLocal(name)
	x := &try{locals: []*local{l}, place: place, assign: define(l.declaration(), call)}
	x.assign.Lhs = append(x.assign.Lhs, ast.NewIdent("err"))
	x.check = g.failure(place)
	g.emit(x.assign, x.check)
	x.block = g.block
	g.fn.tries = append(g.fn.tries, x)
	return &value{expr: l.use(), typ: t, local: l, fixed: true, pure: true}
}

// check emits a call that returns nothing but an error.
func (g *generator) check(call ast.Expr, place string) {
	test := g.failure(place)
	test.Init = define(ast.NewIdent("err"), call)
	g.emit(test)
	g.fn.tries = append(g.fn.tries, &try{block: g.block, check: test, place: place})
}

// failure is the statement that ends the function if there is an error.
func (g *generator) failure(place string) *ast.IfStmt {
	var err ast.Expr = ast.NewIdent("err")
	if place != "" {
		err = call(g.py("At"), quoted(place), err)
	}
	failed := &ast.ReturnStmt{Results: []ast.Expr{err}}
	g.fn.failures = append(g.fn.failures, failed)
	return &ast.IfStmt{
		Cond: binary(ast.NewIdent("err"), token.NEQ, ast.NewIdent("nil")),
		Body: &ast.BlockStmt{List: []ast.Stmt{failed}},
	}
}

// supply is the parameter of a type that the runtime supplies. The context comes
// first, as everywhere in Go.
func (g *generator) supply(t types.Type) ast.Expr {
	for _, s := range g.supplied {
		if types.Identical(s.typ, t) {
			return s.local.use()
		}
	}
	name := variableName(t)
	isContext := strings.HasSuffix(types.TypeString(t, nil), "context.Context")
	if isContext {
		name = "ctx"
	}
	s := &supplied{t, g.newLocal(name)}
	if isContext {
		g.supplied = append([]*supplied{s}, g.supplied...)
	} else {
		g.supplied = append(g.supplied, s)
	}
	return s.local.use()
}
