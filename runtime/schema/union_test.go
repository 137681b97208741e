package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestTagInAnotherCase checks that a union is read by its tags even if the provider changes the case
// of the model's text.
func TestTagInAnotherCase(t *testing.T) {
	l := lower(t, schema.AnthropicStrict, tool.Definition{Name: "x", Input: json.RawMessage(`{"type":"object","properties":{"v":{"anyOf":[
		{"type":"object","properties":{"kind":{"const":"text"},"of":{}},"required":["kind","of"],"additionalProperties":false},
		{"type":"object","properties":{"kind":{"const":"map"},"of":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["kind","of"],"additionalProperties":false}]}}}`)})
	for written, want := range map[string]string{
		`{"v":{"kind":"Text","of":"[1]"}}`:                      `{"v":{"kind":"text","of":[1]}}`,
		`{"v":{"kind":"MAP","of":[{"key":"a","value":1}]}}`:     `{"v":{"kind":"map","of":{"a":1}}}`,
		`{"v":{"kind":"another","of":[{"key":"a","value":1}]}}`: `{"v":{"kind":"another","of":[{"key":"a","value":1}]}}`,
	} {
		if got, err := l.Raise(json.RawMessage(written)); err != nil || string(got) != want {
			t.Errorf("%s is raised as %s, %v, not as %s", written, got, err, want)
		}
	}
}

// TestReferenceToItself checks that Raise ends for a definition that only refers to itself.
func TestReferenceToItself(t *testing.T) {
	for _, definitions := range []string{
		`{"P":{"$ref":"#/$defs/P"}}`,
		`{"P":{"$ref":"#/$defs/Q"},"Q":{"anyOf":[{"$ref":"#/$defs/P"}]}}`,
		`{"P":{"anyOf":[{"$ref":"#/$defs/P"},{"type":"integer"}]}}`,
		`{"P":{"type":"array","items":{"$ref":"#/$defs/Q"}},"Q":{"$ref":"#/$defs/P"}}`,
	} {
		for _, target := range schema.Targets() {
			l := lower(t, target, tool.Definition{Name: "x", Input: json.RawMessage(`{"type":"object","properties":{"a":{"$ref":"#/$defs/P"}},"$defs":` + definitions + `}`)})
			if _, err := l.Raise(json.RawMessage(`{"a":[[]]}`)); err != nil {
				t.Errorf("%s, %s: %v", definitions, target, err)
			}
		}
	}
}
