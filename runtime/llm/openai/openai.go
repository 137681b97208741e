// Package openai implements [llm.Model] for OpenAI and every other endpoint that speaks the
// chat completions protocol, such as vLLM, the server of llama.cpp, and Ollama. Create a model
// with [New]:
//
//	model := openai.New("gpt-4.1") // at OpenAI, with the key in OPENAI_API_KEY
//	model := openai.New("qwen3", openai.BaseURL("http://127.0.0.1:11434/v1"))
//
// The model supports tool calls, structured output and streaming. [Tools] is for programs that use
// the client github.com/sashabaranov/go-openai directly.
package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/secret"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// timeout limits the duration of a request, unless [HTTPClient] replaces the client.
const timeout = 10 * time.Minute

// model is a model at an endpoint.
type model struct {
	name      string
	key       secret.Value[string]
	baseURL   secret.Value[string]   // may contain a password or a key
	base      secret.Value[*url.URL] // baseURL, as far as it can be parsed
	client    *http.Client
	header    secret.Value[http.Header]
	reasoning bool
	noSchema  bool
	strict    *bool // nil is the default of the endpoint
	noRetry   bool
	extra     endpoint.Defaults
	omitted   []string
	configErr error // why the model cannot be used
	refused   endpoint.RefusedParameters
}

// String returns the name of the model and the host of its endpoint.
func (m *model) String() string { return fmt.Sprintf("model %q at %s", m.name, m.endpoint()) }

var (
	_ llm.Model    = (*model)(nil)
	_ llm.Streamer = (*model)(nil)
)

// Option configures a model.
type Option func(*model)

// Key sets the API key. Without a key, or if it is "", requests to OpenAI use the environment
// variable OPENAI_API_KEY, and requests to other endpoints have no key. The key appears neither in
// errors nor in logs.
func Key(key string) Option { return func(m *model) { m.key = secret.New(key) } }

// BaseURL sets the URL of the endpoint, such as http://127.0.0.1:8000/v1. The default, which "" also
// selects, is OpenAI. A query in the URL is sent with all requests. Neither the query nor user
// information in the URL appears in errors or logs.
func BaseURL(url string) Option {
	return func(m *model) { m.baseURL = secret.New(cmp.Or(url, openAI)) }
}

// Header adds a header to all requests. Its value appears neither in errors nor in logs.
func Header(name, value string) Option {
	return func(m *model) { m.header.Reveal().Add(name, value) }
}

// HTTPClient replaces the HTTP client. The default client times out after 10 minutes, and follows
// redirects only to the same host.
func HTTPClient(client *http.Client) Option { return func(m *model) { m.client = client } }

// Reasoning states that the model reasons before it answers. Requests then have no temperature, and
// use max_completion_tokens instead of max_tokens. The option is not required: OpenAI's models, such
// as o3 and gpt-5, are recognized by name, and for others, such as a deployment at Azure, a rejected
// request is adapted and repeated; see [New].
func Reasoning() Option { return func(m *model) { m.reasoning = true } }

// NoSchema disables sending the JSON Schema of the answer, for endpoints that do not support it.
func NoSchema() Option { return func(m *model) { m.noSchema = true } }

// Strict sets whether the endpoint enforces the schemas of tools and of the answer in its strict
// mode, for each schema that this mode supports; see [NewTools]. The default is true at OpenAI and
// false at other endpoints, many of which do not support it.
func Strict(on bool) Option { return func(m *model) { m.strict = &on } }

// Extra adds a member to all requests, unless [llm.Request.Extra] has a member with this name. Use
// it for extensions of an endpoint, such as Extra("chat_template_kwargs",
// map[string]any{"enable_thinking": false}) for vLLM. The value is encoded by encoding/json. All
// requests fail if it cannot be encoded. A request that already contains the member fails, too.
func Extra(name string, value any) Option {
	return func(m *model) { m.configErr = cmp.Or(m.configErr, m.extra.Set(name, value)) }
}

// Forget names additional members of messages, such as reasoning_content, that are not sent back to
// the endpoint. Use it if an endpoint rejects members that it sent itself. By default, all additional
// members are sent back.
func Forget(names ...string) Option {
	return func(m *model) { m.omitted = append(m.omitted, names...) }
}

// NoRetry disables [llm.Retry], which by default repeats requests after temporary failures. A
// request that the endpoint rejects because of an optional parameter is still repeated without that
// parameter; see [New].
func NoRetry() Option { return func(m *model) { m.noRetry = true } }

