package tree_test

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/tree"
)

func ExampleHoleIn() {
	n, err := jsontext.Parse(`{"a": 1, "b": null}`, 10)
	if err != nil {
		panic(err)
	}
	fmt.Println(tree.HoleIn(n) == nil)
	n.Member("b").Mark |= tree.Void // nothing was there
	fmt.Println(tree.Missing(tree.HoleIn(n)))
	// Output:
	// true
	// the value of "b" is missing
}
