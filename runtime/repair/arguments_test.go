package repair_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
)

// object returns the schema of an object that requires a and b.
func objectOf(a, b string) string {
	return `{"type": "object", "properties": {"a": ` + a + `, "b": ` + b + `}, "required": ["a", "b"], "additionalProperties": false}`
}

// schemaWith returns the schema of an object with an optional value v.
func schemaWith(v string) string {
	return `{"type": "object", "properties": {"v": ` + v + `}, "additionalProperties": false}`
}

// schemaNeeding returns the schema of an object with a required value v.
func schemaNeeding(v string) string {
	return strings.TrimSuffix(schemaWith(v), "}") + `, "required": ["v"]}`
}

// TestArguments checks how arguments are read, with the kinds and pointers of the edits, or why they
// are refused.
func TestArguments(t *testing.T) {
	integer, number, text, boolean, list := `{"type": "integer"}`, `{"type": "number"}`, `{"type": "string"}`, `{"type": "boolean"}`, `{"type": "array", "items": {"type": "integer"}}`
	for _, test := range []struct{ schema, raw, want, edits string }{
		// Nothing to change: byte for byte.
		{schemaNeeding(integer), ` {"v" : 12345678901234567890 }`, ` {"v" : 12345678901234567890 }`, ``},
		{schemaNeeding(integer), `{"v": 1, "v": 2, "w": 3}`, `!/v: expected one reading, found the number 2, which may be 2 or 1`, ``},
		{schemaNeeding(`{}`), `{"v": {"a": 1, "a": 2}}`, `!/v/a: expected each key once, found the key "a" again`, ``},
		{schemaNeeding(`{}`), `{"v": [{"b": {"a": 1, "\u0061": 1}}]}`, `!/v/0/b/a: expected each key once, found the key "\u0061" again`, ``},
		{schemaNeeding(`{}`), `{"v": [1e99999]}`, `!/v/0: expected a number with a smaller exponent, found the number 1e99999`, ``},
		{schemaWith(integer), ``, `{}`, ``},
		{schemaWith(integer), " \n", `{}`, ``},

		// Malformed.
		{schemaNeeding(integer), `{v: '3',}`, `{"v":3}`, `quotes quotes type/v comma`},
		{schemaNeeding(text), "```json\n{\"v\": 3}\n```", `{"v":"3"}`, `text type/v text`},
		{schemaNeeding(text), `{"v": 03}`, `{"v":"03"}`, `quotes`},
		{schemaNeeding(text), `{"v": True}`, `{"v":"True"}`, `quotes`},
		{schemaNeeding(number), `{"v": 1,234.5}`, `{"v":1234.5}`, `number`},
		{schemaNeeding(text), `{"v": getenv("X")}`, `!a value was expected, not code that calls getenv`, ``},
		{schemaNeeding(integer), `{"v": NumberLong("3")}`, `{"v":3}`, `literal type/v`},
		{schemaWith(integer), `nothing`, `!there is no JSON value`, ``},

		// Numbers, truth and text.
		{schemaNeeding(integer), `{"v": "3"}`, `{"v":3}`, `type/v`},
		{schemaNeeding(integer), `{"v": " 3 "}`, `{"v":3}`, `type/v`},
		{schemaNeeding(integer), `{"v": "12,111"}`, `{"v":12111}`, `type/v`},
		{schemaNeeding(integer), `{"v": "1,2"}`, `!/v: expected an integer, found the string "1,2"`, ``},
		{schemaNeeding(integer), `{"v": "3.5"}`, `!/v: expected an integer`, ``},
		{schemaNeeding(integer), `{"v": 3.0}`, `{"v": 3.0}`, ``},
		{schemaNeeding(integer), `{"v": "3.0"}`, `{"v":3.0}`, `type/v`},
		{schemaNeeding(integer), `{"v": "9007199254740993"}`, `{"v":9007199254740993}`, `type/v`},
		{schemaNeeding(integer), `{"v": "three"}`, `!/v: expected an integer, found the string "three"`, ``},
		{schemaNeeding(integer), `{"v": true}`, `!/v: expected an integer, found the boolean true`, ``},
		{schemaNeeding(integer), `{"v": "5 km"}`, `!/v: expected an integer`, ``},
		{schemaNeeding(number), `{"v": "€ 1,234,567.89"}`, `{"v":1234567.89}`, `type/v`},
		{schemaNeeding(number), `{"v": ".5"}`, `{"v":0.5}`, `type/v`},
		{schemaNeeding(number), `{"v": "1.234,5"}`, `!/v: expected a number`, ``},
		{schemaNeeding(boolean), `{"v": "FALSE"}`, `{"v":false}`, `type/v`},
		{schemaNeeding(boolean), `{"v": 2}`, `!/v: expected a boolean (true or false), found the number 2`, ``},
		{schemaNeeding(text), `{"v": 1.50}`, `{"v":"1.50"}`, `type/v`},
		{schemaNeeding(text), `{"v": null}`, `!/v: expected a string, found null`, ``},
		{schemaNeeding(text), `{"v": [1, 2]}`, `!/v: expected a string, found an array`, ``},
		{schemaNeeding(`{"type": ["integer", "string"]}`), `{"v": true}`, `{"v":"true"}`, `type/v`},
		{schemaNeeding(`{"type": ["integer", "boolean"]}`), `{"v": "1"}`, `!/v: expected one reading, found the string "1", which may be 1 or true`, ``},

		// Lists and objects.
		{schemaNeeding(list), `{"v": 1}`, `{"v":[1]}`, `type/v`},
		{schemaNeeding(list), `{"v": "1"}`, `{"v":[1]}`, `type/v type/v/0`},
		{schemaNeeding(list), `{"v": "[1, \"2\"]"}`, `{"v":[1,2]}`, `type/v type/v/1`},
		{schemaNeeding(list), `{"v": "1, 2"}`, `!/v: expected an array`, ``},
		{schemaNeeding(list), `{"v": "[1, 2"}`, `{"v":[1,2]}`, `type/v`},
		{schemaNeeding(list), `{"v": [1, "x"]}`, `!/v/1: expected an integer, found the string "x"`, ``},
		{schemaNeeding(list), `{"v": {}}`, `!/v: expected an array, found an object`, ``},
		{schemaNeeding(integer), `{"v": [7]}`, `{"v":7}`, `type/v`},
		{schemaNeeding(integer), `{"v": ["7"]}`, `{"v":7}`, `type/v`},
		{schemaNeeding(integer), `{"v": [7, 8]}`, `!/v: expected an integer, found an array`, ``},
		{schemaNeeding(schemaWith(integer)), `{"v": "{'v': '3'}"}`, `{"v":{"v":3}}`, `type/v type/v/v`},
		{schemaNeeding(schemaWith(integer)), `{"v": "{\"v\": 3"}`, `{"v":{"v":3}}`, `type/v`},
		{schemaNeeding(schemaWith(text)), `{"v": "{\"v\": \"x"}`, `!/v: expected an object`, ``},
		{schemaNeeding(`{"type": "array", "items": ` + text + `}`), `{"v": ["a", 1, true]}`, `{"v":["a","1","true"]}`, `type/v/1 type/v/2`},

		// Names.
		{schemaNeeding(integer), `{"V": 1}`, `{"v":1}`, `name/V`},
		{`{"properties": {"user_id": {"type": "integer"}}, "required": ["user_id"]}`, `{"userId": "1"}`, `{"user_id":1}`, `name/userId type/userId`},
		{`{"properties": {"user_id": {"type": "integer"}}, "required": ["user_id"]}`, `{"userId": 1, "user_id": 2}`, `{"userId": 1, "user_id": 2}`, ``},
		{objectOf(integer, integer), `{"a": 1, "A": 2, "b": 3}`, `!/A: expected one reading, found the number 2, which may be 2 or 1, which a says`, ``},
		{objectOf(integer, integer), `{"a": 1, "A": 1, "b": 3}`, `{"a":1,"b":3}`, `unknown/A`},
		{objectOf(integer, integer), `{"A": 1, "a ": 2, "b": 3}`, `!/a : expected one reading`, ``},
		{objectOf(integer, integer), `{"a": 1, "b": 2, "c": {"d": 3}}`, `{"a":1,"b":2}`, `unknown/c`},
		{schemaWith(integer), `{"count": 1}`, `{}`, `unknown/count`},
		{`{"properties": {"limit": {"type": "integer"}}, "additionalProperties": false}`, `{"limt": 1}`, `!/limt: expected a name such as limit, found the name "limt"`, ``},
		{`{"properties": {"limit": {"type": "integer"}}, "additionalProperties": false}`, `{"limit": 1, "limt": 1}`, `{"limit":1}`, `unknown/limt`},
		{`{"additionalProperties": {"type": "integer"}}`, `{"x": "1", "y": 2}`, `{"x":1,"y":2}`, `type/x`},
		{`{"patternProperties": {"^n": {"type": "integer"}}, "additionalProperties": false}`, `{"n1": "1", "x": 2}`, `{"n1":1}`, `type/n1 unknown/x`},

		// Enums.
		{schemaNeeding(`{"enum": ["low", "high"]}`), `{"v": "LOW"}`, `{"v":"low"}`, `enum/v`},
		{schemaNeeding(`{"enum": ["very low", "high"]}`), `{"v": "very_low"}`, `{"v":"very low"}`, `enum/v`},
		{schemaNeeding(`{"enum": ["very low", "high"]}`), `{"v": "VeryLow"}`, `{"v":"very low"}`, `enum/v`},
		{schemaNeeding(`{"enum": ["C", "C++"]}`), `{"v": "c++"}`, `{"v":"C++"}`, `enum/v`},
		{schemaNeeding(`{"enum": ["C", "C++"]}`), `{"v": "c--"}`, `!/v: expected one of "C", "C++" (strings), found the string "c--"`, ``},
		{schemaNeeding(`{"enum": ["a-b", "a_b"]}`), `{"v": "a b"}`, `!/v: expected one reading, found the string "a b", which may be "a-b" or "a_b"`, ``},
		{schemaNeeding(`{"enum": ["a-b", "a_b"]}`), `{"v": "a_b"}`, `{"v": "a_b"}`, ``},
		{schemaNeeding(`{"enum": [1, 2]}`), `{"v": "2"}`, `{"v":2}`, `enum/v`},
		{schemaNeeding(`{"enum": ["1", 1]}`), `{"v": 1.0}`, `{"v": 1.0}`, ``},
		{schemaNeeding(`{"enum": ["low", "high"]}`), `{"v": "lo"}`, `!/v: expected one of "low", "high" (strings)`, ``},

		// Missing values.
		{schemaWith(integer), `{"v": null}`, `{}`, `absent/v`},
		{schemaWith(integer), `{"v": ""}`, `{}`, `absent/v`},
		{schemaWith(integer), `{"v": "null"}`, `{}`, `absent/v`},
		{schemaWith(text), `{"v": ""}`, `{"v": ""}`, ``},
		{schemaWith(text), `{"v": null}`, `{}`, `absent/v`},
		{schemaWith(text), `{"v": None}`, `{}`, `literal absent/v`},
		{schemaWith(text), `{"v": undefined}`, `{}`, `literal absent/v`},
		{schemaWith(text), `{"v": NaN}`, `{}`, `literal absent/v`},
		{schemaWith(text), `{"v": nil}`, `{}`, `literal absent/v`},
		{schemaWith(text), `{"v": "None"}`, `{"v": "None"}`, ``},
		{schemaNeeding(text), `{"v": None}`, `!/v: expected a string, found null`, ``},
		{schemaNeeding(`{"type": "array", "items": {"type": "string"}}`), `{"v": ["a", nil]}`, `!/v/1: expected a string, found null`, ``},
		{schemaWith(`{"type": ["integer", "null"]}`), `{"v": ""}`, `{"v":null}`, `type/v`},
		{schemaNeeding(`{"type": ["integer", "null"]}`), `{}`, `!/v: expected a value, found nothing`, ``},
		{schemaNeeding(`{"type": ["integer", "null"]}`), `{"w": 1}`, `!/v: expected a value, found nothing`, ``},
		{schemaNeeding(`{"type": ["integer", "null"]}`), `{"v": null}`, `{"v": null}`, ``},
		{schemaNeeding(`{"type": "null"}`), `{}`, `!/v: expected a value, found nothing`, ``},
		{schemaNeeding(`{"anyOf": [{"type": "integer"}, {"type": "null"}]}`), `{}`, `!/v: expected a value, found nothing`, ``},
		{schemaNeeding(integer), `{}`, `!/v: expected a value, found nothing`, ``},
		{schemaWith(integer), `null`, `{}`, `absent`},
		{schemaWith(integer), `""`, `{}`, `absent`},
		{schemaNeeding(integer), `null`, `!/v: expected a value`, ``},

		// Text around values.
		{schemaNeeding(integer), `{"arguments": {"v": 1}}`, `{"v":1}`, `wrapper`},
		{schemaNeeding(integer), `{"name": "f", "arguments": "{\"v\": \"1\"}"}`, `{"v":1}`, `wrapper type/v`},
		{schemaNeeding(integer), `{"arguments": {"v": 1}, "x": 2}`, `!arguments: expected one reading, found an object, which may be {"v":1} or the members next to it`, ``},
		{schemaNeeding(integer), `{"arguments": {"v": 1}, "v": 2}`, `!arguments: expected one reading`, ``},
		{schemaWith(integer), `{"v": 2, "args": "{\"v\": 1}"}`, `!arguments: expected one reading`, ``},
		{schemaWith(integer), `{"arguments": {"v": 1}, "input": {"v": 2}}`, `!arguments: expected one reading`, ``},
		{schemaNeeding(integer), `{"arguments": {"x": 1}, "v": 2}`, `{"v":2}`, `unknown/arguments`},
		{schemaWith(integer), `{"type": "object", "properties": {"v": 3}}`, `{"v":3}`, `wrapper`},
		{schemaNeeding(integer), `[{"v": 1}]`, `{"v":1}`, `type`},
		{schemaNeeding(integer), `"{\"v\": 1}"`, `{"v":1}`, `type`},
		{`{"properties": {"input": {"type": "object"}}, "additionalProperties": false}`, `{"input": {"a": 1}}`, `{"input": {"a": 1}}`, ``},

		// A value outside of the bounds is not moved to them.
		{schemaNeeding(`{"type": "integer", "maximum": 9}`), `{"v": "50"}`, `!/v: expected an integer of at most 9, found the number 50`, ``},
		{schemaNeeding(`{"type": "string", "maxLength": 2}`), `{"v": "abc"}`, `!/v: expected at most 2 characters, found the string "abc"`, ``},
		{schemaNeeding(`{"type": "string", "pattern": "^a$"}`), `{"v": 1}`, `!/v: expected a string that matches ^a$, found the string "1"`, ``},
		{schemaNeeding(`{"type": "string", "format": "date-time"}`), `{"v": "2024-05-01 10:00"}`, `!/v: expected a date and time such as 2006-01-02T15:04:05Z`, ``},
		{schemaNeeding(`{"type": "array", "items": {"type": "integer"}, "uniqueItems": true}`), `{"v": ["1", 1]}`, `!/v/1: expected each element once`, ``},

		// Alternatives.
		{schemaNeeding(`{"anyOf": [{"type": "integer"}, {"type": "null"}]}`), `{"v": "7"}`, `{"v":7}`, `type/v`},
		{schemaNeeding(`{"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}`), `{"v": "7"}`, `!/v: expected one reading, found the string "7", which may be 7 or [7]`, ``},
		{schemaNeeding(`{"oneOf": [{"properties": {"k": {"const": "a"}, "n": {"type": "integer"}}, "required": ["k"]}, {"properties": {"k": {"const": "b"}, "n": {"type": "string"}}, "required": ["k"]}]}`),
			`{"v": {"k": "B", "n": 1}}`, `{"v":{"k":"b","n":"1"}}`, `enum/v/k type/v/n`},
		{schemaNeeding(`{"$ref": "#/$defs/x"}`)[:len(schemaNeeding(`{"$ref": "#/$defs/x"}`))-1] + `, "$defs": {"x": {"type": "integer"}}}`, `{"v": "7"}`, `{"v":7}`, `type/v`},
		{schemaNeeding(`{"allOf": [{"type": "integer"}, {"minimum": 3}]}`), `{"v": "7"}`, `{"v":7}`, `type/v`},
		{schemaNeeding(`{"anyOf": [{"enum": ["ON", "On"]}, {"type": "null"}]}`), `{"v": "on"}`, `!/v: expected one reading, found the string "on", which may be "ON" or "On"`, ``},

		// Several values.
		{schemaNeeding(integer), `I take {"v": 1} and not {"w": 2}`, `{"v": 1}`, `text text`},
		{schemaNeeding(integer), `{"v": 1} or {"v": 2}`, `!there are two values that fit the schema: {"v":1} and {"v":2}`, ``},
		{schemaNeeding(integer), `{"v": 1}, {"v": 1}`, `{"v": 1}`, `text`},

		// Without a schema.
		{``, `{"a": 1}`, `{"a": 1}`, ``},
		{``, `[1]`, `!arguments: expected an object, found an array`, ``},
		{``, `null`, `{}`, `absent`},
	} {
		got, err := repair.Arguments(test.raw, json.RawMessage(test.schema))
		if message, refused := strings.CutPrefix(test.want, "!"); refused {
			if err == nil || !strings.Contains(err.Error(), message) {
				t.Errorf("%s: %s: %s, %v\nwant %s", test.schema, test.raw, got.Value, err, message)
			}
			continue
		}
		if err != nil || string(got.Value) != test.want || kinds(got.Edits) != test.edits {
			t.Errorf("%s: %s: %s, %s, %v\nwant %s, %s", test.schema, test.raw, got.Value, kinds(got.Edits), err, test.want, test.edits)
		}
	}
}

