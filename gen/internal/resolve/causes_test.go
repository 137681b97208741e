package resolve

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// TestFindCauses checks that the cause of an invalid signature is also found in a parameter type.
func TestFindCauses(t *testing.T) {
	const goSource = "package users\n\ntype User struct {\n\tAddress Adress\n}\n\nfunc Find(u User) Result\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "users.go", goSource, 0)
	if err != nil {
		t.Fatal(err)
	}
	var faults []types.Error
	conf := types.Config{Error: func(err error) { faults = append(faults, err.(types.Error)) }}
	users, _ := conf.Check("example.com/users", fset, []*ast.File{file}, nil) // faults contains the errors
	pkg := &load.Package{Path: users.Path(), Name: users.Name(), Fset: fset, Files: []*ast.File{file}, Types: users, Faults: faults}

	sig := users.Scope().Lookup("Find").(*types.Func).Signature()
	if !isBrokenSignature(sig) {
		t.Error("the signature is not broken")
	}
	var got []string
	for _, r := range (causeSearch{Package: pkg, Docs: source.NewDocReader(pkg)}).findCauses(sig, "Find") {
		got = append(got, fmt.Sprintf("%s %s", r.Span, r.Message))
	}
	want := []string{"users.go:7:19 the Go error: undefined: Result", "users.go:4:10 the Go error: undefined: Adress"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
