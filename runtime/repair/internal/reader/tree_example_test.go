package reader_test

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
)

func Example_holeIn() {
	n, err := jsontext.Parse(`{"a": 1, "b": null}`, 10)
	if err != nil {
		panic(err)
	}
	fmt.Println(reader.HoleIn(n) == nil)
	n.Member("b").Mark |= reader.Hole // nothing was there
	fmt.Println(reader.DescribeHole(reader.HoleIn(n)))
	// Output:
	// true
	// the value of "b" is missing
}
