package llmtest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// messageTests check messages that models send back to their provider.
var messageTests = []test{
	{name: "reasoning", run: checkReasoning},
	{name: "provider data", run: checkProviderData},
	{name: "provider data after calls", run: checkProviderDataAfterCalls},
	{name: "foreign message", run: checkForeignMessage, needsWire: true},
	{name: "empty messages", run: checkEmptyMessages, needsWire: true},
	{name: "prompt prefix", run: checkPromptPrefix, needsWire: true},
	{name: "killed conversation", run: checkKilledConversation, needsWire: true},
}

// opaque is data that a model must send back unchanged.
const opaque = `EqQB+/= <&> "é" \u2028 ` + "\u2028\U0001F600"

// roundTripMessages encodes and decodes messages, like a process that reads them from a journal.
func roundTripMessages(messages []llm.Message) (read []llm.Message) {
	if err := json.Unmarshal([]byte(encodeText(messages)), &read); err != nil {
		panic(err) // it was just encoded
	}
	return read
}

func checkReasoning(c *check) {
	a := textAnswer("Yes.")
	a.Response.Reasoning, a.Opaque = "Hm, let me\nthink \"about\" it.", opaque
	c.checkResponse(c.mustGenerate(llm.Request{Prompt: "?"}, a), a.Response)
}

// checkProviderData sends a response back.
func checkProviderData(c *check) {
	a := textAnswer("Yes.")
	a.Response.Reasoning, a.Opaque = "Hm.", opaque
	got := c.mustGenerate(llm.Request{Prompt: "?"}, a)
	c.checkSentBack([]llm.Message{{Role: llm.RoleUser, Text: "?"}, got.Message(), {Role: llm.RoleUser, Text: "Why?"}}, nil)
}

// checkProviderDataAfterCalls sends a response with calls back.
func checkProviderDataAfterCalls(c *check) {
	tools := []tool.Definition{weatherTool}
	a := callAnswer(newRequest("call_1", "get_weather", `{"city":"Oslo"}`), newRequest("call_2", "get_weather", `{"city":"Rome"}`))
	a.Response.Reasoning, a.Opaque, a.Response.Text = "Hm.", opaque, "Let me see."
	got := c.mustGenerate(llm.Request{Prompt: "?", Tools: tools}, c.toWire(tools, a))
	c.checkResponse(got, a.Response)
	c.checkSentBack([]llm.Message{{Role: llm.RoleUser, Text: "?"}, got.Message(), resultMessage("call_1", `"snow"`), resultMessage("call_2", `"rain"`)}, tools)
}

// checkSentBack sends messages twice, the second time with a new model and after reading them from a
// journal. Both requests must be the same, and must contain the provider data.
func (c *check) checkSentBack(messages []llm.Message, tools []tool.Definition) {
	c.Helper()
	c.mustGenerate(llm.Request{Messages: messages, Tools: tools}, textAnswer("Well."))
	first := c.lastRequest()
	c.model = c.provider.Model(c, c.double)
	if c.isDirect() { // the model passes messages to the double without encoding them
		c.mustGenerate(llm.Request{Messages: messages, Tools: tools}, textAnswer("Well."))
	} else {
		c.mustGenerate(llm.Request{Messages: roundTripMessages(messages), Tools: tools}, textAnswer("Well."))
	}
	if second := c.lastRequest(); string(first.Body) != string(second.Body) {
		c.Errorf("another process sends\n%s\nwant\n%s", second, first)
	}
	c.checkOpaque(first, opaque)
}

// checkOpaque checks the opaque data of the messages of assistants.
func (c *check) checkOpaque(r Request, want ...string) {
	c.Helper()
	var got []string
	for _, m := range r.Messages {
		var text string
		if m.Role == llm.RoleAssistant && json.Unmarshal(m.Provider, &text) == nil {
			got = append(got, text)
		}
	}
	if encodeText(got) != encodeText(want) {
		c.Errorf("the provider gets back the data %q, want %q, from %s", got, want, r)
	}
}

// foreignData contains values of the field Provider that other models have created.
var foreignData = []string{
	`{"endpoint":"foreign.example","message":{"reasoning_content":"foreign"},"calls":[{"id":"call_1","name":"get_weather","call":{"foreign":1}}]}`,
	`[{"type":"thinking","thinking":"foreign","signature":"foreign"},{"type":"tool_use","id":"call_1","name":"foreign","input":{}}]`,
	`{"content":[{"type":"redacted_thinking","data":"foreign"}]}`,
	`{"parts":[{"thoughtSignature":"foreign"}]}`,
	`[{"type":"reasoning","id":"rs_foreign","encrypted_content":"foreign"}]`,
	`"foreign"`, `7`, `null`,
}

