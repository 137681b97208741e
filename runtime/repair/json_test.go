package repair_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestJSON checks how texts are read, with the kinds and positions of the edits.
func TestJSON(t *testing.T) {
	for _, test := range []struct{ text, want, edits string }{
		// Valid: nothing changes.
		{` {"a" : 1.0, "a": 1E400} `, ` {"a" : 1.0, "a": 1E400} `, ``},
		{`"\ud800"`, `"\ud800"`, ``},
		{`[{"a":"}"},"b"]`, `[{"a":"}"},"b"]`, ``},
		{`{"a":"{",":":1}`, `{"a":"{",":":1}`, ``},
		{`"{\"a\": 1}"`, `"{\"a\": 1}"`, ``},

		{`{"a":"</think>[1]"}`, `{"a":"</think>[1]"}`, ``},

		// Text around the value, which itself stays unchanged if it is valid.
		{"```json\n[1]\n```", `[1]`, `text@0 text@12`},
		{"x {\"a\": 1} y", `{"a": 1}`, `text@0 text@11`},
		{"<think>{\"b\": 2}</think>{\"a\": 1}", `{"a": 1}`, `text@0`},
		{"{\"b\": 2}</think>{\"a\": 1}", `{"a": 1}`, `text@0`},
		{`{'a': '</think>'}</think>{"b": "</think>"}`, `{"b": "</think>"}`, `text@0`},
		{"[1] and [2] say {\"a\": 1}", `{"a": 1}`, `text@0`},
		{"Result:\n[1, 2]", `[1, 2]`, `text@0`},
		{"```js\nx = {\"b\": 1}\n```\n```json\n{\"a\": 1}\n```", `{"a": 1}`, `text@0 text@40`},
		{"{\"a\": 1}\n{\"a\": 2}", `[{"a":1},{"a":2}]`, `list@0`},
		{"{\"a\": 1}, {\"a\": 2}", `[{"a":1},{"a":2}]`, `list@0 text@8`},

		{`"a", "b\n" , ""`, `["a","b\n",""]`, `list@0 text@3 text@11`},
		{"```\n\"a\",\n\"b\"\n```", `["a","b"]`, `text@0 list@4 text@7 text@13`},
		{`"Hi," she said. "Bye."`, `"Hi,\" she said. \"Bye."`, `quotes@0`},

		// Punctuation.
		{`{"a": 1,, "b": 2,}`, `{"a":1,"b":2}`, `comma@8 comma@16`},
		{`{"a": 1 "b": 2}`, `{"a":1,"b":2}`, `comma@8`},
		{`{"a" 1, "b"=2, "c"=>3}`, `{"a":1,"b":2,"c":3}`, `colon@5 colon@11 colon@18`},
		{`{"a":: "x", "b" : : [1], "c":::{}}`, `{"a":"x","b":[1],"c":{}}`, `colon@5 colon@18 colon@29`},
		{`{"a": ::1, "b"::c}`, `{"a":"::1","b":":c"}`, `quotes@6 quotes@15`},
		{`[1 2; 3]`, `[1,2,3]`, `comma@3 comma@4`},
		{`{"a": [1, 2}`, `{"a":[1,2]}`, `bracket@11`},
		{`{"a": [1, 2}, "b": 3}`, `{"a":[1,2],"b":3}`, `bracket@11`},
		{`{"a": {"b": 1}}, "c": 2}`, `{"a":{"b":1},"c":2}`, `bracket@14`},
		{`[1, 2}`, `[1,2]`, `bracket@5`},
		{`[1}, 2]`, `[1,2]`, `bracket@2`},
		{`{"a": 1]`, `{"a":1}`, `bracket@7`},
		{`[{"a": 1, {"a": 2}]`, `[{"a":1},{"a":2}]`, `bracket@8`},
		{`{"l": [1, 2, "b": 3}`, `{"l":[1,2],"b":3}`, `bracket@11`},
		{`["a": 1, "b": 2]`, `[{"a":1,"b":2}]`, `bracket@1 bracket@15`},
		{`{{"a": 1}}`, `{"a":1}`, `bracket@1 bracket@9`},
		{`"a": 1}`, `{"a":1}`, `bracket@0`},

		// Comments and blanks.
		{"[1, // one\n2 /* two */, # three\n3]", `[1,2,3]`, `comment@4 comment@13 comment@24`},
		{"{\"a\": 1 // one}", `{"a":1}`, `comment@8`},
		{"[\u00a01\u3000]", `[1]`, `space@1 space@4`},
		{"[1, ..., 3]", `[1,3]…`, `ellipsis@4`},
		{`{"a": 1, ... "b": 2}`, `{"a":1,"b":2}…`, `ellipsis@9`},
		{"{\u202e\"a\": 1}", `{"a":1}`, `text@1`},

		// Quotes.
		{`{'a': “b”, ‘c’: «d»}`, `{"a":"b","c":"d"}`, `quotes@1 quotes@6 quotes@15 quotes@24`},
		{"{`a`: '''b'c'''}", `{"a":"b'c"}`, `quotes@1 quotes@6`},
		{`{a: b c, "d": e}`, `{"a":"b c","d":"e"}`, `quotes@1 quotes@4 quotes@14`},
		{`{"a": "b "c" d"}`, `{"a":"b \"c\" d"}`, `quotes@6`},
		{`{"a": "b, "c": "d"}`, `{"a":"b","c":"d"}`, `quotes@6`},
		{`{"a": b", c": "d"}`, `{"a":"b","c":"d"}`, `quotes@6 quotes@10`},
		{`{"a: "b", "c: 1}`, `{"a":"b","c":1}`, `quotes@1 quotes@10`},
		{`["a, "b"]`, `["a","b"]`, `quotes@1`},
		{`["C:\temp\data", "C:\new", "\temp\data"]`, `["C:\\temp\\data","C:\new","\temp\\data"]`, `escape@1 escape@27`},
		{"[\"a\xffb\", \"\xc3\xa9\", \xfe]", "[\"a\ufffdb\",\"é\",\"\ufffd\"]", `escape@1 quotes@14`},
		{`{""a"": ""b""}`, `{"a":"b"}`, `quotes@1 quotes@8`},
		{`{"a": "{"b": "c"}"}`, `{"a":"{\"b\": \"c\"}"}`, `quotes@6`},
		{`{"a": "x = {"k": "v"}", "b": 1}`, `{"a":"x = {\"k\": \"v\"}","b":1}`, `quotes@6`},
		{`{"a": "l = ["k", "v"]", "b": 1}`, `{"a":"l = [\"k\", \"v\"]","b":1}`, `quotes@6`},
		{"{\"a\": \"x {\"k\": \"v\"}\ny\"}", `{"a":"x {\"k\": \"v\"}\ny"}`, `quotes@6`},
		{`{"o": {"a": "12" x"}, "b": "c"} and "so on"`, `{"o":{"a":"12\" x"},"b":"c"}`, `quotes@12 text@32`},
		{`{"a": "b { c: "d"; }", "e": 1}`, `{"a":"b { c: \"d\"; }","e":1}`, `quotes@6`},
		{`{"a": "m["k"] = "v";", "b": 1}`, `{"a":"m[\"k\"] = \"v\";","b":1}`, `quotes@6`},
		{`{"a": "echo "b", "c"", "d": 1}`, `{"a":"echo \"b\", \"c\"","d":1}`, `quotes@6`},
		{`{"a": ""Hi," she said. "Bye."", "b": 1}`, `{"a":"\"Hi,\" she said. \"Bye.\"","b":1}`, `quotes@6`},
		{`{"a": #ff0000, "b": 1}`, `{"a":"#ff0000","b":1}`, `quotes@6`},
		{`{"a": "k: "v", l: "w"", "b": 1}`, `{"a":"k: \"v\", l: \"w\"","b":1}`, `quotes@6`},
		{`{"a": "b”, "c": "“d”"}`, `{"a":"b","c":"“d”"}`, `quotes@6`},
		{`{"a": fun { return 1; }, "b": 2}`, `{"a":"fun { return 1; }","b":2}`, `quotes@6`},
		{`{"a": 'it's', "b": "it's"}`, `{"a":"it's","b":"it's"}`, `quotes@6`},
		{`"a" + 'b'`, `"ab"`, `literal@0 quotes@6`},

		// Escapes.
		{"{\"a\": \"b\nc\"}", `{"a":"b\nc"}`, `escape@6`},
		{`{"a": "\d\x41\'\u12"}`, `{"a":"\\d\u0041'\\u12"}`, `escape@6`},
		{`{\"a\": \"b\\n\"}`, `{"a":"b\n"}`, `escape@0`},
		{`{"a": \"b c\", "d": [\"e\", "f"]}`, `{"a":"b c","d":["e","f"]}`, `escape@6 escape@21`},
		{"{\"a\": {\"b\": \"c\"}\x00 , \"t\": 1}}", `{"a":{"b":"c\"}\u0000 ","t":1}}`, `quotes@12`},
		{"['a\u2028\\x41\xff']", `["a\u2028\u0041�"]`, `quotes@1`},
		{`{"a": r'\d', 'b': b'c'}`, `{"a":"\\d","b":"c"}`, `quotes@6 quotes@13 quotes@18`},

		// Literals and numbers.
		{`[True, False, None, undefined, NaN, -Infinity]`, `[true,false,null,null,null,null]`,
			`literal@1 literal@7 literal@14 literal@20 literal@31 literal@36`},
		{`[.5, 5., +5, 1_000, 0x1F, 02134]`, `[0.5,5.0,5,1000,31,"02134"]`, `number@1 number@5 number@9 number@13 number@20 quotes@26`},
		{`[0xFFFFFFFFFFFFFFFF, 0x52908400098527886E0F7030069857D2E4169EE7]`, `[18446744073709551615,"0x52908400098527886E0F7030069857D2E4169EE7"]`, `number@1 quotes@21`},
		{`{a: ., b: -., c: -}`, `{"a":".","b":"-.","c":"-"}`, `quotes@1 quotes@4 quotes@7 quotes@10 quotes@14 quotes@17`},
		{`{"a": 1,234, "b": 70kg}`, `{"a":"1,234","b":"70kg"}`, `quotes@6 quotes@18`},
		{`{"a": (1, 2), "b": {1, 2}, "c": (3)}`, `{"a":[1,2],"b":[1,2],"c":3}`, `bracket@6 bracket@19 bracket@32`},
		{`{"a": ObjectId("b"), "c": new Date(5), "d": set([1])}`, `{"a":"b","c":5,"d":[1]}`, `literal@6 literal@26 literal@44`},
		{`{"a": bson.ObjectId('b'), "c": Decimal("1.5"), "d": frozenset({1, 2}), "e": set()}`, `{"a":"b","c":"1.5","d":[1,2],"e":[]}`,
			`literal@6 literal@31 literal@52 bracket@62 literal@76`},
		{`{"a": ObjectId("b`, `{"a":"b"}…`, `literal@6 cut@17`},
		{`{"a": set([1`, `{"a":[1]}…`, `literal@6 cut@12 cut@12`},
		{`{"a": "{"b": f(x)}"}`, `{"a":"{\"b\": f(x)}"}`, `quotes@6`},
		{`Call [f(x)] to get {"a": 1}`, `{"a": 1}`, `text@0`},
		{`{"a": f"b", "c": "d" + r'\e'}`, `{"a":"b","c":"d\\e"}`, `quotes@6 literal@17 quotes@23`},
		{`{"a": the meeting(s) [now], "b": c}`, `{"a":"the meeting(s) [now]","b":"c"}`, `quotes@6 quotes@33`},
		{`{"a": 東京(Tokyo), "b": 3(a)}`, `{"a":"東京(Tokyo)","b":"3(a)"}`, `quotes@6 quotes@26`},
		{`{"a": date(2024, 5, 1)}`, `{"a":"date(2024, 5, 1)"}`, `quotes@6`},

		// Cut off.
		{`{"a": [1, "b`, `{"a":[1,"b"]}…`, `quotes@10 cut@12 cut@12`},
		{`{"a": tr`, `{"a":true}…`, `literal@6 cut@8`},
		{`{"a": 1, "b`, `{"a":1}…`, `quotes@9 cut@11`},
		{`{"a": 1, "b": -`, `{"a":1}…`, `cut@15`},
		{`{"a": "b}`, `{"a":"b"}…`, `quotes@6`},
		{"```\n{\"a\": 1\n```", `{"a":1}`, `text@0 bracket@12 text@12`},
	} {
		got, err := repair.JSON(test.text, nil)
		value := string(got.Value)
		if got.Truncated {
			value += "…"
		}
		if err != nil || value != test.want || places(got.Edits) != test.edits {
			t.Errorf("%s\n got %s, %s, %v\nwant %s, %s", test.text, value, places(got.Edits), err, test.want, test.edits)
		}
	}
}

