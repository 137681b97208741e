package size_test

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/python/scope"
	"github.com/aiongen/aiongen/gen/internal/python/size"
	"github.com/aiongen/aiongen/gen/internal/python/syntax"
)

type nothing struct{ scope.Scope }

func (nothing) At(syntax.Place) diag.Span { return diag.Span{File: "users.aion"} }

// How often the result holds the arguments is bounded; how large these are is not.
func ExampleCheck() {
	for _, times := range []int{100, 1000} {
		l, faults := syntax.Parse("lambda s: s"+strings.Repeat(" + s", times-1), nothing{}.At)
		if err := faults.Err(); err != nil {
			fmt.Println(err)
			return
		}
		names := &scope.Names{Report: &scope.Report{Scope: nothing{}}}
		size.Check(l.Body, names)
		fmt.Println(times, "times:", names.Faults.Err())
	}
	// Output:
	// 100 times: <nil>
	// 1000 times: users.aion: error: the result may hold the arguments more than 256 times [too-large]
}
