package shorten_test

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/tool/internal/shorten"
)

func Example() {
	short, note, err := shorten.Result(json.RawMessage(`[1,2,3,4,5,6]`), nil, 8)
	fmt.Println(string(short), note, err)
	_, _, err = shorten.Result(json.RawMessage(`[1,2,3,4,5,6]`), json.RawMessage(`{"minItems":6}`), 8)
	fmt.Println(err)
	// Output:
	// [1,2,3] The result was too long and has been cut: it has the first 3 of 6 elements. Ask for less to see the rest. <nil>
	// it is 13 bytes long, and may be 8
}