func places(edits []tool.Edit) string {
	words := make([]string, len(edits))
	for i, e := range edits {
		words[i] = e.Kind + "@" + strconv.Itoa(e.Offset)
	}
	return strings.Join(words, " ")
}

// TestJSONSchema checks ambiguous texts for which the schema decides.
func TestJSONSchema(t *testing.T) {
	for _, test := range []struct{ schema, text, want string }{
		{`{"properties": {"a": {"type": "string"}}}`, `{a: 12, b: 12}`, `{"a":12,"b":12}`}, // a valid number
		{`{"properties": {"a": {"type": "string"}}}`, `{a: 1_2, b: 1_2}`, `{"a":"1_2","b":12}`},
		{`{"properties": {"a": {"type": "string"}}}`, `{a: True, b: True}`, `{"a":"True","b":true}`},
		{`{"properties": {"a": {"type": "string"}}}`, `{a: None, b: None}`, `{"a":null,"b":null}`},
		{`{"properties": {"a": {"type": "number"}}}`, `{a: 1,200, b: 1,200}`, `{"a":1200,"b":"1,200"}`},
		{`{"properties": {"a": {"type": "number"}}}`, `{a: $5, b: $5}`, `{"a":5,"b":"$5"}`},
		{`{"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"anyOf": [{"type": "number"}, {"type": "null"}]}}}`, `{a: $5}`, `{"a":5}`},
		{`{"properties": {"a": {"items": {"type": "string"}}}}`, `{a: [1_2]}`, `{"a":["1_2"]}`},
		{`{"type": "array"}`, `{"a", "b"}`, `["a","b"]`},
		{`{"type": "array"}`, `{"a": 1} {"a": 2}`, `[{"a":1},{"a":2}]`},
		{`{"type": "array", "items": {"type": "integer"}}`, `{"a": 1} [2]`, `[2]`},
		{`{"required": ["a"], "type": "object"}`, `{"b": 1} {"a": 2} [3]`, `{"a": 2}`},
		{`{"required": ["user_id"], "properties": {"user_id": {"type": "integer"}}, "type": "object"}`, `{"b": 1} {"userId": 2}`, `{"userId": 2}`}, // spelled differently
		{`{"type": "boolean"}`, `{"b": 1} {"a": 2}`, `[{"b":1},{"a":2}]`},
		{`{"type": "string"}`, `{"a": 1}`, `{"a": 1}`}, // valid values are not changed
	} {
		got, err := repair.JSON(test.text, json.RawMessage(test.schema))
		if err != nil || string(got.Value) != test.want {
			t.Errorf("%s: %s: %s, %v", test.schema, test.text, got.Value, err)
		}
	}
}