// checkForeignMessage sends a message of another model. The request must contain its text and calls, but
// not its provider data.
func checkForeignMessage(c *check) {
	tools := []tool.Definition{weatherTool}
	call := newRequest("call_1", "get_weather", `{"city":"Oslo"}`)
	for _, data := range foreignData {
		foreign := llm.Message{Role: llm.RoleAssistant, Text: "Let me see.", Calls: []tool.Request{call}, Reasoning: "foreign", Provider: json.RawMessage(data)}
		a := textAnswer("It snows.")
		req := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "Weather?"}, foreign, resultMessage("call_1", `"snow"`)}, Tools: tools}
		c.checkResponse(c.mustGenerate(req, a), a.Response)
		sent := c.lastRequest()
		c.checkDialogue(sent, "user: Weather?", "assistant: Let me see.", c.callLine(tools, "1", call), `result 1: "snow"`)
		if strings.Contains(string(sent.Body), "foreign") {
			c.Errorf("the model sends data of another model: %s", sent)
		}
	}
}

// checkEmptyMessages sends messages without content, and successive messages with the same role.
func checkEmptyMessages(c *check) {
	a := textAnswer("Yes.")
	c.mustGenerate(llm.Request{Messages: []llm.Message{
		{Role: llm.RoleUser, Text: "One."}, {Role: llm.RoleAssistant}, {Role: llm.RoleUser, Text: "Two."}, {Role: llm.RoleUser, Text: "Three."},
		{Role: llm.RoleAssistant, Text: "A."}, {Role: llm.RoleAssistant, Text: "B."}, {Role: llm.RoleAssistant, Text: " \n"}, {Role: llm.RoleUser, Text: "Four."},
	}}, a)
	var texts []string
	for _, line := range dialogueLines(c.lastRequest().Request) {
		if text, ok := strings.CutPrefix(line, "user: "); ok {
			texts = append(texts, text)
		}
	}
	if got := strings.Join(texts, " "); got != "One. Two. Three. Four." {
		c.Errorf("the provider understands the messages of the user %q, from %s", got, c.lastRequest())
	}
}

// minimalPrefix is the fraction of a request that must also be the beginning of the next request.
const minimalPrefix = 0.9

// checkPromptPrefix checks that successive requests of a conversation have a long common prefix, so that
// providers can use their prompt caches. It also checks that a second conversation begins with the same
// request.
func checkPromptPrefix(c *check) {
	requests := c.holdConversation(10)
	shared := 0
	a, b := requests[8].Body, requests[9].Body
	for shared < min(len(a), len(b)) && a[shared] == b[shared] {
		shared++
	}
	fraction := float64(shared) / float64(len(a))
	c.measured = fmt.Sprintf("%.1f %%", 100*fraction)
	if fraction < minimalPrefix {
		c.Errorf("request 10 shares %d of %d bytes with request 9", shared, len(a))
	}
	if second := c.holdConversation(1); string(second[0].Body) != string(requests[0].Body) {
		c.Errorf("the second conversation begins with\n%s\nwant\n%s", second[0], requests[0])
	}
}

// holdConversation holds a conversation with tools, an image, reasoning and calls, and returns its requests.
// It replaces the model before the sixth turn, like a new process.
func (c *check) holdConversation(turns int) (requests []Request) {
	tools := []tool.Definition{weatherTool, findTool, timeTool}
	req := llm.Request{System: strings.Repeat("Report the weather of each city on the map. ", 20), Tools: tools, Extra: c.extra(), Messages: []llm.Message{
		{Role: llm.RoleUser, Text: "Report.", Parts: []content.Part{content.Image("image/png", []byte("\x89PNG\r\n\x1a\nmap"))}},
	}}
	want := []string{"system: " + req.System, "user: Report.", `user: image/png with "\x89PNG\r\n\x1a\nmap"`}
	var signatures []string
	for turn := 1; turn <= turns; turn++ {
		if turn == 6 {
			c.model = c.provider.Model(c, c.double)
		}
		call := newRequest(fmt.Sprint("call_", turn), "get_weather", fmt.Sprintf(`{"city":"City %d"}`, turn))
		a := callAnswer(call)
		a.Response.Reasoning, a.Opaque, a.Response.Text = "City "+fmt.Sprint(turn)+" is next.", fmt.Sprint(opaque, turn), "Next."
		got := c.mustGenerate(req, c.toWire(tools, a))
		requests = append(requests, c.lastRequest())
		c.checkDialogue(c.lastRequest(), want...)
		c.checkOpaque(c.lastRequest(), signatures...)
		c.checkResponse(got, a.Response)
		req.Messages = append(req.Messages, got.Message(), resultMessage(call.ID, `"snow"`))
		req.Messages = roundTripMessages(req.Messages)
		want = append(want, "assistant: Next.", c.callLine(tools, fmt.Sprint(turn), call), fmt.Sprintf(`result %d: "snow"`, turn))
		signatures = append(signatures, a.Opaque)
	}
	return requests
}
