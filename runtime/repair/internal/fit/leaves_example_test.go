package fit_test

import (
	"fmt"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
)

func Example_rule_Check() {
	s, err := jsonschema.Parse([]byte(`{"type": "object", "properties": {"message": {"type": "string"}, "limit": {"type": "integer"}}, "additionalProperties": false}`))
	if err != nil {
		panic(err)
	}
	node := func(text string) *jsontext.Node {
		n, err := jsontext.Parse(text, 10)
		if err != nil {
			panic(err)
		}
		return n
	}
	original := `{"msg": "Hello"}`
	rule := fit.ModelRepair{Text: original, Value: node(original), Schema: s}
	for _, text := range []string{`{"message": "Hello"}`, `{"message": "Hello", "limit": 5}`} {
		fmt.Println(rule.Check(node(text), text))
	}
	// Output:
	// []
	// [/limit: expected a value from the original, or nothing, found the number 5]
}
