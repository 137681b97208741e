package planner

import (
	"cmp"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/internal/planform"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/repair"
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

// hear takes in a message. The steps that are left have to be planned again.
func (p *planning) hear(m llm.Message) {
	p.said = append(p.said, m.Text)
	p.isNews = true
	p.fx.Emit("", event.Heard{Message: llm.Message{Role: llm.RoleUser, Text: m.Text}})
}

// replanned has the model plan the steps that are left again, after a message. Steps that
// have failed so far are known to it, and are no reason to plan once more.
func (p *planning) replanned() error {
	p.isNews, p.answered, p.forgiven = false, false, len(p.failed())
	return p.make(p.anew(nil))
}

// messages returns what the user has said, as prompts show it.
func (p *planning) messages() (all []string) {
	for _, text := range p.said {
		all = append(all, quote.Text(text, planform.MaxText))
	}
	return all
}

// writesNoSteps reports whether a model answers a message with a plan that has no steps:
// nothing is left to do.
func (p *planning) writesNoSteps(text string) bool {
	if len(p.said) == 0 {
		return false
	}
	read, err := repair.JSON(text, nil)
	if err != nil || read.Truncated {
		return false
	}
	n, err := jsontext.Parse(string(read.Value), jsontext.Depth)
	return err == nil && n.Member("steps").Is(jsontext.Array) && len(n.Member("steps").Items) == 0
}

// finished returns the plan without the steps that are left.
func (p *planning) finished() plan.Plan {
	return plan.Plan{Goal: cmp.Or(p.plan.Goal, p.task.Request), Steps: p.ran()}
}
