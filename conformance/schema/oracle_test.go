package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	oracle "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// compileOracle returns a function that reports whether santhosh-tekuri/jsonschema accepts a value.
func compileOracle(schema string) (func(value string) bool, error) {
	c := oracle.NewCompiler()
	c.AssertFormat()
	c.UseLoader(oracle.SchemeURLLoader{}) // documents are never loaded
	parsed, err := oracle.UnmarshalJSON(strings.NewReader(schema))
	if err == nil {
		err = c.AddResource("s.json", parsed)
	}
	if err != nil {
		return nil, err
	}
	compiled, err := c.Compile("s.json")
	return func(value string) bool {
		v, err := oracle.UnmarshalJSON(strings.NewReader(value))
		return err == nil && compiled.Validate(v) == nil
	}, err
}

// oracleSchemas contain every keyword that is checked.
var oracleSchemas = []string{
	`true`, `false`, `{}`, `{"type": "integer"}`, `{"type": "number"}`, `{"type": ["string", "null"]}`, `{"type": "boolean"}`, `{"type": "null"}`,
	`{"enum": [1, "a", null, [1.0, {"a": 2}], {"b": [], "a": 1}]}`, `{"const": 1.0}`, `{"const": null}`, `{"const": {"a": [1]}}`, `{"enum": ["a", "b"], "const": "b"}`, `{"enum": ["a"], "const": "b"}`,
	`{"minimum": 3}`, `{"maximum": -1.5}`, `{"exclusiveMinimum": 3}`, `{"exclusiveMaximum": 5}`, `{"multipleOf": 0.5}`, `{"multipleOf": 3}`, `{"minimum": 9007199254740993}`, `{"multipleOf": 1e-8}`,
	`{"minLength": 2}`, `{"maxLength": 3}`, `{"pattern": "^a+$"}`, `{"pattern": "\\d"}`, `{"minLength": 2.0}`,
	`{"minItems": 2}`, `{"maxItems": 1}`, `{"uniqueItems": true}`, `{"items": {"type": "integer"}}`, `{"prefixItems": [{"type": "string"}, {"type": "integer"}]}`,
	`{"prefixItems": [{"type": "string"}], "items": false}`, `{"contains": {"type": "integer"}}`, `{"contains": {"type": "integer"}, "minContains": 2, "maxContains": 2}`,
	`{"contains": {"type": "integer"}, "minContains": 0}`, `{"minContains": 3}`,
	`{"minProperties": 2}`, `{"maxProperties": 1}`, `{"required": ["a", "b"]}`, `{"properties": {"a": {"type": "integer"}}, "additionalProperties": false}`, `{"properties": {"a": false}}`,
	`{"patternProperties": {"^a": {"type": "integer"}, "b$": {"type": "string"}}, "additionalProperties": {"type": "null"}}`, `{"propertyNames": {"maxLength": 1}}`,
	`{"dependentRequired": {"a": ["b"]}}`, `{"dependentSchemas": {"a": {"required": ["b"]}}}`, `{"dependencies": {"a": ["b"], "c": {"minProperties": 2}}}`,
	`{"allOf": [{"type": "integer"}, {"minimum": 3}]}`, `{"anyOf": [{"type": "string"}, {"minimum": 3}]}`, `{"oneOf": [{"type": "integer"}, {"minimum": 3}]}`,
	`{"not": {"type": "string"}}`, `{"if": {"type": "integer"}, "then": {"minimum": 3}, "else": {"type": "string"}}`, `{"if": {"type": "integer"}, "else": false}`, `{"then": false}`,
	`{"$ref": "#/$defs/a~1b%7E1c", "$defs": {"a/b/c": {"type": "integer"}}}`, `{"$ref": "#/$defs/a", "minimum": 3, "$defs": {"a": {"type": "integer"}}}`,
	`{"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"type": "integer"}}, "additionalProperties": false}`,
	`{"definitions": {"y": {"type": "string"}}, "anyOf": [{"$ref": "#/definitions/y"}, {"type": "null"}]}`,
	`{"$ref": "#x", "$defs": {"a": {"$anchor": "x", "type": "array"}}}`, `{"$ref": "other.json", "$defs": {"a": {"$id": "other.json", "type": "object"}}}`,
	`{"$id": "https://x.y/z", "$ref": "/a#/properties/b", "$defs": {"a": {"$id": "/a", "properties": {"b": {"type": "string"}}}}}`,
	`{"$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"}}, "required": ["a"]}`,
	`{"$id": "https://x.y/s", "$ref": "t", "$dynamicAnchor": "n", "unevaluatedProperties": false, "$defs": {"t": {"$id": "t", "$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"}}}}}`,
	`{"properties": {"a": true}, "unevaluatedProperties": false}`, `{"anyOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"b": true}}], "unevaluatedProperties": {"type": "null"}}`,
	`{"allOf": [{"patternProperties": {"^a": true}}], "if": {"required": ["b"]}, "then": {"properties": {"b": true}}, "unevaluatedProperties": false}`,
	`{"prefixItems": [true], "unevaluatedItems": false}`, `{"contains": {"type": "string"}, "unevaluatedItems": {"type": "integer"}}`, `{"oneOf": [{"items": {"type": "integer"}}, {"prefixItems": [{"type": "string"}]}], "unevaluatedItems": false}`,
	`{"not": {"not": {"properties": {"a": true}}}, "unevaluatedProperties": false}`, `{"dependentSchemas": {"a": {"properties": {"b": true}}}, "properties": {"a": true}, "unevaluatedProperties": false}`,
	`{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}, {"type": "integer"}], "additionalItems": {"type": "null"}}`,
	`{"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {"type": "integer"}}, "properties": {"a": {"$ref": "#/definitions/a", "minimum": 3}}}`,
	`{"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 3, "exclusiveMinimum": true, "maximum": 5, "exclusiveMaximum": false}`,
}

