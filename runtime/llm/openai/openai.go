// Package openai is a model at OpenAI, or at any other endpoint that speaks its
// chat completions protocol: vLLM, the server of llama.cpp, Ollama and many more.
// It has tool calls, structured output and streaming, over the client of
// github.com/sashabaranov/go-openai; [Tools] are for programs that use that client
// themselves.
//
// Its layers, from top to bottom:
//
//	openai, encode                the model, and its requests
//	message, parameters           messages, and parameters that an endpoint may refuse
//	decode, calls, spelled        answers, whole and streamed; calls that came as text
//	provider                      what providers send in addition to the protocol
//	transport, answer, complaint  HTTP, the members of an answer, and errors of endpoints
//	events, lower, outgoing       the lines of a stream; definitions and calls as endpoints accept them
package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"

	"github.com/aiongen/aiongen/runtime/internal/secret"
	"github.com/aiongen/aiongen/runtime/llm"
)

// timeout bounds how long an answer may take, unless [HTTPClient] says otherwise.
const timeout = 10 * time.Minute

// model is a model at an endpoint.
type model struct {
	name      string
	key       secret.Value[string]
	baseURL   secret.Value[string] // may have a password or a key in it
	client    *http.Client
	header    secret.Value[http.Header]
	reasoning bool
	noSchema  bool
	strict    *bool // nil for what is known of the endpoint
	noRetry   bool
	extra     map[string]json.RawMessage
	forget    []string
	noExtra   error // why a member of extra cannot be sent
	refused   refusedParameters
}

// String returns the name of the model and the host of its endpoint.
func (m *model) String() string { return fmt.Sprintf("model %q at %s", m.name, m.endpoint()) }

var (
	_ llm.Model    = (*model)(nil)
	_ llm.Streamer = (*model)(nil)
)

// Option sets up a model.
type Option func(*model)

// Key is the API key. Local endpoints usually need none. Neither errors nor logs show it.
func Key(key string) Option { return func(m *model) { m.key = secret.New(key) } }

// BaseURL is the URL of the endpoint, as in http://127.0.0.1:8000/v1. The default, also
// for "", is OpenAI. A query is sent with all requests. Neither errors nor logs show it,
// or a user in the URL.
func BaseURL(url string) Option {
	return func(m *model) { m.baseURL = secret.New(cmp.Or(url, openAI)) }
}

// Header adds a header to all requests. Neither errors nor logs show its value.
func Header(name, value string) Option {
	return func(m *model) { m.header.Reveal().Add(name, value) }
}

// HTTPClient replaces the client, by default one that gives up after 10 minutes, and
// follows no redirect to another place than that of the endpoint.
func HTTPClient(client *http.Client) Option { return func(m *model) { m.client = client } }

// Reasoning is for models that think before they answer: they take no temperature, and
// their limit on tokens has another name. OpenAI's models, such as o3 and gpt-5, are
// known by their names and do not need this option. A model with another name, such as
// a deployment at Azure, works without it, too: see [New].
func Reasoning() Option { return func(m *model) { m.reasoning = true } }

// NoSchema is for endpoints that take no JSON Schema for the answer: that of a
// request is not sent.
func NoSchema() Option { return func(m *model) { m.noSchema = true } }

// Strict says whether the endpoint shall hold the model to the schemas of tools and
// of the answer, as far as the strict mode knows what they say; see [NewTools]. The
// default is so at OpenAI, and not elsewhere: there it is often not known, and the
// schemas are plainer without.
func Strict(on bool) Option { return func(m *model) { m.strict = &on } }

// Extra adds a member to all requests that do not say it themselves, in
// [llm.Request.Extra]: what endpoints know beside the protocol, as in
// Extra("chat_template_kwargs", map[string]any{"enable_thinking": false}) for vLLM. The
// value is written by encoding/json. Requests fail if that cannot write it, and if
// they have the member already by what else they say.
func Extra(name string, value any) Option {
	return func(m *model) {
		text, err := json.Marshal(value)
		if err != nil && m.noExtra == nil {
			m.noExtra = fmt.Errorf("the extra member %q cannot be written: %w", name, err)
		}
		m.extra[name] = text
	}
}

// Forget names members of messages that are not sent back, as by themselves all are
// that the endpoint sends beside the protocol: for one that refuses what it sent, such
// as reasoning_content.
func Forget(names ...string) Option {
	return func(m *model) { m.forget = append(m.forget, names...) }
}

// NoRetry disables [llm.Retry], which by default sends a request again after a failure
// that may pass. A request that the endpoint refuses because of a parameter is still
// sent again without it, see [New].
func NoRetry() Option { return func(m *model) { m.noRetry = true } }

