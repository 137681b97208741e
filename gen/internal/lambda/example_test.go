package lambda_test

import (
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"os"

	"github.com/aiongen/aiongen/gen/internal/lambda"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// A lambda becomes the syntax tree of a Go function.
func Example() {
	const text = "lambda words: [w.strip() for w in words if w][:2]"
	s := names{}
	l, faults := pysyntax.Parse(text, s.At)
	if err := faults.Err(); err != nil {
		fmt.Println(err)
		return
	}
	words := lambda.Param{Type: types.NewSlice(types.Typ[types.String]), Origin: "by arg-1"}
	f, faults := lambda.Compile(l, []lambda.Param{words}, nil, s)
	if err := faults.Err(); err != nil {
		fmt.Println(err)
		return
	}
	decl := &ast.FuncDecl{Name: ast.NewIdent("first"), Type: f.Lit.Type, Body: f.Lit.Body}
	if err := printer.Fprint(os.Stdout, token.NewFileSet(), decl); err != nil {
		fmt.Println(err)
	}
	// Output:
	// func first(words []string) []string {
	// 	texts := make([]string, 0, len(words))
	// 	for _, w := range words {
	// 		if w != "" {
	// 			texts = append(texts, TrimFunc(w, IsSpace))
	// 		}
	// 	}
	// 	return Slice(texts, 0, 2)
	// }
}
