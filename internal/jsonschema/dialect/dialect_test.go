package dialect_test

import (
	"fmt"
	"strings"
	"testing"

	oracle "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsonschema/dialect"
	"github.com/aiongen/aiongen/internal/jsontext"
)

func parse(t testing.TB, text string) *jsontext.Node {
	t.Helper()
	n, err := jsontext.Parse(text, jsontext.Depth)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

// checkMeta reports a schema that the meta-schema of draft 2020-12 rejects, or that this module
// cannot read.
func checkMeta(t testing.TB, text string) {
	t.Helper()
	if strings.Contains(text, `"$schema":"http:`) || strings.Contains(text, `"$schema":"https://json-schema.org/draft/2019`) {
		t.Errorf("%.300s declares an old draft", text)
	}
	value, err := oracle.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := oracle.NewCompiler()
	c.DefaultDraft(oracle.Draft2020)
	meta, err := c.Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		t.Fatal(err)
	}
	if err := meta.Validate(value); err != nil {
		t.Errorf("%.300s is not of draft 2020-12: %v", text, err)
	}
	if _, err := jsonschema.Parse([]byte(text)); err != nil {
		t.Errorf("%.300s cannot be read: %v", text, err)
	}
}

const (
	d4 = `"$schema":"http://json-schema.org/draft-04/schema#"`
	d7 = `"$schema":"http://json-schema.org/draft-07/schema#"`
)

