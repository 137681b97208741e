package sound_test

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/tool/internal/sound"
)

func Example() {
	fmt.Println(sound.Definition("find", json.RawMessage(`{"type":"object"}`), nil, json.RawMessage(`{"id":7}`)))
	fmt.Println(sound.Definition(" ", json.RawMessage(`{"type":"thing"}`), nil, json.RawMessage(`{`)))
	// Output:
	// <nil>
	// it has no name
	// its input schema is none: /type must be one of object, array, string, number, integer, boolean, null, or a list of them
	// its example is no JSON
}
