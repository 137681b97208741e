package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestGrammars checks which keywords OpenAI's target states in words, because servers that use grammars misread
// them.
func TestGrammars(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"type":"integer","minimum":1,"maximum":9}`, ``},
		{`{"type":"integer","minimum":0}`, ``},
		{`{"type":["integer","null"],"minimum":-128,"maximum":127}`, ``},
		{`{"type":"integer","minimum":-5,"exclusiveMaximum":0}`, ``},
		{`{"type":"integer","minimum":-5}`, `{"description":"Must be at least -5.","type":"integer"}`},
		{`{"type":"integer","maximum":-5}`, `{"description":"Must be at most -5.","type":"integer"}`},
		{`{"type":"integer","minimum":-5,"maximum":1e30}`, `{"description":"Must be at least -5. Must be at most 1e30.","type":"integer"}`},
		{`{"type":"integer","minimum":1.5}`, `{"description":"Must be at least 1.5.","type":"integer"}`},
		{`{"type":"integer","maximum":9007199254740992}`, ``},
		{`{"type":"integer","maximum":9007199254740993}`, `{"description":"Must be at most 9007199254740993.","type":"integer"}`},
		{`{"type":"number","minimum":0}`, `{"description":"Must be at least 0.","type":"number"}`},
		{`{"type":["integer","number"],"minimum":0}`, `{"description":"Must be at least 0.","type":["integer","number"]}`},
		{`{"minimum":0}`, `{"description":"Must be at least 0."}`},
		{`{"type":"string","description":"A name.","minLength":1,"maxLength":2}`, `{"description":"A name.\nMust have at least 1 character. Must have at most 2 characters.","type":"string"}`},
		{`{"type":"string","format":"date-time"}`, ``},
		{`{"type":"string","format":"email"}`, `{"description":"Must be an email address.","type":"string"}`},
		{`{"type":"object","properties":{},"additionalProperties":{"type":"integer"},"propertyNames":{"maxLength":3}}`,
			`{"description":"Must be valid against the JSON Schema {\"propertyNames\":{\"maxLength\":3}}.","type":"object","properties":{},"additionalProperties":{"type":"integer"}}`},
		{`{"type":"object","properties":{},"patternProperties":{"^x-[a-z]+$":{"type":"integer"}},"additionalProperties":false}`, ``},
		{`{"type":"object","properties":{},"patternProperties":{"^x":{"type":"integer"}},"additionalProperties":false}`,
			`{"description":"Must be valid against the JSON Schema {\"patternProperties\":{\"^x\":{\"type\":\"integer\"}},\"additionalProperties\":false}.","type":"object","properties":{},"additionalProperties":true}`},
		{`{"type":"integer","not":{"type":"number","minimum":3}}`, `{"description":"Must be valid against the JSON Schema {\"not\":{\"type\":\"number\",\"minimum\":3}}.","type":"integer"}`},
		{`{"type":"object","properties":{"minLength":{"type":"integer"}}}`, ``},
	} {
		input := `{"type":"object","properties":{"v":` + tt.in + `}}`
		want := input
		if tt.want != "" {
			want = `{"type":"object","properties":{"v":` + tt.want + `}}`
		}
		l := lower(t, schema.OpenAI, tool.Definition{Name: "x", Input: json.RawMessage(input)})
		if string(l.Input) != want || (len(l.Losses) > 0) != (tt.want != "") {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", input, l.Input, l.Losses, want)
		}
		if l := lower(t, schema.Anthropic, tool.Definition{Name: "x", Input: json.RawMessage(input)}); string(l.Input) != input {
			t.Errorf("%s, anthropic: %s", input, l.Input)
		}
	}
}

// TestGrammarPatterns checks which patterns OpenAI's target keeps.
func TestGrammarPatterns(t *testing.T) {
	for pattern, plain := range map[string]bool{
		`^a$`: true, `^[a-z]+$`: true, `^[A-Z]{3}-\d{4}$`: true, `^(a|b)*$`: true, `^[\w.-]+@\w+\.com$`: true, `^[+-]?[0-9]{1,}$`: true, `^[\]a]$`: true, `^$`: true, `^\$$`: true, `^[ -!#-Z]$`: true, `^\[x\]$`: true,
		`a`: false, `^a`: false, `a$`: false, `^a|b$`: false, `^.$`: false, `^[^a]$`: false, `^\s$`: false, `^\S$`: false, `^\W$`: false, `^\n$`: false, `^\x41$`: false, `^é$`: false, `^"a"$`: false, `^\\$`: false, `^\"$`: false,
		`^[A-z]$`: false, `^[ -~]$`: false, `^[a-\d]$`: false, `^(?:a)$`: false, `^\bfoo$`: false, `^a$b$`: false, `^{a}$`: false, `^[a-é]$`: false, `^(a)\1$`: false, `^\pL$`: false, `^["]$`: false, `^a\$`: false,
	} {
		input, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{"v": map[string]any{"type": "string", "pattern": pattern}}})
		if err != nil {
			t.Fatal(err)
		}
		l := lower(t, schema.OpenAI, tool.Definition{Name: "x", Input: input})
		if sent := strings.Contains(string(l.Input), `"pattern"`); sent != plain {
			t.Errorf("%s: sent is %t", pattern, sent)
		}
	}
}

// TestPlainReferences checks that references need no escapes, and that those to anchors stay when the arguments
// become a member.
func TestPlainReferences(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/Gr%C3%B6%C3%9Fe"},"b":{"$ref":"#/$defs/a~1b/properties/c"},"d":{"$ref":"#/$defs/Gr__e"}},"$defs":{"Größe":{"type":"integer"},"Gr__e":{"type":"string"},"a/b":{"properties":{"c":{"$ref":"#"}}}}}`: `{"type":"object","properties":{"a":{"$ref":"#/$defs/Gr__e_"},"b":{"$ref":"#/$defs/a_b/properties/c"},"d":{"$ref":"#/$defs/Gr__e"}},"$defs":{"Gr__e_":{"type":"integer"},"Gr__e":{"type":"string"},"a_b":{"properties":{"c":{"$ref":"#"}}}}}`,
		`{"$ref":"#x","$defs":{"a":{"$anchor":"x","type":"array","items":{}}}}`: `{"type":"object","properties":{"arguments":{"$ref":"#x"}},"required":["arguments"],"additionalProperties":false,"$defs":{"a":{"$anchor":"x","type":"array","items":{}}}}`,
	} {
		if l := lower(t, schema.OpenAI, tool.Definition{Name: "x", Input: json.RawMessage(in)}); string(l.Input) != want {
			t.Errorf("%s:\ngot  %s\nwant %s", in, l.Input, want)
		}
	}
}
