package code_test

import (
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"os"

	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/lower"
)

// Whoever makes steps never asks how often they are used.
func ExampleBuilder() {
	b := code.NewBuilder()
	body := b.Block()
	x, y := b.Param("x", kind.GoInt), b.Param("y", kind.GoInt)
	sum := b.Binary(kind.GoInt, x, token.ADD, y)
	square := b.Binary(kind.GoInt, sum, token.MUL, sum)
	b.Return(square.Step)
	p := &code.Program{Params: []*code.Step{x.Step, y.Step}, Body: body, Results: []types.Type{kind.GoInt}}
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
