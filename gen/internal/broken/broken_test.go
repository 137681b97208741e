package broken_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"log"

	"github.com/aiongen/aiongen/gen/internal/broken"
	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// The cause of a broken signature may be in a type that it takes.
func ExampleSearch_Causes() {
	const source = "package users\n\ntype User struct {\n\tAddress Adress\n}\n\nfunc Find(u User) Result\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "users.go", source, 0)
	if err != nil {
		log.Fatal(err)
	}
	var faults []types.Error
	conf := types.Config{Error: func(err error) { faults = append(faults, err.(types.Error)) }}
	users, _ := conf.Check("example.com/users", fset, []*ast.File{file}, nil) // faults has what is wrong
	pkg := &load.Package{Path: users.Path(), Name: users.Name(), Fset: fset, Files: []*ast.File{file}, Types: users, Faults: faults}

	sig := users.Scope().Lookup("Find").(*types.Func).Signature()
	fmt.Println(broken.Signature(sig))
	for _, r := range (broken.Search{Package: pkg, Docs: godoc.NewReader(pkg)}).Causes(sig, "Find") {
		fmt.Println(r.Span, r.Message)
	}
	// Output:
	// true
	// users.go:7:19 the Go error: undefined: Result
	// users.go:4:10 the Go error: undefined: Adress
}
