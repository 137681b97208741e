// Package conversation executes conversations as runs. In each turn the model requests calls, which
// the run makes, or answers. After an answer, the run waits for the next message.
package conversation

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
)

// Run is the [run.Func] of conversations. The data of its input is a [task.Task]. Unless its input
// is invalid, the run ends only when it is canceled. Until then it waits for messages, each time
// with its answer or the reason why there is none. The answer is a text, or JSON that fits the
// schema of the task. If the task has neither a request nor messages, the run begins by waiting for
// a message. If the messages of the task end with calls that have no results, these calls are made
// first.
func (s Settings) Run(fx run.Effects, in run.Input) (json.RawMessage, error) {
	c := &conversation{Settings: s, fx: fx, tools: in.Tools, results: resultStore{limit: cmp.Or(s.Inline, defaultInline), tool: readerName(in.Tools)}, callIDs: map[string]bool{}}
	if err := json.Unmarshal(in.Data, &c.task); err != nil {
		return nil, &run.Error{Kind: "invalid_input", Text: fmt.Sprintf("the task cannot be read: %v", err)}
	}
	if err := c.addTask(); err != nil {
		return nil, err
	}
	for {
		answer, err := c.runTurns()
		failure, failed := errors.AsType[*run.Error](err)
		if err != nil && !failed {
			return nil, err
		}
		m, err := fx.Wait(run.WaitOptions{Answer: answer, Error: failure})
		if err != nil {
			return nil, err
		}
		c.addUserMessage(*m)
	}
}

// addTask adds the messages of the task.
func (c *conversation) addTask() error {
	messages, open := splitOpenCalls(c.task.Messages)
	c.addMessages(messages...)
	if len(open) > 0 {
		if err := c.makeCalls(turnResult{calls: open}); err != nil {
			return err
		}
	}
	if c.task.Request != "" {
		c.addUserMessage(llm.Message{Text: c.task.Request})
	}
	return nil
}

// runTurns executes turns until the model has answered. It does nothing if the last message is one of
// the model.
func (c *conversation) runTurns() (json.RawMessage, error) {
	if n := len(c.messages); n == 0 || c.messages[n-1].Role == llm.RoleAssistant {
		return nil, nil
	}
	corrected := false // the model was asked to correct its answer
	for n := 1; ; n++ {
		if err := c.readMessages(); err != nil {
			return nil, err
		}
		s, err := c.runTurn(n >= cmp.Or(c.Turns, 20))
		switch {
		case err != nil:
			return nil, err
		case s.TurnsExceeded:
			return nil, &run.Error{Kind: "turn_limit", Text: fmt.Sprintf("the model still calls tools after %d turns", n)}
		case len(s.calls) > 0:
			if err := c.makeCalls(s); err != nil {
				return nil, err
			}
		case s.Fault == "":
			return s.Answer, nil
		case corrected:
			return nil, &run.Error{Kind: "invalid_answer", Text: "the answer of the model does not fit its schema: " + s.Fault}
		default:
			corrected = true
			c.addMessages(llm.Message{Role: llm.RoleUser, Text: correctionPrompt(s.Fault, c.task.Answer)})
		}
	}
}

// readMessages reads the messages that have arrived.
func (c *conversation) readMessages() error {
	for {
		m, err := c.fx.Wait(run.WaitOptions{Poll: true})
		if m == nil || err != nil {
			return err
		}
		c.addUserMessage(*m)
	}
}
