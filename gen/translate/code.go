package translate

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/lambda"
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

	fn      *function
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
	at    lambda.Place
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

// nameLocals settles the names of variables: none hides what the function refers
// to, be it under its own name or under one with a number that an import got.
func (g *generator) nameLocals() {
	taken := map[string]bool{"err": true}
	for _, name := range types.Universe.Names() {
		taken[name] = true
	}
	numbered := map[string]bool{}
	for _, obj := range g.uses {
		taken[obj.Name()] = true
		numbered[obj.Pkg().Name()] = true
	}
	for _, l := range g.locals {
		free := l.base
		for i := 2; taken[free] || token.IsKeyword(free) || numbered[strings.TrimRight(free, "0123456789")]; i++ {
			free = l.base + strconv.Itoa(i)
			if numbered[l.base] {
				free = l.base + "Value" + strconv.Itoa(i-1)
			}
		}
		taken[free] = true
		for _, id := range l.idents {
			id.Name = free
		}
	}
}

// emit appends statements. What is held was to be evaluated before them, but for
// what they evaluate themselves.
func (g *generator) emit(stmts ...ast.Stmt) {
	used := map[ast.Node]bool{}
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			used[n] = true
			return true
		})
	}
	for _, v := range g.held {
		v.spent = v.spent || used[v.expr]
	}
	g.flush()
	g.block.List = append(g.block.List, stmts...)
}

// hold keeps the order of evaluation: until its release, a value that statements
// could change is put into a variable before any statement is emitted.
func (g *generator) hold(v *value) *value {
	g.held = append(g.held, v)
	return v
}

func (g *generator) release(n int) { g.held = g.held[:len(g.held)-n] }

