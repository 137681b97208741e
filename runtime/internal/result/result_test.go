package result_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/internal/result"
)

func Example() {
	fmt.Println(result.Check([]byte(`{"n":7}`), 100))
	fmt.Println(result.Check([]byte(`{"n":7,}`), 100))
	fmt.Println(result.Check([]byte(`{"n":7}`), 5))
	// Output:
	//  <nil>
	//  expected a key in double quotes at byte 7, found '}'
	//  it is 7 bytes long, the limit is 5
}
