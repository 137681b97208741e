package openai_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// oddValues are values of all types.
var oddValues = []string{`null`, `false`, `true`, `0`, `-1`, `1746709563.49`, `1e400`, `"0"`, `""`, `"text"`, `[]`, `["x"]`, `[[{}]]`, `{}`, `{"x":{"y":[1]}}`}

// unimportant are places in an answer whose values never matter.
var unimportant = []string{
	`id`, `object`, `created`, `system_fingerprint`, `service_tier`, `prompt_filter_results`, `prompt_annotations`, `x_groq`, `usage`,
	`usage.prompt_tokens`, `usage.completion_tokens`, `usage.total_tokens`, `usage.prompt_tokens_details`, `usage.completion_tokens_details`,
	`usage.prompt_tokens_details.cached_tokens`, `usage.completion_tokens_details.reasoning_tokens`, `usage.prompt_cache_hit_tokens`,
	`choice.logprobs`, `choice.content_filter_results`, `choice.native_finish_reason`, `choice.stop_reason`,
	`message.role`, `message.refusal`, `message.annotations`, `message.audio`, `message.name`, `message.images`,
	`message.reasoning`, `message.reasoning_content`, `message.reasoning_details`, `message.tool_call_id`, `message.extra_content`,
	`call.type`, `call.extra_content`, `function.description`,
}

// answerWith returns an answer with a value at a place.
func answerWith(path, value string, inStream bool) string {
	members := map[string]string{}
	top, rest, nested := strings.Cut(path, ".")
	switch {
	case !nested:
		members["answer"] = fmt.Sprintf(`%q:%s,`, top, value)
	case top == "usage":
		names := strings.Split(rest, ".")
		for i := len(names) - 1; i > 0; i-- {
			value = fmt.Sprintf(`{%q:%s}`, names[i], value)
		}
		members["answer"] = fmt.Sprintf(`"usage":{%q:%s},`, names[0], value)
	default:
		members[top] = fmt.Sprintf(`%q:%s,`, rest, value)
	}
	what := "message"
	if inStream {
		what = "delta"
	}
	return fmt.Sprintf(`{%s"model":"m","choices":[{%s"index":0,"finish_reason":"tool_calls",%q:{%s"content":"Hello.","tool_calls":[{%s"index":0,"id":"a","function":{%s"name":"add","arguments":"{}"}}]}}]}`,
		members["answer"], members["choice"], what, members["message"], members["call"], members["function"])
}

// TestUnimportantMember checks answers in which one unimportant member has another type.
func TestUnimportantMember(t *testing.T) {
	want := llm.Response{Text: "Hello.", Model: "m", Finish: llm.FinishCalls, Calls: calls(request("a", "add", "{}"))}
	for _, path := range unimportant {
		for _, value := range oddValues {
			got, err := serve(t, respond(answerWith(path, value, false))).Generate(t.Context(), llm.Request{})
			checkAnswer(t, path+" "+value, path, got, err, want)
			_, got, err = stream(t.Context(), serve(t, respond("data: "+answerWith(path, value, true)+"\n\n"+done)), llm.Request{})
			checkAnswer(t, path+" "+value+", streamed", path, got, err, want)
		}
	}
}

func checkAnswer(t *testing.T, name, path string, got llm.Response, err error, want llm.Response) {
	t.Helper()
	if path == "message.refusal" && got.Finish == llm.FinishRefused && err == nil {
		return // a text is a refusal
	}
	if got.Usage.Input < 0 || got.Usage.Output < 0 || got.Usage.Cached < 0 || got.Usage.Reasoning < 0 {
		t.Errorf("%s: usage %+v", name, got.Usage)
	}
	got.Usage, got.Reasoning, got.Provider = llm.Usage{}, "", nil
	if err != nil || inJSON(got) != inJSON(want) {
		t.Errorf("%s: %s, %v", name, inJSON(got), err)
	}
}

