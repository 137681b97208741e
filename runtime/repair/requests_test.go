package repair_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

var weather = tool.Definition{Name: "get_weather", Input: json.RawMessage(`{"type": "object",
	"properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"], "additionalProperties": false}`)}

var now = tool.Definition{Name: "now", Input: json.RawMessage(`{"type": "object", "properties": {}, "additionalProperties": false}`)}

var search = tool.Definition{Name: "search", Input: json.RawMessage(`{"type": "object", "properties": {"query": {"type": "string"}}}`)}

// formatRequests formats requests as in `f{"a":1} g… ` with the code of the error.
func formatRequests(requests []tool.Request, err error) string {
	var b strings.Builder
	for _, r := range requests {
		b.WriteString(r.Name + string(r.Arguments))
		if r.Truncated {
			b.WriteString("…")
		}
		if r.ID != "" {
			b.WriteString("#" + r.ID)
		}
		b.WriteString(" ")
	}
	if err != nil {
		b.WriteString("!" + tool.Code(err))
	}
	return strings.TrimSpace(b.String())
}

// TestRequests checks how a text is read without and with definitions of get_weather, now and search;
// the second only if it differs.
func TestRequests(t *testing.T) {
	for _, test := range []struct{ text, want, known string }{
		// Shapes of JSON.
		{`{"function": "add", "arguments": {"a": 1}}`, `add{"a":1}`, ``},
		{`[{"function": "add", "arguments": {"a": 1}}, {"function": "add", "arguments": {"a": 1}}]`, `add{"a":1} add{"a":1}`, ``},
		{"```json\n{\"function\": \"add\", \"arguments\": {\"a\": 1}}\n```\n```json\n{\"function\": \"mul\", \"arguments\": {\"a\": 2}}\n```", `add{"a":1} mul{"a":2}`, ``},
		{"```python\n{'function': 'add', 'arguments': {'a': 1}}\n```", `add{"a":1}`, ``},
		{`{"name": "add", "parameters": {"a": 1}}`, `add{"a":1}`, ``},
		{`{"action_name": "add", "param": {"a": 1}}`, `add{"a":1}`, ``},
		{`{"function": {"name": "f", "arguments": "{\"x\":1}"}}`, `f{"x":1}`, ``},
		{`{"function": {"name": "f"}, "arguments": {"x": 1}}`, `f{"x":1}`, ``},
		{`{"action_requests": [{"function": "f", "arguments": {"x": 1}}, {"function": "g", "arguments": {}}]}`, `f{"x":1} g{}`, ``},
		{`{"name": "f", "arguments": "{\"x\": 1}"}`, `f{"x":1}`, ``},
		{`{"name": "f", "arguments": ""}`, `f`, ``},
		{`{"name": "f", "arguments": null}`, `f`, ``},
		{`{"function": "now", "arguments": {}}`, `now{}`, ``},
		{`{"function": "now"}`, `now`, ``},
		{`{"thought": "x", "action": {"name": "f", "args": {"x": 1}}}`, `f{"x":1}`, ``},
		{`{"command": {"name": "f", "args": {"x": 1}}}`, `f{"x":1}`, ``},
		{`{"name": "multi_tool_use.parallel", "arguments": {"tool_uses": [{"recipient_name": "functions.f", "parameters": {"x": 1}}]}}`, `f{"x":1}`, ``},
		{`{"choices": [{"message": {"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}}]}`, `f{}#c1`, ``},
		{`{"name": "f", "arguments": {"n": 12345678901234567890}}`, `f{"n":12345678901234567890}`, ``},
		{`{"get_weather": {"city": "Oslo"}}`, `!no_call`, `get_weather{"city":"Oslo"}`},
		{`{"tool": "get_weather", "city": "Oslo"}`, `!no_call`, `get_weather{"city":"Oslo"}`},
		{"Sure:\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n", `get_weather{"city":"Oslo"}`, ``},

		// Other payloads and arguments.
		{"<tool_call>now</tool_call>", `now`, ``},
		{"<tool_call>\nnow\n</tool_call>", `now`, ``},
		{"<function=now></function>", `now`, ``},
		{`<invoke name="now"></invoke>`, `now`, ``},
		{"<tool_call>get_weather(city='Oslo')</tool_call>", `get_weather{"city":"Oslo"}`, ``},
		{"<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>", `get_weather{"city":"Oslo","days":2}`, ``},
		{"<tool_call>\n<function=get_weather>\n<parameter=city>\n2\n</parameter>\n</function>\n</tool_call>", `get_weather{"city":2}`, `get_weather{"city":"2"}`},
		{"<function=get_weather><parameter=city>Oslo<parameter=days>2</function>", `!broken_call`, ``},
		{`<tool_call><name>get_weather</name><arguments>{"city": "Oslo"}</arguments></tool_call>`, `get_weather{"city":"Oslo"}`, ``},
		{"<tool_call><get_weather><city>Oslo</city></get_weather></tool_call>", `!broken_call`, `get_weather{"city":"Oslo"}`},
		{"Action: search\nAction Input: red shoes", `search"red shoes"`, `search{"query":"red shoes"}`},
		{"Action: search\nAction Input: red shoes\nObservation:", `search"red shoes"`, `search{"query":"red shoes"}`},
		{"Action: search\nAction Input: red shoes\nObservation: x", `!broken_call`, `!broken_call`},
		{"Action: now\nAction Input: None\nObservation: x\nAction: never\nAction Input: {}", `now`, ``},
		{"<|python_tag|>get_weather.call(city=\"Oslo\")", `get_weather{"city":"Oslo"}`, ``},
		{"[get_weather(city=\"Oslo\"), now()]", `get_weather{"city":"Oslo"} now`, ``},
		{"get_weather(\"Oslo\", 2)", `!no_call`, `get_weather{"city":"Oslo","days":2}`},
		{`f(x='it's', y="a" + "b", z=r'\d')`, `f{"x":"it's","y":"ab","z":"\\d"}`, ``},
		{"get_weather(city=None, days=1_0)", `get_weather{"city":null,"days":10}`, `get_weather{"city":null,"days":10}`},
		{"search(query=True)", `search{"query":true}`, `search{"query":true}`},
		{"get_weather(**{'city': 'Oslo'})", `get_weather{"city":"Oslo"}`, ``},
		{"I will call it now.\n\nget_weather(city=\"Oslo\")\n", `get_weather{"city":"Oslo"}`, ``},
		{"<start_function_call>call:f{a:<escape>say \"x\"\\<escape>,b:2}<end_function_call>", `f{"a":"say \"x\"\\","b":2}`, ``},

		// Common mistakes of models.
		{"Action: `search`\nAction Input: `red shoes`\n", `search"red shoes"`, `search{"query":"red shoes"}`},
		{"Action: search\nAction Input: \"red shoes\"\nObservation:", `search"red shoes"`, `search{"query":"red shoes"}`},
		{"Action: search\nAction Input: one\ntwo\n\nthree\nThought: x", `!broken_call`, `!broken_call`},
		{"Action: search\nAction Input: one\ntwo\n\nthree\n", `search"one\ntwo\n\nthree"`, `search{"query":"one\ntwo\n\nthree"}`},
		{`{"function": "f", "arguments": "\"{\\\"x\\\": 1}\""}`, `f{"x":1}`, ``},
		{`<tool_call>{"name": "f", "arguments": "\"{\\\"x\\\": 1}\""}</tool_call>`, `f{"x":1}`, ``},
		{"**Action:** f\n**Action Input:** {\"a\": 1}\n**Observation:** x\n**Action:** g\n**Action Input:** {}", `f{"a":1}`, ``},
		{`[TOOL_CALLS]now [TOOL_CALLS]f[ARGS]{"a": 1}`, `!no_call`, `now f{"a":1}`},
		{`<function=f {"a": 1}</function>`, `f{"a":1}`, ``},
		{`<function=f{"a": 1}></function><function(g){"b": 2}</function>`, `f{"a":1} g{"b":2}`, ``},
		{`<function(f){"a": "b`, `f{"a":"b"}…`, ``},
		{`assistantcommentary to=functions.f json{"a": 1}`, `f{"a":1}`, ``},
		{`<tool_call name="f">{"a": 1}</tool_call>`, `f{"a":1}`, ``},
		{`<x:function_call name="f"><parameter name="a">b</parameter></x:function_call>`, `!no_call`, ``},
		{`<xai:function_call name="f"><parameter name="a">b</parameter></xai:function_call>`, `f{"a":"b"}`, ``},
		{"<get_weather>\n<city>Oslo</city>\n<days>2</days>\n</get_weather>", `!no_call`, `get_weather{"city":"Oslo","days":2}`},
		{"<search>\n<query><tool_call>now</tool_call></query>\n</search>", `!no_call`, `search{"query":"<tool_call>now</tool_call>"}`},
		{`get_weather({"city": "Oslo"})`, `!no_call`, `get_weather{"city":"Oslo"}`},
		{`get_weather(city: "Oslo", days: 2)`, `get_weather{"city":"Oslo","days":2}`, ``},
		{`get_weather{"city": "Oslo"}`, `!no_call`, `get_weather{"city":"Oslo"}`},
		{"functions.get_weather:0\n```json\n{\"city\": \"Oslo\"}\n```", `!no_call`, `get_weather{"city":"Oslo"}`},
		{`get_weather{"city": "Os`, `!no_call`, `get_weather{"city":"Os"}…`},
		{`{"tool_name": "f", "tool_args": {"a": 1}}`, `f{"a":1}`, ``},
		{`{"function_name": "f", "function_parameters": "{\"a\": 1}"}`, `f{"a":1}`, ``},

		// Reasoning, and results that the model made up.
		{`<think>I could call {"name": "f", "arguments": {}}</think>No.`, `!no_call`, ``},
		{"<think><tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call></think><tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>", `g{}`, ``},
		{"<tool_call>{\"name\": \"f\", \"arguments\": {}}</think>{\"name\": \"g\", \"arguments\": {}}", `g{}`, ``},
		{"<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call><tool_response><tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call></tool_response>", `f{}`, ``},

		{"{\"name\": \"f\", \"arguments\": {}}\nObservation: x\n{\"name\": \"g\", \"arguments\": {}}", `f{}`, ``},
		{"{\"name\": \"f\", \"arguments\": {}}\n<tool_response>{\"name\": \"g\", \"arguments\": {}}</tool_response>", `f{}`, ``},

		{"<tool_call>f{}</tool_call><tool_response>7</tool_response><tool_call>g{}</tool_call>", `f{}`, ``},
		{`[TOOL_CALLS][{"name": "f", "arguments": {}}][TOOL_RESULTS]7[/TOOL_RESULTS][TOOL_CALLS]g{"a": 1}`, `f{}`, ``},
		{"<invoke name=\"f\"></invoke><function_results>7</function_results><invoke name=\"g\"></invoke>", `f`, ``},
		{"✿FUNCTION✿: f\n✿ARGS✿: {}\n✿RESULT✿: 7\n✿RETURN✿: x\n✿FUNCTION✿: g\n✿ARGS✿: {}", `f{}`, ``},
		{"```tool_code\nprint(f(a=1))\n```\n```tool_output\n7\n```\n```tool_code\nprint(g(a=1))\n```", `f{"a":1}`, ``},

		// Marks inside strings belong to the strings.
		{`{"name": "f", "arguments": {"x": "<tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>"}}`, `f{"x":"<tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>"}`, ``},
		{`{'name': 'f', 'arguments': {'x': '[TOOL_CALLS]g{}'}}`, `f{"x":"[TOOL_CALLS]g{}"}`, ``},
		{`{"name": "f", "arguments": {"x": "[TOOL_CALLS]g{}"}, "y`, `f{"x":"[TOOL_CALLS]g{}"}…`, ``},
		{`[f(x="<tool_call>g</tool_call>")]`, `f{"x":"<tool_call>g</tool_call>"}`, `!no_call`},
		{"{\"note\": \"<tool_response>\"}\n<tool_call>now</tool_call>", `now`, ``},
		{`{"note": "<tool_response>"} <tool_call>now</tool_call>`, `!no_call`, ``},
		{`{"name": "f", "arguments": {"x": "a </think> b"}}`, `f{"x":"a </think> b"}`, ``},
		{`<tool_call>{"name": "f", "arguments": {"x": "</tool_call>"}}</tool_call>`, `f{"x":"</tool_call>"}`, ``},

		// Calls in quoted text, or in a string that may have ended before.
		{"Never write \"<tool_call>now</tool_call>\" here.", `!no_call`, ``},
		{"The page says: '<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>'.", `!no_call`, ``},
		{"It says “{\"name\": \"now\", \"arguments\": {}}”, which I ignore.", `!no_call`, ``},
		{"> <tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>\nI will not do what is quoted.", `!no_call`, ``},
		{"```bash\ncurl -d '{\"name\": \"now\", \"arguments\": {}}' example.com\n```", `!no_call`, ``},
		{"<!-- <tool_call>now</tool_call> --> <tool_call>f{\"a\": 1}</tool_call>", `f{"a":1}`, ``},
		{`{"name": "f", "arguments": {"x": "<tool_call>{"name": "now", "arguments": {}}</tool_call>"}}`, `!broken_call`, ``},
		{`{"name": "f", "arguments": {"x": "say "hi" <function=now></function>"}}`, `!broken_call`, ``},
		{`{"name": "f", "arguments": {"x": \"<tool_call>now</tool_call>\"}}`, `f{"x":"<tool_call>now</tool_call>"}`, ``},
		{"f(x=\"\nnow()\n\")", `f{"x":"\nnow()\n"}`, `!no_call`},
		{"<function=f><parameter=a>say </parameter> here</parameter></function>", `!broken_call`, ``},
		{"<function=f>\n<parameter=a>\nsay </parameter> here\n</parameter>\n</function>", `f{"a":"say </parameter> here"}`, ``},
		{"<function=f><parameter=a>1</parameter> and <parameter=b>2</parameter></function>", `!broken_call`, ``},
		{"<function=f><parameter=a><function=now></function><parameter=b>2</parameter></function>", `!broken_call`, ``},
		{"<function=search>cats</function>", `!broken_call`, ``},
		{"<function=f><parameter=a>1</parameter>\nThen I wait.", `!broken_call`, ``},
		{"<function=f><parameter=a><![CDATA[<b>x</b>]]></parameter></function>", `!broken_call`, ``},

		// Ambiguous texts.
		{`{"name": "f", "arguments": {"x": 1}, "arguments": {"x": 2}}`, `!broken_call`, ``},
		{`{"name": "f", "arguments": {"x": 1}, "parameters": {"x": 2}}`, `!broken_call`, ``},
		{`{"function": {"name": "f", "arguments": {"x": 1}}, "arguments": {"x": 2}}`, `!broken_call`, ``},
		{`{"name": "f", "arguments": {"x": 1}, "parameters": {"x":1}}`, `f{"x":1}`, ``},
		{`{"name": "f", "arguments": {"x": 1}, "input": ""}`, `f{"x":1}`, ``},
		{`{"tool_calls": [{"name": "f", "arguments": {}}], "actions": [{"name": "g", "arguments": {}}]}`, `f{} g{}`, ``},

		// Programs.
		{"```python\ndef now():\n    pass\nnow()\n```", `!no_call`, ``},
		{"```python\nx = get_weather(city=\"Oslo\")\nnow()\n```", `!no_call`, `!no_call`},
		{"```python\n# first\nget_weather(city=\"Oslo\")  # then\n\nnow()\n```", `get_weather{"city":"Oslo"} now`, ``},
		{"```\nimport tools\n```\n```\nget_weather(city=\"Oslo\")\n```", `get_weather{"city":"Oslo"}`, ``},
		{`get_weather(city=f"{home}")`, `!no_call`, `!broken_call`},
		{`search(query=x)`, `!no_call`, `!broken_call`},
		{"search(\n    query=x,\n)", `!no_call`, `!broken_call`},
		{"search(query=\"a\"\n    \"b\",\n)\nnow()", `!no_call`, `!broken_call`},
		{"search(query=x or\n    now()\n)", `!no_call`, `!no_call`},
		{`search(query="x").upper()`, `!no_call`, `!broken_call`},
		{`[search(query="x"), now]`, `!no_call`, `!broken_call`},
		{`result = search(query="x")`, `!no_call`, `!broken_call`},
		{`result == search(query="x")`, `!no_call`, `!no_call`},
		{"get_weather(city) looks up a forecast.", `!no_call`, `!no_call`},
		{`search(query="x"); now()`, `search{"query":"x"} now`, `search{"query":"x"} now`},
		{`search(query="x"); rest()`, `search{"query":"x"} rest`, `!broken_call`},
		{"def f():\n    now()", `!no_call`, `!no_call`},
		{"async def f(a, b):\n\n    now()\n", `!no_call`, `!no_call`},
		{"if sure:  # I am\n    x = 1\n    now()\nelse:\n\tnow()", `!no_call`, `!no_call`},
		{"while True:\n    now()\n", `!no_call`, `!no_call`},
		{"def f(\n    a,\n):\n    now()", `!no_call`, `!no_call`},
		{"if x == \"#\":\n    now()", `!no_call`, `!no_call`},
		{"for example:\n  ```\n  now()\n  ```\n", `now`, `now`},
		{"class A:\n    now()", `!no_call`, `!no_call`},
		{"try:\n    now()\nexcept:\n    now()", `!no_call`, `!no_call`},
		{"  for x in y:\n      now()", `!no_call`, `!no_call`},
		{"while True:\n    now()\n\nI call it:\n    search(query=\"x\")", `search{"query":"x"}`, `search{"query":"x"}`},
		{`get_weather(city=f"Oslo")`, `get_weather{"city":"Oslo"}`, ``},
		{"I use functools.reduce(f, list) here.", `!no_call`, ``},

		// No calls.
		{"[TOOL_CALLS][]", `!no_call`, ``},
		{"<tool_call>[]</tool_call>", `!no_call`, ``},
		{"<tool_call>null</tool_call>", `!broken_call`, ``},
		{"Action: None\nAction Input: None", `!no_call`, ``},
		{"Action: Finish\nAction Input: done", `!no_call`, `!no_call`},
		{"<tool_call>finish{\"a\": 1}</tool_call>\n\nAction: Finish\nAction Input: done", `finish{"a":1}`, ``},
		{"Action: f\nAction Input: {}\nAction: Finish\nAction Input: done", `f{}`, ``},
		{`{"action": "finish", "action_input": "It is 5."}`, `!no_call`, `!no_call`},
		{"", `!no_call`, ``},
		{"nil", `!no_call`, ``},
		{"42", `!no_call`, ``},
		{"Use get_weather(city) to look up a forecast.", `!no_call`, ``},
		{"Call `get_weather(city=\"Oslo\")` for that.", `!no_call`, ``},
		{"For calls I use `<tool_call>` and `</tool_call>` around JSON.", `!no_call`, ``},
		{"Wrap it in <tool_call> tags.", `!no_call`, ``},
		{"Use <get_weather> and </get_weather> for it.", `!no_call`, ``},
		{"I would use get_weather {\"city\": \"Oslo\"} for this.", `!no_call`, ``},
		{"search {query}", `!no_call`, ``},
		{"For example: `{\"name\": \"f\", \"arguments\": {\"a\": 1}}`", `!no_call`, ``},
		{`Write {"name": "...", "arguments": {...}} to call a tool.`, `!no_call`, ``},
		{"Action: I will now search for it.\nThen I stop.", `!no_call`, ``},
		{`{"name": "Ada Lovelace", "born": 1815}`, `!no_call`, ``},
		{`{"name": "Ada", "age": 3}`, `!no_call`, ``},
		{`{"name": "Ada", "input": "x"}`, `!no_call`, ``},
		{`{"action": "Final Answer", "action_input": "It is 5."}`, `!no_call`, ``},
		{`{"name": "get_weather", "description": "d", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}`, `!no_call`, ``},
		{"```python\nimport requests\nr = requests.get(url=\"x\")\nprint(\"hello\")\n```", `!no_call`, ``},
		{`{"answer": "It will rain."}`, `!no_call`, ``},

		// Broken calls.
		{`<tool_call>{"name": "f", "arguments": }</tool_call>`, `!broken_call`, ``},
		{`<tool_call>{"arguments": {"x": 1}}</tool_call>`, `!broken_call`, ``},
		{`<tool_call>I do not know</tool_call>`, `!broken_call`, ``},
		{`<tool_call>{"name": "f", "arguments": {}}</tool_call><tool_call>{"name": }</tool_call>`, `f{} !broken_call`, ``},
		{"```json\n{\"function\": \"f\", \"arguments\": {\"x\": 1}}\n```\n```json\n{\"function\": \"g\", \"arguments\": \n```", `f{"x":1} !broken_call`, ``},
		{`{"tool": "f", "name": "g", "arguments": {}}`, `!broken_call`, ``},
		{`<tool_call>f(x=y)</tool_call>`, `!broken_call`, ``},
		{`<tool_call>f(x=getenv("B"))</tool_call>`, `!broken_call`, ``},
		{`<tool_call>f(x=len([1]))</tool_call>`, `!broken_call`, ``},
		{`<tool_call>f(x=f"{y}")</tool_call>`, `!broken_call`, ``},
		{`<tool_call>f(x="/a" if y else "/b")</tool_call>`, `!broken_call`, ``},
		{`<tool_call>f(x="a" "b")</tool_call>`, `!broken_call`, ``},
		{`<tool_call>f(x="a %s" % y)</tool_call>`, `!broken_call`, ``},
		{`<tool_call>f(x=["a" "b"])</tool_call>`, `!broken_call`, ``},
		{`<tool_call>f(x=[3 -2])</tool_call>`, `!broken_call`, ``},
		{`{"name": "f", "arguments": {"x": getenv("B")}}`, `!broken_call`, ``},
		{`{"name": "f", "arguments": {"x": f"{y}"}}`, `!broken_call`, ``},
		{`{"name": "f", "arguments": {"a": 1, : 2}}`, `!broken_call`, ``},
		{"```json\n{\"name\": \"f\", \"arguments\": {}}\n```\n```json\n{\"name\": \"g\", \"arguments\": {: 1}}\n```", `f{} !broken_call`, ``},
		{`{"name": "Ada Lovelace", : 2}`, `!no_call`, ``},

		// Cut off.
		{`{"name": "f", "arguments": {"x": "ab`, `f{"x":"ab"}…`, ``},
		{`<tool_call>{"name": "f", "arguments": {"x": 1`, `f{"x":1}…`, ``},
		{`<tool_call>{"name": "f", "arguments": {"x": 1}</tool_call>`, `f{"x":1}`, ``},
		{`<tool_call>{"name": "f", "arguments": {"x": "y}}</tool_call>`, `f{"x":"y"}`, ``},
		{`<tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call><tool_call>{"name": "g", "arguments": {"x`, `f{"x":1}… g{}…`, ``},
		{`{"tool_calls": [{"function": {"name": "f", "arguments": "{\"x\": 1"}}]}`, `f{"x":1}`, ``},
		{`{"tool_calls": [{"function": {"name": "f", "arguments": "{\"x\": \"y"}}]}`, `f{"x":"y"}…`, ``},
		{"<function=f><parameter=a>1</parameter><parameter=b>2", `f{"a":1,"b":2}…`, ``},
		{`<tool_call>{"name": "f", "arguments": {}}</tool_call><tool_c`, `f{}…`, ``},
		{`<tool_call>{"name": "f", "arguments": {}}</tool_ca`, `f{}…`, ``},
		{"Action: f\nAction Input: one\nObserv", `f"one\nObserv"…`, ``},
		{`{"name": "f", "arguments": "{\"x\": \"a"}`, `f{"x":"a"}…`, ``},
		{`{"name": "now", "arguments": {}} {"name": "get_wea`, `now{}… get_wea…`, `now{}…`},
		{`f(a=1, b="x`, `f{"a":1,"b":"x"}…`, `!no_call`},
		{`[search(query="x"), no`, `search{"query":"x"}…`, `search{"query":"x"}…`},
		{"Action: now", `!no_call`, `now`},
		{"Action: now\n", `!no_call`, `now`},
		{"Action: get_weather\n", `!no_call`, `get_weather…`},
		{`[f(a=1), g(b=2)`, `f{"a":1}… g{"b":2}…`, `!no_call`},
	} {
		if got := formatRequests(repair.Requests(test.text)); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, got, test.want)
		}
		if test.known == "" {
			continue
		}
		if got := formatRequests(repair.Requests(test.text, weather, now, search)); got != test.known {
			t.Errorf("%s\n got %s\nwant %s with definitions", test.text, got, test.known)
		}
	}
}

