package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
)

// pickyEndpoint is an endpoint that refuses parameters, each with its own message.
type pickyEndpoint struct {
	mu      sync.Mutex
	status  int
	refuses map[string]string
	sent    []string // the optional parameters of each request
}

func (p *pickyEndpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var members map[string]json.RawMessage
	body, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(body, &members); err != nil {
		panic(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var sent []string
	for _, name := range []string{"max_tokens", "max_completion_tokens", "temperature", "top_p", "stream_options"} {
		if value, ok := members[name]; ok {
			sent = append(sent, name+"="+string(value))
		}
	}
	p.sent = append(p.sent, strings.Join(sent, " "))
	for _, name := range []string{"max_tokens", "max_completion_tokens", "temperature", "top_p", "stream_options"} {
		if _, sent := members[name]; sent && p.refuses[name] != "" {
			w.WriteHeader(p.status)
			io.WriteString(w, p.refuses[name])
			return
		}
	}
	if string(members["stream"]) == "true" {
		io.WriteString(w, event(`{"content":"Hello."}`, "stop")+done)
		return
	}
	io.WriteString(w, plain)
}

// newModel returns a model with the given name at the endpoint.
func (p *pickyEndpoint) newModel(t *testing.T, name string, options ...openai.Option) llm.Model {
	t.Helper()
	transport := roundTrip(func(r *http.Request) (*http.Response, error) {
		answer := &recorder{header: http.Header{}, status: http.StatusOK}
		p.ServeHTTP(answer, r)
		return &http.Response{StatusCode: answer.status, Header: answer.header, Body: io.NopCloser(strings.NewReader(answer.body.String()))}, nil
	})
	return openai.New(name, append(options, openai.HTTPClient(&http.Client{Transport: transport}))...)
}

type recorder struct {
	header http.Header
	status int
	body   strings.Builder
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }

const (
	noMaxTokens   = `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`
	noNewLimit    = `{"detail":[{"type":"extra_forbidden","loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted","input":50}]}`
	noTemperature = `{"error":{"message":"Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`
	tooManyTokens = `{"error":{"message":"max_tokens is too large: 50. This model supports at most 16 completion tokens.","param":"max_tokens"}}`
	noStream      = `{"object":"error","message":"stream_options: Extra inputs are not permitted","code":400}`
	noTopP        = `{"error":"top_p is not supported by this model."}`
)

// TestRefusedParameters checks that a request is repeated without refused parameters, and that later
// requests omit them.
func TestRefusedParameters(t *testing.T) {
	limited := llm.Request{Prompt: "?", MaxTokens: 50}
	warm := llm.Request{Prompt: "?", MaxTokens: 50, Temperature: new(0.7)}
	for name, test := range map[string]struct {
		model   string
		base    string
		refuses map[string]string
		request llm.Request
		first   []string // the parameters of the first request's attempts
		second  []string
	}{
		"gpt-5": {
			"gpt-5", "https://api.openai.com/v1", map[string]string{"max_tokens": noMaxTokens, "temperature": noTemperature}, llm.Request{Prompt: "?"},
			[]string{""}, []string{""},
		},
		"gpt-5 with a limit": {
			"gpt-5-mini", "https://api.openai.com/v1", map[string]string{"max_tokens": noMaxTokens, "temperature": noTemperature}, limited,
			[]string{"max_completion_tokens=50"}, []string{"max_completion_tokens=50"},
		},
		"gpt-5 with a temperature": {
			"openai/gpt-5", "https://x/v1", map[string]string{"max_tokens": noMaxTokens, "temperature": noTemperature}, llm.Request{Temperature: new(0.3)},
			[]string{"temperature=0.3", ""}, []string{""},
		},
		"a deployment": {
			"my-deployment", "https://x.openai.azure.com/openai/v1", map[string]string{"max_tokens": noMaxTokens, "temperature": noTemperature}, warm,
			[]string{"max_tokens=50 temperature=0.7", "max_completion_tokens=50 temperature=0.7", "max_completion_tokens=50"}, []string{"max_completion_tokens=50"},
		},
		"no limit at all": {
			"m", "https://x/v1", map[string]string{"max_tokens": noMaxTokens, "max_completion_tokens": noNewLimit}, warm,
			[]string{"max_tokens=50 temperature=0.7", "temperature=0.7"}, []string{"temperature=0.7"},
		},
		"only the old limit": {
			"o3", "https://x/v1", map[string]string{"max_completion_tokens": noNewLimit}, limited,
			[]string{"max_completion_tokens=50", "max_tokens=50"}, []string{"max_tokens=50"},
		},
		"a value": {
			"m", "https://x/v1", map[string]string{"max_tokens": tooManyTokens}, warm,
			[]string{"max_tokens=50 temperature=0.7", "temperature=0.7"}, []string{"max_tokens=50 temperature=0.7", "temperature=0.7"},
		},
		"another name for the limit": {
			"m", "https://x/v1", map[string]string{"max_tokens": noMaxTokens, "max_completion_tokens": noMaxTokens}, warm,
			[]string{"max_tokens=50 temperature=0.7", "max_completion_tokens=50 temperature=0.7", "temperature=0.7"}, []string{"temperature=0.7"},
		},
		"top_p": {
			"m", "https://x/v1", map[string]string{"top_p": noTopP}, llm.Request{TopP: new(0.0)}, []string{"top_p=0", ""}, []string{""},
		},
	} {
		for _, status := range []int{400, 422} {
			for _, inStream := range []bool{false, true} {
				p := &pickyEndpoint{status: status, refuses: test.refuses}
				m := p.newModel(t, test.model, openai.BaseURL(test.base), openai.NoRetry())
				for i, want := range [][]string{test.first, test.second} {
					p.sent = nil
					var response llm.Response
					var err error
					if inStream {
						_, response, err = stream(t.Context(), m, test.request)
					} else {
						response, err = m.Generate(t.Context(), test.request)
					}
					for j := range p.sent {
						p.sent[j] = strings.TrimSpace(strings.Replace(p.sent[j], `stream_options={"include_usage":true}`, "", 1))
					}
					if name == "no limit at all" && i == 0 { // the old name is tried first, then the new one
						want = slices.Insert(slices.Clone(want), 1, "max_completion_tokens=50 temperature=0.7")
					}
					if err != nil || response.Text != "Hello." || !slices.Equal(p.sent, want) {
						t.Errorf("%s, %d, request %d: sent %q, want %q: %v", name, status, i, p.sent, want, err)
					}
				}
			}
		}
	}
}

// TestRefusedStreamOptions checks an endpoint that does not support stream options.
func TestRefusedStreamOptions(t *testing.T) {
	p := &pickyEndpoint{status: 400, refuses: map[string]string{"stream_options": noStream}}
	_, response, err := stream(t.Context(), p.newModel(t, "m"), llm.Request{})
	if err != nil || response.Text != "Hello." || len(p.sent) != 2 || p.sent[1] != "" {
		t.Errorf("%+v, %v: sent %q", response, err, p.sent)
	}
}

// TestNotRefused checks errors after which a request is not repeated.
func TestNotRefused(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		body   string
		sent   int
	}{
		"another reason":  {400, `{"error":{"message":"No such model."}}`, 1},
		"a path":          {400, `{"detail":"body.temperature: Extra inputs are not permitted"}`, 2},
		"another path":    {400, `{"error":"$.temperature is unknown"}`, 2},
		"a capital":       {400, `{"error":"Temperature is not supported."}`, 2},
		"a tool's":        {400, `{"error":"tools[0].parameters.temperature is wrong"}`, 1},
		"a tool":          {400, `{"error":{"message":"Invalid schema for function 'get_temperature': properties.temperature.type, my_temperature, temperatures"}}`, 1},
		"another status":  {401, `{"error":{"message":"No temperature for you."}}`, 1},
		"not sent":        {400, `{"error":{"message":"max_tokens, top_p"}}`, 1},
		"again and again": {400, `{"error":{"message":"temperature."}}`, 2},
		"all of them":     {400, `{"temperature":0.7,"max_tokens":1,"error":"no"}`, 2},
	} {
		sent := 0
		m := serve(t, func(w http.ResponseWriter, r *http.Request) { sent++; fail(test.status, test.body)(w, r) })
		for range 2 { // no parameter is remembered as refused
			before := sent
			if _, err := m.Generate(t.Context(), llm.Request{Prompt: "?", Temperature: new(0.7)}); err == nil || sent-before != test.sent {
				t.Errorf("%s: sent %d times, %v", name, sent-before, err)
			}
		}
	}
}

// TestKnownModels checks which names are those of reasoning models.
func TestKnownModels(t *testing.T) {
	for name, reasons := range map[string]bool{
		"gpt-5": true, "gpt-5-mini": true, "gpt-5.1": true, "gpt-5.2-2025-12-11": true, "gpt-6": true, "o1": true, "o3-mini": true, "o4-mini-2025-04-16": true,
		"openai/gpt-5": true, "ft:o4-mini:org": true, "GPT-5": true, "gpt-10": true,
		"gpt-5-chat-latest": false, "gpt-4o": false, "gpt-4.1": false, "gpt-3.5-turbo": false, "olmo": false, "qwen3": false, "o": false, "": false, "gpt-oss-20b": false,
	} {
		p := &pickyEndpoint{}
		limit := "max_tokens=9"
		if reasons {
			limit = "max_completion_tokens=9"
		}
		m := p.newModel(t, name, openai.BaseURL("http://x"), openai.NoRetry())
		if _, err := m.Generate(t.Context(), llm.Request{Prompt: "?", MaxTokens: 9}); err != nil || p.sent[0] != limit {
			t.Errorf("%s: sent %q, %v", name, p.sent, err)
		}
	}
}

// TestRefusedConcurrently uses a model on many goroutines, for the race detector.
func TestRefusedConcurrently(t *testing.T) {
	p := &pickyEndpoint{status: 400, refuses: map[string]string{"max_tokens": noMaxTokens, "temperature": noTemperature}}
	m := p.newModel(t, "m", openai.BaseURL("http://x"))
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			if _, err := m.Generate(t.Context(), llm.Request{Prompt: fmt.Sprint(i), MaxTokens: 9, Temperature: new(0.7)}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}

// TestDefaultEndpoint tests that an empty base URL, such as that of an environment variable that is not set, means
// OpenAI, and that an empty key means OPENAI_API_KEY there. No other endpoint gets that key.
func TestDefaultEndpoint(t *testing.T) {
	const ofEnv, own, none = "Bearer of-env", "Bearer own", ""
	t.Setenv("OPENAI_API_KEY", "of-env")
	for name, test := range map[string]struct {
		options   []openai.Option
		url, auth string
	}{
		"nothing":              {nil, "https://api.openai.com/v1/chat/completions", ofEnv},
		"empty":                {[]openai.Option{openai.BaseURL(""), openai.Key("")}, "https://api.openai.com/v1/chat/completions", ofEnv},
		"a key":                {[]openai.Option{openai.Key("own")}, "https://api.openai.com/v1/chat/completions", own},
		"a regional host":      {[]openai.Option{openai.BaseURL("https://eu.api.openai.com/v1")}, "https://eu.api.openai.com/v1/chat/completions", ofEnv},
		"not encrypted":        {[]openai.Option{openai.BaseURL("http://api.openai.com/v1")}, "http://api.openai.com/v1/chat/completions", none},
		"another host":         {[]openai.Option{openai.BaseURL("https://x/v1")}, "https://x/v1/chat/completions", none},
		"a similar host":       {[]openai.Option{openai.BaseURL("https://notapi.openai.com.x/v1")}, "https://notapi.openai.com.x/v1/chat/completions", none},
		"another host, a key":  {[]openai.Option{openai.BaseURL("https://x/v1"), openai.Key("own")}, "https://x/v1/chat/completions", own},
		"a header of the user": {[]openai.Option{openai.Header("Authorization", "Bearer own")}, "https://api.openai.com/v1/chat/completions", own},
	} {
		var url, auth string
		transport := roundTrip(func(r *http.Request) (*http.Response, error) {
			url, auth = r.URL.String(), r.Header.Get("Authorization")
			return &http.Response{StatusCode: http.StatusUnauthorized, Body: io.NopCloser(strings.NewReader("wrong key: of-env"))}, nil
		})
		m := openai.New("m", append(test.options, openai.NoRetry(), openai.HTTPClient(&http.Client{Transport: transport}))...)
		_, err := m.Generate(t.Context(), llm.Request{Prompt: "?"})
		if url != test.url || auth != test.auth {
			t.Errorf("%s: sent to %s with %q", name, url, auth)
		}
		if err == nil || test.auth == ofEnv && strings.Contains(err.Error(), "of-env") {
			t.Errorf("%s: the error shows the key: %v", name, err)
		}
	}
}
