package scope_test

import (
	"fmt"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// users is a package with a function FindUser.
type users struct{ scope.Scope }

func (users) Package() *types.Package {
	p := types.NewPackage("example.com/users", "users")
	p.Scope().Insert(types.NewFunc(0, p, "FindUser", types.NewSignatureType(nil, nil, nil, nil, nil, false)))
	return p
}

func (users) Find(p *types.Package, name string) (found []types.Object) {
	if name == "find_user" || name == "FindUser" {
		found = append(found, p.Scope().Lookup("FindUser"))
	}
	return found
}

func (users) Usable(types.Object) error                             { return nil }
func (users) Import(string) *types.Package                          { return nil }
func (users) Injected() []*scope.Injected                           { return nil }
func (users) LeftOut(*diag.Diagnostic, *types.Package, string) bool { return false }
func (users) Declared(types.Object) []diag.Related                  { return nil }
func (users) At(syntax.Place) diag.Span                             { return diag.Span{} }

// A name that stands for nothing is a fault, with what was meant.
func ExampleNames_Callee() {
	names := scope.Names{Report: &scope.Report{Scope: users{}}, Env: map[string]*code.Value{}, Python: []string{"len"}}
	for _, name := range []string{"find_user", "finduser", "enumerate"} {
		if obj := names.Callee(&syntax.Name{Name: name}); obj != nil {
			fmt.Println(name, "is", obj.Name())
		}
	}
	for _, d := range names.Faults {
		fmt.Println(d.Message, d.Help)
	}
	// Output:
	// find_user is FindUser
	// ghost tool: there is no function finduser in package users [did you mean FindUser?]
	// a lambda here cannot hold Python's enumerate [call a Go function that returns each element with its index]
}
