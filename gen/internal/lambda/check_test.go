package lambda

import (
	"fmt"
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// empty is the scope of an empty package.
type empty struct{ Scope }

func (empty) Package() *types.Package                             { return types.NewPackage("example.com/users", "users") }
func (empty) Find(*types.Package, string) []types.Object          { return nil }
func (empty) Import(string) *types.Package                        { return nil }
func (empty) Injected() []*Injected                               { return nil }
func (empty) Supplied(types.Type) bool                            { return false }
func (empty) ContextOption(types.Type) (types.Object, types.Type) { return nil, nil }
func (empty) TypeName(t types.Type) string                        { return t.String() }
func (empty) Declared(types.Object) []diag.Related                { return nil }
func (empty) At(p pysyntax.Place) diag.Span                       { return diag.Span{File: "users.aion"} }

// The result type follows from the parameter types.
func Example_checkLambda() {
	for _, text := range []string{"lambda xs: [x / 2 for x in xs if x > 0]", "lambda xs: xs > 0"} {
		l, faults := pysyntax.Parse(text, empty{}.At)
		if err := faults.Err(); err != nil {
			fmt.Println(err)
			return
		}
		ints := Param{Type: types.NewSlice(ir.GoInt), Origin: "by arg-1"}
		p, _, faults := checkLambda(l, []Param{ints}, nil, empty{})
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