var oracleValues = []string{
	`null`, `true`, `false`, `0`, `-0.0`, `1`, `1.0`, `1e0`, `10e-1`, `3`, `3.5`, `-1.5`, `-2`, `4`, `5`, `4.999`, `1.5e1`, `9007199254740993`, `9007199254740992`, `1e400`, `-1e400`, `1e-400`, `0.1`, `0.3`, `12391239123`,
	`""`, `"a"`, `"aa"`, `"aaa"`, `"aaaa"`, `"b"`, `"ab"`, `"é😀"`, `"\ud83d\ude00x"`, `"1"`,
	`[]`, `[1]`, `[1, 1.0]`, `[1, 2]`, `["a", 1]`, `["a", "b"]`, `[1.0, {"a": 2}]`, `[{"a": 1, "b": 2}, {"b": 2, "a": 1}]`, `[[], {}]`, `["1", 1]`, `["a"]`, `[1, "a", 2]`, `["a", 1, null]`, `[true, 1]`,
	`{}`, `{"a": 1}`, `{"a": [1.0]}`, `{"b": [], "a": 1}`, `{"a": 1, "b": 2}`, `{"a": "x", "b": "y"}`, `{"ab": 1}`, `{"b": "x"}`, `{"c": null}`, `{"a": {"a": {"b": 1}}}`, `{"a": {"a": {"b": "1"}}}`, `{"a": {"c": 1}}`,
	`{"a": {"a": {}}}`, `{"a": {"x": 1}}`, `{"a": {"a": {"a": 1}}}`, `{"c": 1, "d": 2}`,
}

// TestOracle compares the verdicts on all values by all schemas.
func TestOracle(t *testing.T) {
	for _, text := range oracleSchemas {
		compareOracle(t, text, oracleValues...)
	}
}

func compareOracle(t *testing.T, schema string, values ...string) {
	t.Helper()
	s, err := jsonschema.Parse([]byte(schema))
	valid, wrong := compileOracle(schema)
	if (err != nil) != (wrong != nil) {
		t.Errorf("%s: %v, and the oracle says %v", schema, err, wrong)
	}
	if err != nil || wrong != nil {
		return
	}
	// The oracle starts anew when it checks names against a schema, and then cannot resolve dynamic
	// references there.
	forgets := strings.Contains(schema, `"propertyNames"`) && strings.Contains(schema, `"$dynamicRef"`)
	for _, value := range values {
		faults := checkValue(t, s, value)
		if len(faults) == 1 && strings.Contains(faults[0].Expected, "refers to itself") {
			continue // the oracle reports only that such a value is invalid, and reports nothing for not
		}
		if want := valid(value); (len(faults) == 0) != want && !forgets {
			t.Errorf("%s: %s: %v; the oracle says %v", schema, value, faults, want)
		}
		checkVerdicts(t, schema, value, len(faults) == 0)
	}
}