func kinds(edits []tool.Edit) string {
	words := make([]string, len(edits))
	for i, e := range edits {
		words[i] = e.Kind + e.Pointer
	}
	return strings.Join(words, " ")
}

// TestArgumentsEdits checks the positions, old texts and new texts of edits.
func TestArgumentsEdits(t *testing.T) {
	schema := objectOf(`{"type": "array", "items": {"type": "integer"}}`, `{"enum": ["on", "off"]}`)
	for _, test := range []struct{ raw, edits string }{
		{`{"A" : [1, "2" ], "b": 'ON'}`, `name/A@1 "A" -> "a"; type/A/1@11 "2" -> 2; quotes@23 'ON' -> "ON"; enum/b@23 'ON' -> "on"`},
		{`{A : "7", "b" : "On", "c": {"x" : 1}}`, `quotes@1 A  -> "A"; name/A@1 A -> "a"; type/A@5 "7" -> ["7"]; type/A/0@5 "7" -> 7; enum/b@16 "On" -> "on"; unknown/c@27 {"x" : 1} -> `},
		{`{"args" : "{\"a\": \"[1, '2']\", \"b\": \"on\"}"}`, `wrapper@0 {"args" : "{\"a\": \"[1, '2']\", \"b\": \"on\"}"} -> {"a":"[1, '2']","b":"on"}; ` +
			`type/a@10 "{\"a\": \"[1, '2']\", \"b\": \"on\"}" -> [1,"2"]; type/a/1@10 "{\"a\": \"[1, '2']\", \"b\": \"on\"}" -> 2`},
		{`  {"a": [ ["1"] ], "b": " OFF"}`, `type/a/0@10 ["1"] -> 1; enum/b@24 " OFF" -> "off"`},
		{`({"a": ("1",), "b": "ON"})`, `bracket@0 ( -> ; bracket@7 ( -> [; type/a/0@8 "1" -> 1; enum/b@20 "ON" -> "on"`},
	} {
		got, err := repair.Arguments(test.raw, json.RawMessage(schema))
		var edits []string
		for _, e := range got.Edits {
			if !strings.HasPrefix(test.raw[e.Offset:], e.Before) {
				t.Errorf("%s: at %d is no %s", test.raw, e.Offset, e.Before)
			}
			edits = append(edits, fmt.Sprintf("%s%s@%d %s -> %s", e.Kind, e.Pointer, e.Offset, e.Before, e.After))
		}
		if all := strings.Join(edits, "; "); err != nil || all != test.edits {
			t.Errorf("%s: %s, %v\nwant %s", test.raw, all, err, test.edits)
		}
	}
}

