package jsonschema_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/internal/jsontext"
)

func Example() {
	s, err := jsonschema.Parse([]byte(`{"type": "object", "properties": {"size": {"type": "integer", "maximum": 50}, "unit": {"enum": ["cm", "in"]}},
		"required": ["unit"], "additionalProperties": false}`))
	if err != nil {
		panic(err)
	}
	text := `{"size": 99, "colour": "red"}`
	v, err := jsontext.Parse(text, 100)
	if err != nil {
		panic(err)
	}
	for _, f := range s.Check(v, len(text)) {
		fmt.Println(f.Pointer, f)
	}
	// Output:
	// /size expected an integer of at most 50, found the number 99
	// /colour expected one of the 2 keys size, unit, found the key "colour"
	// /unit expected a value, found nothing
}

// TestFaults checks the text of every fault.
func TestFaults(t *testing.T) {
	for _, test := range []struct{ schema, value, want string }{
		{`{"type": "integer"}`, `1.5`, ": expected an integer, found the number 1.5"},
		{`{"type": ["string", "null"]}`, `[]`, ": expected null or a string, found an array"},
		{`{"type": "boolean"}`, `{}`, ": expected a boolean (true or false), found an object"},
		{`{"type": "object"}`, `null`, ": expected an object, found null"},
		{`{"enum": ["true", "false"]}`, `true`, `: expected one of "true", "false" (strings), found the boolean true`},
		{`{"enum": ["1", "2"]}`, `1`, `: expected one of "1", "2" (strings), found the number 1`},
		{`{"enum": [1, 2]}`, `"1"`, `: expected one of 1, 2 (integers), found the string "1"`},
		{`{"enum": [1, 2.5]}`, `"1"`, `: expected one of 1, 2.5, found the string "1"`},
		{`{"const": true}`, `"true"`, `: expected the boolean true, found the string "true"`},
		{`{"const": 1}`, `"1"`, `: expected the integer 1, found the string "1"`},
		{`{"const": "null"}`, `null`, `: expected the string "null", found null`},
		{`{"anyOf": [{"const": null}, {"const": "a"}, {"const": "b"}]}`, `"c"`, `: expected one of null, "a", "b", found the string "c"`},
		{`{"anyOf": [{"type": "null"}, {"const": "a"}, {"const": "b"}]}`, `"c"`, `: expected null or one of "a", "b" (strings), found the string "c"`},
		{`{"oneOf": [{"const": "a", "title": "A"}, {"enum": ["b"]}, {"type": "integer"}]}`, `"c"`, `: expected one of "a", "b" (strings) or an integer, found the string "c"`},
		{`{"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}`, `{}`, `: expected an object with the key a or an object with the key b, found an object`},
		{`{"anyOf": [{"required": ["a", "c"]}, {"required": ["b"]}]}`, `{"a": 1}`, `: expected an object with the key c or an object with the key b, found an object`},
		{`{"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}`, `{"a": 1, "b": 1}`, `: expected a value of exactly one of 2 alternatives (an object with the key a or an object with the key b), found an object that more than one of them allows`},
		{`{"anyOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"minimum": 3}}}]}`, `{"a": 1}`, `: expected a string at /a or a number of at least 3 at /a, found an object`},
		{`{"anyOf": [{"type": "string", "minLength": 3}, {"type": "string", "pattern": "^x"}, {"type": "null"}]}`, `"a"`, `: expected at least 3 characters or a string that matches ^x or null, found the string "a"`},
		{`{"anyOf": [{"anyOf": [{"minimum": 3}, {"maximum": 1}]}, {"multipleOf": 7}]}`, `2`, `: expected a number of at least 3 or a number of at most 1 or a multiple of 7, found the number 2`},
		{`{"$defs": {"e": {"enum": ["a"]}}, "anyOf": [{"$ref": "#/$defs/e"}, {"type": "string", "maxLength": 0}]}`, `"c"`, `: expected the string "a" or at most 0 characters, found the string "c"`},
		{`{"not": {"enum": ["a", "b"]}}`, `"a"`, `: expected a value other than one of "a", "b" (strings), found the string "a"`},
		{`{"not": {"required": ["a"]}}`, `{"a": 1}`, `: expected a value other than an object with the key a, found an object`},
		{`{"propertyNames": {"pattern": "^x"}}`, `{"a": 1}`, `/a: expected another key (a string that matches ^x), found the key "a"`},
		{`{"propertyNames": {"format": "date"}}`, `{"a": 1}`, `/a: expected another key (a date such as 2026-01-31), found the key "a"`},
		{`{"propertyNames": false}`, `{"a": 1}`, `/a: expected another key (nothing), found the key "a"`},
		{`{"enum": ["a", "b c", ""]}`, `"x"`, `: expected one of "a", "b c", "" (strings), found the string "x"`},
		{`{"enum": [1, "a", null]}`, `true`, `: expected one of 1, "a", null, found the boolean true`},
		{`{"enum": []}`, `true`, `: expected nothing, found the boolean true`},
		{`{"const": {"a": 1}}`, `2`, `: expected {"a":1}, found the number 2`},
		{`false`, `2`, `: expected nothing, found the number 2`},
		{`{"type": "integer", "minimum": 3}`, `2`, ": expected an integer of at least 3, found the number 2"},
		{`{"maximum": 3.5}`, `4`, ": expected a number of at most 3.5, found the number 4"},
		{`{"exclusiveMinimum": 3, "multipleOf": 2}`, `3`, ": expected a number above 3, found the number 3; : expected a multiple of 2, found the number 3"},
		{`{"exclusiveMaximum": 3}`, `3.0`, ": expected a number below 3, found the number 3.0"},
		{`{"type": "number"}`, `1e99999`, ": expected a number with a smaller exponent, found the number 1e99999"},
		{`{"type": "number"}`, `1E+009999`, ""}, {`true`, `[1, {"a": -1e-99999}]`, "/1/a: expected a number with a smaller exponent, found the number -1e-99999"},
		{`{"enum": [1], "enum": [2]}`, `2`, ""}, {`{"dependentRequired": {"a": ["b"]}, "dependentRequired": {}}`, `{"a": 1}`, ""},
		{`{"minLength": 2}`, `"é"`, `: expected at least 2 characters, found the string "é"`},
		{`{"maxLength": 1}`, `"ab"`, `: expected at most 1 character, found the string "ab"`},
		{`{"pattern": "^a"}`, `"b"`, `: expected a string that matches ^a, found the string "b"`},
		{`{"format": "uuid"}`, `"b"`, `: expected a UUID such as 123e4567-e89b-12d3-a456-426614174000, found the string "b"`},
		{`{"format": "date-time"}`, `"b"`, `: expected a date and time such as 2006-01-02T15:04:05Z, found the string "b"`},
		{`{"format": "date-time"}`, `"2026-01-31T12:00:00"`, `: expected a time zone, Z or one such as +02:00, at the end of the date and time, found the string "2026-01-31T12:00:00"`},
		{`{"contentEncoding": "base64"}`, `"=b"`, `: expected a string in base64, found the string "=b"`},
		{`{"contentEncoding": "base64"}`, `"YWE"`, ``}, {`{"contentEncoding": "base64"}`, `"a-_="`, ``}, {`{"contentEncoding": "other"}`, `"="`, ``},
		{`{"type": "string", "contentEncoding": "base64"}`, `1`, `: expected a string in base64, found the number 1`},
		{`{"type": "string", "format": "date-time"}`, `1`, `: expected a string with a date and time, found the number 1`},
		{`{"type": "string", "enum": ["a", "b"]}`, `1`, `: expected one of "a", "b" (strings), found the number 1`},
		{`{"minItems": 2, "maxItems": 2}`, `[1]`, ": expected an array of length 2, found one of length 1"},
		{`{"propertyNames": {"enum": ["a", "b"]}}`, `{"c": 1}`, `/c: expected one of the keys a, b, found the key "c"`},
		{`{"minItems": 1}`, `[]`, ": expected at least 1 element, found an array"},
		{`{"items": {"type": "integer"}, "maxItems": 2}`, `[1, "a", 2, null]`, ": expected at most 2 elements, found an array; /1: expected an integer, found the string \"a\"; /3: expected an integer, found null"},
		{`{"uniqueItems": true}`, `[1, {"a": 1}, {"a": 1.0}]`, "/2: expected each element once, found an object"},
		{`{"contains": {"type": "integer"}, "minContains": 2}`, `[1, "a"]`, ": expected at least 2 elements of the kind that it has to contain, found an array"},
		{`{"prefixItems": [true], "items": false}`, `[1, 2]`, "/1: expected nothing, found the number 2"},
		{`{"prefixItems": [true], "unevaluatedItems": false}`, `[1, 2]`, "/1: expected nothing, found the number 2"},
		{`{"minProperties": 2}`, `{"a": 1}`, ": expected at least 2 members, found an object"},
		{`{"required": ["a/b"]}`, `{}`, "/a~1b: expected a value, found nothing"},
		{`{"dependentRequired": {"a": ["b"]}}`, `{"a": 1}`, "/b: expected a value, found nothing"},
		{`{"dependentSchemas": {"a": {"properties": {"a": {"type": "null"}}}}}`, `{"a": 1}`, "/a: expected null, found the number 1"},
		{`{"additionalProperties": false}`, `{"a": 1}`, `/a: expected no keys, found the key "a"`},
		{`{"properties": {"b": {}}, "additionalProperties": false}`, `{"a": 1}`, `/a: expected the key b, found the key "a"`},
		{`{"properties": {"name": {}}, "additionalProperties": false}`, `{"a": 1}`, `/a: expected only the key name, found the key "a"`},
		{`{"properties": {"name": {}, "size": {}}, "additionalProperties": false}`, `{"a": 1, "Name": 1}`, `/a: expected one of the 2 keys name, size, found the key "a"; /Name: expected the key name, found the key "Name"`},
		{`{"properties": {"b": {}}, "unevaluatedProperties": false}`, `{"a": 1}`, `/a: expected no such key, found the key "a"`},
		{`{"properties": {"a": false}}`, `{"a": 1}`, `/a: expected no such key, found the key "a"`},
		{`{"propertyNames": {"maxLength": 1}}`, `{"ab": 1}`, `/ab: expected another key (at most 1 character), found the key "ab"`},
		{`{}`, `{"a": [{"b": 1, "\u0062": 2}]}`, `/a/0/b: expected each key once, found the key "\u0062" again`},
		{`{"type": "object"}`, `{"a": 1, "\u0061": 2}`, `/a: expected each key once, found the key "\u0061" again`},
		{`{}`, `{"a": 1, "a": 2}`, `/a: expected each key once, found the key "a" again`},
		{`{"not": {"type": "integer"}}`, `1`, `: expected a value other than an integer, found the number 1`},
		{`{"anyOf": [{"type": "string"}, {"type": "null"}]}`, `1`, `: expected null or a string, found the number 1`},
		{`{"anyOf": [{"minimum": 3}, {"maximum": 1}]}`, `2`, `: expected a number of at least 3 or a number of at most 1, found the number 2`},
		{`{"oneOf": [{"type": "integer"}, {"minimum": 3}]}`, `4`, `: expected a value of exactly one of 2 alternatives (an integer or alternative 2), found the number 4 that more than one of them allows`},
		{`{"anyOf": [{"type": "object", "required": ["a"]}, {"type": "null"}]}`, `{}`, `/a: expected a value, found nothing`},
		{`{"oneOf": [{"properties": {"k": {"const": "a"}}, "required": ["x"]}, {"properties": {"k": {"const": "b"}}, "required": ["y"]}]}`, `{"k": "b"}`, `/y: expected a value, found nothing`},
		{`{"if": {"required": ["a"]}, "then": {"required": ["b"]}}`, `{"a": 1}`, `/b: expected a value, found nothing`},
		{`{"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"required": ["b"]}}}`, `{}`, `/b: expected a value, found nothing`},
		{`{"maxLength": 1}`, `"` + strings.Repeat("é", 99) + `"`, `: expected at most 1 character, found the string "` + strings.Repeat("é", 32) + `…"`},
	} {
		s, err := jsonschema.Parse([]byte(test.schema))
		if err != nil {
			t.Errorf("%s: %v", test.schema, err)
			continue
		}
		var all []string
		for _, f := range check(t, s, test.value) {
			all = append(all, f.Pointer+": "+f.String())
		}
		if got := strings.Join(all, "; "); got != test.want {
			t.Errorf("%s: %s:\n got %s\nwant %s", test.schema, test.value, got, test.want)
		}
	}
}