// flush evaluates what is held.
func (g *generator) flush() {
	held := g.held
	g.held = nil
	for _, v := range held {
		if !v.pure && !v.bad() && v.expr != nil && !v.spent {
			g.keep(v)
		}
	}
	g.held = held
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
	g.emit(define(l.declaration(), v.expr))
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
	g.emit(assign(ast.NewIdent("_"), v.expr))
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
func (g *generator) try(name string, call ast.Expr, t types.Type, at lambda.Place) *value {
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

// finish settles the type of the result, and completes all returns. It returns the
// types of the results, an error at the end where there may be one.
func (g *generator) finish(want types.Type) []types.Type {
	results := g.results(want)
	if g.faults.Err() != nil {
		return nil
	}
	for _, r := range g.fn.returns {
		g.block = r.block
		values := r.value.several
		if values == nil && len(results) > 0 {
			values = []ast.Expr{g.convert(r.value, results[0], r.at, "the result").expr}
		}
		g.block.List = append(g.block.List, &ast.ReturnStmt{Results: values})
	}
	if g.faults.Err() != nil {
		return nil
	}
	failing := len(g.fn.failures) > 0
	for _, failed := range g.fn.failures {
		var zeros []ast.Expr
		for _, t := range results {
			zeros = append(zeros, g.zero(t))
		}
		failed.Results = append(zeros, failed.Results...)
	}
	if failing {
		for _, r := range g.fn.returns {
			last := r.block.List[len(r.block.List)-1].(*ast.ReturnStmt)
			last.Results = append(last.Results, ast.NewIdent("nil"))
		}
		results = append(results, errorType)
	}
	g.shorten()
	return results
}

// results are the types of the function's results without the error.
func (g *generator) results(want types.Type) []types.Type {
	var t types.Type
	for i, r := range g.fn.returns {
		switch {
		case r.value.bad():
			return nil
		case r.value.several != nil || kindOf(r.value.typ) == tupleKind:
			return g.severalResults(r)
		case i == 0:
			t = r.value.typ
		default:
			joined := join(t, r.value.typ)
			if joined == nil {
				g.mismatch(r.at, "the results are %s and %s, which have no type in common", g.name(t), g.name(r.value.typ))
				return nil
			}
			t = joined
		}
	}
	switch k := kindOf(t); {
	case k == noneKind && want != nil && kindOf(want) != noneKind:
		return []types.Type{optional(want)}
	case k == noneKind:
		return nil
	case want == nil || types.Identical(t, want):
	case k == anyKind, isEmpty(t), k == intKind && kindOf(want) == floatKind, types.Identical(t, anyList), types.Identical(t, anyDict):
		return []types.Type{want}
	case k == optionalKind && kindOf(want) != optionalKind && kindOf(elemType(t)) == anyKind:
		return []types.Type{optional(want)}
	}
	return []types.Type{settled(t)}
}

// severalResults are those of a Go function that a lambda is nothing but a call of.
func (g *generator) severalResults(r *pending) []types.Type {
	if len(g.fn.returns) > 1 {
		g.mismatch(r.at, "a function with several results can only be the whole of a lambda")
		return nil
	}
	var list []types.Type
	for v := range r.value.typ.(*types.Tuple).Variables() {
		list = append(list, v.Type())
	}
	return list
}

// shorten writes what is returned right behind a check as one would by hand:
// `return f(x)`, and `n, err := f(x)` with `return n, py.At(place, err)`.
func (g *generator) shorten() {
	for _, x := range g.fn.tries {
		switch {
		case x.returned() && x.place == "":
			before := x.block.List[:x.at()]
			x.block.List = append(before, &ast.ReturnStmt{Results: []ast.Expr{x.called()}})
			for _, l := range x.locals {
				g.forget(l)
			}
		case x.returned() && len(x.locals) == 1:
			last := x.block.List[len(x.block.List)-1].(*ast.ReturnStmt)
			failed := x.check.Body.List[0].(*ast.ReturnStmt)
			last.Results[1] = failed.Results[1]
			remove(x.block, x.check)
		}
	}
}

// called is the call that may fail.
func (x *try) called() ast.Expr {
	if x.assign == nil {
		return x.check.Init.(*ast.AssignStmt).Rhs[0]
	}
	return x.assign.Rhs[0]
}

// at is the index of the first statement of the try, -1 if it is gone.
func (x *try) at() int {
	first := ast.Stmt(x.check)
	if x.assign != nil {
		first = x.assign
	}
	return slices.Index(x.block.List, first)
}

// returned reports whether the next thing is to return the results, and no error.
func (x *try) returned() bool {
	width := 1
	if x.assign != nil {
		width = 2
	}
	at := x.at()
	if at < 0 || at+width != len(x.block.List)-1 {
		return false
	}
	last, ok := x.block.List[at+width].(*ast.ReturnStmt)
	if !ok || len(last.Results) != len(x.locals)+1 || !isIdent(last.Results[len(x.locals)], "nil") {
		return false
	}
	for i, l := range x.locals {
		if !l.is(last.Results[i]) {
			return false
		}
	}
	return true
}

func isIdent(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

func remove(b *block, s ast.Stmt) {
	for i := range b.List {
		if b.List[i] == s {
			b.List = append(b.List[:i:i], b.List[i+1:]...)
			return
		}
	}
}

// tidy takes care of variables that nobody reads in the end, which Go refuses.
func (g *generator) tidy(body *block) {
	read, set := map[*ast.Ident]bool{}, map[*ast.Ident]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Rhs {
				markIdents(x, read)
			}
			for _, x := range n.Lhs {
				markIdents(x, set)
			}
			return false
		case *ast.Ident:
			read[n] = true
		}
		return true
	})
	unread := map[*ast.Ident]bool{} // whether it is set again
	for _, l := range g.locals {
		uses := l.idents[1:]
		if !slices.ContainsFunc(uses, func(id *ast.Ident) bool { return read[id] }) {
			unread[l.declaration()] = slices.ContainsFunc(uses, func(id *ast.Ident) bool { return set[id] })
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BlockStmt); ok {
			b.List = withoutUnread(b.List, unread)
		}
		return true
	})
}

func markIdents(x ast.Expr, marked map[*ast.Ident]bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			marked[id] = true
		}
		return true
	})
}

// withoutUnread puts blanks in the place of variables that are not read, or reads
// those that are set again.
func withoutUnread(list []ast.Stmt, unread map[*ast.Ident]bool) []ast.Stmt {
	var kept []ast.Stmt
	for i := 0; i < len(list); i++ {
		kept = append(kept, list[i])
		name, s := declared(list[i])
		again, isUnread := unread[name]
		switch {
		case !isUnread:
		case s == nil || again:
			kept = append(kept, assign(ast.NewIdent("_"), name))
		case len(s.Lhs) == 1:
			s.Lhs[0], s.Tok = ast.NewIdent("_"), token.ASSIGN
		default:
			s.Lhs[0] = ast.NewIdent("_")
			if check, ok := list[i+1].(*ast.IfStmt); ok { // err may be there already
				check.Init = s
				kept[len(kept)-1] = check
				i++
			}
		}
	}
	return kept
}

