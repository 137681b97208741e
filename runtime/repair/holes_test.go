package repair_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestHoles checks missing values. They are not invented, except if the schema allows only null. The
// messages begin with the positions.
func TestHoles(t *testing.T) {
	const (
		optional = `{"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}}`
		nullable = `{"type": "object", "properties": {"y": {"type": ["integer", "null"]}}}`
		null     = `{"type": "object", "properties": {"y": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "null"}}}`
		oneValue = `{"type": "object", "properties": {"y": {"const": null}}}`
	)
	for _, test := range []struct{ schema, text, want string }{
		{``, `{"x": 1, "y": }`, `!1:15: the value of "y" is missing`},
		{optional, `{"x": 1, "y": }`, `!1:15: the value of "y" is missing`},
		{nullable, `{"y": }`, `!1:7: the value of "y" is missing`},
		{null, `{"y": }`, `{"y":null}`},
		{oneValue, `{"y": , }`, `{"y":null}`},
		{null, `{"z": }`, `!1:7: the value of "z" is missing`},
		{``, `{"a": , "b": }`, `!1:7: the value of "a" is missing`},
		{``, `{"a": "b": 2}`, `!1:7: the value of "a" is missing`},
		{``, `{"a", "b": 2}`, `!1:2: the value of "a" is missing`},
		{`{"type": "object"}`, `{"a", "b"}`, `!1:2: the value of "a" is missing`},
		{null, `{"y"}`, `{"y":null}`},
		{``, `[{"a": [{"b": ]}]`, `!1:15: the value of "b" is missing`},
		{``, "```json\n{\"a\": 1,\n \"b\":\n}\n```", `!4:1: the value of "b" is missing`},
		{``, "```json\n{\"b\":\n```\n", `!`},
		{``, `{"b": /* what? */}`, `!1:18: the value of "b" is missing`},
		{``, `{"a": 1, "b"}`, `!1:10: the value of "b" is missing`},
		{``, `{"a": -1.5 , "b" , "c": 2}`, `!1:14: the value of "b" is missing`},
		{``, `{"a": true, "b"}`, `!1:13: the value of "b" is missing`},
		{``, `{"a": None, "b", "c"}`, `!1:13: the value of "b" is missing`},
		{``, `{"b":`, `{}`}, // truncated and marked
	} {
		for name, read := range map[string]func(string, json.RawMessage) (tool.RepairedArguments, error){"JSON": repair.JSON, "Arguments": repair.Arguments} {
			got, err := read(test.text, json.RawMessage(test.schema))
			var e *repair.Error
			switch refused := test.want[0] == '!'; {
			case refused && (!errors.As(err, &e) || e.Code() != "unreadable" || test.want != "!" && e.Error() != test.want[1:]):
				t.Errorf("%s: %s is %s, %v", name, test.text, got.Value, err)
			case !refused && (err != nil || string(got.Value) != test.want):
				t.Errorf("%s: %s is %s, %v", name, test.text, got.Value, err)
			}
		}
	}
}

// TestHolesInCalls checks that a call with a missing value in its arguments is broken, and that the
// others are read.
func TestHolesInCalls(t *testing.T) {
	for text, want := range map[string]string{
		`{"name": "f", "arguments": {"x": 1, "y":}}`:                                                   `1:41: in the arguments of a call of f, the value of "y" is missing`,
		`<tool_call>{"name": "f", "arguments": {"x": [{"y":}]}}</tool_call>`:                           `1:51: in the arguments of a call of f, the value of "y" is missing`,
		`{"tool_calls": [{"function": {"name": "f", "arguments": "{\"y\": , \"x\": 1}"}}]}`:            `1:57: in the arguments of a call of f, the value of "y" is missing`,
		"Action: f\nAction Input: {\"x\": 1, \"y\": }":                                                 `2:29: in the arguments of a call of f, the value of "y" is missing`,
		`<function=f>{"y": }</function>`:                                                               `1:19: in the arguments of a call of f, the value of "y" is missing`,
		`[f(x=1, y=)]`:                                                                                 `1:2: an argument of a call is an expression, not a value`,
		`{"f": {"x": 1, "y": }}`:                                                                       `1:21: in the arguments of a call of f, the value of "y" is missing`,
		`<tool_call>f(1, , "z")</tool_call>`:                                                           `1:12: an argument of a call has no name`,
		`<tool_call>f(, "z")</tool_call>`:                                                              `1:12: an argument of a call has no name`,
		"<tool_call>f<arg_key>y</arg_key></tool_call>":                                                 `1:33: in the arguments of a call of f, the value of "y" is missing`,
		"<tool_call>f<arg_key>y</arg_key><arg_key>x</arg_key><arg_value>1</arg_value></tool_call>":     `1:33: in the arguments of a call of f, the value of "y" is missing`,
		"<tool_call>f<arg_key>x</arg_key><arg_value>1</arg_value><arg_value>2</arg_value></tool_call>": `1:45: this tag may be part of the value of x, or not` + asJSON,
		`f{"y": }`: `1:8: in the arguments of a call of f, the value of "y" is missing`,
		`[{"name": "f", "arguments": {"y": }}, {"name": "f", "arguments": {"x": 1}}, {"name": "f", "arguments": {"y": ,}}]`: `f{"x":1}`,
	} {
		offered := tool.Definition{Name: "f", Input: json.RawMessage(`{"type": "object", "properties": {"x": {}, "y": {"type": "string"}}}`)}
		requests, err := repair.Requests(text, offered)
		got := formatRequests(requests, nil)
		if got == "" && err != nil {
			got = err.Error()
		}
		if got != want || tool.Code(err) != "broken_call" {
			t.Errorf("%s\n got %s, %v\nwant %s", text, got, err, want)
		}
	}
}

// TestRemarkInFence checks text in braces that is not a value, with and without a fence.
func TestRemarkInFence(t *testing.T) {
	for _, text := range []string{"{invalid json}", "```json\n{invalid json}\n```", "```\n{invalid json}\n```", "~~~json\n{invalid json}"} {
		if got, err := repair.JSON(text, nil); tool.Code(err) != "no_value" {
			t.Errorf("%q: %s, %v", text, got.Value, err)
		}
	}
}
