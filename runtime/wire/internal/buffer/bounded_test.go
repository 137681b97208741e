package buffer_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/wire/internal/buffer"
)

func Example_bounded() {
	for _, limit := range []int{100, 5} {
		var t buffer.BoundedText
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
	//  it is 16 bytes long, the limit is 5
}
