// Package talk is a conversation as a run: turns of a model and batches of the calls
// that it asks for, until it has answered; then it waits for the next message.
//
// Its layers, from top to bottom:
//
//	talk             the conversation
//	turn             a turn of the model, and its calls
//	compact, answer  fewer messages; what is made of what the model says
//	look, result     results, and reading those of which messages have a part only
//	pair             calls and what came of them
package talk

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Settings are how conversations are led. What is decided by them is in the journal: a
// run goes on with other ones as well.
type Settings struct {
	Turns  int // of the model until it has answered; 0 is 20
	Tokens int // of each answer; 0 is llm.DefaultMaxTokens

	// Inline bounds results, in bytes of JSON, that a conversation has in its messages.
	// Of longer ones it has a part, and the model can read the rest. 0 is 16 KiB, below
	// 0 there is no bound.
	Inline int

	// Compact returns fewer messages, or shorter ones, that are to stand for all so far.
	// It is asked when a turn took Window tokens or more, of input and output, and when
	// the endpoint says that the request is too long; nil is not. It must not change
	// what it is given. Calls without results and results without calls are left out.
	Compact func([]llm.Message) []llm.Message
	Window  int // 0 leaves it to the endpoint
}

// conversation is one that is led.
type conversation struct {
	Settings
	fx       run.Effects
	task     task.Task
	tools    []tool.Definition
	messages []llm.Message
	turns    int // of the model, in all
	full     bool
	results  results
}

// Run is the function of a run whose input has a [task.Task]. The run ends only when it
// is cancelled: else it waits for messages, with its answer or why there is none. The
// answer is a text, or what the task wants. A task without a message waits for one; calls
// that its messages end with, and that have no results, are made first.
func (s Settings) Run(fx run.Effects, in record.Input) (json.RawMessage, error) {
	c := &conversation{Settings: s, fx: fx, tools: in.Tools, results: results{limit: cmp.Or(s.Inline, inline), tool: readerOf(in.Tools)}}
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

// hear takes in a message: a user's, or the program's own if it is of the system. What
// only a model and tools say is not for others to say.
func (c *conversation) hear(m llm.Message) {
	heard := llm.Message{Role: llm.RoleUser, Text: m.Text, Parts: m.Parts}
	if m.Role == llm.RoleSystem {
		heard.Role, heard.Parts = m.Role, nil
	}
	c.fx.Emit("", event.Heard{Message: heard})
	c.say(heard)
}

// say adds messages.
func (c *conversation) say(messages ...llm.Message) {
	if len(messages) == 0 {
		return
	}
	c.messages = append(c.messages, messages...)
	c.fx.Emit("", task.Said{Messages: messages})
}