// formatTexts are texts, each close to a format.
var formatTexts = []string{
	"", " ", "a", "x y", "é", "日本", "\\x", "{x}", "1", "a\nb",
	"2024-02-29", "2023-02-29", "2024-2-9", "2024-02-30", "2024-13-01", "0000-01-01", "20240229", "2024-02-29 ",
	"2024-02-29T12:00:00Z", "2024-02-29t12:00:00.5+01:30", "2024-02-29 12:00:00Z", "2024-02-29T12:00:00", "2024-02-29T24:00:00Z", "2024-02-29T12:00:00+24:00", "2024-02-29T12:00:00-00:00", "2024-02-29T12:00:00z",
	"1998-12-31T23:59:60Z", "1998-12-31T23:58:60Z", "1998-12-31T22:59:60Z", "1998-12-31T15:59:60-08:00", "1998-12-31T15:59:60.123-08:00", "1999-01-01T00:59:60+01:00", "1998-12-31T23:59:61Z", "2024-02-29T12:00:00.Z", "2024-02-29T12:00:00,5Z", "2024-02-29T1:00:00Z",
	"12:00:00Z", "12:00:00", "12:00:00.123+05:00", "23:59:60Z", "00:59:60+01:00", "22:59:60Z", "12:00:00+05", "12:00Z", "1٢:00:00Z",
	"P1D", "PT1H30M", "P1W", "P1Y2M3DT4H5M6S", "P", "PT", "P1", "1h", "P1YT", "P1W2D", "P1Y2D", "P1M", "PT1S", "P1DT1M", "P1D2Y", "PT1.5S", "p1d", "-P1D", "P٢Y",
	"2024-02-29T12:00:00Z/P1D", "P1D/2024-02-29T12:00:00Z", "2024-02-29T12:00:00Z/2024-02-29T12:00:00Z", "P1D/P1D", "/", "P1D/", "2024-02-29T12:00:00Z/",
	"a@b.c", "a b@c", "a@", "@b", "Ada <a@b.c>", `"a b"@c.d`, `"a\"b"@c.d`, `""@c.d`, ".a@b.c", "a.@b.c", "a..b@c.d", "a+b@c-d.e", "ä@b.c", "a@ä.c", "a@b.c.", "a@[127.0.0.1]", "a@[127.0.0.256]", "a@[IPv6:::1]", "a@[IPv6:1]", "a@[::1]", "a@b@c", "a@-b.c", strings.Repeat("a", 65) + "@b.c", strings.Repeat("a", 64) + "@b.c", "a@" + strings.Repeat("b.", 126) + "c",
	"example.com", "example.com.", "a.b.", "-a.com", "a-.com", "a..b", ".", ".a", "a_b", "ab.c1", "1.2", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a.", 126) + "a", strings.Repeat("a.", 127) + "a", "xn--bcher-kva.de", "bücher.de",
	"127.0.0.1", "127.0.0.01", "256.0.0.1", "1.2.3", "1.2.3.4.5", "0.0.0.0", "1.2.3.+4", "1.2.3.٢", "::1", "::g", "fe80::1%eth0", "::ffff:1.2.3.4", "1::2::3", "12345::", "::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7",
	"/a/b~0~1", "/a~2", "a/b", "/", "//", "~", "/~", "0", "01", "0#", "1/a", "10/a~0", "-1", "1#a", "#", "0/", "+1",
	"[", "a|b", "(?=a)", `\p{L}`, "(", "a{2,1}",
	"https://x.y/z?a=b#c", "//x", "/x?y", "http://", "mailto:a@b", "http://[::1]/", "http://[::1", "http://::1/", "http://[fe80::1%25eth0]/", "http://a b", "http://x/%zz", "http://x:port/", "urn:a:b", ":a", "a:b", "http://é/ü?ö", "http://x\\y", "http://[1.2.3.4]/", "?", "1a:b",
	"123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-42661417400", "123e4567e89b12d3a456426614174000", "123E4567-E89B-12D3-A456-426614174000", "{123e4567-e89b-12d3-a456-426614174000}", "123e4567-e89b-12d3-a456-42661417400g", "00000000-0000-0000-0000-000000000000",
	"1.2.3", "1.2", "01.2.3", "1.2.3-a.1", "1.2.3-01", "1.2.3-0a", "1.2.3+b.01", "1.2.3-", "1.2.3+", "1.2.3-a..b", "v1.2.3", "1.2.3-a+b-c", "1.2.3+a+b", "1.2.3--",
}

// formatDifferences are the formats that the oracle checks differently, with reasons.
var formatDifferences = map[string]string{
	"uri-template": "it checks a part of the path alone",
	"idn-email":    "it does not know it",
	"idn-hostname": "it does not know it",
	"semver":       "it takes identifiers before releases that are empty",
}

// oracleMistakes are texts that the oracle accepts by mistake.
var oracleMistakes = map[string][]string{"email": {"@b"}, "ipv4": {"1.2.3.+4"}}

