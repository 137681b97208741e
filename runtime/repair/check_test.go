package repair

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// checkedSchemas have every keyword that is checked.
var checkedSchemas = []string{
	`true`, `false`, `{}`, `{"type": "integer"}`, `{"type": "number"}`, `{"type": ["string", "null"]}`, `{"type": "boolean"}`, `{"type": "null"}`,
	`{"enum": [1, "a", null, [1.0, {"a": 2}], {"b": [], "a": 1}]}`, `{"const": 1.0}`, `{"const": null}`, `{"const": {"a": [1]}}`, `{"enum": ["a", "b"], "const": "b"}`,
	`{"minimum": 3}`, `{"maximum": -1.5}`, `{"exclusiveMinimum": 3}`, `{"exclusiveMaximum": 5}`, `{"multipleOf": 0.5}`, `{"multipleOf": 3}`, `{"minimum": 9007199254740993}`,
	`{"minLength": 2}`, `{"maxLength": 3}`, `{"pattern": "^a+$"}`, `{"contentEncoding": "base64"}`,
	`{"minItems": 2}`, `{"maxItems": 1}`, `{"uniqueItems": true}`, `{"items": {"type": "integer"}}`, `{"prefixItems": [{"type": "string"}, {"type": "integer"}]}`,
	`{"prefixItems": [{"type": "string"}], "items": false}`, `{"contains": {"type": "integer"}}`, `{"contains": {"type": "integer"}, "minContains": 2, "maxContains": 2}`,
	`{"contains": {"type": "integer"}, "minContains": 0}`,
	`{"minProperties": 2}`, `{"maxProperties": 1}`, `{"required": ["a", "b"]}`, `{"properties": {"a": {"type": "integer"}}, "additionalProperties": false}`,
	`{"patternProperties": {"^a": {"type": "integer"}, "b$": {"type": "string"}}, "additionalProperties": {"type": "null"}}`, `{"propertyNames": {"maxLength": 1}}`,
	`{"dependentRequired": {"a": ["b"]}}`, `{"dependentSchemas": {"a": {"required": ["b"]}}}`,
	`{"allOf": [{"type": "integer"}, {"minimum": 3}]}`, `{"anyOf": [{"type": "string"}, {"minimum": 3}]}`, `{"oneOf": [{"type": "integer"}, {"minimum": 3}]}`,
	`{"not": {"type": "string"}}`, `{"if": {"type": "integer"}, "then": {"minimum": 3}, "else": {"type": "string"}}`, `{"if": {"type": "integer"}, "else": false}`,
	`{"$ref": "#/$defs/a~1b%7E1c", "$defs": {"a/b/c": {"type": "integer"}}}`, `{"$ref": "#/$defs/a", "minimum": 3, "$defs": {"a": {"type": "integer"}}}`,
	`{"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"type": "integer"}}, "additionalProperties": false}`,
	`{"definitions": {"y": {"type": "string"}}, "anyOf": [{"$ref": "#/definitions/y"}, {"type": "null"}]}`,
	`{"format": "date"}`, `{"format": "date-time"}`, `{"format": "time"}`, `{"format": "duration"}`, `{"format": "email"}`, `{"format": "hostname"}`, `{"format": "ipv4"}`,
	`{"format": "ipv6"}`, `{"format": "json-pointer"}`, `{"format": "regex"}`, `{"format": "uri"}`, `{"format": "uri-reference"}`, `{"format": "uuid"}`, `{"format": "else"}`,
}

var checkedValues = []string{
	`null`, `true`, `false`, `0`, `-0.0`, `1`, `1.0`, `1e0`, `10e-1`, `3`, `3.5`, `-1.5`, `-2`, `4`, `5`, `4.999`, `1.5e1`, `9007199254740993`, `9007199254740992`, `1e400`, `-1e400`, `1e-400`, `0.1`, `0.3`,
	`""`, `"a"`, `"aa"`, `"aaa"`, `"b"`, `"ab"`, `"é😀"`, `"\ud83d\ude00x"`, `"YWE="`, `"YWE"`, `"a-_="`,
	`[]`, `[1]`, `[1, 1.0]`, `[1, 2]`, `["a", 1]`, `["a", "b"]`, `[1.0, {"a": 2}]`, `[{"a": 1, "b": 2}, {"b": 2, "a": 1}]`, `[[], {}]`, `["1", 1]`, `["a"]`, `[1, "a", 2]`,
	`{}`, `{"a": 1}`, `{"a": [1.0]}`, `{"b": [], "a": 1}`, `{"a": 1, "b": 2}`, `{"a": "x", "b": "y"}`, `{"ab": 1}`, `{"b": "x"}`, `{"c": null}`, `{"a": {"a": {"b": 1}}}`, `{"a": {"a": {"b": "1"}}}`, `{"a": {"c": 1}}`,
	`"2024-02-29"`, `"2023-02-29"`, `"2024-2-9"`, `"2024-02-29T12:00:00Z"`, `"2024-02-29t12:00:00.5+01:30"`, `"2024-02-29 12:00:00Z"`, `"2024-02-29T12:00:00"`, `"2024-02-29T24:00:00Z"`, `"2024-02-29T12:00:00+24:00"`,
	`"12:00:00Z"`, `"12:00:00"`, `"12:00:00.123+05:00"`, `"P1D"`, `"PT1H30M"`, `"P1W"`, `"P1Y2M3DT4H5M6S"`, `"P"`, `"PT"`, `"P1"`, `"1h"`, `"P1YT"`, `"P1W2D"`, `"P1Y2D"`, `"P1M"`, `"PT1S"`, `"P1DT1M"`,
	`"a@b.c"`, `"a b@c"`, `"a@"`, `"Ada <a@b.c>"`, `"example.com"`, `"-a.com"`, `"a..b"`, `"127.0.0.1"`, `"127.0.0.01"`, `"256.0.0.1"`, `"::1"`, `"::g"`, `"fe80::1%eth0"`, `"::ffff:1.2.3.4"`,
	`"/a/b~0~1"`, `"/a~2"`, `"a/b"`, `"["`, `"https://x.y/z?a=b#c"`, `"x y"`, `"//x"`, `"/x?y"`, `"http://"`, `"mailto:a@b"`, `"{x}"`, `"\\\\x"`,
	`"123e4567-e89b-12d3-a456-426614174000"`, `"123E4567-E89B-12D3-A456-42661417400"`, `"123e4567e89b12d3a456426614174000"`,
}

