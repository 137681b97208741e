package openai_test

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/llm/openai"
)

func ExampleObject() {
	var o openai.Object
	for _, piece := range []string{`{"reasoning":"It "}`, `{"reasoning":"is.","sig":"a"}`, `{"sig":"b","list":[1]}`, `{"list":[2]}`} {
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(piece), &members); err != nil {
			fmt.Println(err)
		}
		o.Add(members)
	}
	text, err := json.Marshal(o.Read())
	fmt.Println(string(text), err)
	// Output: {"list":[1,2],"reasoning":"It is.","sig":"b"} <nil>
}
