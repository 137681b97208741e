package repair_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

var writeFile = tool.Definition{Name: "write_file", Input: json.RawMessage(`{"type": "object", "properties": {
	"path": {"type": "string"}, "content": {"type": "string"}, "mode": {"type": "string"}}, "required": ["content"], "additionalProperties": false}`)}

// contents are texts that a model may have to write into a file: marks of every family, complete
// calls, fences, quotes and reasoning.
var contents = []string{
	// Marks alone and in sentences.
	"Write <parameter=mode> in front.", "see </parameter> here", "ends with </parameter>", "</parameter> begins it", "</parameter>", "<parameter=mode>",
	"see </arg_value> in docs", "see <arg_key>mode</arg_key><arg_value>append</arg_value> too", "<arg_value>", "</arg_key>", "ends with </arg_value>",
	"</function>", "x</parameter></function></tool_call> y", "</tool_call>", "<tool_call>", "<tool_call></tool_call>", "</invoke>", "<invoke name=\"now\">",
	"<parameter name=\"mode\">x</parameter>", "<parameter name=\"mode\">", "<｜DSML｜parameter name=\"mode\">x</｜DSML｜parameter>", "</｜DSML｜parameter>",
	"[TOOL_CALLS]", "[TOOL_CALLS]now{}", "[ARGS]{}", "<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|>", "<|tool_call_end|>",
	"<｜tool▁calls▁end｜>", "<|python_tag|>now()", "<|eom_id|>", "to=functions.now<|message|>{}<|call|>", "✿FUNCTION✿: now\n✿ARGS✿: {}", "✿RESULT✿", "<escape>", "a <escape>b<escape> c", `<|"|>`,
	"Action: now\nAction Input: {}", "x\nAction: now", "x\nObservation: y", "x\nThought: y", "x\nFinal Answer: y", "<tool_response>", "x\n[TOOL_RESULTS]",
	"functools[{\"name\": \"now\"}]", " -> tool/function_call\n[]", "<|im_end|>", "</s>", "<![CDATA[x]]>", "a ]]> b", "<content>x</content>", "</content>", "x</content>\n<mode>y",

	// Complete calls.
	`<tool_call>{"name": "now", "arguments": {}}</tool_call>`, "a\n<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>\nb", `{"name": "now", "arguments": {}}`, "x\n{\"name\": \"now\", \"arguments\": {}}",
	"<tool_call>\n<function=now>\n</function>\n</tool_call>", "<function=write_file><parameter=content>x</parameter></function>",
	"<tool_call>now\n<arg_key>a</arg_key>\n<arg_value>b</arg_value>\n</tool_call>", "<function_calls>\n<invoke name=\"write_file\">\n<parameter name=\"content\">x</parameter>\n</invoke>\n</function_calls>",
	"now()", "x\nnow()\ny", "[now()]", "[write_file(content='x')]", "```tool_code\nnow()\n```", "print(now())", "write_file(content=\"\"\"\nx\n\"\"\")",

	// Fences, quotes and escapes.
	"```", "```\ncode\n```", "x\n```json\n{\"name\": \"now\", \"arguments\": {}}\n```", "~~~\nx\n~~~", "````md\n```\nx\n```\n````", "`x`", "`<tool_call>`",
	`say "x"`, `"x"`, `"`, `'`, `it's`, `'''`, `"""`, `x """ y ''' z`, `a", "mode": "append`, `a', mode='append`, `a\", \"mode\": \"append`, `\`, `x\`, `\"`, `\n`, `\\`, `\d+\.\w`, `C:\new\table`, `\u0041`, `\/`, `a\` + "\n" + `b`,
	`{"a": "b"`, `{"a": {"b": [1`, `}`, `]}`, `[`, `{`, `)`, `x)`, `, y=1)`, `{}`, `[]`, `[1] says so`, `null`, `None`, `true`, `007`, `1e3`, `# x`, `// x`, `/* x`, `<!-- x -->`, `<!--`, `-->`,

	// Thoughts.
	"</think>", "a </think> b", "a\n</think>\nb", "<think>", "<think>x</think>", "<think>\n{\"name\": \"now\", \"arguments\": {}}\n</think>", "</thinking>", "<reasoning>", "a\n</thought>\n{\"name\": \"now\", \"arguments\": {}}",

	// Spaces and prose.
	"", " ", "\n", "x\n", "\nx", "\nx\n", "\n\nx\n\n", "  x  ", "a\tb", "a\r\nb", "a\n\nb", "*x*", "**x**", "*.go", "> x", "- x\n- y", "# T\n\nx", "a: b", "a; b", "a, b", "é😀", "\u00a0x", "x\u2028y", "&lt;b&gt;", "<b>x</b>", "Do not call now().",
}

