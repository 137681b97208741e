package schema

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/internal/jsonschema"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// edgeCases are valid and invalid values at the limits of keywords, by schema.
var edgeCases = []struct {
	schema         string
	valid, invalid []string
}{
	{`{"format":"hostname"}`, []string{`"a"`, `"a.b"`, `"a.b."`, `"xn--bcher-kva.de"`, `"1.2"`, `7`}, []string{`""`, `"."`, `"a..b"`, `"-a"`, `"a-"`, `"a_b"`, `"bücher.de"`}},
	{`{"format":"email"}`, []string{`"a@b.c"`, `"\"a b\"@c.d"`, `"a+b@c-d.e"`, `"a@[127.0.0.1]"`, `"a@[IPv6:::1]"`, `[]`}, []string{`"ä@b.c"`, `"a@"`, `"@b"`, `"a b@c"`, `".a@b.c"`, `"a..b@c.d"`, `"a@[127.0.0.256]"`, `"Ada <a@b.c>"`}},
	{`{"format":"idn-email"}`, []string{`"ä@b.c"`, `"用户@例子.广告"`}, []string{`"ä"`, `"a b@c.d"`}},
	{`{"format":"date-time"}`, []string{`"1998-12-31T23:59:60Z"`, `"1998-12-31T15:59:60.123-08:00"`, `"2024-02-29t12:00:00z"`, `"2024-02-29T12:00:00-00:00"`}, []string{`"1998-12-31T23:58:60Z"`, `"1998-12-31T22:59:60Z"`, `"2023-02-29T12:00:00Z"`, `"2024-02-29 12:00:00Z"`, `"2024-02-29T12:00:00"`, `"2024-02-29T24:00:00Z"`, `"2024-02-29T12:00:00+24:00"`}},
	{`{"format":"time"}`, []string{`"23:59:60Z"`, `"00:59:60+01:00"`}, []string{`"12:00:00"`, `"22:59:60Z"`, `"12:00Z"`}},
	{`{"format":"duration"}`, []string{`"P1W"`, `"PT1H30M"`, `"P1Y2M3DT4H5M6S"`}, []string{`"P"`, `"P1W2D"`, `"PT1.5S"`, `"1h"`}},
	{`{"format":"iri"}`, []string{`"http://é/ü?ö"`, `"urn:a:b"`}, []string{`"//x"`, `"http://a b"`}},
	{`{"format":"iri-reference"}`, []string{`"/ü"`, `""`}, []string{`"http://x\\y"`, `":a"`}},
	{`{"format":"uri"}`, []string{`"http://[::1]/"`, `"mailto:a@b"`}, []string{`"http://[::1"`, `"http://x/%zz"`, `"/x"`}},
	{`{"format":"uri-template"}`, []string{`"/a/{b}/c{?d,e*}{&f:3}"`, `""`}, []string{`"/a}"`, `"/{a"`, `"{}"`, `"a b"`}},
	{`{"format":"json-pointer"}`, []string{`"/a~0~1"`, `""`}, []string{`"/a~2"`, `"a"`}},
	{`{"format":"relative-json-pointer"}`, []string{`"0#"`, `"10/a~0"`}, []string{`"01"`, `"-1"`, `"1#a"`, `"/a"`}},
	{`{"format":"regex"}`, []string{`"a|b"`, `"\\p{L}"`}, []string{`"("`, `"["`}},
	{`{"format":"uuid"}`, []string{`"123E4567-e89b-12d3-a456-426614174000"`}, []string{`"123e4567e89b12d3a456426614174000"`, `"{123e4567-e89b-12d3-a456-426614174000}"`}},
	{`{"format":"ipv4"}`, []string{`"0.0.0.0"`}, []string{`"127.0.0.01"`, `"256.0.0.1"`, `"1.2.3.+4"`}},
	{`{"format":"ipv6"}`, []string{`"::ffff:1.2.3.4"`, `"::"`}, []string{`"fe80::1%eth0"`, `"1::2::3"`, `"12345::"`}},
	{`{"description":"anything"}`, []string{`{"a":{"b":1},"b":2}`}, []string{`{"a":1,"a":2}`, `[{"a":{"b":1,"\u0062":2}}]`}},
	{`{"format":"unheard-of"}`, []string{`"x"`}, nil},

	{`{"multipleOf":0.01}`, []string{`19.99`, `1e3`, `0`, `-0.07`}, []string{`0.075`, `1e-3`}},
	{`{"multipleOf":0.1}`, []string{`0.3`, `1e400`}, []string{`0.35`}},
	{`{"multipleOf":3}`, []string{`9007199254740993`, `-3.0`}, []string{`9007199254740994`, `1e20`}},
	{`{"multipleOf":1e-8}`, []string{`12391239123`}, []string{`1e-9`}},
	{`{"type":"integer"}`, []string{`1.0`, `1e3`, `10e-1`, `-0`, `1e400`}, []string{`1.5`, `1e-1`, `"1"`, `true`}},
	{`{"minimum":9007199254740993}`, []string{`9007199254740993`, `1e17`}, []string{`9007199254740992`}},
	{`{"maximum":1e3}`, []string{`1000.0`, `-1e999`}, []string{`1000.0000000000000000001`}},
	{`{"exclusiveMinimum":0}`, []string{`1e-300`}, []string{`0`, `-0.0`, `0e9`}},
	{`{"exclusiveMaximum":0.3}`, []string{`0.29999999999999999999`}, []string{`0.3`, `3e-1`}},
	{`{"const":1.0}`, []string{`1`, `10e-1`}, []string{`true`, `"1"`, `[1]`}},
	{`{"enum":[0,[false],{"a":1.0}]}`, []string{`-0.0`, `{"a":1}`, `[false]`}, []string{`false`, `[0]`, `{"a":true}`}},
	{`{"minLength":2,"maxLength":2}`, []string{`"é😀"`, `"\ud83d\ude00x"`}, []string{`"😀"`, `"abc"`}},
	{`{"pattern":"^\\d+$"}`, []string{`"12"`, `12`}, []string{`"1a"`, `""`, `"٢"`}},

	{`{"uniqueItems":true}`, []string{`[1,true]`, `["1",1]`, `[[1],[2]]`}, []string{`[1,1.0]`, `[{"a":1,"b":2},{"b":2,"a":1}]`, `["a","\u0061"]`}},
	{`{"contains":{"type":"integer"},"minContains":2,"maxContains":2}`, []string{`[1,"a",2]`}, []string{`[1]`, `[1,2,3]`, `[]`}},
	{`{"contains":{"type":"integer"},"minContains":0}`, []string{`[]`, `["a"]`}, nil},
	{`{"prefixItems":[{"type":"string"}],"items":false}`, []string{`[]`, `["a"]`}, []string{`[1]`, `["a",1]`}},
	{`{"prefixItems":[true],"unevaluatedItems":false}`, []string{`[1]`}, []string{`[1,2]`}},
	{`{"contains":{"type":"string"},"unevaluatedItems":{"type":"integer"}}`, []string{`["a",1]`}, []string{`["a",null]`}},
	{`{"oneOf":[{"items":{"type":"integer"}},{"prefixItems":[{"type":"string"}]}],"unevaluatedItems":false}`, []string{`[1]`, `["a"]`}, []string{`["a",1]`}},

	{`{"required":["a"]}`, []string{`{"a":null}`, `{"\u0061":1}`}, []string{`{"A":1}`, `{}`}},
	{`{"properties":{"a":true},"patternProperties":{"^b":{"type":"integer"}},"additionalProperties":false}`, []string{`{"a":1,"b2":3}`}, []string{`{"b":"x"}`, `{"c":1}`}},
	{`{"propertyNames":{"format":"uuid"}}`, []string{`{}`}, []string{`{"a":1}`}},
	{`{"dependentRequired":{"a":["b"]}}`, []string{`{"b":1}`, `{"a":1,"b":2}`}, []string{`{"a":1}`}},
	{`{"dependencies":{"a":["b"],"c":{"minProperties":2}}}`, []string{`{"a":1,"b":2}`, `{"c":1,"d":2}`, `{}`}, []string{`{"a":1}`, `{"c":1}`}},
	{`{"dependentSchemas":{"a":{"properties":{"b":true}}},"properties":{"a":true},"unevaluatedProperties":false}`, []string{`{"a":1,"b":2}`}, []string{`{"b":1}`}},
	{`{"anyOf":[{"properties":{"a":{"type":"integer"}}},{"properties":{"b":true}}],"unevaluatedProperties":{"type":"null"}}`, []string{`{"a":1,"b":2}`, `{"c":null}`}, []string{`{"a":"x","b":2}`, `{"c":1}`}},
	{`{"if":{"required":["k"]},"then":{"properties":{"k":true}},"unevaluatedProperties":false}`, []string{`{"k":1}`}, []string{`{"j":1}`}},
	{`{"not":{"not":{"properties":{"a":true}}},"unevaluatedProperties":false}`, nil, []string{`{"a":1}`}},

	{`{"type":"object","properties":{"v":{"$ref":"#x"}},"$defs":{"d":{"$anchor":"x","type":"integer"}}}`, []string{`{"v":1}`}, []string{`{"v":"a"}`}},
	{`{"type":"object","properties":{"v":{"$ref":"#/$defs/a~1b%7E1c"}},"$defs":{"a/b/c":{"type":"integer"}}}`, []string{`{"v":1}`}, []string{`{"v":"a"}`}},
	{`{"type":"object","properties":{"v":{"$ref":"other"}},"$defs":{"o":{"$id":"other","minimum":3}}}`, []string{`{"v":3}`}, []string{`{"v":2}`}},
	{`{"type":"object","$dynamicAnchor":"n","properties":{"v":{"$dynamicRef":"#n"}},"required":["w"]}`, []string{`{"w":1,"v":{"w":2}}`}, []string{`{"w":1,"v":{}}`}},
	{`{"$id":"https://x.y/r","$ref":"s","$dynamicAnchor":"n","maxLength":1,"$defs":{"s":{"$id":"s","$dynamicAnchor":"n","propertyNames":{"$dynamicRef":"#n"}}}}`, []string{`{"a":1}`}, []string{`{"ab":1}`}},
	{`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"v":{"items":[{"type":"string"}],"additionalItems":false}}}`, []string{`{"v":["a"]}`}, []string{`{"v":[1]}`, `{"v":["a",1]}`}},
	{`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"v":{"$ref":"#/definitions/d","minimum":3}},"definitions":{"d":{"type":"integer"}}}`, []string{`{"v":1}`}, []string{`{"v":"a"}`}},
	{`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"v":{"minimum":3,"exclusiveMinimum":true}}}`, []string{`{"v":3.1}`}, []string{`{"v":3}`}},
}

