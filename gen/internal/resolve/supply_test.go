package resolve_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"log"

	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// Injected parameters come from a field of Deps, the others from the model.
func ExampleSupply_NewArg() {
	const source = `package users

import "github.com/aiongen/aiongen/runtime/tool"

var _ = tool.Inject[*Client]()

type Client struct{}

func Find(c *Client, id int) {}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "users.go", source, 0)
	if err != nil {
		log.Fatal(err)
	}
	conf := types.Config{Error: func(error) {}}
	users, _ := conf.Check("example.com/users", fset, []*ast.File{file}, nil) // no importer is needed
	pkg := &load.Package{Path: users.Path(), Name: users.Name(), Fset: fset, Files: []*ast.File{file}, Types: users}
	s, faults := resolve.NewSupply(shape.TypeWriter{Package: pkg, Target: shape.Target{Path: pkg.Path, Name: pkg.Name}})
	if err := faults.Err(); err != nil {
		log.Fatal(err)
	}
	find := users.Scope().Lookup("Find").(*types.Func)
	for v := range find.Signature().Params().Variables() {
		switch arg, err := s.NewArg(v.Type(), "find"); {
		case err != nil:
			log.Fatal(err)
		case arg == nil:
			fmt.Println(v.Name(), "is for a model")
		case arg.Source == model.FromDeps:
			fmt.Println(v.Name(), "is for the application:", arg.Dep.Need)
		}
	}
	for _, d := range s.Deps() {
		fmt.Println("Deps has a field", d.Names[0], d.Type)
	}
	// Output:
	// c is for the application: find takes it
	// id is for a model
	// Deps has a field Client *Client
}
