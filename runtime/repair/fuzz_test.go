package repair

import (
	"encoding/json"
	"regexp"
	"runtime/metrics"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair/internal/fit"
	"github.com/aiongen/aiongen/runtime/repair/internal/reader"
	"github.com/aiongen/aiongen/runtime/tool"
)

var seeds = []string{
	``, `{"a": [1, 2}`, `{'a': “x”, b: True, /* c */ "d": "e "f" g",}`, "```json\n{\"a\": 1\n```", `{"a": "{"b": 1}"}`,
	`{\"a\": \"x\\n\"}`, `[1 2 0x1F .5 ...]`, `{"a":"{",":":1}`, `<think>{"a": 1}</think> [{"b": nul`, `{"k": r'\d', t: (1,), s: {1, 2}}`,
	`["a, "b"]`, `""`, `"\ud800"`, `{"a": ObjectId("x"), "b": """y"""}`,
	`<tool_call>{"name": "f", "arguments": "{\"x\": 1"}</tool_call>`, `[f(a=1, b="x"), g()]`, "Action: f\nAction Input: x\nObservation: y",
	`<function=f><parameter=a>1</parameter></function>`, `<invoke name="f"><parameter name="a">x</parameter></invoke>`,
	"✿FUNCTION✿: f\n✿ARGS✿: {}", `<｜tool▁call▁begin｜>function<｜tool▁sep｜>f{}`, `<tool_call>f<arg_key>a</arg_key><arg_value>1</arg_value>`,
	`<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}`, `to=functions.f<|message|>{"a":1}<|call|>`, `call:f{a:<escape>b<escape>}`,
	`{"name": "f", "arguments": {"x": "say "hi" <tool_call>g</tool_call>"}, "args": {}}`, "```\nf(a=f\"{x}\") # y\n```\n> g()", `"<function=f>x</function>" <!-- f() --> <tool_c`,
	`{"a": "m["k"] = "v";", "b": "<a b="c">"d"</a>", "c": ""e", f."", "d": \"g\", e: #f00}`,
	`{"a": "x = {"k": ["v"]}", "b": "c”, ... d: .}`,
	`{"method": "tools/call", "params": {"name": "f", "arguments": {"s": }}}`, `[{"do": "f", "with": {"s": "x"}}, {"func": "f", "args": "{\"s\":}"}]`,
	`{"function": "f", "arguments": [1]} {"arguments": {}, "call": {"name": "f"}, "tool": {"name": "g"}}`, "```\n{a b}\n```{\"u\": , \"l\"",
	`{"tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}`, `{"s": "5", "N": "7", "E": " ON ", "l": "[1]", "o": {"k": null}, "z": 1}`,
}

// bounded calls read and checks that its allocations are within the limit for the length of the text.
// Allocations of the whole process are counted, so it may have to try again.
func bounded(t *testing.T, text string, read func()) {
	t.Helper()
	var size uint64
	for range 3 {
		before := allocated()
		read()
		if size = allocated() - before; size <= uint64(maxBytes*len(text)+1<<20) {
			return
		}
	}
	t.Fatalf("%q: %d bytes of memory", text, size)
}

// allocated returns the number of bytes allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// checkEdits checks that edits are in the order of the text and have the correct old texts.
func checkEdits(t *testing.T, text string, edits []tool.Edit) {
	t.Helper()
	at := 0
	for _, e := range edits {
		if e.Offset < at || e.Offset > len(text) || e.Kind == "" || !strings.HasPrefix(text[e.Offset:], strings.TrimSuffix(e.Before, "…")) {
			t.Fatalf("%q: %v", text, edits)
		}
		at = e.Offset
	}
}

// FuzzJSON checks that valid JSON has no edits and is returned unchanged, that any other result is
// valid JSON with edits, and that steps and memory are within the limits for the length of the text.
func FuzzJSON(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed, "")
	}
	for _, h := range hostile {
		f.Add(h.text(1<<10), "")
	}
	f.Add(`{s: 1_000, l: {a, b}, n: $5} {"s": 1}`, fuzzedSchemas[0])
	f.Fuzz(func(t *testing.T, text, schema string) {
		if _, bad := reader.ParseSchema(json.RawMessage(schema)); bad != nil {
			schema = ""
		}
		var got tool.RepairedArguments
		var err error
		bounded(t, text+schema, func() { got, err = JSON(text, json.RawMessage(schema)) })
		if json.Valid([]byte(text)) && utf8.ValidString(text) {
			if err != nil || string(got.Value) != text || len(got.Edits) > 0 || got.Truncated {
				t.Fatalf("%q is valid: %s, %v, %v, %v", text, got.Value, got.Edits, got.Truncated, err)
			}
			return
		}
		finder := fit.NewFinder(text, 0, nil)
		finder.Find()
		if most := maxSteps*len(text) + 1000; finder.Steps > most {
			t.Fatalf("%q: %d steps", text, finder.Steps)
		}
		if err != nil {
			return
		}
		if len(got.Edits) == 0 || !json.Valid(got.Value) || !utf8.Valid(got.Value) {
			t.Fatalf("%q: %s has %d edits", text, got.Value, len(got.Edits))
		}
		checkEdits(t, text, got.Edits)
	})
}

