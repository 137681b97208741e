package agenttest_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/agenttest"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestRun20261127It1 repeats a run with the answers of its model and the outcomes of its tools. To call the
// agent's own tools instead, pass their registry to orchestrator.New.
func TestRun20261127It1(t *testing.T) {
	model := scripted.New(
		scripted.Respond(llm.Response{
			Text: "Let me see.",
			Calls: []tool.Request{
				{Name: "find", Arguments: json.RawMessage("{\"q\":\"a`b\"}")},
				{Name: "find", Arguments: json.RawMessage(`{"q":"nothing"}`)},
				{Name: "gone (now)", Arguments: json.RawMessage("{}")},
			},
		}),
		scripted.Call("find", `{"q":`),
		scripted.Call("find", `{"q":7}`),
		scripted.Call("flaky", ""),
		scripted.Respond(llm.Response{Text: "Half an ans", Finish: "length"}),
		scripted.Respond(llm.Response{
			Text: "Let me see.",
			Calls: []tool.Request{
				{Name: "pay", Arguments: json.RawMessage(`{"q":"1"}`)},
				{Name: "pay", Arguments: json.RawMessage(`{"q":"2"}`)},
			},
		}),
		scripted.Call("ask", "{}"),
		scripted.Call("draw", "{}"),
		scripted.Text("`\" + os.Exit(1) + \"` */ //go:build ignore\n"+
			"\t\\\u202e\x00\r}; panic(\"x\")\n"+
			`//go:generate echo "x"`+"\n"),
		scripted.Text(`{"done": true}`),
	)
	stubs := agenttest.Tools(t, toolsRun20261127It1,
		agenttest.Returns("find({\"q\":\"a`b\"})", "{\"found\":\"`\\\" + os.Exit(1) + \\\"` */ //go:build ignore\\n\\t\\\\\u202e\\u0000\\r}; panic(\\\"x\\\")\\n//go:generate echo \\\"x\\\"\\n\"}"),
		agenttest.Fails(`find({"q":"nothing"})`, errors.New("nothing found: `\" + os.Exit(1) + \"` */ //go:build ignore\n"+
			"\t\\\u202e\x00\r}; panic(\"x\")\n"+
			`//go:generate echo "x"`+"\n")),
		agenttest.Recorded(`find("{\"q\":")`, `{"format":1,"request":{"name":"find","arguments_text":"{\"q\":"},"status":"failed","error":{"type":"ArgumentError","code":"invalid_arguments","text":"find: wrong arguments: /q: expected a value at byte 5, found the end of the text","tool":"find","faults":[{"pointer":"/q","expected":"a value at byte 5","found":"the end of the text"}],"count":1}}`),
		agenttest.Recorded(`find({"q":7})`, `{"format":1,"request":{"name":"find","arguments":{"q":7}},"status":"failed","error":{"type":"ArgumentError","code":"invalid_arguments","text":"find: wrong arguments: /q: expected a string, found the number 7","tool":"find","faults":[{"pointer":"/q","expected":"a string","found":"the number 7"}],"count":1}}`),
		agenttest.Recorded("flaky({})", `{"format":1,"request":{"name":"flaky"},"status":"failed","error":{"type":"ToolError","code":"tool_failed","text":"flaky: busy","retryable":true,"tool":"flaky","cause":{"type":"agenttest_test.busyError","text":"busy","retryable":true}}}`),
		agenttest.Fails(`pay({"q":"1"})`, &tool.ApprovalError{Tool: "pay"}),
		agenttest.Returns(`pay({"q":"3"})`, `{"q":"3"}`),
		agenttest.Fails(`pay({"q":"2"})`, &tool.ApprovalError{Tool: "pay"}),
		agenttest.Recorded("ask({})", `{"format":1,"request":{"name":"ask","arguments":{}},"status":"failed","error":{"type":"AskError","code":"needs_answer","text":"ask: waits for an answer: \"Sure?\"","tool":"ask","questions":[{"kind":"person","text":"Sure?"}]}}`),
		agenttest.Returns("ask({})", "true"),
		agenttest.Recorded("draw({})", `{"format":1,"request":{"name":"draw","arguments":{}},"status":"completed","output":null,"content":[{"media":"image/png","data":"cG5n"}]}`),
	)
	agent, err := orchestrator.New(model, stubs)
	if err != nil {
		t.Fatal(err)
	}
	r := agenttest.Run(t, agent, orchestrator.Input{
		ID:   "2026-11-27 it(1) + \"`",
		Kind: "conversation",
		Request: "`\" + os.Exit(1) + \"` */ //go:build ignore\n" +
			"\t\\\u202e\x00\r}; panic(\"x\")\n" +
			`//go:generate echo "x"` + "\n",
		Meta: map[string]string{"user": "ada"},
	})
	r.Waits(run.ForApproval)
	r.Send(run.Approve("2026-11-27 it(1) + \"`/5/1", "Grace", json.RawMessage(`{"q":"3"}`)))
	r.Waits(run.ForApproval)
	r.Send(
		run.Deny("2026-11-27 it(1) + \"`/5/2", "`\" + os.Exit(1) + \"` */ //go:build ignore\n"+
			"\t\\\u202e\x00\r}; panic(\"x\")\n"+
			`//go:generate echo "x"`+"\n"),
	)
	r.Waits(run.ForAnswer)
	r.Send(
		run.Reply("2026-11-27 it(1) + \"`/6/1", tool.Answer{QuestionKey: `{"kind":"person","text":"Sure?"}`, Action: "accept"}),
	)
	r.Waits(run.ForMessage)
	r.Send(
		run.Say(llm.Message{Text: "And?", Parts: []content.Part{{Media: "image/png", Data: []byte("\x00\xff")}}}),
	)
	r.Waits(run.ForMessage)
	r.CalledExactly(
		"find({\"q\":\"a`b\"})",
		`find({"q":"nothing"})`,
		`"gone (now)"({})`,
		`find("{\"q\":")`,
		`find({"q":7})`,
		"flaky({})",
		`pay({"q":"3"})`,
		`pay({"q":"2"})`,
		"ask({})",
		"draw({})",
	)
	r.Answered(`{"done": true}`)
	if err := model.Err(); err != nil {
		t.Error(err)
	}
}

