package llm

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Caller has tools, and calls them. A [tool.Registry] is one.
type Caller interface {
	// Available returns what a model is offered, given the scope of the context.
	Available(scope *tool.Scope) []tool.Definition

	// CallAll returns a call for every request, in their order, when all are
	// final.
	CallAll(ctx context.Context, requests []tool.Request, options ...tool.BatchOption) []*tool.Call
}

var _ Caller = (*tool.Registry)(nil)

// Conversation is what came of [Converse].
type Conversation struct {
	Messages []Message // those it began with and all that came; a call in them has its result, too
	Response Response  // the last of the model
	Usage    Usage     // of all its responses
	Turns    int       // how many there were
}

// ConverseOption sets up [Converse].
type ConverseOption func(*converser)

// converser is what the options of Converse set.
type converser struct {
	base    Request
	turns   int
	budget  int
	onChunk func(Chunk)
	batch   []tool.BatchOption
	meta    map[string]string
	approve func(ctx context.Context, call *tool.Call) string
}

// With gives every request what base has: the system prompt, the schema, limits;
// its messages and its prompt come before those of the conversation. Its tools
// are not used.
func With(base Request) ConverseOption {
	base.Messages = Request{Messages: base.Messages, Prompt: base.Prompt}.Dialogue()
	base.Prompt = ""
	return func(c *converser) { c.base = base }
}

// Turns bounds how often the model is asked. The default is 20.
func Turns(limit int) ConverseOption {
	return func(c *converser) { c.turns = max(limit, 1) }
}

// Budget ends the conversation instead of going on once as many tokens were used,
// of input and output. The last response may exceed it. The default is no limit.
func Budget(tokens int) ConverseOption {
	return func(c *converser) { c.budget = tokens }
}

// OnChunk lets the model answer in pieces, if it can, and hands each one to f; the
// last one of each turn has the response. A turn whose stream breaks ends the
// conversation, though f saw a part of it.
func OnChunk(f func(Chunk)) ConverseOption {
	return func(c *converser) { c.onChunk = f }
}

// Batch says how calls of one turn run together.
func Batch(options ...tool.BatchOption) ConverseOption {
	return func(c *converser) { c.batch = options }
}

// Meta gives every call metadata, which the model does not see.
func Meta(meta map[string]string) ConverseOption {
	return func(c *converser) { c.meta = meta }
}

// Approve has f asked, one call after the other, for calls that ended with a
// [*tool.ApprovalError]: they run again with the approval that it returns, unless
// that is empty.
func Approve(f func(ctx context.Context, call *tool.Call) string) ConverseOption {
	return func(c *converser) { c.approve = f }
}

// Converse lets a model answer messages, and call tools for it: it asks the model
// and runs the calls of its response, in turn, until there is a response without
// calls, or one with [FinishRefused], whose calls count for nothing. Whatever a call
// ends with, the model is told of it in words; see [Message.Content].
//
// The conversation is never nil. With an error, which is an [*Error] and may be
// of the kinds [TurnLimit] and [TokenBudget], it is what there is; it can go on
// from its messages. A response whose calls did not run for a limit is in
// Response alone.
func Converse(ctx context.Context, model Model, caller Caller, messages []Message, options ...ConverseOption) (*Conversation, error) {
	s := converser{turns: 20}
	for _, option := range options {
		option(&s)
	}
	c := &Conversation{Messages: slices.Clone(messages)}
	for {
		if err := s.ask(ctx, model, caller, c); err != nil {
			return c, err
		}
		if c.Response.Finish == FinishRefused {
			c.Response.Calls = nil // of an answer that the model, or its provider, took back
		}
		if len(c.Response.Calls) == 0 {
			c.Messages = append(c.Messages, c.Response.Message())
			return c, nil
		}
		if err := s.exhausted(c); err != nil {
			return c, err
		}
		s.name(c)
		c.Messages = append(c.Messages, c.Response.Message())
		for _, call := range s.call(ctx, caller, c.Response.Calls) {
			c.Messages = append(c.Messages, Message{Role: RoleTool, Result: call})
		}
		if err := ContextError(ctx, nil); err != nil {
			return c, err
		}
	}
}

// ask adds a response of the model.
func (s *converser) ask(ctx context.Context, model Model, caller Caller, c *Conversation) (err error) {
	req := s.base
	req.Tools = caller.Available(tool.ScopeFrom(ctx))
	req.Messages = slices.Concat(s.base.Messages, c.Messages)
	var response Response
	if s.onChunk == nil {
		response, err = model.Generate(ctx, req)
	} else {
		response, err = s.stream(ctx, model, req)
	}
	if err != nil {
		return err
	}
	c.Response, c.Usage, c.Turns = response, c.Usage.Add(response.Usage), c.Turns+1
	return nil
}

func (s *converser) stream(ctx context.Context, model Model, req Request) (response Response, err error) {
	for chunk, err := range Stream(ctx, model, req) {
		if err != nil {
			return Response{}, err
		}
		s.onChunk(chunk)
		if chunk.Response != nil {
			response = *chunk.Response
		}
	}
	return response, nil
}

// exhausted returns an error if the conversation must not go on.
func (s *converser) exhausted(c *Conversation) error {
	if c.Turns >= s.turns {
		return &Error{Kind: TurnLimit, Err: fmt.Errorf("the model wants to call tools after %d turns", c.Turns)}
	}
	if used := c.Usage.Total(); s.budget > 0 && used >= s.budget {
		return &Error{Kind: TokenBudget, Err: fmt.Errorf("the model wants to call tools after %d tokens of %d", used, s.budget)}
	}
	return nil
}

// name gives an ID to calls that have none, or one that another call of the
// response has, for results are told apart by it; and it takes from them what is
// not for a model to say.
func (s *converser) name(c *Conversation) {
	calls := slices.Clone(c.Response.Calls)
	seen := map[string]bool{"": true}
	for i := range calls {
		id := calls[i].ID
		for n := i + 1; seen[id]; n++ {
			id = fmt.Sprintf("call_%d_%d", c.Turns, n)
		}
		seen[id] = true
		calls[i].ID, calls[i].Meta, calls[i].Approval = id, s.meta, ""
	}
	c.Response.Calls = calls
}

// call runs the calls of a response, again where that was approved.
func (s *converser) call(ctx context.Context, caller Caller, requests []tool.Request) []*tool.Call {
	calls := caller.CallAll(ctx, requests, s.batch...)
	if s.approve == nil {
		return calls
	}
	var approved []tool.Request
	var places []int
	for i, call := range calls {
		var needs *tool.ApprovalError
		if !errors.As(call.Err, &needs) {
			continue
		}
		if approval := s.approve(ctx, call); approval != "" {
			request := requests[i]
			request.Approval = approval
			approved, places = append(approved, request), append(places, i)
		}
	}
	for i, call := range caller.CallAll(ctx, approved, s.batch...) {
		calls[places[i]] = call
	}
	return calls
}
