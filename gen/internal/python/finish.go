package python

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

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
				free = strings.TrimSuffix(l.base+"Value"+strconv.Itoa(i-1), "1")
			}
		}
		taken[free] = true
		for _, id := range l.idents {
			id.Name = free
		}
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
		for i, t := range results[:len(values)] {
			if g.anyOfGo && holdsAny(t) && !r.value.whole && (r.value.several != nil || holdsAny(r.value.typ)) {
				values[i] = call(g.dyn("Whole"), values[i])
			}
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
	if body := g.fn.block; len(results) == 0 { // which ends without a word
		body.List = body.List[:len(body.List)-1]
	}
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
			t = join(t, r.value.typ)
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
		switch n := n.(type) {
		case *ast.BlockStmt:
			n.List = withoutUnread(n.List, unread)
		case *ast.RangeStmt:
			if name, ok := n.Value.(*ast.Ident); ok && isUnread(unread, name) {
				n.Key, n.Value, n.Tok = nil, nil, token.ILLEGAL
			}
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

func isUnread(unread map[*ast.Ident]bool, name *ast.Ident) bool {
	_, ok := unread[name]
	return ok
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
