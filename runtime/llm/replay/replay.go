// Package replay records what a model was asked and answered, and answers from
// such a recording: a dialogue with a real model becomes a test or an example
// that needs no key and no network. A recording is JSON, made to be read,
// compared and edited; see [Record].
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

// Kinds of an [llm.Error] beside those of package llm.
const (
	Unrecorded   = "unrecorded"    // the request is not in the recording, or was answered as often as it is
	BadRecording = "bad_recording" // it cannot be read or written
)

// Model answers from a recording. It is made by [Read].
type Model struct {
	mu        sync.Mutex
	exchanges []exchange
	unused    map[string][]int // places in exchanges, by the text of the request
}

var _ llm.Model = (*Model)(nil)

// Read reads a recording of at most 16 MiB. An error is an [*llm.Error].
func Read(r io.Reader) (*Model, error) {
	exchanges, err := read(r)
	if err != nil {
		return nil, &llm.Error{Kind: BadRecording, Err: err}
	}
	m := &Model{exchanges: exchanges, unused: map[string][]int{}}
	for i, e := range exchanges {
		m.unused[e.key] = append(m.unused[e.key], i)
	}
	return m, nil
}

// Generate is [llm.Model]'s. It gives the answer, or error, that was recorded for
// a request that is the same to a model: metadata of calls and the time that they
// took do not matter. Requests may come in any order; to one that was recorded
// several times there are as many answers, in their order.
func (m *Model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	if err := llm.ContextError(ctx, nil); err != nil {
		return llm.Response{}, err
	}
	key, err := ask(req).text(req.Tools)
	if err != nil {
		return llm.Response{}, &llm.Error{Kind: llm.BadRequest, Err: err}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	places := m.unused[key]
	if len(places) == 0 {
		return llm.Response{}, &llm.Error{Kind: Unrecorded, Err: errors.New(m.unlike(key))}
	}
	m.unused[key] = places[1:]
	x := m.exchanges[places[0]]
	x.response.Calls = slices.Clone(x.response.Calls)
	return x.response, x.err
}

// Unused counts the recorded answers that were not given yet.
func (m *Model) Unused() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	count := 0
	for _, places := range m.unused {
		count += len(places)
	}
	return count
}

// A recorder is what [Record] returns.
type recorder struct {
	model llm.Model

	mu      sync.Mutex
	w       io.Writer
	begun   bool
	tools   map[string]string // definitions that were written, by name
	schemas []string          // that were written
}

var (
	_ llm.Model    = (*recorder)(nil)
	_ llm.Streamer = (*recorder)(nil)
)

// Record returns a model that asks the given one, and writes each request with
// its answer, or its error, to w when it is there. Requests that ended with their
// context are left out. If it cannot be written, the answer is an error, too. The model
// streams, also if the given one does not; a stream is recorded that is read to its end.
//
// A recording is a sequence of JSON values. The first one names the format, the
// others are the exchanges in the order in which they ended; before each are the
// definitions of tools, and the schema of the answer, that are new in it. Text of
// several lines is an array of lines.
func Record(w io.Writer, model llm.Model) llm.Model {
	return &recorder{model: model, w: w, tools: map[string]string{}}
}

// Name is that of the model that answers; see [llm.Name].
func (r *recorder) Name() string { return llm.Name(r.model) }

// Generate is [llm.Model]'s.
func (r *recorder) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	response, err := r.model.Generate(ctx, req)
	if recordErr := r.record(ctx, req, response, err); recordErr != nil {
		return llm.Response{}, recordErr
	}
	return response, err
}

// Stream is [llm.Streamer]'s.
func (r *recorder) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		for chunk, err := range llm.Stream(ctx, r.model, req) {
			var response llm.Response
			if chunk.Response != nil {
				response = *chunk.Response
			}
			if err != nil || chunk.Response != nil {
				if recordErr := r.record(ctx, req, response, err); recordErr != nil {
					chunk, err = llm.Chunk{}, recordErr
				}
			}
			if !yield(chunk, err) {
				return
			}
		}
	}
}

func (r *recorder) record(ctx context.Context, req llm.Request, response llm.Response, err error) error {
	if err != nil && ctx.Err() != nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.write(req, answer(response, err)); err != nil {
		return &llm.Error{Kind: BadRecording, Err: err}
	}
	return nil
}
