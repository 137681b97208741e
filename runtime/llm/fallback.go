package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// Fallback returns a model that sends each request to the first model, and to the next one if that
// model is down or over its limit. The kind of the error decides:
//
//	RateLimited, QuotaExceeded                             use the next model
//	ServerError, Unreachable, Timeout, CutOff, Malformed   use the next model
//	Unauthorized, BadRequest, ContextFull, Cancelled       return the error
//	all others                                             return the error
//
// Fallback returns the error, too, if the context is done or a stream has already yielded a chunk. If
// all models fail, the error has the kind of the first retryable error, see [Error.Retryable], or else of the last
// error.
//
// Response.Model is the name of the model that answered. Fallback sends data in [Message.Provider]
// only to the model that created it. It identifies that model by its name, see [Name], or by its
// position if it has no name. Data that does not come from one of the models is sent to all.
//
// A model that retries requests, such as a model of package openai, does so before Fallback uses the
// next one. To use the next model immediately, disable these retries and wrap the result in [Retry].
func Fallback(first Model, others ...Model) Model {
	return &fallback{slices.Concat([]Model{first}, others)}
}

type fallback struct{ models []Model }

var (
	_ Model    = (*fallback)(nil)
	_ Streamer = (*fallback)(nil)
)

// Name returns the name of the first model; see [Name].
func (f *fallback) Name() string { return Name(f.models[0]) }

// Generate implements [Model].
func (f *fallback) Generate(ctx context.Context, req Request) (Response, error) {
	var failures []error
	for i, m := range f.models {
		response, err := m.Generate(ctx, f.ownData(i, req))
		if err == nil {
			return f.markResponse(i, response), nil
		}
		if !mayFallBack(ctx, err) {
			return Response{}, err
		}
		failures = append(failures, err)
	}
	return Response{}, f.joinFailures(failures)
}

// Stream implements [Streamer].
func (f *fallback) Stream(ctx context.Context, req Request) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		var failures []error
		for i := range f.models {
			done, err := f.streamFrom(ctx, i, req, yield)
			if done {
				return
			}
			failures = append(failures, err)
		}
		yield(Chunk{}, f.joinFailures(failures))
	}
}

// streamFrom streams the answer of the i-th model. If done is false, the model failed before the first
// chunk, and the next model should be used.
func (f *fallback) streamFrom(ctx context.Context, i int, req Request, yield func(Chunk, error) bool) (done bool, failure error) {
	begun := false
	for chunk, err := range Stream(ctx, f.models[i], f.ownData(i, req)) {
		if err != nil && !begun && mayFallBack(ctx, err) {
			return false, err
		}
		if chunk.Response != nil {
			marked := f.markResponse(i, *chunk.Response)
			chunk.Response = &marked
		}
		begun = true
		if !yield(chunk, err) || err != nil {
			break
		}
	}
	return true, nil
}

// mayFallBack reports whether the next model should be used after an error.
func mayFallBack(ctx context.Context, err error) bool {
	var e *Error
	if ctx.Err() != nil || !errors.As(err, &e) {
		return false
	}
	return e.Kind == QuotaExceeded || e.Retryable()
}

// modelData is the content of [Message.Provider] with the model that created it.
type modelData struct {
	Model    string          `json:"fallback_model"`
	Provider json.RawMessage `json:"provider"`
}

// modelKey returns a text that identifies the i-th model, even in another process.
func (f *fallback) modelKey(i int) string {
	return cmp.Or(Name(f.models[i]), fmt.Sprintf("model %d", i+1))
}

// markResponse returns a response of the i-th model with the model's name, and marks its provider data
// as created by this model.
func (f *fallback) markResponse(i int, r Response) Response {
	r.Model = cmp.Or(r.Model, Name(f.models[i]))
	if r.Provider == nil {
		return r
	}
	text, err := json.Marshal(modelData{f.modelKey(i), r.Provider})
	if err != nil {
		text = nil // the data is not JSON; a message with it could not be stored anyway
	}
	r.Provider = text
	return r
}

// ownData returns the request for the i-th model: it removes provider data that another model created,
// and the mark from data of this model. It does not change data without a mark.
func (f *fallback) ownData(i int, req Request) Request {
	messages := slices.Clone(req.Messages)
	for j, m := range messages {
		var data modelData
		if json.Unmarshal(m.Provider, &data) != nil || data.Model == "" {
			continue
		}
		messages[j].Provider = nil
		if data.Model == f.modelKey(i) {
			messages[j].Provider = data.Provider
		}
	}
	req.Messages = messages
	return req
}

// joinFailures returns the error after all models have failed. Each failure contains an [*Error].
func (f *fallback) joinFailures(failures []error) error {
	var joined Error
	for i, err := range failures {
		e, _ := errors.AsType[*Error](err)
		text := fmt.Errorf("%s: %w", f.modelKey(i), err)
		if joined.Err != nil {
			text = fmt.Errorf("%w; %w", joined.Err, text)
		}
		switch {
		case !joined.Retryable():
			joined = Error{Kind: e.Kind, Status: e.Status, RetryAfter: e.RetryAfter}
		case e.Retryable(): // wait until the first of the models may be available again
			joined.RetryAfter = min(joined.RetryAfter, e.RetryAfter)
		}
		joined.Err = text
	}
	return &joined
}
