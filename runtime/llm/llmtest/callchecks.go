package llmtest

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// callTests are the tests of tools and calls.
var callTests = []test{
	{name: "tool call", run: checkCall},
	{name: "tool without arguments", run: checkNoArguments},
	{name: "lowered schema", run: checkLowered},
	{name: "parallel calls", run: checkParallel},
	{name: "text before a call", run: checkTextBeforeCall},
	{name: "failed call", run: checkFailedCall},
	choiceTest("any tool", llm.AnyTool),
	choiceTest("no tool", llm.NoTool),
	choiceTest("named tool", "docs.find/v2"),
	{name: "choice without tools", run: checkChoiceWithoutTools, needsWire: true},
	{name: "one call", run: checkOneCall, runLacking: checkFirstCall},
	{name: "schema", run: checkSchema, runLacking: func(c *check) {
		c.mustRefuse(llm.Request{Prompt: "Hi.", Schema: findTool.Input})
	}},
	{name: "invalid calls", run: checkInvalidCalls, needsWire: true},
}

var (
	weatherTool = tool.Definition{
		Name: "get_weather", Description: "The weather of a city.",
		Input: []byte(`{"type":"object","properties":{"city":{"type":"string","description":"such as \"Oslo\""},"day":{"type":"integer"}},"required":["city"],"additionalProperties":false}`),
	}
	timeTool = tool.Definition{Name: "now", Description: "Returns the time."}

	// findTool has a name and a schema that must be lowered for most providers.
	findTool = tool.Definition{
		Name: "docs.find/v2", Description: "Finds documents.",
		Input: []byte(`{"type":"object","properties":{"words":{"type":"array","items":{"type":"string"},"minItems":1,"uniqueItems":true},
			"labels":{"type":"object","additionalProperties":{"type":"string"}},"after":{"type":"string","format":"date-time"},
			"limit":{"type":"integer","minimum":1,"maximum":100,"default":10},"owner":{"$ref":"#/$defs/owner"},
			"kind":{"enum":["page","mail"]}},"required":["words"],"additionalProperties":false,
			"$defs":{"owner":{"type":"object","properties":{"name":{"type":"string"},"team":{"type":["string","null"]}},"required":["name"],"additionalProperties":false}}}`),
	}
)

const findArguments = `{"words":["a","b"],"labels":{"k":"v","l":"w"},"limit":3,"owner":{"name":"Ada","team":null}}`

// callAnswer returns an answer that calls tools.
func callAnswer(calls ...tool.Request) Answer {
	return Answer{Response: llm.Response{Calls: calls, Model: modelName, Finish: llm.FinishCalls, Usage: llm.Usage{Input: 40, Output: 20}}}
}

// newRequest returns a call.
func newRequest(id, name, arguments string) tool.Request {
	return tool.Request{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
}

// resultMessage returns the result of a call.
func resultMessage(id, output string) llm.Message {
	return llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: id, Status: tool.StatusCompleted, Output: []byte(output)}}
}

// toWire returns the answer a with calls in wire form: with the names and arguments for the tools that the
// request offers.
func (c *check) toWire(tools []tool.Definition, a Answer) Answer {
	return Answer{Reply: func(r Request) Answer {
		wire := a
		wire.Response.Calls = nil
		if len(r.Tools) != len(tools) {
			c.Errorf("the request offers %d tools, want %d", len(r.Tools), len(tools))
			return wire
		}
		for _, call := range a.Response.Calls {
			wire.Response.Calls = append(wire.Response.Calls, c.wireCall(r, tools, call))
		}
		return wire
	}}
}

// wireCall returns a call with the name and the arguments in the wire form of the tool in the request r.
func (c *check) wireCall(r Request, tools []tool.Definition, call tool.Request) tool.Request {
	for i, d := range tools {
		if l := c.wireTool(r.Tools[i], d); l != nil && d.Name == call.Name {
			call.Name, call.Arguments = l.Name, c.encodeArguments(l, string(call.Arguments))
			return call
		}
	}
	return call
}

// callLine returns the line that dialogueLines returns for a call in the last request.
func (c *check) callLine(tools []tool.Definition, number string, call tool.Request) string {
	c.Helper()
	wire := c.wireCall(c.lastRequest(), tools, call)
	return "call " + number + ": " + wire.Name + "(" + canonicalJSON(string(wire.Arguments)) + ")"
}

// checkRoundTrip makes the double answer with the calls in a, then sends their results. It returns the request
// with the results.
func (c *check) checkRoundTrip(tools []tool.Definition, a Answer, results ...llm.Message) Request {
	c.Helper()
	req := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "Go."}}, Tools: tools}
	got := c.mustGenerate(req, c.toWire(tools, a))
	c.checkDialogue(c.lastRequest(), "user: Go.")
	c.checkResponse(got, a.Response)
	req.Messages = append(append(req.Messages, got.Message()), results...)
	end := textAnswer("Done.")
	c.checkResponse(c.mustGenerate(req, end), end.Response)
	return c.lastRequest()
}

