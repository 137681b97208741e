package lower_test

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

// A call that may fail becomes a statement. The text that is computed before it needs no variable.
func ExampleWrite() {
	b := ir.NewBuilder()
	body := b.Block()
	s := b.NewParam("s", ir.GoString)
	trimmed := b.CallPure(ir.GoString, ir.PackageRef("strings", "TrimSpace"), s)
	n := b.TryCall("n", ir.GoInt, "users.aion:3", ir.PyRef("Int"), trimmed)
	b.AddReturn(b.BinaryOp(ir.GoInt, n, token.ADD, b.IntLiteral(1)).Step)
	p := &ir.Program{Params: []*ir.Step{s.Step}, Body: body, Results: []types.Type{ir.GoInt}, Fails: b.MayFail()}
	f := lower.Write(p, types.NewPackage("example.com/users", "users"))
	decl := &ast.FuncDecl{Name: ast.NewIdent("next"), Type: f.Lit.Type, Body: f.Lit.Body}
	if err := printer.Fprint(os.Stdout, token.NewFileSet(), decl); err != nil {
		fmt.Println(err)
	}
	// Output:
	// func next(s string) (int, error) {
	// 	n, err := Int(TrimSpace(s))
	// 	if err != nil {
	// 		return 0, At("users.aion:3", err)
	// 	}
	// 	return n + 1, nil
	// }
}