// TestTranslate translates older drafts to 2020-12, whether or not they are declared.
func TestTranslate(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{`{` + d7 + `,"type":"array","items":[{"type":"string"},true],"additionalItems":false}`, `{"type":"array","prefixItems":[{"type":"string"},true],"items":false}`},
		{`{"items":[{"type":"string"}],"additionalItems":{"items":[{}]}}`, `{"prefixItems":[{"type":"string"}],"items":{"prefixItems":[{}]}}`},
		{`{"items":[],"additionalItems":false}`, `{"items":false}`},
		{`{"items":{"type":"string"},"additionalItems":false}`, `{"items":{"type":"string"}}`},
		{`{"definitions":{"a":{"type":"string"}},"properties":{"definitions":{"$ref":"#/definitions/a"}}}`, `{"$defs":{"a":{"type":"string"}},"properties":{"definitions":{"$ref":"#/$defs/a"}}}`},
		{`{"definitions":{"a b":{"items":[{},{"type":"string"}]}},"$ref":"#/definitions/a%20b/items/1"}`, `{"$defs":{"a b":{"prefixItems":[{},{"type":"string"}]}},"$ref":"#/$defs/a%20b/prefixItems/1"}`},
		{`{"properties":{"definitions":{"items":{"type":"string"}},"x":{"$ref":"#/properties/definitions/items"}}}`, `{"properties":{"definitions":{"items":{"type":"string"}},"x":{"$ref":"#/properties/definitions/items"}}}`},
		{`{"items":[{}],"additionalItems":{"type":"string"},"not":{"$ref":"#/additionalItems"}}`, `{"prefixItems":[{}],"items":{"type":"string"},"not":{"$ref":"#/items"}}`},
		{`{"$defs":{"a":{"type":"string"}},"definitions":{"a":{"type":"integer"},"b":true},"anyOf":[{"$ref":"#/definitions/a"},{"$ref":"#/$defs/a"},{"$ref":"#/definitions/b"}]}`,
			`{"$defs":{"a":{"type":"string"},"a_":{"type":"integer"},"b":true},"anyOf":[{"$ref":"#/$defs/a_"},{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}]}`},
		{`{"dependencies":{"a":["b","b"],"c":{"required":["d"]},"e":"f"}}`, `{"dependentRequired":{"a":["b"],"e":["f"]},"dependentSchemas":{"c":{"required":["d"]}}}`},
		{`{"dependentRequired":{"a":["b"]},"dependencies":{"a":["c"]}}`, `{"dependentRequired":{"a":["b"]},"allOf":[{"dependentRequired":{"a":["c"]}}]}`},
		{`{"minimum":3,"exclusiveMinimum":true,"maximum":7,"exclusiveMaximum":false}`, `{"exclusiveMinimum":3,"maximum":7}`},
		{`{"exclusiveMinimum":true}`, `{}`},
		{`{"exclusiveMinimum":2,"minimum":1}`, `{"exclusiveMinimum":2,"minimum":1}`},
		{`{` + d4 + `,"id":"http://x/y#","properties":{"id":{"id":"#z"},"w":{"$ref":"#z"}}}`, `{"$id":"http://x/y","properties":{"id":{"$anchor":"z"},"w":{"$ref":"#z"}}}`},
		{`{"id":"thing","properties":{"id":{"type":"string","id":"/properties/id"}}}`, `{"properties":{"id":{"type":"string"}}}`},
		{`{` + d7 + `,"$id":"#z","not":{"$ref":"#z"}}`, `{"$anchor":"z","not":{"$ref":"#z"}}`},
		{`{` + d7 + `,"$id":"http://x/y","$ref":"http://x/y#/definitions/a","definitions":{"a":{}}}`, `{"$ref":"#/$defs/a","$defs":{"a":{}}}`},
		{`{"properties":{"a":{"required":true},"b":{"required":false},"c":{"required":true}},"required":["c"]}`, `{"properties":{"a":{},"b":{},"c":{}},"required":["c","a"]}`},
		{`{"properties":{"required":{"type":"boolean","required":true}}}`, `{"properties":{"required":{"type":"boolean"}},"required":["required"]}`},
		{`{` + d7 + `,"properties":{"a":{"$ref":"#/definitions/a","description":"A.","minLength":3}},"definitions":{"a":{}}}`, `{"properties":{"a":{"$ref":"#/$defs/a","description":"A."}},"$defs":{"a":{}}}`},
		{`{"properties":{"a":{"$ref":"#/definitions/a","minLength":3}},"definitions":{"a":{}}}`, `{"properties":{"a":{"$ref":"#/$defs/a","minLength":3}},"$defs":{"a":{}}}`},
		{`{"$recursiveAnchor":true,"properties":{"a":{"$recursiveRef":"#"}}}`, `{"properties":{"a":{"$ref":"#"}}}`},
		{`{"divisibleBy":3,"extends":{"type":"number"},"disallow":["string",{"minimum":7}]}`, `{"multipleOf":3,"not":{"allOf":[{"anyOf":[{"type":["string"]},{"minimum":7}]}]},"allOf":[{"type":"number"}]}`},
		{`{"type":"any"}`, `{}`},
		{`{"type":["string",{"properties":{"a":{"type":"any"}}}]}`, `{"allOf":[{"anyOf":[{"type":["string"]},{"properties":{"a":{}}}]}]}`},
		{`{"type":"STRING"}`, `{"type":"string"}`},
		{`{` + d7 + `,"const":{"items":[]},"enum":[{"definitions":1}],"default":{"dependencies":{}},"examples":[{"id":1}]}`, `{"const":{"items":[]},"enum":[{"definitions":1}],"default":{"dependencies":{}},"examples":[{"id":1}]}`},
		{`{"$schema":"https://json-schema.org/draft/2020-12/schema","extends":"x","id":"y"}`, `{"$schema":"https://json-schema.org/draft/2020-12/schema","extends":"x","id":"y"}`},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","items":[{}]}`, `{"prefixItems":[{}]}`},
		{`{"components":{"schemas":{"A":{"items":[{"$ref":"#/components/schemas/A"}]}}},"$ref":"#/components/schemas/A"}`,
			`{"components":{"schemas":{"A":{"items":[{"$ref":"#/components/schemas/A"}]}}},"$ref":"#/$defs/A","$defs":{"A":{"prefixItems":[{"$ref":"#/$defs/A"}]}}}`},
		{`true`, `true`},
	} {
		if got := dialect.Translate(parse(t, test.in)).String(); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.in, got, test.want)
		}
		repaired, losses := dialect.Repair(parse(t, test.in))
		if got := repaired.String(); got != test.want || losses != nil {
			t.Errorf("%s is repaired: %s, %v", test.in, got, losses)
		}
		checkMeta(t, test.want)
	}
}