func checkCall(c *check) {
	tools := []tool.Definition{weatherTool}
	call := newRequest("call_1", "get_weather", `{"city":"Oslo \"\u00e9\u2028\" \ud83d\ude00","day":9007199254740993}`)
	sent := c.checkRoundTrip(tools, callAnswer(call), resultMessage("call_1", `{"sky":"snow","id":9007199254740993}`))
	c.checkDialogue(sent, "user: Go.", c.callLine(tools, "1", call), `result 1: {"id":9007199254740993,"sky":"snow"}`)
}

func checkNoArguments(c *check) {
	tools := []tool.Definition{timeTool, weatherTool}
	call := newRequest("call_1", "now", `{}`)
	sent := c.checkRoundTrip(tools, callAnswer(call), resultMessage("call_1", `"12:00"`))
	c.checkDialogue(sent, "user: Go.", c.callLine(tools, "1", call), `result 1: "12:00"`)
}

func checkLowered(c *check) {
	tools := []tool.Definition{weatherTool, findTool}
	call := newRequest("call_1", findTool.Name, findArguments)
	sent := c.checkRoundTrip(tools, callAnswer(call), resultMessage("call_1", `[]`))
	c.checkDialogue(sent, "user: Go.", c.callLine(tools, "1", call), `result 1: []`)
}

// checkParallel checks three calls in one answer, two of which are equal.
func checkParallel(c *check) {
	tools := []tool.Definition{weatherTool, timeTool}
	one, two, three := newRequest("call_1", "get_weather", `{"city":"Oslo"}`), newRequest("call_2", "now", `{}`), newRequest("call_3", "get_weather", `{"city":"Oslo"}`)
	sent := c.checkRoundTrip(tools, callAnswer(one, two, three), resultMessage("call_1", `"snow"`), resultMessage("call_2", `"12:00"`), resultMessage("call_3", `"rain"`))
	c.checkDialogue(sent, "user: Go.", c.callLine(tools, "1", one), c.callLine(tools, "2", two), c.callLine(tools, "3", three),
		`result 1: "snow"`, `result 2: "12:00"`, `result 3: "rain"`)
}

func checkTextBeforeCall(c *check) {
	tools := []tool.Definition{weatherTool}
	call := newRequest("call_1", "get_weather", `{"city":"Rome"}`)
	a := callAnswer(call)
	a.Response.Text = "Let me see."
	sent := c.checkRoundTrip(tools, a, resultMessage("call_1", `"rain"`))
	c.checkDialogue(sent, "user: Go.", "assistant: Let me see.", c.callLine(tools, "1", call), `result 1: "rain"`)
}

// checkFailedCall sends the result of a failed call and the result of a pending call.
func checkFailedCall(c *check) {
	tools := []tool.Definition{weatherTool}
	one, two := newRequest("call_1", "get_weather", `{"city":"Atlantis"}`), newRequest("call_2", "get_weather", `{"city":"Rome"}`)
	failed := llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: "call_1", Status: tool.StatusFailed, Err: &tool.ToolError{Tool: "get_weather", Err: errors.New("no such place")}}}
	pending := llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: "call_2", Status: tool.StatusPending}}
	sent := c.checkRoundTrip(tools, callAnswer(one, two), failed, pending)
	lines := dialogueLines(sent.Request)
	if len(lines) < 4 || lines[3] != "result 1: get_weather failed: no such place" {
		c.Errorf("the provider understands\n%s", strings.Join(lines, "\n"))
	}
}

// choiceTest returns the test of a tool choice.
func choiceTest(name string, choice llm.ToolChoice) test {
	tools := []tool.Definition{weatherTool, findTool}
	req := llm.Request{Prompt: "Go.", Tools: tools, ToolChoice: choice}
	return test{
		name: name, runLacking: func(c *check) { c.mustRefuse(req) },
		run: func(c *check) {
			a := textAnswer("No.")
			c.checkResponse(c.mustGenerate(req, a), a.Response)
			sent, want := c.lastRequest(), choice
			if choice == llm.ToolChoice(findTool.Name) {
				want = llm.ToolChoice(c.wireTool(sent.Tools[1], findTool).Name)
			}
			if sent.ToolChoice != want {
				c.Errorf("the provider understands the choice %q, want %q, from %s", sent.ToolChoice, want, sent)
			}
		},
	}
}

