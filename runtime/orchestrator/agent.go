package orchestrator

import (
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
)

// agentsOf returns the agents among tools, by name.
func agentsOf(tools Caller) map[string]*Orchestrator {
	agents := map[string]*Orchestrator{}
	for _, d := range tools.All() {
		if agent, ok := d.Agent.(*Orchestrator); ok {
			agents[d.Name] = agent
		}
	}
	return agents
}

// FindAgent returns the agent that carries out calls of a tool, or of a tool of that agent, and so
// on. Use it to ask models and call tools of agents outside of the process that executes the run.
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

// WithEffects returns an orchestrator with the settings of o, but with other tools and models. The
// purpose is "" for purposes for which o has no model of its own.
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

// CheckAgentsReplaySafe returns an error if an agent among the tools, or among their tools, has an
// option that it cannot have in a workflow that is replayed: [Recall]. Their journals, stores and
// receivers of events are not used.
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
