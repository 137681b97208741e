package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

// agentScenes are runs that call agents.
var agentScenes = []scene{
	{
		name: "an agent",
		script: script{
			replies:      []reply{replyCalls(`research {"request":"Where is Ada?"}`, `pay {"n":2}`), replyEcho},
			agentReplies: []reply{replyCalls(`find {"sum":1}`, `pay {"sum":2}`), replyText("in Oslo")},
		},
		in:      orchestrator.Input{Kind: "conversation", Request: "Ask and pay.", Meta: map[string]string{"user": "ada"}},
		want:    `waiting for message: "\"in Oslo\" | \"done\""; 4 steps, 4 asked, 4 called, 48 tokens`,
		effects: []string{`agent.find r/1/1/1:1 {"sum":1} by ada`, `agent.pay r/1/1/1:2 {"sum":2} by ada`, `pay r/1/2 {"n":2} by ada`},
	},
	{
		name: "an agent that plans",
		script: script{agentReplies: []reply{
			replyPlan(`find {"sum":1}`, `pay {"sum":2}`), replyText(`{"sum":3}`),
		}},
		in:      orchestrator.Input{Plan: newPlan(`total {"what":"sheep"}`, `pay {"n":"<<step:1/sum>>"}`)},
		want:    `completed: "done"; 4 steps, 2 asked, 4 called, 24 tokens`,
		effects: []string{`agent.find r/1/1/1:1 {"sum":1}`, `agent.pay r/1/1/2:1 {"sum":2}`, `pay r/2/1 {"n":3}`},
	},
	{
		name: "agents side by side",
		script: script{
			replies:      []reply{replyCalls(`total {"what":"sheep"}`, `find {}`, `total {"what":"goats"}`), replyEcho},
			agentReplies: []reply{replyPlan(`pay {"sum":1}`), replyText(`{"sum":1}`), replyPlan(`send {"sum":2}`), replyText(`{"sum":2}`)},
		},
		in:      orchestrator.Input{Kind: "conversation", Request: "Count."},
		want:    `waiting for approval of send r/1/3/1:1 {"sum":2}; 3 steps, 4 asked, 1 called, 48 tokens`,
		signals: []sentSignal{{restart: true, signal: run.Approve("r/1/3/1:1", "ann", nil), want: `waiting for message: "{\"sum\":1} | \"done\" | {\"sum\":2}"; 4 steps, 6 asked, 5 called, 72 tokens`}},
		effects: []string{`find r/1/2 {}`, `agent.pay r/1/1/1:1 {"sum":1}`, `agent.send r/1/3/1:1 {"sum":2}`},
	},
	{
		name: "an agent whose call is approved",
		script: script{
			replies:      []reply{replyCalls(`research {"request":"Mail Ada."}`), replyEcho},
			agentReplies: []reply{replyCalls(`pay {"sum":1}`, `send {"sum":2}`), replyEcho},
		},
		in:   orchestrator.Input{Kind: "conversation", Request: "Mail."},
		want: `waiting for approval of send r/1/1/1:2 {"sum":2}; 2 steps, 2 asked, 0 called, 24 tokens`,
		signals: []sentSignal{
			{signal: approveWith("r/1/1", ""), refused: "not_waiting"},
			{signal: approveWith("r/1/1/1:2", `{"n":3}`), refused: "invalid_input"},
			{restart: true, signal: approveWith("r/1/1/1:2", `{"sum":3}`), want: `waiting for message: "\"\\\"done\\\" | \\\"done\\\"\""; 4 steps, 4 asked, 3 called, 48 tokens`},
		},
		effects: []string{`agent.pay r/1/1/1:1 {"sum":1}`, `agent.send r/1/1/1:2 {"sum":3}`},
	},
	{
		name: "an agent whose call is denied",
		script: script{
			replies:      []reply{replyCalls(`research {"request":"Mail Ada."}`), replyEcho},
			agentReplies: []reply{replyCalls(`send {}`), replyEcho},
		},
		in:      orchestrator.Input{Kind: "conversation", Request: "Mail."},
		want:    `waiting for approval of send r/1/1/1:1 {}; 2 steps, 2 asked, 0 called, 24 tokens`,
		signals: []sentSignal{{signal: run.Deny("r/1/1/1:1", "no"), want: `waiting for message: "\"The call failed: \\\"send: the call is not allowed: no\\\"\""; 4 steps, 4 asked, 1 called, 48 tokens`}},
	},
	{
		name: "an agent whose tool asks",
		script: script{
			replies:      []reply{replyCalls(`research {"request":"Pay."}`), replyEcho},
			agentReplies: []reply{replyCalls(`pay {"sum":1}`), replyEcho},
			functions:    map[string]toolFunc{"agent.pay": askQuestion},
		},
		in:   orchestrator.Input{Kind: "conversation", Request: "Pay."},
		want: `waiting for answer of pay r/1/1/1:1 {"sum":1} which asks "Whom?"; 2 steps, 2 asked, 0 called, 24 tokens`,
		signals: []sentSignal{
			{signal: run.Reply("r/1/1/1:1", whom.Accept(json.RawMessage(`{"nom":"ada"}`))), refused: "invalid_input"},
			{signal: sayText("Be quick."), want: `waiting for answer of pay r/1/1/1:1 {"sum":1} which asks "Whom?"; 2 steps, 2 asked, 0 called, 24 tokens`},
			{restart: true, signal: run.Reply("r/1/1/1:1", whom.Accept(json.RawMessage(`{"name":"ada"}`))), want: `waiting for message: "\"\\\"paid to ada\\\"\" | Be quick."; 4 steps, 4 asked, 2 called, 48 tokens`},
		},
		effects: []string{`agent.pay r/1/1/1:1 {"sum":1}`, `agent.pay r/1/1/1:1 {"sum":1}`},
	},
	{
		name: "an agent over the budget",
		script: script{
			replies:      []reply{replyCalls(`research {"request":"Pay."}`), replyEcho},
			agentReplies: []reply{replyCalls(`pay {"sum":1}`), replyCalls(`pay {"sum":2}`), replyText("paid")},
		},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay.", Limits: run.Limits{Tokens: 30}},
		want:    `over_budget with token_budget; 3 steps, 3 asked, 1 called, 36 tokens`,
		signals: []sentSignal{{restart: true, signal: run.Extend(run.Limits{Steps: 4}), want: `ttl_expired with ttl_expired; 4 steps, 4 asked, 3 called, 48 tokens`}, {signal: run.Extend(run.Limits{}), want: `waiting for message: "\"paid\""; 5 steps, 5 asked, 3 called, 60 tokens`}},
		effects: []string{`agent.pay r/1/1/1:1 {"sum":1}`, `agent.pay r/1/1/2:1 {"sum":2}`},
	},
	{
		name: "an agent that is cancelled with its caller",
		script: script{
			replies:      []reply{replyCalls(`research {"request":"Pay."}`)},
			agentReplies: []reply{replyCalls(`pay {"sum":1}`, `pay {"sum":2}`)},
			functions: map[string]toolFunc{"agent.pay": func(ctx context.Context, s *stage, _ int) (any, error) {
				return "paid", s.sendSignal(ctx, run.Cancel("Too expensive."))
			}},
		},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		want:    `cancelled with cancelled; 2 steps, 2 asked, 0 called, 24 tokens`,
		effects: []string{`agent.pay r/1/1/1:1 {"sum":1}`},
	},
	{
		name: "an agent that fails",
		script: script{
			replies:      []reply{replyCalls(`total {"what":"sheep"}`, `total {}`), replyEcho},
			agentReplies: []reply{replyPlan(`pay {"sum":1}`), replyText(`{"give_up":"It is closed."}`)},
			functions:    map[string]toolFunc{"agent.pay": failTimes(9, false)},
		},
		in:      orchestrator.Input{Kind: "conversation", Request: "Count."},
		want:    `waiting for message: "The call failed: \"total failed: the model gave up: It is closed.\" | The arguments of total were wrong, and it did not run. Send the call again with all arguments, and fix these:\n- /what: expected a value, found nothing"; 3 steps, 4 asked, 2 called, 48 tokens`,
		effects: []string{`agent.pay r/1/1/1:1 {"sum":1}`},
	},
	{
		name: "an agent that calls itself",
		script: script{
			replies:      []reply{replyCalls(`research {"request":"Go on."}`), replyEcho},
			agentReplies: append([]reply{replyCalls(`research {"request":"Go on."}`)}, slices.Repeat([]reply{replyUnquoted}, 5)...), // the same request has the same reply
		},
		in:   orchestrator.Input{Kind: "conversation", Request: "Go on."},
		want: `waiting for message: "\"The call failed: \\\"research: agents call agents at most 5 levels deep; carry out the request without it\\\"\""; 12 steps, 12 asked, 5 called, 144 tokens`,
	},
	{
		name: "stopped in a call of an agent",
		script: script{
			replies:      []reply{replyCalls(`research {"request":"Pay."}`), replyEcho},
			agentReplies: []reply{replyCalls(`find {"sum":1}`, `pay {"sum":2}`), replyEcho},
			functions:    map[string]toolFunc{"agent.pay": hangFirst},
		},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		hangs:   true,
		want:    `waiting for decision of pay r/1/1/1:2 {"sum":2}; 2 steps, 2 asked, 0 called, 24 tokens`,
		signals: []sentSignal{{restart: true, signal: run.Redo("r/1/1/1:2"), want: `waiting for message: "\"\\\"done\\\" | \\\"done again\\\"\""; 4 steps, 4 asked, 3 called, 48 tokens`}},
		effects: []string{`agent.find r/1/1/1:1 {"sum":1}`, `agent.pay r/1/1/1:2 {"sum":2}`, `agent.pay r/1/1/1:2 {"sum":2}`},
	},
	{
		name: "stopped while the model of an agent is asked",
		script: script{
			replies:      []reply{replyCalls(`research {"request":"Pay."}`), replyEcho},
			agentReplies: []reply{replyCalls(`pay {"sum":1}`), replyNothing, replyText("paid")},
		},
		in:      orchestrator.Input{Kind: "conversation", Request: "Pay."},
		hangs:   true,
		want:    `waiting for message: "\"paid\""; 4 steps, 4 asked, 2 called, 48 tokens`,
		effects: []string{`agent.pay r/1/1/1:1 {"sum":1}`},
	},
}

