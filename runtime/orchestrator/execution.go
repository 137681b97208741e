package orchestrator

import (
	"context"
	"slices"
	"sync"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/conversation"
	"github.com/aiongen/aiongen/runtime/run"
)

// execution makes the environments of a run and of its agents, for one execution.
type execution struct {
	*Run
	state *runState // of the run

	mu    sync.Mutex          // concurrent calls emit events, too
	tools map[string]runTools // of each agent, by the ID of the call that it carries out; "" is the run
}

func (r *Run) newExecution(s *runState) *execution {
	return &execution{Run: r, state: s, tools: map[string]runTools{}}
}

// newEnv returns the environment of the run, or of an agent that carries out a call, with the
// model and the tools of o. Events of the environment update s, and [Run.State] then returns the
// state of this execution.
func (x *execution) newEnv(o *Orchestrator, s *runState, agentCall string) *run.Env {
	env := o.env
	emit := func(ctx context.Context, step string, what any) {
		x.deliverEvent(ctx, run.Event{Run: x.id, AgentCall: agentCall, Step: step, Time: x.o.currentTime(), What: what})
	}
	wrap := func(m llm.Model) llm.Model {
		return runModel{Model: m, tools: o.tools, base: o.baseRequest, recalls: o.recalls, run: s, emit: emit}
	}
	env.Model, env.Models = wrap(env.Model), map[string]llm.Model{}
	for purpose, m := range o.models {
		env.Models[purpose] = wrap(m)
	}
	tools := runTools{tools: o.tools, store: x.o.store, run: s, emit: emit}
	x.tools[agentCall] = tools
	env.Tools = tools
	if batch, ok := tools.tools.(batchCaller); ok {
		env.Tools = runBatchTools{tools, batch}
	}
	if env.Cost == nil {
		env.Cost = x.o.env.Cost
	}
	agents := agentsOf(o.tools)
	env.Agents = func(tool string) run.AgentFunc { return x.newAgent(agents[tool]) }
	env.Events = x.handleEvent
	return &env
}

// newAgent returns the function that begins agent o for a call, or nil if o is nil.
func (x *execution) newAgent(o *Orchestrator) run.AgentFunc {
	if o == nil {
		return nil
	}
	return func(call string, _ run.Input) run.Agent {
		s := newState(call)
		return run.Agent{Env: x.newEnv(o, s, call), Func: o.runFunction(s), Fold: s.applyEvent}
	}
}

// handleEvent receives the events of the run and its agents.
func (x *execution) handleEvent(ctx context.Context, e run.Event) {
	if end, ok := e.What.(run.CallEnd); ok && end.Call.Err == nil { // runTools stores outputs, but does not see one that a person supplied
		x.tools[e.AgentCall].storeOutput(ctx, end.Call.ID, end.Call.Output)
	}
	x.deliverEvent(ctx, e)
}

// deliverEvent delivers an event to the receivers.
func (x *execution) deliverEvent(ctx context.Context, e run.Event) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.latest.Store(x.state)
	switch what := e.What.(type) {
	case conversation.MessagesAdded:
		return
	case run.RunClaimed:
		what.Earlier = slices.DeleteFunc(what.Earlier, func(e run.Event) bool { _, isAdded := e.What.(conversation.MessagesAdded); return isAdded })
		what.Meta = x.state.inputMeta()
		e.What = what
	}
	for _, sink := range x.o.sinks {
		sink(ctx, e)
	}
}
