package conversation

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
)

// turnResult is what the model wrote in a turn.
type turnResult struct {
	recordedReading
	calls []tool.Request // with the IDs from recordedReading, if it has any
}

// runTurn asks the model. If the messages are too long for the model, it first compacts them. If last
// is true, the model must answer: it may not request more calls.
func (c *conversation) runTurn(last bool) (turnResult, error) {
	c.turns++
	if c.full {
		if err := c.compactMessages(); err != nil {
			return turnResult{}, err
		}
	}
	s, err := c.askModel(last)
	if tool.Code(err) != llm.ContextFull {
		return s, err
	}
	if err := c.compactMessages(); err != nil {
		return turnResult{}, err
	}
	return c.askModel(last)
}

// askModel asks the model and adds its message to the conversation.
func (c *conversation) askModel(last bool) (turnResult, error) {
	answer, err := c.fx.Model(run.Ask{
		For: run.PurposeTurn, Step: c.stepName(), Request: c.newRequest, Shrinks: c.Compact != nil,
		Read: func(r llm.Response) json.RawMessage { return c.readResponse(r, last) },
	})
	if err != nil {
		return turnResult{}, err
	}
	var s turnResult
	if err := json.Unmarshal(answer.Read, &s.recordedReading); err != nil {
		return turnResult{}, &run.Error{Kind: "invalid_entry", Text: "the recorded answer of the model: " + err.Error()}
	}
	c.full = s.Full
	if text := answer.Response.CallText; text != "" {
		c.fx.Emit(c.stepName(), newRepairEvent(text, answer.Response.Calls, c.fx.Now()))
	}
	if s.TurnsExceeded { // the message is not added, because its calls would never have results
		return s, nil
	}
	m := answer.Response.Message()
	m.Calls = slices.Clone(m.Calls)
	for i, id := range s.IDs {
		m.Calls[i].ID = id
	}
	c.addMessages(m)
	if s.calls = m.Calls; len(m.Calls) == 0 && c.task.Answer == nil {
		s.Answer = json.RawMessage(jsontext.Quote(strings.TrimSpace(m.Text)))
	}
	return s, nil
}

// readResponse reads the answer or the calls in a response. It returns a recordedReading as JSON, which
// the journal stores.
func (c *conversation) readResponse(r llm.Response, last bool) json.RawMessage {
	x := recordedReading{Full: c.isFull(r)}
	switch {
	case len(r.Calls) > 0:
		x.IDs, x.TurnsExceeded, x.Reads = c.assignIDs(r.Calls), last, c.results.findReads(r.Calls)
	case c.task.Answer != nil:
		x.Answer, x.Fault = readAnswer(r.Text, c.task.Answer)
	}
	text, err := jsontext.Marshal(x, "")
	if err != nil {
		panic(err) // x consists of JSON and texts
	}
	return text
}

// newRepairEvent returns the event which reports that the model wrote its calls as text.
func newRepairEvent(text string, calls []tool.Request, at time.Time) run.RepairAttempted {
	written, err := jsontext.Marshal(calls, "")
	if err != nil {
		panic(err) // the journal already contains the calls as JSON
	}
	action := supervisor.Action{Kind: supervisor.ToolCall, Original: text, Repaired: written, Time: at}
	r := run.RepairAttempted{Kind: supervisor.ToolCall, Actions: []supervisor.Action{action}}
	if len(calls) == 1 {
		r.Tool = calls[0].Name
	}
	return r
}

// makeCalls makes the calls of a turn and adds their results to the conversation. A call that reads
// more of an earlier result runs no tool: readResult returns the stored text.
func (c *conversation) makeCalls(s turnResult) error {
	var requests []run.Request
	for i, r := range s.calls {
		if _, reads := s.Reads[i]; !reads {
			requests = append(requests, run.Request{Step: c.stepName(), Request: tool.Request{Name: r.Name, Arguments: r.Arguments, Meta: c.task.Meta, Truncated: r.Truncated}})
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
			result = c.results.readResult(r, look)
		} else {
			seen.Parts = append(seen.Parts, c.shownParts(calls[0])...)
			result, calls = c.results.addResult(calls[0], c.tools), calls[1:]
		}
		result.ID = r.ID
		messages[i] = llm.Message{Role: llm.RoleTool, Result: &result}
	}
	if len(seen.Parts) > 0 { // endpoints do not accept media in results
		messages = append(messages, seen)
	}
	c.addMessages(messages...)
	return nil
}

// shownParts returns the attachments of a call that the model may see. ShowPart selects them. A text
// that describes the attachment precedes each one.
func (c *conversation) shownParts(call *tool.Call) (parts []content.Part) {
	for _, p := range call.Content {
		kind := p.Kind()
		medium := kind != content.KindText && kind != content.KindLink || p.Medium() == "image"
		if c.ShowPart != nil && medium && p.Check() == nil && c.ShowPart(p) {
			parts = append(parts, content.Text("Attached by "+call.Request.Name+": "+jsontext.QuoteLine(p.String(), maxErrorLength)), p)
		}
	}
	return parts
}
