package compare_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema/compare"
)

func ExampleTexts() {
	before := `{"type":"object","properties":{"n":{"type":"integer","minimum":1},"old":{}}}`
	now := `{"type":"object","properties":{"n":{"type":"integer","minimum":0}},"required":["n"]}`
	for _, d := range compare.Texts(json.RawMessage(before), json.RawMessage(now)) {
		fmt.Println(d.At, d.Text, d.Effect&compare.Narrows != 0, d.Effect&compare.Widens != 0)
	}
	// Output:
	// /n it is now required true false
	// /n the minimum is 0, it was 1 false true
	// /old it was removed false false
}

// TestTexts compares pairs of schemas.
func TestTexts(t *testing.T) {
	const narrows, widens = compare.Narrows, compare.Widens
	for _, test := range []struct {
		before, now, text string
		effect            compare.Effect
	}{
		{``, `true`, "", 0},
		{`{"type":"string"}`, `{"type" : "string"}`, "", 0},
		{`{"minimum":1}`, `{"minimum":1.0}`, "", 0},
		{`{"type":["string","null"]}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`, "", 0},
		{`{"const":"a"}`, `{"enum":["a"]}`, "", 0},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}`, `{"type":"string"}`, "", 0},
		{`{"$ref":"#a","$defs":{"x":{"$anchor":"a","type":"string"}}}`, `{"type":"string"}`, "", 0},
		{`{"$ref":"#a","$defs":{"x":{"$anchor":"a","type":"string"}}}`, `{"$ref":"#a","$defs":{"x":{"$anchor":"a","type":"null"}}}`, ": the type is null, it was string", narrows | widens},
		{`{"type":"string","minLength":1}`, `{"type":"string","minLength":1.0,"maxLength":3}`, ": the greatest length is 3, there was none", narrows},
		{`{"type":"number","minimum":1}`, `{"type":"number","exclusiveMinimum":1}`, ": the minimum is 1 (exclusive), it was 1", narrows},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","type":"number","minimum":1,"exclusiveMinimum":true}`, `{"type":"number","exclusiveMinimum":1}`, "", 0},
		{`{"type":"number","multipleOf":0.5}`, `{"type":"number","multipleOf":1.5}`, ": only multiples of 1.5 are allowed, it was multiples of 0.5", narrows},
		{`{"type":"number","minimum":1e999999999999}`, `{"type":"number","minimum":2e999999999999}`, ": the minimum is 2e999999999999, it was 1e999999999999", narrows},
		{`{"enum":[1,"a"]}`, `{"enum":[1,"a","b"]}`, `: "b" is now allowed as well`, widens},
		{`{"enum":[]}`, `{"enum":[]}`, "", 0},
		{`{"enum":[]}`, `false`, "", 0},
		{`{"type":"array","items":{"type":"string"}}`, `{"type":"array"}`, "/*: any value is allowed, it was a string", widens},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","type":"array","items":[{"type":"string"}]}`, `{"$schema":"http://json-schema.org/draft-07/schema#","type":"array","items":[{"type":"null"}]}`, `: the value of "items" changed`, narrows | widens},
		{`{"type":"string","not":{"const":"a"}}`, `{"type":"string","not":{"const":"b"}}`, `: the value of "not" changed`, narrows | widens},
		{`{"$dynamicRef":"#a","$defs":{"x":{"$dynamicAnchor":"a","type":"string"}}}`, `{"$dynamicRef":"#a","$defs":{"x":{"$dynamicAnchor":"a","type":"null"}}}`, `: the value of "$dynamicRef" changed`, narrows | widens},
		{`{"not":{"$dynamicRef":"#a"},"$defs":{"x":{"$dynamicAnchor":"a","type":"string"}}}`, `{"not":{"$dynamicRef":"#a"},"$defs":{"x":{"$dynamicAnchor":"a","type":"null"}}}`, `: the value of "not" changed`, narrows | widens},
		{`{"items":{"$id":"x","not":{"$ref":"#/$defs/a"},"$defs":{"a":{"type":"string"}}}}`, `{"items":{"$id":"x","not":{"$ref":"#/$defs/a"},"$defs":{"a":{"type":"null"}}}}`, `/*: the value of "not" changed`, narrows | widens},
		{`{"type":"object","patternProperties":{"^x":{}},"additionalProperties":false}`, `{"type":"object","patternProperties":{"^x":{}},"additionalProperties":false,"properties":{"x1":{"type":"string"}}}`, "/x1: it is new, and allows less than before", narrows},
		{`{"type":"object","additionalProperties":{},"unevaluatedProperties":false}`, `{"type":"object","unevaluatedProperties":false}`, `: the value of "unevaluatedProperties" changed`, narrows | widens},
		{`{"type":"object","properties":{"a":{"maxLength":1}},"unevaluatedProperties":false}`, `{"type":"object","properties":{"a":{"maxLength":2}},"unevaluatedProperties":false}`, "/a: the greatest length is 2, it was 1", widens},
		{`{"type":"array","items":{}}`, `{"type":"array","unevaluatedItems":false}`, `: the value of "unevaluatedItems" changed`, narrows | widens},
		{`true`, `{"oneOf":[true,true]}`, `: the value of "oneOf" changed`, narrows | widens},
		{`{"oneOf":[{"type":"string","maxLength":3},{"type":"string","minLength":3}]}`, `{"oneOf":[{"type":"string","maxLength":4},{"type":"string","minLength":3}]}`, `: the value of "oneOf" changed`, narrows | widens},
		{`{"oneOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, "", 0},
		{`{"type":"string"`, `{}`, ": the schema is not JSON: expected a comma or a closing brace at byte 16, found the end of the text", narrows | widens},
		{`{"type":7}`, `{}`, ": the schema cannot be compared: /type: expected a type, or several, found the number 7", narrows | widens},
		{`{"type":7}`, `{"type":7}`, "", 0},
		{`{}`, `{"properties":{"a":{"$ref":"https://example.com/a"}}}`, `: the schema cannot be compared: /properties/a/$ref: expected a reference to a place in the schema, because other documents are not loaded, found "https://example.com/a"`, narrows | widens},
	} {
		found := compare.Texts(json.RawMessage(test.before), json.RawMessage(test.now))
		text := ""
		for _, d := range found {
			text = d.At + ": " + d.Text
		}
		if text != test.text || len(found) > 1 || effectOf(test.before, test.now) != test.effect {
			t.Errorf("%s, now %s: %v, effect %d", test.before, test.now, found, effectOf(test.before, test.now))
		}
	}
}

// TestVariants compares unions of which several variants changed.
func TestVariants(t *testing.T) {
	variant := func(name, limit string) string {
		return `{"type":"object","properties":{"type":{"const":"` + name + `"},"n":{"type":"number"` + limit + `}},"required":["type"],"additionalProperties":false}`
	}
	before := `{"anyOf":[` + variant("a", "") + `,` + variant("b", "") + `,` + variant("c", "") + `]}`
	now := `{"anyOf":[` + variant("d", "") + `,` + variant("b", `,"minimum":1`) + `,` + variant("a", `,"maximum":2`) + `]}`
	var got []string
	for _, d := range compare.Texts(json.RawMessage(before), json.RawMessage(now)) {
		got = append(got, fmt.Sprintf("%s %s %v %v", d.At, d.Text, d.Effect&compare.Narrows != 0, d.Effect&compare.Widens != 0))
	}
	want := []string{
		"/n the maximum is 2, there was none true false",
		"/n the minimum is 1, there was none true false",
		`/type "c" is no longer allowed true false`,
		`/type "d" is now allowed as well false true`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestManyAlternatives checks that comparing many alternatives with each other is given up,
// unless only one of them changed.
func TestManyAlternatives(t *testing.T) {
	union := func(prefix string, last string) json.RawMessage {
		var b strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&b, `{"type":"string","pattern":"^%s%d"},`, prefix, i)
		}
		return json.RawMessage(`{"anyOf":[` + b.String() + last + `]}`)
	}
	const short, long = `{"type":"string","maxLength":3}`, `{"type":"string","maxLength":4}`
	for _, test := range []struct {
		before, now json.RawMessage
		text        string
	}{
		{union("a", short), union("b", short), "the schema is too large or too deep to be compared"},
		{union("a", short), union("a", long), "the greatest length is 4, it was 3"},
	} {
		if found := compare.Texts(test.before, test.now); len(found) != 1 || found[0].Text != test.text {
			t.Errorf("%d differences, %.1v, want %s", len(found), found, test.text)
		}
	}
}

func effectOf(before, now string) (e compare.Effect) {
	for _, d := range compare.Texts(json.RawMessage(before), json.RawMessage(now)) {
		e |= d.Effect
	}
	return e
}

// FuzzTexts checks that a change that narrows one way widens the other way.
func FuzzTexts(f *testing.F) {
	for _, s := range []string{
		`{"type": "object", "properties": {"a": {"enum": ["x", 1, null]}}, "required": ["a", "b"]}`,
		`{"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"anyOf": [{"$ref": "#/$defs/a~1b"}, {"type": ["string", "null"]}]}}}`,
		`{"items": {"minimum": 1e9999999999, "multipleOf": 0}, "pattern": 7, "not": {"$ref": "#"}}`,
		`{"additionalProperties": {"const": {}}, "propertyNames": false, "maxItems": -1.5}`,
		`{"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "array", "minItems": 1}, true]}`,
		`7`, `{`, ``,
	} {
		f.Add(s, `{}`)
		f.Add(s, `{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false}`)
	}
	f.Fuzz(func(t *testing.T, before, now string) {
		there, back := effectOf(before, now), effectOf(now, before)
		if there&compare.Narrows != 0 != (back&compare.Widens != 0) || there&compare.Widens != 0 != (back&compare.Narrows != 0) {
			t.Errorf("one way %d, back %d", there, back)
		}
	})
}
