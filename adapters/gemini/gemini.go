// Package gemini implements [llm.Model] for Google's Gemini models, with the official client
// google.golang.org/genai. Create the client, with an API key or for Vertex AI, and pass it to
// [New]:
//
//	client, err := genai.NewClient(ctx, nil) // with the key in GEMINI_API_KEY
//	if err != nil { … }
//	model := gemini.New(client, "gemini-3-pro-preview")
//
// It supports tool calls, structured output, thinking, images, audio and files, and streaming.
package gemini

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"google.golang.org/genai"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// model is a model at the endpoint of a client.
type model struct {
	name    string
	rules   rules
	client  *genai.Client
	timeout time.Duration // of the client; 0 for none
	noRetry bool
	extra   endpoint.Defaults
	invalid error // why the model cannot be used
}

var (
	_ llm.Model    = (*model)(nil)
	_ llm.Streamer = (*model)(nil)
)

// Option configures a model.
type Option func(*model)

// BaseModel names the model whose rules apply to a model with a custom name, such as a tuned model
// at Vertex AI. The rules determine how thinking is configured and whether calls need signatures.
// Without BaseModel, a model whose name does not begin with gemini and a version is treated like the
// newest models.
func BaseModel(name string) Option { return func(m *model) { m.rules = rulesOf(name) } }

// Extra adds a member to all requests whose [llm.Request.Extra] does not contain it, such as
// Extra("safetySettings", …). The value is encoded by encoding/json. Members of an object that
// the request has too, such as generationConfig, are added to that object. Requests fail if the
// value cannot be encoded, or if they contain the member already.
func Extra(name string, value any) Option {
	return func(m *model) { m.invalid = errors.Join(m.invalid, m.extra.Set(name, value)) }
}

// NoRetry disables [llm.Retry], which by default repeats requests after temporary failures.
func NoRetry() Option { return func(m *model) { m.noRetry = true } }

// New returns the model with the given name, such as gemini-3-pro-preview, or the resource name of
// a model or an endpoint at Vertex AI. It also implements [llm.Streamer].
//
// Credentials, the backend, headers, timeouts, the base URL and additional members of requests are
// those of the client when New is called. Only its retries are not used: [llm.Retry] repeats
// requests instead. Redirects are not followed.
//
// Tools and the schema of the answer are lowered for Gemini, and the output of the model is raised
// again, see [schema.Lower]. A text that needs raising arrives in one chunk. An answer of more than
// 64 MiB is an error.
//
// The effort of a request may be none, minimal, low, medium or high. Unless it is "" or none, the
// model's summaries of its thoughts are requested, too, and become the reasoning of the response.
// Gemini cannot be limited to one call: if a request sets OneCall, only the first call of an
// answer is used. The others are removed, also from the message that later requests send back.
//
// Gemini 3 rejects calls without the signatures of its thoughts. Signatures travel in
// [llm.Message.Provider]. Calls that another model made get the placeholder that Google documents
// for this purpose.
func New(client *genai.Client, name string, options ...Option) llm.Model {
	m := &model{name: name, rules: rulesOf(name), extra: endpoint.Defaults{}}
	for _, option := range options {
		option(m)
	}
	if err := m.setClient(client); err != nil && m.invalid == nil {
		m.invalid = err
	}
	if m.noRetry {
		return m
	}
	return llm.Retry{Model: m}
}

// setClient sets m.client to a client with the same configuration, but with a transport through which the model
// reads the responses itself.
func (m *model) setClient(client *genai.Client) error {
	if client == nil {
		return errors.New("there is no client: create one with genai.NewClient")
	}
	config := client.ClientConfig()
	if config.Backend != genai.BackendVertexAI {
		config.Project, config.Location = "", "" // they came from the environment, and NewClient would reject them
	}
	inner := http.Client{}
	if config.HTTPClient != nil {
		inner = *config.HTTPClient
	}
	m.timeout = inner.Timeout
	if t := config.HTTPOptions.Timeout; t != nil && *t > 0 && (m.timeout == 0 || *t < m.timeout) {
		m.timeout = *t
	}
	inner.Transport = &transport{base: inner.Transport}
	config.HTTPClient = &inner
	own, err := genai.NewClient(context.Background(), &config)
	if err != nil {
		return fmt.Errorf("the client cannot be used: %s", strings.ReplaceAll(err.Error(), cmp.Or(config.APIKey, "\x00"), "[hidden]"))
	}
	m.client = own
	return nil
}

// Name returns the name of the model.
func (m *model) Name() string { return m.name }

// String returns the name of the model and the host of its endpoint.
func (m *model) String() string { return fmt.Sprintf("model %q at %s", m.name, m.endpoint()) }

// endpoint returns the host, which identifies the endpoint.
func (m *model) endpoint() string {
	if m.client == nil {
		return ""
	}
	u, err := url.Parse(m.client.ClientConfig().HTTPOptions.BaseURL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

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
		r, err := m.newRequest(req)
		if err != nil {
			yield(llm.Chunk{}, &llm.Error{Kind: llm.BadRequest, Err: err})
			return
		}
		ctx, cancel := m.withTimeout(ctx)
		defer cancel()
		r.ctx = ctx
		a := assembly{request: r, output: endpoint.Output{Schema: r.schema}}
		defer r.answer.Close()
		stopped, err := a.receive(m.send(r, stream), stream, yield)
		switch {
		case stopped:
		case err != nil:
			yield(llm.Chunk{}, r.answer.Explain(ctx, err))
		default:
			chunk, _ := a.output.LastChunk(a.buildResponse()) // a text that is raised was not emitted before
			yield(chunk, nil)
		}
	}
}

// withTimeout returns a context with the timeout of the client.
func (m *model) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if m.timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, m.timeout)
}

// send sends a request with the client. It does not read the body of the response.
func (m *model) send(r *request, stream bool) (err error) {
	ctx := context.WithValue(r.ctx, requestKey{}, r)
	once, off := int32(1), false
	config := &genai.GenerateContentConfig{
		AutomaticContinuation: &off,
		HTTPOptions: &genai.HTTPOptions{
			RetryOptions:          &genai.HTTPRetryOptions{Attempts: &once},
			ExtrasRequestProvider: m.client.ClientConfig().HTTPOptions.ExtrasRequestProvider, // the client calls only that of the request
		},
	}
	if stream {
		for _, err = range m.client.Models.GenerateContentStream(ctx, m.name, nil, config) {
			break
		}
	} else {
		_, err = m.client.Models.GenerateContent(ctx, m.name, nil, config)
	}
	if errors.Is(err, errReceived) {
		return nil
	}
	if err == nil {
		err = errors.New("the client sent no request")
	}
	return err
}
