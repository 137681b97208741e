package repair_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/aiongen/aiongen/runtime/repair"
)

func ExampleRequestsAlone() {
	const call = `{"name": "now", "arguments": {}}`
	for _, text := range []string{"<think>What time is it?</think>\n" + call, "To know the time, I would write " + call} {
		requests, err := repair.RequestsAlone(text)
		fmt.Println(requests, err)
	}
	// Output:
	// [now({})] <nil>
	// [] there is no tool call in the text
}

// TestRequestsAlone has texts that are calls, and those that only have some.
func TestRequestsAlone(t *testing.T) {
	for text, want := range map[string]string{
		`{"name": "f", "arguments": {}}`:                                                                                                                `f{}`,
		" [{\"name\": \"f\", \"arguments\": {}}, {\"name\": \"now\"}] \n":                                                                               `f{} now`,
		`{"name": "f", "arguments": {}}; {"name": "g", "arguments": {}}`:                                                                                `f{} g{}`,
		"```json\n{\"name\": \"f\", \"arguments\": {}}\n```":                                                                                            `f{}`,
		"```\n{\"name\": \"f\", \"arguments\": {}}\n```\n\n```tool_call\n{\"name\": \"now\"}\n```":                                                      `f{} now`,
		"<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>\n<tool_call>now</tool_call>":                                                   `f{} now`,
		"<think>Hm.</think>\n\n<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call><|im_end|>":                                                   `f{}`,
		"Hm, I have to call {\"name\": \"g\"}.</think>{\"name\": \"f\", \"arguments\": {}}":                                                             `f{}`,
		"<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"a\": 1}<|tool_call_end|><|tool_calls_section_end|>": `f{"a":1}`,
		"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\"a\": 1}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>":                     `f{"a":1}`,
		`[TOOL_CALLS][{"name": "f", "arguments": {}}]</s>`:                                                                                              `f{}`,
		`<|python_tag|>{"name": "f", "parameters": {}}<|eom_id|>`:                                                                                       `f{}`,
		`[get_weather(city="Oslo"), now()]`:                                                                                                             `get_weather{"city":"Oslo"} now`,
		"get_weather(city=\"Oslo\")\nnow()":                                                                                                             `get_weather{"city":"Oslo"} now`,
		"```python\nnow()\n```":                                                                                                                         `now`,
		"<function=get_weather><parameter=city>Oslo</parameter></function>":                                                                             `get_weather{"city":"Oslo"}`,
		"<tool_call>now</tool_call><tool_response>7</tool_response>It is seven.":                                                                        `now`,
		"<get_weather>\n<city>Oslo</city>\n</get_weather>":                                                                                              `get_weather{"city":"Oslo"}`,
		"I would send {\"name\": \"f\", \"arguments\": {}}":                                                                                             `!no_call`,
		"{\"name\": \"f\", \"arguments\": {}} would do it.":                                                                                             `!no_call`,
		"{\"name\": \"f\", \"arguments\": {}}\nand then\n{\"name\": \"g\", \"arguments\": {}}":                                                          `!no_call`,
		"Like this:\n```json\n{\"name\": \"f\", \"arguments\": {}}\n```":                                                                                `!no_call`,
		"<tool_call>now</tool_call>\nThis asks for the time.":                                                                                           `!no_call`,
		"Never write `<tool_call>now</tool_call>`.\n<tool_call>now</tool_call>":                                                                         `!no_call`,
		"[get_weather(city=\"Oslo\")] is how.":                                                                                                          `!no_call`,
		"```python\ncity = \"Oslo\"\nget_weather(city)\n```\n<tool_call>now</tool_call>":                                                                `!no_call`,
		"{\"answer\": 7}\n{\"name\": \"f\", \"arguments\": {}}":                                                                                         `!no_call`,
		"It is seven.": `!no_call`,
		"":             `!no_call`,
	} {
		if got := written(repair.RequestsAlone(text, weather, now)); got != want {
			t.Errorf("%s\nis %s, want %s", text, got, want)
		}
	}
}

// TestRequestsAloneAgrees: what is alone is what [repair.Requests] reads.
func TestRequestsAloneAgrees(t *testing.T) {
	for _, e := range envelopes {
		text := e.write([]call{{Name: "get_weather", Arguments: []byte(`{"city":"Oslo"}`)}})
		alone, err := repair.RequestsAlone(text, weather)
		if errors.Is(err, repair.ErrNoCall) {
			t.Log(e.name, "has more than calls:", text)
			continue
		}
		all, allErr := repair.Requests(text, weather)
		if written(alone, err) != written(all, allErr) {
			t.Errorf("%s: %s", e.name, text)
		}
	}
}
