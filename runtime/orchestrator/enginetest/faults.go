package enginetest

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// faults are runs in which something goes wrong: tools fail, the model does, workers stop.
var faults = []scene{
	{
		name:    "a tool that fails",
		script:  script{replies: []reply{calls(`pay {}`), echoes}, deeds: map[string]deed{"pay": fails(1, true)}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		stands:  `waiting for message: "The call failed: \"pay failed: the shop is closed\\nThe same call may succeed later.\""; 2 steps, 2 asked, 1 called, 24 tokens`,
		effects: []string{`pay r/1/1 {}`},
	},
	{
		name:    "a tool that fails and is tried again",
		script:  script{deeds: map[string]deed{"tag": fails(2, true), "find": fails(1, true)}},
		in:      orchestrator.Input{Plan: steps(`tag {}`, `find {}`)},
		stands:  `completed: "done at last"; 2 steps, 0 asked, 2 called, 0 tokens`,
		effects: []string{`tag r/1/1 {}`, `tag r/1/1 {}`, `tag r/1/1 {}`, `find r/2/1 {}`, `find r/2/1 {}`},
	},
	{
		name:    "a tool that fails too often",
		script:  script{replies: []reply{calls(`tag {}`, `find {}`), echoes}, deeds: map[string]deed{"tag": fails(9, true), "find": fails(9, false)}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Tag."},
		stands:  `waiting for message: "The call failed: \"tag failed: the shop is closed\\nThe same call may succeed later.\" | The call failed: \"find failed: the shop is closed\""; 2 steps, 2 asked, 2 called, 24 tokens`,
		effects: []string{`tag r/1/1 {}`, `tag r/1/1 {}`, `tag r/1/1 {}`, `find r/1/2 {}`},
	},
	{
		name: "a plan that is made anew",
		script: script{
			replies: []reply{says(`{"goal":"the goal","steps":[{"step_id":"7","description":"tag it","tool":"tag","arguments":{}}]}`)},
			deeds:   map[string]deed{"pay": fails(9, false)},
		},
		in:      orchestrator.Input{Plan: steps(`pay {}`, `tag {"to":"<<step:1>>"}`)},
		stands:  `completed: "done"; 2 steps, 1 asked, 2 called, 12 tokens`,
		effects: []string{`pay r/1/1 {}`, `tag r/7/1 {}`},
	},
	{
		name:    "a plan that is given up",
		script:  script{replies: []reply{says(`{"give_up":"It is closed."}`)}, deeds: map[string]deed{"pay": fails(9, false)}},
		in:      orchestrator.Input{Plan: steps(`find {}`, `pay {}`, `tag {"to":"<<step:2>>"}`)},
		stands:  `failed with gave_up; 2 steps, 1 asked, 2 called, 12 tokens`,
		effects: []string{`find r/1/1 {}`, `pay r/2/1 {}`},
	},
	{
		name:    "calls that are none",
		script:  script{replies: []reply{calls(`pay {"n":"one"}`, `steal {}`, `pay {}`), echoes}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		stands:  `waiting for message: "The arguments of pay were wrong, and it did not run. Send the call again with all arguments, and these mended:\n- /n: expected an integer, found the string \"one\" | There is no tool \"steal\". Call only tools that you were offered, by their exact names. | \"done\""; 2 steps, 2 asked, 1 called, 24 tokens`,
		effects: []string{`pay r/1/3 {}`},
	},
	{
		name:    "the same over and over",
		script:  script{replies: []reply{calls(`pay {}`, `pay {}`, `pay {}`, `pay {}`), echoes}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		stands:  `waiting for message: "\"done\" | \"done\" | \"done\" | The call failed: \"pay: the very same call was made 3 times already; do something else\""; 2 steps, 2 asked, 3 called, 24 tokens`,
		effects: []string{`pay r/1/1 {}`, `pay r/1/2 {}`, `pay r/1/3 {}`},
	},
	{
		name:    "a model that fails, and then does not",
		script:  script{replies: []reply{calls(`pay {}`), breaks(llm.ServerError), says("paid")}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		stands:  `waiting for message: "paid"; 2 steps, 2 asked, 1 called, 24 tokens`,
		effects: []string{`pay r/1/1 {}`},
	},
	{
		name:    "a model that fails for good",
		script:  script{replies: []reply{calls(`pay {}`), breaks(llm.Unauthorized), says("paid")}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		stands:  `interrupted with unauthorized; 1 steps, 1 asked, 1 called, 12 tokens`,
		acts:    []act{{restart: true, tell: record.Extend(record.Limits{}), stands: `waiting for message: "paid"; 2 steps, 2 asked, 1 called, 24 tokens`}},
		effects: []string{`pay r/1/1 {}`},
	},
	{
		name:    "stopped while the model is asked",
		script:  script{replies: []reply{calls(`pay {}`), silent, says("paid")}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		stalls:  true,
		stands:  `waiting for message: "paid"; 2 steps, 2 asked, 1 called, 24 tokens`,
		effects: []string{`pay r/1/1 {}`},
	},
	{
		name:    "stopped in a call that reads",
		script:  script{deeds: map[string]deed{"find": stalls}},
		in:      orchestrator.Input{Plan: steps(`pay {}`, `find {}`)},
		stalls:  true,
		stands:  `completed: "done again"; 2 steps, 0 asked, 2 called, 0 tokens`,
		effects: []string{`pay r/1/1 {}`, `find r/2/1 {}`, `find r/2/1 {}`},
	},
	{
		name:    "stopped in an idempotent call",
		script:  script{deeds: map[string]deed{"tag": stalls}},
		in:      orchestrator.Input{Plan: steps(`tag {}`, `pay {}`)},
		stalls:  true,
		stands:  `completed: "done"; 2 steps, 0 asked, 2 called, 0 tokens`,
		effects: []string{`tag r/1/1 {}`, `tag r/1/1 {}`, `pay r/2/1 {}`},
	},
	{
		name:    "stopped in a call, which is made again",
		script:  script{deeds: map[string]deed{"pay": stalls}},
		in:      orchestrator.Input{Plan: steps(`pay {"n":1}`, `tag {}`)},
		stalls:  true,
		stands:  `waiting for decision of pay r/1/1 {"n":1}; 1 steps, 0 asked, 0 called, 0 tokens`,
		acts:    []act{{tell: approve("r/1/1", ""), refused: "not_waiting"}, {tell: record.Redo("r/1/1"), stands: `completed: "done"; 2 steps, 0 asked, 2 called, 0 tokens`}},
		effects: []string{`pay r/1/1 {"n":1}`, `pay r/1/1 {"n":1}`, `tag r/2/1 {}`},
	},
	{
		name:   "stopped in a call of which somebody knows",
		script: script{deeds: map[string]deed{"pay": stalls}},
		in:     orchestrator.Input{Plan: steps(`pay {"n":1}`, `tag {"to":"<<step:1>>"}`)},
		stalls: true,
		stands: `waiting for decision of pay r/1/1 {"n":1}; 1 steps, 0 asked, 0 called, 0 tokens`,
		acts: []act{
			{tell: record.Supply("r/1/1", json.RawMessage(`7`)), refused: "invalid_input"},
			{tell: record.Supply("r/1/1", json.RawMessage(`"paid in cash"`)), stands: `completed: "done"; 2 steps, 0 asked, 2 called, 0 tokens`},
		},
		effects: []string{`pay r/1/1 {"n":1}`, `tag r/2/1 {"to":"paid in cash"}`},
	},
	{
		name:    "stopped in a call, and gone on without",
		script:  script{replies: []reply{calls(`pay {}`, `find {}`), echoes}, deeds: map[string]deed{"pay": stalls}},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		stalls:  true,
		stands:  `waiting for decision of pay r/1/1 {}; 1 steps, 1 asked, 0 called, 12 tokens`,
		acts:    []act{{restart: true, tell: record.Deny("r/1/1", "let it be"), stands: `waiting for message: "The call failed: \"pay: the call is not allowed: let it be; it had begun, and nobody knows what came of it\" | \"done\""; 2 steps, 2 asked, 1 called, 24 tokens`}},
		effects: []string{`pay r/1/1 {}`, `find r/1/2 {}`},
	},
}