// oracle returns whether a value is one of a schema by santhosh-tekuri/jsonschema.
func oracle(t testing.TB, schema string) func(value string) bool {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	compiler.AssertContent()
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource("s.json", parsed); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("s.json")
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return func(value string) bool {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
		if err != nil {
			t.Fatal(err)
		}
		return compiled.Validate(v) == nil
	}
}

func fits(t *testing.T, s *schema, value string) bool {
	t.Helper()
	c := checker{work: newWork(len(value))}
	return s == nil || c.fits(parseJSON([]byte(value)), s)
}

// TestCheck compares all values with all schemas.
func TestCheck(t *testing.T) {
	for _, text := range checkedSchemas {
		s, err := parseSchema(json.RawMessage(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		want := oracle(t, text)
		for _, value := range checkedValues {
			if got := fits(t, s, value); got != want(value) {
				t.Errorf("%s: %s: %v", text, value, got)
			}
		}
	}
}

// TestCheckReferences compares the parameters of the reference functions with
// the arguments of others.
func TestCheckReferences(t *testing.T) {
	b, err := os.ReadFile("testdata/bfcl_calls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var schemas, values []string
	for line := range strings.Lines(string(b)) {
		var r struct {
			Functions []struct{ Parameters json.RawMessage }
			Calls     []struct{ Arguments json.RawMessage }
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		schemas = append(schemas, string(r.Functions[0].Parameters))
		values = append(values, string(r.Calls[0].Arguments))
	}
	fit := 0
	for i := range schemas {
		s, err := parseSchema(json.RawMessage(schemas[i]))
		if err != nil {
			t.Fatal(err)
		}
		want := oracle(t, schemas[i])
		for j := i; j < len(values) && j < i+20; j++ {
			got := fits(t, s, values[j])
			if got {
				fit++
			}
			if got != want(values[j]) {
				t.Errorf("%s: %s: %v", schemas[i], values[j], got)
			}
		}
	}
	if fit < len(schemas)/4 {
		t.Errorf("only %d arguments fit", fit)
	}
}

// TestSchemaErrors has schemas that cannot be used.
func TestSchemaErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                                        "unexpected end of JSON input",
		`{"type": "text"}`:                         `there is no type "text"`,
		`{"type": 1}`:                              "cannot unmarshal",
		`{"pattern": "("}`:                         "missing closing )",
		`{"patternProperties": {"(": true}}`:       "missing closing )",
		`{"$ref": "#/$defs/a"}`:                    `the reference "#/$defs/a" goes nowhere`,
		`{"$ref": "other.json"}`:                   `the reference "other.json" goes out of it`,
		`{"unevaluatedProperties": false}`:         "cannot be checked",
		`{"items": [{"type": "string"}]}`:          "cannot unmarshal",
		`{"minimum": "x"}`:                         "invalid number",
		`{"properties": {"a": null}}`:              "null is no schema",
		`{"anyOf": [{}, null]}`:                    "null is no schema",
		`"` + strings.Repeat("x", maxSchema) + `"`: "longer than 1 MiB",
	} {
		_, err := Arguments(`{}`, json.RawMessage(text))
		if err == nil || !strings.Contains(err.Error(), want) || err.(*Error).Code() != "schema" {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}

// TestLoop: a reference to itself ends.
func TestLoop(t *testing.T) {
	for _, text := range []string{`{"$ref": "#"}`, `{"anyOf": [{"$ref": "#"}]}`, `{"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}`} {
		if _, err := Arguments(`{"a": 1}`, json.RawMessage(text)); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}
