package repair_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestShapes checks calls that are recognized by more than the names of their members, and data that
// looks like calls, without and with definitions of get_weather, now and search; the second only if it
// differs.
func TestShapes(t *testing.T) {
	for _, test := range []struct{ text, want, known string }{
		// Requests of the Model Context Protocol.
		{`{"method": "tools/call", "params": {"name": "add", "arguments": {"a": 1}}}`, `add{"a":1}`, ``},
		{`{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "add", "arguments": {"a": 1}, "_meta": {"progressToken": 1}}}`, `add{"a":1}`, ``},
		{`{"jsonrpc": "2.0", "id": "x7", "method": "tools/call", "params": {"name": "now"}}`, `now#x7`, ``},
		{`[{"method": "tools/call", "params": {"name": "f"}}, {"method": "tools/call", "params": {"name": "g", "arguments": {}}}]`, `f g{}`, ``},
		{`{"method": "tools/call", "params": {"arguments": {"a": 1}}}`, `!broken_call`, ``},
		{`{"method": "tools/call", "params": {"name": "f", "arguments": {"a": }}}`, `!broken_call`, ``},
		{`{"jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": {}}`, `!no_call`, ``},
		{`{"jsonrpc": "2.0", "id": 3, "result": {"content": [{"type": "text", "text": "now"}]}}`, `!no_call`, `!no_call`},
		{`{"method": "GET", "params": {"q": "x"}}`, `!no_call`, `!no_call`},
		{"The request `{\"method\": \"tools/call\", \"params\": {\"name\": \"f\"}}` is refused.", `!no_call`, ``},

		// Names under other members, with arguments.
		{`{"action_function": "f", "action_arguments": {"x": 1}}`, `f{"x":1}`, ``},
		{`{"func": "f", "args": {"x": 1}}`, `f{"x":1}`, `!no_call`},
		{`{"func_name": "search", "params": {"query": "x"}}`, `search{"query":"x"}`, `search{"query":"x"}`},
		{`{"function_call": "search", "arguments": {"query": "x"}}`, `search{"query":"x"}`, `search{"query":"x"}`},
		{`{"function_call": "search", "arguments": "{\"query\": \"x\"}"}`, `search{"query":"x"}`, `search{"query":"x"}`},
		{`{"tool_call": "search", "arguments": {"query": "x"}}`, `search{"query":"x"}`, `search{"query":"x"}`},
		{`{"call": "search", "args": {"query": "x"}}`, `search{"query":"x"}`, `search{"query":"x"}`},
		{`{"command": "search", "args": {"query": "x"}, "why": "to know"}`, `!no_call`, `search{"query":"x"}`},
		{`<tool_call>{"call": "f", "args": {"x": 1}}</tool_call>`, `f{"x":1}`, `f{"x":1}`},
		{`{"call": "f", "name": "g", "args": {"x": 1}}`, `g{"x":1}`, ``},
		{`{"command": "npx", "args": ["-y", "server"]}`, `!no_call`, `!no_call`},
		{`{"command": "ls", "args": {"l": true}, "cwd": "/"}`, `!no_call`, `!no_call`},
		{`{"command": "ls -l", "args": {}}`, `!no_call`, `!no_call`},
		{`{"command": "search"}`, `!no_call`, `!no_call`},
		{`{"function_call": "auto", "functions": [{"name": "f", "description": "d", "parameters": {"type": "object", "properties": {}}}]}`, `!no_call`, `!no_call`},
		{`{"call": "+47 123", "params": {"x": 1}}`, `!no_call`, `!no_call`},
		{`{"level": "info", "func": "search", "msg": "x"}`, `!no_call`, `!no_call`},

		// The name of an offered tool, and an object with valid arguments.
		{`{"do": "search", "with": {"query": "x"}}`, `!no_call`, `search{"query":"x"}`},
		{`{"type": "search", "id": "a", "data": {"query": "x"}}`, `!no_call`, `search{"query":"x"}#a`},
		{`{"jsonrpc": "2.0", "id": 1, "method": "search", "params": {"query": "x"}}`, `!no_call`, `search{"query":"x"}`},
		{`{"name": "search", "payload": {"query": "x"}}`, `!no_call`, `search{"query":"x"}`},
		{`[{"do": "get_weather", "with": {"city": "Oslo", "days": 2}}, {"do": "search", "with": {"query": "x"}}]`, `!no_call`, `get_weather{"city":"Oslo","days":2} search{"query":"x"}`},
		{`{"do": "get_weather", "with": {"days": 2}}`, `!no_call`, `!no_call`},
		{`{"do": "get_weather", "with": {"city": "Oslo", "unit": "C"}}`, `!no_call`, `!no_call`},
		{`{"do": "search", "with": {"query": 7}}`, `!no_call`, `!no_call`},
		{`{"do": "search", "with": {"limit": 7}}`, `!no_call`, `!no_call`}, // the schema neither forbids nor names it
		{`{"do": "search", "with": {}}`, `!no_call`, `!no_call`},
		{`{"do": "now", "with": {}}`, `!no_call`, `!no_call`},
		{`{"do": "search", "with": {"query": "x"}, "and": {"query": "y"}}`, `!no_call`, `!no_call`},
		{`{"do": "search", "with": {"query": "x"}, "at": "noon"}`, `!no_call`, `!no_call`},
		{`{"do": "search", "then": "now", "with": {"query": "x"}}`, `!no_call`, `!no_call`},
		{`{"do": "search", "with": {"query": "x"}, "hits": 7}`, `!no_call`, `!no_call`},
		{`{"event": "search", "output": {"query": "x"}}`, `!no_call`, `!no_call`},
		{`{"tool": "search", "output": {"query": "x"}}`, `!no_call`, `!broken_call`}, // the outcome of a call
		{`{"tool": "search", "result": {"query": "x"}}`, `!no_call`, `!broken_call`},
		{`{"name": "search", "response": {"query": "x"}, "id": "call_1"}`, `!no_call`, `!broken_call`},
		{`{"action": "search", "observation": {"query": "x"}}`, `!no_call`, `!broken_call`},
		{`{"type": "search", "tool_results": {"query": "x"}}`, `!no_call`, `!no_call`},
		{`{"call": "search", "returned": {"query": "x"}}`, `!no_call`, `!no_call`},
		{`{"error": "search", "with": {"query": "x"}}`, `!no_call`, `!no_call`},
		{`{"do": "other", "with": {"query": "x"}}`, `!no_call`, `!no_call`},
		{"It sends `{\"do\": \"search\", \"with\": {\"query\": \"x\"}}` then.", `!no_call`, `!no_call`},

		// Invalid arguments.
		{`{"function": "a", "arguments": [1, 2]}`, `!broken_call`, `!no_call`},
		{`{"tool": "a", "arguments": "x"}`, `!broken_call`, `!no_call`},
		{`{"tool_name": "a", "arguments": 7}`, `!broken_call`, `!no_call`},
		{`{"function": "search", "arguments": [1, 2]}`, `!broken_call`, `search[1,2]`}, // the tool reports the fault
		{`{"name": "id", "args": []}`, `!no_call`, `!no_call`},
		{`{"name": "sum", "arguments": [1, 2]}`, `!no_call`, `!no_call`},
		{`{"function": "sin", "arguments": [1, 2], "line": 7}`, `!no_call`, `!no_call`},
		{`{"tool": "hammer", "parameters": [1, 2]}`, `!no_call`, `!no_call`},
	} {
		if got := formatRequests(repair.Requests(test.text)); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, got, test.want)
		}
		if test.known == "" {
			test.known = test.want
		}
		if got := formatRequests(repair.Requests(test.text, weather, now, search)); got != test.known {
			t.Errorf("%s\n got %s\nwant %s with definitions", test.text, got, test.known)
		}
	}
}

