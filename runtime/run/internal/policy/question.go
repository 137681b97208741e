package policy

import (
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// Attempts is how often a model is asked for one answer.
const Attempts = 2

// mostAsks bounds how often the function of a call may ask; beyond it, that it asks is
// what came of the call.
const mostAsks = 32

// Question returns what the function of the call asks the model, which answers before
// anything else is done; nil if that is nothing.
func (c *Call) Question() *ask.Question {
	if i := c.unanswered(true); i >= 0 {
		return &c.Asks.Questions[i]
	}
	return nil
}

// unanswered returns the place of the first question, to the model or else to a person,
// that has no answer; -1 if there is none.
func (c *Call) unanswered(model bool) int {
	if c.Asks == nil {
		return -1
	}
	for i, q := range c.Asks.Questions {
		if c.answers[i].Of == "" && (q.Kind == ask.KindModel) == model {
			return i
		}
	}
	return -1
}

// hear takes in what the model says to a question. If that is no answer at last, the
// question has none.
func (c *Call) hear(said *record.Answer) {
	if c.silent++; said.Error != nil && said.Error.Kind != llm.ContextFull && c.silent < Attempts {
		return
	}
	c.silent = 0
	q := c.Question()
	a := q.Accept(json.RawMessage(jsontext.Quote(said.Response.Text)))
	if said.Error != nil || q.Check(a) != nil {
		a = q.Cancel()
	}
	c.answer(true, a)
}

// answer takes in answers of the model or else of a person. With the last one the call
// may be made again.
func (c *Call) answer(model bool, answers ...ask.Answer) {
	for _, a := range answers {
		if i := c.unanswered(model); i >= 0 {
			c.answers[i] = a
		}
	}
	switch {
	case c.unanswered(true) >= 0:
	case c.unanswered(false) >= 0:
		c.Waits = record.ForAnswer
	default:
		c.May, c.Waits, c.Request, c.Asks = true, "", c.Asks.Again(c.Request, c.answers...), nil
	}
}
