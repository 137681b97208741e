// Package talk is a conversation as a run: turns of a model and batches of the calls
// that it asks for, until it has answered; then it waits for the next message.
//
// Its layers, from top to bottom:
//
//	talk    the conversation
//	turn    a turn of the model, and its calls
//	answer  what is made of what the model says
package talk

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Settings are how conversations are led. What they decide is in the journal: a run goes
// on with other ones as well.
type Settings struct {
	// Base is what every request to the model begins with: the system prompt, messages
	// before those of the conversation, limits. Its tools, its prompt and its schema are
	// not used.
	Base llm.Request

	Turns int // of the model until it has answered; 0 is 20
}

// conversation is one that is led.
type conversation struct {
	Settings
	fx       run.Effects
	task     task.Task
	tools    []tool.Definition
	messages []llm.Message
	turns    int // of the model, in all
}

// Run is the function of a run whose input has a [task.Task]. The run ends only when it
// is cancelled: else it waits for messages, with its answer or why there is none. The
// answer is a text, or what the task wants. A task without a message waits for one.
func (s Settings) Run(fx run.Effects, in record.Input) (json.RawMessage, error) {
	c := &conversation{Settings: s, fx: fx, tools: in.Tools}
	if err := json.Unmarshal(in.Data, &c.task); err != nil {
		return nil, &record.Error{Kind: "invalid_input", Text: fmt.Sprintf("the task cannot be read: %v", err)}
	}
	c.messages = c.task.Messages
	if c.task.Request != "" {
		c.messages = append(c.messages, llm.Message{Role: llm.RoleUser, Text: c.task.Request})
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
		c.hear(m)
	}
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
		s, err := c.ask(n >= cmp.Or(c.Turns, 20))
		switch {
		case err != nil:
			return nil, err
		case s.Over:
			return nil, &record.Error{Kind: llm.TurnLimit, Text: fmt.Sprintf("the model wants to call tools after %d turns", n)}
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
			c.messages = append(c.messages, llm.Message{Role: llm.RoleUser, Text: correction(s.Wrong, c.task.Answer)})
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
		c.hear(m)
	}
}

// hear takes in a message: a user's, or the program's own if it is of the system. What
// only a model and tools say is not for others to say.
func (c *conversation) hear(m *llm.Message) {
	role := llm.RoleUser
	if m.Role == llm.RoleSystem {
		role = m.Role
	}
	c.messages = append(c.messages, llm.Message{Role: role, Text: m.Text, Parts: m.Parts})
}
