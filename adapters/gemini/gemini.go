// Package gemini implements [llm.Model] for Google's Gemini models, with the official client
// google.golang.org/genai. Create the client, with an API key or for Vertex AI, and pass it to
// [New]:
//
//	client, err := genai.NewClient(ctx, nil) // with the key in GEMINI_API_KEY
//	if err != nil { … }
//	model := gemini.New(client, "gemini-3-pro-preview")
//
// The model supports tool calls, structured output, thinking, images, audio, files and streaming.
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
	name      string
	rules     rules
	client    *genai.Client
	timeout   time.Duration // timeout of the client; 0 for none
	noRetry   bool
	extra     endpoint.Defaults
	configErr error // why the model cannot be used
}

var (
	_ llm.Model    = (*model)(nil)
	_ llm.Streamer = (*model)(nil)
)

// Option configures a model.
type Option func(*model)

// BaseModel sets the base model of a model with a custom name, such as a tuned model at Vertex AI. The
// base model determines how thinking is configured, and whether calls need signatures. Without this
// option, a model whose name does not begin with gemini and a version is treated like the newest models.
func BaseModel(name string) Option { return func(m *model) { m.rules = rulesOf(name) } }

// Extra adds a member to all requests, unless [llm.Request.Extra] has a member with this name. An
// example is Extra("safetySettings", …). The value is encoded by encoding/json. If a request already
// contains an object with this name, such as generationConfig, the members of the value are added to
// that object. All requests fail if the value cannot be encoded. A request that already contains a
// member with this name fails, too.
func Extra(name string, value any) Option {
	return func(m *model) { m.configErr = errors.Join(m.configErr, m.extra.Set(name, value)) }
}

// NoRetry disables [llm.Retry], which by default repeats requests after temporary failures.
func NoRetry() Option { return func(m *model) { m.noRetry = true } }

// New returns the model with the given name, such as gemini-3-pro-preview, or the resource name of
// a model or an endpoint at Vertex AI. It also implements [llm.Streamer].
//
// New copies the configuration of the client: credentials, the backend, headers, timeouts, the base URL
// and additional members of requests. It does not use the retries of the client: [llm.Retry] repeats
// requests instead. Redirects are not followed.
//
// The model lowers tools and the schema of the answer for Gemini, see [schema.Lower], and raises its
// output, see [schema.Lowered.Raise]. A text that must be raised arrives in one chunk. An answer of more
// than 64 MiB is an error.
//
// The effort of a request may be none, minimal, low, medium or high. Unless it is "" or none, the
// model also requests summaries of thoughts, which become the reasoning of the response. Gemini cannot
// be limited to one call. If a request sets OneCall, the model removes all calls after the first one
// from the answer, and from the message that later requests send back.
//
// Gemini 3 rejects calls without the signatures of its thoughts, which are stored in
// [llm.Message.Provider]. Calls that another model made are sent with a placeholder, which Google
// documents for this purpose.
func New(client *genai.Client, name string, options ...Option) llm.Model {
	m := &model{name: name, rules: rulesOf(name), extra: endpoint.Defaults{}}
	for _, option := range options {
		option(m)
	}
	if err := m.setClient(client); err != nil && m.configErr == nil {
		m.configErr = err
	}
	if m.noRetry {
		return m
	}
	return llm.Retry{Model: m}
}

// setClient sets m.client to a copy of the client. The transport of the copy passes responses directly to the model.
func (m *model) setClient(client *genai.Client) error {
	if client == nil {
		return errors.New("there is no client: create one with genai.NewClient")
	}
	config := client.ClientConfig()
	if config.Backend != genai.BackendVertexAI {
		config.Project, config.Location = "", "" // NewClient has read them from the environment, but rejects them as configuration
	}
	httpClient := http.Client{}
	if config.HTTPClient != nil {
		httpClient = *config.HTTPClient
	}
	m.timeout = httpClient.Timeout
	if t := config.HTTPOptions.Timeout; t != nil && *t > 0 && (m.timeout == 0 || *t < m.timeout) {
		m.timeout = *t
	}
	httpClient.Transport = &transport{base: httpClient.Transport}
	config.HTTPClient = &httpClient
	modelClient, err := genai.NewClient(context.Background(), &config)
	if err != nil {
		return fmt.Errorf("the client cannot be used: %s", strings.ReplaceAll(err.Error(), cmp.Or(config.APIKey, "\x00"), "[hidden]"))
	}
	m.client = modelClient
	return nil
}

// Name returns the name of the model.
func (m *model) Name() string { return m.name }

// String returns the name of the model and the host of its endpoint.
func (m *model) String() string { return fmt.Sprintf("model %q at %s", m.name, m.endpoint()) }

// endpoint returns the host in lower case, which identifies the endpoint.
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
			chunk, _ := a.output.LastChunk(a.buildResponse()) // the response always begins with the earlier chunks
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
	attempts, continuation := int32(1), false
	config := &genai.GenerateContentConfig{
		AutomaticContinuation: &continuation,
		HTTPOptions: &genai.HTTPOptions{
			RetryOptions:          &genai.HTTPRetryOptions{Attempts: &attempts},
			ExtrasRequestProvider: m.client.ClientConfig().HTTPOptions.ExtrasRequestProvider, // the options of a request hide those of the client
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
