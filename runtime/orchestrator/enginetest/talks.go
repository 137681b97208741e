package enginetest

import (
	"context"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

func sayText(text string) run.Signal { return run.Say(llm.Message{Text: text}) }

// conversationScenes are conversations.
var conversationScenes = []scene{
	{
		name: "a conversation",
		script: script{replies: []reply{
			replyCalls(`find {"n":1}`, `find {"n":2}`, `pay {"n":3}`), replyCalls(`tag {}`, `pay {"n":4}`), replyText("both are paid"), replyEcho, replyCalls(`pay {"n":5}`), replyText("that, too"),
		}},
		in:   orchestrator.Input{Kind: "conversation", Request: "Pay."},
		want: `waiting for message: "both are paid"; 3 steps, 3 asked, 5 called, 36 tokens`,
		signals: []sentSignal{
			{signal: sayText("Thanks."), want: `waiting for message: "Thanks."; 4 steps, 4 asked, 5 called, 48 tokens`},
			{restart: true, signal: sayText("And five."), want: `waiting for message: "that, too"; 6 steps, 6 asked, 6 called, 72 tokens`},
			{signal: sayText(" "), refused: "invalid_input"},
			{signal: run.Cancel("It is late."), want: `cancelled with cancelled; 6 steps, 6 asked, 6 called, 72 tokens`},
			{signal: sayText("Are you there?"), refused: "run_ended"},
		},
		effects: []string{`find r/1/1 {"n":1}`, `find r/1/2 {"n":2}`, `pay r/1/3 {"n":3}`, `tag r/2/1 {}`, `pay r/2/2 {"n":4}`, `pay r/5/1 {"n":5}`},
	},
	{
		name: "a message during a call",
		script: script{replies: []reply{replyCalls(`pay {}`), replyEcho}, functions: map[string]toolFunc{
			"pay": func(ctx context.Context, s *stage, _ int) (any, error) {
				return "paid", s.sendSignal(ctx, sayText("In cash."))
			},
		}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		want:    `waiting for message: "\"paid\" | In cash."; 2 steps, 2 asked, 1 called, 24 tokens`,
		effects: []string{`pay r/1/1 {}`},
	},
	{
		name: "cancelled during a call",
		script: script{functions: map[string]toolFunc{
			"pay": func(ctx context.Context, s *stage, _ int) (any, error) {
				return "paid", s.sendSignal(ctx, run.Cancel("Too expensive."))
			},
		}},
		in:      orchestrator.Input{Plan: newPlan(`pay {"n":1}`, `pay {"n":2}`)},
		want:    `cancelled with cancelled; 1 steps, 0 asked, 1 called, 0 tokens`,
		effects: []string{`pay r/1/1 {"n":1}`},
	},
	{
		name: "texts with special characters",
		script: script{
			replies:   []reply{replyCalls(`pay {"n":9007199254740993, "to":"<b>\u2028 & Zoë\u0000"}`), replyEcho, replyResult},
			functions: map[string]toolFunc{"pay": func(context.Context, *stage, int) (any, error) { return "</b>\u2028 & \x00 Zoë \\u003c", nil }},
		},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay <all> & everything."},
		want:    `waiting for message: "\"</b>\\u2028 & \\u0000 Zoë \\\\u003c\""; 2 steps, 2 asked, 1 called, 24 tokens`,
		signals: []sentSignal{{signal: sayText("What is <whom>?"), want: `waiting for message: "{\"type\":\"object\",\"properties\":{\"to\":{\"type\":\"string\",\"title\":\"<whom> & why\"},\"n\":{\"type\":\"integer\"}},\"additionalProperties\":false}"; 3 steps, 3 asked, 1 called, 36 tokens`}},
		effects: []string{`pay r/1/1 {"n":9007199254740993,"to":"<b>\u2028 & Zoë\u0000"}`},
	},
	{
		name:    "an answer with a schema",
		script:  script{replies: []reply{replyCalls(`find {}`), replyText("It is\n```json\n{\"sum\": 12}\n```"), replyText("nothing"), replyText(`{"sum":13}`)}},
		in:      orchestrator.Input{Kind: "conversation", Request: "How much?", Answer: []byte(`{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"]}`)},
		want:    `waiting for message: {"sum":12}; 2 steps, 2 asked, 1 called, 24 tokens`,
		signals: []sentSignal{{signal: sayText("And now?"), want: `waiting for message: {"sum":13}; 4 steps, 4 asked, 1 called, 48 tokens`}},
		effects: []string{`find r/1/1 {}`},
	},
}
