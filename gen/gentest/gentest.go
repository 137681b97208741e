// Package gentest provides a test that generated code is current. Call [CheckCurrent] in a test of
// a package with .aion files:
//
//	func TestGenerated(t *testing.T) { gentest.CheckCurrent(t) }
//
// If generated code is stale because a function, a struct of arguments or the value of a constant
// changed, the Go compiler reports an error. It reports nothing after changes of comments,
// annotations or .aion files, or after new constants. CheckCurrent finds everything that go tool
// aiongen check finds.
package gentest

import (
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/internal/regularfile"
)

// CheckCurrent fails the test if .aion files of packages have errors or warnings, or if go tool
// aiongen would change generated files. It writes nothing. Packages are given in the
// syntax of the go command, such as "./..."; the default is the package in the current directory,
// which is the package of the test.
func CheckCurrent(t testing.TB, packages ...string) {
	t.Helper()
	result, found := gen.Generate(t.Context(), gen.Config{Patterns: packages})
	var problems diag.List
	for _, d := range found {
		if d.Severity != diag.Note {
			problems = append(problems, d)
		}
	}
	for _, change := range result.Changes {
		problems.Errorf("out-of-date", diag.Span{File: change.Name}, "the generated file is %s", change.State()).
			WithHelp("run go tool aiongen to bring it up to date")
	}
	if len(problems) == 0 {
		return
	}
	var text strings.Builder
	if err := (diag.Printer{Read: regularfile.ReadFile}).Print(&text, problems); err != nil {
		t.Error(err)
	}
	t.Errorf("the generated code is not current:\n%s", text.String())
}
