package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/internal/thought"
	"github.com/aiongen/aiongen/runtime/llm/openai/internal/growth"
)

const (
	maxCalls    = 1000 // in one answer
	longestName = 1024 // bytes of one that comes in pieces
)

var (
	errName     = fmt.Errorf("the name of a call is longer than %d bytes", longestName)
	errCalls    = fmt.Errorf("there are more than %d calls in the answer", maxCalls)
	errNoChoice = errors.New("there is no choice in the answer")
)

func malformed(err error) *llm.Error { return &llm.Error{Kind: llm.Malformed, Err: err} }

// chunk returns the only chunk of an answer that was to be a stream, and came as one
// document.
func (r *request) chunk(document []byte) (llm.Chunk, error) {
	var answer openai.ChatCompletionResponse
	if err := json.Unmarshal(document, &answer); err != nil {
		return llm.Chunk{}, malformed(err)
	}
	response, err := r.decode(answer, asideOf(document))
	if err != nil {
		return llm.Chunk{}, err
	}
	return llm.Chunk{Text: response.Text, Reasoning: response.Reasoning, Response: &response}, nil
}

// decode returns the answer in the terms of package llm.
func (r *request) decode(answer openai.ChatCompletionResponse, beside aside) (llm.Response, error) {
	if len(answer.Choices) == 0 {
		return llm.Response{}, malformed(errNoChoice)
	}
	choice := answer.Choices[0]
	a := assembly{request: r, model: answer.Model, usage: beside.usage(&answer.Usage), finish: choice.FinishReason}
	a.refusal.WriteString(choice.Message.Refusal)
	message := beside.said(0)
	if err := a.keep(message); err != nil {
		return llm.Response{}, malformed(err)
	}
	a.say(choice.Message.Content)
	for _, part := range choice.Message.MultiContent {
		a.say(part.Text)
	}
	if len(choice.Message.ToolCalls) > maxCalls {
		return llm.Response{}, malformed(errCalls)
	}
	more := message.calls(len(choice.Message.ToolCalls))
	for i, c := range choice.Message.ToolCalls {
		part := &callParts{id: c.ID, name: c.Function.Name}
		part.arguments.WriteString(c.Function.Arguments)
		if err := a.keepCall(part, more[i]); err != nil {
			return llm.Response{}, malformed(err)
		}
		a.calls = append(a.calls, part)
	}
	if c := choice.Message.FunctionCall; c != nil { // as it was before there were tools
		part := &callParts{name: c.Name}
		part.arguments.WriteString(c.Arguments)
		a.calls = append(a.calls, part)
	}
	return a.response(), nil
}

// assembly is an answer that is made of its pieces.
type assembly struct {
	request *request
	tags    thought.Splitter // in the text
	text    strings.Builder
	told    int  // of the text, in bytes
	held    bool // the rest of the text, for it may be calls
	thought strings.Builder
	shared  int // of the thought, in bytes
	kept    growth.Object
	size    int // of all that is kept, in bytes
	refusal strings.Builder
	calls   []*callParts
	model   string
	usage   *openai.Usage
	finish  openai.FinishReason
	begun   bool // there was a piece of the choice
}

type callParts struct {
	index     *int // by which pieces of the call refer to it
	id, name  string
	arguments strings.Builder
	nesting   nesting // of the arguments

	kept, keptFunction growth.Object
}

