package ops_test

import (
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"os"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/code"
	"github.com/aiongen/aiongen/gen/internal/python/kind"
	"github.com/aiongen/aiongen/gen/internal/python/lower"
	"github.com/aiongen/aiongen/gen/internal/python/ops"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

type nothing struct{ scope.Scope }

func (nothing) At(syntax.Place) diag.Span { return diag.Span{File: "users.aion"} }

// Python counts the characters of a text, not the bytes. It compares no text with a
// number.
func Example() {
	report := &scope.Report{Scope: nothing{}}
	o := ops.Ops{Values: ops.NewValues(report)}
	body := o.Block()
	s := o.Param("s", kind.GoString).From(code.Origin{What: "parameter s"})
	long := o.Compare(">", o.Len(s, syntax.Place{}), o.Int(80), syntax.Place{})
	o.Return(long.Step)
	f := lower.Write(&code.Program{Params: []*code.Step{s.Step}, Body: body, Results: []types.Type{kind.GoBool}}, types.NewPackage("example.com/users", "users"))
	decl := &ast.FuncDecl{Name: ast.NewIdent("isLong"), Type: f.Lit.Type, Body: f.Lit.Body}
	if err := printer.Fprint(os.Stdout, token.NewFileSet(), decl); err != nil {
		fmt.Println(err)
	}
	fmt.Println()

	o.Compare(">", s, o.Int(80), syntax.Place{})
	fmt.Println(report.Faults.Err())
	// Output:
	// func isLong(s string) bool {
	// 	return RuneCountInString(s) > 80
	// }
	// users.aion: error: the operator > does not compare str with int: parameter s is str [lambda-type]
}