// New returns the model of the given name. It is an [llm.Streamer], too.
//
// Tools and the schema of the answer are lowered for the endpoint; what the model
// writes is raised again, see [schema.Lower]. A text that is written in another form
// than the schema has comes in one piece, since pieces of it could not be raised. An
// answer of more than 64 MiB is an error.
//
// If the endpoint refuses a request and names the limit on tokens, the temperature,
// top_p or stream_options in its error, the request is sent again without that parameter;
// the limit on tokens is first sent under its other name. Later requests of the model
// leave out what the endpoint does not support.
//
// Only the members of an answer that are needed are decoded; all others may have any
// type. A call that a stream repeats is one call.
func New(name string, options ...Option) llm.Model {
	m := &model{
		name: name, baseURL: secret.New(openAI), client: &http.Client{Timeout: timeout, CheckRedirect: stay},
		header: secret.New(http.Header{}), extra: map[string]json.RawMessage{},
	}
	for _, option := range options {
		option(m)
	}
	if m.noRetry {
		return m
	}
	return llm.Retry{Model: m}
}

const openAI = "https://api.openai.com/v1"

// Name is that which endpoints know the model by.
func (m *model) Name() string { return m.name }

// Generate is [llm.Model]'s.
func (m *model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	request, x, _, err := m.send(ctx, req, false)
	if err != nil {
		return llm.Response{}, err
	}
	return request.decode(*x.document)
}

// Stream is [llm.Streamer]'s.
func (m *model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		request, x, closeBody, err := m.send(ctx, req, true)
		if err != nil {
			yield(llm.Chunk{}, err)
			return
		}
		defer closeBody()
		if x.document != nil {
			yield(request.chunk(*x.document))
			return
		}
		a := assembly{request: request}
		for {
			p, err := x.next()
			if err != nil {
				yield(a.end(x.events.done, x.explainEnd(ctx, err)))
				return
			}
			if err := a.add(p); err != nil {
				yield(llm.Chunk{}, malformed(err))
				return
			}
			if chunk := a.next(); chunk != (llm.Chunk{}) && !yield(chunk, nil) {
				return
			}
		}
	}
}

// send sends a request. If the endpoint refuses it because of a parameter that an
// answer can do without, send sends it again without that parameter. The error is an
// [*llm.Error].
func (m *model) send(ctx context.Context, req llm.Request, stream bool) (*request, *exchange, func(), error) {
	without := m.refused.load()
	for {
		x, err := m.exchange(stream)
		if err != nil {
			return nil, nil, nil, err
		}
		r, err := m.encode(req, stream, without)
		if err != nil {
			return nil, nil, nil, err
		}
		x.body = r.body
		closeBody, err := x.send(ctx, m.name)
		if err == nil {
			m.refused.store(without)
			return r, x, closeBody, nil
		}
		e := x.explain(ctx, err)
		more, again := without.add(x, e, r.optional)
		if !again {
			return nil, nil, nil, e
		}
		without = more
	}
}

// exchange returns what one request needs.
func (m *model) exchange(stream bool) (*exchange, error) {
	base := m.baseURL.Reveal()
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &llm.Error{Kind: llm.BadRequest, Err: fmt.Errorf("the base URL%s is not one such as http://127.0.0.1:8000/v1", quoted(base))}
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

// secrets returns the texts that no error may show: the key, the values of the headers and
// their words, and the password and the query of the base URL. It includes the forms in which
// an endpoint may repeat them.
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

// quoted returns a URL to show, unless it may have a secret in it.
func quoted(url string) string {
	if strings.ContainsAny(url, "@?") {
		return ""
	}
	return fmt.Sprintf(" %q", url)
}

// checkHeaders returns an error for what cannot be sent. It does not show values,
// which may be secret.
func (m *model) checkHeaders() error {
	if !isHeaderValue(m.key.Reveal()) {
		return errors.New("the key has a line break or another control character")
	}
	for name, values := range m.header.Reveal() {
		if strings.Trim(name, tokenChars) != "" || name == "" {
			return fmt.Errorf("%q is no name of a header", name)
		}
		for _, value := range values {
			if !isHeaderValue(value) {
				return fmt.Errorf("the header %s has a line break or another control character", name)
			}
		}
	}
	return nil
}

// tokenChars are the characters that names of headers have (RFC 9110, 5.6.2).
const tokenChars = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func isHeaderValue(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

// explainEnd is explain for the end of a stream, if it was not the end of the answer.
func (x *exchange) explainEnd(ctx context.Context, err error) *llm.Error {
	switch {
	case err == io.EOF && x.events.count == 0:
		return x.unusable(errors.New(x.describe("there is no event in the stream", x.beginning)))
	case err == io.EOF && x.events.done:
		return malformed(errNoChoice)
	case err == io.EOF:
		return &llm.Error{Kind: llm.CutOff, Status: x.status, Err: errors.New("the stream ended before the answer")}
	}
	e := x.explain(ctx, err)
	if e.Kind == llm.Unreachable {
		e.Kind = llm.CutOff
	}
	return e
}
