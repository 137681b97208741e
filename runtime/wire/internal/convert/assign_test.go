package convert_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/wire/internal/convert"
)

func Example_assign() {
	type names []string
	plain, ok := convert.AssignTo[[]string](names{"a"})
	fmt.Println(plain, ok)
	_, ok = convert.AssignTo[int](int64(1))
	fmt.Println(ok)
	_, ok = convert.AssignTo[error](nil)
	fmt.Println(ok)
	// Output:
	// [a] true
	// false
	// false
}
