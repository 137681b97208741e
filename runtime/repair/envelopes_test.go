package repair_test

import (
	"bytes"
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

// An envelope writes calls like a family of models.
type envelope struct {
	name    string
	untyped bool // values do not show whether they are text
	write   func(calls []call) string
}

var envelopes = []envelope{
	{"array", false, func(calls []call) string { return list(calls, "arguments") }},
	{"objects in a row", false, func(calls []call) string { return joinCalls(calls, "\n", object("arguments")) }},
	{"semicolons", false, func(calls []call) string { return joinCalls(calls, "; ", object("parameters")) }},
	{"fence", false, func(calls []call) string {
		return "I will call these:\n```json\n" + list(calls, "arguments") + "\n```\n"
	}},
	{"fences", false, func(calls []call) string {
		return joinCalls(calls, "\n\n", func(c call) string { return "```\n" + object("args")(c) + "\n```" })
	}},
	{"prose", false, func(calls []call) string {
		return "I need this:\n" + joinCalls(calls, "\n", object("input"))
	}},
	{"action requests", false, func(calls []call) string {
		return `{"reason": "x", "action_requests": [` + joinCalls(calls, ",", func(c call) string {
			return `{"function": ` + quote(c.Name) + `, "arguments": ` + string(c.Arguments) + `}`
		}) + `]}`
	}},
	{"OpenAI", false, func(calls []call) string {
		return `{"tool_calls": [` + joinCalls(calls, ", ", func(c call) string {
			return `{"id": "call_1", "type": "function", "function": {"name": ` + quote(c.Name) + `, "arguments": ` + quote(string(c.Arguments)) + `}}`
		}) + `]}`
	}},
	{"OpenAI response", false, func(calls []call) string {
		return `{"output": [` + joinCalls(calls, ", ", func(c call) string {
			return `{"type": "function_call", "call_id": "x", "name": ` + quote(c.Name) + `, "arguments": ` + quote(string(c.Arguments)) + `}`
		}) + `]}`
	}},
	{"parallel", false, func(calls []call) string {
		return `{"tool_uses": [` + joinCalls(calls, ", ", func(c call) string {
			return `{"recipient_name": ` + quote("functions."+c.Name) + `, "parameters": ` + string(c.Arguments) + `}`
		}) + `]}`
	}},
	{"Anthropic blocks", false, func(calls []call) string {
		return `{"content": [{"type": "text", "text": "ok"}, ` + joinCalls(calls, ", ", func(c call) string {
			return `{"type": "tool_use", "id": "toolu_1", "name": ` + quote(c.Name) + `, "input": ` + string(c.Arguments) + `}`
		}) + `]}`
	}},
	{"Gemini", false, func(calls []call) string {
		return `[` + joinCalls(calls, ", ", func(c call) string { return `{"functionCall": ` + object("args")(c) + `}` }) + `]`
	}},
	{"Bedrock", false, func(calls []call) string {
		return joinCalls(calls, "\n", func(c call) string {
			return `{"toolUse": {"toolUseId": "x", "name": ` + quote(c.Name) + `, "input": ` + string(c.Arguments) + `}}`
		})
	}},
	{"Hermes", false, func(calls []call) string {
		return joinCalls(calls, "\n", func(c call) string { return "<tool_call>\n" + object("arguments")(c) + "\n</tool_call>" })
	}},
	{"Hermes in Python", false, func(calls []call) string {
		return joinCalls(calls, "\n", func(c call) string {
			return "<tool_call>\n{'name': " + python(c.Name) + ", 'arguments': " + python(decode(c.Arguments)) + "}\n</tool_call>"
		})
	}},
	{"Hermes short", false, func(calls []call) string {
		return joinCalls(calls, "\n", func(c call) string {
			text := object("arguments")(c)
			return "<tool_call>\n" + text[:len(text)-1] + "\n</tool_call>"
		})
	}},
	{"Qwen coder", true, func(calls []call) string {
		return joinCalls(calls, "\n", func(c call) string {
			return "<tool_call>\n<function=" + c.Name + ">\n" + elements(c, "<parameter=%s>\n%s\n</parameter>\n") + "</function>\n</tool_call>"
		})
	}},
	{"Seed", true, func(calls []call) string {
		return "<seed:tool_call>" + joinCalls(calls, "", func(c call) string {
			return "<function=" + c.Name + ">" + elements(c, "<parameter=%s>%s</parameter>") + "</function>"
		}) + "</seed:tool_call>"
	}},
	{"Qwen agent", false, func(calls []call) string {
		return joinCalls(calls, "\n", func(c call) string { return "✿FUNCTION✿: " + c.Name + "\n✿ARGS✿: " + string(c.Arguments) }) + "\n✿RESULT✿"
	}},
	{"Mistral", false, func(calls []call) string { return "[TOOL_CALLS]" + list(calls, "arguments") + "</s>" }},
	{"Mistral v11", false, func(calls []call) string {
		return joinCalls(calls, "", func(c call) string { return "[TOOL_CALLS]" + c.Name + "[ARGS]" + string(c.Arguments) })
	}},
	{"Mistral v13", false, func(calls []call) string {
		return joinCalls(calls, "", func(c call) string {
			return "[TOOL_CALLS]" + c.Name + "[CALL_ID]a1B2c3D4e[ARGS]" + string(c.Arguments)
		})
	}},
	{"Llama 3", false, func(calls []call) string {
		return "<|python_tag|>" + joinCalls(calls, "; ", object("parameters")) + "<|eom_id|>"
	}},
	{"Llama tags", false, func(calls []call) string {
		return joinCalls(calls, "", func(c call) string { return "<function=" + c.Name + ">" + string(c.Arguments) + "</function>" })
	}},
	{"Llama built in", false, func(calls []call) string {
		return joinCalls(calls, "", func(c call) string { return "<|python_tag|>" + strings.Replace(pythonCall(c), "(", ".call(", 1) })
	}},
	{"Llama 4", false, func(calls []call) string {
		return "<|python_start|>[" + joinCalls(calls, ", ", pythonCall) + "]<|python_end|>"
	}},
	{"pythonic", false, func(calls []call) string { return "[" + joinCalls(calls, ", ", pythonCall) + "]" }},
	{"Python lines", false, func(calls []call) string { return joinCalls(calls, "\n", pythonCall) }},
	{"tool code", false, func(calls []call) string {
		return "Now:\n```tool_code\n" + joinCalls(calls, "\n", func(c call) string { return "print(default_api." + pythonCall(c) + ")" }) + "\n```"
	}},
	{"LFM", false, func(calls []call) string {
		return "<|tool_call_start|>[" + joinCalls(calls, ", ", pythonCall) + "]<|tool_call_end|>"
	}},
	{"OLMo", false, func(calls []call) string {
		return "<function_calls>" + joinCalls(calls, "\n", pythonCall) + "</function_calls>"
	}},
	{"DeepSeek V3", false, func(calls []call) string {
		return "<｜tool▁calls▁begin｜>" + joinCalls(calls, "\n", func(c call) string {
			return "<｜tool▁call▁begin｜>function<｜tool▁sep｜>" + c.Name + "\n```json\n" + string(c.Arguments) + "\n```<｜tool▁call▁end｜>"
		}) + "<｜tool▁calls▁end｜>"
	}},
	{"DeepSeek V3.1", false, func(calls []call) string {
		return "<｜tool▁calls▁begin｜>" + joinCalls(calls, "", func(c call) string {
			return "<｜tool▁call▁begin｜>" + c.Name + "<｜tool▁sep｜>" + string(c.Arguments) + "<｜tool▁call▁end｜>"
		}) + "<｜tool▁calls▁end｜>"
	}},
	{"DeepSeek V3.2", true, func(calls []call) string {
		return "<｜DSML｜function_calls>\n" + joinCalls(calls, "\n", func(c call) string {
			return "<｜DSML｜invoke name=\"" + c.Name + "\">\n" + elements(c, "<｜DSML｜parameter name=\"%s\">%s</｜DSML｜parameter>\n") + "</｜DSML｜invoke>"
		}) + "\n</｜DSML｜function_calls>"
	}},
	{"Kimi", false, func(calls []call) string {
		return "<|tool_calls_section_begin|>" + joinCalls(calls, "", func(c call) string {
			return "<|tool_call_begin|>functions." + c.Name + ":0<|tool_call_argument_begin|>" + string(c.Arguments) + "<|tool_call_end|>"
		}) + "<|tool_calls_section_end|>"
	}},
	{"GLM", true, func(calls []call) string {
		return joinCalls(calls, "\n", func(c call) string {
			return "<tool_call>" + c.Name + "\n" + elements(c, "<arg_key>%s</arg_key>\n<arg_value>%s</arg_value>\n") + "</tool_call>"
		})
	}},
	{"Granite", false, func(calls []call) string { return "<|tool_call|>" + list(calls, "arguments") }},
	{"Granite code", false, func(calls []call) string {
		return joinCalls(calls, "\n", func(c call) string { return "<function_call> " + object("arguments")(c) })
	}},
	{"Jamba", false, func(calls []call) string { return "<tool_calls>" + list(calls, "arguments") + "</tool_calls>" }},
	{"MiniMax M1", false, func(calls []call) string {
		return "<tool_calls>\n" + joinCalls(calls, "\n", object("arguments")) + "\n</tool_calls>"
	}},
	{"MiniMax M2", true, func(calls []call) string {
		return "<minimax:tool_call>\n" + joinCalls(calls, "\n", anthropic) + "\n</minimax:tool_call>"
	}},
	{"Anthropic", true, func(calls []call) string {
		return "<function_calls>\n" + joinCalls(calls, "\n", anthropic) + "\n</function_calls>"
	}},
	{"Anthropic old", true, func(calls []call) string {
		return "<function_calls>\n" + joinCalls(calls, "\n", func(c call) string {
			return "<invoke>\n<tool_name>" + c.Name + "</tool_name>\n<parameters>\n" + elements(c, "<%[1]s>%[2]s</%[1]s>\n") + "</parameters>\n</invoke>"
		}) + "\n</function_calls>"
	}},
	{"Step", true, func(calls []call) string {
		return "<｜tool_calls_begin｜>" + joinCalls(calls, "", func(c call) string {
			return "<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"" + c.Name + "\">" +
				elements(c, "<steptml:parameter name=\"%s\">%s</steptml:parameter>") + "</steptml:invoke><｜tool_call_end｜>"
		}) + "<｜tool_calls_end｜>"
	}},
	{"InternLM", false, func(calls []call) string {
		return joinCalls(calls, "", func(c call) string {
			return "<|action_start|><|plugin|>\n" + object("parameters")(c) + "<|action_end|>"
		})
	}},
	{"Phi", false, func(calls []call) string { return "functools" + list(calls, "arguments") }},
	{"Nemotron", false, func(calls []call) string { return "<TOOLCALL>" + list(calls, "arguments") + "</TOOLCALL>" }},
	{"Cohere", false, func(calls []call) string {
		return "<|START_ACTION|>[" + joinCalls(calls, ",", func(c call) string {
			return `{"tool_call_id": "0", "tool_name": ` + quote(c.Name) + `, "parameters": ` + string(c.Arguments) + `}`
		}) + "]<|END_ACTION|>"
	}},
	{"Cohere old", false, func(calls []call) string {
		return "Action: ```json\n[" + joinCalls(calls, ",", func(c call) string {
			return `{"tool_name": ` + quote(c.Name) + `, "parameters": ` + string(c.Arguments) + `}`
		}) + "]\n```"
	}},
	{"Apertus", false, func(calls []call) string {
		return "<|tools_prefix|>[" + joinCalls(calls, ", ", func(c call) string { return `{` + quote(c.Name) + `: ` + string(c.Arguments) + `}` }) + "]<|tools_suffix|>"
	}},
	{"FunctionGemma", false, func(calls []call) string {
		return joinCalls(calls, "", func(c call) string {
			return "<start_function_call>call:" + c.Name + gemma(decode(c.Arguments)) + "<end_function_call>"
		})
	}},
	{"gpt-oss", false, func(calls []call) string {
		return joinCalls(calls, "", func(c call) string {
			return "<|start|>assistant<|channel|>commentary to=functions." + c.Name + " <|constrain|>json<|message|>" + string(c.Arguments) + "<|call|>"
		})
	}},
	{"HyperCLOVA", false, func(calls []call) string { return " -> tool/function_call\n" + list(calls, "arguments") + "<|im_end|>" }},
	{"ReAct", false, func(calls []call) string {
		return "Thought: now\n" + joinCalls(calls, "\n", func(c call) string {
			return "Action: " + c.Name + "\nAction Input: " + string(c.Arguments)
		}) + "\nObservation: done"
	}},
	{"LangChain", false, func(calls []call) string {
		return joinCalls(calls, "\n", func(c call) string {
			return "Action:\n```\n{\"action\": " + quote(c.Name) + ", \"action_input\": " + string(c.Arguments) + "}\n```"
		})
	}},
	{"Qwen coder in a line", true, func(calls []call) string {
		return joinCalls(calls, "", func(c call) string {
			return "<tool_call><function=" + c.Name + ">" + elements(c, "<parameter=%s>%s</parameter>") + "</function></tool_call>"
		})
	}},
	{"GLM in a line", true, func(calls []call) string {
		return joinCalls(calls, "", func(c call) string {
			return "<tool_call>" + c.Name + elements(c, "<arg_key>%s</arg_key><arg_value>%s</arg_value>") + "</tool_call>"
		})
	}},
	{"Anthropic in a line", true, func(calls []call) string {
		return joinCalls(calls, "", func(c call) string {
			return "<invoke name=\"" + c.Name + "\">" + elements(c, "<parameter name=\"%s\">%s</parameter>") + "</invoke>"
		})
	}},
	{"indented JSON", false, func(calls []call) string {
		return joinCalls(calls, "\n", func(c call) string {
			var b bytes.Buffer
			if err := json.Indent(&b, []byte(object("arguments")(c)), "", "  "); err != nil {
				panic(err)
			}
			return b.String()
		})
	}},
	{"Python in double quotes", false, func(calls []call) string { return joinCalls(calls, "\n", callWith(doubleQuoted)) }},
	{"Python in three quotes", false, func(calls []call) string { return "[" + joinCalls(calls, ",\n ", callWith(tripleQuoted)) + "]" }},
	{"tool code in three quotes", false, func(calls []call) string {
		return "```tool_code\n" + joinCalls(calls, "\n", callWith(tripleQuoted)) + "\n```"
	}},
}

func joinCalls(calls []call, separator string, write func(call) string) string {
	words := make([]string, len(calls))
	for i, c := range calls {
		words[i] = write(c)
	}
	return strings.Join(words, separator)
}

func object(arguments string) func(call) string {
	return func(c call) string {
		return `{"name": ` + quote(c.Name) + `, "` + arguments + `": ` + string(c.Arguments) + `}`
	}
}

func list(calls []call, arguments string) string {
	return "[" + joinCalls(calls, ", ", object(arguments)) + "]"
}

func anthropic(c call) string {
	return "<invoke name=\"" + c.Name + "\">\n" + elements(c, "<parameter name=\"%s\">%s</parameter>\n") + "</invoke>"
}

func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// elements writes the arguments as elements: strings unescaped, other values as JSON.
func elements(c call, format string) string {
	var b strings.Builder
	members(c.Arguments, func(key string, value json.RawMessage) {
		text := string(value)
		if s, ok := decode(value).(string); ok {
			text = s
		}
		fmt.Fprintf(&b, format, key, text)
	})
	return b.String()
}

// members calls f for every member of an object, in order.
func members(object json.RawMessage, f func(key string, value json.RawMessage)) {
	d := json.NewDecoder(strings.NewReader(string(object)))
	d.Token()
	for d.More() {
		key, _ := d.Token()
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			panic(err)
		}
		f(key.(string), value)
	}
}

