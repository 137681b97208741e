package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// request is what a model is asked, in the terms of the protocol, with what it
// takes to read the answer.
type request struct {
	openai.ChatCompletionRequest
	body     []byte
	optional []string // the parameters in it that an answer can do without
	tools    *Tools
	endpoint string
	answer   *schema.Lowered // by which the text of the answer is written; nil for any
	spells   bool            // calls may come as a text
}

// letter is a request as it is sent. What is here has another form than the client
// would give it, which leaves out a zero, though that would not stand for itself.
type letter struct {
	openai.ChatCompletionRequest
	Messages    []message `json:"messages"`
	Temperature *float64  `json:"temperature,omitempty"`
	TopP        *float64  `json:"top_p,omitempty"`
}

// encode returns the request in the terms of the protocol.
func (m *model) encode(req llm.Request, stream bool, without parameters) (*request, error) {
	r, err := m.compose(req, stream, without)
	if err != nil {
		return nil, &llm.Error{Kind: llm.BadRequest, Err: err}
	}
	return r, nil
}

func (m *model) compose(req llm.Request, stream bool, without parameters) (*request, error) {
	tools, err := NewTools(m.isStrict(), req.Tools...)
	if err != nil {
		return nil, err
	}
	r := &request{ChatCompletionRequest: openai.ChatCompletionRequest{
		Model: m.name, Tools: tools.Definitions(), ReasoningEffort: req.Effort, Seed: req.Seed, Stop: req.Stop, Stream: stream,
	}, tools: tools, endpoint: m.endpoint(), spells: len(req.Tools) > 0 && req.ToolChoice != llm.NoTool && !m.isOpenAI()}
	req = m.setOptional(r, req, without)
	if err := r.choose(req); err != nil {
		return nil, err
	}
	if req.Schema != nil && !m.noSchema {
		if err := r.follow(req.Schema, m.isStrict()); err != nil {
			return nil, err
		}
	}
	if r.body, err = m.write(r, req); err != nil {
		return nil, err
	}
	for _, extra := range []map[string]json.RawMessage{req.Extra, m.missing(req.Extra)} {
		if r.body, err = add(r.body, extra); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// setOptional sets the parameters that an answer can do without, except those that the
// endpoint refuses, and returns req with the ones that are sent.
func (m *model) setOptional(r *request, req llm.Request, without parameters) llm.Request {
	takes := func(name string) bool { _, refused := without[name]; return !refused }
	if req.Temperature == nil && isReasoningModel(m.name) || m.reasoning || !takes(temperature) {
		req.Temperature = llm.Unset()
	}
	req = req.WithDefaults()
	if req.Temperature != nil {
		r.optional = append(r.optional, temperature)
	}
	if !takes(topP) {
		req.TopP = nil
	}
	if req.TopP != nil {
		r.optional = append(r.optional, topP)
	}
	if r.Stream && takes(streaming) {
		r.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
		r.optional = append(r.optional, streaming)
	}
	if name := m.limitName(without); req.MaxTokens > 0 && name != "" {
		r.optional = append(r.optional, name)
		if name == newLimit {
			r.MaxCompletionTokens = req.MaxTokens
		} else {
			//lint:ignore SA1019 most endpoints know no other name
			r.MaxTokens = req.MaxTokens
		}
	}
	return req
}

// choose says which tools the model shall call.
func (r *request) choose(req llm.Request) error {
	if len(req.Tools) > 0 && req.OneCall {
		r.ParallelToolCalls = false
	}
	switch req.ToolChoice {
	case "":
	case llm.NoTool:
		if len(req.Tools) > 0 { // else endpoints refuse it
			r.ToolChoice = "none"
		}
	case llm.AnyTool:
		if len(req.Tools) == 0 {
			return errors.New("a tool is to be called, and there is none in the request")
		}
		r.ToolChoice = "required"
	default:
		name, ok := r.tools.lowered(string(req.ToolChoice))
		if !ok {
			return fmt.Errorf("the tool %q is to be called, and is none of the request", req.ToolChoice)
		}
		r.ToolChoice = openai.ToolChoice{Type: openai.ToolTypeFunction, Function: openai.ToolFunction{Name: name}}
	}
	return nil
}

// follow asks for an answer by a schema.
func (r *request) follow(wanted json.RawMessage, strict bool) (err error) {
	if r.answer, err = lower(tool.Definition{Name: "answer", Input: wanted}, strict); err != nil {
		return fmt.Errorf("the schema of the answer cannot be used: %w", errors.Unwrap(err))
	}
	r.ResponseFormat = &openai.ChatCompletionResponseFormat{
		Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
		JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
			Name: r.answer.Name, Schema: r.answer.Input, Strict: r.answer.Target.Strict(),
		},
	}
	return nil
}

// longestID is how long an ID of a call may be at OpenAI, in bytes.
const longestID = 40

// write returns the body of the request.
func (m *model) write(r *request, req llm.Request) ([]byte, error) {
	b := letter{ChatCompletionRequest: r.ChatCompletionRequest, Temperature: req.Temperature, TopP: req.TopP}
	longest := math.MaxInt // other endpoints get their own IDs back, which may be long
	if m.isOpenAI() {
		longest = longestID
	}
	for _, message := range withIDs(req.Dialogue(), longest) {
		encoded, err := r.tools.message(message, providedBy(r.endpoint, message, m.forget))
		if err != nil {
			return nil, err
		}
		b.Messages = append(b.Messages, encoded)
	}
	return json.Marshal(b)
}

// missing returns the members of [Extra] that a request does not say itself.
func (m *model) missing(said map[string]json.RawMessage) map[string]json.RawMessage {
	rest := maps.Clone(m.extra)
	maps.DeleteFunc(rest, func(name string, _ json.RawMessage) bool { return said[name] != nil })
	return rest
}
