package ir_test

import (
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"os"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/lower"
)

// The code that builds steps need not know how often they are used.
func ExampleBuilder() {
	b := ir.NewBuilder()
	body := b.Block()
	x, y := b.NewParam("x", ir.GoInt), b.NewParam("y", ir.GoInt)
	sum := b.BinaryOp(ir.GoInt, x, token.ADD, y)
	square := b.BinaryOp(ir.GoInt, sum, token.MUL, sum)
	b.AddReturn(square.Step)
	p := &ir.Program{Params: []*ir.Step{x.Step, y.Step}, Body: body, Results: []types.Type{ir.GoInt}}
	f := lower.Write(p, types.NewPackage("example.com/users", "users"))
	decl := &ast.FuncDecl{Name: ast.NewIdent("square"), Type: f.Lit.Type, Body: f.Lit.Body}
	if err := printer.Fprint(os.Stdout, token.NewFileSet(), decl); err != nil {
		fmt.Println(err)
	}
	// Output:
	// func square(x, y int) int {
	// 	number := x + y
	// 	return number * number
	// }
}