// checkAgentEvents checks that the events of an agent are those of the run that calls it, with the
// ID of the call.
func checkAgentEvents(ctx context.Context, s *stage) error {
	id, err := s.engine.Start(ctx, orchestrator.Input{ID: uniqueID(), Kind: "conversation", Request: "Ask."})
	if err == nil {
		err = expectState(ctx, s, id, `waiting for message: "\"in Oslo\""; 4 steps, 4 asked, 2 called, 48 tokens`)
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var got []string
	for _, e := range s.events {
		if e.Run != id {
			return fmt.Errorf("there is an event of another run: %+v", e)
		}
		if text := describeEvent(e); text != "" {
			got = append(got, strings.ReplaceAll(text, id, "r"))
		}
	}
	want := []string{
		"step 1: turn", "step 1: research r/1/1 begins",
		"r/1/1 step 1: turn", "r/1/1 step 1: find r/1/1/1:1 begins", "r/1/1 step 1: find r/1/1/1:1 ends",
		"r/1/1 step 2: turn",
		"step 1: research r/1/1 ends", "step 2: turn", "stops",
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("the events are\n\t%s; want\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	return nil
}

var agentEventsScript = script{
	replies:      []reply{replyCalls(`research {"request":"Where is Ada?"}`), replyEcho},
	agentReplies: []reply{replyCalls(`find {"sum":1}`), replyText("in Oslo")},
}

// describeEvent describes an event. For example, "r/1/1 step 2: turn" means that the model was asked
// in step 2 of the agent that carries out call r/1/1. describeEvent returns "" for events that do not
// matter to checkAgentEvents.
func describeEvent(e run.Event) string {
	prefix := ""
	if e.AgentCall != "" {
		prefix = e.AgentCall + " "
	}
	prefix += "step " + e.Step + ": "
	switch what := e.What.(type) {
	case run.ModelStart:
		return prefix + what.For
	case run.CallStart:
		return prefix + what.Request.Name + " " + what.Request.ID + " begins"
	case run.CallEnd:
		return prefix + what.Call.Request.Name + " " + what.Call.ID + " ends"
	case run.RunStopped:
		return "stops"
	}
	return ""
}

// replyUnquoted replies with the last message. If that is a JSON string, it replies with its value.
func replyUnquoted(_ context.Context, _ *stage, r llm.Request) (llm.Response, error) {
	messages := r.Dialogue()
	text := messages[len(messages)-1].Content()
	var quoted string
	if json.Unmarshal([]byte(text), &quoted) == nil {
		text = quoted
	}
	return llm.Response{Text: text}, nil
}