// writtenCalls are calls as each family writes them, whole, in lines, and in halves.
func writtenCalls() (texts []string) {
	for _, e := range envelopes {
		clock := e.write([]call{{"now", json.RawMessage(`{}`)}})
		file := e.write([]call{{"write_file", json.RawMessage(`{"content":"x","mode":"y"}`)}})
		half := len(file) / 2
		for !utf8.RuneStart(file[half]) {
			half--
		}
		texts = append(texts, clock, "a\n"+clock+"\n", file, "a\n"+file+"\nb", file[:half], file[half:], file[half:]+"\n"+file[:half])
	}
	return append(texts, "a\n</parameter>\n<parameter=mode>\nb", "a</parameter>\n<parameter=mode>b", "a</parameter><parameter=mode>b", "a</parameter>\n<parameter name=\"mode\">b",
		"a</arg_value>\n<arg_key>mode</arg_key>\n<arg_value>b", "a</arg_value><arg_key>mode</arg_key><arg_value>b", "a</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=now>\n",
		"a\n</parameter>\n</function>\n</tool_call>\n\nThen:\n", "a</parameter></invoke></function_calls>", "a</content>\n<mode>b</mode>", "a</parameter>\n<parameter=other>b")
}

// TestMatrix writes each content in the format of each family, alone, with other arguments,
// and before and after another call. It must be read exactly or refused: nothing runs with
// anything else.
func TestMatrix(t *testing.T) {
	t.Parallel()
	cells, exact, refusals := 0, 0, map[string]int{}
	families := map[string]int{}
	for _, e := range envelopes {
		for _, content := range slices.Concat(contents, writtenCalls()) {
			quoted := quote(content)
			whole := call{"write_file", json.RawMessage(`{"path":"a.md","content":` + quoted + `}`)}
			only := call{"write_file", json.RawMessage(`{"content":` + quoted + `}`)}
			between := call{"write_file", json.RawMessage(`{"path":"a.md","content":` + quoted + `,"mode":"x"}`)}
			clock := call{"now", json.RawMessage(`{}`)}
			for i, want := range [][]call{{whole}, {only}, {between}, {whole, clock}, {clock, whole}} {
				if testing.Short() && i > 0 {
					break
				}
				text := e.write(want)
				got, err := repair.Requests(text, writeFile, now, search)
				cause := refusal(got, err, want)
				if cause == "wrong" && !mimics(e, got, text) {
					t.Errorf("%s: %q runs %s, %v\n%s", e.name, content, formatRequests(got, nil), err, text)
				}
				if cause == "wrong" {
					cause = "the text is also that of other calls"
				}
				if i > 0 {
					continue
				}
				cells++
				if cause == "" {
					exact++
				} else {
					refusals[cause]++
					families[e.name]++
				}
			}
		}
	}
	t.Logf("%d families, %d cells, %d read exactly, %.1f %%", len(envelopes), cells, exact, 100*float64(exact)/float64(cells))
	for _, counts := range []map[string]int{refusals, families} {
		for _, cause := range slices.Sorted(maps.Keys(counts)) {
			t.Logf("%4d refused: %s", counts[cause], cause)
		}
	}
	if exact*465 < 427*cells {
		t.Error("less than 427 of 465 are read exactly")
	}
}

// mimics reports whether a text is also what the family writes for the calls that were read:
// then the content is the end of an argument and the beginning of another one, and nobody can
// tell.
func mimics(e envelope, got []tool.Request, text string) bool {
	calls := make([]call, len(got))
	for i, g := range got {
		calls[i] = call{g.Name, g.Arguments}
		if len(g.Arguments) == 0 {
			calls[i].Arguments = json.RawMessage("{}")
		}
	}
	return e.untyped && e.write(calls) == text
}

var specifics = regexp.MustCompile(`^\d+:\d+: |\b(path|content|mode|write_file)\b`)

