package repair

import (
	"encoding/json"
	"testing"

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
	`{"tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}`, `{"s": "5", "N": "7", "E": " ON ", "l": "[1]", "o": {"k": null}, "z": 1}`,
}

// checkSteps holds that reading took no more steps than the length of the text
// allows.
func checkSteps(t *testing.T, text string, steps int) {
	if most := mostSteps*len(text) + 1000; steps > most {
		t.Fatalf("%q: %d steps", text, steps)
	}
}

// FuzzJSON holds what is so for every text: valid JSON has no edits and comes
// back byte for byte; what comes back otherwise is valid JSON and has edits that
// are in the text, in its order.
func FuzzJSON(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := JSON(text, nil)
		if json.Valid([]byte(text)) {
			if err != nil || string(got.Value) != text || len(got.Edits) > 0 || got.Truncated {
				t.Fatalf("%q is valid: %s, %v, %v, %v", text, got.Value, got.Edits, got.Truncated, err)
			}
			return
		}
		finder := newFinder(text, nil)
		finder.find()
		checkSteps(t, text, finder.steps)
		if err != nil {
			return
		}
		if len(got.Edits) == 0 || !json.Valid(got.Value) {
			t.Fatalf("%q: %s has %d edits", text, got.Value, len(got.Edits))
		}
		at := 0
		for _, e := range got.Edits {
			if e.Offset < at || e.Offset > len(text) || e.Kind == "" {
				t.Fatalf("%q: %v", text, e)
			}
			at = e.Offset
		}
	})
}

// FuzzRequests holds that calls have names, and arguments that are JSON, and
// that there are calls or an error.
func FuzzRequests(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	definition := tool.Definition{Name: "f", Input: json.RawMessage(fuzzedSchema)}
	f.Fuzz(func(t *testing.T, text string) {
		for _, definitions := range [][]tool.Definition{nil, {definition}} {
			got, err := Requests(text, definitions...)
			if len(got) == 0 && err == nil || err == ErrNoCall && len(got) > 0 {
				t.Fatalf("%q: %d calls, %v", text, len(got), err)
			}
			for _, r := range got {
				if !isName(r.Name) || len(r.Arguments) > 0 && !json.Valid(r.Arguments) {
					t.Fatalf("%q: %q %s", text, r.Name, r.Arguments)
				}
			}
		}
	})
}

const fuzzedSchema = `{"type": "object", "properties": {
	"s": {"type": "string", "maxLength": 5}, "n": {"type": "integer", "minimum": 1}, "e": {"enum": ["on", "off", "a-b"]}, "f": {"type": "number"},
	"l": {"type": "array", "items": {"type": "integer"}}, "o": {"$ref": "#/$defs/o"}, "u": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}},
	"required": ["s"], "additionalProperties": false,
	"$defs": {"o": {"type": "object", "properties": {"k": {"type": ["string", "null"]}, "o": {"$ref": "#/$defs/o"}}, "additionalProperties": false}}}`

// FuzzArguments holds that the outcome is what the schema allows, that what the
// schema allows is never changed, and that a second reading changes nothing.
func FuzzArguments(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	s, err := parseSchema(json.RawMessage(fuzzedSchema))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Arguments(text, json.RawMessage(fuzzedSchema))
		if err != nil {
			return
		}
		if c := (checker{budget: mostChecks(len(text))}); !json.Valid(got.Value) || !c.fits(parseJSON(got.Value), s) {
			t.Fatalf("%q: %s", text, got.Value)
		}
		again, err := Arguments(string(got.Value), json.RawMessage(fuzzedSchema))
		if err != nil || len(again.Edits) > 0 || string(again.Value) != string(got.Value) {
			t.Fatalf("%q: %s, then %s %v %v", text, got.Value, again.Value, again.Edits, err)
		}
	})
}
