package ir_test

import (
	"fmt"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/lambda/ir"
)

// All Go integers are int to Python. Values of different types keep their types in an any.
func ExampleKindOf() {
	id := types.Typ[types.Uint8]
	fmt.Println(ir.KindNames[ir.KindOf(id)], ir.PlainType(id))
	fmt.Println(ir.JoinTypes(id, ir.GoFloat))
	fmt.Println(ir.JoinTypes(types.NewSlice(id), types.NewSlice(ir.GoString)))
	fmt.Println(ir.OrNone(ir.GoString), ir.KindOf(ir.OrNone(ir.GoString)) == ir.Optional)
	// Output:
	// int int
	// any
	// any
	// *string true
}
