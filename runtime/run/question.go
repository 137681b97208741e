package run

import (
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// maxQuestionAttempts is how often a model is asked for one answer.
const maxQuestionAttempts = 2

// maxCallQuestions limits how often the function of a call may ask. Beyond it, the AskError is
// the outcome of the call.
const maxCallQuestions = 32

// modelQuestion returns the next unanswered question to the model, or nil. The run asks the model
// before it runs other calls or waits for a person.
func (c *effectCall) modelQuestion() *tool.Question {
	if i := c.findUnanswered(true); i >= 0 {
		return &c.ask.Questions[i]
	}
	return nil
}

// findUnanswered returns the index of the first unanswered question to the model, or else to a
// person, or -1.
func (c *effectCall) findUnanswered(model bool) int {
	if c.ask == nil {
		return -1
	}
	for i, q := range c.ask.Questions {
		if c.answers[i].QuestionKey == "" && (q.Kind == tool.QuestionModel) == model {
			return i
		}
	}
	return -1
}

// applyModelAnswer applies an answer of the model. If the last attempt has no valid answer, the
// question is canceled.
func (c *effectCall) applyModelAnswer(answer *Answer) {
	if c.failedAnswers++; answer.Error != nil && answer.Error.Kind != llm.ContextFull && c.failedAnswers < maxQuestionAttempts {
		return
	}
	c.failedAnswers = 0
	q := c.modelQuestion()
	a := q.Accept(json.RawMessage(jsontext.Quote(answer.Response.Text)))
	if answer.Error != nil || q.Check(a) != nil {
		a = q.Cancel()
	}
	c.addAnswers(true, a)
}

// addAnswers adds answers of the model, or else of a person. After the last answer, the call may
// run again.
func (c *effectCall) addAnswers(model bool, answers ...tool.Answer) {
	for _, a := range answers {
		if i := c.findUnanswered(model); i >= 0 {
			c.answers[i] = a
		}
	}
	switch {
	case c.findUnanswered(true) >= 0:
	case c.findUnanswered(false) >= 0:
		c.waitsFor = ForAnswer
	default:
		c.mayRun, c.waitsFor, c.Request, c.ask = true, "", c.ask.RequestWithAnswers(c.Request, c.answers...), nil
	}
}
