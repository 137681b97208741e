package lambda

import (
	"fmt"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// users is a package with a function FindUser.
type users struct{ Scope }

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
func (users) Injected() []*Injected                                 { return nil }
func (users) LeftOut(*diag.Diagnostic, *types.Package, string) bool { return false }
func (users) Declared(types.Object) []diag.Related                  { return nil }
func (users) At(pysyntax.Place) diag.Span                           { return diag.Span{} }

// An unknown name is a fault that suggests a similar name.
func Example_resolveCallee() {
	names := nameResolver{faultReport: &faultReport{Scope: users{}}, Env: map[string]*ir.Value{}, Python: []string{"len"}}
	for _, name := range []string{"find_user", "finduser", "enumerate"} {
		if obj := names.resolveCallee(&pysyntax.Name{Name: name}); obj != nil {
			fmt.Println(name, "is", obj.Name())
		}
	}
	for _, d := range names.Faults {
		fmt.Println(d.Message, d.Help)
	}
	// Output:
	// find_user is FindUser
	// ghost tool: there is no function finduser in package users [did you mean FindUser?]
	// lambdas do not support Python's enumerate [call a Go function that returns each element with its index]
}
