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

// Fallback returns a model that asks the first model, and the next one when a model is down or over
// its limit. The errors decide:
//
//	RateLimited, QuotaExceeded                             the next model is asked
//	ServerError, Unreachable, Timeout, CutOff, Malformed   the next model is asked
//	Unauthorized, BadRequest, ContextFull, Cancelled       the error is returned
//	all others                                             the error is returned
//
// No other model is asked once the context is done, or once a stream has yielded a chunk. If all
// models fail, the error has the kind of the first one that may pass, or else of the last one.
//
// Response.Model is the name of the model that answered. Data in [Message.Provider] that one of the
// models created is sent only to that model, which its name identifies, see [Name], or else its
// position. Data from elsewhere is sent to all.
//
// A model that retries, such as those of package openai, does so before the next model is asked. To
// change the model at once, turn its retries off and wrap the result in [Retry].
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

// streamFrom streams the answer of a model. It reports whether the stream is done: otherwise the next
// model is to be asked because of the error.
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

// mayFallBack reports whether another model should be asked after an error.
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

// modelKey returns what identifies a model in another process.
func (f *fallback) modelKey(i int) string {
	return cmp.Or(Name(f.models[i]), fmt.Sprintf("model %d", i+1))
}

// markResponse returns a response of a model with the model's name.
func (f *fallback) markResponse(i int, r Response) Response {
	r.Model = cmp.Or(r.Model, Name(f.models[i]))
	if r.Provider == nil {
		return r
	}
	text, err := json.Marshal(modelData{f.modelKey(i), r.Provider})
	if err != nil {
		text = nil // the data is not JSON, so it could not be stored either
	}
	r.Provider = text
	return r
}

// ownData returns a request in which messages have only the data that the model created. Data that
// no Fallback has marked is unchanged.
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

// joinFailures returns the error after all models have failed.
func (f *fallback) joinFailures(failures []error) error {
	var last, passing *Error // passing is the first error that may pass
	var text error
	for i, err := range failures {
		if !errors.As(err, &last) {
			return err
		}
		if last.Retryable() && passing == nil {
			passing = last
		}
		if text == nil {
			text = fmt.Errorf("%s: %w", f.modelKey(i), err)
		} else {
			text = fmt.Errorf("%w; %s: %w", text, f.modelKey(i), err)
		}
	}
	chosen := cmp.Or(passing, last)
	joined := &Error{Kind: chosen.Kind, Status: chosen.Status, RetryAfter: chosen.RetryAfter, Err: text}
	for _, err := range failures { // the first one that recovers is worth another attempt
		if e, ok := errors.AsType[*Error](err); ok && e.Retryable() {
			joined.RetryAfter = min(joined.RetryAfter, e.RetryAfter)
		}
	}
	return joined
}