// TestShared checks that arguments next to several calls are not given to each of them: they belong to
// one, and copies could be very large.
func TestShared(t *testing.T) {
	for text, want := range map[string]string{
		`{"arguments": {"x": 1}, "call": {"name": "f"}}`:                                `f{"x":1}`,
		`{"arguments": {"x": 1}, "call": {"name": "f"}, "tool": {"name": "g"}}`:         `!broken_call`,
		`{"arguments": {"x": 1}, "call": {"name": "f"}, "call": {"name": "f"}}`:         `!broken_call`,
		`{"call": {"name": "f"}, "tool": {"name": "g"}}`:                                `f g`,
		`{"input": {"x": 1}, "calls": [{"name": "f"}, {"name": "g"}], "functions": []}`: `f g`,
	} {
		if got := formatRequests(repair.Requests(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestEvidenceBound limits the time for finding out whether data is a call, however large a schema is.
func TestEvidenceBound(t *testing.T) {
	alternatives := strings.Repeat(`{"type": "object", "required": ["q"]},`, 1000) + `{"type": "integer"}`
	d := tool.Definition{Name: "f", Input: json.RawMessage(`{"type": "object", "properties": {"x": {"anyOf": [` + alternatives + `]}}}`)}
	text := `{"do": "f", "with": {"x": {"k": 1}}},`
	if got := formatRequests(repair.Requests("["+strings.Repeat(text, 10)+"]", d)); got != "!no_call" {
		t.Errorf("a few: %s", got)
	}
	if got := formatRequests(repair.Requests("["+strings.Repeat(text, 10_000)+"]", d)); got != "!broken_call" {
		t.Errorf("many: %s", got)
	}
}

// TestEvidenceSchema checks how the schemas of tools determine what may be arguments.
func TestEvidenceSchema(t *testing.T) {
	definition := func(schema string) tool.Definition { return tool.Definition{Name: "f", Input: json.RawMessage(schema)} }
	const text = `{"do": "f", "with": {"x": 1}}`
	for schema, want := range map[string]string{
		``:                   `!no_call`,
		`{"type": "object"}`: `!no_call`,
		`{"type": "object", "properties": {"x": {"type": "integer"}}}`:                                                   `f{"x":1}`,
		`{"type": "object", "properties": {"x": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"enum": [1]}}}`:                  `f{"x":1}`,
		`{"type": "object", "properties": {"x": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"enum": [2]}}}`:                  `!no_call`,
		`{"type": "object", "properties": {"x": {}}, "$ref": "elsewhere.json"}`:                                          `!no_call`,
		`{"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}, "required": ["x", "y"]}`: `!no_call`,
	} {
		if got := formatRequests(repair.Requests(text, definition(schema))); got != want {
			t.Errorf("%s: %s, want %s", schema, got, want)
		}
	}
}