// TestJSONErrors checks texts without a value, or with an ambiguous one.
func TestJSONErrors(t *testing.T) {
	object := `{"type": "object", "required": ["a"]}`
	for _, test := range []struct{ schema, text, code, message string }{
		{``, ``, "no_value", "1:1: there is no JSON value in the text"},
		{``, " \n", "no_value", "2:1: there is"},
		{``, "I cannot help with that.", "no_value", ""},
		{``, "Use {name} and [x] here, as in [1].", "no_value", ""},
		{``, "[citation needed]", "no_value", ""},
		{``, `"It is so," he said.`, "no_value", ""},
		{``, "```json\n```", "no_value", ""},
		{``, "```sh\nls -la\n```", "no_value", ""},
		{``, "<think>{\"a\": 1}", "no_value", ""},
		{``, "a: 1\nb: 2", "no_value", ""},
		{``, "{\"é\": 1, : 2}", "unreadable", "1:10: a member of an object is missing its name"},
		{``, "{\"a\": 1,\n [2]}", "unreadable", "2:2: a member was expected, not a list or an object"},
		{``, `{"a": getenv("B")}`, "unreadable", "1:7: a value was expected, not code that calls getenv"},
		{``, `{"a": max(1)}`, "unreadable", ""},
		{``, `{"a": [len([1])]}`, "unreadable", ""},
		{``, `{"a": not("x")}`, "unreadable", ""},
		{``, `{"a": new Account("x")}`, "unreadable", ""},
		{``, `{"a": function() { return 1; }}`, "unreadable", ""},
		{``, `{"a": dict(b=1)}`, "unreadable", ""},
		{``, `{"a": list("abc")}`, "unreadable", ""},
		{``, `{"a": set([1]).pop()}`, "unreadable", ""},
		{``, `{"a": set([1], 2)}`, "unreadable", ""},
		{``, `{"a": user.set([1])}`, "unreadable", ""},
		{``, `{"a": Decimal("5") * 2}`, "unreadable", ""},
		{``, `{"a": ObjectId(getenv("B"))}`, "unreadable", ""},
		{``, `{"a": date(2024, 5, 1).year}`, "unreadable", ""},
		{``, `{"a": f"{b}"}`, "unreadable", "1:7: a value was expected, not code that completes a string"},
		{``, `{"a": "b" + f"{c}"}`, "unreadable", "1:13: a value was expected, not code that completes a string"},
		{``, `{"a": os.environ["B"]}`, "unreadable", "1:7: a value was expected, not code with a string in it"},
		{``, `{"a": await getenv("B")}`, "unreadable", ""},
		{``, `{"a": [c for c in d('e')]}`, "unreadable", ""},
		{object, `{"a": 1} {"a": 2}`, "ambiguous", `1:10: there are two values that fit the schema: {"a":1} and {"a":2}`},
		{`{"type": 1}`, `{}`, "schema", "the schema cannot be used"},
	} {
		got, err := repair.JSON(test.text, json.RawMessage(test.schema))
		var e *repair.Error
		if !errors.As(err, &e) || e.Code() != test.code || !strings.HasPrefix(e.Error(), test.message) || e.Retryable() || got.Value != nil {
			t.Errorf("%q: %s, %v", test.text, got.Value, err)
		}
	}
}

// TestPosition checks positions at line ends and beyond the end of the text.
func TestPosition(t *testing.T) {
	text := "é\nab\n"
	for offset, want := range map[int][2]int{-1: {1, 1}, 0: {1, 1}, 2: {1, 2}, 3: {2, 1}, 5: {2, 3}, 6: {3, 1}, 99: {3, 1}} {
		if line, column := repair.Position(text, offset); line != want[0] || column != want[1] {
			t.Errorf("%d: %d:%d", offset, line, column)
		}
	}
}