// oracleErrors are the edge cases about which the oracle is wrong, with reasons.
var oracleErrors = map[string]string{
	`{"$id":"https://x.y/r","$ref":"s","$dynamicAnchor":"n","maxLength":1,"$defs":{"s":{"$id":"s","$dynamicAnchor":"n","propertyNames":{"$dynamicRef":"#n"}}}} {"ab":1}`: "it begins anew where it holds names against a schema",
	`{"description":"anything"} {"a":1,"a":2}`:              "it takes the last of them",
	`{"description":"anything"} [{"a":{"b":1,"\u0062":2}}]`: "it takes the last of them",
	`{"format":"email"} "@b"`:                               "it takes nothing for a name",
	`{"format":"ipv4"} "1.2.3.+4"`:                          "it takes a sign",
	`{"format":"idn-email"} "ä"`:                            "it does not know the format",
	`{"format":"idn-email"} "a b@c.d"`:                      "it does not know the format",
	`{"format":"uri-template"} "/a/{b}/c{?d,e*}{&f:3}"`:     "it knows the simplest expressions alone",
	`{"format":"uri-template"} "{}"`:                        "it looks at the braces of paths alone",
	`{"format":"uri-template"} "a b"`:                       "it looks at the braces of paths alone",
}

// TestVerdicts checks that everything that validates a value against a schema has the same verdict: the
// checker, Validate, the arguments and results of a dynamic tool, the repair of arguments, a plan, and
// another implementation except for its known errors.
func TestVerdicts(t *testing.T) {
	count := 0
	for _, edge := range edgeCases {
		valid, err := compileOracle(edge.schema)
		if err != nil {
			t.Errorf("%s: the oracle says %v", edge.schema, err)
			continue
		}
		for i, value := range append(edge.valid, edge.invalid...) {
			count++
			want := i < len(edge.valid)
			checkVerdicts(t, edge.schema, value, want)
			checkMessages(t, edge.schema, value)
			if name := edge.schema + " " + value; (valid(value) == want) == (oracleErrors[name] != "") {
				t.Errorf("%s: the oracle says %v; it is wrong because %q", name, valid(value), oracleErrors[name])
			}
		}
	}
	if count < 124 {
		t.Errorf("there are %d values", count)
	}
}

