package tool

import "testing"

// TestVisibleMembers checks that values lose the members that their schema does not have, at any depth.
func TestVisibleMembers(t *testing.T) {
	for _, tt := range []struct{ schema, text, want string }{
		{
			`{"properties":{"query":{},"of":{"items":{"$ref":"#"}}},"additionalProperties":false}`,
			`{"query":"x","token":"s3cret","of":[{"token":1}]}`, `{"query":"x","of":[{}]}`,
		},
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
		if got := string(visibleMembers([]byte(tt.text), []byte(tt.schema))); got != tt.want {
			t.Errorf("%s by %s: %s, want %s", tt.text, tt.schema, got, tt.want)
		}
	}
}
