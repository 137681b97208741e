package orchestrator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// addAgent adds the tool research to a world: an agent with the tools of another world.
func (w *world) addAgent(t *testing.T, of *world, options ...orchestrator.Option) *orchestrator.Orchestrator {
	t.Helper()
	agent, err := orchestrator.New(of, of.Registry, options...)
	if err != nil {
		t.Fatal(err)
	}
	research, err := orchestrator.AsTool(agent, tool.Definition{Name: "research", Description: "Finds things."})
	if err == nil {
		err = w.Register(research)
	}
	if err != nil {
		t.Fatal(err)
	}
	return agent
}

// TestAgentSettings checks that an agent has its own settings, and the store of the run.
func TestAgentSettings(t *testing.T) {
	memories, store := new(memory.Map), new(memory.Map)
	if err := memories.Write(t.Context(), "city", "Oslo"); err != nil {
		t.Fatal(err)
	}
	w, of, planner := newWorld(t), newWorld(t), newWorld(t)
	planner.answers = []llm.Response{{Text: encoded(steps(`pay {"n":1}`))}}
	of.answers = []llm.Response{{Text: "paid"}}
	w.addAgent(t, of, orchestrator.Plan{}, orchestrator.ModelFor(run.PurposePlan, planner), orchestrator.Recall(memories, "ci"),
		orchestrator.BaseRequest(llm.Request{System: "You are frugal.", MaxTokens: 77}),
		orchestrator.ConfigureEnv(func(env *run.Env) { env.Cost = func(string, llm.Usage) float64 { return 2 } }))
	o := w.orchestrator(t, orchestrator.Store(store), orchestrator.ConfigureEnv(func(env *run.Env) { env.Cost = func(string, llm.Usage) float64 { return 1 } }))
	r := start(t, o, orchestrator.Input{Plan: steps(`research {"request":"Pay."}`, `pay {"to":"<<step:1>>"}`), Limits: run.Limits{Cost: 3}})
	execute(t, r, run.OverBudget)
	if err := r.Send(t.Context(), run.Extend(run.Limits{})); err != nil {
		t.Fatal(err)
	}
	result := execute(t, r, run.Completed)
	if used := result.Usage; used.Cost != 4 || used.ModelCalls != 2 || used.ToolCalls != 3 || used.Steps != 3 {
		t.Errorf("the usage is %+v", used)
	}
	if state := open(t, o).State(); state.Usage != result.Usage || len(state.Plan.Steps) != 2 || len(state.Steps) != 2 {
		t.Errorf("the state is %+v", state)
	}
	for _, asked := range [][]llm.Request{planner.asked, of.asked} {
		if r := asked[0]; !strings.HasPrefix(r.System, "You are frugal.") || !strings.HasSuffix(r.System, `"ty": "Oslo"`) || r.MaxTokens != 77 {
			t.Errorf("the agent asks with %q and %d tokens", r.System, r.MaxTokens)
		}
	}
	if want := []string{`pay r/1/1/1:1 {"n":1}`}; !slices.Equal(of.effects, want) {
		t.Errorf("the agent had the effects %q, want %q", of.effects, want)
	}
	if want := []string{`pay r/2/1 {"to":"paid"}`}; !slices.Equal(w.effects, want) {
		t.Errorf("the run had the effects %q, want %q", w.effects, want)
	}
	for key, want := range map[string]string{"run/r/step_1_result": `"paid"`, "run/r/1/1/step_1_result": `"r/1/1/1:1"`} {
		if value, _, err := store.Read(t.Context(), key); err != nil || string(value) != want {
			t.Errorf("%s is %s, want %s: %v", key, value, want, err)
		}
	}
}

