package resolve_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"log"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// Resolve finds a function by its name or another spelling. For other texts, it suggests what
// to write.
func ExampleScope_Resolve() {
	const goSource = "package users\n\nfunc FindUser(id string) error\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "users.go", goSource, 0)
	if err != nil {
		log.Fatal(err)
	}
	users, _ := new(types.Config).Check("example.com/users", fset, []*ast.File{file}, nil) // it has no body
	pkg := &load.Package{Path: users.Path(), Name: users.Name(), Fset: fset, Files: []*ast.File{file}, Types: users}
	w := shape.TypeWriter{Package: pkg, Target: shape.Target{Path: pkg.Path, Name: pkg.Name}}
	scope := resolve.New(w, source.NewDocReader(pkg), nil, &resolve.Supply{})
	for _, text := range []string{"find_user", "FindUser(id)"} {
		fn, faults, ok := scope.Resolve(&aion.Element{Function: &aion.Function{Text: aion.Text{Value: text}}})
		if ok {
			fmt.Println(fn.Describe(), fn.Sig)
		}
		for _, d := range faults {
			fmt.Println(d.Message, d.Help)
		}
	}
	// Output:
	// FindUser func(id string) error
	// "FindUser(id)" is not the name of a function [write only the name, "FindUser": the model supplies the arguments]
}
