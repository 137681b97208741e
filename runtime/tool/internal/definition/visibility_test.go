package definition_test

import (
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool/internal/definition"
)

func Example_sight() {
	schema := []byte(`{"properties":{"query":{},"of":{"items":{"$ref":"#"}}},"additionalProperties":false}`)
	fmt.Println(string(definition.VisibleMembers([]byte(`{"query":"x","token":"s3cret","of":[{"token":1}]}`), schema)))
	// Output: {"query":"x","of":[{}]}
}

func TestOf(t *testing.T) {
	for _, tt := range []struct{ schema, text, want string }{
		{`{`, `{"a":1}`, `{"a":1}`},
		{`{}`, `{"a`, `{"a`},
		{`{}`, `{"a":{"b":1}}`, `{"a":{"b":1}}`},
		{`{"properties":{"a":{}}}`, `{"b":1}`, `{"b":1}`},
		{`{"properties":{},"additionalProperties":{"properties":{},"additionalProperties":false}}`, `{"b":{"c":1}}`, `{"b":{}}`},
		{`{"anyOf":[{"type":"null"},{"properties":{},"additionalProperties":false}]}`, `{"b":1}`, `{}`},
		{`{"anyOf":[{"$ref":"#"}]}`, `{"b":1}`, `{"b":1}`},
		{`{"$ref":"/$defs/none","$defs":{"none":{"properties":{},"additionalProperties":false}}}`, `{"b":1}`, `{"b":1}`},
		{`{"$ref":"#/$defs/no%20ne","$defs":{"no ne":{"properties":{},"additionalProperties":false}}}`, `{"b":1}`, `{}`},
	} {
		if got := string(definition.VisibleMembers([]byte(tt.text), []byte(tt.schema))); got != tt.want {
			t.Errorf("%s by %s: %s, want %s", tt.text, tt.schema, got, tt.want)
		}
	}
}
