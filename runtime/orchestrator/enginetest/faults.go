package enginetest

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

// faultScenes are runs in which tools or the model fail, or workers stop.
var faultScenes = []scene{
	{
		name:    "a tool that fails",
		script:  script{replies: []reply{replyCalls(`pay {}`), replyEcho}, functions: map[string]toolFunc{"pay": failTimes(1, true)}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		want:    `waiting for message: "The call failed: \"pay failed: the shop is closed\\nThe same call may succeed later.\""; 2 steps, 2 asked, 1 called, 24 tokens`,
		effects: []string{`pay r/1/1 {}`},
	},
	{
		name:    "a tool that fails and is retried",
		script:  script{functions: map[string]toolFunc{"tag": failTimes(2, true), "find": failTimes(1, true)}},
		in:      orchestrator.Input{Plan: newPlan(`tag {}`, `find {}`)},
		want:    `completed: "done at last"; 2 steps, 0 asked, 2 called, 0 tokens`,
		effects: []string{`tag r/1/1 {}`, `tag r/1/1 {}`, `tag r/1/1 {}`, `find r/2/1 {}`, `find r/2/1 {}`},
	},
	{
		name:    "a tool that fails too often",
		script:  script{replies: []reply{replyCalls(`tag {}`, `find {}`), replyEcho}, functions: map[string]toolFunc{"tag": failTimes(9, true), "find": failTimes(9, false)}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Tag."},
		want:    `waiting for message: "The call failed: \"tag failed: the shop is closed\\nThe same call may succeed later.\" | The call failed: \"find failed: the shop is closed\""; 2 steps, 2 asked, 2 called, 24 tokens`,
		effects: []string{`tag r/1/1 {}`, `tag r/1/1 {}`, `tag r/1/1 {}`, `find r/1/2 {}`},
	},
	{
		name: "a plan that is replaced",
		script: script{
			replies:   []reply{replyText(`{"goal":"the goal","steps":[{"step_id":"7","description":"tag it","tool":"tag","arguments":{}}]}`)},
			functions: map[string]toolFunc{"pay": failTimes(9, false)},
		},
		in:      orchestrator.Input{Plan: newPlan(`pay {}`, `tag {"to":"<<step:1>>"}`)},
		want:    `completed: "done"; 2 steps, 1 asked, 2 called, 12 tokens`,
		effects: []string{`pay r/1/1 {}`, `tag r/7/1 {}`},
	},
	{
		name:    "a plan that is given up",
		script:  script{replies: []reply{replyText(`{"give_up":"It is closed."}`)}, functions: map[string]toolFunc{"pay": failTimes(9, false)}},
		in:      orchestrator.Input{Plan: newPlan(`find {}`, `pay {}`, `tag {"to":"<<step:2>>"}`)},
		want:    `failed with gave_up; 2 steps, 1 asked, 2 called, 12 tokens`,
		effects: []string{`find r/1/1 {}`, `pay r/2/1 {}`},
	},
	{
		name:    "invalid calls",
		script:  script{replies: []reply{replyCalls(`pay {"n":"one"}`, `steal {}`, `pay {}`), replyEcho}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		want:    `waiting for message: "The arguments of pay were wrong, and it did not run. Send the call again with all arguments, and fix these:\n- /n: expected an integer, found the string \"one\" | There is no tool \"steal\". Call only tools that you were offered, by their exact names. | \"done\""; 2 steps, 2 asked, 1 called, 24 tokens`,
		effects: []string{`pay r/1/3 {}`},
	},
	{
		name:    "the same call again and again",
		script:  script{replies: []reply{replyCalls(`pay {}`, `pay {}`, `pay {}`, `pay {}`), replyEcho}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		want:    `waiting for message: "\"done\" | \"done\" | \"done\" | The call failed: \"pay: the same call was already made 3 times; do something else\""; 2 steps, 2 asked, 3 called, 24 tokens`,
		effects: []string{`pay r/1/1 {}`, `pay r/1/2 {}`, `pay r/1/3 {}`},
	},
	{
		name:    "a model that fails and recovers",
		script:  script{replies: []reply{replyCalls(`pay {}`), replyError(llm.ServerError), replyText("paid")}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		want:    `waiting for message: "paid"; 2 steps, 2 asked, 1 called, 24 tokens`,
		effects: []string{`pay r/1/1 {}`},
	},
	{
		name:    "a model that fails permanently",
		script:  script{replies: []reply{replyCalls(`pay {}`), replyError(llm.Unauthorized), replyText("paid")}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		want:    `interrupted with unauthorized; 1 steps, 1 asked, 1 called, 12 tokens`,
		signals: []sentSignal{{restart: true, signal: run.Extend(run.Limits{}), want: `waiting for message: "paid"; 2 steps, 2 asked, 1 called, 24 tokens`}},
		effects: []string{`pay r/1/1 {}`},
	},
	{
		name:    "stopped while the model is asked",
		script:  script{replies: []reply{replyCalls(`pay {}`), replyNothing, replyText("paid")}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		hangs:   true,
		want:    `waiting for message: "paid"; 2 steps, 2 asked, 1 called, 24 tokens`,
		effects: []string{`pay r/1/1 {}`},
	},
	{
		name:    "stopped in a call that reads",
		script:  script{functions: map[string]toolFunc{"find": hangFirst}},
		in:      orchestrator.Input{Plan: newPlan(`pay {}`, `find {}`)},
		hangs:   true,
		want:    `completed: "done again"; 2 steps, 0 asked, 2 called, 0 tokens`,
		effects: []string{`pay r/1/1 {}`, `find r/2/1 {}`, `find r/2/1 {}`},
	},
	{
		name:    "stopped in an idempotent call",
		script:  script{functions: map[string]toolFunc{"tag": hangFirst}},
		in:      orchestrator.Input{Plan: newPlan(`tag {}`, `pay {}`)},
		hangs:   true,
		want:    `completed: "done"; 2 steps, 0 asked, 2 called, 0 tokens`,
		effects: []string{`tag r/1/1 {}`, `tag r/1/1 {}`, `pay r/2/1 {}`},
	},
	{
		name:    "stopped in a call that is repeated",
		script:  script{functions: map[string]toolFunc{"pay": hangFirst}},
		in:      orchestrator.Input{Plan: newPlan(`pay {"n":1}`, `tag {}`)},
		hangs:   true,
		want:    `waiting for decision of pay r/1/1 {"n":1}; 1 steps, 0 asked, 0 called, 0 tokens`,
		signals: []sentSignal{{signal: approveWith("r/1/1", ""), refused: "not_waiting"}, {signal: run.Redo("r/1/1"), want: `completed: "done"; 2 steps, 0 asked, 2 called, 0 tokens`}},
		effects: []string{`pay r/1/1 {"n":1}`, `pay r/1/1 {"n":1}`, `tag r/2/1 {}`},
	},
	{
		name:   "stopped in a call whose result a person supplies",
		script: script{functions: map[string]toolFunc{"pay": hangFirst}},
		in:     orchestrator.Input{Plan: newPlan(`pay {"n":1}`, `tag {"to":"<<step:1>>"}`)},
		hangs:  true,
		want:   `waiting for decision of pay r/1/1 {"n":1}; 1 steps, 0 asked, 0 called, 0 tokens`,
		signals: []sentSignal{
			{signal: run.Supply("r/1/1", json.RawMessage(`7`)), refused: "invalid_input"},
			{signal: run.Supply("r/1/1", json.RawMessage(`"paid in cash"`)), want: `completed: "done"; 2 steps, 0 asked, 2 called, 0 tokens`},
		},
		effects: []string{`pay r/1/1 {"n":1}`, `tag r/2/1 {"to":"paid in cash"}`},
	},
	{
		name:    "stopped in a call that a person denies",
		script:  script{replies: []reply{replyCalls(`pay {}`, `find {}`), replyEcho}, functions: map[string]toolFunc{"pay": hangFirst}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		hangs:   true,
		want:    `waiting for decision of pay r/1/1 {}; 1 steps, 1 asked, 0 called, 12 tokens`,
		signals: []sentSignal{{restart: true, signal: run.Deny("r/1/1", "let it be"), want: `waiting for message: "The call failed: \"pay: the call is not allowed: let it be; it had started, and its outcome is unknown\" | \"done\""; 2 steps, 2 asked, 1 called, 24 tokens`}},
		effects: []string{`pay r/1/1 {}`, `find r/1/2 {}`},
	},
}
