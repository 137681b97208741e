package resolve_test

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"log"
	"os"
	"testing"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// In another package, a literal imports the packages of the functions that it calls.
func ExampleDeclareLiteral() {
	const goSource = "package users\n\nfunc Find(id string) error\n\nfunc find(id string) error\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "users.go", goSource, 0)
	if err != nil {
		log.Fatal(err)
	}
	users, _ := new(types.Config).Check("example.com/users", fset, []*ast.File{file}, nil) // functions have no bodies
	pkg := &load.Package{Path: users.Path(), Name: users.Name(), Fset: fset, Files: []*ast.File{file}, Types: users}
	w := shape.TypeWriter{Package: pkg, Target: shape.Target{Path: "example.com/tools", Name: "tools"}}
	scope := resolve.New(w, source.NewDocReader(pkg), nil, &resolve.Supply{})
	for _, name := range []string{"find", "Find"} {
		text := aion.Text{Value: fmt.Sprintf("func() error { return %s(%q) }", name, "me")}
		text.Span.Start.Line = 1
		fn, faults, ok := scope.Resolve(&aion.Element{Function: &aion.Function{Text: text}})
		if !ok {
			log.Fatal(faults.Err())
		}
		l, err := resolve.DeclareLiteral(w, fn.Literal)
		if err != nil {
			fmt.Println(err)
			continue
		}
		l.Generated.Decl.Name.Name = "findMeFunc"
		l.Qualify(map[string]string{users.Path(): "users"}, w.Target.Path)
		fmt.Println("import", l.Generated.Imports)
		if err := format.Node(os.Stdout, fset, l.Generated.Decl); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// find is not exported, so package tools cannot use it
	// import [example.com/users]
	// func findMeFunc() error { return users.Find("me") }
}

// TestUnnameableLiteral checks that the error for a lambda with several unnameable objects is
// always the same.
func TestUnnameableLiteral(t *testing.T) {
	users := types.NewPackage("example.com/users", "users")
	uses := map[*ast.Ident]types.Object{}
	for _, name := range []string{"three", "one", "two"} {
		uses[ast.NewIdent(name)] = types.NewVar(token.NoPos, users, name, types.Typ[types.Int])
	}
	w := shape.TypeWriter{
		Package: &load.Package{Path: users.Path(), Name: users.Name(), Types: users},
		Target:  shape.Target{Path: "example.com/tools", Name: "tools"},
	}
	for range 20 {
		_, err := resolve.DeclareLiteral(w, &resolve.Literal{FuncLit: &ast.FuncLit{}, Info: &types.Info{Uses: uses}, Lambda: &resolve.Lambda{}})
		if err == nil || err.Error() != "one is not exported, so package tools cannot use it" {
			t.Fatal(err)
		}
	}
}
