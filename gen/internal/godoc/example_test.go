package godoc_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"

	"github.com/aiongen/aiongen/gen/internal/godoc"
)

// A function's comment is taken apart into prose and what it says of parameters.
func ExampleRead() {
	const source = `package users

// Find finds a user.
//
//   - id: the identifier
func Find(id string) {}
`
	file, err := parser.ParseFile(token.NewFileSet(), "users.go", source, parser.ParseComments)
	if err != nil {
		log.Fatal(err)
	}
	said := godoc.Read([]*ast.File{file})
	fmt.Println(said.Text["Find"])
	fmt.Println(said.About["Find"].Items["id"])
	// Output:
	// Find finds a user.
	// the identifier
}
