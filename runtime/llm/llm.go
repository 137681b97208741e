// Package llm is how a program speaks to a language model, whoever provides it.
// [Model] is the contract, for which packages below it have implementations;
// [Retry] and [InText] work on any: asking again, and tool calls of a model that has
// none.
//
// Its layers, from top to bottom:
//
//	intext, retry         tool calls of a model that has none, and asking again
//	llm, message, errors  a model, what it is asked and says, and how that fails
package llm

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"math"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm/internal/thought"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Model is a language model.
type Model interface {
	// Generate answers a request. It is safe for concurrent use, and returns soon
	// after ctx is done. Errors are [*Error].
	Generate(ctx context.Context, req Request) (Response, error)
}

// Streamer is a [Model] that can tell of an answer while it is made. Call it
// through [Stream].
type Streamer interface {
	// Stream answers a request in pieces, the last of which carries the whole
	// response. An error, an [*Error], comes instead, with no piece, and is the
	// last that comes. Each time the sequence is run, the model is asked.
	Stream(ctx context.Context, req Request) iter.Seq2[Chunk, error]
}

// Name returns the name of a model that has one, by a method Name() string, as that of
// package openai and those around it have; else it is empty.
func Name(model Model) string {
	if named, ok := model.(interface{ Name() string }); ok {
		return named.Name()
	}
	return ""
}

// Func is a function that is a [Model].
type Func func(ctx context.Context, req Request) (Response, error)

// Generate calls f.
func (f Func) Generate(ctx context.Context, req Request) (Response, error) { return f(ctx, req) }

// Request is what a model is asked. It survives JSON both ways.
type Request struct {
	System      string            `json:"system,omitempty"`      // system prompt, before the messages
	Messages    []Message         `json:"messages,omitempty"`    // what was said so far
	Prompt      string            `json:"prompt,omitempty"`      // of the user, after the messages
	Tools       []tool.Definition `json:"tools,omitempty"`       // that the model may call
	Schema      json.RawMessage   `json:"schema,omitempty"`      // JSON Schema that the text of the answer shall follow; a model may not heed it
	MaxTokens   int               `json:"max_tokens,omitempty"`  // limit on the answer, with its reasoning; 0 leaves it to the endpoint
	Temperature *float64          `json:"temperature,omitempty"` // nil is 0.7, see also Unset

	ToolChoice ToolChoice `json:"tool_choice,omitempty"` // which tool to call; "" leaves it to the model
	OneCall    bool       `json:"one_call,omitempty"`    // at most one call in the answer
	Effort     string     `json:"effort,omitempty"`      // of thinking, as the provider names it: none, low, medium, high …; "" is the model's own
	TopP       *float64   `json:"top_p,omitempty"`       // nil is the model's own
	Seed       *int       `json:"seed,omitempty"`        // for answers that can be had again, as far as the model can
	Stop       []string   `json:"stop,omitempty"`        // texts before which the answer ends

	// Extra are members that the request has beside all this, by their names in the
	// protocol of the provider. They replace nothing that the request has already:
	// that is an error.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
}

// ToolChoice says which of the tools of a request a model shall call: the one of
// that name, or one of these.
type ToolChoice string

const (
	AnyTool ToolChoice = "any tool" // one or more of them
	NoTool  ToolChoice = "no tool"  // none, though it is told of them
)

// defaultTemperature is what no temperature in a [Request] stands for.
const defaultTemperature = 0.7

// Unset returns a temperature that is not sent, as is every other that is negative:
// the model uses its own.
func Unset() *float64 { return new(-1.0) }

// WithDefaults returns the request with its temperature filled in, which is nil if none
// is to be sent. It is for implementations of [Model], as is [Request.Dialogue].
func (r Request) WithDefaults() Request {
	if r.Temperature == nil {
		r.Temperature = new(defaultTemperature)
	} else if *r.Temperature < 0 {
		r.Temperature = nil
	}
	return r
}

// Dialogue returns all that the model is told, as messages in their order: the
// system prompt, the messages, the prompt of the user.
func (r Request) Dialogue() []Message {
	var all []Message
	if r.System != "" {
		all = append(all, Message{Role: RoleSystem, Text: r.System})
	}
	all = append(all, r.Messages...)
	if r.Prompt != "" {
		all = append(all, Message{Role: RoleUser, Text: r.Prompt})
	}
	return all
}

