package run

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// modelQuestion is a request to a model with its settings.
type modelQuestion struct {
	Event   Event // with the [ModelStart]
	Request llm.Request
	Shrinks bool                                        // if the request is too long for the model, the answer contains the error and askModel does not fail
	Chunks  func(context.Context, Event)                // receives [Chunk] and [StreamRestarted]; nil turns streaming off
	Clock   func() time.Time                            // for the times of events
	Cost    func(model string, usage llm.Usage) float64 // may be nil
}

// askModel asks a model. The answer contains the duration and any error of the model. If the endpoint
// does not report usage, the answer contains an estimate from the number of bytes.
func askModel(ctx context.Context, m llm.Model, q modelQuestion) (Answer, error) {
	ctx = q.Event.Context(ctx)
	request := q.attemptRequest()
	response, delivered, err := q.generateResponse(ctx, m, request)
	a := Answer{Response: response.SplitReasoning(), Duration: max(q.Clock().Sub(q.Event.Time), 0)} // clocks may go backwards
	switch {
	case err == nil:
		a.Error = checkAnswer(a.Response)
		if response.Usage.Total() == 0 {
			a.Response.Usage = countUsage(request, response)
			a.Estimated = true
		}
		if q.Cost != nil {
			a.Cost = q.Cost(a.Response.Model, a.Response.Usage)
		}
		if wrong := checkStorable(a.Response); wrong != nil {
			a.Response, a.Error = llm.Response{Usage: a.Response.Usage, Model: a.Response.Model}, wrong
		}
	default:
		a.Response, a.Error = llm.Response{}, NewError(err)
		if q.Shrinks && a.Error.Kind == llm.ContextFull {
			err = nil
		}
	}
	if delivered && a.Error != nil {
		q.emitEvent(ctx, StreamRestarted{For: q.purpose()})
	}
	return a, err
}

// attemptRequest returns the request of this attempt.
func (q modelQuestion) attemptRequest() llm.Request {
	r := q.Request
	if start, _ := q.Event.What.(ModelStart); start.Attempt > 1 && start.For != PurposeQuestion && r.MaxTokens <= math.MaxInt32 {
		r.MaxTokens *= 2 // the limit may have cut off the first answer
	}
	return r
}

func (q modelQuestion) purpose() string { return q.Event.What.(ModelStart).For }

// emitEvent emits an event with the current time.
func (q modelQuestion) emitEvent(ctx context.Context, what any) {
	e := q.Event
	e.Time, e.What = q.Clock(), what
	q.Chunks(ctx, e)
}

// generateResponse returns the response, and whether chunks of it were delivered.
func (q modelQuestion) generateResponse(ctx context.Context, m llm.Model, r llm.Request) (response llm.Response, delivered bool, err error) {
	if q.Chunks == nil {
		response, err = m.Generate(ctx, r)
		return response, false, err
	}
	for chunk, err := range llm.Stream(ctx, m, r) {
		if err != nil {
			return llm.Response{}, delivered, err
		}
		if chunk.Text != "" || chunk.Reasoning != "" {
			delivered = true
			q.emitEvent(ctx, Chunk{For: q.purpose(), Text: chunk.Text, Reasoning: chunk.Reasoning})
		}
		if chunk.Response != nil {
			response = *chunk.Response
		}
	}
	return response, delivered, nil
}

// Estimates for endpoints that do not report usage: the bytes of text per token, and the bytes of
// text that an image or another medium counts as.
const (
	bytesPerToken  = 4
	bytesPerMedium = 4096
)

// countUsage estimates the tokens of a request and its response.
func countUsage(q llm.Request, r llm.Response) llm.Usage {
	read := len(q.Schema)
	for _, m := range q.Dialogue() {
		read += len(m.Content()) + callBytes(m.Calls)
		for _, p := range m.Parts {
			if read += len(p.Text); p.Media != "" {
				read += bytesPerMedium
			}
		}
	}
	for _, d := range q.Tools {
		read += len(d.Name) + len(d.Description) + len(d.Input)
	}
	written := len(r.Text) + len(r.CallText) + len(r.Reasoning)
	if r.CallText == "" {
		written += callBytes(r.Calls)
	}
	return llm.Usage{Input: max(read/bytesPerToken, 1), Output: max(written/bytesPerToken, 1)}
}

func callBytes(calls []tool.Request) (bytes int) {
	for _, c := range calls {
		bytes += len(c.Name) + len(c.Arguments)
	}
	return bytes
}

// maxAnswerLength is the maximum length of an answer as JSON, in bytes. The rest of the entry is
// for the data that Read of [Ask] derives from the answer.
const maxAnswerLength = 8 << 20

// checkStorable returns an error if a response cannot be stored. An unrecorded response would be
// requested again on every execution.
func checkStorable(r llm.Response) *Error {
	text, err := json.Marshal(r)
	if err == nil {
		_, err = result.Check(text, maxAnswerLength)
	}
	if err == nil {
		return nil
	}
	return &Error{Kind: llm.Malformed, Text: fmt.Sprintf("the answer of the model cannot be stored: %v", err)}
}

// checkAnswer returns an error if a response is not a complete answer.
func checkAnswer(r llm.Response) *Error {
	switch {
	case r.Finish == llm.FinishRefused:
		return &Error{Kind: "refused", Text: "the model refused to answer"}
	case r.Finish == llm.FinishLength:
		text := "the answer of the model was cut off at the token limit"
		if r.Usage.Output > 0 {
			text += fmt.Sprintf(", after %d", r.Usage.Output)
		}
		if r.Usage.Reasoning > 0 {
			text += fmt.Sprintf(" (%d of them for its reasoning)", r.Usage.Reasoning)
		}
		return &Error{Kind: "cut_off", Text: text + ": set a higher limit with orchestrator.BaseRequest(llm.Request{MaxTokens: n}), or at the endpoint"}
	case strings.TrimSpace(r.Text) == "" && len(r.Calls) == 0:
		return &Error{Kind: "empty_answer", Text: "the model gave no answer"}
	}
	return nil
}
