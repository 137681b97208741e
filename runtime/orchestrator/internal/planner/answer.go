package planner

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
)

// answerRequest returns the answer of the run. This is the result of the last step if that step
// already answered the request, or if there is no request. Otherwise the model writes an answer from
// all results.
func (p *planning) answerRequest() (json.RawMessage, error) {
	asked := p.task.Request != "" || p.task.Answer != nil || len(p.messages) > 0
	if n := len(p.plan.Steps); n > 0 && (p.answered || !asked) {
		return p.results[p.plan.Steps[n-1].ID].Result, nil
	}
	return p.askAnswer(question{purpose: run.PurposeAnswer, file: "answer.txt", fillPrompt: func(*promptData) {}})
}

// askAnswer asks for an answer in the requested form.
func (p *planning) askAnswer(q question) (json.RawMessage, error) {
	if p.task.Answer == nil {
		return askUntilValid(p, q, readText)
	}
	fill := q.fillPrompt
	q.fillPrompt = func(d *promptData) { fill(d); d.Schema = jsontext.CompactLine(p.task.Answer, maxSchema) }
	q.schema = func() json.RawMessage { return p.task.Answer }
	return askUntilValid(p, q, p.readAnswer)
}

// readText reads a text. It returns a JSON string.
func readText(text, _ string) (json.RawMessage, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, &run.Error{Kind: "empty_answer", Text: "the model gave no answer"}
	}
	return mustEncode(text), nil
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
		return nil, &run.Error{Kind: invalidAnswer, Text: "the answer does not fit its schema: " + err.Error()}
	}
	return read.Value, nil
}

// invalidAnswer is the code of an answer that does not fit its schema.
const invalidAnswer = "invalid_answer"

var errCutOff = errors.New("the text was cut off")
