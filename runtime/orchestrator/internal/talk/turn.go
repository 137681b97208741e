package talk

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// said is what the model said in a turn.
type said struct {
	reading
	calls []tool.Request // by the IDs of the provider
}

// turn has the model say something, maybe for the last time, with fewer messages if
// there is no room for all.
func (c *conversation) turn(last bool) (said, error) {
	c.turns++
	if c.full {
		if err := c.compact(); err != nil {
			return said{}, err
		}
	}
	s, err := c.ask(last)
	if tool.Code(err) != llm.ContextFull {
		return s, err
	}
	if err := c.compact(); err != nil {
		return said{}, err
	}
	return c.ask(last)
}

// ask asks the model.
func (c *conversation) ask(last bool) (said, error) {
	answer, err := c.fx.Model(run.Ask{
		For: event.ForTurn, Step: c.step(), Request: c.request, Shrinks: c.Compact != nil,
		Read: func(r llm.Response) json.RawMessage { return c.read(r, last) },
	})
	if err != nil {
		return said{}, err
	}
	var s said
	if err := json.Unmarshal(answer.Read, &s.reading); err != nil {
		return said{}, &record.Error{Kind: "invalid_entry", Text: "what was read from an answer of the model: " + err.Error()}
	}
	c.full = s.Full
	if text := answer.Response.CallText; text != "" {
		c.fx.Emit(c.step(), repaired(text, answer.Response.Calls, c.fx.Now()))
	}
	if s.Over { // its calls have no results
		return s, nil
	}
	m := answer.Response.Message()
	m.Calls = slices.Clone(m.Calls)
	for i, id := range s.IDs {
		m.Calls[i].ID = id
	}
	c.say(m)
	if s.calls = m.Calls; len(m.Calls) == 0 && c.task.Answer == nil {
		s.Answer = json.RawMessage(jsontext.Quote(strings.TrimSpace(m.Text)))
	}
	return s, nil
}

// read makes of an answer what there is to make of it.
func (c *conversation) read(r llm.Response, last bool) json.RawMessage {
	x := reading{Full: c.isFull(r)}
	switch {
	case len(r.Calls) > 0:
		x.IDs, x.Over, x.Reads = c.ids(r.Calls), last, c.results.looks(r.Calls)
	case c.task.Answer != nil:
		x.Answer, x.Wrong = fitting(r.Text, c.task.Answer)
	}
	text, err := jsontext.Marshal(x, "")
	if err != nil {
		panic(err) // it is JSON and texts
	}
	return text
}

// repaired tells that calls came as a text.
func repaired(text string, calls []tool.Request, at time.Time) event.Repaired {
	written, err := jsontext.Marshal(calls, "")
	if err != nil {
		panic(err) // they came out of an entry
	}
	action := supervisor.Action{Kind: supervisor.ToolCall, Original: text, Repaired: written, Time: at}
	r := event.Repaired{Kind: supervisor.ToolCall, Actions: []supervisor.Action{action}}
	if len(calls) == 1 {
		r.Tool = calls[0].Name
	}
	return r
}

// call has the calls of a turn made, but for those that read results.
func (c *conversation) call(s said) error {
	var requests []run.Request
	for i, r := range s.calls {
		if _, reads := s.Reads[i]; !reads {
			requests = append(requests, run.Request{Step: c.step(), Request: tool.Request{Name: r.Name, Arguments: r.Arguments, Meta: c.task.Meta, Truncated: r.Truncated}})
		}
	}
	var calls []*tool.Call
	if len(requests) > 0 {
		var err error
		if calls, err = c.fx.Call(requests...); err != nil {
			return err
		}
	}
	messages := make([]llm.Message, len(s.calls))
	seen := llm.Message{Role: llm.RoleUser}
	for i, r := range s.calls {
		var result tool.Call
		if look, reads := s.Reads[i]; reads {
			result = c.results.read(r, look)
		} else {
			seen.Parts = append(seen.Parts, c.shown(calls[0])...)
			result, calls = c.results.take(calls[0], c.tools), calls[1:]
		}
		result.ID = r.ID
		messages[i] = llm.Message{Role: llm.RoleTool, Result: &result}
	}
	if len(seen.Parts) > 0 { // endpoints take no media in results
		messages = append(messages, seen)
	}
	c.say(messages...)
	return nil
}

// shown returns what the model is shown of what a call has attached, and of what it is.
func (c *conversation) shown(call *tool.Call) (parts []content.Part) {
	for _, p := range call.Content {
		kind := p.Kind()
		medium := kind != content.KindText && kind != content.KindLink || p.Medium() == "image"
		if c.Shown != nil && medium && p.Check() == nil && c.Shown(p) {
			parts = append(parts, content.Text("Attached by "+call.Request.Name+": "+quote.Text(p.String(), longestError)), p)
		}
	}
	return parts
}