// TestArgumentsCut checks that truncated arguments are marked or refused.
func TestArgumentsCut(t *testing.T) {
	got, err := repair.Arguments(`{"v": "3`, json.RawMessage(schemaNeeding(`{"type": "integer"}`)))
	if err != nil || !got.Truncated || string(got.Value) != `{"v":3}` {
		t.Errorf("%s %v %v", got.Value, got.Truncated, err)
	}
}

// TestTolerant calls a tool through a registry that repairs arguments.
func TestTolerant(t *testing.T) {
	definition := tool.Definition{Name: "get_weather", Input: weather.Input}
	type args struct {
		city string
		days int
	}
	ran := ""
	get := tool.NewTypedTool(&definition, func(v wire.Value) args {
		o := v.Object()
		defer o.Done()
		return args{city: o.Str("city"), days: wire.ReadOr(o.Opt("days"), wire.Value.Int, 1)}
	}, func(_ context.Context, a args) (float64, error) {
		ran = fmt.Sprint(a.city, " ", a.days)
		return 0, nil
	}, (*wire.Encoder).Float64)
	r := tool.NewRegistry(tool.Tolerant(repair.Arguments))
	if err := r.Register(get.Tool); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ arguments, ran, arrived, edits, code string }{
		{`{"city": "Oslo", "days": 2}`, "Oslo 2", `{"city": "Oslo", "days": 2}`, ``, ``},
		{`{"City": "Oslo", "days": "2"}`, "Oslo 2", `{"city":"Oslo","days":2}`, `name/City type/days`, ``},
		{`{'city': 'Oslo', 'days': 2,}`, "Oslo 2", `{"city":"Oslo","days":2}`, `quotes quotes quotes comma`, ``},
		{`{city: "Oslo"}}`, "Oslo 1", `{"city":"Oslo"}`, `quotes text`, ``},
		{`{"city": "Oslo", "days": 2`, "", `{"city": "Oslo", "days": 2`, ``, `invalid_arguments`},
		{`{"city": "Oslo", "days": }`, "", `{"city": "Oslo", "days": }`, ``, `invalid_arguments`},
		{`{"city": "Oslo", "days": "two"}`, "", `{"city": "Oslo", "days": "two"}`, ``, `invalid_arguments`},
	} {
		ran = ""
		c := r.Call(t.Context(), tool.Request{Name: "get_weather", Arguments: json.RawMessage(test.arguments)})
		if ran != test.ran || string(c.Arguments) != test.arrived || kinds(c.Repairs) != test.edits || tool.Code(c.Err) != test.code {
			t.Errorf("%s: ran %q with %s, %v, %v", test.arguments, ran, c.Arguments, c.Repairs, c.Err)
		}
	}
	c := r.Call(t.Context(), tool.Request{Name: "get_weather", Arguments: json.RawMessage(`{"city": "Oslo", "days": 2`)})
	var cut *tool.TruncatedError
	if !errors.As(c.Err, &cut) {
		t.Errorf("cut off: %v", c.Err)
	}
}