// TestFormats compares the verdicts on all texts by all formats.
func TestFormats(t *testing.T) {
	for _, name := range []string{
		"date-time", "date", "time", "duration", "period", "email", "hostname", "ipv4", "ipv6", "uri", "iri", "uri-reference", "iri-reference", "uuid", "json-pointer", "relative-json-pointer", "regex", "unheard-of",
	} {
		var all []string
		for _, text := range formatTexts {
			if !slices.Contains(oracleMistakes[name], text) {
				all = append(all, jsontext.Quote(text))
			}
		}
		compareOracle(t, fmt.Sprintf(`{"format": %q}`, name), all...)
	}
	for name, texts := range map[string][2][]string{ // valid and invalid ones
		"uri-template": {{"", "/a/{b}/c{?d,e*}{&f:3}", "{+x}", "http://x/{ä}"}, {"{", "}", "/{a", "/a}", "/{a{b}}", "{}", "a b", "/<x>"}},
		"idn-email":    {{"ä@b.c", "a@ä.c", "a@b.c", "用户@例子.广告"}, {"a b@c.d", "ä", "@ä.c", "ä.@b.c"}},
		"idn-hostname": {{"bücher.de", "例子.广告", "a.b"}, {"-ü.de", "ü..de", "a b", "ü_.de", ""}},
		"semver":       {{"1.2.3", "1.2.3-a.1", "1.2.3-0a", "1.2.3+b.01", "1.2.3-a+b-c", "1.2.3--", "10.20.30"}, {"", "1.2", "01.2.3", "1.2.3-01", "1.2.3-", "1.2.3+", "1.2.3-a..b", "v1.2.3", "1.2.3+a+b"}},
	} {
		s, err := jsonschema.Parse([]byte(fmt.Sprintf(`{"format": %q}`, name)))
		if err != nil || formatDifferences[name] == "" {
			t.Fatal(err)
		}
		for i, all := range texts {
			for _, text := range all {
				if faults := checkValue(t, s, jsontext.Quote(text)); (len(faults) == 0) != (i == 0) {
					t.Errorf("%s: %q: %v", name, text, faults)
				}
			}
		}
	}
}

// choices derives schemas and values from bytes.
type choices struct {
	data []byte
	refs []string // references to existing schemas
}

func (c *choices) choose(n int) int {
	if len(c.data) == 0 {
		return 0
	}
	b := c.data[0]
	c.data = c.data[1:]
	return int(b) % n
}

func pickOne[T any](c *choices, all ...T) T { return all[c.choose(len(all))] }

// randomSchema returns a schema with a few keywords.
func (c *choices) randomSchema(depth int) any {
	if depth == 0 || len(c.data) == 0 {
		return pickOne[any](c, true, false, map[string]any{"type": "integer"}, map[string]any{"$ref": "#"}, map[string]any{"$ref": "#/$defs/a"}, map[string]any{"minLength": 2}, map[string]any{"$dynamicRef": "#d"})
	}
	s := map[string]any{}
	for range 1 + c.choose(4) {
		c.addKeyword(s, depth-1)
	}
	return s
}

