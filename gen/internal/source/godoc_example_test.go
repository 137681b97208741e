package source_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"

	"github.com/aiongen/aiongen/gen/internal/source"
)

// A function's comment is split into prose and the descriptions of parameters.
func Example_readDocs() {
	const goSource = `package users

// Find finds a user.
//
//   - id: the identifier
func Find(id string) {}
`
	file, err := parser.ParseFile(token.NewFileSet(), "users.go", goSource, parser.ParseComments)
	if err != nil {
		log.Fatal(err)
	}
	said := source.ReadDocs([]*ast.File{file})
	fmt.Println(said.Text["Find"])
	fmt.Println(said.Functions["Find"].Params["id"])
	// Output:
	// Find finds a user.
	// the identifier
}
