package store_test

import (
	"fmt"
	"os"

	"github.com/aiongen/aiongen/runtime/tool/internal/store"
)

func Example() {
	v := store.Variables{Fail: func(name string, err error) error { return fmt.Errorf("%s: %w", name, err) }}
	_ = v.Set("report", "a text")
	name, _, err := v.Reserve("file").Keep("file", os.Stdout)
	fmt.Println(name, err, v.Fitting(func(value any) bool { _, is := value.(string); return is }))
	v.Delete("file_1")
	fmt.Println(v.Close(), v.Set("late", 1))
	// Output:
	// file_1 <nil> [report]
	// <nil> late: the scope is closed
}
