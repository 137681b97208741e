// Package talk is a conversation as a run: turns of a model and batches of the calls
// that it asks for, until it has answered; then it waits for the next message.
//
// Its layers, from top to bottom:
//
//	talk          the conversation
//	turn          a turn of the model, and its calls
//	compact       fewer messages
//	conversation  what there is of it, and what the model is asked
//	answer        what is made of what the model says
//	look, result  results, and reading those of which messages have a part only
//	pair          calls and what came of them
package talk

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// Run is the function of a run whose input has a [task.Task]. The run ends only when it
// is cancelled: else it waits for messages, with its answer or why there is none. The
// answer is a text, or what the task wants. A task without a message waits for one; calls
// that its messages end with, and that have no results, are made first.
func (s Settings) Run(fx run.Effects, in record.Input) (json.RawMessage, error) {
	c := &conversation{Settings: s, fx: fx, tools: in.Tools, results: results{limit: cmp.Or(s.Inline, inline), tool: readerOf(in.Tools)}, callIDs: map[string]bool{}}
	if err := json.Unmarshal(in.Data, &c.task); err != nil {
		return nil, &record.Error{Kind: "invalid_input", Text: fmt.Sprintf("the task cannot be read: %v", err)}
	}
	if err := c.begin(); err != nil {
		return nil, err
	}
	for {
		answer, err := c.answer()
		failure, failed := errors.AsType[*record.Error](err)
		if err != nil && !failed {
			return nil, err
		}
		m, err := fx.Wait(run.For{Answer: answer, Error: failure})
		if err != nil {
			return nil, err
		}
		c.hear(*m)
	}
}

// begin takes in what the task has.
func (c *conversation) begin() error {
	there, open := openCalls(c.task.Messages)
	c.say(there...)
	if len(open) > 0 {
		if err := c.call(said{calls: open}); err != nil {
			return err
		}
	}
	if c.task.Request != "" {
		c.hear(llm.Message{Text: c.task.Request})
	}
	return nil
}

// answer has the model answer what was said last, if that is not its own.
func (c *conversation) answer() (json.RawMessage, error) {
	if n := len(c.messages); n == 0 || c.messages[n-1].Role == llm.RoleAssistant {
		return nil, nil
	}
	told := false // what was wrong with an answer
	for n := 1; ; n++ {
		if err := c.listen(); err != nil {
			return nil, err
		}
		s, err := c.turn(n >= cmp.Or(c.Turns, 20))
		switch {
		case err != nil:
			return nil, err
		case s.Over:
			return nil, &record.Error{Kind: "turn_limit", Text: fmt.Sprintf("the model wants to call tools after %d turns", n)}
		case len(s.calls) > 0:
			if err := c.call(s); err != nil {
				return nil, err
			}
		case s.Wrong == "":
			return s.Answer, nil
		case told:
			return nil, &record.Error{Kind: "invalid_answer", Text: "the answer of the model does not fit its schema: " + s.Wrong}
		default:
			told = true
			c.say(llm.Message{Role: llm.RoleUser, Text: correction(s.Wrong, c.task.Answer)})
		}
	}
}

// listen takes in what was said meanwhile.
func (c *conversation) listen() error {
	for {
		m, err := c.fx.Wait(run.For{Poll: true})
		if m == nil || err != nil {
			return err
		}
		c.hear(*m)
	}
}
