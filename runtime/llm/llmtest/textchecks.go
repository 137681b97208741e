package llmtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
)

// modelName is the name of the model in the answers of doubles.
const modelName = "double-1"

// textAnswer returns an answer with a text.
func textAnswer(text string) Answer {
	return Answer{Response: llm.Response{Text: text, Model: modelName, Finish: llm.FinishStop, Usage: llm.Usage{Input: 12, Output: 7}}}
}

// textTests check requests and answers that are text.
var textTests = []test{
	{name: "name", run: checkName},
	{name: "text", run: checkText},
	{name: "dialogue", run: checkDialogueSent},
	{name: "streaming", run: checkStreaming},
	{name: "concurrent requests", run: checkConcurrent},
}

func checkName(c *check) {
	if llm.Name(c.model) == "" {
		c.Error("the model has no method Name")
	}
	for _, verb := range []string{"%v", "%+v", "%#v"} {
		if printed := fmt.Sprintf(verb, c.model); strings.Contains(printed, Key) {
			c.Errorf("the model is printed with its key: %s", printed)
		}
	}
}

func checkText(c *check) {
	a := textAnswer("Hällo, \"Ada\".\n\tHow <are> you? \U0001F600 \u2028")
	got := c.mustGenerate(llm.Request{System: "Be kind.", Prompt: "Greet <Ada> & \U0001F600."}, a)
	c.checkResponse(got, a.Response)
	c.checkDialogue(c.lastRequest(), "system: Be kind.", "user: Greet <Ada> & \U0001F600.")
}

func checkDialogueSent(c *check) {
	a := textAnswer("Four.")
	got := c.mustGenerate(llm.Request{
		Messages: []llm.Message{
			{Role: llm.RoleUser, Text: "Count."}, {Role: llm.RoleAssistant, Text: "One."}, {Role: llm.RoleUser, Text: "On."},
			{Role: llm.RoleAssistant, Text: "Two.\n\nThree."},
		},
		Prompt: "On.",
	}, a)
	c.checkResponse(got, a.Response)
	c.checkDialogue(c.lastRequest(), "user: Count.", "assistant: One.", "user: On.", "assistant: Two.\n\nThree.", "user: On.")
}

// checkStreaming checks that a response does not depend on how its stream is split into pieces.
func checkStreaming(c *check) {
	a := textAnswer(strings.Repeat("Wörter \U0001F600\r\n\"data: [DONE]\" ", 10))
	splits := []int{0, 1, 2, 97}
	if !c.mode.streamed {
		splits = splits[:1]
	}
	for _, split := range splits {
		c.double.pieceSize = split
		got := c.mustGenerate(llm.Request{Prompt: "Write."}, a)
		c.checkResponse(got, a.Response)
	}
}

// checkConcurrent sends concurrent requests.
func checkConcurrent(c *check) {
	echo := Answer{Reply: func(r Request) Answer {
		messages := r.Dialogue()
		return textAnswer("Echo: " + messages[len(messages)-1].Text)
	}}
	c.double.script(slices.Repeat([]Answer{echo}, 8)...)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			prompt := fmt.Sprint("Number ", i)
			if got, err := c.generate(c.Context(), llm.Request{Prompt: prompt}); err != nil || got.Text != "Echo: "+prompt {
				c.Errorf("%q: %+v, %v", prompt, got, err)
			}
		})
	}
	wait.Wait()
}

// inputTests check parts of messages.
var inputTests = []test{
	partTest("text part", content.Text("More."), "user: More."),
	partTest("image", content.Image("image/png", []byte("\x89PNG\r\n\x1a\n")), `user: image/png with "\x89PNG\r\n\x1a\n"`),
	partTest("image by URL", content.Part{Media: "image/png", URL: "https://example.com/a.png"}, "user: image at https://example.com/a.png"),
	partTest("audio", content.Audio("audio/wav", []byte("RIFF")), `user: audio/wav with "RIFF"`),
	partTest("file", content.Part{Media: "application/pdf", Data: []byte("%PDF-1.7"), Name: "a.pdf"}, `user: application/pdf with "%PDF-1.7"`),
	partTest("file by URL", content.Part{Media: "application/pdf", URL: "https://example.com/a.pdf"}, "user: application at https://example.com/a.pdf"),
}

// partTest returns the test that a part is sent between the text and a later part of a message.
func partTest(name string, p content.Part, want string) test {
	req := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "What is this?", Parts: []content.Part{p, content.Text("Hurry.")}}}}
	return test{
		name: name, runLacking: func(c *check) { c.mustRefuse(req) },
		run: func(c *check) {
			a := textAnswer("A cat.")
			c.checkResponse(c.mustGenerate(req, a), a.Response)
			c.checkDialogue(c.lastRequest(), "user: What is this?", want, "user: Hurry.")
		},
	}
}

// settingTests check the settings of requests.
var settingTests = []test{
	settingTest("max tokens", func(_ *check, r *llm.Request) { r.MaxTokens = 1000 }, func(r llm.Request) any { return r.MaxTokens }),
	settingTest("temperature", func(_ *check, r *llm.Request) { r.Temperature = new(0.0) }, func(r llm.Request) any { return r.Temperature }),
	settingTest("top_p", func(_ *check, r *llm.Request) { r.TopP = new(0.25) }, func(r llm.Request) any { return r.TopP }),
	settingTest("seed", func(_ *check, r *llm.Request) { r.Seed = new(0) }, func(r llm.Request) any { return r.Seed }),
	settingTest("stop", func(_ *check, r *llm.Request) { r.Stop = []string{"END", "<stop>"} }, func(r llm.Request) any { return r.Stop }),
	settingTest("effort", func(c *check, r *llm.Request) { r.Effort = c.effort() }, func(r llm.Request) any { return r.Effort }),
	settingTest("extra", func(c *check, r *llm.Request) { r.Extra = c.extra() }, func(r llm.Request) any { return r.Extra }),
	{name: "extra twice", run: checkExtraTwice, needsWire: true},
}

// settingTest returns the test that a setting of requests is sent.
func settingTest(name string, set func(*check, *llm.Request), get func(llm.Request) any) test {
	return test{
		name: name,
		runLacking: func(c *check) {
			req := llm.Request{Prompt: "Hi."}
			set(c, &req)
			c.mustRefuse(req)
		},
		run: func(c *check) {
			req := llm.Request{Prompt: "Hi."}
			set(c, &req)
			a := textAnswer("Hello.")
			c.checkResponse(c.mustGenerate(req, a), a.Response)
			sent := c.lastRequest()
			if got, want := encodeText(get(sent.Request)), encodeText(get(req)); got != want {
				c.Errorf("the provider understands %s, want %s, from %s", got, want, sent)
			}
		},
	}
}

// checkExtraTwice checks that an additional member cannot replace a member of the request.
func checkExtraTwice(c *check) {
	req := llm.Request{Prompt: "Hi.", MaxTokens: 10}
	c.mustGenerate(req, textAnswer("Hello."))
	var members map[string]json.RawMessage
	if err := json.Unmarshal(c.lastRequest().Body, &members); err != nil {
		c.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		c.double = newDouble(0)
		c.model = c.provider.Model(c, c.double)
		req.Extra = map[string]json.RawMessage{name: members[name]}
		c.mustRefuse(req)
	}
}
