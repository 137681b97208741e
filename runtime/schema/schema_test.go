package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
)

func TestValidate(t *testing.T) {
	const object = `{"type":"object","properties":{"n":{"type":"integer","minimum":3},"e":{"enum":["x","y"]},"at":{"type":"string","format":"date"}},"required":["n"],"additionalProperties":false}`
	for _, test := range []struct{ schema, value, want string }{
		{object, `{"n":3,"e":"x","at":"2024-02-29"}`, ""},
		{object, `{"n":2,"e":"z","at":"2023-02-29","b/c":1}`, "/at: '2023-02-29' is not valid date: parsing time \"2023-02-29\": day out of range; /b~1c: there must be no such member; /e: value must be one of 'x', 'y'; /n: minimum: got 2, want 3"},
		{object, `{}`, "/n: there must be a value"},
		{object, `[]`, "got array, want object"},
		{object, `{`, "the value is no JSON: unexpected EOF"},
		{object, `{} {}`, "the value is no JSON: invalid character after top-level value"},
		{`{"const":12345678901234567890}`, `12345678901234567891`, "value must be 12345678901234567890"},
		{``, `7`, ""},
		{``, nested(schema.MaxDepth), ""},
		{``, nested(schema.MaxDepth + 1), "the value nests 1001 levels deep, at most 1000 are allowed"},
		{``, `["` + strings.Repeat(`[\"`, 2000) + `"]`, ""},
		{`{"type":7}`, `7`, "schema"},
		{`{"$ref":"https://example.com/x.json"}`, `7`, "schema"},
		{`{"$ref":"file:///etc/hostname"}`, `7`, "schema"},
		{`{"$ref":"#/$defs/n","$defs":{"n":{"type":"integer"}}}`, `7`, ""},
	} {
		err := schema.Validate(json.RawMessage(test.schema), json.RawMessage(test.value))
		got := ""
		if err != nil {
			got = err.Error()
			if test.want == "schema" {
				got = err.(*schema.Error).Code()
			}
		}
		if got != test.want {
			t.Errorf("%s by %s:\n got %s\nwant %s", test.value, test.schema, got, test.want)
		}
	}
}

func nested(levels int) string {
	return strings.Repeat(`{"a":[`, levels/2) + strings.Repeat(`[`, levels%2) + strings.Repeat(`]`, levels%2) + strings.Repeat(`]}`, levels/2)
}

func Example() {
	err := schema.Validate(json.RawMessage(`{"type":"object","required":["city"]}`), json.RawMessage(`{}`))
	fmt.Println(err)
	// Output: /city: there must be a value
}