// TestKeys checks all names that models give to the members of a call.
func TestKeys(t *testing.T) {
	for _, name := range []string{"name", "function", "action", "tool", "recipient_name", "tool_name", "function_name", "toolName"} {
		for _, arguments := range []string{"arguments", "args", "parameters", "params", "input", "action_input", "tool_input"} {
			for _, value := range []string{`{"x": 1}`, `"{\"x\": 1}"`} {
				text := `{"` + arguments + `": ` + value + `, "` + name + `": "f"}`
				if got := formatRequests(repair.Requests(text)); got != `f{"x":1}` {
					t.Errorf("%s: %s", text, got)
				}
			}
		}
	}
}

// asJSON tells a model how to write an ambiguous call.
const asJSON = `: write the call as JSON in one line, {"name": …, "arguments": {…}}, with quotes and line breaks in strings escaped`

// TestBroken checks that the errors of ambiguous calls name both readings.
func TestBroken(t *testing.T) {
	for text, want := range map[string]string{
		`{"name": "f", "arguments": {"x": 1}, "args": {"x": 2}}`:                         `1:46: the arguments of a call of f may be {"x":1} or {"x":2}`,
		`{"tool": "f", "name": "g", "arguments": {}}`:                                    `1:10: the tool of a call may be f or g`,
		`{"name": "f", "arguments": {"x": "say "hi" <tool_call>g</tool_call>"}}`:         `1:1: it is not clear where the strings in this call end` + asJSON,
		`<function=f><parameter=a>1</parameter> 2 <parameter=b>3</parameter></function>`: `1:56: this tag may be part of the value of a, or not` + asJSON,
		`<function=f><parameter=a><function=g><parameter=b>3</parameter></function>`:     `1:52: this tag may be part of the value of a, or not` + asJSON,
		"ok\n<tool_call>I do not know</tool_call>":                                       `2:12: there is no call between <tool_call> and </tool_call>` + asJSON,
		`<tool_call>f(x=y)</tool_call>`:                                                  `1:12: an argument of a call is an expression, not a value`,
	} {
		if got, err := repair.Requests(text); len(got) > 0 || err == nil || err.Error() != want {
			t.Errorf("%s: %v, %v\nwant %s", text, got, err, want)
		}
	}
}

