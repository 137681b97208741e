package shape_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"log"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// Fields have their JSON names and the limits of their tags.
func ExampleShapes_ReadArgument() {
	const goSource = "package users\n\ntype User struct {\n\tID string `json:\"id\" jsonschema:\"minLength=3\"`\n\tTags []string `json:\"tags,omitempty\"`\n}\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "users.go", goSource, parser.ParseComments)
	if err != nil {
		log.Fatal(err)
	}
	users, err := new(types.Config).Check("example.com/users", fset, []*ast.File{file}, nil)
	if err != nil {
		log.Fatal(err)
	}
	pkg := &load.Package{Path: users.Path(), Name: users.Name(), Fset: fset, Files: []*ast.File{file}, Types: users}
	w := shape.TypeWriter{Package: pkg, Target: shape.Target{Path: pkg.Path, Name: pkg.Name}}
	user, faults, err := shape.New(w, source.NewDocReader(pkg), func(types.Type) bool { return false }).ReadArgument(users.Scope().Lookup("User").Type(), diag.Span{})
	if err != nil || faults.Err() != nil {
		log.Fatal(err, faults)
	}
	for _, f := range user.Fields {
		fmt.Printf("%s: %s, optional %t, at least %q\n", f.Name, shape.TypeWord(f.Type), f.Optional, f.Type.Min)
	}
	// Output:
	// id: string, optional false, at least "3"
	// tags: list[string], optional true, at least ""
}
