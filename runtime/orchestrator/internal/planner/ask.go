package planner

import (
	"encoding/json"
	"errors"
	"math"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// maxAttempts is how often the model is asked for the same answer if it is not usable.
const maxAttempts = 2

// question is a question to the model.
type question struct {
	purpose    string // a purpose such as run.PurposePlan
	step       string
	tool       string // that the answer is about; may be empty
	file       string // name of the prompt's template
	schema     func() json.RawMessage
	fillPrompt func(*promptData) // sets the data that only this prompt has

	// The previous answer and its error, if there was one.
	lastAnswer string
	lastError  error
}

// reading is the content read from an answer, as the journal stores it.
type reading[T any] struct {
	Value T          `json:"value,omitzero"`
	Error *run.Error `json:"error,omitempty"` // why the answer is not usable
}

// askUntilValid asks the model, and once more if its answer is not usable. The second call of
// read also receives the first answer. The error is a [*run.Stop], or explains why there is no
// answer.
func askUntilValid[T any](p *planning, q question, read func(text, before string) (T, error)) (T, error) {
	before := ""
	for try := 1; ; try++ {
		r, text, err := askOnce(p, q, func(text string) (T, error) { return read(text, before) })
		if err != nil || r.Error == nil {
			return r.Value, err
		}
		if try == maxAttempts {
			return r.Value, r.Error
		}
		before, q.lastAnswer, q.lastError = text, text, r.Error
	}
}

// minShownBytes is the length of results in prompts below which they are not shortened further.
const minShownBytes = 1 << 10

// askOnce asks the model. If the request is too long, it asks again with shorter results. It
// returns the content read from the answer, and the text of the answer.
func askOnce[T any](p *planning, q question, read func(text string) (T, error)) (r reading[T], text string, err error) {
	var answer run.Answer
	for {
		shrinks := p.ShownBytes > minShownBytes
		answer, err = p.fx.Model(run.Ask{For: q.purpose, Step: q.step, Tool: q.tool, Shrinks: shrinks,
			Request: func() llm.Request { return p.newRequest(q) },
			Read: func(response llm.Response) json.RawMessage {
				var r reading[T]
				value, err := read(response.Text)
				if r.Error = run.NewError(err); err == nil {
					r.Value = value
				}
				return mustEncode(r)
			},
		})
		if isStop(err) || tool.Code(err) != llm.ContextFull {
			break
		}
		p.ShownBytes /= 4
	}
	if err == nil {
		err = json.Unmarshal(answer.Read, &r)
	}
	return r, answer.Response.Text, err
}

// newRequest returns the request for a question.
func (p *planning) newRequest(q question) llm.Request {
	data := promptData{Request: jsontext.QuoteLine(p.task.Request, math.MaxInt), Said: p.quotedMessages(), Goal: jsontext.QuoteLine(p.plan.Goal, plan.MaxText), Steps: p.describeSteps(p.ShownBytes)}
	q.fillPrompt(&data)
	if q.lastError != nil {
		data.Before, data.Wrong = jsontext.QuoteLine(q.lastAnswer, maxFailure), jsontext.QuoteLine(q.lastError.Error(), maxFailure)
	}
	request := llm.Request{System: p.systemPrompt(q.schema != nil && q.purpose != run.PurposeAnswer), Prompt: texts.Fill(q.file, data)}
	if q.schema != nil {
		request.Schema = q.schema()
	}
	return request
}

// isStop reports whether an error means that the run stops.
func isStop(err error) bool {
	_, stops := errors.AsType[*run.Stop](err)
	return stops
}
