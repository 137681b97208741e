package repair_test

import (
	"encoding/json"
	"testing"

	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestNothingDropped checks calls with arguments in unusual places. They must be read or refused,
// because a call without one of them would have another effect.
func TestNothingDropped(t *testing.T) {
	list := tool.Definition{Name: "list", Input: json.RawMessage(`{"type": "object", "properties": {
		"path": {"type": "string"}, "content": {"type": "string"}, "deep": {"type": "boolean"}}, "additionalProperties": false}`)}
	for text, want := range map[string]string{
		// Attributes.
		`<invoke name="list" path="/tmp"></invoke>`:                                                   "!broken_call",
		`<invoke path='/tmp' name='list'></invoke>`:                                                   "!broken_call",
		`<tool_call name="list" path="/tmp"></tool_call>`:                                             "!broken_call",
		`<list path="/tmp">{}</list>`:                                                                 "!broken_call",
		`<list path="/tmp"><deep>true</deep></list>`:                                                  "!broken_call",
		`<list><content encoding="base64">eA==</content></list>`:                                      "!broken_call",
		`<invoke name="list"><parameter name="path" value="/tmp"></parameter></invoke>`:               "!broken_call",
		`<invoke name="list" id="call_1"><parameter name="path" type="string">x</parameter></invoke>`: `list{"path":"x"}`,

		// Members next to the arguments.
		`{"name": "list", "arguments": {"deep": true}, "path": "/tmp"}`:             "!broken_call",
		`{"name": "list", "path": "/tmp", "arguments": {}}`:                         "!broken_call",
		`{"name": "list", "path": "/tmp", "arguments": null}`:                       "!broken_call",
		`{"name": "list", "path": "/tmp", "arguments": {"path": "/"}}`:              "!broken_call",
		`{"name": "list", "path": "/", "arguments": {"path": "/"}}`:                 `list{"path":"/"}`,
		`{"name": "list", "thoughts": "x", "arguments": {"path": "/"}}`:             `list{"path":"/"}`,
		`{"function": {"name": "list", "arguments": {}}, "path": "/tmp"}`:           "!broken_call",
		`{"function": {"name": "list"}, "path": "/tmp"}`:                            `list{"path":"/tmp"}`,
		`{"content": "I look.", "tool_calls": [{"name": "list", "arguments": {}}]}`: `list{}`,
		`<tool_call>{"name": "list", "arguments": {}, "path": "/tmp"}</tool_call>`:  "!broken_call",

		// Values after a call.
		`{"name": "list"}{"path": "/tmp"}`:                                                                       "!no_call",
		"{\"name\": \"list\"}\n{\"path\": \"/tmp\"}":                                                             "!no_call",
		"list()\n{\"path\": \"/tmp\"}":                                                                           "!no_call",
		`[TOOL_CALLS]list[ARGS]{"path": "/tmp"}{"deep": true}`:                                                   "!broken_call",
		`<tool_call>{"name": "list", "arguments": {}}{"path": "/tmp"}</tool_call>`:                               "!broken_call",
		`<function=list>{"path": "/tmp"}<parameter=deep>true</parameter></function>`:                             "!broken_call",
		"<tool_call>\n<function=list>\n<parameter=path>\na\r\n</parameter>\n</function>\n</tool_call>":           `list{"path":"a\r"}`,
		"<tool_call>\r\n<function=list>\r\n<parameter=path>\r\na\r\n</parameter>\r\n</function>\r\n</tool_call>": `list{"path":"a"}`,

		`[{"name": "list", "arguments": {}}, {"path": "/tmp"}]`:                 "!broken_call",
		`{"tool_calls": [{"name": "list", "arguments": {}}, {"path": "/tmp"}]}`: "!broken_call",
		`[{"type": "text", "text": "x"}, {"name": "list", "arguments": {}}]`:    `list{}`,

		// Quotes that may be part of a value.
		`{"name": "list", "arguments": {"path": ""a"}}`:   "!broken_call",
		`{"name": "list", "arguments": {"path": "" a"}}`:  "!broken_call",
		`{"name": "list", "arguments": {"path": "a""}}`:   "!broken_call",
		`{"name": "list", "arguments": {"path": "a" b"}}`: `list{"path":"a\" b"}`,

		`{"name": "list", "arguments": {"path": "a" or "b"}}`:            "!broken_call",
		`{"name": "list", "arguments": {"path": "a" if x else "b"}}`:     "!broken_call",
		`{"name": "list", "arguments": {"path": "a"/"b"}}`:               "!broken_call",
		`{"name": "list", "arguments": {"path": "a", "b"}}`:              "!broken_call",
		`{"name": "list", "arguments": {"path": "a","deep"}}`:            "!broken_call",
		`{"name": "list", "arguments": {"path": "a" + "b"}}`:             `list{"path":"ab"}`,
		`{"name": "list", "arguments": {"path": "say "a" or "b" now"}}`:  `list{"path":"say \"a\" or \"b\" now"}`,
		`{"name": "list", "arguments": {"path": "<a href="/x/">y</a>"}}`: `list{"path":"<a href=\"/x/\">y</a>"}`,
		`{"name": "list", "arguments": {"path": "f("a" + "b")"}}`:        "!broken_call",

		// The values of arguments do not select another tool.
		`<|channel|>commentary to=functions.list code<|message|>now<|call|>`: "!broken_call",
	} {
		if got := formatRequests(repair.Requests(text, list, now)); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestThoughtsOfFamilies checks calls inside reasoning, in the marks of several families.
func TestThoughtsOfFamilies(t *testing.T) {
	const call = "\n{\"name\": \"now\", \"arguments\": {}}\n"
	for _, mark := range [][2]string{
		{"<|START_THINKING|>", "<|END_THINKING|>"}, {"[THINK]", "[/THINK]"}, {"<seed:think>", "</seed:think>"}, {"◁think▷", "◁/think▷"},
		{"<|channel>thought", "<channel|>"}, {"<|begin_of_thought|>", "<|end_of_thought|>"}, {"<|thinking|>", "<|/thinking|>"}, {"<|reason_start|>", "<|reason_end|>"},
	} {
		for text, want := range map[string]string{
			mark[0] + call + mark[1]:                                 "!no_call",
			mark[0] + call + mark[1] + "\nNo.":                       "!no_call",
			call + mark[1]:                                           "!no_call",
			mark[0] + "\nI call it.\n" + mark[1] + call:              `now{}`,
			mark[0] + call + mark[1] + call:                          `now{}`,
			mark[0] + "\n<tool_call>" + call + mark[1] + "\n" + call: `now{}`,
		} {
			got := formatRequests(repair.Requests(text, now))
			if isKnown := mark[0] != "<|thinking|>" && mark[0] != "<|reason_start|>"; got != want && (isKnown || want == "!no_call") {
				t.Errorf("%q\n got %s\nwant %s", text, got, want)
			}
		}
	}
}