func (c *choices) addKeyword(s map[string]any, depth int) {
	list := func() []any {
		return slices.Collect(repeatCall(1+c.choose(3), func() any { return c.randomSchema(depth) }))
	}
	number := func() json.Number {
		return pickOne(c, json.Number("0"), "1", "2", "1.0", "3", "2.5", "-1", "0.1", "1e1", "10")
	}
	count := func() int { return c.choose(4) }
	name := func() string { return pickOne(c, "a", "b", "ab", "") }
	named := func(names ...string) map[string]any {
		m := map[string]any{}
		for range 1 + c.choose(3) {
			m[pickOne(c, names...)] = c.randomSchema(depth)
		}
		return m
	}
	keywords := []struct {
		name  string
		value func() any
	}{
		{"type", func() any {
			return pickOne[any](c, "null", "boolean", "number", "string", "array", "object", "integer", []string{"string", "null"}, []string{"object", "integer"})
		}},
		{"enum", func() any { return []any{c.randomValue(1), c.randomValue(1)} }}, {"const", func() any { return c.randomValue(2) }},
		{"allOf", func() any { return list() }}, {"anyOf", func() any { return list() }}, {"oneOf", func() any { return list() }},
		{"not", func() any { return c.randomSchema(depth) }}, {"if", func() any { return c.randomSchema(depth) }}, {"then", func() any { return c.randomSchema(depth) }}, {"else", func() any { return c.randomSchema(depth) }},
		{"minimum", func() any { return number() }}, {"maximum", func() any { return number() }}, {"exclusiveMinimum", func() any { return number() }}, {"exclusiveMaximum", func() any { return number() }},
		{"multipleOf", func() any { return pickOne(c, json.Number("1"), "0.1", "2", "3", "1e1", "0.25") }},
		{"minLength", func() any { return count() }}, {"maxLength", func() any { return count() }}, {"pattern", func() any { return pickOne(c, "^a", "b$", "^.$", "[ab]{2}", `\W`) }},
		{"format", func() any {
			return pickOne(c, "date", "email", "uri", "time", "uuid", "ipv4", "hostname", "json-pointer")
		}},
		{"minItems", func() any { return count() }}, {"maxItems", func() any { return count() }}, {"uniqueItems", func() any { return c.choose(2) == 0 }},
		{"prefixItems", func() any { return list() }}, {"items", func() any { return c.randomSchema(depth) }},
		{"contains", func() any { return c.randomSchema(depth) }}, {"minContains", func() any { return count() }}, {"maxContains", func() any { return count() }},
		{"minProperties", func() any { return count() }}, {"maxProperties", func() any { return count() }}, {"required", func() any { return slices.Compact([]string{name()}) }},
		{"properties", func() any { return named("a", "b", "ab") }}, {"patternProperties", func() any { return named("^a", "b$", ".") }}, {"additionalProperties", func() any { return c.randomSchema(depth) }},
		{"propertyNames", func() any { return c.randomSchema(depth) }}, {"dependentRequired", func() any { return map[string]any{name(): []string{name()}} }}, {"dependentSchemas", func() any { return named("a", "b") }},
		{"dependencies", func() any { return named("a", "b") }},
		{"unevaluatedProperties", func() any { return c.randomSchema(depth) }}, {"unevaluatedItems", func() any { return c.randomSchema(depth) }},
		{"$ref", func() any { return pickOne(c, c.refs...) }}, {"$dynamicRef", func() any { return pickOne(c, c.refs...) }},
	}
	k := keywords[c.choose(len(keywords))]
	s[k.name] = k.value()
}

func repeatCall[T any](n int, f func() T) func(yield func(T) bool) {
	return func(yield func(T) bool) {
		for range n {
			if !yield(f()) {
				return
			}
		}
	}
}

// randomValue returns a value.
func (c *choices) randomValue(depth int) any {
	switch n := c.choose(14); {
	case n < 3:
		return pickOne(c, json.Number("0"), "1", "1.0", "2", "3", "10", "0.3", "-1", "2.5", "1e1", "7e-1")
	case n < 5:
		return pickOne(c, "", "a", "b", "ab", "aab", "2024-02-29", "a@b.c", "http://x", "127.0.0.1", "/a", "é", "12:00:00Z")
	case n < 7 || depth == 0:
		return pickOne[any](c, nil, true, false)
	case n < 10:
		return slices.Collect(repeatCall(c.choose(4), func() any { return c.randomValue(depth - 1) }))
	}
	object := map[string]any{}
	for range c.choose(4) {
		object[pickOne(c, "a", "b", "ab", "c", "")] = c.randomValue(depth - 1)
	}
	return object
}

// randomDocument returns a schema with definitions that it can refer to.
func (c *choices) randomDocument() string {
	c.refs = []string{"#", "#d", "#/$defs/a", "root", "root#d", "root#x", "root#/$defs/b"}
	sub := map[string]any{"$id": "sub", "$dynamicAnchor": "d", "$defs": map[string]any{"a": c.randomSchema(1)}}
	for range 2 {
		c.addKeyword(sub, 1)
	}
	c.refs = []string{"#", "#d", "#/$defs/a", "#/$defs/b", "#x", "sub", "sub#d", "sub#/$defs/a"}
	root, ok := c.randomSchema(3).(map[string]any)
	if !ok {
		root = map[string]any{}
	}
	root["$id"], root["$dynamicAnchor"] = "https://example.com/root", "d"
	root["$defs"] = map[string]any{"a": c.randomSchema(2), "b": map[string]any{"$anchor": "x", "allOf": []any{c.randomSchema(1)}}, "c": sub}
	return marshalJSON(root)
}

func marshalJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// FuzzOracle compares verdicts on random schemas and values. It leaves out schemas that refer to
// themselves without end: see compareOracle.
func FuzzOracle(f *testing.F) {
	for i := range 60 {
		var seed []byte
		for j := range 200 {
			seed = append(seed, byte((i*7919+j*j*31+j*i)>>2))
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &choices{data: data}
		schema := c.randomDocument()
		var all []string
		for range 8 {
			all = append(all, marshalJSON(c.randomValue(3)))
		}
		compareOracle(t, schema, all...)
	})
}
