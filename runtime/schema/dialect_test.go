package schema_test

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	oracle "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// oldSchemas are input schemas of older drafts, or with unusable keywords, and whether the translation
// has losses.
var oldSchemas = map[string]bool{
	`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"array","items":[{"type":"string"},{"type":"integer"}],"additionalItems":false}},"required":["a"]}`:                      false,
	`{"type":"object","properties":{"n":{"type":"number","minimum":3,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false}}}`:                                                                                        false,
	`{"$schema":"http://json-schema.org/draft-04/schema#","id":"http://x/y","type":"object","properties":{"p":{"$ref":"#/definitions/p"}},"definitions":{"p":{"id":"#p","type":"string"}},"dependencies":{"p":["q"]}}`:       false,
	`{"type":"object","properties":{"a":{"type":"string","required":true,"divisibleBy":2}},"dependencies":{"a":{"required":["b"]}},"extends":{"required":["c"]}}`:                                                            false,
	`{"type":"object","properties":{"e":{"type":"string","format":"email","pattern":"^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$"}}}`:                            true,
	`{"type":"object","properties":{"e":{"type":"string","pattern":"(a)\\1"}},"patternProperties":{"(?<=a)b":{}},"additionalProperties":false}`:                                                                              true,
	`{"type":"object","properties":{"d":{"type":"string","description":null,"enum":null,"items":null}},"required":null}`:                                                                                                     true,
	`{"type":"object","properties":{"d":{"type":"file"},"r":{"$ref":"https://example.com/x"}}}`:                                                                                                                              true,
	`{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"object","$recursiveAnchor":true,"properties":{"c":{"$recursiveRef":"#"}},"$defs":{"x":{"$schema":"http://json-schema.org/draft-06/schema#"}}}`:        false,
	`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"x":{"$id":"x","$schema":"https://json-schema.org/draft/2020-12/schema"}}}`:                                                     false,
	`{"anyOf":[{"$ref":"#/definitions/a"},{"type":"object","properties":{"b":{"not":{"pattern":"(?!x)"}}}}],"definitions":{"a":{"type":"object","properties":{"t":{"items":[{}],"additionalItems":{"type":"strnig"}}}}}}`:    true,
	`{"type":"object","properties":{"x":{"oneOf":[{"type":"string","pattern":"(?=a)"},{"type":"string","pattern":"^b$"}]},"y":{"if":{"pattern":"(?=a)"},"then":{"minLength":3},"else":{"contentSchema":{"items":[true]}}}}}`: true,
}

// TestOldDrafts checks that all targets receive schemas of draft 2020-12, without patterns that Go or
// providers cannot read, and that all losses are reported.
func TestOldDrafts(t *testing.T) {
	c := oracle.NewCompiler()
	meta, err := c.Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		t.Fatal(err)
	}
	lookaround := regexp.MustCompile(`"(pattern":"[^"]*|[^":]*)(\(\?[=!<]|\\\\[1-9k])`)
	old := regexp.MustCompile(`"(definitions|dependencies|additionalItems|divisibleBy|extends|id|\$recursiveRef)":[\[{"]|"exclusiveM\w+":(true|false)|"items":\[|draft-0\d|2019-09|"required":(true|false|null)`)
	for input, lossy := range oldSchemas {
		for _, target := range schema.Targets() {
			l := lower(t, target, tool.Definition{Name: "x", Description: "X.", Input: json.RawMessage(input), Output: json.RawMessage(input)})
			for _, text := range []json.RawMessage{l.Input, l.Output} {
				if text == nil {
					continue
				}
				value, err := oracle.UnmarshalJSON(strings.NewReader(string(text)))
				if err == nil && target != schema.Gemini { // it has its own dialect
					err = meta.Validate(value)
				}
				plain := withoutDescriptions(string(text))
				if err != nil || lookaround.MatchString(plain) || old.MatchString(plain) {
					t.Errorf("%s: %s becomes %s: %v", target, input, text, err)
				}
				if declared := strings.Contains(string(text), `"$schema"`); declared && (target != schema.MCP || !strings.Contains(input, "2020-12")) {
					t.Errorf("%s: $schema is in %s", target, text)
				}
			}
			lost := slices.ContainsFunc(l.Losses, func(x schema.Loss) bool { return x.Severity >= schema.Worded })
			if lossy && !lost || !lossy && lost && target == schema.MCP {
				t.Errorf("%s: %s: %v", target, input, l.Losses)
			}
		}
	}
}

// withoutDescriptions returns a schema without descriptions, which may contain anything.
func withoutDescriptions(text string) string {
	return regexp.MustCompile(`"description":"(\\.|[^"\\])*"`).ReplaceAllString(text, `"description":""`)
}

// TestDynamicOldDraft checks that a tool with a schema of an older draft has it in draft 2020-12, and
// checks arguments against it.
func TestDynamicOldDraft(t *testing.T) {
	made, err := schema.Dynamic(tool.Definition{
		Name: "t", Description: "T.",
		Input:  json.RawMessage(`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"n":{"minimum":3,"exclusiveMinimum":true,"required":true},"a":{"$ref":"#/definitions/a"}},"definitions":{"a":{"items":[{"type":"string"}],"additionalItems":false}}}`),
		Output: json.RawMessage(`{"items":[{"type":"integer"}]}`),
	}, func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`["x"]`), nil })
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"object","properties":{"n":{"exclusiveMinimum":3},"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"prefixItems":[{"type":"string"}],"items":false}},"required":["n"]}`
	if d := made.Definition(); string(d.Input) != want || string(d.Output) != `{"prefixItems":[{"type":"integer"}]}` {
		t.Errorf("the definition has %s and %s", d.Input, d.Output)
	}
	r := tool.NewRegistry()
	r.Replace(made)
	for arguments, want := range map[string]string{
		`{"n":3}`: "a number above 3", `{"a":[]}`: "/n", `{"n":4,"a":[7]}`: "/a/0", `{"n":4,"a":["x",1]}`: "/a/1", `{"n":4}`: "the result cannot be written: /0: expected an integer",
	} {
		if call := r.Call(t.Context(), tool.Request{Name: "t", Arguments: json.RawMessage(arguments)}); call.Err == nil || !strings.Contains(call.Err.Error(), want) {
			t.Errorf("%s: %v, want %s", arguments, call.Err, want)
		}
	}
}

// TestOllamaRequired checks that the losses report that Ollama drops required in properties and in
// anyOf. The items of a list keep it.
func TestOllamaRequired(t *testing.T) {
	const object = `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`
	for schemaOfX, pointer := range map[string]string{
		`{"anyOf":[` + object + `,{"type":"string"}]}`:                        "/input/properties/x/anyOf/0",
		`{"type":"object","properties":{"y":` + object + `}}`:                 "/input/properties/x/properties/y",
		`{"anyOf":[{"type":"array","items":` + object + `},{"type":"null"}]}`: "",
		`{"type":"array","items":{"anyOf":[` + object + `,true]}}`:            "",
	} {
		l := lower(t, schema.Ollama, tool.Definition{Name: "x", Input: json.RawMessage(`{"type":"object","properties":{"x":` + schemaOfX + `},"required":["x"]}`)})
		i := slices.IndexFunc(l.Losses, func(x schema.Loss) bool { return strings.Contains(x.Message, "required") })
		if i < 0 != (pointer == "") || i >= 0 && (l.Losses[i].Pointer != pointer || l.Losses[i].Severity != schema.Worded || !strings.Contains(string(l.Input), "Required members: a.")) {
			t.Errorf("%s becomes %s, %v", schemaOfX, l.Input, l.Losses)
		}
	}
}
