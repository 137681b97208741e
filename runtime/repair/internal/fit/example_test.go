package fit_test

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
)

func ExampleArguments() {
	s, err := jsonschema.Parse([]byte(`{"type": "object", "properties": {"userId": {"type": "integer"}}, "additionalProperties": false}`))
	if err != nil {
		panic(err)
	}
	text := `{"user_id": "7"}`
	n, err := jsontext.Parse(text, 10)
	if err != nil {
		panic(err)
	}
	n, edits, bad := fit.Arguments(text, n, s)
	fmt.Println(n, bad == nil)
	for _, e := range edits {
		fmt.Println(e.Kind, e.Pointer, e.Before, e.After)
	}
	// Output:
	// {"userId":7} true
	// name /user_id "user_id" "userId"
	// type /user_id "7" 7
}
