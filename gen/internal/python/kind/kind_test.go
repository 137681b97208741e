package kind_test

import (
	"fmt"
	"go/types"

	"github.com/aiongen/aiongen/gen/internal/python/kind"
)

// All integers of Go are int to Python. Values of two types are kept as they are.
func Example() {
	id := types.Typ[types.Uint8]
	fmt.Println(kind.Names[kind.Of(id)], kind.Plain(id))
	fmt.Println(kind.Join(id, kind.GoFloat))
	fmt.Println(kind.Join(types.NewSlice(id), types.NewSlice(kind.GoString)))
	fmt.Println(kind.OrNone(kind.GoString), kind.Of(kind.OrNone(kind.GoString)) == kind.Optional)
	// Output:
	// int int
	// any
	// any
	// *string true
}
