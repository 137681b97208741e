package enginetest

import (
	"context"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

// planScenes are runs that need no person and in which nothing fails. Some of them stop at a limit.
var planScenes = []scene{
	{
		name:    "a given plan",
		in:      orchestrator.Input{Plan: newPlan(`pay {"n":1}`, `pay {"n":2}`, `pay {"n":3}`, `pay {"n":4}`, `pay {"n":5}`)},
		want:    `completed: "done"; 5 steps, 0 asked, 5 called, 0 tokens`,
		effects: []string{`pay r/1/1 {"n":1}`, `pay r/2/1 {"n":2}`, `pay r/3/1 {"n":3}`, `pay r/4/1 {"n":4}`, `pay r/5/1 {"n":5}`},
	},
	{
		name:    "a plan of the model",
		script:  script{replies: []reply{replyPlan(`find {"to":"ada"}`, `pay {"to":"<<step:1>>"}`, `tag {"n":3}`), replyText("all is paid")}},
		in:      orchestrator.Input{Kind: "plan", Request: "Pay Ada."},
		want:    `completed: "all is paid"; 3 steps, 2 asked, 3 called, 24 tokens`,
		effects: []string{`find r/1/1 {"to":"ada"}`, `pay r/2/1 {"to":"done"}`, `tag r/3/1 {"n":3}`},
	},
	{
		name:    "calls in parallel",
		in:      orchestrator.Input{Plan: newPlan(`find {"n":1}`, `find {"n":2}`, `find {"n":3}`, `pay {"n":4}`, `find {"n":5}`)},
		want:    `completed: "done"; 5 steps, 0 asked, 5 called, 0 tokens`,
		effects: []string{`find r/1/1 {"n":1}`, `find r/2/1 {"n":2}`, `find r/3/1 {"n":3}`, `pay r/4/1 {"n":4}`, `find r/5/1 {"n":5}`},
	},
	{
		name: "the caller",
		in: orchestrator.Input{Plan: newPlan(`pay {}`, `find {}`),
			Meta: map[string]string{"user": "ada", "session": "7"}},
		want:    `completed: "done"; 2 steps, 0 asked, 2 called, 0 tokens`,
		effects: []string{`pay r/1/1 {} by ada`, `find r/2/1 {} by ada`},
	},
	{
		name: "long results",
		script: script{functions: map[string]toolFunc{
			"find": func(context.Context, *stage, int) (any, error) { return strings.Repeat("x", 3<<20), nil },
			"tag":  func(context.Context, *stage, int) (any, error) { return strings.Repeat("é", 150_000), nil },
		}},
		in:      orchestrator.Input{Plan: newPlan(`find {}`, `tag {}`)},
		want:    `completed: 300002 bytes; 2 steps, 0 asked, 2 called, 0 tokens`,
		effects: []string{`find r/1/1 {}`, `tag r/2/1 {}`},
	},
	{
		name:    "too many steps",
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay.", Limits: run.Limits{Steps: 1}},
		script:  script{replies: []reply{replyCalls(`pay {}`), replyText("paid")}},
		want:    `ttl_expired with ttl_expired; 1 steps, 1 asked, 1 called, 12 tokens`,
		signals: []sentSignal{{signal: run.Extend(run.Limits{Steps: 9}), want: `waiting for message: "paid"; 2 steps, 2 asked, 1 called, 24 tokens`}},
		effects: []string{`pay r/1/1 {}`},
	},
	{
		name:    "too many tokens",
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay.", Limits: run.Limits{Tokens: 12}},
		script:  script{replies: []reply{replyCalls(`pay {}`), replyText("paid")}},
		want:    `over_budget with token_budget; 1 steps, 1 asked, 0 called, 12 tokens`,
		signals: []sentSignal{{signal: run.Extend(run.Limits{}), want: `waiting for message: "paid"; 2 steps, 2 asked, 1 called, 24 tokens`}},
		effects: []string{`pay r/1/1 {}`},
	},
	{
		name:    "a deadline in the past",
		in:      orchestrator.Input{Plan: newPlan(`pay {}`), Limits: run.Limits{Deadline: time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)}},
		want:    `over_budget with deadline; 0 steps, 0 asked, 0 called, 0 tokens`,
		signals: []sentSignal{{signal: run.Extend(run.Limits{Deadline: time.Date(2901, 1, 1, 0, 0, 0, 0, time.UTC)}), want: `completed: "done"; 1 steps, 0 asked, 1 called, 0 tokens`}},
		effects: []string{`pay r/1/1 {}`},
	},
}
