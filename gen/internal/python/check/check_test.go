package check_test

import (
	"fmt"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/check"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

// empty is a package that has nothing.
type empty struct{ scope.Scope }

func (empty) Package() *types.Package                    { return types.NewPackage("example.com/users", "users") }
func (empty) Find(*types.Package, string) []types.Object { return nil }
func (empty) Import(string) *types.Package               { return nil }
func (empty) Injected() []*scope.Injected                { return nil }
func (empty) Supplied(types.Type) bool                   { return false }
func (empty) TypeName(t types.Type) string               { return t.String() }
func (empty) Declared(types.Object) []diag.Related       { return nil }
func (empty) At(p syntax.Place) diag.Span                { return diag.Span{File: "users.aion"} }

// A lambda is typed from its parameters to its result.
func ExampleLambda() {
	for _, text := range []string{"lambda xs: [x / 2 for x in xs if x > 0]", "lambda xs: xs > 0"} {
		l, faults := syntax.Parse(text, empty{}.At)
		if err := faults.Err(); err != nil {
			fmt.Println(err)
			return
		}
		ints := check.Param{Type: types.NewSlice(kind.GoInt), Origin: "by arg-1"}
		p, _, faults := check.Lambda(l, []check.Param{ints}, nil, empty{})
		if err := faults.Err(); err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(text, "returns", p.Results[0])
	}
	// Output:
	// lambda xs: [x / 2 for x in xs if x > 0] returns []float64
	// users.aion: error: the operator > does not compare list (Go's []int) with int: parameter xs is list (Go's []int), by arg-1 [lambda-type]
}