// TestOddMember checks that needed members of another type are converted as well as possible.
func TestOddMember(t *testing.T) {
	hello := llm.Response{Text: "Hello.", Finish: llm.FinishStop}
	add := func(id, name, arguments string) llm.Response {
		return llm.Response{Finish: llm.FinishCalls, Calls: calls(request(id, name, arguments))}
	}
	for choice, want := range map[string]llm.Response{
		`"index":"0","MESSAGE":{"content":"Hello."},"finish_reason":"stop"`:                       hello,
		`"index":0.0,"MESSAGE":{"content":"Hello."},"finish_reason":"stop"`:                       hello,
		`"index":null,"MESSAGE":{"content":"Hello.","function_call":""},"finish_reason":"stop"`:   hello,
		`"MESSAGE":{"content":"Hello.","function_call":{},"tool_calls":""},"finish_reason":0`:     hello,
		`"MESSAGE":{"content":"Hello.","tool_calls":{},"refusal":false},"finish_reason":"STOP"`:   hello,
		`"MESSAGE":{"content":"Hello.","tool_calls":[null,7,"x",[]]},"finish_reason":"stop"`:      hello,
		`"MESSAGE":{"content":["Hel","lo."]},"finish_reason":"stop"`:                              hello,
		`"MESSAGE":{"content":{"type":"text","text":"Hello."}},"finish_reason":"stop"`:            hello,
		`"MESSAGE":{"content":[{"type":"text","text":7},{"text":"Hello."}]}`:                      {Text: "7Hello.", Finish: llm.FinishStop},
		`"MESSAGE":{"content":42},"finish_reason":"stop"`:                                         {Text: "42", Finish: llm.FinishStop},
		`"MESSAGE":{"content":0},"finish_reason":"stop"`:                                          {Text: "0", Finish: llm.FinishStop},
		`"MESSAGE":{"content":{"city":"Oslo"}},"finish_reason":"stop"`:                            {Text: `{"city":"Oslo"}`, Finish: llm.FinishStop},
		`"MESSAGE":{"content":"Hel"},"finish_reason":"MAX_TOKENS"`:                                {Text: "Hel", Finish: llm.FinishLength},
		`"MESSAGE":{"content":"Hel"},"finish_reason":"model_length"`:                              {Text: "Hel", Finish: llm.FinishLength},
		`"MESSAGE":{"tool_calls":[{"index":"0","id":12,"function":{"name":"add"}}]}`:              add("12", "add", ""),
		`"MESSAGE":{"tool_calls":{"id":"a","function":{"name":"add","arguments":"{}"}}}`:          add("a", "add", "{}"),
		`"MESSAGE":{"tool_calls":[{"id":"a","name":"add","arguments":{"x":1}}]}`:                  add("a", "add", `{"x":1}`),
		`"MESSAGE":{"tool_calls":[{"id":null,"function":{"name":7,"arguments":[1]}}]}`:            add("", "7", "[1]"),
		`"MESSAGE":{"tool_calls":[{"id":{},"function":{"name":"add","arguments":false}}]}`:        add("", "add", "false"),
		`"MESSAGE":{"tool_calls":[{"id":"a","function":{"name":"add","arguments":null}}]}`:        add("a", "add", ""),
		`"MESSAGE":{"content":"x","tool_calls":[{"id":"a","function":"add"}]}`:                    {Text: "x", Finish: llm.FinishCalls, Calls: calls(request("a", "", ""))},
		`"MESSAGE":{"content":false,"function_call":{"name":"add"}},"finish_reason":["x"]`:        add("", "add", ""),
		`"MESSAGE":{"content":"\ud83d\ude00 \ud83d"},"finish_reason":"stop"`:                      {Text: "\U0001F600 \uFFFD", Finish: llm.FinishStop},
		`"delta":null,"MESSAGE":{"content":"Hello."},"logprobs":[],"finish_reason":"stop"`:        hello,
		`"MESSAGE":{"content":"Hello.","role":7,"reasoning_content":null},"finish_reason":"stop"`: hello,
	} {
		whole := strings.ReplaceAll(choice, "MESSAGE", "message")
		got, err := serve(t, respond(`{"choices":[{`+whole+`}]}`)).Generate(t.Context(), llm.Request{})
		if err != nil || inJSON(got) != inJSON(want) {
			t.Errorf("%s: %s, %v", whole, inJSON(got), err)
		}
		for _, name := range []string{"delta", "message"} {
			piece := strings.ReplaceAll(choice, "MESSAGE", name)
			_, got, err := stream(t.Context(), serve(t, respond(`data: {"choices":[{`+piece+`}]}`+"\n\n"+done)), llm.Request{})
			if err != nil || inJSON(got) != inJSON(want) {
				t.Errorf("%s, streamed: %s, %v", piece, inJSON(got), err)
			}
		}
	}
	if got, err := serve(t, respond(`{"model":7,"choices":{"message":{"content":"Hello."}}}`)).Generate(t.Context(), llm.Request{}); err != nil || got.Text != "Hello." {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestOddUsage checks token counts of other types.
func TestOddUsage(t *testing.T) {
	for usage, want := range map[string]llm.Usage{
		`{"prompt_tokens":9.0,"completion_tokens":"5"}`:                                                    {Input: 9, Output: 5},
		`{"prompt_tokens":-9,"completion_tokens":5,"prompt_tokens_details":[]}`:                            {Output: 5},
		`{"prompt_tokens":9,"completion_tokens":5,"prompt_tokens_details":[{"cached_tokens":3}]}`:          {Input: 9, Output: 5},
		`{"prompt_tokens":9,"completion_tokens":1e99}`:                                                     {Input: 9, Output: 1<<31 - 1},
		`{"prompt_tokens":null,"completion_tokens":{},"completion_tokens_details":{"reasoning_tokens":1}}`: {},
		`[]`: {}, `"x"`: {}, `7`: {},
	} {
		got, err := serve(t, respond(`{"choices":[{"message":{"content":"x"}}],"usage":`+usage+`}`)).Generate(t.Context(), llm.Request{})
		if err != nil || got.Usage != want {
			t.Errorf("%s: %+v, %v", usage, got.Usage, err)
		}
	}
}

// TestSplitSurrogates checks texts whose surrogate pairs are split between two pieces.
func TestSplitSurrogates(t *testing.T) {
	body := event(`{"content":"a\ud83d","reasoning_content":"r\uD83D"}`, "") + event(`{"content":""}`, "") + event(`{"content":"\ude00b\\ud83d","reasoning_content":"\uDE00"}`, "") +
		event(`{"content":"c\ud83d"}`, "") + event(`{"content":"d"}`, "") +
		event(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"add","arguments":"{\"x\":\"\ud83d"}}]}`, "") +
		event(`{"tool_calls":[{"index":0,"function":{"arguments":"\ude00\"}"}}]}`, "") + event(`{"content":"\ud83d"}`, "stop") + done
	texts, got, err := stream(t.Context(), serve(t, respond(body)), llm.Request{})
	want := "a\U0001F600b\\ud83dc\uFFFDd\uFFFD"
	if err != nil || got.Text != want || strings.Join(texts, "") != want || got.Reasoning != "r\U0001F600" || string(got.Calls[0].Arguments) != "{\"x\":\"\U0001F600\"}" {
		t.Errorf("%q %+v, %v", texts, got, err)
	}
}

// TestRepeatedCalls checks streams that send a call, or a part of it, more than once.
func TestRepeatedCalls(t *testing.T) {
	// c returns a piece of a call: its index, ID, name and arguments, each of which may be "".
	c := func(index, id, name, arguments string) string {
		var members []string
		if index != "" {
			members = append(members, `"index":`+index)
		}
		if id != "" {
			members = append(members, `"id":"`+id+`"`)
		}
		if name != "" {
			name = `"name":"` + name + `",`
		}
		members = append(members, `"function":{`+name+`"arguments":`+inJSON(arguments)+`}`)
		return "{" + strings.Join(members, ",") + "}"
	}
	delta := func(pieces ...string) string { return event(`{"tool_calls":[`+strings.Join(pieces, ",")+`]}`, "") }
	message := func(pieces ...string) string {
		return `{"content":"I do.","tool_calls":[` + strings.Join(pieces, ",") + `]}`
	}
	snapshot := func(delta, message, finish string) string {
		return `data: {"choices":[{"index":0,` + delta + `"message":` + message + `,"finish_reason":` + finish + `}]}` + "\n\n"
	}
	const to, other = `{"to":"a"}`, `{"to":"b"}`
	one, two := calls(request("x", "pay", to)), calls(request("x", "pay", to), request("x", "pay", other))
	ids := calls(request("x", "pay", to), request("y", "pay", to))
	begin := delta(c("0", "x", "pay", "")) + delta(c("0", "", "", to))
	for name, test := range map[string]struct {
		body string
		want []tool.Request
	}{
		"all in the last piece":            {begin + delta(c("0", "x", "pay", to)), one},
		"all in the middle":                {begin + delta(c("0", "x", "pay", to)) + delta(c("1", "y", "pay", to)), ids},
		"all, many times":                  {begin + strings.Repeat(delta(c("0", "x", "pay", to)), 1500), one},
		"all, spaced otherwise":            {begin + delta(c("0", "x", "pay", ` { "to" : "a" } `)), one},
		"all, arguments as an object":      {begin + delta(`{"index":0,"id":"x","function":{"name":"pay","arguments":{ "to": "a" }}}`), one},
		"all, in pieces":                   {begin + delta(c("0", "x", "pay", "")) + delta(c("0", "x", "pay", `{"to"`)) + delta(c("0", "", "", `:"a"}`)), one},
		"all, without index":               {delta(c("", "x", "pay", to)) + delta(c("", "x", "pay", to)), one},
		"all, index only at first":         {begin + delta(c("", "x", "pay", ` { "to": "a" }`)), one},
		"all, index only at last":          {delta(c("", "x", "pay", to)) + delta(c("0", "x", "pay", `{"to": "a"}`)), one},
		"all of two, without index":        {delta(c("0", "x", "pay", to)) + delta(c("1", "y", "pay", to)) + delta(c("", "x", "pay", to), c("", "y", "pay", to)), ids},
		"in the old form, too":             {event(`{"function_call":{"name":"pay","arguments":"{\"to\":\"a\"}"},"tool_calls":[`+c("0", "x", "pay", to)+`]}`, ""), one},
		"all but the ID":                   {begin + delta(c("0", "", "pay", to)), one},
		"the ID only then":                 {delta(c("0", "", "pay", to)) + delta(c("0", "x", "pay", to)), one},
		"the arguments":                    {begin + delta(c("0", "", "", to)), one},
		"the arguments, twice":             {begin + delta(c("0", "", "", to)) + delta(c("0", "", "", ` { "to": "a" }`)), one},
		"the arguments, in pieces":         {begin + delta(c("0", "", "", `{"to"`)) + delta(c("0", "", "", `:"a"}`)), one},
		"the arguments with the ID":        {begin + delta(c("0", "x", "", to)), one},
		"the arguments, none":              {delta(c("0", "x", "pay", "{}")) + delta(c("0", "", "", "{}")), calls(request("x", "pay", "{}"))},
		"the arguments, as far as they go": {delta(c("0", "x", "pay", `{"to"`)) + delta(c("0", "x", "pay", `{"to":"a"`)) + delta(c("0", "x", "pay", to)), one},
		"the arguments before the last":    {delta(c("0", "x", "pay", `{"to"`)) + delta(c("0", "", "", `:"a"`)) + delta(c("0", "x", "pay", to)), one},
		"a value like the beginning":       {delta(c("0", "x", "pay", `{"a":`)) + delta(c("0", "", "", `{"a":1}`)) + delta(c("0", "", "", `}`)), calls(request("x", "pay", `{"a":{"a":1}}`))},
		"the name":                         {begin + delta(c("0", "", "pay", "")) + delta(c("0", "x", "pay", "")), one},
		"nothing":                          {begin + delta(c("0", "", "", "")) + delta(c("0", "x", "", "")), one},
		"interleaved": {
			delta(c("0", "x", "pay", `{"to"`), c("1", "y", "pay", `{"to"`)) + delta(c("1", "", "", `:"a"}`), c("0", "", "", `:"a"}`)) +
				delta(c("0", "x", "pay", to), c("1", "y", "pay", to)) + delta(c("1", "y", "pay", to)), ids,
		},
		"interleaved arguments": {
			delta(c("0", "x", "pay", to)) + delta(c("1", "y", "pay", to)) + delta(c("0", "", "", to)) + delta(c("1", "", "", to)), ids,
		},
		"message beside delta":          {begin + snapshot(`"delta":{},`, message(c("", "x", "pay", to)), `"stop"`), one},
		"message instead of delta":      {begin + snapshot("", message(c("0", "x", "pay", to)), `"stop"`), one},
		"message, without ID":           {begin + snapshot("", message(c("", "", "pay", to)), `"stop"`), one},
		"message in each piece":         {begin + strings.Repeat(snapshot(`"delta":null,`, message(c("0", "x", "pay", to)), "null"), 3), one},
		"message with all calls":        {delta(c("0", "x", "pay", to)) + delta(c("1", "y", "pay", to)) + snapshot("", message(c("", "x", "pay", to), c("", "y", "pay", to)), `"stop"`), ids},
		"message in another order":      {delta(c("0", "x", "pay", to)) + delta(c("1", "y", "ask", to)) + snapshot("", message(c("", "y", "ask", to), c("", "x", "pay", to)), `"stop"`), calls(request("x", "pay", to), request("y", "ask", to))},
		"message with another call":     {begin + snapshot("", message(c("", "x", "pay", to), c("", "x", "pay", other)), `"stop"`), two},
		"messages only":                 {snapshot("", message(c("0", "x", "pay", to)), "null") + snapshot("", message(c("0", "x", "pay", to)), `"stop"`), one},
		"call only in the message":      {snapshot(`"delta":{},`, message(c("", "x", "pay", to)), `"stop"`), one},
		"two under one ID":              {delta(c("0", "x", "pay", to)) + delta(c("0", "x", "pay", other)), two},
		"two under one ID, two indexes": {delta(c("0", "x", "pay", to)) + delta(c("1", "x", "pay", to)), calls(request("x", "pay", to), request("x", "pay", to))},
		"two names under one ID":        {delta(c("0", "x", "pay", to)) + delta(c("0", "x", "ask", to)), calls(request("x", "pay", to), request("x", "ask", to))},
		"two IDs":                       {delta(c("0", "x", "pay", to)) + delta(c("0", "y", "pay", to)), ids},
		"two without IDs":               {delta(c("0", "", "pay", to)) + delta(c("1", "", "pay", to)), calls(request("", "pay", to), request("", "pay", to))},
		"different arguments":           {begin + delta(c("0", "", "", other)), calls(request("x", "pay", to+other))},
	} {
		for _, text := range []string{"", event(`{"content":"I do."}`, "")} {
			_, got, err := stream(t.Context(), serve(t, respond(text+test.body+event(`{}`, "tool_calls")+done)), llm.Request{})
			same := err == nil && len(got.Calls) == len(test.want) && (text == "" || got.Text == "I do.")
			for i := range test.want {
				same = same && got.Calls[i].ID == test.want[i].ID && got.Calls[i].Name == test.want[i].Name &&
					strings.TrimSpace(string(got.Calls[i].Arguments)) == string(test.want[i].Arguments)
			}
			if !same {
				t.Errorf("%s: got  %q %+v, %v\nwant %+v", name, got.Text, got.Calls, err, test.want)
			}
		}
	}
	whole := `{"choices":[{"message":` + message(c("0", "x", "pay", to), c("0", "x", "pay", to), c("1", "x", "pay", to), c("2", "y", "pay", to+to)) + `}]}`
	got, err := serve(t, respond(whole)).Generate(t.Context(), llm.Request{})
	if want := calls(request("x", "pay", to), request("x", "pay", to), request("y", "pay", to)); err != nil || inJSON(got.Calls) != inJSON(want) {
		t.Errorf("%+v, %v", got.Calls, err)
	}
}

// TestRepeatedText checks streams whose last piece repeats the message, and streams of messages
// instead of deltas.
func TestRepeatedText(t *testing.T) {
	piece := func(members, finish string) string {
		return `data: {"choices":[{"index":0,` + members + `,"finish_reason":` + finish + `}]}` + "\n\n"
	}
	deltas := event(`{"content":"Hel"}`, "") + event(`{"content":"lo."}`, "")
	for name, body := range map[string]string{
		"message beside delta":  deltas + piece(`"delta":{},"message":{"content":"Hello."}`, `"stop"`),
		"message at the end":    deltas + piece(`"message":{"content":"Hello."}`, `"stop"`),
		"more in the message":   event(`{"content":"Hel"}`, "") + piece(`"delta":{},"message":{"content":"Hello."}`, `"stop"`),
		"messages":              piece(`"message":{"content":"Hel"}`, "null") + piece(`"message":{"content":"lo."}`, `"stop"`),
		"messages, then all":    piece(`"message":{"content":"Hel"}`, "null") + piece(`"message":{"content":"lo."}`, "null") + piece(`"message":{"content":"Hello."}`, `"stop"`),
		"messages, null deltas": piece(`"delta":null,"message":{"content":"Hel"}`, "null") + piece(`"delta":{},"message":{"content":"lo."}`, `"stop"`),
		"one message":           piece(`"message":{"role":"assistant","content":"Hello."}`, `"stop"`),
	} {
		texts, got, err := stream(t.Context(), serve(t, respond(body+done)), llm.Request{})
		if err != nil || got.Text != "Hello." || strings.Join(texts, "") != "Hello." || got.Finish != llm.FinishStop {
			t.Errorf("%s: %q %+v, %v", name, texts, got, err)
		}
	}
}
