// Package anthropic implements [llm.Model] for the Messages API of Anthropic. Create a client with
// the SDK github.com/anthropics/anthropic-sdk-go, and a model with [New]:
//
//	client := sdk.NewClient() // with the key in ANTHROPIC_API_KEY
//	model := anthropic.New(client, "claude-sonnet-5-5")
//
// Credentials, proxies and the address of the endpoint are options of the client. Its packages
// bedrock, vertex and others have options for the platforms of other vendors.
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
	maxPauses = 10 // of one answer

	// longestDocument is the largest token limit of an answer that is not streamed. A longer answer may
	// take more than 10 minutes, and connections without traffic break.
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
	invalid     error // why a server tool cannot be encoded
}

// String returns the name of the model.
func (m *model) String() string { return fmt.Sprintf("model %q of Anthropic", m.name) }

var (
	_ llm.Model    = (*model)(nil)
	_ llm.Streamer = (*model)(nil)
)

// Option configures a model.
type Option func(*model)

// MaxTokens sets the token limit of answers to requests without one, because the API requires a
// limit. The default is 64,000 for Claude 4.6 and later, and 32,000 for older models and unknown names.
func MaxTokens(limit int) Option { return func(m *model) { m.maxTokens = limit } }

// Strict makes the API enforce the schemas of up to 20 tools, as far as its strict mode supports
// them without losing anything: see [schema.AnthropicStrict]. The API compiles new schemas first,
// which delays the first answer.
//
// [schema.AnthropicStrict]: https://pkg.go.dev/github.com/aiongen/aiongen/runtime/schema#AnthropicStrict
func Strict() Option { return func(m *model) { m.strict = true } }

// NoCache disables prompt caching. By default, the tools, the system prompt and the last message are
// marked for the cache.
func NoCache() Option { return func(m *model) { m.noCache = true } }

// NoRetry disables [llm.Retry], which by default repeats requests after temporary failures. The
// retries of the SDK are always disabled.
func NoRetry() Option { return func(m *model) { m.noRetry = true } }

// ServerTools adds tools that Anthropic executes, such as web search. They come before the tools of
// each request. Their calls and results are not in [llm.Response.Calls]. They are kept in
// [llm.Response.Provider] and sent back with the message.
func ServerTools(tools ...sdk.ToolUnionParam) Option {
	return func(m *model) {
		for _, t := range tools {
			text, err := json.Marshal(t)
			if err != nil && m.invalid == nil {
				m.invalid = fmt.Errorf("a server tool cannot be encoded: %w", err)
			}
			m.serverTools = append(m.serverTools, text)
		}
	}
}

// New returns the model with the given name. It also implements [llm.Streamer].
//
// [llm.Request.Effort] is an effort of the API, or "none" to answer without thinking. Models before
// Claude 4.6 have no efforts for thinking; they get a budget of 2,048 tokens for low, 8,192 for
// medium, 16,384 for high, and 32,768 for xhigh and max. Without an effort, the model has its own
// default.
//
// Temperature and TopP are not sent if the model rejects them: to Claude 4.7 and later, and while
// older models think. Requests with Seed, or with parts that the API does not accept, fail with
// an error of the kind [llm.BadRequest].
//
// Tools keep the order in which they were first offered in a dialogue, and new ones are added at the
// end, so that the cache of the prompt remains valid.
//
// If the API pauses a long turn, the model continues it and returns the whole. An answer whose
// token limit exceeds 21,333 is streamed by both methods of the model. An answer of more than 64 MiB
// is an error. Redirects to other hosts are refused, unless the client has its own HTTP client.
func New(client sdk.Client, name string, options ...Option) llm.Model {
	// The first option of a client is a default. Those of the user, such as an HTTP client, come later.
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

// answerTimeout is how long a model waits for the beginning of an answer, unless the client has its own
// HTTP client.
const answerTimeout = 10 * time.Minute

// httpClient returns the HTTP client of all models whose clients have none. It refuses redirects to other
// hosts, which would receive the key.
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

// answer sends a request, and further ones while the API pauses the answer.
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

// receive sends one request and adds its answer to a. It reports whether the sequence goes on.
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
		report, _ := a.answer.ReadAll() // what can be read of the report is enough
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