// declared is the variable that a statement declares, the first one if there are
// several, and the statement if it is an assignment.
func declared(s ast.Stmt) (*ast.Ident, *ast.AssignStmt) {
	switch s := s.(type) {
	case *ast.DeclStmt:
		return s.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Names[0], nil
	case *ast.AssignStmt:
		if name, ok := s.Lhs[0].(*ast.Ident); ok && s.Tok == token.DEFINE {
			return name, s
		}
	}
	return nil, nil
}

func (g *generator) forget(l *local) {
	for i := range g.locals {
		if g.locals[i] == l {
			g.locals = append(g.locals[:i:i], g.locals[i+1:]...)
			return
		}
	}
}

// funcType and signature are the type of the function: what the runtime supplies,
// then the parameters of the lambda.
func (g *generator) funcType(results []types.Type) *ast.FuncType {
	t := &ast.FuncType{Params: &ast.FieldList{}}
	var last types.Type
	field := func(name *ast.Ident, typ types.Type) {
		if n := len(t.Params.List); n > 0 && types.Identical(last, typ) {
			t.Params.List[n-1].Names = append(t.Params.List[n-1].Names, name)
			return
		}
		t.Params.List = append(t.Params.List, &ast.Field{Names: []*ast.Ident{name}, Type: g.typeExpr(typ)})
		last = typ
	}
	for _, s := range g.supplied {
		field(s.local.declaration(), s.typ)
	}
	for _, p := range g.params {
		field(p.local.declaration(), p.typ)
	}
	if len(results) > 0 {
		t.Results = &ast.FieldList{}
		for _, r := range results {
			t.Results.List = append(t.Results.List, &ast.Field{Type: g.typeExpr(r)})
		}
	}
	return t
}

func (g *generator) signature(results []types.Type) *types.Signature {
	variable := func(name string, t types.Type) *types.Var {
		return types.NewParam(token.NoPos, g.scope.Package, name, t)
	}
	var in, out []*types.Var
	for _, s := range g.supplied {
		in = append(in, variable(s.local.declaration().Name, s.typ))
	}
	for _, p := range g.params {
		in = append(in, variable(p.local.declaration().Name, p.typ))
	}
	names := g.resultNames()
	for i, r := range results {
		name := ""
		if i < len(names) {
			name = names[i]
		}
		out = append(out, variable(name, r))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(in...), types.NewTuple(out...), false)
}

// resultNames are the names of several results, as the function has them that they
// come from.
func (g *generator) resultNames() (names []string) {
	if several, ok := g.fn.returns[0].value.typ.(*types.Tuple); ok {
		for v := range several.Variables() {
			names = append(names, v.Name())
		}
	}
	return names
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

// The packages that generated code may import.
const (
	pyPath  = "github.com/aiongen/aiongen/runtime/py"
	dynPath = "github.com/aiongen/aiongen/runtime/py/dyn"
)

func (g *generator) py(name string) ast.Expr  { return g.imported(pyPath, name) }
func (g *generator) dyn(name string) ast.Expr { return g.imported(dynPath, name) }

// imported is a name of a package that is known by its path alone.
func (g *generator) imported(path, name string) ast.Expr {
	p := g.packages[path]
	if p == nil {
		p = types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
		g.packages[path] = p
	}
	obj := p.Scope().Lookup(name)
	if obj == nil {
		obj = types.NewFunc(token.NoPos, p, name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
		p.Scope().Insert(obj)
	}
	return g.ref(obj)
}

// ref is a name of a package.
func (g *generator) ref(obj types.Object) ast.Expr {
	id := ast.NewIdent(obj.Name())
	g.uses[id] = obj
	return id
}

// typeExpr writes a type.
func (g *generator) typeExpr(t types.Type) ast.Expr {
	switch t := t.(type) {
	case *types.Named:
		return g.typeName(t.Obj(), t.TypeArgs())
	case *types.Alias:
		return g.typeName(t.Obj(), t.TypeArgs())
	case *types.Basic:
		return ast.NewIdent(t.Name())
	case *types.Pointer:
		return &ast.StarExpr{X: g.typeExpr(t.Elem())}
	case *types.Slice:
		return &ast.ArrayType{Elt: g.typeExpr(t.Elem())}
	case *types.Array:
		return &ast.ArrayType{Len: integer(t.Len()), Elt: g.typeExpr(t.Elem())}
	case *types.Map:
		return &ast.MapType{Key: g.typeExpr(t.Key()), Value: g.typeExpr(t.Elem())}
	case *types.Interface:
		if t.Empty() {
			return ast.NewIdent("any")
		}
	}
	g.faults.Errorf("lambda-type", g.scope.At(lambda.Place{}), "the type %s needs a name to be used in a lambda", g.scope.TypeName(t)).
		WithHelp("declare a type for it in Go")
	return ast.NewIdent("any")
}

func (g *generator) typeName(obj *types.TypeName, args *types.TypeList) ast.Expr {
	if obj.Pkg() == nil {
		return ast.NewIdent(obj.Name())
	}
	name := g.ref(obj)
	switch args.Len() {
	case 0:
		return name
	case 1:
		return &ast.IndexExpr{X: name, Index: g.typeExpr(args.At(0))}
	}
	list := &ast.IndexListExpr{X: name}
	for arg := range args.Types() {
		list.Indices = append(list.Indices, g.typeExpr(arg))
	}
	return list
}

// zero is the zero value of a type.
func (g *generator) zero(t types.Type) ast.Expr {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return quoted("")
		case u.Info()&types.IsBoolean != 0:
			return ast.NewIdent("false")
		case u.Info()&types.IsNumeric != 0:
			return integer(0)
		}
	case *types.Struct, *types.Array:
		return &ast.CompositeLit{Type: g.typeExpr(t)}
	}
	return ast.NewIdent("nil")
}

