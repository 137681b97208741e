package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// funcType returns the type of the function.
func (w *writer) funcType(p *ir.Program) *ast.FuncType {
	t := &ast.FuncType{Params: &ast.FieldList{}}
	var last types.Type
	for _, s := range p.Params {
		name := w.variables[s].declaringIdent()
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

// resultTypes returns the types of the current function's results, including the error.
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

func (w *writer) signature(p *ir.Program, pkg *types.Package) *types.Signature {
	var params, results []*types.Var
	for _, s := range p.Params {
		params = append(params, types.NewParam(token.NoPos, pkg, w.variables[s].declaringIdent().Name, s.Type))
	}
	for i, r := range p.Results {
		name := ""
		if i < len(p.Names) {
			name = p.Names[i]
		}
		results = append(results, types.NewParam(token.NoPos, pkg, name, r))
	}
	if p.Fails {
		results = append(results, types.NewParam(token.NoPos, pkg, "", ir.GoError))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(results...), false)
}

// returnStmt returns the statement that returns results, with a nil error if the function may fail.
func (w *writer) returnStmt(results []*ir.Step) *ast.ReturnStmt {
	r := &ast.ReturnStmt{}
	for _, s := range results {
		r.Results = append(r.Results, w.operandExpr(s))
	}
	if w.fails {
		r.Results = append(r.Results, ast.NewIdent("nil"))
	}
	return r
}

// errorReturn returns the statement that returns the error err and zero values for the other results.
func (w *writer) errorReturn(err ast.Expr) *ast.ReturnStmt {
	r := &ast.ReturnStmt{}
	for _, t := range w.results {
		r.Results = append(r.Results, w.zeroExpr(t))
	}
	r.Results = append(r.Results, err)
	return r
}

// errorCheck returns the statement that returns err if it is not nil.
func (w *writer) errorCheck(place string) *ast.IfStmt {
	return &ast.IfStmt{
		Cond: binaryExpr(ast.NewIdent("err"), token.NEQ, ast.NewIdent("nil")),
		Body: &ast.BlockStmt{List: []ast.Stmt{w.errorReturn(w.addPlace(place, ast.NewIdent("err")))}},
	}
}

// addPlace returns an expression that adds a place in the .aion file to the error err. If place is empty, it
// returns err.
func (w *writer) addPlace(place string, err ast.Expr) ast.Expr {
	if place == "" {
		return err
	}
	return callExpr(w.stepExpr(ir.PyRef("At")), stringLit(place), err)
}

// zeroExpr returns the zero value of a type.
func (w *writer) zeroExpr(t types.Type) ast.Expr {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return stringLit("")
		case u.Info()&types.IsBoolean != 0:
			return ast.NewIdent("false")
		case u.Info()&types.IsNumeric != 0:
			return intLit(0)
		}
	case *types.Struct, *types.Array:
		return &ast.CompositeLit{Type: w.typeExpr(t)}
	}
	return ast.NewIdent("nil")
}