// TestAgentFork forks a run in the middle of an agent. The agent takes over what it has done.
func TestAgentFork(t *testing.T) {
	w, of := newWorld(t), newWorld(t)
	w.answers = []llm.Response{calls(`research {"request":"Pay."}`), {Text: "answered"}}
	of.answers = []llm.Response{calls(`pay {"n":1}`), calls(`pay {"n":2}`), {Text: "paid"}}
	w.addAgent(t, of, orchestrator.Conversation{})
	o := w.orchestrator(t, orchestrator.Conversation{})
	execute(t, start(t, o, orchestrator.Input{Request: "Pay."}), run.Waiting)

	of.effects, of.answers, w.answers = nil, []llm.Response{{Text: "enough"}}, []llm.Response{{Text: "answered again"}}
	fork, err := o.Fork(t.Context(), "r", entryOf(t, &w.Map, "model", 3))
	if err != nil {
		t.Fatal(err)
	}
	result := execute(t, fork, run.Waiting)
	if string(result.Answer) != `"answered again"` || len(of.effects) > 0 || result.Usage.ToolCalls != 2 {
		t.Errorf("the fork answers %s after %q: %+v", result.Answer, of.effects, result.Usage)
	}
	if _, err := o.Fork(t.Context(), "r", entryOf(t, &w.Map, "request", 2)+1); tool.Code(err) != "invalid_input" {
		t.Errorf("a fork in a call of the agent: %v", err)
	}
}

// TestAgentForkPlan checks that a fork has the results of the steps of an agent that it took over.
func TestAgentForkPlan(t *testing.T) {
	w, of, store := newWorld(t), newWorld(t), new(memory.Map)
	of.answers = []llm.Response{{Text: encoded(steps(`pay {}`, `tag {}`))}, {Text: "paid"}}
	w.addAgent(t, of)
	o := w.orchestrator(t, orchestrator.Store(store))
	execute(t, start(t, o, orchestrator.Input{Plan: steps(`research {"request":"Pay."}`)}), run.Completed)
	fork, err := o.Fork(t.Context(), "r", entryOf(t, &w.Map, "request", 3))
	if err != nil {
		t.Fatal(err)
	}
	for step, want := range map[string]string{"1": `"r/1/1/1:1"`, "2": ""} {
		if output, _, err := store.Read(t.Context(), "run/"+fork.ID()+"/1/1/step_"+step+"_result"); err != nil || string(output) != want {
			t.Errorf("the result of step %s is %s, want %s: %v", step, output, want, err)
		}
	}
}

// TestAgentMissing continues a run in a program in which the tool is no longer an agent.
func TestAgentMissing(t *testing.T) {
	w, of := newWorld(t), newWorld(t)
	of.answers = []llm.Response{calls(`send {}`)}
	w.addAgent(t, of, orchestrator.Conversation{})
	execute(t, start(t, w.orchestrator(t), orchestrator.Input{Plan: steps(`research {"request":"Send."}`)}), run.Waiting)
	w.Unregister("research")
	if _, err := w.orchestrator(t).Open(t.Context(), "r"); tool.Code(err) != "drift" {
		t.Errorf("the error is %v", err)
	}
}

// TestAgentAlone calls an agent outside of a run, and from a function of a run.
func TestAgentAlone(t *testing.T) {
	w, of := newWorld(t), newWorld(t)
	w.addAgent(t, of, orchestrator.Conversation{})
	request := tool.Request{Name: "research", Arguments: json.RawMessage(`{"request":"Go."}`)}
	call := w.Call(t.Context(), request)
	if err, ok := errors.AsType[*run.Error](call.Err); !ok || err.Kind != "no_run" {
		t.Errorf("the error is %v", call.Err)
	}
	if call = w.Call(t.Context(), tool.Request{Name: "research"}); tool.Code(call.Err) != "invalid_arguments" {
		t.Errorf("the error is %v", call.Err)
	}
	w.during["pay"] = func(ctx context.Context) (any, error) { return nil, w.Call(ctx, request).Err }
	result := execute(t, start(t, w.orchestrator(t, orchestrator.Plan{AfterFailure: orchestrator.Stop}), orchestrator.Input{Plan: steps(`pay {}`)}), run.Failed)
	if !strings.Contains(result.Error.Text, "only a run of an orchestrator can call") {
		t.Errorf("the error is %v", result.Error)
	}
}

