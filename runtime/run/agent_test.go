package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestParseCallID checks calls of runs, of agents, and of agents of agents.
func TestParseCallID(t *testing.T) {
	for id, want := range map[string][2]string{
		"r/1/1":                 {"r", "1"},
		"a:b/1/12":              {"a:b", "1"},
		"r/x/y:1/3":             {"r", "x/y:1"},
		"r/3/1/2:1":             {"r/3/1", "2"},
		"r/3/1/x~1y~01~0:z:4":   {"r/3/1", "x/y~1~:z"},
		"r/3/1/2:1/4:7":         {"r/3/1/2:1", "4"},
		"r/":                    {"r", ""},
		"r/0123456789abcdef":    {"r", ""},
		"r/0123456789abcdef/:1": {"r/0123456789abcdef", ""},
		"r//1":                  {"r", ""},
		"call_7":                {"call_7", ""},
		"":                      {"", ""},
	} {
		if of, step := run.ParseCallID(id); of != want[0] || step != want[1] {
			t.Errorf("%q has %q and %q, want %q", id, of, step, want)
		}
	}
}

// agentTools are the tools of a world, and research, which is an agent.
type agentTools struct {
	*world
	registry *tool.Registry
}

func (a agentTools) Call(ctx context.Context, r tool.Request) *tool.Call {
	if r.Name == "research" {
		return a.registry.Call(ctx, r)
	}
	return a.world.Call(ctx, r)
}

// agentEnv returns an environment whose tool research is executed by f.
func (w *world) agentEnv(t *testing.T, j journal.Journal, f run.Func) *run.Env {
	t.Helper()
	research, err := schema.Dynamic(tool.Definition{Name: "research", Description: "Finds things.", Input: json.RawMessage(`{"type":"object"}`)},
		func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
			return nil, run.BeginAgent(ctx, run.Input{Data: arguments, Tools: tools})
		})
	registry := tool.NewRegistry()
	if err == nil {
		err = registry.Register(research)
	}
	if err != nil {
		t.Fatal(err)
	}
	env := w.env(j)
	env.Tools = agentTools{w, registry}
	env.Agents = func(name string) run.AgentFunc {
		if name != "research" {
			return nil
		}
		return func(string, run.Input) run.Agent { return run.Agent{Env: w.env(nil), Func: f} }
	}
	return env
}

var researchInput = run.Input{Tools: append([]tool.Definition{{Name: "research"}}, tools...)}

// callAgent is a function that makes calls before and after those of an agent, in steps of the same names.
func callAgent(fx run.Effects, _ run.Input) (json.RawMessage, error) {
	if _, err := fx.Do("begin", func(context.Context) (json.RawMessage, error) { return json.RawMessage("1"), nil }); err != nil {
		return nil, err
	}
	if _, err := fx.Model(ask("think", "a/b")); err != nil {
		return nil, err
	}
	calls, err := fx.Call(request("a/b", "tag", "{}"), request("a/b", "research", `{"n":1}`), request("a/b", "pay", "{}"))
	if err != nil {
		return nil, err
	}
	if err := calls[1].Err; err != nil {
		return nil, err
	}
	return calls[1].Output, nil
}

// oddAgent is the function of an agent.
func oddAgent(fx run.Effects, in run.Input) (json.RawMessage, error) {
	begun, err := fx.Do("begin", func(context.Context) (json.RawMessage, error) { return in.Data, nil })
	if err != nil {
		return nil, err
	}
	if _, err := fx.Model(ask("think", "a/b")); err != nil {
		return nil, err
	}
	if m, err := fx.Wait(run.WaitOptions{Poll: true}); m != nil || err != nil {
		return nil, fmt.Errorf("a message for the run: %v, %w", m, err)
	}
	fx.Emit("a/b", "halfway")
	calls, err := fx.Call(request("a/b", "pay", "{}"), request("x:1", "tag", "{}"))
	if err != nil {
		return nil, err
	}
	_, err = fx.Wait(run.WaitOptions{Answer: json.RawMessage(fmt.Sprintf("[%s,%s]", begun, calls[0].Output))})
	return nil, err
}

