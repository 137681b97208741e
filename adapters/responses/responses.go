// Package responses implements [llm.Model] for the Responses API of OpenAI, with the client
// github.com/openai/openai-go/v3. Create the client with its own options, and a model with [New]:
//
//	client := openai.NewClient() // with the key in OPENAI_API_KEY
//	model := responses.New(client, "gpt-5")
//
// The options of the client, such as those of its packages azure and bedrock, apply to all
// requests of the model.
//
// OpenAI does not store the dialogue: each request contains all of it, including the original
// items of earlier answers with their encrypted reasoning.
package responses

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
	"github.com/aiongen/aiongen/runtime/schema"
)

// model is a model at an endpoint.
type model struct {
	client    openai.Client
	name      string
	strict    schema.Target // target of the strict mode; "" if it is not used
	summary   string
	noRetry   bool
	extra     endpoint.Defaults
	configErr error // error of encoding a member of extra
	refused   endpoint.RefusedParameters
}

var (
	_ llm.Model    = (*model)(nil)
	_ llm.Streamer = (*model)(nil)
)

// Option configures a model.
type Option func(*model)

// Extra adds a member to all requests, unless [llm.Request.Extra] has a member with this name. An
// example is Extra("prompt_cache_key", "help-desk"). If a request already contains the object text or
// reasoning, the members of the value are added to that object, as in
// Extra("text", map[string]any{"verbosity": "low"}). The value is encoded by encoding/json. All
// requests fail if it cannot be encoded. Requests also fail if the package itself sets the member, unless
// it is text or reasoning.
func Extra(name string, value any) Option {
	return func(m *model) { m.configErr = errors.Join(m.configErr, m.extra.Set(name, value)) }
}

// Summary requests summaries of the reasoning, which become [llm.Response.Reasoning]. The detail is
// auto, concise or detailed. By default, the API sends no summaries.
func Summary(detail string) Option { return func(m *model) { m.summary = detail } }

// NoStrict disables the strict mode, for endpoints that do not support it. By default, the schema of a tool
// or answer is sent in strict mode if that mode can express all of it.
func NoStrict() Option { return func(m *model) { m.strict = "" } }

// NoRetry disables [llm.Retry], which by default repeats requests after temporary failures.
func NoRetry() Option { return func(m *model) { m.noRetry = true } }

// New returns the model with the given name. It also implements [llm.Streamer]. The retries of the
// client are not used, because [llm.Retry] repeats requests. An answer of more than 64 MiB is an error.
//
// Requests with Stop or Seed fail, because the API does not support them.
//
// If the endpoint reports that it does not support the temperature, top_p, encrypted reasoning,
// summaries of the reasoning or schemas of results, the model sends the request again without this
// parameter. Later requests omit parameters that the endpoint does not support.
func New(client openai.Client, name string, options ...Option) llm.Model {
	m := &model{client: client, name: name, strict: schema.OpenAIStrict, extra: endpoint.Defaults{}}
	for _, option := range options {
		option(m)
	}
	if m.noRetry {
		return m
	}
	return llm.Retry{Model: m}
}

// Name returns the name of the model.
func (m *model) Name() string { return m.name }

// String returns the name of the model. It does not show the client, which contains a key.
func (m *model) String() string { return fmt.Sprintf("model %q", m.name) }

// GoString returns the same as String.
func (m *model) GoString() string { return m.String() }

// Generate implements [llm.Model].
func (m *model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	return endpoint.Last(m.answer(ctx, req, false))
}

// Stream implements [llm.Streamer].
func (m *model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return m.answer(ctx, req, true)
}

// answer sends a request and reads its answer.
func (m *model) answer(ctx context.Context, req llm.Request, stream bool) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		r, err := m.sendRequest(ctx, req, stream)
		if err != nil {
			yield(llm.Chunk{}, err)
			return
		}
		defer r.answer.Close()
		if stream && r.answer.IsStream() {
			r.readStream(ctx, yield)
			return
		}
		response, err := r.readDocument(ctx)
		if err != nil {
			yield(llm.Chunk{}, err)
			return
		}
		yield(llm.Chunk{Text: response.Text, Reasoning: response.Reasoning, Response: &response}, nil)
	}
}

// sendRequest sends a request. If the endpoint rejects optional parameters, it sends the request again
// without them. The error is an [*llm.Error].
func (m *model) sendRequest(ctx context.Context, req llm.Request, stream bool) (*request, error) {
	omit := m.refused.Load()
	host := lastEndpoint(req.Messages)
	for {
		r, err := m.newRequest(req, stream, host, omit)
		if err != nil {
			return nil, &llm.Error{Kind: llm.BadRequest, Err: err}
		}
		err = r.send(ctx, &m.client)
		if err == nil && !r.answer.Failed() {
			m.refused.Store(omit)
			return r, nil
		}
		if errors.Is(err, errOtherHost) {
			host = r.answer.Host // the next attempt omits items of other endpoints
			continue
		}
		report, e := r.explainError(ctx, err)
		if !addRefused(omit, report, r) {
			return nil, e
		}
	}
}

var errOtherHost = errors.New("the request has items of another endpoint")

// send sends the request. It does not read the body of the response.
func (r *request) send(ctx context.Context, client *openai.Client) error {
	var response *http.Response
	return client.Post(ctx, "responses", r.body, &response, option.WithMaxRetries(0),
		option.WithMiddleware(func(sent *http.Request, next option.MiddlewareNext) (*http.Response, error) {
			if r.answer.Host = endpoint.HostOf(sent); r.itemsOf != "" && r.itemsOf != r.answer.Host {
				return nil, errOtherHost
			}
			return r.answer.Send(sent, next)
		}))
}

// explainError returns the error for a failed request, and the report of the endpoint, which may be empty.
func (r *request) explainError(ctx context.Context, err error) (errorReport, *llm.Error) {
	defer r.answer.Close()
	if !r.answer.Failed() {
		return errorReport{}, r.answer.Explain(ctx, err)
	}
	body, _ := r.answer.ReadAll() // an incomplete report is still useful
	report := parseReport(body)
	return report, r.newError(report)
}
