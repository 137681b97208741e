package source_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"log"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// Tools are annotated by name or by function, even if the runtime cannot be loaded.
func Example_annotations_Apply() {
	const goSource = `package users

import "github.com/aiongen/aiongen/runtime/tool"

var _ = tool.Annotate("find", tool.ReadOnly, tool.Title("Find a user"))
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "users.go", goSource, 0)
	if err != nil {
		log.Fatal(err)
	}
	conf := types.Config{Error: func(error) {}}
	users, _ := conf.Check("example.com/users", fset, []*ast.File{file}, nil) // no importer is needed
	pkg := &load.Package{Path: users.Path(), Name: users.Name(), Fset: fset, Files: []*ast.File{file}, Types: users}
	found, faults := source.ReadAnnotations(pkg)
	faults = append(faults, found.CheckTools([]*aion.Document{{Elements: []*aion.Element{{Name: aion.Text{Value: "find"}}}}})...)
	find := &model.Tool{Name: "find"}
	faults = append(faults, found.Apply(find, nil)...)
	fmt.Println(find.Title, find.Annotations.ReadOnly, faults.Err())
	// Output:
	// Find a user true <nil>
}
