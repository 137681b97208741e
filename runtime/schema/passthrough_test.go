package schema

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/schema/internal/outline"
)

// TestPassThroughKeywords checks that passThroughSchema changes the schemas under every keyword. An earlier version
// missed the keywords of the first rows.
func TestPassThroughKeywords(t *testing.T) {
	const word = `{"type":"string","pattern":"(?i)a"}`
	const described = "{\"description\":\"Must match the regular expression `(?i)a`.\",\"type\":\"string\"}"
	for _, tt := range []struct{ in, want string }{
		{`{"prefixItems":[` + word + `]}`, `{"prefixItems":[` + described + `]}`},
		{`{"contains":` + word + `}`, `{"contains":` + described + `}`},
		{`{"then":` + word + `}`, `{"then":` + described + `}`},
		{`{"dependentSchemas":{"a":` + word + `}}`, `{"dependentSchemas":{"a":` + described + `}}`},
		{`{"dependencies":{"a":` + word + `,"b":["a"]}}`, `{"dependencies":{"a":` + described + `,"b":["a"]}}`},
		{`{"contains":{"type":"array"}}`, `{"contains":{"type":"array","items":{}}}`},

		{`{"items":` + word + `}`, `{"items":` + described + `}`},
		{`{"anyOf":[` + word + `,true]}`, `{"anyOf":[` + described + `,true]}`},
		{`{"properties":{"a":` + word + `}}`, `{"properties":{"a":` + described + `}}`},
		{`{"items":{"type":"array"}}`, `{"items":{"type":"array","items":{}}}`},

		{`{"type":"string","not":` + word + `}`, `{"description":"Must be valid against the JSON Schema {\"not\":{\"type\":\"string\",\"pattern\":\"(?i)a\"}}.","type":"string"}`},
		{`{"if":` + word + `,"then":true,"type":"string"}`, `{"description":"Must be valid against the JSON Schema {\"if\":{\"type\":\"string\",\"pattern\":\"(?i)a\"},\"then\":true}.","type":"string"}`},
		{`{"oneOf":[` + word + `,true]}`, `{"anyOf":[` + described + `,true]}`},
		{`{"anyOf":[true],"oneOf":[` + word + `]}`, `{"description":"Must be valid against the JSON Schema {\"oneOf\":[{\"type\":\"string\",\"pattern\":\"(?i)a\"}]}.","anyOf":[true]}`},
		{`{"contains":` + word + `,"maxContains":2}`, `{"description":"Must be valid against the JSON Schema {\"contains\":{\"type\":\"string\",\"pattern\":\"(?i)a\"},\"maxContains\":2}."}`},
		{`{"not":{"const":{"pattern":1}}}`, `{"not":{"const":{"pattern":1}}}`},
	} {
		root, err := outline.Parse([]byte(`{"type":"object","properties":{"x":` + tt.in + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		lowered, _ := passThroughSchema(&lowering{Rules: outline.RulesOf("openai")}, root)
		if got := string(outline.RawJSON(lowered.At("/properties/x"))); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.in, got, tt.want)
		}
	}
}

// TestPassThroughRoot checks that keywords which a target accepts at the root are not rewritten. An earlier
// version merged an allOf with a single branch into the root.
func TestPassThroughRoot(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"object","properties":{"a":{}},"allOf":[{"anyOf":[{"required":["a"]},true]}]}`: `{"type":"object","properties":{"a":{}},"allOf":[{"anyOf":[{"required":["a"]},true]}]}`,
		`{"allOf":[{"type":"object"}]}`:                        `{"type":"object"}`,
		`{"$ref":"#/$defs/A","$defs":{"A":{"type":"object"}}}`: `{"$defs":{"A":{"type":"object"}},"type":"object"}`,
	} {
		root, err := outline.Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		lowered, _ := passThroughSchema(&lowering{Rules: outline.RulesOf("mcp")}, root)
		if got := string(outline.RawJSON(lowered)); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", in, got, want)
		}
	}
}

// TestPassThroughNames checks that references follow renamed arguments.
func TestPassThroughNames(t *testing.T) {
	root, err := outline.Parse([]byte(`{"properties":{"a b":{"properties":{"c d":{}}},"e":{"$ref":"#/properties/a%20b/properties/c%20d"},"f":{"$ref":"#/properties/a%20b"},"g":{"$ref":"#/properties/a b/properties/c d"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	lowered, _ := passThroughSchema(&lowering{Rules: outline.RulesOf("anthropic")}, root)
	names := outline.MemberNames(lowered.Member("properties"))
	if names[0] == "a b" {
		t.Fatal("the name is kept")
	}
	for pointer, want := range map[string]string{
		"/properties/e/$ref": "#/properties/" + names[0] + "/properties/c%20d",
		"/properties/f/$ref": "#/properties/" + names[0],
		"/properties/g/$ref": "#/properties/" + names[0] + "/properties/c d",
	} {
		if got := lowered.At(pointer).Str(); got != want {
			t.Errorf("%s is %s, want %s", pointer, got, want)
		}
	}
}
