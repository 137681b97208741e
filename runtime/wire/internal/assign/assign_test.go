package assign_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/wire/internal/assign"
)

func Example() {
	type names []string
	plain, ok := assign.To[[]string](names{"a"})
	fmt.Println(plain, ok)
	_, ok = assign.To[int](int64(1))
	fmt.Println(ok)
	_, ok = assign.To[error](nil)
	fmt.Println(ok)
	// Output:
	// [a] true
	// false
	// false
}