// add adds a piece.
func (a *assembly) add(delta openai.ChatCompletionStreamResponse, beside aside) error {
	if delta.Model != "" {
		a.model = delta.Model
	}
	if u := beside.usage(delta.Usage); u != nil {
		a.usage = u
	}
	for i, choice := range delta.Choices {
		if choice.Index != 0 {
			continue // one was asked for
		}
		a.begun = true
		said := beside.said(i)
		if err := a.keep(said); err != nil {
			return err
		}
		a.say(choice.Delta.Content)
		a.refusal.WriteString(choice.Delta.Refusal)
		if choice.FinishReason != "" {
			a.finish = choice.FinishReason
		}
		calls := choice.Delta.ToolCalls
		if c := choice.Delta.FunctionCall; c != nil {
			calls = append(calls, openai.ToolCall{Function: *c})
		}
		more := said.calls(len(calls))
		for i, c := range calls {
			part, err := a.call(c)
			if err != nil {
				return err
			}
			if err := part.add(c); err != nil {
				return err
			}
			if err := a.keepCall(part, more[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// say adds a piece of the text, and what is thought in it.
func (a *assembly) say(piece string) {
	text, thought := a.tags.Add(piece)
	a.text.WriteString(text)
	a.thought.WriteString(thought)
}

// next returns what was not told yet. A text that has to be raised is told when it is
// whole.
func (a *assembly) next() (chunk llm.Chunk) {
	if a.request.answer == nil || !a.request.answer.Raises() {
		chunk.Text = a.text.String()[a.told:a.tells()]
		a.told += len(chunk.Text)
	}
	chunk.Reasoning = a.thought.String()[a.shared:]
	a.shared += len(chunk.Reasoning)
	return chunk
}

// call returns the call that a piece belongs to: the last of its index, or where
// endpoints send none, the last one, unless the piece begins another.
func (a *assembly) call(piece openai.ToolCall) (*callParts, error) {
	for _, c := range slices.Backward(a.calls) {
		if piece.Index != nil && (c.index == nil || *c.index != *piece.Index) {
			continue
		}
		if a.begins(piece, c) {
			break
		}
		return c, nil
	}
	if len(a.calls) == maxCalls {
		return nil, errCalls
	}
	c := &callParts{index: piece.Index}
	a.calls = append(a.calls, c)
	return c, nil
}

// begins tells whether a piece begins another call than c, to which it would belong
// by its index, or for having none. Some endpoints give all calls one index, and some
// each piece an ID: another call has a name, too. Some send no IDs, or one for all:
// then it has a name behind arguments that are whole, or behind another name that is
// whole.
func (a *assembly) begins(piece openai.ToolCall, c *callParts) bool {
	name := piece.Function.Name
	if piece.ID != "" && c.id != "" && piece.ID != c.id {
		return name != "" || piece.Index == nil
	}
	switch {
	case name == "":
		return piece.ID != "" && c.id == "" && piece.Index == nil
	case c.nesting.closed():
		return name != c.name || strings.TrimSpace(piece.Function.Arguments) != "" // else it is said again
	case c.arguments.Len() == 0 && (piece.ID == "" || c.id == ""):
		known := a.request.tools.has
		return name != c.name && known(name) && known(c.name) && !known(c.name+name)
	}
	return false
}

// add adds a piece of the call. ID and name come once, but some endpoints repeat
// them in each piece, and some send the name in pieces.
func (c *callParts) add(piece openai.ToolCall) error {
	if c.id == "" {
		c.id = piece.ID
	}
	if c.name != piece.Function.Name {
		c.name += piece.Function.Name
	}
	if len(c.name) > longestName {
		return errName
	}
	c.arguments.WriteString(piece.Function.Arguments)
	c.nesting.add(piece.Function.Arguments)
	return nil
}

// end returns the last chunk, with the response, or with the error why it is not
// complete: neither a reason to finish nor the mark of the end has come.
func (a *assembly) end(done bool, cut *llm.Error) (llm.Chunk, error) {
	if a.finish == "" && !(done && a.begun) {
		return llm.Chunk{}, cut
	}
	response := a.response()
	return llm.Chunk{Text: response.Text[a.told:], Reasoning: response.Reasoning[a.shared:], Response: &response}, nil
}

// response returns the whole answer.
func (a *assembly) response() llm.Response {
	text, thought := a.tags.Flush()
	a.text.WriteString(text)
	a.thought.WriteString(thought)
	r := llm.Response{Text: a.text.String(), Finish: finishes[a.finish], Reasoning: a.thought.String(), Provider: a.provider(), Model: a.model}
	if len(a.calls) == 0 && a.refusal.Len() == 0 && r.Finish == llm.FinishStop {
		r.Calls = a.request.spelled(r.Text)
	}
	if r.Calls != nil {
		r.Text, r.CallText = r.Text[:a.told], r.Text[a.told:]
	} else if a.request.answer != nil {
		r.Text = string(raise(a.request.answer, json.RawMessage(r.Text)))
	}
	if r.Finish == "" {
		r.Finish = llm.Finish(a.finish)
	}
	if a.refusal.Len() > 0 {
		r.Finish = llm.FinishRefused
		if r.Text == "" {
			r.Text = a.refusal.String()
		}
	}
	for i, c := range a.calls {
		call := a.request.tools.Request(openai.ToolCall{ID: c.id, Function: openai.FunctionCall{Name: c.name, Arguments: c.arguments.String()}})
		// If the answer was cut off, the last call is whole only if it is JSON.
		call.Truncated = r.Finish == llm.FinishLength && i == len(a.calls)-1 && !json.Valid(call.Arguments)
		r.Calls = append(r.Calls, call)
	}
	if r.Calls != nil && r.Finish == llm.FinishStop {
		r.Finish = llm.FinishCalls
	}
	if u := a.usage; u != nil {
		r.Usage = llm.Usage{Input: u.PromptTokens, Output: u.CompletionTokens}
		if u.PromptTokensDetails != nil {
			r.Usage.Cached = u.PromptTokensDetails.CachedTokens
		}
		if u.CompletionTokensDetails != nil {
			r.Usage.Reasoning = u.CompletionTokensDetails.ReasoningTokens
		}
	}
	return r
}

// finishes are the reasons of the protocol. An answer that says none is whole.
var finishes = map[openai.FinishReason]llm.Finish{
	"":                               llm.FinishStop,
	openai.FinishReasonStop:          llm.FinishStop,
	openai.FinishReasonToolCalls:     llm.FinishCalls,
	openai.FinishReasonFunctionCall:  llm.FinishCalls,
	openai.FinishReasonLength:        llm.FinishLength,
	openai.FinishReasonContentFilter: llm.FinishRefused,
}
