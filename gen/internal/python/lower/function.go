package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
)

// funcType and signature are the type of the function: what the runtime supplies,
// then the parameters of the lambda.
func (w *writer) funcType(p *code.Program) *ast.FuncType {
	t := &ast.FuncType{Params: &ast.FieldList{}}
	var last types.Type
	for _, s := range slices.Concat(p.Supplied, p.Params) {
		name := w.variables[s].declaration()
		if n := len(t.Params.List); n > 0 && types.Identical(last, s.Type) {
			t.Params.List[n-1].Names = append(t.Params.List[n-1].Names, name)
			continue
		}
		t.Params.List = append(t.Params.List, &ast.Field{Names: []*ast.Ident{name}, Type: w.typeExpr(s.Type)})
		last = s.Type
	}
	if len(p.Results) > 0 || p.Fails {
		t.Results = w.resultTypes()
	}
	return t
}

// resultTypes are the results of the function that is under way.
func (w *writer) resultTypes() *ast.FieldList {
	list := &ast.FieldList{}
	for _, r := range w.results {
		list.List = append(list.List, &ast.Field{Type: w.typeExpr(r)})
	}
	if w.fails {
		list.List = append(list.List, &ast.Field{Type: ast.NewIdent("error")})
	}
	return list
}

func (w *writer) signature(p *code.Program, pkg *types.Package) *types.Signature {
	var in, out []*types.Var
	for _, s := range slices.Concat(p.Supplied, p.Params) {
		in = append(in, types.NewParam(token.NoPos, pkg, w.variables[s].declaration().Name, s.Type))
	}
	for i, r := range p.Results {
		name := ""
		if i < len(p.Names) {
			name = p.Names[i]
		}
		out = append(out, types.NewParam(token.NoPos, pkg, name, r))
	}
	if p.Fails {
		out = append(out, types.NewParam(token.NoPos, pkg, "", kind.GoError))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(in...), types.NewTuple(out...), false)
}

// returned ends the function with results.
func (w *writer) returned(results []*code.Step) *ast.ReturnStmt {
	r := &ast.ReturnStmt{}
	for _, s := range results {
		r.Results = append(r.Results, w.operand(s))
	}
	if w.fails {
		r.Results = append(r.Results, ast.NewIdent("nil"))
	}
	return r
}

// failed ends the function with an error.
func (w *writer) failed(err ast.Expr) *ast.ReturnStmt {
	r := &ast.ReturnStmt{}
	for _, t := range w.results {
		r.Results = append(r.Results, w.zero(t))
	}
	r.Results = append(r.Results, err)
	return r
}

// check is the statement that ends the function if there is an error.
func (w *writer) check(place string) *ast.IfStmt {
	return &ast.IfStmt{
		Cond: binary(ast.NewIdent("err"), token.NEQ, ast.NewIdent("nil")),
		Body: &ast.BlockStmt{List: []ast.Stmt{w.failed(w.at(place, ast.NewIdent("err")))}},
	}
}

// at is an error with the place in the lambda that it is of, if it is one of Python.
func (w *writer) at(place string, err ast.Expr) ast.Expr {
	if place == "" {
		return err
	}
	return call(w.write(code.Py("At")), quoted(place), err)
}

// zero is the zero value of a type.
func (w *writer) zero(t types.Type) ast.Expr {
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
		return &ast.CompositeLit{Type: w.typeExpr(t)}
	}
	return ast.NewIdent("nil")
}
