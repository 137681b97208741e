// Package ask asks a model, in pieces if somebody wants to see them, and says whether
// what it said is an answer.
package ask

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Question is what a model is asked.
type Question struct {
	For     string
	Request llm.Request
	Shrinks bool           // that the request is too long is something to record
	Tell    func(what any) // of pieces of the answer, and that they come to nothing; nil has it come whole
}

// Model asks a model. Where its endpoint tells no usage, bytes are counted.
func Model(ctx context.Context, m llm.Model, q Question) (record.Answer, error) {
	response, told, err := q.respond(ctx, m)
	var a record.Answer
	switch {
	case err == nil:
		a = record.Answer{Response: response.Apart()}
		a.Error = noAnswer(a.Response)
		if response.Usage.Total() == 0 {
			a.Response.Usage = llm.Usage{Input: tokens(q.Request), Output: tokens(response)}
			a.Estimated = true
		}
	case q.Shrinks && tool.Code(err) == llm.ContextFull:
		a, err = record.Answer{Error: record.NewError(err)}, nil
	}
	if told && (err != nil || a.Error != nil) {
		q.Tell(record.Again{For: q.For})
	}
	return a, err
}

// respond returns what the model said, and whether somebody was told of a piece of it.
func (q Question) respond(ctx context.Context, m llm.Model) (response llm.Response, told bool, err error) {
	if q.Tell == nil {
		response, err = m.Generate(ctx, q.Request)
		return response, false, err
	}
	for chunk, err := range llm.Stream(ctx, m, q.Request) {
		if err != nil {
			return llm.Response{}, told, err
		}
		if chunk.Text != "" || chunk.Reasoning != "" {
			told = true
			q.Tell(record.Chunk{For: q.For, Text: chunk.Text, Reasoning: chunk.Reasoning})
		}
		if chunk.Response != nil {
			response = *chunk.Response
		}
	}
	return response, told, nil
}

// bytesOfToken is what a token has, more or less, where nobody counts them.
const bytesOfToken = 4

func tokens(x any) int {
	text, _ := json.Marshal(x) // what cannot be written is not sent either
	return len(text) / bytesOfToken
}

// noAnswer returns why a response is no answer; nil if it is one.
func noAnswer(r llm.Response) *record.Error {
	switch {
	case r.Finish == llm.FinishRefused:
		return &record.Error{Kind: "refused", Text: "the model refused to answer"}
	case r.Finish == llm.FinishLength:
		return &record.Error{Kind: "cut_off", Text: "the answer of the model was cut off at its limit on tokens"}
	case strings.TrimSpace(r.Text) == "" && len(r.Calls) == 0:
		return &record.Error{Kind: "empty_answer", Text: "the model gave no answer"}
	}
	return nil
}