// Response is the answer of a model. It survives JSON both ways.
type Response struct {
	Text   string         `json:"text,omitempty"`
	Calls  []tool.Request `json:"calls,omitempty"` // of tools; they have no approval and no metadata
	Usage  Usage          `json:"usage,omitzero"`
	Model  string         `json:"model,omitempty"` // that answered, as its provider names it
	Finish Finish         `json:"finish,omitempty"`

	// CallText is the text that the calls were read from, if they came as a text, which
	// is then not in Text.
	CallText string `json:"call_text,omitempty"`

	Reasoning string          `json:"reasoning,omitempty"` // what the model thought, if that is told; never a part of the text
	Provider  json.RawMessage `json:"provider,omitempty"`  // of the message, see there
}

// Message returns the response as a part of the dialogue.
func (r Response) Message() Message {
	return Message{Role: RoleAssistant, Text: r.Text, Calls: r.Calls, Reasoning: r.Reasoning, Provider: r.Provider}
}

// Apart returns the response with what was thought in its text, in tags such as <think>
// before the answer, in its reasoning instead, where that is a thought that it has not
// yet. It is for those who ask a model that may leave it in the text.
func (r Response) Apart() Response {
	text, apart := thought.Split(r.Text)
	r.Text = text
	if !strings.Contains(r.Reasoning, apart) {
		r.Reasoning = strings.TrimPrefix(r.Reasoning+"\n"+apart, "\n")
	}
	return r
}

// Finish is why an answer ended. Providers may have reasons beside these.
type Finish string

const (
	FinishStop    Finish = "stop"    // it is complete
	FinishCalls   Finish = "calls"   // it wants the results of tools
	FinishLength  Finish = "length"  // it was cut off at the limit on tokens
	FinishRefused Finish = "refused" // the model, or a filter of its provider, did not want to
)

// Usage counts tokens. It sums up with [Usage.Add].
type Usage struct {
	Input     int `json:"input,omitempty"`
	Output    int `json:"output,omitempty"`
	Cached    int `json:"cached,omitempty"`    // of the input
	Reasoning int `json:"reasoning,omitempty"` // of the output
}

// Add returns the sum of two usages. What endpoints say is not believed where it
// makes a sum smaller: a count below zero is none, and what is too much for an int
// is the largest.
func (u Usage) Add(v Usage) Usage {
	return Usage{sum(u.Input, v.Input), sum(u.Output, v.Output), sum(u.Cached, v.Cached), sum(u.Reasoning, v.Reasoning)}
}

// Total counts the tokens of input and output, as Add does.
func (u Usage) Total() int { return sum(u.Input, u.Output) }

func sum(a, b int) int {
	a, b = max(a, 0), max(b, 0)
	return a + min(b, math.MaxInt-a)
}

// Chunk is a piece of an answer. The texts of all chunks make the text of the
// response, and what they have of its reasoning makes that.
type Chunk struct {
	Text      string
	Reasoning string
	Response  *Response // in the last chunk alone
}

// Stream answers a request as [Streamer] says: in pieces if the model is a
// [Streamer], else in one. A stream that ends without a response ends with an
// [*Error] of the kind [CutOff].
func Stream(ctx context.Context, model Model, req Request) iter.Seq2[Chunk, error] {
	streamer, ok := model.(Streamer)
	if !ok {
		return func(yield func(Chunk, error) bool) {
			response, err := model.Generate(ctx, req)
			if err != nil {
				yield(Chunk{}, err)
				return
			}
			yield(Chunk{Text: response.Text, Reasoning: response.Reasoning, Response: &response}, nil)
		}
	}
	return func(yield func(Chunk, error) bool) {
		for chunk, err := range streamer.Stream(ctx, req) {
			if !yield(chunk, err) || err != nil || chunk.Response != nil {
				return
			}
		}
		yield(Chunk{}, &Error{Kind: CutOff, Err: errors.New("the stream ended before the answer")})
	}
}
