package lambda

import (
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"os"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/lower"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// nothing is a scope that contains nothing but supplies the context.
type nothing struct{ Scope }

func (nothing) Supplied(t types.Type) bool           { return t.String() == "context.Context" }
func (nothing) Declared(types.Object) []diag.Related { return nil }
func (nothing) At(pysyntax.Place) diag.Span          { return diag.Span{File: "users.aion"} }

// Keyword arguments are assigned to their parameters, and supplied parameters are passed automatically.
func Example_buildCall() {
	users := types.NewPackage("example.com/users", "users")
	variable := func(name string, t types.Type) *types.Var { return types.NewParam(token.NoPos, users, name, t) }
	object := types.NewTypeName(token.NoPos, types.NewPackage("context", "context"), "Context", nil)
	context := types.NewNamed(object, types.NewInterfaceType(nil, nil), nil)
	params := types.NewTuple(variable("ctx", context), variable("name", ir.GoString), variable("maxAge", ir.GoInt))
	find := types.NewFunc(token.NoPos, users, "Find", types.NewSignatureType(nil, nil, nil, params, types.NewTuple(variable("", ir.GoBool)), false))

	for _, text := range []string{"lambda a, b: Find(max_age=b, name=a)", "lambda a, b: Find(a, age=b)"} {
		l, _ := pysyntax.Parse(text, nothing{}.At)
		report := &faultReport{Scope: nothing{}}
		o := operators{valueBuilder: newValueBuilder(report)}
		body, a, b := o.Block(), o.NewParam("a", ir.GoString), o.NewParam("b", ir.GoInt)
		c := &checker{operators: o, nameResolver: &nameResolver{faultReport: report}}
		c.expr = func(e pysyntax.Expr, _ types.Type) *ir.Value {
			return map[string]*ir.Value{"a": a, "b": b}[e.(*pysyntax.Name).Name]
		}
		callee := func() *ir.Step { return &ir.Step{Args: []*ir.Step{o.GlobalValue(find).Step}} }
		found := c.buildCall(l.Body.(*pysyntax.Call), "Find", find, find.Signature(), callee)
		if err := report.Faults.Err(); err != nil {
			fmt.Println(err)
			continue
		}
		o.AddReturn(found.Step)
		p := &ir.Program{Params: []*ir.Step{c.supplied[0].Step, a.Step, b.Step}, Body: body, Results: []types.Type{ir.GoBool}}
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