// New returns the model with the given name. It also implements [llm.Streamer].
//
// The model lowers tools and the schema of the answer for the endpoint, see [schema.Lower], and raises
// its output, see [schema.Lowered.Raise]. A text that must be raised arrives in one chunk. An answer of
// more than 64 MiB is an error.
//
// If the endpoint rejects a request with an error that mentions the temperature, top_p or
// stream_options, the model sends the request again without this parameter. If the error mentions
// the token limit, the model first tries the other name of that parameter. Later requests omit
// parameters that the endpoint does not support.
//
// The model decodes only the members of an answer that it needs; other members may have any type.
// If a stream repeats a call, the answer contains it once.
func New(name string, options ...Option) llm.Model {
	m := &model{
		name: name, baseURL: secret.New(openAI), client: &http.Client{Timeout: timeout, CheckRedirect: endpoint.RefuseRedirect},
		header: secret.New(http.Header{}), extra: endpoint.Defaults{},
	}
	for _, option := range options {
		option(m)
	}
	base, err := parseBaseURL(m.baseURL.Reveal())
	m.base = secret.New(base)
	if m.key.Reveal() == "" && m.isOpenAI() && base.Scheme == "https" {
		m.key = secret.New(os.Getenv("OPENAI_API_KEY"))
	}
	m.configErr = cmp.Or(err, m.checkHeaders(), m.configErr)
	if m.noRetry {
		return m
	}
	return llm.Retry{Model: m}
}

const openAI = "https://api.openai.com/v1"

// Name returns the name of the model.
func (m *model) Name() string { return m.name }

// Generate implements [llm.Model].
func (m *model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	request, x, err := m.sendRequest(ctx, req, false)
	if err != nil {
		return llm.Response{}, err
	}
	defer x.answer.Close()
	return request.decodeResponse(*x.document)
}

// Stream implements [llm.Streamer].
func (m *model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		request, x, err := m.sendRequest(ctx, req, true)
		if err != nil {
			yield(llm.Chunk{}, err)
			return
		}
		defer x.answer.Close()
		if x.document != nil {
			yield(request.decodeChunk(*x.document))
			return
		}
		a := assembly{request: request}
		for {
			p, err := x.nextPiece()
			if err != nil {
				yield(a.finishAnswer(x.events.Done, x.explainEnd(ctx, err)))
				return
			}
			if err := a.addPiece(p); err != nil {
				yield(llm.Chunk{}, malformedError(err))
				return
			}
			if chunk := a.nextChunk(); chunk != (llm.Chunk{}) && !yield(chunk, nil) {
				return
			}
		}
	}
}

// sendRequest sends a request. If the endpoint rejects optional parameters, it sends the request
// again without them. The caller must close the answer. The error is an [*llm.Error].
func (m *model) sendRequest(ctx context.Context, req llm.Request, stream bool) (*request, *exchange, error) {
	if m.configErr != nil {
		return nil, nil, &llm.Error{Kind: llm.BadRequest, Err: m.configErr}
	}
	omit := m.refused.Load()
	for {
		r, body, err := m.encodeRequest(req, stream, omit)
		if err != nil {
			return nil, nil, err
		}
		x := &exchange{model: m, body: body, stream: stream}
		if err = x.sendRequest(ctx); err == nil {
			m.refused.Store(omit)
			return r, x, nil
		}
		x.answer.Close()
		e := x.explainError(ctx, err)
		if !addRefused(omit, x, e, r.optional) {
			return nil, nil, e
		}
	}
}

// parseBaseURL parses the URL of an endpoint. If the URL is invalid, it returns an error that does not show
// secrets, and what it could parse.
func parseBaseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		u = new(url.URL)
	}
	if u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		return u, nil
	}
	shown := ""
	if !strings.ContainsAny(text, "@?") {
		shown = fmt.Sprintf(" %q", text)
	}
	return u, fmt.Errorf("invalid base URL%s, expected one such as http://127.0.0.1:8000/v1", shown)
}

// checkHeaders checks the key and the headers. Its errors do not show values, because these may be
// secret.
func (m *model) checkHeaders() error {
	if !isHeaderValue(m.key.Reveal()) {
		return errors.New("the key has a line break or another control character")
	}
	for name, values := range m.header.Reveal() {
		if strings.Trim(name, tokenChars) != "" || name == "" {
			return fmt.Errorf("invalid header name %q", name)
		}
		for _, value := range values {
			if !isHeaderValue(value) {
				return fmt.Errorf("the header %s has a line break or another control character", name)
			}
		}
	}
	return nil
}

// tokenChars are the valid characters of header names (RFC 9110, 5.6.2).
const tokenChars = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func isHeaderValue(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}
