package resolve_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"log"

	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// The cause of an invalid signature may be in a parameter type.
func ExampleCauseSearch() {
	const goSource = "package users\n\ntype User struct {\n\tAddress Adress\n}\n\nfunc Find(u User) Result\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "users.go", goSource, 0)
	if err != nil {
		log.Fatal(err)
	}
	var faults []types.Error
	conf := types.Config{Error: func(err error) { faults = append(faults, err.(types.Error)) }}
	users, _ := conf.Check("example.com/users", fset, []*ast.File{file}, nil) // faults contains the errors
	pkg := &load.Package{Path: users.Path(), Name: users.Name(), Fset: fset, Files: []*ast.File{file}, Types: users, Faults: faults}

	sig := users.Scope().Lookup("Find").(*types.Func).Signature()
	fmt.Println(resolve.IsBrokenSignature(sig))
	for _, r := range (resolve.CauseSearch{Package: pkg, Docs: source.NewDocReader(pkg)}).FindCauses(sig, "Find") {
		fmt.Println(r.Span, r.Message)
	}
	// Output:
	// true
	// users.go:7:19 the Go error: undefined: Result
	// users.go:4:10 the Go error: undefined: Adress
}
