// Package llm defines how a program calls a language model of any provider. Create a [Model] with
// package openai, with package replay, which needs no network, or with [Func], and call its
// method Generate with a [Request]:
//
//	model := openai.New("gpt-4.1")
//	response, err := model.Generate(ctx, llm.Request{Prompt: "Hello."})
//
// [Retry] and [WithTextCalls] wrap any model: Retry repeats failed requests, and WithTextCalls
// adds tool calls to a model that does not support them.
package llm

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"math"
	"strings"

	"github.com/aiongen/aiongen/runtime/llm/internal/reasoning"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Model is a language model.
type Model interface {
	// Generate answers a request. It is safe for concurrent use, and returns soon after ctx is done.
	// Errors are [*Error].
	Generate(ctx context.Context, req Request) (Response, error)
}

// Streamer is a [Model] that can stream answers. Call [Stream] instead of its method.
type Streamer interface {
	// Stream answers a request in chunks. The last chunk contains the complete response. An [*Error]
	// ends the sequence and comes without a chunk. Each iteration over the sequence sends the
	// request again.
	Stream(ctx context.Context, req Request) iter.Seq2[Chunk, error]
}

// Name returns the result of the model's method Name() string, or "" if it has none. Models of
// package openai and the wrappers of this package have one.
func Name(model Model) string {
	if named, ok := model.(interface{ Name() string }); ok {
		return named.Name()
	}
	return ""
}

// Func is a function that implements [Model].
type Func func(ctx context.Context, req Request) (Response, error)

// Generate calls f.
func (f Func) Generate(ctx context.Context, req Request) (Response, error) { return f(ctx, req) }

// Request is a request to a model. It can be encoded as JSON and decoded.
type Request struct {
	System      string            `json:"system,omitempty"`      // system prompt, before the messages
	Messages    []Message         `json:"messages,omitempty"`    // the dialogue so far
	Prompt      string            `json:"prompt,omitempty"`      // of the user, after the messages
	Tools       []tool.Definition `json:"tools,omitempty"`       // that the model may call
	Schema      json.RawMessage   `json:"schema,omitempty"`      // JSON Schema for the text of the answer; a model may ignore it
	MaxTokens   int               `json:"max_tokens,omitempty"`  // limit of the answer, including its reasoning; 0 leaves it to the endpoint
	Temperature *float64          `json:"temperature,omitempty"` // nil leaves it to the endpoint

	ToolChoice ToolChoice `json:"tool_choice,omitempty"` // which tool to call; "" leaves it to the model
	OneCall    bool       `json:"one_call,omitempty"`    // at most one call in the answer
	Effort     string     `json:"effort,omitempty"`      // of reasoning, as the provider names it: none, low, medium, high …; "" is the model's default
	TopP       *float64   `json:"top_p,omitempty"`       // nil is the model's default
	Seed       *int       `json:"seed,omitempty"`        // for reproducible answers, if the model supports it
	Stop       []string   `json:"stop,omitempty"`        // texts before which the answer ends

	// Extra contains additional members of the request, by their names in the provider's protocol. A
	// name that the request already uses is an error.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
}

// ToolChoice is the name of the tool that a model has to call, or one of these constants.
type ToolChoice string

// These choices stand for more than one tool, or for none.
const (
	AnyTool ToolChoice = "any tool" // one or more of them
	NoTool  ToolChoice = "no tool"  // none, although the tools are described
)

// Dialogue returns all messages to the model in order: the system prompt, the messages, and the
// prompt. It is for implementations of [Model].
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

// Response is the answer of a model. It can be encoded as JSON and decoded.
type Response struct {
	Text   string         `json:"text,omitempty"`
	Calls  []tool.Request `json:"calls,omitempty"` // without approval and metadata
	Usage  Usage          `json:"usage,omitzero"`
	Model  string         `json:"model,omitempty"` // name of the model that answered, as the provider reports it
	Finish Finish         `json:"finish,omitempty"`

	// CallText is the text from which calls were read, if the model wrote them as text. Text does
	// not contain it.
	CallText string `json:"call_text,omitempty"`

	Reasoning string          `json:"reasoning,omitempty"` // reasoning of the model, if available; never part of the text
	Provider  json.RawMessage `json:"provider,omitempty"`  // see [Message.Provider]
}

// Message returns the response as a message of the dialogue.
func (r Response) Message() Message {
	return Message{Role: RoleAssistant, Text: r.Text, Calls: r.Calls, Reasoning: r.Reasoning, Provider: r.Provider}
}

// SplitReasoning moves reasoning that the text contains in tags, such as <think> before the answer, to
// Reasoning, unless Reasoning already contains it.
func (r Response) SplitReasoning() Response {
	text, apart := reasoning.Split(r.Text)
	r.Text = text
	if !strings.Contains(r.Reasoning, apart) {
		r.Reasoning = strings.TrimPrefix(r.Reasoning+"\n"+apart, "\n")
	}
	return r
}

// Finish is the reason why an answer ended. Providers may have other reasons.
type Finish string

// These are the reasons that this module knows.
const (
	FinishStop    Finish = "stop"    // the answer is complete
	FinishCalls   Finish = "calls"   // the model waits for results of tools
	FinishLength  Finish = "length"  // the answer was cut off at the token limit
	FinishRefused Finish = "refused" // the model or a filter of its provider refused to answer
)

// Usage counts tokens.
type Usage struct {
	Input     int `json:"input,omitempty"`
	Output    int `json:"output,omitempty"`
	Cached    int `json:"cached,omitempty"`    // of the input
	Reasoning int `json:"reasoning,omitempty"` // of the output
}

// Add returns the sum of two usages. Invalid counts do not reduce it: negative ones count as 0,
// and overflow yields the largest int.
func (u Usage) Add(v Usage) Usage {
	return Usage{addSaturated(u.Input, v.Input), addSaturated(u.Output, v.Output), addSaturated(u.Cached, v.Cached), addSaturated(u.Reasoning, v.Reasoning)}
}

// Total returns the sum of input and output tokens, computed like Add.
func (u Usage) Total() int { return addSaturated(u.Input, u.Output) }

func addSaturated(a, b int) int {
	a, b = max(a, 0), max(b, 0)
	return a + min(b, math.MaxInt-a)
}

// Chunk is a piece of an answer. The texts of all chunks form the text of the response, and their
// reasoning forms its reasoning.
type Chunk struct {
	Text      string
	Reasoning string
	Response  *Response // only in the last chunk
}

// Stream answers a request in chunks if the model is a [Streamer], and otherwise in one chunk. A
// stream that ends without a response yields an [*Error] of the kind [CutOff].
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
		yield(Chunk{}, &Error{Kind: CutOff, Err: errors.New("the stream ended before the answer was complete")})
	}
}