// The shapes of Go that generated code is made of.

func call(f ast.Expr, args ...ast.Expr) *ast.CallExpr { return &ast.CallExpr{Fun: f, Args: args} }

func binary(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
	return &ast.BinaryExpr{X: operand(x, op, false), Op: op, Y: operand(y, op, true)}
}

// operand puts parentheses around an operand that binds less than its operator.
func operand(x ast.Expr, op token.Token, right bool) ast.Expr {
	b, ok := x.(*ast.BinaryExpr)
	if ok && (b.Op.Precedence() < op.Precedence() || right && b.Op.Precedence() == op.Precedence()) {
		return &ast.ParenExpr{X: x}
	}
	return x
}

// primary puts parentheses around what selectors and indices cannot follow.
func primary(x ast.Expr) ast.Expr {
	switch x.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr:
		return &ast.ParenExpr{X: x}
	}
	return x
}

func not(x ast.Expr) ast.Expr {
	opposite := map[token.Token]token.Token{
		token.EQL: token.NEQ, token.NEQ: token.EQL,
	}
	switch b := x.(type) {
	case *ast.BinaryExpr:
		if op, ok := opposite[b.Op]; ok {
			return &ast.BinaryExpr{X: b.X, Op: op, Y: b.Y}
		}
		return &ast.UnaryExpr{Op: token.NOT, X: &ast.ParenExpr{X: x}}
	case *ast.UnaryExpr:
		if b.Op == token.NOT {
			return ast.Unparen(b.X)
		}
	}
	return &ast.UnaryExpr{Op: token.NOT, X: x}
}

func define(name *ast.Ident, x ast.Expr) *ast.AssignStmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{name}, Tok: token.DEFINE, Rhs: []ast.Expr{x}}
}

func assign(to, x ast.Expr) *ast.AssignStmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{to}, Tok: token.ASSIGN, Rhs: []ast.Expr{x}}
}

func selector(x ast.Expr, names ...string) ast.Expr {
	for _, name := range names {
		x = &ast.SelectorExpr{X: primary(x), Sel: ast.NewIdent(name)}
	}
	return x
}

func quoted(s string) ast.Expr {
	return &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(s)}
}

func integer(n int64) ast.Expr { return numeral(token.INT, strconv.FormatInt(n, 10)) }

func numeral(kind token.Token, text string) ast.Expr {
	if digits, negative := strings.CutPrefix(text, "-"); negative {
		return &ast.UnaryExpr{Op: token.SUB, X: &ast.BasicLit{Kind: kind, Value: digits}}
	}
	return &ast.BasicLit{Kind: kind, Value: text}
}

// float is a float64; those that no literal can be are made by package math.
func (g *generator) float(f float64) ast.Expr {
	switch {
	case math.IsNaN(f):
		return call(g.imported("math", "NaN"))
	case math.IsInf(f, 0):
		return call(g.imported("math", "Inf"), integer(int64(math.Copysign(1, f))))
	case f == 0 && math.Signbit(f):
		return call(g.imported("math", "Copysign"), integer(0), integer(-1))
	}
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return numeral(token.FLOAT, text)
}