// FuzzRequests checks that calls have names and JSON arguments, and that there are calls or an error.
func FuzzRequests(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	for _, h := range hostile {
		f.Add(h.text(1 << 10))
	}
	definition := tool.Definition{Name: "f", Input: json.RawMessage(fuzzedSchemas[0])}
	f.Fuzz(func(t *testing.T, text string) {
		for _, definitions := range [][]tool.Definition{nil, {definition}} {
			var got []tool.Request
			var err error
			bounded(t, text, func() { got, err = Requests(text, definitions...) })
			if len(got) == 0 && err == nil || err == ErrNoCall && len(got) > 0 {
				t.Fatalf("%q: %d calls, %v", text, len(got), err)
			}
			for _, r := range got {
				named := len(r.Name) <= 256 && strings.ContainsFunc(r.Name, unicode.IsLetter) && !strings.ContainsAny(r.Name, " \t\r\n\"'`<>{}()[],;=")
				if !named || len(r.Arguments) > 0 && !json.Valid(r.Arguments) {
					t.Fatalf("%q: %q %s", text, r.Name, r.Arguments)
				}
			}
		}
	})
}

// fuzzedSchemas are of arguments; the texts of the seeds fit some of them.
var fuzzedSchemas = []string{
	`{"type": "object", "properties": {
	"s": {"type": "string", "maxLength": 5}, "n": {"type": "integer", "minimum": 1}, "e": {"enum": ["on", "off", "a-b"]}, "f": {"type": "number"},
	"l": {"type": "array", "items": {"type": "integer"}}, "o": {"$ref": "#/$defs/o"}, "u": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}},
	"required": ["s"], "additionalProperties": false,
	"$defs": {"o": {"type": "object", "properties": {"k": {"type": ["string", "null"]}, "o": {"$ref": "#/$defs/o"}}, "additionalProperties": false}}}`,
	`{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"]}`,
	`{"type": "object", "properties": {"a": {"type": "integer"}, "userName": {"type": ["string", "null"]}, "k": {"enum": [1, "1", null, "x y"]}}, "required": ["userName"],
	"patternProperties": {"^n_": {"type": "number", "multipleOf": 0.5}}, "additionalProperties": {"type": "string"}}`,
	`{"oneOf": [{"type": "object", "properties": {"k": {"const": "a"}, "a": {"type": "boolean"}}, "required": ["k"]},
	{"type": "object", "properties": {"k": {"const": "b"}, "a": {"type": "integer", "exclusiveMaximum": 10}}, "required": ["k"]}]}`,
	`{"type": "object", "properties": {"a": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^[a-z]+$"}]}, "minItems": 1, "uniqueItems": true},
	"d": {"type": "string", "format": "date-time"}, "u": {"format": "uuid"}, "x": {"allOf": [{"type": "number"}, {"maximum": 100}]}}, "minProperties": 1}`,
	`{"$ref": "#/$defs/t", "$defs": {"t": {"type": "object", "properties": {"v": {}, "a": {"type": "array", "items": {"$ref": "#/$defs/t"}}}, "additionalProperties": false}}}`,
}

var hugeExponent = regexp.MustCompile(`[0-9.][eE][+-]?[0-9]{4}`)

// FuzzArguments holds that the outcome is what the schema allows, that what the
// schema allows is never changed, and that a second reading changes nothing.
// What the schema allows is asked of another implementation.
func FuzzArguments(f *testing.F) {
	for i, seed := range seeds {
		f.Add(seed, uint8(i))
	}
	allowed := make([]func(string) bool, len(fuzzedSchemas))
	for i, schema := range fuzzedSchemas {
		allowed[i] = newOracle(f, schema)
	}
	f.Fuzz(func(t *testing.T, text string, i uint8) {
		schema, allows := json.RawMessage(fuzzedSchemas[int(i)%len(allowed)]), allowed[int(i)%len(allowed)]
		if hugeExponent.MatchString(text) {
			return // numbers that the oracle would write out
		}
		var got tool.RepairedArguments
		var err error
		bounded(t, text, func() { got, err = Arguments(text, schema) })
		if json.Valid([]byte(text)) && utf8.ValidString(text) && !repeats(text) && allows(text) {
			if err != nil || len(got.Edits) > 0 || string(got.Value) != text || got.Truncated {
				t.Fatalf("%q is allowed: %s %v %v", text, got.Value, got.Edits, err)
			}
			return
		}
		if err != nil {
			return
		}
		if !json.Valid(got.Value) || !allows(string(got.Value)) {
			t.Fatalf("%q: %s", text, got.Value)
		}
		checkEdits(t, text, got.Edits)
		again, err := Arguments(string(got.Value), schema)
		if err != nil || len(again.Edits) > 0 || string(again.Value) != string(got.Value) {
			t.Fatalf("%q: %s, then %s %v %v", text, got.Value, again.Value, again.Edits, err)
		}
	})
}

// repeats tells whether an object in valid JSON has two members of the same name:
// implementations disagree on what that means.
func repeats(text string) bool {
	var within func(n *jsontext.Node) bool
	within = func(n *jsontext.Node) bool {
		seen := map[string]bool{}
		for _, m := range n.Items {
			if within(m) {
				return true
			}
			if n.Kind != jsontext.Object {
				continue
			}
			name := strings.ToValidUTF8(m.Name(), "\ufffd")
			if seen[name] {
				return true
			}
			seen[name] = true
		}
		return false
	}
	return within(parseJSON(text))
}