// TestAgentDefinition checks the errors of AsTool.
func TestAgentDefinition(t *testing.T) {
	w := newWorld(t)
	for want, d := range map[string]tool.Definition{
		"there is no agent":       {Name: "research", Description: "Finds."},
		"there is no description": {Name: "research"},
		"a name is":               {Description: "Finds."},
		"the output schema":       {Name: "research", Description: "Finds.", Output: json.RawMessage(`{"type":"dance"}`)},
	} {
		var agent *orchestrator.Orchestrator
		if !strings.Contains(want, "agent") {
			agent = w.orchestrator(t)
		}
		if _, err := orchestrator.AsTool(agent, d); tool.Code(err) != "invalid_definition" || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}

// TestAgentReplaySafe finds an option of an agent of an agent.
func TestAgentReplaySafe(t *testing.T) {
	w, of, last := newWorld(t), newWorld(t), newWorld(t)
	w.addAgent(t, of)
	of.addAgent(t, of)
	if err := orchestrator.CheckAgentsReplaySafe(w); err != nil {
		t.Error(err)
	}
	of.Unregister("research")
	of.addAgent(t, last, orchestrator.Recall(new(memory.Map), "x"))
	if err := orchestrator.CheckAgentsReplaySafe(w); err == nil || !strings.Contains(err.Error(), "Recall of agent research") {
		t.Error(err)
	}
}

// TestAgentLog checks the lines of the cycle log about an agent.
func TestAgentLog(t *testing.T) {
	w, of := newWorld(t), newWorld(t)
	w.answers = []llm.Response{calls(`research {"request":"Find."}`), {Text: "found"}}
	of.answers = []llm.Response{{Text: encoded(steps(`find {}`, `pay {}`))}, {Text: "there"}}
	w.addAgent(t, of)
	var b bytes.Buffer
	r := start(t, w.orchestrator(t, orchestrator.Conversation{}, orchestrator.Events(orchestrator.CycleLog(&b, nil, nil))), orchestrator.Input{Request: "Find."})
	execute(t, r, run.Waiting)
	var got []string
	for line := range strings.Lines(b.String()) {
		var x struct {
			Agent   string           `json:"agent_call"`
			Number  json.Number      `json:"step_number"`
			Outputs []map[string]any `json:"llm_output"`
			Calls   []struct{ Call struct{ ID string } }
		}
		line = regexp.MustCompile(`"tool_calls"`).ReplaceAllString(line, `"Calls"`)
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		text := x.Agent + " " + x.Number.String()
		for _, o := range x.Outputs {
			text += " " + o["purpose"].(string)
		}
		for _, c := range x.Calls {
			text += " " + c.Call.ID
		}
		got = append(got, text)
	}
	want := []string{"r/1/1 0 plan", "r/1/1 1 r/1/1/1:1", "r/1/1 2 r/1/1/2:1", "r/1/1 0 answer", " 1 turn r/1/1", " 2 turn", " 0"}
	if !slices.Equal(got, want) {
		t.Errorf("the lines are %q, want %q:\n%s", got, want, b.String())
	}
}

// TestAgentOldSchema checks that an agent answers by a schema of an older draft, as other tools do.
func TestAgentOldSchema(t *testing.T) {
	w, of := newWorld(t), newWorld(t)
	agent, err := orchestrator.New(of, of.Registry, orchestrator.Conversation{})
	if err != nil {
		t.Fatal(err)
	}
	count, err := orchestrator.AsTool(agent, tool.Definition{Name: "count", Description: "Counts things.", Output: json.RawMessage(`{"type":"integer","minimum":0,"exclusiveMinimum":true}`)})
	if err == nil {
		err = w.Register(count)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.answers, of.answers = []llm.Response{calls(`count {"request":"Count."}`), {Text: "counted"}}, []llm.Response{{Text: "0"}, {Text: "7"}}
	r := start(t, w.orchestrator(t, orchestrator.Conversation{}), orchestrator.Input{Request: "Count."})
	execute(t, r, run.Waiting)
	messages := r.State().Messages
	if result := messages[2].Result; result == nil || result.Err != nil || string(result.Output) != "7" {
		t.Errorf("the result is %+v", result)
	}
}
