package enginetest

import (
	"context"
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

var whom = tool.AskPerson("Whom?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`))

// askQuestion is a toolFunc that asks a person and returns the answer.
func askQuestion(ctx context.Context, _ *stage, _ int) (any, error) {
	answers, err := tool.ExchangeFrom(ctx).Ask(ctx, whom)
	if err != nil {
		return nil, err
	}
	var person struct{ Name string }
	err = answers[0].Into(&person)
	return "paid to " + person.Name, err
}

// askModelQuestion is a toolFunc that asks the model and returns the answer.
func askModelQuestion(ctx context.Context, _ *stage, _ int) (any, error) {
	answers, err := tool.ExchangeFrom(ctx).Ask(ctx, tool.AskModel("Which one?", 20))
	if err != nil {
		return nil, err
	}
	var text string
	err = answers[0].Into(&text)
	return text, err
}

func approveWith(call, arguments string) run.Signal {
	return run.Approve(call, "ann", json.RawMessage(arguments))
}

// peopleScenes are runs that wait for a person.
var peopleScenes = []scene{
	{
		name: "approved",
		in:   orchestrator.Input{Plan: newPlan(`pay {"n":1}`, `send {"to":"bob"}`, `pay {"n":3}`)},
		want: `waiting for approval of send r/2/1 {"to":"bob"}; 2 steps, 0 asked, 1 called, 0 tokens`,
		signals: []sentSignal{
			{signal: run.Signal{Kind: "shout"}, refused: "invalid_input"},
			{signal: approveWith("r/1/1", ""), refused: "not_waiting"},
			{signal: run.Redo("r/2/1"), refused: "not_waiting"},
			{restart: true, signal: approveWith("r/2/1", ""), want: `completed: "done"; 3 steps, 0 asked, 3 called, 0 tokens`},
		},
		effects: []string{`pay r/1/1 {"n":1}`, `send r/2/1 {"to":"bob"}`, `pay r/3/1 {"n":3}`},
	},
	{
		name: "approved with other arguments",
		in:   orchestrator.Input{Plan: newPlan(`send {"to":"bob"}`)},
		want: `waiting for approval of send r/1/1 {"to":"bob"}; 1 steps, 0 asked, 0 called, 0 tokens`,
		signals: []sentSignal{
			{signal: approveWith("r/1/1", `{"too":"eve"}`), refused: "invalid_input"},
			{signal: run.Approve("r/1/1", "", nil), refused: "invalid_input"},
			{signal: run.Say(llm.Message{}), refused: "invalid_input"},
			{signal: approveWith("r/1/1", `{"to":"eve"}`), want: `completed: "done"; 1 steps, 0 asked, 1 called, 0 tokens`},
		},
		effects: []string{`send r/1/1 {"to":"eve"}`},
	},
	{
		name:   "a message to a plan",
		script: script{replies: []reply{replyText(`{"steps":[]}`), replyText("as you wish")}},
		in:     orchestrator.Input{Plan: newPlan(`send {"to":"bob"}`, `pay {"n":2}`)},
		want:   `waiting for approval of send r/1/1 {"to":"bob"}; 1 steps, 0 asked, 0 called, 0 tokens`,
		signals: []sentSignal{
			{signal: run.Say(llm.Message{Text: "Do not pay."}), want: `waiting for approval of send r/1/1 {"to":"bob"}; 1 steps, 0 asked, 0 called, 0 tokens`},
			{restart: true, signal: approveWith("r/1/1", ""), want: `completed: "as you wish"; 1 steps, 2 asked, 1 called, 24 tokens`},
		},
		effects: []string{`send r/1/1 {"to":"bob"}`},
	},
	{
		name:   "refused",
		script: script{replies: []reply{replyCalls(`pay {}`, `send {"to":"bob"}`, `send {"to":"eve"}`), replyEcho}},
		in:     orchestrator.Input{Kind: "conversation", Request: "Mail both."},
		want:   `waiting for approval of send r/1/2 {"to":"bob"}; 1 steps, 1 asked, 0 called, 12 tokens`,
		signals: []sentSignal{
			{signal: approveWith("r/1/3", ""), refused: "not_waiting"}, // the call before it is still waiting
			{signal: approveWith("r/1/2", ""), want: `waiting for approval of send r/1/3 {"to":"eve"}; 1 steps, 1 asked, 0 called, 12 tokens`},
			{signal: run.Deny("r/1/3", "not Eve"), want: `waiting for message: "\"done\" | \"done\" | The call failed: \"send: the call is not allowed: not Eve\""; 2 steps, 2 asked, 2 called, 24 tokens`},
		},
		effects: []string{`pay r/1/1 {}`, `send r/1/2 {"to":"bob"}`},
	},
	{
		name:   "calls after one that waits",
		script: script{replies: []reply{replyCalls(`send {"to":"bob"}`, `pay {"n":1}`, `tag {"n":2}`, `find {"n":3}`, `pay {"n":4}`), replyEcho}},
		in:     orchestrator.Input{Kind: "conversation", Request: "Mail, then pay."},
		want:   `waiting for approval of send r/1/1 {"to":"bob"}; 1 steps, 1 asked, 0 called, 12 tokens`,
		signals: []sentSignal{
			{restart: true, signal: approveWith("r/1/1", ""), want: `waiting for message: "\"done\" | \"done\" | \"done\" | \"done\" | \"done\""; 2 steps, 2 asked, 5 called, 24 tokens`},
		},
		effects: []string{`find r/1/4 {"n":3}`, `send r/1/1 {"to":"bob"}`, `pay r/1/2 {"n":1}`, `tag r/1/3 {"n":2}`, `pay r/1/5 {"n":4}`},
	},
	{
		name:   "calls after one that asks",
		script: script{replies: []reply{replyCalls(`pay {"n":1}`, `tag {"n":2}`), replyEcho}, functions: map[string]toolFunc{"pay": askQuestion}},
		in:     orchestrator.Input{Kind: "conversation", Request: "Pay, then tag."},
		want:   `waiting for answer of pay r/1/1 {"n":1} which asks "Whom?"; 1 steps, 1 asked, 0 called, 12 tokens`,
		signals: []sentSignal{
			{signal: run.Deny("r/1/1", "no"), want: `waiting for message: "The call failed: \"pay: the call is not allowed: no\" | \"done\""; 2 steps, 2 asked, 1 called, 24 tokens`},
		},
		effects: []string{`pay r/1/1 {"n":1}`, `tag r/1/2 {"n":2}`},
	},
	{
		name:   "a question",
		script: script{functions: map[string]toolFunc{"pay": askQuestion}},
		in:     orchestrator.Input{Plan: newPlan(`pay {"n":1}`)},
		want:   `waiting for answer of pay r/1/1 {"n":1} which asks "Whom?"; 1 steps, 0 asked, 0 called, 0 tokens`,
		signals: []sentSignal{
			{signal: run.Reply("r/1/1", whom.Accept(json.RawMessage(`{"nom":"ada"}`))), refused: "invalid_input"},
			{restart: true, signal: run.Reply("r/1/1", whom.Accept(json.RawMessage(`{"name":"ada"}`))), want: `completed: "paid to ada"; 1 steps, 0 asked, 1 called, 0 tokens`},
		},
		effects: []string{`pay r/1/1 {"n":1}`, `pay r/1/1 {"n":1}`},
	},
	{
		name:    "a question that nobody answers",
		script:  script{replies: []reply{replyCalls(`pay {}`), replyEcho}, functions: map[string]toolFunc{"pay": askQuestion}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		want:    `waiting for answer of pay r/1/1 {} which asks "Whom?"; 1 steps, 1 asked, 0 called, 12 tokens`,
		signals: []sentSignal{{signal: run.Deny("r/1/1", "ask somebody else"), want: `waiting for message: "The call failed: \"pay: the call is not allowed: ask somebody else\""; 2 steps, 2 asked, 0 called, 24 tokens`}},
		effects: []string{`pay r/1/1 {}`},
	},
	{
		name:    "a question to the model",
		script:  script{replies: []reply{replyText("the red one")}, functions: map[string]toolFunc{"tag": askModelQuestion}},
		in:      orchestrator.Input{Plan: newPlan(`tag {}`)},
		want:    `completed: "the red one"; 1 steps, 1 asked, 1 called, 12 tokens`,
		effects: []string{`tag r/1/1 {}`, `tag r/1/1 {}`},
	},
	{
		name:    "cancelled while it waits",
		in:      orchestrator.Input{Plan: newPlan(`send {}`)},
		want:    `waiting for approval of send r/1/1 {}; 1 steps, 0 asked, 0 called, 0 tokens`,
		signals: []sentSignal{{signal: run.Cancel("enough"), want: `cancelled with cancelled; 1 steps, 0 asked, 0 called, 0 tokens`}, {signal: approveWith("r/1/1", ""), refused: "run_ended"}},
		effects: nil,
	},
}
