// Package llm defines the interface of language models, which is the same for all providers. Create a
// [Model] with package openai, with package replay, which needs no network, or with [Func], and call
// its method Generate with a [Request]:
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
	// Its errors are of the type [*Error].
	Generate(ctx context.Context, req Request) (Response, error)
}

// Streamer is implemented by a [Model] that can stream answers. Call the function [Stream], which
// accepts every model, instead of the method.
type Streamer interface {
	// Stream answers a request in chunks. The last chunk contains the complete response. An error ends
	// the sequence; it is an [*Error] with a zero chunk. Each iteration over the sequence sends the
	// request again.
	Stream(ctx context.Context, req Request) iter.Seq2[Chunk, error]
}

// Name returns the result of the model's method Name() string, or "" if it has no such method. Models
// of package openai and the wrappers of this package have one.
func Name(model Model) string {
	if namer, ok := model.(interface{ Name() string }); ok {
		return namer.Name()
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
	Prompt      string            `json:"prompt,omitempty"`      // last message of the user, after the messages
	Tools       []tool.Definition `json:"tools,omitempty"`       // tools that the model may call
	Schema      json.RawMessage   `json:"schema,omitempty"`      // JSON Schema for the text of the answer; a model may ignore it
	MaxTokens   int               `json:"max_tokens,omitempty"`  // limit for the answer, including its reasoning; 0 is the endpoint's default
	Temperature *float64          `json:"temperature,omitempty"` // nil is the endpoint's default

	ToolChoice ToolChoice `json:"tool_choice,omitempty"` // which tool to call; "" lets the model choose
	OneCall    bool       `json:"one_call,omitempty"`    // allow at most one call in the answer
	Effort     string     `json:"effort,omitempty"`      // reasoning effort by the provider's name, such as none, low, medium or high; "" is the model's default
	TopP       *float64   `json:"top_p,omitempty"`       // nil is the model's default
	Seed       *int       `json:"seed,omitempty"`        // for reproducible answers, if the model supports it
	Stop       []string   `json:"stop,omitempty"`        // the answer ends before any of these texts

	// Extra contains additional members of the request, by their names in the provider's protocol. The
	// request fails if it already has a member with such a name.
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
}

// ToolChoice is the name of the tool that a model must call, or [AnyTool] or [NoTool].
type ToolChoice string

// Choices that do not name a tool.
const (
	AnyTool ToolChoice = "any tool" // the model must call at least one tool
	NoTool  ToolChoice = "no tool"  // the model must not call a tool, although the request describes tools
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
	Calls  []tool.Request `json:"calls,omitempty"` // never with Approval or Meta
	Usage  Usage          `json:"usage,omitzero"`
	Model  string         `json:"model,omitempty"` // the provider's name of the model that answered
	Finish Finish         `json:"finish,omitempty"`

	// CallText is the text from which calls were read, if the model wrote them as text. Text does
	// not contain it.
	CallText string `json:"call_text,omitempty"`

	Reasoning string          `json:"reasoning,omitempty"` // reasoning of the model, if available; not part of Text
	Provider  json.RawMessage `json:"provider,omitempty"`  // see [Message.Provider]
}

// Message returns the response as a message of the dialogue.
func (r Response) Message() Message {
	return Message{Role: RoleAssistant, Text: r.Text, Calls: r.Calls, Reasoning: r.Reasoning, Provider: r.Provider}
}

// SplitReasoning returns a copy of the response in which reasoning in tags is moved from Text to
// Reasoning. The text "<think>It is cold.</think>It snows." becomes "It snows." Reasoning that the field
// Reasoning already contains is not added again.
func (r Response) SplitReasoning() Response {
	text, reasoningText := reasoning.Split(r.Text)
	r.Text = text
	if !strings.Contains(r.Reasoning, reasoningText) {
		r.Reasoning = strings.TrimPrefix(r.Reasoning+"\n"+reasoningText, "\n")
	}
	return r
}

// Finish is the reason why an answer ended. Providers may report reasons other than the constants.
type Finish string

// Common reasons.
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
	Cached    int `json:"cached,omitempty"`    // part of Input
	Reasoning int `json:"reasoning,omitempty"` // part of Output
}

// Add returns the sum of two usages. Negative counts are treated as 0, and overflow yields the
// largest int.
func (u Usage) Add(v Usage) Usage {
	return Usage{addSaturated(u.Input, v.Input), addSaturated(u.Output, v.Output), addSaturated(u.Cached, v.Cached), addSaturated(u.Reasoning, v.Reasoning)}
}

// Total returns the sum of input and output tokens, with the same rules as Add.
func (u Usage) Total() int { return addSaturated(u.Input, u.Output) }

func addSaturated(a, b int) int {
	a, b = max(a, 0), max(b, 0)
	return a + min(b, math.MaxInt-a)
}

// Chunk is a piece of an answer. The texts of all chunks together are the text of the response, and
// their reasoning together is its reasoning.
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