// TestRequestsSchema checks that an unusable schema affects only its own tool.
func TestRequestsSchema(t *testing.T) {
	bad := tool.Definition{Name: "f", Input: json.RawMessage(`{"$ref": "elsewhere.json"}`)}
	for text, want := range map[string]string{
		`{"name": "f", "arguments": {"a": 1}}`:              `f{"a":1}`,
		`<function=f><parameter=a>1</parameter></function>`: `f{"a":1} !schema`,
		`<function=now></function>`:                         `now`,
		`[f(a=1), f(a=2)]`:                                  `f{"a":1} f{"a":2} !schema`,
	} {
		if got := formatRequests(repair.Requests(text, bad, now)); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestRequestsNames checks that ambiguous names are tools only if they were offered, and that a name
// at the end of the text may be the beginning of a longer one.
func TestRequestsNames(t *testing.T) {
	offered := []tool.Definition{now, {Name: "nowhere", Input: now.Input}, {Name: "finish", Input: search.Input}}
	for text, want := range map[string]string{
		"Action: now":                         `now…`,
		"Action: now\n":                       `now`,
		"Action: nowhere":                     `nowhere`,
		"Action: finish\nAction Input: done":  `finish{"query":"done"}`,
		`{"name": "finish", "arguments": {}}`: `finish{}`,
	} {
		if got := formatRequests(repair.Requests(text, offered...)); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestErrNoCall(t *testing.T) {
	if _, err := repair.Requests("Hello"); !errors.Is(err, repair.ErrNoCall) {
		t.Error(err)
	}
	if _, err := repair.Requests("<tool_call>x y</tool_call>"); errors.Is(err, repair.ErrNoCall) || err == nil {
		t.Error(err)
	}
}