// toolsRun20261127It1 are the tools that the run depends on.
var toolsRun20261127It1 = []tool.Definition{
	{
		Name: "ask",
		Description: "Does `\" + os.Exit(1) + \"` */ //go:build ignore\n" +
			"\t\\\u202e\x00\r}; panic(\"x\")\n" +
			`//go:generate echo "x"` + "\n",
		Input: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}}}`),
	},
	{
		Name: "draw",
		Description: "Does `\" + os.Exit(1) + \"` */ //go:build ignore\n" +
			"\t\\\u202e\x00\r}; panic(\"x\")\n" +
			`//go:generate echo "x"` + "\n",
		Input: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}}}`),
	},
	{
		Name: "find",
		Description: "Does `\" + os.Exit(1) + \"` */ //go:build ignore\n" +
			"\t\\\u202e\x00\r}; panic(\"x\")\n" +
			`//go:generate echo "x"` + "\n",
		Input:       json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}}}`),
		Annotations: tool.Annotations{ReadOnly: true},
	},
	{
		Name: "flaky",
		Description: "Does `\" + os.Exit(1) + \"` */ //go:build ignore\n" +
			"\t\\\u202e\x00\r}; panic(\"x\")\n" +
			`//go:generate echo "x"` + "\n",
		Input: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}}}`),
	},
	{
		Name: "pay",
		Description: "Does `\" + os.Exit(1) + \"` */ //go:build ignore\n" +
			"\t\\\u202e\x00\r}; panic(\"x\")\n" +
			`//go:generate echo "x"` + "\n",
		Input: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}}}`),
	},
}
