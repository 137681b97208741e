package orchestrator

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// AsTool returns a tool whose calls an agent carries out. Register it with the tools of another
// agent, or of the same agent.
//
// The definition needs a name and a description. If it has no input schema, the tool has one
// argument, request, which is the request to the agent. If it has an input schema, the request is
// the description and the arguments as JSON. If it has no output schema, the result is the text of
// the agent's answer. If it has an output schema, the agent answers with JSON that fits the schema.
// The annotations must describe what the agent and its tools may do.
//
// The agent works inside the run that makes the call: with the model, tools and settings of its
// own orchestrator, but with the journal, the store and the events of the run. This means:
//   - After a crash, the agent resumes. It never begins twice.
//   - Its usage counts against the limits of the run.
//   - It ends when the run is canceled.
//   - When the agent needs a person, the run waits. If a signal to the run has the ID of one of the
//     agent's calls, the agent receives it.
//   - The events of the agent have the ID of the call in the field AgentCall of [run.Event].
//   - If the agent fails, the call fails.
//   - Several calls of agents are carried out one after the other.
//
// Agents can be nested five levels deep.
//
// Only runs can call the tool. If AsTool fails, its error is a [*tool.DefinitionError].
func AsTool(agent *Orchestrator, d tool.Definition) (tool.Tool, error) {
	t := &agentTool{agent: agent, takesRequest: d.Input == nil, description: d.Description}
	if t.takesRequest {
		d.Input = json.RawMessage(requestSchema)
	}
	answersText := d.Output == nil
	if answersText {
		d.Output = json.RawMessage(`{"type":"string"}`)
	}
	if agent == nil {
		return tool.Tool{}, &tool.DefinitionError{Tool: d.Name, Err: errors.New("there is no agent")}
	}
	d.Agent = agent
	result, err := schema.Dynamic(d, t.begin)
	if !answersText {
		t.answer = result.Definition().Output // Dynamic translated the schema to the current draft
	}
	return result, err
}

const requestSchema = `{"type":"object","properties":{"request":{"type":"string","minLength":1,"description":"what to do, with everything one has to know for it"}},"required":["request"],"additionalProperties":false}`

// agentTool is the tool of an agent.
type agentTool struct {
	agent        *Orchestrator
	description  string
	takesRequest bool            // the tool has the argument request
	answer       json.RawMessage // schema of the answer; nil means text
}

// begin begins the agent for a call.
func (t *agentTool) begin(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
	request := t.description + "\n\n" + string(arguments)
	if t.takesRequest {
		var a struct{ Request string }
		if err := json.Unmarshal(arguments, &a); err != nil {
			return nil, err
		}
		request = a.Request
	}
	in, err := t.agent.newInput(ctx, Input{Request: request, Answer: t.answer, Meta: tool.ExchangeFrom(ctx).Meta()})
	if err != nil {
		return nil, err
	}
	return nil, run.BeginAgent(ctx, in)
}