// checkChoiceWithoutTools checks that a model refuses a choice for which the request has no tool, and accepts
// NoTool in a request without tools.
func checkChoiceWithoutTools(c *check) {
	c.mustRefuse(llm.Request{Prompt: "Go.", ToolChoice: llm.AnyTool})
	c.mustRefuse(llm.Request{Prompt: "Go.", ToolChoice: "get_weather"})
	c.mustRefuse(llm.Request{Prompt: "Go.", ToolChoice: "get_weather", Tools: []tool.Definition{timeTool}})
	a := textAnswer("Yes.")
	c.checkResponse(c.mustGenerate(llm.Request{Prompt: "Go.", ToolChoice: llm.NoTool, OneCall: true}, a), a.Response)
}

func checkOneCall(c *check) {
	for _, choice := range []llm.ToolChoice{"", llm.AnyTool} {
		a := textAnswer("No.")
		c.mustGenerate(llm.Request{Prompt: "Go.", Tools: []tool.Definition{weatherTool}, OneCall: true, ToolChoice: choice}, a)
		if sent := c.lastRequest(); !sent.OneCall || sent.ToolChoice != choice {
			c.Errorf("the provider understands one call: %t, choice: %q; want one call: true, choice: %q, from %s", sent.OneCall, sent.ToolChoice, choice, sent)
		}
	}
}

// checkFirstCall checks a model whose provider does not support OneCall. The model must refuse the request, or
// remove all calls after the first one from its response, and from the provider data in later requests.
func checkFirstCall(c *check) {
	tools := []tool.Definition{weatherTool, timeTool}
	req := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "Go."}}, Tools: tools, OneCall: true}
	first, second := newRequest("call_1", "get_weather", `{"city":"Oslo"}`), newRequest("call_2", "now", `{}`)
	a := callAnswer(first, second)
	a.Opaque = opaque
	c.double.script(c.toWire(tools, a))
	got, err := c.generate(c.Context(), req)
	if e, ok := errors.AsType[*llm.Error](err); ok && e.Kind == llm.BadRequest && len(c.double.Requests()) == 0 {
		c.double.discard()
		return
	}
	if err != nil {
		c.Fatal(err)
	}
	c.measured = "first call"
	a.Response.Calls = a.Response.Calls[:1]
	c.checkResponse(got, a.Response)
	req.Messages = append(req.Messages, got.Message(), resultMessage("call_1", `"snow"`))
	end := textAnswer("Done.")
	c.checkResponse(c.mustGenerate(req, end), end.Response)
	c.checkDialogue(c.lastRequest(), "user: Go.", c.callLine(tools, "1", first), `result 1: "snow"`)
	c.checkOpaque(c.lastRequest(), opaque)
}

// checkSchema requests an answer that follows a schema.
func checkSchema(c *check) {
	a := textAnswer(findArguments)
	got := c.mustGenerate(llm.Request{Prompt: "Go.", Schema: findTool.Input}, Answer{Reply: func(r Request) Answer {
		wire := a
		for _, target := range c.provider.Targets {
			lowered, err := schema.Lower(target, tool.Definition{Name: "answer", Input: findTool.Input})
			if err == nil && sameSchema(r.Schema, lowered.Input) {
				wire.Response.Text = string(c.encodeArguments(lowered, findArguments))
				return wire
			}
		}
		if !c.isDirect() || !sameSchema(r.Schema, findTool.Input) {
			c.Errorf("the request has the schema %s, which is not the form of the answer schema for any of %v", r.Schema, c.provider.Targets)
		}
		return wire
	}})
	got.Text = canonicalJSON(got.Text)
	a.Response.Text = canonicalJSON(a.Response.Text)
	c.checkResponse(got, a.Response)
}

// checkInvalidCalls sends a dialogue with invalid calls such as models write. Endpoints refuse them, so the
// implementation must correct them.
func checkInvalidCalls(c *check) {
	calls := []tool.Request{
		newRequest("call_1", "", `{}`), newRequest("", "get_weather", `{"city":`), newRequest("call 3/é", "get weather!", `[1]`),
		newRequest("call_1", "get_weather", `null`), newRequest(strings.Repeat("x", 500), "get_weather", ``), newRequest("call_6", strings.Repeat("n", 300), `"x"`),
	}
	messages := []llm.Message{{Role: llm.RoleUser, Text: "Go."}, {Role: llm.RoleAssistant, Calls: calls}}
	for _, call := range calls {
		messages = append(messages, llm.Message{Role: llm.RoleTool, Result: &tool.Call{ID: call.ID, Status: tool.StatusFailed, Err: &tool.ToolError{Tool: "x", Err: errors.New("invalid")}}})
	}
	a := textAnswer("Sorry.")
	c.checkResponse(c.mustGenerate(llm.Request{Messages: messages, Tools: []tool.Definition{weatherTool}}, a), a.Response)
	count := 0
	for _, line := range dialogueLines(c.lastRequest().Request) {
		if strings.HasPrefix(line, "result ") && !strings.HasPrefix(line, "result 0") {
			count++
		}
	}
	if count != len(calls) {
		c.Errorf("the provider understands %d results, want %d, from %s", count, len(calls), c.lastRequest())
	}
}