// checkVerdicts compares all verdicts on a value with the right one, and their messages with those of
// the checker.
func checkVerdicts(t *testing.T, text, value string, want bool) {
	t.Helper()
	faults := checkerFaults(t, text, value)
	if valid := len(faults) == 0; valid != want {
		t.Errorf("%s: %s: the checker says valid %v: %q", text, value, valid, faults)
	}
	say := func(who string, told []string) {
		t.Helper()
		if !slices.Equal(told, faults) {
			t.Errorf("%s: %s: %s says\n %q, and the checker\n %q", text, value, who, told, faults)
		}
	}
	say("Validate", errorFaults(t, schema.Validate(json.RawMessage(text), json.RawMessage(value))))
	say("a result", errorFaults(t, callDynamic(t, `{"type":"object"}`, text, `{}`, value)))

	text, value = asArguments(text, value)
	if !strings.HasPrefix(value, "{") {
		return
	}
	read, err := repair.Arguments(value, json.RawMessage(text))
	if allowed := err == nil && string(read.Value) == value && len(read.Edits) == 0; allowed != want {
		t.Errorf("%s: %s: the repair of arguments makes %s of it: %v", text, value, read.Value, err)
	}
	if isObject(text) {
		faults = checkerFaults(t, text, value)
		say("a tool of its arguments", errorFaults(t, callDynamic(t, text, "", value, `null`)))
	}
}