// TestRepair checks that unusable parts are removed, with all parts that would allow less
// without them.
func TestRepair(t *testing.T) {
	const worded = "\"description\":\"Must match the regular expression `(?=a)`.\""
	for _, test := range []struct{ in, want, losses string }{
		{`{"pattern":"(?=a)"}`, `{` + worded + `}`, `/pattern: pattern "(?=a)" cannot be checked here: it is only in the description`},
		{`{"description":"A.","pattern":"(a)\\1"}`, "{\"description\":\"A.\\nMust match the regular expression `(a)\\\\1`.\"}", `/pattern: pattern "(a)\\1" cannot be checked here: it is only in the description`},
		{`{"format":"int32","type":"integer"}`, `{"format":"int32","type":"integer"}`, `/format: format "int32" is not checked`},
		{`{"type":"strnig"}`, `{}`, `/type: type is ignored, because the string "strnig" is not a type`},
		{`{"type":["string","file"]}`, `{}`, `/type: type is ignored, because the string "file" is not a type`},
		{`{"type":["string",null,"string"]}`, `{"type":["string","null"]}`, ``},
		{`{"type":7}`, `{}`, `/type: type is ignored, because the number 7 is not a type`},
		{`{"type":[]}`, `{}`, `/type: type is ignored, because its value is an array`},
		{`{"properties":{"required":null},"required":null,"enum":null,"description":null,"const":null,"default":null,"enumNames":null}`,
			`{"properties":{"required":true},"const":null,"default":null,"enumNames":null}`,
			`/properties/required: ignored, because it is null instead of a schema; /required: required is ignored, because it is null; /enum: enum is ignored, because it is null; /description: description is ignored, because it is null`},
		{`{"properties":null,"items":null,"anyOf":null,"additionalProperties":null,"$defs":null,"$ref":null,"dependencies":null,"type":null,"exclusiveMinimum":null,"$schema":null}`, `{}`, "*"},
		{`{"properties":[],"additionalProperties":false}`, `{"properties":{},"additionalProperties":false}`, ``},
		{`{"properties":7,"additionalProperties":false}`, `{}`, "*"},
		{`{"patternProperties":{"^a":true,"(?!b)":{}},"additionalProperties":false}`, `{"patternProperties":{"^a":true}}`, "*"},
		{`{"not":{"pattern":"(?=a)"}}`, `{}`, "*"},
		{`{"if":{"pattern":"(?=a)"},"then":false,"else":false}`, `{}`, "*"},
		{`{"oneOf":[{"pattern":"(?=a)"},{"type":"string"}]}`, `{"allOf":[{"anyOf":[{` + worded + `},{"type":"string"}]}]}`, "*"},
		{`{"contains":{"pattern":"(?=a)"},"minContains":1,"maxContains":2}`, `{}`, "*"},
		{`{"contains":{"pattern":"(?=a)"}}`, `{"contains":{` + worded + `}}`, "*"},
		{`{"allOf":[{"patternProperties":{"(?=a)":true}}],"unevaluatedProperties":false}`, `{"allOf":[{"patternProperties":{}}]}`, "*"},
		{`{"not":{"$ref":"#/$defs/a"},"$defs":{"a":{"pattern":"(?=a)"}}}`, `{"$defs":{"a":{` + worded + `}}}`, "*"},
		{`{"not":{"description":7,"title":7}}`, `{"not":{}}`, "*"},
		{`{"$ref":"https://example.com/x"}`, `{}`, `/$ref: the reference "https://example.com/x" is ignored, because it leads nowhere`},
		{`{"properties":{"a":{"$ref":"#/definitions/b","type":"string"}}}`, `{"properties":{"a":{"type":"string"}}}`, "*"},
		{`{"not":{"$ref":"other.json"}}`, `{}`, "*"},
		{`{"$ref":"#/title","title":"x"}`, `{"title":"x"}`, "*"},
		{`{"required":["a",1,"a"]}`, `{"required":["a"]}`, "*"},
		{`{"required":"a"}`, `{}`, "*"},
		{`{"anyOf":[]}`, `{}`, "*"},
		{`{"anyOf":[null,"x",{"type":"string"}]}`, `{"anyOf":[true,true,{"type":"string"}]}`, "*"},
		{`{"enum":[]}`, `{}`, "*"},
		{`{"minLength":-1,"maxItems":"3","minimum":"0","multipleOf":0,"uniqueItems":"yes","maximum":1e400,"examples":{},"deprecated":"no"}`, `{}`, "*"},
		{`{"$schema":"https://example.com/mine","type":"object"}`, `{"type":"object"}`, `/$schema: $schema is ignored, because it is not a known draft`},
		{`{"$id":"a#b/c","$anchor":"7","$dynamicAnchor":7}`, `{"$id":"a"}`, "*"},
		{`{"$id":":","type":"string"}`, `{"type":"string"}`, "*"},
		{`{"$id":"` + strings.Repeat("y", 2000) + `"}`, `{}`, "*"},
		{`{"dependentRequired":{"a":"b","c":[1,"d"]}}`, `{"dependentRequired":{"c":["d"]}}`, "*"},
		{`{"prefixItems":7,"items":false}`, `{}`, "*"},
		{`{"prefixItems":[{}],"items":[{}]}`, `{"prefixItems":[{}]}`, "*"},
		{`{"minimum":"a","exclusiveMinimum":true}`, `{}`, "*"},
		{`{"disallow":"strnig"}`, `{}`, "*"},
		{`{"pattern":"` + strings.Repeat("(a{1000}){1000}", 2) + `"}`, "*", "*"},
	} {
		out, losses := dialect.Repair(parse(t, test.in))
		got := out.String()
		var lines []string
		for _, l := range losses {
			lines = append(lines, l.String())
		}
		if all := strings.Join(lines, "; "); got != test.want && test.want != "*" || all != test.losses && test.losses != "*" || all == "" && test.losses == "*" {
			t.Errorf("%.300s:\ngot  %.300s, %s\nwant %s, %s", test.in, got, all, test.want, test.losses)
		}
		checkMeta(t, got)
	}
}

