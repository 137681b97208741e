// Package ask asks a model, in pieces if somebody wants to see them, and says whether
// what it said is an answer.
package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/result"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Question is what a model is asked.
type Question struct {
	Event   record.Event // with the [record.ModelStart]
	Request llm.Request
	Shrinks bool                                        // that the request is too long is something to record
	Chunks  func(context.Context, record.Event)         // of pieces of the answer, and that they come to nothing; nil has it come whole
	Clock   func() time.Time                            // whose time the event has
	Cost    func(model string, usage llm.Usage) float64 // may be nil
}

// Model asks a model. Where its endpoint tells no usage, bytes are counted. The answer
// tells how long it took, and with an error of the model that.
func Model(ctx context.Context, m llm.Model, q Question) (record.Answer, error) {
	ctx = q.Event.Context(ctx)
	if start, _ := q.Event.What.(record.ModelStart); start.Attempt > 1 && start.For != record.ForQuestion && q.Request.MaxTokens <= math.MaxInt32 {
		q.Request.MaxTokens *= 2 // the limit may have cut off the first answer
	}
	response, told, err := q.respond(ctx, m)
	a := record.Answer{Response: response.Apart(), Duration: max(q.Clock().Sub(q.Event.Time), 0)} // clocks go backwards, too
	switch {
	case err == nil:
		a.Error = noAnswer(a.Response)
		if response.Usage.Total() == 0 {
			a.Response.Usage = usage(q.Request, response)
			a.Estimated = true
		}
		if q.Cost != nil {
			a.Cost = q.Cost(a.Response.Model, a.Response.Usage)
		}
		if wrong := unkept(a.Response); wrong != nil {
			a.Response, a.Error = llm.Response{Usage: a.Response.Usage, Model: a.Response.Model}, wrong
		}
	default:
		a.Response, a.Error = llm.Response{}, record.NewError(err)
		if q.Shrinks && a.Error.Kind == llm.ContextFull {
			err = nil
		}
	}
	if told && a.Error != nil {
		q.tell(ctx, record.Again{For: q.purpose()})
	}
	return a, err
}

func (q Question) purpose() string { return q.Event.What.(record.ModelStart).For }

// tell tells of something that happens now.
func (q Question) tell(ctx context.Context, what any) {
	e := q.Event
	e.Time, e.What = q.Clock(), what
	q.Chunks(ctx, e)
}

// respond returns what the model said, and whether somebody was told of a piece of it.
func (q Question) respond(ctx context.Context, m llm.Model) (response llm.Response, told bool, err error) {
	if q.Chunks == nil {
		response, err = m.Generate(ctx, q.Request)
		return response, false, err
	}
	for chunk, err := range llm.Stream(ctx, m, q.Request) {
		if err != nil {
			return llm.Response{}, told, err
		}
		if chunk.Text != "" || chunk.Reasoning != "" {
			told = true
			q.tell(ctx, record.Chunk{For: q.purpose(), Text: chunk.Text, Reasoning: chunk.Reasoning})
		}
		if chunk.Response != nil {
			response = *chunk.Response
		}
	}
	return response, told, nil
}

// What a token has in bytes, more or less, where nobody counts them; and what a medium
// takes, as if it were text.
const (
	bytesOfToken  = 4
	bytesOfMedium = 4096
)

// usage estimates what a model read and said.
func usage(q llm.Request, r llm.Response) llm.Usage {
	read := len(q.Schema)
	for _, m := range q.Dialogue() {
		read += len(m.Content()) + written(m.Calls)
		for _, p := range m.Parts {
			if read += len(p.Text); p.Media != "" {
				read += bytesOfMedium
			}
		}
	}
	for _, d := range q.Tools {
		read += len(d.Name) + len(d.Description) + len(d.Input)
	}
	said := len(r.Text) + len(r.CallText) + len(r.Reasoning)
	if r.CallText == "" {
		said += written(r.Calls)
	}
	return llm.Usage{Input: max(read/bytesOfToken, 1), Output: max(said/bytesOfToken, 1)}
}

func written(calls []tool.Request) (bytes int) {
	for _, c := range calls {
		bytes += len(c.Name) + len(c.Arguments)
	}
	return bytes
}

// longestAnswer bounds an answer, in bytes of its JSON, so that there is room in an entry of
// a journal for what is read of it, too.
const longestAnswer = 8 << 20

// unkept returns why a response cannot be kept, so that the model would be asked again each
// time that the run is executed; nil if it can.
func unkept(r llm.Response) *record.Error {
	text, err := json.Marshal(r)
	if err == nil {
		_, err = result.Check(text, longestAnswer)
	}
	if err == nil {
		return nil
	}
	return &record.Error{Kind: llm.Malformed, Text: fmt.Sprintf("the answer of the model cannot be kept: %v", err)}
}

// noAnswer returns why a response is no answer; nil if it is one.
func noAnswer(r llm.Response) *record.Error {
	switch {
	case r.Finish == llm.FinishRefused:
		return &record.Error{Kind: "refused", Text: "the model refused to answer"}
	case r.Finish == llm.FinishLength:
		text := "the answer of the model was cut off at the limit on tokens"
		if r.Usage.Output > 0 {
			text += fmt.Sprintf(", after %d", r.Usage.Output)
		}
		if r.Usage.Reasoning > 0 {
			text += fmt.Sprintf(" (%d of them for its reasoning)", r.Usage.Reasoning)
		}
		return &record.Error{Kind: "cut_off", Text: text + ": set a higher limit with orchestrator.With(llm.Request{MaxTokens: n}), or at the endpoint"}
	case strings.TrimSpace(r.Text) == "" && len(r.Calls) == 0:
		return &record.Error{Kind: "empty_answer", Text: "the model gave no answer"}
	}
	return nil
}
