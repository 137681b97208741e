// Package scripted implements an [llm.Model] for tests whose answers the test specifies. Create a model with
// [New], which takes the answers in order, or with [NewFunc], which takes a function that answers requests:
//
//	model := scripted.New(
//		scripted.Call("get_weather", `{"city":"Oslo"}`),
//		scripted.Text("It snows.").Want(`
//			user: How is the weather in Oslo?
//			call call_1: get_weather({"city":"Oslo"})
//			result call_1: "snow"
//		`),
//	)
//	… run the agent …
//	if err := model.Err(); err != nil {
//		t.Error(err)
//	}
//
// If a request differs from the expected one, the model returns an error with the differences instead of an
// answer. [Format] describes the notation of expectations.
package scripted

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Kinds of an [llm.Error] in addition to those of package llm.
const (
	Unexpected = "unexpected_request" // the request differs from the expected one
	NoAnswer   = "no_answer"          // the script has no answer left
)

// Answer is the answer to one request. Create it with [Text], [Call], [Respond] or [Fail].
type Answer struct {
	response llm.Response
	err      error
	want     *string
}

// Text returns an answer with a text.
func Text(text string) Answer { return Respond(llm.Response{Text: text}) }

// Call returns an answer that calls a tool with the given JSON arguments.
func Call(name, arguments string) Answer {
	return Respond(llm.Response{Calls: []tool.Request{{Name: name, Arguments: []byte(arguments)}}})
}

// Respond returns an answer with the given response. The model sets missing fields: its name, the finish
// reason, and the IDs of calls, which are call_1, call_2 and so on.
func Respond(response llm.Response) Answer { return Answer{response: response} }

// Fail returns an answer that is an error. The model converts an error that is not an [*llm.Error] to one of
// the kind [llm.ServerError].
func Fail(err error) Answer { return Answer{err: err} }

// Want returns the answer with an expectation: the request that it answers must have the given text, in the
// notation of [Format]. Indentation, and blank lines at the beginning and the end, are ignored.
func (a Answer) Want(request string) Answer {
	request = trimIndentation(request)
	a.want = &request
	return a
}

// Model is a model whose answers a test specifies. It is safe for concurrent use.
type Model struct {
	reply llm.Func // function of NewFunc; nil for New

	mu       sync.Mutex
	answers  []Answer
	requests []llm.Request
	faults   []error
	calls    int // number of calls in all answers so far
}

var (
	_ llm.Model    = (*Model)(nil)
	_ llm.Streamer = (*Model)(nil)
)

// New returns a model that gives the answers in order, one for each request.
func New(answers ...Answer) *Model { return &Model{answers: slices.Clone(answers)} }

// NewFunc returns a model that answers each request with reply, which must be safe for concurrent use.
func NewFunc(reply func(ctx context.Context, req llm.Request) (llm.Response, error)) *Model {
	return &Model{reply: reply}
}

// Name returns "scripted"; see [llm.Name].
func (m *Model) Name() string { return "scripted" }

// Requests returns the requests so far.
func (m *Model) Requests() []llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// Err returns an error if a request was not the expected one, if there was no answer left for a request, or if
// answers were not used. Call it at the end of a test.
func (m *Model) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	faults := slices.Clone(m.faults)
	if n := len(m.answers); n > 0 {
		faults = append(faults, fmt.Errorf("the script has %s that no request has used", words.Count(n, "answer")))
	}
	return errors.Join(faults...)
}

// Generate implements [llm.Model].
func (m *Model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	if err := llm.ContextError(ctx, nil); err != nil {
		return llm.Response{}, err
	}
	response, err := m.respond(ctx, req)
	if err == nil {
		return m.complete(response), nil
	}
	if done := llm.ContextError(ctx, err); done != nil {
		return llm.Response{}, done
	}
	if _, ok := errors.AsType[*llm.Error](err); !ok {
		err = &llm.Error{Kind: llm.ServerError, Err: err}
	}
	return llm.Response{}, err
}

// Stream implements [llm.Streamer]. Each chunk contains one word of the reasoning or of the text.
func (m *Model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		response, err := m.Generate(ctx, req)
		if err != nil {
			yield(llm.Chunk{}, err)
			return
		}
		for _, word := range strings.SplitAfter(response.Reasoning, " ") {
			if word != "" && !yield(llm.Chunk{Reasoning: word}, nil) {
				return
			}
		}
		for _, word := range strings.SplitAfter(response.Text, " ") {
			if word != "" && !yield(llm.Chunk{Text: word}, nil) {
				return
			}
		}
		yield(llm.Chunk{Response: &response}, nil)
	}
}

// respond records a request and returns its answer.
func (m *Model) respond(ctx context.Context, req llm.Request) (llm.Response, error) {
	m.mu.Lock()
	m.requests = append(m.requests, req)
	if m.reply != nil {
		m.mu.Unlock()
		return m.reply(ctx, req)
	}
	defer m.mu.Unlock()
	if len(m.answers) == 0 {
		err := &llm.Error{Kind: NoAnswer, Err: fmt.Errorf("the script has no answer left for request %d:\n%s", len(m.requests), Format(req))}
		m.faults = append(m.faults, err)
		return llm.Response{}, err
	}
	a := m.answers[0]
	m.answers = m.answers[1:]
	if a.want != nil {
		if got := Format(req); got != *a.want {
			err := &llm.Error{Kind: Unexpected, Err: fmt.Errorf("request %d is not the expected one:\n%s", len(m.requests), diffLines(*a.want, got))}
			m.faults = append(m.faults, err)
			return llm.Response{}, err
		}
	}
	return a.response, a.err
}

// complete sets missing fields of a response; see [Respond].
func (m *Model) complete(r llm.Response) llm.Response {
	if r.Model == "" {
		r.Model = m.Name()
	}
	if r.Finish == "" && len(r.Calls) > 0 {
		r.Finish = llm.FinishCalls
	} else if r.Finish == "" {
		r.Finish = llm.FinishStop
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r.Calls = slices.Clone(r.Calls)
	for i, call := range r.Calls {
		m.calls++
		if call.ID == "" {
			r.Calls[i].ID = fmt.Sprintf("call_%d", m.calls)
		}
	}
	return r
}
