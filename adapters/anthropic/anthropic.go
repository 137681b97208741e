// Package anthropic implements [llm.Model] for the Messages API of Anthropic. Create a client with
// the SDK github.com/anthropics/anthropic-sdk-go, and a model with [New]:
//
//	client := sdk.NewClient() // with the key in ANTHROPIC_API_KEY
//	model := anthropic.New(client, "claude-sonnet-5-5")
//
// Set credentials, proxies and the URL of the endpoint with the options of the client. The packages
// bedrock, vertex and others of the SDK provide options for the platforms of other vendors.
//
// The model supports tool calls, images, PDF documents, structured output, thinking, prompt caching
// and streaming.
package anthropic

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"sync"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

const (
	maxPauses = 10 // maximum number of pauses in one answer

	// longestDocument is the largest token limit of a request that is not streamed. A longer answer may
	// take more than 10 minutes, and networks close idle connections.
	longestDocument = 21_333
)

// model is a model at an endpoint.
type model struct {
	client      sdk.Client
	name        string
	traits      traits
	maxTokens   int
	strict      bool
	noCache     bool
	noRetry     bool
	serverTools []json.RawMessage
	configErr   error // error of encoding a server tool
}

// String returns the name of the model.
func (m *model) String() string { return fmt.Sprintf("model %q of Anthropic", m.name) }

var (
	_ llm.Model    = (*model)(nil)
	_ llm.Streamer = (*model)(nil)
)

// Option configures a model.
type Option func(*model)

// MaxTokens sets the token limit of requests that have none, because the API requires a limit. The
// default is 64,000 for Claude 4.6 and later, and 32,000 for older models and unknown names.
func MaxTokens(limit int) Option { return func(m *model) { m.maxTokens = limit } }

// Strict makes the API enforce the schemas of up to 20 tools. It applies to tools whose schemas lose
// nothing in the strict mode; see [schema.AnthropicStrict]. The API compiles new schemas first, which
// delays the first answer.
//
// [schema.AnthropicStrict]: https://pkg.go.dev/github.com/aiongen/aiongen/runtime/schema#AnthropicStrict
func Strict() Option { return func(m *model) { m.strict = true } }

// NoCache disables prompt caching. By default, requests mark the tools, the system prompt and the last
// message of the user for the cache.
func NoCache() Option { return func(m *model) { m.noCache = true } }

// NoRetry disables [llm.Retry], which by default repeats requests after temporary failures. The
// retries of the SDK are always disabled.
func NoRetry() Option { return func(m *model) { m.noRetry = true } }

// ServerTools adds tools that Anthropic executes, such as web search, before the tools of each request.
// [llm.Response.Calls] does not contain their calls. [llm.Response.Provider] contains their calls and
// results, which are sent back with the message.
func ServerTools(tools ...sdk.ToolUnionParam) Option {
	return func(m *model) {
		for _, t := range tools {
			text, err := json.Marshal(t)
			if err != nil && m.configErr == nil {
				m.configErr = fmt.Errorf("a server tool cannot be encoded: %w", err)
			}
			m.serverTools = append(m.serverTools, text)
		}
	}
}

// New returns the model with the given name. It also implements [llm.Streamer].
//
// [llm.Request.Effort] is an effort of the API, or "none" to disable thinking. Models before Claude 4.6
// do not support efforts. For these, the effort selects a thinking budget: 2,048 tokens for low, 8,192
// for medium, 16,384 for high, and 32,768 for xhigh and max. If the effort is "", the API's default
// applies.
//
// Temperature and TopP are omitted if the model would reject them: Claude 4.7 and later always do, and
// older models do while thinking is enabled. Requests with Seed, or with parts that the API does not
// accept, fail with an error of the kind [llm.BadRequest].
//
// The model sends tools in the order in which they were first offered in a dialogue, followed by new
// tools, so that the prompt cache remains valid.
//
// If the API pauses a long turn, the model continues it and returns the whole answer. Requests with a
// token limit above 21,333 are streamed even by Generate. An answer of more than 64 MiB is an error.
// Redirects to other hosts are refused, unless the client has its own HTTP client.
func New(client sdk.Client, name string, options ...Option) llm.Model {
	// Insert the HTTP client after the default of the SDK, which is the first option, and before the options of the user.
	client.Options = slices.Insert(slices.Clone(client.Options), min(1, len(client.Options)), option.WithHTTPClient(httpClient()))
	m := &model{client: client, name: name, traits: traitsOf(name)}
	m.maxTokens = m.traits.maxTokens
	for _, o := range options {
		o(m)
	}
	if m.noRetry {
		return m
	}
	return llm.Retry{Model: m}
}

// answerTimeout limits the time until the beginning of an answer, unless the client has its own HTTP
// client.
const answerTimeout = 10 * time.Minute

// httpClient returns the shared HTTP client of models whose client has no HTTP client. It refuses
// redirects to other hosts, which would receive the key.
var httpClient = sync.OnceValue(func() *http.Client {
	transport := http.DefaultTransport
	if t, ok := transport.(*http.Transport); ok {
		t = t.Clone()
		t.ResponseHeaderTimeout = answerTimeout
		transport = t
	}
	return &http.Client{Transport: transport, CheckRedirect: endpoint.RefuseRedirect}
})

// Name returns the name of the model.
func (m *model) Name() string { return m.name }

// Generate implements [llm.Model].
func (m *model) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	return endpoint.Last(m.answer(ctx, req, false))
}

// Stream implements [llm.Streamer].
func (m *model) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return m.answer(ctx, req, true)
}

// answer sends a request and yields its answer. If the API pauses the answer, it sends further requests.
func (m *model) answer(ctx context.Context, req llm.Request, stream bool) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		r, err := m.newRequest(req)
		if err != nil {
			yield(llm.Chunk{}, &llm.Error{Kind: llm.BadRequest, Err: err})
			return
		}
		r.streamed = stream || r.maxTokens > longestDocument
		a := &assembly{request: r, output: endpoint.Output{Schema: r.schema}}
		for pauses := 0; ; pauses++ {
			body, err := r.encode(a.content())
			if err != nil {
				yield(llm.Chunk{}, &llm.Error{Kind: llm.BadRequest, Err: err})
				return
			}
			if !m.receive(ctx, body, a, yield) {
				return
			}
			if a.stop != pauseTurn || pauses == maxPauses {
				yield(a.lastChunk(), nil)
				return
			}
		}
	}
}

// receive sends one request and adds its answer to a. It yields chunks, or the error of the request. It
// returns false if the sequence has ended.
func (m *model) receive(ctx context.Context, body []byte, a *assembly, yield func(llm.Chunk, error) bool) bool {
	a.begin()
	var response *http.Response
	err := m.client.Post(ctx, "v1/messages", body, &response, option.WithMaxRetries(0),
		option.WithMiddleware(func(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
			return a.answer.Send(r, next)
		}))
	defer a.answer.Close()
	switch {
	case a.answer.Failed():
		report, _ := a.answer.ReadAll() // an incomplete report is still useful
		err = reportedError(&a.answer, report)
	case err != nil:
	case a.request.streamed && a.answer.IsStream():
		var stopped bool
		if stopped, err = a.readEvents(yield); stopped {
			return false
		}
	default:
		err = a.addDocument()
	}
	if err != nil {
		yield(llm.Chunk{}, a.answer.Explain(ctx, err))
		return false
	}
	chunk := a.output.NextChunk()
	return chunk == (llm.Chunk{}) || yield(chunk, nil)
}
