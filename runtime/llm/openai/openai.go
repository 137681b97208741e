// Package openai implements [llm.Model] for OpenAI and every other endpoint that speaks the
// chat completions protocol, such as vLLM, the server of llama.cpp, and Ollama. Create a model
// with [New]:
//
//	model := openai.New("gpt-4.1") // at OpenAI, with the key in OPENAI_API_KEY
//	model := openai.New("qwen3", openai.BaseURL("http://127.0.0.1:11434/v1"))
//
// It supports tool calls, structured output and streaming. [Tools] are for programs that use the
// client of github.com/sashabaranov/go-openai themselves.
package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/internal/secret"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// timeout limits the time of an answer, unless [HTTPClient] replaces the client.
const timeout = 10 * time.Minute

// model is a model at an endpoint.
type model struct {
	name      string
	key       secret.Value[string]
	baseURL   secret.Value[string] // may contain a password or a key
	client    *http.Client
	header    secret.Value[http.Header]
	reasoning bool
	noSchema  bool
	strict    *bool // nil is the default of the endpoint
	noRetry   bool
	extra     endpoint.Defaults
	forget    []string
	noExtra   error // why a member of extra cannot be encoded
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

// Key sets the API key. The default, also for "", is the environment variable OPENAI_API_KEY at
// OpenAI, and no key at other endpoints. The key appears neither in errors nor in logs.
func Key(key string) Option { return func(m *model) { m.key = secret.New(key) } }

// BaseURL sets the URL of the endpoint, such as http://127.0.0.1:8000/v1. The default, also for
// "", is OpenAI. A query is sent with all requests. Neither the query nor user information in the
// URL appears in errors or logs.
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

// Reasoning configures the model for reasoning before answers: no temperature is sent, even if a
// request has one, and the token limit has another name. OpenAI's models, such as o3 and gpt-5, are recognized by name.
// Models with other names, such as a deployment at Azure, also work without this option: see
// [New].
func Reasoning() Option { return func(m *model) { m.reasoning = true } }

// NoSchema disables sending the JSON Schema of the answer, for endpoints that do not support it.
func NoSchema() Option { return func(m *model) { m.noSchema = true } }

// Strict sets whether the endpoint enforces the schemas of tools and of the answer, as far as the
// strict mode supports them; see [NewTools]. It is the default only at OpenAI: other endpoints
// often do not support it, and schemas are simpler without it.
func Strict(on bool) Option { return func(m *model) { m.strict = &on } }

// Extra adds a member to all requests whose [llm.Request.Extra] does not contain it. Use it for
// extensions of an endpoint, such as Extra("chat_template_kwargs",
// map[string]any{"enable_thinking": false}) for vLLM. The value is encoded by encoding/json.
// Requests fail if it cannot be encoded, or if they contain the member already.
func Extra(name string, value any) Option {
	return func(m *model) { m.noExtra = cmp.Or(m.noExtra, m.extra.Set(name, value)) }
}

// Forget lists members of messages that are not sent back to an endpoint which rejects them
// although it sent them, such as reasoning_content. By default, all additional members are sent
// back.
func Forget(names ...string) Option {
	return func(m *model) { m.forget = append(m.forget, names...) }
}

// NoRetry disables [llm.Retry], which by default repeats requests after temporary failures. A
// request that the endpoint rejects because of a parameter is still repeated without it, see
// [New].
func NoRetry() Option { return func(m *model) { m.noRetry = true } }

// New returns the model with the given name. It also implements [llm.Streamer].
//
// Tools and the schema of the answer are lowered for the endpoint, and the output of the model is
// raised again, see [schema.Lower]. A text that needs raising arrives in one chunk. An answer of
// more than 64 MiB is an error.
//
// If the endpoint rejects a request and names the token limit, the temperature, top_p or
// stream_options in its error, the request is sent again without that parameter; the token limit
// is first sent under its other name. Later requests of the model leave out what the endpoint
// does not support.
//
// Only the needed members of an answer are decoded; all others may have any type. A call that a
// stream repeats is one call.
func New(name string, options ...Option) llm.Model {
	m := &model{
		name: name, baseURL: secret.New(openAI), client: &http.Client{Timeout: timeout, CheckRedirect: endpoint.RefuseRedirect},
		header: secret.New(http.Header{}), extra: endpoint.Defaults{},
	}
	for _, option := range options {
		option(m)
	}
	if m.key.Reveal() == "" && m.isOpenAI() && m.isEncrypted() {
		m.key = secret.New(os.Getenv("OPENAI_API_KEY"))
	}
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
	request, x, _, err := m.sendRequest(ctx, req, false)
	if err != nil {
		return llm.Response{}, err
	}
	return request.decodeResponse(*x.document)
}

// Stream implements [llm.Streamer].
func (m *model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		request, x, closeBody, err := m.sendRequest(ctx, req, true)
		if err != nil {
			yield(llm.Chunk{}, err)
			return
		}
		defer closeBody()
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

// sendRequest sends a request, and sends it again without optional parameters that the endpoint
// rejects. The error is an [*llm.Error].
func (m *model) sendRequest(ctx context.Context, req llm.Request, stream bool) (*request, *exchange, func(), error) {
	without := m.refused.Load()
	for {
		x, err := m.newExchange(stream)
		if err != nil {
			return nil, nil, nil, err
		}
		r, err := m.encodeRequest(req, stream, without)
		if err != nil {
			return nil, nil, nil, err
		}
		x.body = r.body
		closeBody, err := x.sendRequest(ctx, m.name)
		if err == nil {
			m.refused.Store(without)
			return r, x, closeBody, nil
		}
		e := x.explainError(ctx, err)
		more, again := addRefused(without, x, e, r.optional)
		if !again {
			return nil, nil, nil, e
		}
		without = more
	}
}

// newExchange prepares the sending of a request.
func (m *model) newExchange(stream bool) (*exchange, error) {
	base := m.baseURL.Reveal()
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &llm.Error{Kind: llm.BadRequest, Err: fmt.Errorf("invalid base URL%s, expected one such as http://127.0.0.1:8000/v1", quoteURL(base))}
	}
	if err := cmp.Or(m.checkHeaders(), m.noExtra); err != nil {
		return nil, &llm.Error{Kind: llm.BadRequest, Err: err}
	}
	x := &exchange{http: m.client, header: m.header.Reveal(), query: u.RawQuery, secrets: m.secrets(u), stream: stream}
	u.RawQuery, u.ForceQuery, u.Fragment = "", false, ""
	config := openai.DefaultConfig(m.key.Reveal())
	config.BaseURL = u.String()
	config.HTTPClient = x
	x.client = openai.NewClientWithConfig(config)
	return x, nil
}

// secrets returns the texts that no error may show: the key, the values of the headers and their
// words, and the password and the query of the base URL. It includes the forms in which an
// endpoint may repeat them.
func (m *model) secrets(base *url.URL) []string {
	secrets := []string{m.key.Reveal(), base.RawQuery}
	if password, ok := base.User.Password(); ok {
		secrets = append(secrets, password, base.User.String(), base.User.Username()+":"+password)
	}
	for _, values := range base.Query() {
		secrets = append(secrets, values...)
	}
	for _, values := range m.header.Reveal() {
		for _, value := range values {
			secrets = append(append(secrets, value), strings.Fields(value)...)
		}
	}
	return secret.Forms(secrets...)
}

// quoteURL returns a URL for an error, unless it may contain a secret.
func quoteURL(url string) string {
	if strings.ContainsAny(url, "@?") {
		return ""
	}
	return fmt.Sprintf(" %q", url)
}

// checkHeaders returns an error for invalid headers. It does not show values, which may be
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

// explainEnd returns the error for a stream that ended prematurely.
func (x *exchange) explainEnd(ctx context.Context, err error) *llm.Error {
	switch {
	case errors.Is(err, io.EOF) && x.events.Count == 0:
		return x.unusableAnswer(errors.New(x.describeAnswer("there is no event in the stream", x.beginning)))
	case errors.Is(err, io.EOF) && x.events.Done:
		return malformedError(errNoChoice)
	case errors.Is(err, io.EOF):
		return &llm.Error{Kind: llm.CutOff, Status: x.status, Err: errors.New("the stream ended before the answer was complete")}
	}
	e := x.explainError(ctx, err)
	if e.Kind == llm.Unreachable {
		e.Kind = llm.CutOff
	}
	return e
}
