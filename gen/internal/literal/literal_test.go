package literal_test

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
	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/literal"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/supply"
)

// In another package than its own a literal imports what it calls, if that may be.
func ExampleDeclare() {
	const source = "package users\n\nfunc Find(id string) error\n\nfunc find(id string) error\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "users.go", source, 0)
	if err != nil {
		log.Fatal(err)
	}
	users, _ := new(types.Config).Check("example.com/users", fset, []*ast.File{file}, nil) // functions have no bodies
	pkg := &load.Package{Path: users.Path(), Name: users.Name(), Fset: fset, Files: []*ast.File{file}, Types: users}
	w := gotype.Writer{Package: pkg, Target: gotype.Target{Path: "example.com/tools", Name: "tools"}}
	scope := resolve.New(w, godoc.NewReader(pkg), &supply.Supply{})
	for _, name := range []string{"find", "Find"} {
		text := aion.Text{Value: fmt.Sprintf("func() error { return %s(%q) }", name, "me")}
		text.Span.Start.Line = 1
		fn, faults, ok := scope.Resolve(&aion.Element{Function: &aion.Function{Text: text}})
		if !ok {
			log.Fatal(faults.Err())
		}
		l, err := literal.Declare(w, fn.Literal)
		if err != nil {
			fmt.Println(err)
			continue
		}
		l.Made.Decl.Name.Name = "findMeFunc"
		l.Qualify(map[string]string{users.Path(): "users"}, w.Target.Path)
		fmt.Println("import", l.Made.Imports)
		if err := format.Node(os.Stdout, fset, l.Made.Decl); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// find is not exported, so package tools cannot use it
	// import [example.com/users]
	// func findMeFunc() error { return users.Find("me") }
}

// TestOutOfReach tells the same each time of a lambda that mentions several names which the
// generated code cannot.
func TestOutOfReach(t *testing.T) {
	users := types.NewPackage("example.com/users", "users")
	uses := map[*ast.Ident]types.Object{}
	for _, name := range []string{"three", "one", "two"} {
		uses[ast.NewIdent(name)] = types.NewVar(token.NoPos, users, name, types.Typ[types.Int])
	}
	w := gotype.Writer{
		Package: &load.Package{Path: users.Path(), Name: users.Name(), Types: users},
		Target:  gotype.Target{Path: "example.com/tools", Name: "tools"},
	}
	for range 20 {
		_, err := literal.Declare(w, &resolve.Literal{FuncLit: &ast.FuncLit{}, Info: &types.Info{Uses: uses}, Lambda: &resolve.Lambda{}})
		if err == nil || err.Error() != "one is not exported, so package tools cannot use it" {
			t.Fatal(err)
		}
	}
}
