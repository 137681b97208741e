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
	{name: "foreign message", run: checkForeignMessage, wire: true},
	{name: "empty messages", run: checkEmptyMessages, wire: true},
	{name: "prompt prefix", run: checkPromptPrefix, wire: true},
	{name: "killed conversation", run: checkKilledConversation, wire: true},
}

// opaque is data that a model must send back unchanged.
const opaque = `EqQB+/= <&> "é" \u2028 ` + "\u2028\U0001F600"

// throughJournal returns messages as another process reads them.
func throughJournal(messages []llm.Message) (read []llm.Message) {
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

// checkProviderData sends a response back in another process.
func checkProviderData(c *check) {
	a := textAnswer("Yes.")
	a.Response.Reasoning, a.Opaque = "Hm.", opaque
	got := c.mustGenerate(llm.Request{Prompt: "?"}, a)
	c.checkSentBack([]llm.Message{{Role: llm.RoleUser, Text: "?"}, got.Message(), {Role: llm.RoleUser, Text: "Why?"}}, nil)
}

// checkProviderDataAfterCalls sends a response with calls back in another process.
func checkProviderDataAfterCalls(c *check) {
	tools := []tool.Definition{weatherTool}
	a := callAnswer(request("call_1", "get_weather", `{"city":"Oslo"}`), request("call_2", "get_weather", `{"city":"Rome"}`))
	a.Response.Reasoning, a.Opaque, a.Response.Text = "Hm.", opaque, "Let me see."
	got := c.mustGenerate(llm.Request{Prompt: "?", Tools: tools}, c.onWire(tools, a))
	c.checkResponse(got, a.Response)
	c.checkSentBack([]llm.Message{{Role: llm.RoleUser, Text: "?"}, got.Message(), completed("call_1", `"snow"`), completed("call_2", `"rain"`)}, tools)
}

// checkSentBack sends messages twice, the second time as another process reads them. Both requests
// must be the same, and contain the provider's data.
func (c *check) checkSentBack(messages []llm.Message, tools []tool.Definition) {
	c.Helper()
	c.mustGenerate(llm.Request{Messages: messages, Tools: tools}, textAnswer("Well."))
	first := c.lastRequest()
	c.model = c.provider.Model(c, c.double)
	if c.isDirect() { // its provider is the double, which knows no processes
		c.mustGenerate(llm.Request{Messages: messages, Tools: tools}, textAnswer("Well."))
	} else {
		c.mustGenerate(llm.Request{Messages: throughJournal(messages), Tools: tools}, textAnswer("Well."))
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

// foreignData are members Provider of messages that another model has created.
var foreignData = []string{
	`{"endpoint":"foreign.example","message":{"reasoning_content":"foreign"},"calls":[{"id":"call_1","name":"get_weather","call":{"foreign":1}}]}`,
	`[{"type":"thinking","thinking":"foreign","signature":"foreign"},{"type":"tool_use","id":"call_1","name":"foreign","input":{}}]`,
	`{"content":[{"type":"redacted_thinking","data":"foreign"}]}`,
	`{"parts":[{"thoughtSignature":"foreign"}]}`,
	`[{"type":"reasoning","id":"rs_foreign","encrypted_content":"foreign"}]`,
	`"foreign"`, `7`, `null`,
}

// checkForeignMessage sends a message of another model: its text and calls, but not its data.
func checkForeignMessage(c *check) {
	tools := []tool.Definition{weatherTool}
	call := request("call_1", "get_weather", `{"city":"Oslo"}`)
	for _, data := range foreignData {
		foreign := llm.Message{Role: llm.RoleAssistant, Text: "Let me see.", Calls: []tool.Request{call}, Reasoning: "foreign", Provider: json.RawMessage(data)}
		a := textAnswer("It snows.")
		req := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "Weather?"}, foreign, completed("call_1", `"snow"`)}, Tools: tools}
		c.checkResponse(c.mustGenerate(req, a), a.Response)
		sent := c.lastRequest()
		c.checkDialogue(sent, "user: Weather?", "assistant: Let me see.", c.callLine(tools, "1", call), `result 1: "snow"`)
		if strings.Contains(string(sent.Body), "foreign") {
			c.Errorf("the model sends data of another model: %s", sent)
		}
	}
}

// checkEmptyMessages sends messages without a content, and messages of the same role in a row.
func checkEmptyMessages(c *check) {
	a := textAnswer("Yes.")
	c.mustGenerate(llm.Request{Messages: []llm.Message{
		{Role: llm.RoleUser, Text: "One."}, {Role: llm.RoleAssistant}, {Role: llm.RoleUser, Text: "Two."}, {Role: llm.RoleUser, Text: "Three."},
		{Role: llm.RoleAssistant, Text: "A."}, {Role: llm.RoleAssistant, Text: "B."}, {Role: llm.RoleAssistant, Text: " \n"}, {Role: llm.RoleUser, Text: "Four."},
	}}, a)
	var said []string
	for _, line := range dialogueLines(c.lastRequest().Request) {
		if text, ok := strings.CutPrefix(line, "user: "); ok {
			said = append(said, text)
		}
	}
	if got := strings.Join(said, " "); got != "One. Two. Three. Four." {
		c.Errorf("the provider understands the messages of the user %q, from %s", got, c.lastRequest())
	}
}

// minimalPrefix is the part of a request that must be a prefix of the next one.
const minimalPrefix = 0.9

// checkPromptPrefix holds the conversation "weather report": ten requests with tools, an image,
// reasoning and calls. It changes the process after five of them. At least the share
// minimalPrefix of the bytes of request 9 must be a prefix of request 10, so that providers can reuse
// their work. A second conversation must begin with the same request.
func checkPromptPrefix(c *check) {
	requests := c.holdConversation(10)
	shared := 0
	a, b := requests[8].Body, requests[9].Body
	for shared < min(len(a), len(b)) && a[shared] == b[shared] {
		shared++
	}
	part := float64(shared) / float64(len(a))
	c.figure = fmt.Sprintf("%.1f %%", 100*part)
	if part < minimalPrefix {
		c.Errorf("request 10 shares %d of %d bytes with request 9", shared, len(a))
	}
	if again := c.holdConversation(1); string(again[0].Body) != string(requests[0].Body) {
		c.Errorf("the second conversation begins with\n%s\nwant\n%s", again[0], requests[0])
	}
}

// holdConversation returns the first requests of the conversation "weather report".
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
		call := request(fmt.Sprint("call_", turn), "get_weather", fmt.Sprintf(`{"city":"City %d"}`, turn))
		a := callAnswer(call)
		a.Response.Reasoning, a.Opaque, a.Response.Text = "City "+fmt.Sprint(turn)+" is next.", fmt.Sprint(opaque, turn), "Next."
		got := c.mustGenerate(req, c.onWire(tools, a))
		requests = append(requests, c.lastRequest())
		c.checkDialogue(c.lastRequest(), want...)
		c.checkOpaque(c.lastRequest(), signatures...)
		c.checkResponse(got, a.Response)
		req.Messages = append(req.Messages, got.Message(), completed(call.ID, `"snow"`))
		req.Messages = throughJournal(req.Messages)
		want = append(want, "assistant: Next.", c.callLine(tools, fmt.Sprint(turn), call), fmt.Sprintf(`result %d: "snow"`, turn))
		signatures = append(signatures, a.Opaque)
	}
	return requests
}
