package planner

import (
	"encoding/json"
	"errors"
	"math"

	"github.com/aiongen/aiongen/runtime/internal/planform"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// tries is how often the model is asked for the same, if its answer cannot be used.
const tries = 2

// question is what the model is asked.
type question struct {
	purpose string // one of package event
	step    string
	tool    string // that the answer is about, if it is about one
	file    string // of the prompt
	schema  func() json.RawMessage
	fill    func(*shown) // what the prompt has in addition to what all have

	// The answer before, and what was wrong with it, if there was one.
	before string
	wrong  error
}

// reading is what was made of an answer, as the journal has it.
type reading[T any] struct {
	Value T             `json:"value,omitzero"`
	Error *record.Error `json:"error,omitempty"` // why it cannot be used
}

// ask asks the model, and once more if its answer cannot be used. The error is a
// [*record.Stop], or tells why there is no answer.
// The second time, read also gets the first answer.
func ask[T any](p *planning, q question, read func(text, before string) (T, error)) (T, error) {
	before := ""
	for try := 1; ; try++ {
		r, text, err := askOnce(p, q, func(text string) (T, error) { return read(text, before) })
		if err != nil || r.Error == nil {
			return r.Value, err
		}
		if try == tries {
			return r.Value, r.Error
		}
		before, q.before, q.wrong = text, text, r.Error
	}
}

// leastShown is below which prompts do not show less of results, in bytes.
const leastShown = 1 << 10

// askOnce asks the model, with less of the results if it cannot read that much. It
// returns what was made of its answer, and that itself.
func askOnce[T any](p *planning, q question, read func(text string) (T, error)) (r reading[T], text string, err error) {
	var answer record.Answer
	for {
		shrinks := p.ShownBytes > leastShown
		answer, err = p.fx.Model(run.Ask{For: q.purpose, Step: q.step, Tool: q.tool, Shrinks: shrinks,
			Request: func() llm.Request { return p.request(q) },
			Read: func(response llm.Response) json.RawMessage {
				var r reading[T]
				value, err := read(response.Text)
				if r.Error = record.NewError(err); err == nil {
					r.Value = value
				}
				return encode(r)
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

// request returns what the model is asked.
func (p *planning) request(q question) llm.Request {
	data := shown{Request: quote.Text(p.task.Request, math.MaxInt), Said: p.messages(), Goal: quote.Text(p.plan.Goal, planform.MaxText), Steps: p.lines(p.ShownBytes)}
	q.fill(&data)
	if q.wrong != nil {
		data.Before, data.Wrong = quote.Text(q.before, longestFailure), quote.Text(q.wrong.Error(), longestFailure)
	}
	request := llm.Request{System: p.system(q.schema != nil && q.purpose != event.ForAnswer), Prompt: texts.Fill(q.file, data)}
	if q.schema != nil {
		request.Schema = q.schema()
	}
	return request
}

// isStop reports whether an effect ended since the run stops.
func isStop(err error) bool {
	_, stops := errors.AsType[*record.Stop](err)
	return stops
}