// TestErrors checks schemas that cannot be used.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                                 "expected a key in double quotes at byte 1, found the end of the text",
		`7`:                                 "the schema: expected a schema, which is an object, true or false, found the number 7",
		`{"type": "text"}`:                  `/type: expected one of the types null, boolean, number, string, array, object, integer, found the string "text"`,
		`{"type": 1}`:                       "/type: expected a type, or several, found the number 1",
		`{"type": []}`:                      "/type: expected a type, or several, found an array",
		`{"pattern": "("}`:                  `/pattern: expected a regular expression that Go's package regexp supports, found "(" (error parsing regexp: missing closing ): ` + "`(`)",
		`{"patternProperties": {"(?=": 1}}`: "/patternProperties/(?=: expected a regular expression",
		`{"$ref": "#/$defs/a"}`:             `/$ref: expected a reference to a place in the schema, found "#/$defs/a", which leads nowhere`,
		`{"$ref": "#a"}`:                    `/$ref: expected a reference to a place in the schema, found "#a", which leads nowhere`,
		`{"items": {"$ref": "http://x/y"}}`: `/items/$ref: expected a reference to a place in the schema, because other documents are not loaded, found "http://x/y"`,
		`{"$recursiveRef": "#"}`:            `/$recursiveRef: expected "$dynamicRef" instead, found the string "#"`,
		`{"$schema": "http://x/y"}`:         `/$schema: expected a draft of JSON Schema from 4 to 2020-12, found the string "http://x/y"`,
		`{"$id": "a#b"}`:                    `/$id: expected an address without a fragment, found the string "a#b"`,
		`{"$id": "http://x/` + strings.Repeat("y", 4096) + `"}`:                                                       `/$id: expected an address of at most 4096 bytes, found the string "http://x/yyy`,
		`{"$id": "http://x/` + strings.Repeat("y", 3000) + `/", "not": {"$id": "` + strings.Repeat("y", 3000) + `"}}`: "/not/$id: expected an address of at most 4096 bytes",
		`{"items": [{"type": "string"}]}`:                                                                             "/items: expected a schema, which is an object, true or false, found an array",
		`{"minimum": "x"}`:                                                                                            `/minimum: expected a number, found the string "x"`,
		`{"exclusiveMinimum": true}`:                                                                                  "/exclusiveMinimum: expected a number, found the boolean true",
		`{"multipleOf": 0}`:                                                                                           "/multipleOf: expected a number above 0 of at most 400 digits, found the number 0",
		`{"minLength": -1}`:                                                                                           "/minLength: expected an integer of at least 0, found the number -1",
		`{"maxItems": 1.5}`:                                                                                           "/maxItems: expected an integer of at least 0, found the number 1.5",
		`{"uniqueItems": 1}`:                                                                                          "/uniqueItems: expected a boolean (true or false), found the number 1",
		`{"properties": {"a/b": null}}`:                                                                               "/properties/a~1b: expected a schema, which is an object, true or false, found null",
		`{"anyOf": [{}, null]}`:                                                                                       "/anyOf/1: expected a schema, which is an object, true or false, found null",
		`{"anyOf": []}`:                                                                                               "/anyOf: expected at least 1 schema, found none",
		`{"required": [1]}`:                                                                                           "/required/0: expected a string, found the number 1",
		`{"dependentRequired": []}`:                                                                                   "/dependentRequired: expected an object, found an array",
		`{"$ref": "#/$defs/a", "$defs": {"a": {"type": "x"}}}`:                                                        `/$defs/a/type: expected one of the types`,
		`{"a":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + "}":                     "expected at most 1000 levels of nesting at byte 1004",
		`{"description": "` + strings.Repeat("x", 1<<20) + `"}`:                                   "the schema: expected a schema of at most 1 MiB, found 1048595 bytes",
		`{"multipleOf": 1` + strings.Repeat("1", 400) + `}`:                                       "/multipleOf: expected a number above 0 of at most 400 digits, found the number 111",
		`{"$defs": {"a": {"$id": "x", "$ref": "#/$defs/b"}, "b": true}, "$ref": "x#/$defs/b"}`:    `"x#/$defs/b", which leads nowhere`,
		`{"$schema": "http://json-schema.org/draft-07/schema", "items": [{"$ref": "#/items/2"}]}`: `/items/0/$ref: expected a reference`,
	} {
		_, err := jsonschema.Parse([]byte(text))
		var syntax *jsontext.SyntaxError
		var wrong *jsonschema.Error
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &syntax) && !errors.As(err, &wrong) {
			t.Errorf("%.60s: %v\nwant %s", text, err, want)
		}
	}
}

// unions returns a schema of n unions, each with four references to the next one. It has a few hundred
// bytes and contains the last union 4ⁿ times.
func unions(n int) string {
	var b strings.Builder
	for i := range n {
		ref := fmt.Sprintf(`{"$ref":"#/$defs/A%d"}`, i+1)
		fmt.Fprintf(&b, `"A%d":{"anyOf":[%s,%[2]s,%[2]s,%[2]s]},`, i, ref)
	}
	return fmt.Sprintf(`{"properties":{"p":{"$ref":"#/$defs/A0"}},"$defs":{%s"A%d":{"type":"object"}}}`, b.String(), n)
}

// wideSchema returns a schema of n levels, each of which refers to the next one 1000 times by a keyword.
func wideSchema(n int, keyword string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"A%d":{%q:[%s {"$ref":"#/$defs/A%[4]d"}]},`, i, keyword, strings.Repeat(fmt.Sprintf(`{"$ref":"#/$defs/A%d"},`, i+1), 1000), i+1)
	}
	return fmt.Sprintf(`{"properties":{"p":{"anyOf":[{"$ref":"#/$defs/A0"},{"type":"null"}]}},"$defs":{%s"A%d":{"minLength":3}}}`, b.String(), n)
}

