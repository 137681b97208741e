package compare_test

import (
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/compare"
)

// TestDisjoint checks pairs of schemas in both orders.
func TestDisjoint(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`true`, `true`, false},
		{`true`, `false`, true},
		{`{"type":"string"}`, `{"type":"integer"}`, true},
		{`{"type":"number"}`, `{"type":"integer"}`, false},
		{`{"type":["string","null"]}`, `{"type":["integer","null"]}`, false},
		{`{"type":["string","null"]}`, `{"type":["integer","array"]}`, true},
		{`{"enum":["a","b"]}`, `{"enum":["b","c"]}`, false},
		{`{"enum":["a","b"]}`, `{"enum":["c",1]}`, true},
		{`{"enum":["a","b"]}`, `{"type":"string","minLength":2}`, true},
		{`{"enum":["a",1]}`, `{"type":"integer","maximum":0}`, true},
		{`{"type":"integer","maximum":3}`, `{"type":"integer","minimum":4}`, true},
		{`{"type":"integer","maximum":4}`, `{"type":"integer","exclusiveMinimum":4}`, true},
		{`{"type":"integer","maximum":4}`, `{"type":"integer","minimum":4}`, false},
		{`{"maximum":3}`, `{"minimum":4}`, false},
		{`{"type":"string","maxLength":3}`, `{"type":"string","minLength":4}`, true},
		{`{"type":"array","items":{"type":"string"}}`, `{"type":"array","items":{"type":"integer"}}`, false},
		{`{"type":"array","items":{"type":"string"}}`, `{"type":"array","items":{"type":"integer"},"minItems":1}`, true},
		{`{"type":"array","maxItems":1}`, `{"type":"array","minItems":2}`, true},
		{`{"type":"array","prefixItems":[{},{"type":"string"}],"minItems":2}`, `{"type":"array","items":{"type":"null"}}`, true},
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{"type":"object","properties":{"a":{"type":"null"}}}`, true},
		{`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"null"}}}`, false},
		{`{"type":"object","required":["a"]}`, `{"type":"object","additionalProperties":false}`, true},
		{`{"type":"object","required":["a"]}`, `{"type":"object"}`, false},
		{`{"type":"object","minProperties":2}`, `{"type":"object","maxProperties":1}`, true},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"oneOf":[{"type":"integer"},{"type":"boolean"}]}`, true},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"type":"null"}`, false},
		{`{"allOf":[{"type":"string"},{"maxLength":2}]}`, `{"type":"null"}`, true},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}`, `{"type":"null"}`, true},
		{`{"$ref":"#"}`, `{"type":"null"}`, false},
		{`{"type":"array","items":{"$ref":"#"},"minItems":1}`, `{"type":"array","items":{"$ref":"#"},"minItems":1}`, false},
		{`{"not":{}}`, `true`, false},
		{`{"type":"string","format":"date"}`, `{"type":"string","format":"uuid"}`, false},
	} {
		a, b := parseSchema(t, test.a), parseSchema(t, test.b)
		if compare.Disjoint(a, b) != test.want || compare.Disjoint(b, a) != test.want {
			t.Errorf("%s and %s: want %v", test.a, test.b, test.want)
		}
	}
}

func parseSchema(t *testing.T, text string) *jsonschema.Schema {
	s, err := jsonschema.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
