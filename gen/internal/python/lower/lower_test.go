package lower_test

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

// What may fail comes in its turn: the text that is made before stays before it, and
// goes back to where it is used.
func ExampleWrite() {
	b := code.NewBuilder()
	body := b.Block()
	s := b.Param("s", kind.GoString)
	trimmed := b.Made(kind.GoString, code.Std("strings", "TrimSpace"), s)
	n := b.Try("n", kind.GoInt, "users.aion:3", code.Py("Int"), trimmed)
	b.Return(b.Binary(kind.GoInt, n, token.ADD, b.Int(1)).Step)
	p := &code.Program{Params: []*code.Step{s.Step}, Body: body, Results: []types.Type{kind.GoInt}, Fails: b.Fails()}
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