// TestAgent continues a run with an agent from each of its entries.
func TestAgent(t *testing.T) {
	whole, w := new(journal.Map), &world{}
	env := w.agentEnv(t, whole, oddAgent)
	if err := env.Begin(t.Context(), "r", researchInput); err != nil {
		t.Fatal(err)
	}
	want, err := env.Execute(t.Context(), "r", callAgent, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want.Status != run.Completed || string(want.Answer) != `[{"n":1},{"pay":"r/a/b/2/a~1b:1"}]` || want.Usage.Steps != 3 || want.Usage.ModelCalls != 2 || want.Usage.ToolCalls != 5 {
		t.Fatalf("the result is %+v", want)
	}
	var entries []journal.Entry
	for e, err := range whole.Read(t.Context(), "r", 0) {
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	for n := 1; n < len(entries); n++ {
		part, w := new(journal.Map), &world{}
		if err := part.Append(t.Context(), "r", 0, entries[:n]...); err != nil {
			t.Fatal(err)
		}
		env := w.agentEnv(t, part, oddAgent)
		got, err := env.Execute(t.Context(), "r", callAgent, nil)
		for err == nil && got.WaitsFor == run.ForDecision {
			if err = env.Send(t.Context(), "r", run.Say(llm.Message{Text: "Hurry."})); tool.Code(err) != "not_waiting" {
				t.Errorf("a message: %v", err)
			}
			if err = env.Send(t.Context(), "r", run.Redo(got.Calls[0].Call)); err == nil {
				got, err = env.Execute(t.Context(), "r", callAgent, nil)
			}
		}
		if err != nil || string(got.Answer) != string(want.Answer) || got.Usage != want.Usage {
			t.Errorf("after entry %d: %+v, %v", n, got, err)
		}
		if again, err := env.Replay(t.Context(), "r", callAgent, nil); err != nil || again.Usage != want.Usage {
			t.Errorf("after entry %d, a replay: %+v, %v", n, again, err)
		}
		if pays := w.happened("pay"); pays > 2 {
			t.Errorf("after entry %d, there were %d payments", n, pays)
		}
	}
}

// TestAgentFails checks how agents without an answer end, and tools that begin agents that the run does not have.
func TestAgentFails(t *testing.T) {
	waits := func(o run.WaitOptions) run.Func {
		return func(fx run.Effects, _ run.Input) (json.RawMessage, error) {
			_, err := fx.Wait(o)
			return nil, err
		}
	}
	for want, f := range map[string]run.Func{
		"the agent gave no answer":           waits(run.WaitOptions{}),
		"too long":                           waits(run.WaitOptions{Answer: json.RawMessage("1"), Error: &run.Error{Kind: "long", Text: "too long"}}),
		"it is late":                         waits(run.WaitOptions{End: true, Error: &run.Error{Kind: "late", Text: "it is late"}}),
		"broken":                             func(run.Effects, run.Input) (json.RawMessage, error) { return nil, errors.New("broken") },
		"the run has no agent for this tool": nil,
		"it is not valid JSON":               func(run.Effects, run.Input) (json.RawMessage, error) { return json.RawMessage("{"), nil },
	} {
		j := new(journal.Map)
		env := new(world).agentEnv(t, j, f)
		if f == nil {
			env.Agents = nil
		}
		err := env.Begin(t.Context(), "r", researchInput)
		var result *run.Result
		if err == nil {
			result, err = env.Execute(t.Context(), "r", callAgent, nil)
		}
		if err != nil || result.Status != run.Failed || !strings.Contains(result.Error.Text, want) {
			t.Errorf("want %q: %+v, %v", want, result, err)
		}
	}
}

// TestAgentEvents checks the events of an agent, those that the fold receives, and those that another
// worker receives of the worker before.
func TestAgentEvents(t *testing.T) {
	j, w := new(journal.Map), &world{gate: map[string]bool{"pay": true}}
	var got, own []string
	describe := func(e run.Event) string { return fmt.Sprintf("%s|%s|%d|%T", e.AgentCall, e.Step, e.Number, e.What) }
	env := w.agentEnv(t, j, oddAgent)
	var earlier []run.Event
	env.Events = func(_ context.Context, e run.Event) {
		if claimed, ok := e.What.(run.RunClaimed); ok {
			earlier = claimed.Earlier
		}
		got = append(got, describe(e))
	}
	agents := env.Agents
	env.Agents = func(name string) run.AgentFunc {
		f := agents(name)
		if f == nil {
			return nil
		}
		return func(call string, in run.Input) run.Agent {
			a := f(call, in)
			a.Fold = func(e run.Event) { own = append(own, describe(e)) }
			return a
		}
	}
	if err := env.Begin(t.Context(), "r", researchInput); err != nil {
		t.Fatal(err)
	}
	var folded []string
	fold := func(e run.Event) { folded = append(folded, describe(e)) }
	if _, err := env.Execute(t.Context(), "r", callAgent, fold); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"||0|run.RunClaimed", "|a/b|0|run.ModelStart", "|a/b|1|run.ModelEnd", "|a/b|1|run.CallStart", "|a/b|1|run.CallEnd", "|a/b|1|run.CallStart",
		"r/a/b/2|a/b|0|run.ModelStart", "r/a/b/2|a/b|1|run.ModelEnd", "r/a/b/2|a/b|1|string", "r/a/b/2|a/b|1|run.CallStart", "||0|run.RunStopped",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the events are\n%q, want\n%q", got, want)
	}
	if want := []string{"|a/b|0|run.ModelEnd", "|a/b|0|string"}; !slices.Equal(own, want) {
		t.Errorf("the fold of the agent received %q, want %q", own, want)
	}
	if want := []string{"|a/b|0|run.ModelEnd", "|a/b|0|run.CallEnd", "r/a/b/2|a/b|0|run.ModelEnd", "r/a/b/2|a/b|0|string"}; !slices.Equal(folded, want) {
		t.Errorf("the fold received %q, want %q", folded, want)
	}
	err := env.Send(t.Context(), "r", run.Approve("r/a/b/2/a~1b:1", "ann", nil))
	if err == nil {
		_, err = env.Execute(t.Context(), "r", callAgent, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(earlier, func(e run.Event) bool { return e.AgentCall == "r/a/b/2" })
	if i < 0 || len(earlier[i].Tools) != len(tools) {
		t.Errorf("the earlier events are %+v", earlier)
	}
}

// TestAgentLate checks that a dropped outcome is an event of the agent that made the call, also after the
// agent has ended: redaction depends on the agent's tools.
func TestAgentLate(t *testing.T) {
	j, w := new(journal.Map), new(world)
	env := w.agentEnv(t, j, oddAgent)
	if err := env.Begin(t.Context(), "r", researchInput); err != nil {
		t.Fatal(err)
	}
	w.do = map[string]func(context.Context, tool.Request) (string, error){"tag": func(_ context.Context, r tool.Request) (string, error) {
		if strings.HasPrefix(r.ID, "r/a/b/2/") {
			w.do = nil
			execute(t, w.agentEnv(t, j, oddAgent), callAgent, run.Completed)
		}
		return `"slow"`, nil
	}}
	var dropped []run.Event
	env.Events = func(_ context.Context, e run.Event) {
		if _, ok := e.What.(run.OutcomeDropped); ok {
			dropped = append(dropped, e)
		}
	}
	_, err := env.Execute(t.Context(), "r", callAgent, nil)
	if _, ok := errors.AsType[*run.TakenOverError](err); !ok || len(dropped) != 1 {
		t.Fatalf("the slow worker: %v, %d outcomes dropped", err, len(dropped))
	}
	if e := dropped[0]; e.AgentCall != "r/a/b/2" || len(e.Tools) != len(tools) {
		t.Errorf("the event of %s belongs to the agent %q with %d tools", e.What.(run.OutcomeDropped).Call.ID, e.AgentCall, len(e.Tools))
	}
}