// checkMessages compares the messages of code that may change its input: if repair finds nothing to
// change, repair and plan must report the same as the checker.
func checkMessages(t *testing.T, text, value string) {
	t.Helper()
	text, value = asArguments(text, value)
	_, err := repair.Arguments(value, json.RawMessage(text))
	if err == nil || !isObject(text) {
		return
	}
	faults := checkerFaults(t, text, value)
	if told := errorFaults(t, err); !slices.Equal(told, faults) {
		t.Errorf("%s: %s: the repair of arguments says\n %q, and the checker\n %q", text, value, told, faults)
	}
	if told := planFaults(t, text, value); !slices.Equal(told, faults) {
		t.Errorf("%s: %s: a plan says\n %q, and the checker\n %q", text, value, told, faults)
	}
}

// asArguments wraps a schema and a value so that they become one argument, unless the schema is only
// valid at the root.
func asArguments(text, value string) (string, string) {
	if strings.Contains(text, `"$`) {
		return text, value
	}
	return `{"type":"object","properties":{"v":` + text + `},"required":["v"]}`, `{"v":` + value + `}`
}

// isObject reports whether a schema can be that of arguments.
func isObject(text string) bool {
	s, err := jsonschema.Parse([]byte(text))
	return err == nil && s.Types.String() == "an object"
}

// checkerFaults returns the faults that the checker reports for a value.
func checkerFaults(t *testing.T, text, value string) (told []string) {
	t.Helper()
	s, err := jsonschema.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, f := range checkValue(t, s, value) {
		told = append(told, f.Pointer+": "+f.String())
	}
	slices.Sort(told)
	return told
}

// errorFaults returns the faults in an error.
func errorFaults(t *testing.T, err error) (told []string) {
	t.Helper()
	var arguments *tool.ArgumentError
	var result *tool.OutputError
	var value *schema.Error
	var repaired *repair.Error
	var planned *plan.Error
	switch {
	case err == nil:
	case errors.As(err, &arguments):
		told = faultTexts(arguments.Faults)
	case errors.As(err, &repaired):
		told = faultTexts(repaired.Faults)
	case errors.As(err, &planned):
		told = faultTexts(planned.Faults)
	case errors.As(err, &value):
		for _, f := range value.Faults {
			told = append(told, f.Pointer+": "+f.Message)
		}
		if errors.As(err, &result) && len(told) == 1 { // the pointer is in the message
			told[0] = result.Pointer + told[0]
		}
	default:
		t.Errorf("%T: %v", err, err)
	}
	slices.Sort(told)
	return told
}

func faultTexts(faults []tool.Fault) (told []string) {
	for _, f := range faults {
		told = append(told, f.Pointer+": expected "+f.Expected+", found "+f.Found)
	}
	return told
}

// planFaults returns the faults that a plan reports for arguments.
func planFaults(t *testing.T, input, arguments string) (told []string) {
	t.Helper()
	p := plan.Plan{Goal: "g", Steps: []plan.Step{{ID: "s", Description: "d", Tool: "t", Arguments: json.RawMessage(arguments)}}}
	d := tool.Definition{Name: "t", Description: "a tool", Input: json.RawMessage(input)}
	_, _, err := plan.Compile(p, []tool.Definition{d}, 1)
	for _, text := range errorFaults(t, err) {
		told = append(told, strings.TrimPrefix(text, "/steps/0/arguments"))
	}
	return told
}

// callDynamic calls a dynamic tool with the given schemas and returns the error.
func callDynamic(t *testing.T, input, output, arguments, result string) error {
	t.Helper()
	d := tool.Definition{Name: "t", Description: "a tool", Input: json.RawMessage(input)}
	if output != "" {
		d.Output = json.RawMessage(output)
	}
	x, err := schema.Dynamic(d, func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(result), nil })
	if err != nil {
		t.Fatal(err)
	}
	r := tool.NewRegistry()
	r.Replace(x)
	return r.Call(t.Context(), tool.Request{Name: "t", Arguments: json.RawMessage(arguments)}).Err
}
