package definition_test

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/tool/internal/definition"
)

func Example_sound() {
	fmt.Println(definition.Check("find", json.RawMessage(`{"type":"object"}`), nil, json.RawMessage(`{"id":7}`)))
	fmt.Println(definition.Check(" ", json.RawMessage(`{"type":"thing"}`), nil, json.RawMessage(`{`)))
	// Output:
	// <nil>
	// it has no name
	// its input schema is invalid: /type must be one of object, array, string, number, integer, boolean, null, or a list of them
	// its example is not JSON
}