// TestHostile checks that schemas and values with exponential cost are given up.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	deep := func(open string, n int, close string) string {
		return strings.Repeat(open, n) + "1" + strings.Repeat(close, n)
	}
	var many strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&many, `"k%d",`, i)
	}
	for _, x := range []struct {
		name, schema, value string
		faults              int
		err                 string
	}{
		{"unions", unions(40), `{"p":7}`, 1, ""},
		{"wide unions", wideSchema(4, "anyOf"), `{"p":"x"}`, 1, ""},
		{"wide intersections", wideSchema(4, "allOf"), `{"p":"x"}`, 1, ""},
		{"a loop", `{"allOf":[{"$ref":"#"}]}`, `1`, 0, "refers to itself"},
		{"a loop of two", `{"anyOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"not":{"$ref":"#"}}}}`, `1`, 0, "refers to itself"},
		{"a loop after another fault", `{"required":["x"],"anyOf":[{"$ref":"#/$defs/a"},{"type":"string"}],"$defs":{"a":{"$ref":"#/$defs/a"}}}`, `{}`, 0, "refers to itself"},
		{"a dynamic loop", `{"$dynamicAnchor":"a","$dynamicRef":"#a"}`, `{}`, 0, "refers to itself"},
		{"by members", `{"properties":{"p":{"$ref":"#"}},"patternProperties":{"^p":{"$ref":"#"},"p$":{"$ref":"#"}}}`, deep(`{"p":`, 900, "}"), 0, ""},
		{"by items", `{"items":{"$ref":"#"},"contains":{"$ref":"#"}}`, deep("[", 900, "]"), 0, ""},
		{"wrong by items", `{"anyOf":[{"type":"array","items":{"$ref":"#"}},{"type":"array","contains":{"$ref":"#"}}]}`, deep("[", 900, "]"), 1, ""},
		{"told twice", `{"type":"array","allOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}`, deep("[", 900, "]"), 1, ""},
		{"required", `{"items":{"required":[` + many.String() + `"x"]}}`, "[" + strings.Repeat("{},", 20_000) + "{}]", 0, "steps"},
		{"long", `{"items":{"anyOf":[{"type":"string"},{"type":"integer"}]}}`, "[" + strings.Repeat("1,", 100_000) + "1]", 0, ""},
		{"many wrong", `{"items":{"type":"string"}}`, "[" + strings.Repeat("1,", 100_000) + "1]", 10_000, ""},
		{"a long number", `{"multipleOf":0.7}`, strings.Repeat("7", 1<<20), 0, ""},
		{"patterns", `{"patternProperties":{"^a":true,"b.*b.*b$":true,"(c|d)*e":true}}`, `{"` + strings.Repeat("ab", 1<<19) + `":1}`, 0, ""},
		{"marks", `{"unevaluatedProperties":false,"allOf":[` + strings.Repeat(`{"allOf":[`, 400) + `{"properties":{"a":true}}` + strings.Repeat("]}", 400) + `]}`, `{"a":1}`, 0, ""},
	} {
		s, err := jsonschema.Parse([]byte(x.schema))
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		faults := check(t, s, x.value)
		if x.err != "" {
			x.faults = 1
		}
		if len(faults) != x.faults || x.err != "" && !strings.Contains(faults[0].Expected, x.err) {
			t.Errorf("%s: %d faults, %.1v", x.name, len(faults), faults)
		}
	}
}