func pythonCall(c call) string {
	var words []string
	members(c.Arguments, func(key string, value json.RawMessage) { words = append(words, key+"="+python(decode(value))) })
	return c.Name + "(" + strings.Join(words, ", ") + ")"
}

// callWith writes a call like Python, with a custom function for strings.
func callWith(write func(string) string) func(call) string {
	return func(c call) string {
		var words []string
		members(c.Arguments, func(key string, value json.RawMessage) {
			text := python(decode(value))
			if s, ok := decode(value).(string); ok {
				text = write(s)
			}
			words = append(words, key+"="+text)
		})
		return c.Name + "(" + strings.Join(words, ", ") + ")"
	}
}

func doubleQuoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s) + `"`
}

// tripleQuoted writes lines unchanged in triple quotes.
func tripleQuoted(s string) string {
	return `"""` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", `\r`).Replace(s) + `"""`
}

// python writes a value like Python's repr.
func python(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case string:
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(v) + "'"
	case []any:
		words := make([]string, len(v))
		for i, e := range v {
			words[i] = python(e)
		}
		return "[" + strings.Join(words, ", ") + "]"
	case map[string]any:
		var words []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			words = append(words, python(key)+": "+python(v[key]))
		}
		return "{" + strings.Join(words, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// gemma writes a value with unquoted names and special marks around text.
func gemma(v any) string {
	switch v := v.(type) {
	case []any:
		words := make([]string, len(v))
		for i, e := range v {
			words[i] = gemma(e)
		}
		return "[" + strings.Join(words, ",") + "]"
	case map[string]any:
		var words []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			words = append(words, key+":"+gemma(v[key]))
		}
		return "{" + strings.Join(words, ",") + "}"
	case string:
		return "<escape>" + v + "<escape>"
	}
	return python(v)
}

// TestEnvelopes writes all reference calls in each envelope and reads them back. Without definitions,
// the types of text in XML are unknown.
func TestEnvelopes(t *testing.T) {
	t.Parallel()
	for i, e := range envelopes {
		references := sample(i, references())
		read, blind := 0, 0
		for _, r := range references {
			text := e.write(r.Calls)
			got, err := repair.Requests(text, r.definitions()...)
			problem := describeDifference(got, r.Calls, false)
			if err == nil && problem == "" {
				read++
			} else if len(references)-read < 5 {
				t.Errorf("%s: %s: %s, %v\n%s", e.name, r.ID, problem, err, text)
			}
			if got, err := repair.Requests(text); err == nil && describeDifference(got, r.Calls, false) == "" {
				blind++
			}
		}
		t.Logf("%-18s %d of %d, without definitions %d", e.name, read, len(references), blind)
		if read < len(references) || blind < len(references) && !e.untyped || 100*blind < 90*len(references) {
			t.Errorf("%s: %d, without definitions %d of %d", e.name, read, blind, len(references))
		}
	}
}

// TestEnvelopesUnescaped puts text that models forget to escape into the first string of each
// reference call, in each envelope with types.
func TestEnvelopesUnescaped(t *testing.T) {
	t.Parallel()
	value := regexp.MustCompile(`(": )"([^"\\]+)"`)
	const placeholder = "@@"
	for i, e := range envelopes {
		for j, unescaped := range []string{`say "x y" now`, `a 24" screen`, `x = {"k": "v"}`, "one\ntwo", `first, "second"`} {
			right, count := 0, 0
			for _, r := range sample(i+j, references()) {
				put := func(text string) (calls []call) {
					for _, c := range r.Calls {
						if at := value.FindSubmatchIndex(c.Arguments); at != nil {
							c.Arguments = slices.Replace(slices.Clone(c.Arguments), at[4], at[5], []byte(text)...)
						}
						calls = append(calls, c)
					}
					return calls
				}
				text := e.write(put(placeholder))
				if e.untyped || strings.Contains(text, `\"`) || strings.Contains(e.name, "quotes") {
					continue // it is escaped there, or is Python, which has expressions
				}
				meant := quote(unescaped)
				got, err := repair.Requests(strings.ReplaceAll(text, placeholder, unescaped), r.definitions()...)
				if count++; err == nil && describeDifference(got, put(meant[1:len(meant)-1]), false) == "" {
					right++
				}
			}
			if right < count {
				t.Errorf("%s, %s: %d of %d", e.name, unescaped, right, count)
			}
		}
	}
}

// TestEnvelopesCut truncates replies at every byte. A call that is not marked as truncated must be the
// complete call.
func TestEnvelopesCut(t *testing.T) {
	t.Parallel()
	for i, e := range envelopes {
		references := sample(i, references())
		wrong := 0
		for i := 0; i < len(references); i += 60 {
			r := references[i]
			text := e.write(r.Calls)
			for end := range len(text) {
				got, _ := repair.Requests(text[:end], r.definitions()...)
				for j, g := range got {
					if g.Truncated {
						continue
					}
					if j >= len(r.Calls) || describeDifference([]tool.Request{g}, r.Calls[j:j+1], false) != "" {
						if wrong++; wrong < 4 {
							t.Errorf("%s: %s\n%s", e.name, text[:end], formatRequests(got, nil))
						}
					}
				}
			}
		}
	}
}

// FuzzCut truncates a call with a text among its arguments, in each envelope. Unless it is marked, it
// must be the call that was written.
func FuzzCut(f *testing.F) {
	for i, text := range []string{"x", `a "b", 'c'`, "{\"a\": [1]}", "</tool_call>", "</parameter>", "f(a=1)", "```\nx\n```", `\d`, "<think>", "</think>", "Observation: x", "}]", "a\nb: c"} {
		f.Add(text, uint8(i), uint16(40+i))
	}
	definition := tool.Definition{Name: "send", Input: json.RawMessage(`{"type": "object", "properties": {"to": {"type": "string"}, "text": {"type": "string"}, "n": {"type": "integer"}}}`)}
	f.Fuzz(func(t *testing.T, text string, i uint8, end uint16) {
		if !utf8.ValidString(text) {
			return
		}
		e := envelopes[int(i)%len(envelopes)]
		if e.untyped && (strings.ContainsAny(text, "<\r\n") || strings.TrimSpace(text) == "") {
			return // text in elements has no escapes
		}
		if strings.Contains(text, "<escape>") {
			return // nor has text between these marks
		}
		whole := call{"send", json.RawMessage(`{"to": "x@y.z", "text": ` + quote(text) + `, "n": 3}`)}
		written := e.write([]call{whole})
		got, err := repair.Requests(written[:min(int(end), len(written))], definition)
		for _, g := range got {
			if !g.Truncated && describeDifference([]tool.Request{g}, []call{whole}, false) != "" {
				t.Fatalf("%s: %s: %s%s, %v", e.name, written[:min(int(end), len(written))], g.Name, g.Arguments, err)
			}
		}
	})
}
