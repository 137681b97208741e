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
		{object, `{"n":2,"e":"z","at":"2023-02-29","b/c":1}`, `/at: expected a date such as 2026-01-31, found the string "2023-02-29"; /b~1c: expected one of the 3 keys n, e, at, found the key "b/c"; /e: expected one of "x", "y" (strings), found the string "z"; /n: expected an integer of at least 3, found the number 2`},
		{object, `{}`, "/n: expected a value, found nothing"},
		{object, `[]`, "expected an object, found an array"},
		{object, `{`, "the value cannot be read: expected a key in double quotes at byte 1, found the end of the text"},
		{object, `{} {}`, "the value cannot be read: expected nothing after the JSON value at byte 3, found '{'"},
		{`{"const":12345678901234567890}`, `12345678901234567891`, "expected the integer 12345678901234567890, found the number 12345678901234567891"},
		{``, `7`, ""},
		{``, nested(1000), ""},
		{``, nested(1001), "the value cannot be read: expected at most 1000 levels of nesting at byte 3000, found '['"},
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
	// Output: /city: expected a value, found nothing
}