// TestSteps checks that the steps of a check grow linearly with the value.
func TestSteps(t *testing.T) {
	for _, schema := range []string{
		`{"type":"array","items":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"object","properties":{"c":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]},"v":{"type":"integer"}},"additionalProperties":false}}}`,
		`{"type":"array","items":{"$ref":"#/$defs/n"},"$defs":{"n":{"allOf":[{"$ref":"#/$defs/m"},{"$ref":"#/$defs/m"}]},"m":{"properties":{"c":{"$ref":"#/$defs/n"}},"unevaluatedProperties":{"type":"integer"}}}}`,
	} {
		s, err := jsonschema.Parse([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		for _, leaf := range []string{`{"v":1}`, `{"v":"x"}`} {
			for _, depth := range []int{1, 100} {
				unit := strings.Repeat(`{"c":`, depth) + leaf + strings.Repeat("}", depth)
				var perByte [2]float64
				for i, size := range []int{1 << 10, 64 << 10} {
					text := "[" + strings.Repeat(unit+",", size/len(unit)) + unit + "]"
					v, err := jsontext.Parse(text, 1000)
					if err != nil {
						t.Fatal(err)
					}
					most := jsonschema.StepsFor(len(text))
					c := jsonschema.NewChecker(most)
					c.Faults(v, s)
					if c.Err() != nil {
						t.Error(c.Err())
					}
					perByte[i] = float64(most-c.Left()) / float64(len(text))
				}
				if perByte[1] > 8 || perByte[1] > 1.5*perByte[0]+1 {
					t.Errorf("%s of %.50s: %.1f steps a byte of few, %.1f of many", schema, unit, perByte[0], perByte[1])
				}
			}
		}
	}
}

// TestManyReasons checks that alternatives are described only for a limited number of values, each by
// its first fault.
func TestManyReasons(t *testing.T) {
	s, err := jsonschema.Parse([]byte(`{"items":{"anyOf":[{"type":"string","minLength":3},{"type":"string","pattern":"^x"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	text := "[" + strings.Repeat(`"a",`, 2000) + `"a"]`
	v, err := jsontext.Parse(text, 9)
	if err != nil {
		t.Fatal(err)
	}
	faults := s.Check(v, len(text))
	const first, last = "at least 3 characters or a string that matches ^x", "a string"
	if len(faults) != 2001 || faults[0].Expected != first || faults[2000].Expected != last {
		t.Errorf("%d faults, %+v to %+v", len(faults), faults[0], faults[len(faults)-1])
	}
	nested, err := jsonschema.Parse([]byte(`{"$defs":{"n":{"anyOf":[{"items":{"$ref":"#/$defs/n"},"minItems":9},{"items":{"$ref":"#/$defs/n"},"maxItems":0},{"prefixItems":[{"type":"string"}],"items":{"$ref":"#/$defs/n"}}]}},"$ref":"#/$defs/n"}`))
	if err != nil {
		t.Fatal(err)
	}
	text = "[" + strings.Repeat(`[[[[1]]]],`, 10_000) + `1]`
	if v, err = jsontext.Parse(text, 9); err != nil {
		t.Fatal(err)
	}
	if faults := nested.Check(v, len(text)); len(faults) != 1 || !strings.HasPrefix(faults[0].Expected, "at least 9 elements or ") {
		t.Errorf("%+v", faults)
	}
}
