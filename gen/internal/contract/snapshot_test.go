package contract_test

import (
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/contract"
)

func ExampleCompare() {
	before, err := contract.ReadSnapshot(strings.NewReader(`[
		{"name": "find_user", "inputSchema": {"type": "object", "properties": {"id": {"type": "integer"}}}}
	]`), "tools.json")
	if err != nil {
		log.Fatal(err)
	}
	now, err := contract.ReadSnapshot(strings.NewReader(`[
		{"name": "find_user", "inputSchema": {"type": "object", "properties": {"id": {"type": "integer", "minimum": 1}}}}
	]`), "tools.json")
	if err != nil {
		log.Fatal(err)
	}
	for _, change := range contract.Compare(before, now) {
		fmt.Println(change)
	}
	// Output:
	// tools.json: error: find_user: argument /id: the minimum is 1, there was none [breaking-argument]
}

func TestReadSnapshot(t *testing.T) {
	const tool = `{"name": "a", "inputSchema": {}, "annotations": {"idempotentHint": true, "openWorldHint": false}, "_meta": {}}`
	for text, want := range map[string]string{
		`[]`:                        "[]",
		`{"tools": []}`:             "[]",
		`[` + tool + `]`:            "[a {false false true true}]",
		`{"tools": [` + tool + `]}`: "[a {false false true true}]",
		``:                          "invalid JSON: unexpected end of JSON input",
		`[`:                         "invalid JSON: unexpected end of JSON input",
		`[] []`:                     "invalid JSON: invalid character '[' after top-level value",
		`{}`:                        "no list of tools",
		`null`:                      "no list of tools",
		`7`:                         "not a list of tools",
		`{"tools": {}}`:             "not a list of tools",
		`[{"name": 7}]`:             "not a list of tools: name is of type number",
		`[{}]`:                      "tool 1: it has no name",
		"\ufeff[" + tool + `]`:      "[a {false false true true}]",
		`{"jsonrpc": "2.0", "id": 1, "result": {"tools": [` + tool + `]}}`:    "[a {false false true true}]",
		`{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601}}`:              "no list of tools",
		`[{"name": "a", "inputSchema": 7}]`:                                   "tool 1: the inputSchema of a is not an object",
		`[{"name": "a", "inputSchema": null}]`:                                "tool 1: the inputSchema of a is not an object",
		`[` + tool + `,{"name": "b"}]`:                                        "tool 2: b has no inputSchema",
		"[{\"name\": \"a\", \"inputSchema\": {\"\xff\": 1}}]":                 "tool 1: the inputSchema of a is invalid JSON: expected valid UTF-8 at byte 2, found the byte 0xff",
		`[{"name": "a", "inputSchema": {}, "outputSchema": {"\ud800": 1}}]`:   `tool 1: the outputSchema of a is invalid JSON: expected an escape such as \n or \u00e9, surrogates in pairs at byte 2, found '\\'`,
		`[{"type": "function", "function": {"name": "a", "parameters": {}}}]`: "tool 1: it has the format of OpenAI",
		`[{"name": "a", "input_schema": {}}]`:                                 "tool 1: it has the format of Anthropic",
		`[{"name": "a", "parameters": {}}]`:                                   "tool 1: it has the format of Gemini",
		`[{"name": "a", "input": {}, "arguments": []}]`:                       "tool 1: it has the format of go tool aiongen list -json",
		strings.Repeat("[", 1_000_000):                                        "invalid JSON: invalid character '[' exceeded max depth",
		strings.Repeat(" ", 64<<20+1):                                         "it is larger than 67108864 bytes",
	} {
		promises, err := contract.ReadSnapshot(strings.NewReader(text), "tools.json")
		got := []string{}
		for _, tool := range promises.Tools {
			got = append(got, fmt.Sprint(tool.Name, " ", tool.Annotations))
		}
		shown := fmt.Sprint(got)
		if err != nil {
			shown = err.Error()
		}
		if shown != want {
			t.Errorf("%.40s: got %s, want %s", text, shown, want)
		}
	}
}

func FuzzReadSnapshot(f *testing.F) {
	f.Add(`{"tools": [{"name": "a", "inputSchema": {"type": "object"}, "annotations": {"openWorldHint": false}}]}`)
	f.Add(`[{"name": "a", "inputSchema": 7, "outputSchema": null}, {"name": "a", "inputSchema": {}}]`)
	f.Fuzz(func(t *testing.T, text string) {
		promises, err := contract.ReadSnapshot(strings.NewReader(text), "tools.json")
		if err != nil {
			return
		}
		if changes := contract.Compare(promises, promises); len(changes) > 0 {
			t.Errorf("nothing changed, but told is %v", changes[0])
		}
	})
}

// TestLarge checks that the comparison of extremely expensive schemas is given up.
func TestLarge(t *testing.T) {
	var doubled strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubled, `"d%d": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/d%d"}}, {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/d%d"}}]},`, i, i+1, i+1)
	}
	union := `{"$ref": "#/$defs/d0", "$defs": {` + doubled.String() + `"d60": {"type": "%s"}}}`
	nested := strings.Repeat(`{"items": `, 5000) + `{"type": "%s"}` + strings.Repeat(`}`, 5000)
	for _, schema := range []string{union, nested} {
		tool := func(typ string) contract.Promises {
			return contract.Promises{Tools: []contract.Tool{{Name: "a", Input: []byte(strings.Replace(schema, "%s", typ, 1))}}}
		}
		list := contract.Compare(tool("string"), tool("integer"))
		if err := list.Err(); err == nil || !strings.Contains(err.Error(), "too large or too deep to be compared") {
			t.Errorf("got %d changes, %.200v", len(list), err)
		}
	}
}
