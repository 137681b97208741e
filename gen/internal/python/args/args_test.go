package args_test

import (
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"os"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/args"
	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/lower"
	"github.com/aiongen/aiongen/gen/internal/python/ops"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// nothing is a scope in which the context alone is supplied.
type nothing struct{ scope.Scope }

func (nothing) Supplied(t types.Type) bool           { return t.String() == "context.Context" }
func (nothing) Declared(types.Object) []diag.Related { return nil }
func (nothing) At(syntax.Place) diag.Span            { return diag.Span{File: "users.aion"} }

// Arguments by name find their parameters, and what is supplied is passed unwritten.
func ExampleCaller_Call() {
	users := types.NewPackage("example.com/users", "users")
	variable := func(name string, t types.Type) *types.Var { return types.NewParam(token.NoPos, users, name, t) }
	object := types.NewTypeName(token.NoPos, types.NewPackage("context", "context"), "Context", nil)
	context := types.NewNamed(object, types.NewInterfaceType(nil, nil), nil)
	params := types.NewTuple(variable("ctx", context), variable("name", kind.GoString), variable("maxAge", kind.GoInt))
	find := types.NewFunc(token.NoPos, users, "Find", types.NewSignatureType(nil, nil, nil, params, types.NewTuple(variable("", kind.GoBool)), false))

	for _, text := range []string{"lambda a, b: Find(max_age=b, name=a)", "lambda a, b: Find(a, age=b)"} {
		l, _ := syntax.Parse(text, nothing{}.At)
		report := &scope.Report{Scope: nothing{}}
		o := ops.Ops{Values: ops.NewValues(report)}
		body, a, b, ctx := o.Block(), o.Param("a", kind.GoString), o.Param("b", kind.GoInt), o.Param("ctx", context)
		c := args.Caller{
			Ops: o, Names: &scope.Names{Report: report},
			Expr: func(e syntax.Expr, _ types.Type) *code.Value {
				return map[string]*code.Value{"a": a, "b": b}[e.(*syntax.Name).Name]
			},
			Supply: func(types.Type) *code.Value { return ctx },
		}
		callee := func() *code.Step { return &code.Step{Args: []*code.Step{o.Global(find).Step}} }
		found := c.Call(l.Body.(*syntax.Call), "Find", find, find.Signature(), callee)
		if err := report.Faults.Err(); err != nil {
			fmt.Println(err)
			continue
		}
		o.Return(found.Step)
		p := &code.Program{Supplied: []*code.Step{ctx.Step}, Params: []*code.Step{a.Step, b.Step}, Body: body, Results: []types.Type{kind.GoBool}}
		f := lower.Write(p, users)
		decl := &ast.FuncDecl{Name: ast.NewIdent("find"), Type: f.Lit.Type, Body: f.Lit.Body}
		if err := printer.Fprint(os.Stdout, token.NewFileSet(), decl); err != nil {
			fmt.Println(err)
		}
		fmt.Println()
	}
	// Output:
	// func find(ctx Context, a string, b int) bool {
	// 	return Find(ctx, a, b)
	// }
	// users.aion: error: the call of Find names a parameter age, which it does not have [lambda-call]
}
