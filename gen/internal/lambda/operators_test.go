package lambda

import (
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"os"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
	"github.com/aiongen/aiongen/gen/internal/lambda/lower"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// Python counts the characters of a text, not its bytes, and does not compare a text with a
// number.
func Example_compareValues() {
	report := &faultReport{Scope: nothing{}}
	o := operators{valueBuilder: newValueBuilder(report)}
	body := o.Block()
	s := o.NewParam("s", ir.GoString).SetOrigin(ir.Origin{What: "parameter s"})
	long := o.compareValues(">", o.applyLen(s, pysyntax.Place{}), o.IntLiteral(80), pysyntax.Place{})
	o.AddReturn(long.Step)
	f := lower.Write(&ir.Program{Params: []*ir.Step{s.Step}, Body: body, Results: []types.Type{ir.GoBool}}, types.NewPackage("example.com/users", "users"))
	decl := &ast.FuncDecl{Name: ast.NewIdent("isLong"), Type: f.Lit.Type, Body: f.Lit.Body}
	if err := printer.Fprint(os.Stdout, token.NewFileSet(), decl); err != nil {
		fmt.Println(err)
	}
	fmt.Println()

	o.compareValues(">", s, o.IntLiteral(80), pysyntax.Place{})
	fmt.Println(report.Faults.Err())
	// Output:
	// func isLong(s string) bool {
	// 	return RuneCountInString(s) > 80
	// }
	// users.aion: error: the operator > does not compare str with int: parameter s is str [lambda-type]
}
