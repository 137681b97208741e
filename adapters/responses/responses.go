// Package responses implements [llm.Model] for the Responses API of OpenAI, on top of the client
// of github.com/openai/openai-go/v3. Create the client with its own options, and a model with
// [New]:
//
//	client := openai.NewClient() // with the key in OPENAI_API_KEY
//	model := responses.New(client, "gpt-5")
//
// The options of the client, such as those of its packages azure and bedrock, apply to all
// requests of the model.
//
// No state is stored at OpenAI: each request contains the whole dialogue, with the encrypted
// reasoning and all other items of earlier answers exactly as they arrived.
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
	client  openai.Client
	name    string
	strict  schema.Target // "" if schemas are not enforced
	summary string
	noRetry bool
	extra   endpoint.Defaults
	invalid error // why a member of extra cannot be encoded
	refused endpoint.RefusedParameters
}

var (
	_ llm.Model    = (*model)(nil)
	_ llm.Streamer = (*model)(nil)
)

// Option configures a model.
type Option func(*model)

// Extra adds a member to all requests whose [llm.Request.Extra] does not contain it, such as
// Extra("prompt_cache_key", "help-desk"). The members of the objects text and reasoning are added
// to those that the request has, as in Extra("text", map[string]any{"verbosity": "low"}). The
// value is encoded by encoding/json. Requests fail if it cannot be encoded, or if they contain the
// member already.
func Extra(name string, value any) Option {
	return func(m *model) { m.invalid = errors.Join(m.invalid, m.extra.Set(name, value)) }
}

// Summary requests summaries of the reasoning, which become [llm.Response.Reasoning]: auto, concise
// or detailed. By default, the API sends none.
func Summary(detail string) Option { return func(m *model) { m.summary = detail } }

// NoStrict configures an endpoint that does not enforce schemas. By default, the strict mode is
// used for the schema of each tool, and of the answer, for which it loses nothing.
func NoStrict() Option { return func(m *model) { m.strict = "" } }

// NoRetry disables [llm.Retry], which by default repeats requests after temporary failures.
func NoRetry() Option { return func(m *model) { m.noRetry = true } }

// New returns the model with the given name. It also implements [llm.Streamer]. The retries of the
// client itself are not used, because [llm.Retry] repeats requests. An answer of more than 64 MiB is
// an error.
//
// A request with Stop or Seed is an error, because the API has neither.
//
// If the endpoint rejects a request and names the temperature, top_p, the encrypted reasoning, the
// summary of the reasoning or the schema of results as unsupported, the request is sent again
// without it. Later requests of the model leave out what the endpoint does not support.
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

// String returns the name of the model. The client, which has a key, is not shown.
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

// sendRequest sends a request, and sends it again without optional parameters that the endpoint
// rejects. The error is an [*llm.Error].
func (m *model) sendRequest(ctx context.Context, req llm.Request, stream bool) (*request, error) {
	without := m.refused.Load()
	host := lastEndpoint(req.Messages)
	for {
		r, err := m.newRequest(req, stream, host, without)
		if err != nil {
			return nil, &llm.Error{Kind: llm.BadRequest, Err: err}
		}
		err = r.send(ctx, &m.client)
		if err == nil && !r.answer.Failed() {
			m.refused.Store(without)
			return r, nil
		}
		if errors.Is(err, errOtherHost) {
			host = r.answer.Host // and items of other endpoints are left out
			continue
		}
		report, e := r.explainError(ctx, err)
		more, again := addRefused(without, report, r)
		if !again {
			return nil, e
		}
		without = more
	}
}

var errOtherHost = errors.New("the request has items of another endpoint")

// send sends the request. The body of the response is not read yet.
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

// explainError returns what the endpoint reports, if anything, and the error for a failed request.
func (r *request) explainError(ctx context.Context, err error) (errorReport, *llm.Error) {
	defer r.answer.Close()
	if !r.answer.Failed() {
		return errorReport{}, r.answer.Explain(ctx, err)
	}
	body, _ := r.answer.ReadAll() // what can be read of the report is enough
	report := parseReport(body)
	return report, r.newError(report)
}