// TestHostile repairs large schemas, which takes linear time.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	var refs, defs, nulls strings.Builder
	for i := range 8000 {
		fmt.Fprintf(&refs, `"p%d":{"$ref":"#/definitions/d%[1]d"},`, i)
		fmt.Fprintf(&defs, `"d%d":{"items":[{}]},`, i)
		fmt.Fprintf(&nulls, `"p%d":{"required":null,"type":"x","$ref":"#/nowhere"},`, i)
	}
	for name, text := range map[string]string{
		"references":  `{"properties":{` + refs.String() + `"x":true},"definitions":{` + defs.String() + `"x":true},"$defs":{` + defs.String() + `"x":true}}`,
		"losses":      `{"properties":{` + nulls.String() + `"x":true}}`,
		"deep":        strings.Repeat(`{"not":{"items":[`, 300) + `{"pattern":"(?=a)","$ref":"#/a"}` + strings.Repeat(`]}}`, 300),
		"long names":  `{"properties":{"` + strings.Repeat("x", 1<<18) + `":{"properties":{` + nulls.String() + `"x":true}}}}`,
		"many wrong":  `{"properties":{"a":{"enum":[` + strings.Repeat("1,", 1<<18) + `1],"required":[` + strings.Repeat("1,", 1<<18) + `1]}}}`,
		"long string": `{"properties":{"a":{"pattern":"(?=` + strings.Repeat("[", 1<<19) + `"}}}`,
	} {
		out, losses := dialect.Repair(parse(t, text))
		if lossless := name == "references"; lossless != (len(losses) == 0) {
			t.Errorf("%s: %d losses", name, len(losses))
		}
		if len(out.String()) < 1<<19 {
			checkMeta(t, out.String())
		}
	}
}

// FuzzRepair checks that the result of Repair is a schema of draft 2020-12, and that repairing
// it again changes nothing.
func FuzzRepair(f *testing.F) {
	f.Add(`{"items":[{"type":["x",null]}],"definitions":{"a":{"pattern":"(?=a)"}},"not":{"$ref":"#/definitions/a"},"required":true}`)
	f.Add(`{"$schema":"http://json-schema.org/draft-04/schema#","id":"x","properties":{"a":{"required":true,"$ref":"x#/a/b","extends":[{}]}},"a":{"b":{"items":[]}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		n, err := jsontext.Parse(text, 100)
		if err != nil || len(text) > 10_000 {
			return
		}
		out, _ := dialect.Repair(n)
		checkMeta(t, out.String())
		if again, _ := dialect.Repair(out); again.String() != out.String() {
			t.Errorf("%s becomes %s, then %s", text, out, again)
		}
	})
}
