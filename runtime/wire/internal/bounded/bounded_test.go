package bounded_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/wire/internal/bounded"
)

func Example() {
	for _, limit := range []int{100, 5} {
		var t bounded.Text
		t.Start(limit)
		if t.Open("", '[') {
			for range 3 {
				if t.Begin(",") {
					t.B = append(t.B, "true"...)
				}
			}
			t.Close("]")
		}
		output, _, err := t.Done()
		fmt.Println(string(output), err)
	}
	// Output:
	// [true,true,true] <nil>
	//  it is 16 bytes long, and may be 5
}
