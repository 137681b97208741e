package planner

import (
	"github.com/aiongen/aiongen/runtime/internal/planform"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/run"
)

// listen reads the messages that were sent since the last step. The error is a
// [*record.Stop].
func (p *planning) listen() error {
	for p.listens { // runs that began before plans read messages do not
		m, err := p.fx.Wait(run.For{Poll: true})
		if m == nil || err != nil {
			return err
		}
		p.hear(*m)
	}
	return nil
}

// hear records a message. The remaining steps have to be planned again.
func (p *planning) hear(m llm.Message) {
	p.said = append(p.said, m.Text)
	p.isNews = true
	p.fx.Emit("", event.Heard{Message: llm.Message{Role: llm.RoleUser, Text: m.Text}})
}

// messages returns the messages of the user as prompts show them.
func (p *planning) messages() (all []string) {
	for _, text := range p.said {
		all = append(all, quote.Text(text, planform.MaxText))
	}
	return all
}
