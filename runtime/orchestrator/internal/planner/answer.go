package planner

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/schema"
)

// answer returns the answer to the request: what the last step said, or what the model
// makes of all results. Where nothing was asked, it is what came of the last step.
func (p *planning) answer() (json.RawMessage, error) {
	asked := p.task.Request != "" || p.task.Answer != nil || len(p.said) > 0
	if n := len(p.plan.Steps); n > 0 && (p.answered || !asked) {
		return p.results[p.plan.Steps[n-1].ID].Result, nil
	}
	return p.say(question{purpose: event.ForAnswer, file: "answer.txt", fill: func(*shown) {}})
}

// say asks for an answer in the form that the request wants.
func (p *planning) say(q question) (json.RawMessage, error) {
	if p.task.Answer == nil {
		return ask(p, q, readText)
	}
	fill := q.fill
	q.fill = func(d *shown) { fill(d); d.Schema = quote.Value(p.task.Answer, longestSchema) }
	q.schema = func() json.RawMessage { return p.task.Answer }
	return ask(p, q, p.readAnswer)
}

// readText reads a text, which is a string in JSON.
func readText(text, _ string) (json.RawMessage, error) {
	said := strings.TrimSpace(text)
	if said == "" {
		return nil, &record.Error{Kind: "empty_answer", Text: "the model gave no answer"}
	}
	return encode(said), nil
}

// readAnswer reads JSON that follows the schema of the answer.
func (p *planning) readAnswer(text, _ string) (json.RawMessage, error) {
	read, err := repair.JSON(text, p.task.Answer)
	if err == nil && read.Truncated {
		err = errCutOff
	}
	if err == nil {
		err = schema.Validate(p.task.Answer, read.Value)
	}
	if err != nil {
		return nil, &record.Error{Kind: invalidAnswer, Text: "the answer is not as it was wanted: " + err.Error()}
	}
	return read.Value, nil
}

// invalidAnswer is the code of an answer that is not as it was wanted.
const invalidAnswer = "invalid_answer"

var errCutOff = errors.New("the text was cut off")
