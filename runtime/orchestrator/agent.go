package orchestrator

import (
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
)

// agentsOf returns the agents that are registered as tools, by the names of the tools; see [AsTool].
func agentsOf(tools Caller) map[string]*Orchestrator {
	agents := map[string]*Orchestrator{}
	for _, d := range tools.All() {
		if agent, ok := d.Agent.(*Orchestrator); ok {
			agents[d.Name] = agent
		}
	}
	return agents
}

// FindAgent returns the agent at a path of tool names: the first name is that of an agent among tools,
// the second that of an agent among the tools of the first agent, and so on. Use it to ask the models
// and call the tools of agents outside of the process that executes the run.
func FindAgent(tools Caller, path ...string) (agent *Orchestrator, ok bool) {
	for _, name := range path {
		if agent = agentsOf(tools)[name]; agent == nil {
			return nil, false
		}
		tools = agent.tools
	}
	return agent, agent != nil
}

// Tools returns the tools of the orchestrator.
func (o *Orchestrator) Tools() Caller { return o.tools }

// Journal returns the journal of the runs, see the option [Journal].
func (o *Orchestrator) Journal() journal.Journal { return o.env.Journal }

// Model returns the model for a purpose.
func (o *Orchestrator) Model(purpose string) llm.Model {
	if m, ok := o.models[purpose]; ok {
		return m
	}
	return o.env.Model
}

// WithEffects returns an orchestrator with the settings of o, but with other tools and models. It
// calls model with "" for the default model, and with each purpose that has its own model; see
// [ModelFor].
func (o *Orchestrator) WithEffects(tools Caller, model func(purpose string) llm.Model) *Orchestrator {
	with := &Orchestrator{
		env: o.env, models: map[string]llm.Model{}, tools: tools, store: o.store, baseRequest: o.baseRequest,
		recalls: o.recalls, sinks: o.sinks, startMeta: o.startMeta, kind: o.kind, plan: o.plan, conversation: o.conversation,
	}
	with.env.Model = model("")
	for purpose := range o.models {
		with.models[purpose] = model(purpose)
	}
	return with
}

// CheckAgentsReplaySafe returns an error if an agent among the tools, or among the tools of such an
// agent, has the option [Recall], which does not work in a workflow that is replayed. The options
// [Journal], [Store] and [Events] of agents are allowed, because they have no effect.
func CheckAgentsReplaySafe(tools Caller) error {
	seen := map[*Orchestrator]bool{}
	var check func(Caller) error
	check = func(tools Caller) error {
		for name, agent := range agentsOf(tools) {
			switch {
			case seen[agent]:
				continue
			case agent.recalls != nil:
				return invalidInput("the option Recall of agent %s is not allowed: runs that a workflow replays may use only the model and the tools", name)
			}
			seen[agent] = true
			if err := check(agent.tools); err != nil {
				return err
			}
		}
		return nil
	}
	return check(tools)
}