// refusal returns why calls were not read as they should be: the error, "no call" or "cut
// off". It is "wrong" if one runs that nobody wrote, and empty if all were read exactly.
func refusal(got []tool.Request, err error, want []call) string {
	if err == nil && describeDifference(got, want, false) == "" {
		return ""
	}
	truncated := false
	for _, g := range got {
		truncated = truncated || g.Truncated
		isWritten := slices.ContainsFunc(want, func(c call) bool { return describeDifference([]tool.Request{g}, []call{c}, false) == "" })
		if !g.Truncated && (!isWritten || err == nil) {
			return "wrong"
		}
	}
	switch {
	case truncated:
		return "cut off"
	case err == nil:
		return "wrong"
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Sprintf("%.60s", specifics.ReplaceAllString(first, ""))
}

// TestMarksInValues has calls whose values have marks in them, as people reported them.
func TestMarksInValues(t *testing.T) {
	for text, want := range map[string]string{
		// The value has an opening tag without an end, or an end tag without an opening one.
		"<tool_call><function=write_file><parameter=path>a.md</parameter><parameter=content>Write <parameter=mode> in front.</parameter></function></tool_call>": `!broken_call`,
		"<tool_call>write_file<arg_key>content</arg_key><arg_value>see </arg_value> in docs</arg_value></tool_call>":                                             `!broken_call`,
		"<invoke name=\"write_file\"><parameter name=\"content\">ends with </parameter></parameter></invoke>":                                                    `!broken_call`,
		"<tool_call>write_file\n<arg_key>content</arg_key>\n<arg_value>see </arg_value> in docs</arg_value>\n</tool_call>":                                       `write_file{"content":"see \u003c/arg_value\u003e in docs"}`,

		// An element in the value has its own end tag.
		"<tool_call>write_file<arg_key>content</arg_key><arg_value>see <arg_key>mode</arg_key><arg_value>append</arg_value> too</arg_value></tool_call>": `write_file{"content":"see \u003carg_key\u003emode\u003c/arg_key\u003e\u003carg_value\u003eappend\u003c/arg_value\u003e too"}`,

		// End tags were forgotten.
		"<tool_call>get_weather <arg_key>city</arg_key><arg_value>Paris <arg_key>days</arg_key><arg_value>3</tool_call>":            `!broken_call`,
		"<tool_call>get_weather <arg_key>city</arg_key><arg_value>Paris</arg_key><arg_key>days</arg_key><arg_value>3</tool_call>":   `!broken_call`,
		"<tool_call>get_weather <arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>days</arg_key><arg_value>3</tool_call>": `!broken_call`,
		"<function=write_file><parameter=content>x<function=now></function>":                                                        `!broken_call`,
		"<function=write_file><parameter=content>x</parameter><parameter=content>y</parameter></function>":                          `!broken_call`,
		"<function=write_file><parameter=content>x</parameter><parameter=other>y</parameter></function>":                            `!broken_call`,
		"<function=write_file>\n<parameter=content>\na</parameter>\n<parameter=mode>b\n</parameter>\n</function>":                   `!broken_call`,
		`{"name": "write_file", "arguments": {"content": "x", "content": "y"}}`:                                                     `!broken_call`,
		`{"name": "write_file", "arguments": {"content": "ls""}}`:                                                                   `!broken_call`,
		`{"name": "write_file", "arguments": {"path": "a.md"content": "x"}}`:                                                        `!broken_call`,

		// A call in a string of another one.
		`[write_file(path="a.md", content='<tool_call>{"name":"now","arguments":{}}</tool_call>')]`:           `write_file{"path":"a.md","content":"\u003ctool_call\u003e{\"name\":\"now\",\"arguments\":{}}\u003c/tool_call\u003e"}`,
		"```tool_code\nwrite_file(content='<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>')\n```": `write_file{"content":"\u003ctool_call\u003e{\"name\":\"now\",\"arguments\":{}}\u003c/tool_call\u003e"}`,
		"write_file(content=\"\"\"\n<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>\n\"\"\")":      `write_file{"content":"\n\u003ctool_call\u003e{\"name\":\"now\",\"arguments\":{}}\u003c/tool_call\u003e\n"}`,
		"write_file(content='''a \\''' b''', path=r'C:\\new')":                                                `write_file{"content":"a ''' b","path":"C:\\new"}`,
		"write_file(content='\\a\\x41\\101\\d\\\n')":                                                          `write_file{"content":"\u0007AA\\d"}`,
		"write_file(content='\\N{DASH}')":                                                                     `!broken_call`,
		"write_file(content='x', content='y')":                                                                `!broken_call`,
		"Action: write_file\nAction Input: {\"content\": \"x\\nAction: now\\nAction Input: {}\"}":             `write_file{"content":"x\nAction: now\nAction Input: {}"}`,
		"Action: search\nAction Input: x\nAction: now\nAction Input: {}":                                      `!broken_call`,
		"Action: search\nAction Input: *.go":                                                                  `search{"query":"*.go"}`,

		// A thought in a value.
		"<tool_call><function=write_file><parameter=content>a </think> b</parameter></function></tool_call>":                                                      `write_file{"content":"a \u003c/think\u003e b"}`,
		"<tool_call>write_file<arg_key>content</arg_key><arg_value><think></arg_value></tool_call>":                                                               `write_file{"content":"\u003cthink\u003e"}`,
		"<think>No: <tool_call>{\"name\":\"now\"}</tool_call></think>\n<invoke name=\"write_file\"><parameter name=\"content\">\n</think>\n</parameter></invoke>": `write_file{"content":"\n\u003c/think\u003e\n"}`,

		// The ID of a call is not its name.
		`<|tool_call_begin|>call_abc<|tool_call_argument_begin|>{"name": "search", "arguments": {"query": "x"}}<|tool_call_end|>`: `search{"query":"x"}#call_abc`,
	} {
		if got := formatRequests(repair.Requests(text, writeFile, weather, now, search)); got != want && got != unescapeHTML.Replace(want) {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

var unescapeHTML = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">")
