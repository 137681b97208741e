// Package replay records the requests to a model and its answers, and answers from such a
// recording. With a recording, a test or an example needs neither a key nor a network. Wrap the real
// model with [Record] once, and read the recording with [Read] in tests. A recording is JSON that
// people can read, compare and edit. In tests of agents, the function Recording of package agenttest
// does both.
//
// A request of a run matches a recorded request with the same text or the same meaning. The meaning
// consists of the purpose, the step, the tool and the names of all offered tools. If an agent makes the
// request to carry out a call, the call is also part of the meaning. A recording therefore remains valid
// after a prompt or a description has changed. With [Exact], and for requests outside of runs, the text
// must be equal.
package replay

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/aiongen/aiongen/runtime/llm"
)

// Kinds of an [llm.Error] in addition to those of package llm.
const (
	Unrecorded   = "unrecorded"    // the recording has no unused answer to the request
	BadRecording = "bad_recording" // the recording cannot be read or written
)

// Model answers from a recording. Create it with [Read]. It is safe for concurrent use.
type Model struct {
	exact bool
	old   bool // the recording has the old format

	mu        sync.Mutex
	exchanges []exchange
}

var _ llm.Model = (*Model)(nil)

// Option configures a [Model].
type Option func(*Model)

// Exact requires that a request has exactly the recorded text. Use it to notice every change of a
// prompt, or if the recording contains several runs, whose requests differ only in their texts.
func Exact() Option { return func(m *Model) { m.exact = true } }

// Read reads a recording of at most 16 MiB. Its error is an [*llm.Error].
//
// Recordings of the old format "aiongen dialogue 1" do not contain the meaning of requests, so
// requests match only by their text. To match by meaning, record the dialogue again.
func Read(r io.Reader, options ...Option) (*Model, error) {
	d, err := readRecording(r)
	if err != nil {
		return nil, &llm.Error{Kind: BadRecording, Err: err}
	}
	m := &Model{old: d.old, exchanges: d.exchanges}
	for _, option := range options {
		option(m)
	}
	return m, nil
}

// Generate implements [llm.Model]. It returns the answer or error that was recorded for a request
// with the same text or, if there is none, with the same meaning. It returns each recorded answer
// only once; if several match, it returns the first one in the recording. It does not compare data
// that a model does not receive, such as the metadata and the duration of calls. The order of
// requests does not matter.
func (m *Model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	if err := llm.ContextError(ctx, nil); err != nil {
		return llm.Response{}, err
	}
	key, err := recordRequest(req).keyText(req.Tools)
	if err != nil {
		return llm.Response{}, &llm.Error{Kind: llm.BadRequest, Err: err}
	}
	means := requestMeaning(ctx, req)
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.exchanges, func(x exchange) bool { return !x.used && x.key == key })
	if i < 0 {
		i = slices.IndexFunc(m.exchanges, func(x exchange) bool { return !x.used && m.sameMeaning(x, means) })
	}
	if i < 0 {
		return llm.Response{}, &llm.Error{Kind: Unrecorded, Err: errors.New(m.describeMismatch(key, means))}
	}
	x := &m.exchanges[i]
	x.used = true
	response := x.response
	response.Calls = slices.Clone(response.Calls)
	return response, x.err
}

// sameMeaning reports whether a request with this meaning may get the answer of an exchange with another text.
func (m *Model) sameMeaning(x exchange, means *meaning) bool {
	return means != nil && x.meaning != nil && *means == *x.meaning && !m.exact
}

// Unused returns the number of recorded answers that have not been returned yet.
func (m *Model) Unused() (count int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, x := range m.exchanges {
		if !x.used {
			count++
		}
	}
	return count
}

// recorder is the model that [Record] returns.
type recorder struct {
	model llm.Model

	mu            sync.Mutex
	w             io.Writer
	formatWritten bool
	tools         map[string]string // written definitions, by name
	schemas       []string          // written schemas
}

var (
	_ llm.Model    = (*recorder)(nil)
	_ llm.Streamer = (*recorder)(nil)
)

// Record returns a model that passes requests to the given model, and writes each request to w with
// its answer or error. It does not record a request that failed because its context was done. If
// writing fails, the request returns that error instead of the answer. The returned model supports
// streaming even if the given one does not. It records only streams that are read to their end.
//
// A recording is a sequence of JSON values. The first value names the format. The others are the
// exchanges, in the order in which they ended. Before each exchange are the definitions of tools and
// the schema that it uses for the first time. The member "for" of a request contains its meaning, if
// a run made it. A text with several lines is an array of lines.
func Record(w io.Writer, model llm.Model) llm.Model {
	return &recorder{model: model, w: w, tools: map[string]string{}}
}

// Name returns the name of the recorded model; see [llm.Name].
func (r *recorder) Name() string { return llm.Name(r.model) }

// Generate implements [llm.Model].
func (r *recorder) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	response, err := r.model.Generate(ctx, req)
	if recordErr := r.recordExchange(ctx, req, response, err); recordErr != nil {
		return llm.Response{}, recordErr
	}
	return response, err
}

// Stream implements [llm.Streamer].
func (r *recorder) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		for chunk, err := range llm.Stream(ctx, r.model, req) {
			var response llm.Response
			if chunk.Response != nil {
				response = *chunk.Response
			}
			if err != nil || chunk.Response != nil {
				if recordErr := r.recordExchange(ctx, req, response, err); recordErr != nil {
					chunk, err = llm.Chunk{}, recordErr
				}
			}
			if !yield(chunk, err) {
				return
			}
		}
	}
}

func (r *recorder) recordExchange(ctx context.Context, req llm.Request, response llm.Response, err error) error {
	if err != nil && ctx.Err() != nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.writeEntry(req, requestMeaning(ctx, req), recordAnswer(response, err)); err != nil {
		return &llm.Error{Kind: BadRecording, Err: err}
	}
	return nil
}
