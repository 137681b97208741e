package talk

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// step names the turn as a step of the run.
func (c *conversation) step() string { return strconv.Itoa(c.turns) }

// said is what the model said in a turn.
type said struct {
	reading
	calls []tool.Request // by the IDs of the provider
}

// ask asks the model for the next turn, which may be the last one.
func (c *conversation) ask(last bool) (said, error) {
	c.turns++
	answer, err := c.fx.Model(run.Ask{For: event.ForTurn, Step: c.step(), Request: c.request, Read: func(r llm.Response) json.RawMessage {
		return c.read(r, last)
	}})
	if err != nil {
		return said{}, err
	}
	var s said
	if err := json.Unmarshal(answer.Read, &s.reading); err != nil {
		return said{}, &record.Error{Kind: "invalid_entry", Text: "what was read from an answer of the model: " + err.Error()}
	}
	if s.Over { // and its calls have no results
		return s, nil
	}
	m := answer.Response.Message()
	m.Calls = slices.Clone(m.Calls)
	for i, id := range s.IDs {
		m.Calls[i].ID = id
	}
	c.messages = append(c.messages, m)
	s.calls = m.Calls
	return s, nil
}

// request returns what the model is asked.
func (c *conversation) request() llm.Request {
	r := c.Base
	r.Messages, r.Tools = slices.Concat(r.Messages, c.messages), c.tools
	r.Prompt, r.Schema = "", nil
	if c.task.Answer != nil {
		r.System = demand(r.System, c.task.Answer)
	}
	return r
}

// call has the calls of a turn made.
func (c *conversation) call(s said) error {
	requests := make([]run.Request, len(s.calls))
	for i, r := range s.calls {
		requests[i] = run.Request{Step: c.step(), Request: tool.Request{Name: r.Name, Arguments: r.Arguments, Meta: c.task.Meta, Truncated: r.Truncated}}
	}
	calls, err := c.fx.Call(requests...)
	if err != nil {
		return err
	}
	for i, call := range calls {
		result := *call
		result.ID = s.calls[i].ID
		c.messages = append(c.messages, llm.Message{Role: llm.RoleTool, Result: &result})
	}
	return nil
}
