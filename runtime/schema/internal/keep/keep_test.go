package keep_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/schema/internal/keep"
	"github.com/aiongen/aiongen/runtime/schema/internal/rules"
	"github.com/aiongen/aiongen/runtime/schema/internal/tree"
)

// TestParts: what is changed in a schema is changed in all schemas within it, whatever
// the keyword. Before there was one list of keywords, those of the first rows stayed.
func TestParts(t *testing.T) {
	const word = `{"type":"string","pattern":"(?i)a"}`
	const told = "{\"description\":\"Must match the regular expression `(?i)a`.\",\"type\":\"string\"}"
	for _, tt := range []struct{ in, want string }{
		{`{"prefixItems":[` + word + `]}`, `{"prefixItems":[` + told + `]}`},
		{`{"contains":` + word + `}`, `{"contains":` + told + `}`},
		{`{"then":` + word + `}`, `{"then":` + told + `}`},
		{`{"dependentSchemas":{"a":` + word + `}}`, `{"dependentSchemas":{"a":` + told + `}}`},
		{`{"dependencies":{"a":` + word + `,"b":["a"]}}`, `{"dependencies":{"a":` + told + `,"b":["a"]}}`},
		{`{"contains":{"type":"array"}}`, `{"contains":{"type":"array","items":{}}}`},

		{`{"items":` + word + `}`, `{"items":` + told + `}`},
		{`{"anyOf":[` + word + `,true]}`, `{"anyOf":[` + told + `,true]}`},
		{`{"properties":{"a":` + word + `}}`, `{"properties":{"a":` + told + `}}`},
		{`{"items":{"type":"array"}}`, `{"items":{"type":"array","items":{}}}`},

		{`{"type":"string","not":` + word + `}`, `{"description":"Must be valid against the JSON Schema {\"not\":{\"type\":\"string\",\"pattern\":\"(?i)a\"}}.","type":"string"}`},
		{`{"if":` + word + `,"then":true,"type":"string"}`, `{"description":"Must be valid against the JSON Schema {\"if\":{\"type\":\"string\",\"pattern\":\"(?i)a\"},\"then\":true}.","type":"string"}`},
		{`{"oneOf":[` + word + `,true]}`, `{"anyOf":[` + told + `,true]}`},
		{`{"anyOf":[true],"oneOf":[` + word + `]}`, `{"description":"Must be valid against the JSON Schema {\"oneOf\":[{\"type\":\"string\",\"pattern\":\"(?i)a\"}]}.","anyOf":[true]}`},
		{`{"contains":` + word + `,"maxContains":2}`, `{"description":"Must be valid against the JSON Schema {\"contains\":{\"type\":\"string\",\"pattern\":\"(?i)a\"},\"maxContains\":2}."}`},
		{`{"not":{"const":{"pattern":1}}}`, `{"not":{"const":{"pattern":1}}}`},
	} {
		root, err := tree.Parse([]byte(`{"type":"object","properties":{"x":` + tt.in + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		lowered, _ := keep.Schema(rules.For("openai"), root)
		if got := string(tree.Raw(lowered.At("/properties/x"))); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.in, got, tt.want)
		}
	}
}

// TestAnyRoot: what a target takes at the root is not said in another way. A branch
// that is alone became the whole before.
func TestAnyRoot(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"object","properties":{"a":{}},"allOf":[{"anyOf":[{"required":["a"]},true]}]}`: `{"type":"object","properties":{"a":{}},"allOf":[{"anyOf":[{"required":["a"]},true]}]}`,
		`{"allOf":[{"type":"object"}]}`:                        `{"type":"object"}`,
		`{"$ref":"#/$defs/A","$defs":{"A":{"type":"object"}}}`: `{"$defs":{"A":{"type":"object"}},"type":"object"}`,
	} {
		root, err := tree.Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		lowered, _ := keep.Schema(rules.For("mcp"), root)
		if got := string(tree.Raw(lowered)); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", in, got, want)
		}
	}
}

// TestRenamed: references follow the arguments that get other names.
func TestRenamed(t *testing.T) {
	root, err := tree.Parse([]byte(`{"properties":{"a b":{"properties":{"c d":{}}},"e":{"$ref":"#/properties/a%20b/properties/c%20d"},"f":{"$ref":"#/properties/a%20b"},"g":{"$ref":"#/properties/a b/properties/c d"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	lowered, _ := keep.Schema(rules.For("anthropic"), root)
	names := tree.Names(lowered.Member("properties"))
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
