package planner

import (
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
)

// readMessages reads the messages that were sent since the last step. The error is a [*run.Stop].
func (p *planning) readMessages() error {
	for p.readsMessages { // runs that began before plans read messages ignore them
		m, err := p.fx.Wait(run.WaitOptions{Poll: true})
		if m == nil || err != nil {
			return err
		}
		p.addMessage(*m)
	}
	return nil
}

// addMessage records a message. It makes the run plan the remaining steps again.
func (p *planning) addMessage(m llm.Message) {
	p.messages = append(p.messages, m.Text)
	p.hasNewMessages = true
	p.fx.Emit("", run.MessageRead{Message: llm.Message{Role: llm.RoleUser, Text: m.Text}})
}

// quotedMessages returns the messages of the user for prompts.
func (p *planning) quotedMessages() (all []string) {
	for _, text := range p.messages {
		all = append(all, jsontext.QuoteLine(text, plan.MaxText))
	}
	return all
}
