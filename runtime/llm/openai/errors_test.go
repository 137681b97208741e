package openai_test

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
)

// fail returns a handler that sends a body with a status.
func fail(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// hangUp returns a handler that closes the connection in the middle of its answer.
func hangUp(header, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		io.WriteString(connection, header+body)
		connection.Close()
	}
}

const longHeader = "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n"

func TestErrors(t *testing.T) {
	const slow = `{"error":{"message":"Slow down,\nplease.","type":"rate_limit_error","code":"rate_limit_exceeded"}}`
	many := `{"tool_calls":[` + strings.TrimSuffix(strings.Repeat(`{"id":"x","function":{"name":"x"}},`, 1001), ",") + `]}`
	const noEvent = "model: malformed response (status 200): there is no event in the stream"
	const notJSON = ` (status 200): the answer is not JSON, it begins with "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\`
	const unexpected = ": invalid character 'd' looking for beginning of value"
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		kind    string
		text    string // the text after the kind; without and with streaming if they differ
		stream  string
	}{
		"429":           {fail(429, slow, "Retry-After", "7"), llm.RateLimited, " (status 429): Slow down, please.", ""},
		"no quota":      {fail(429, `{"error":{"message":"Pay.","type":"insufficient_quota","code":"insufficient_quota"}}`), llm.QuotaExceeded, " (status 429): Pay.", ""},
		"401":           {fail(401, `{"error":{"message":"Wrong key.","type":"invalid_request_error","code":null}}`), llm.Unauthorized, " (status 401): Wrong key.", ""},
		"403":           {fail(403, `{"error":{"message":["No.","Never."]}}`), llm.Unauthorized, " (status 403): No., Never.", ""},
		"400":           {fail(400, `{"error":{"message":"No such model.","code":400}}`), llm.BadRequest, " (status 400): No such model.", ""},
		"404, no JSON":  {fail(404, "<html>\n  <body>Nothing here</body>\n</html>"), llm.BadRequest, " (status 404): <html> <body>Nothing here</body> </html>", ""},
		"408":           {fail(408, ""), llm.Timeout, " (status 408): the endpoint gives no reason", ""},
		"404, a text":   {fail(404, `{"error":"no model m"}`), llm.BadRequest, " (status 404): no model m", ""},
		"409":           {fail(409, `{}`), llm.ServerError, " (status 409): {}", ""},
		"500":           {fail(500, `{"error":{"message":"Oops."}}`), llm.ServerError, " (status 500): Oops.", ""},
		"500, no error": {fail(500, strings.Repeat("x", 2000)), llm.ServerError, " (status 500): " + strings.Repeat("x", 500), ""},
		"503, cut": {hangUp("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 10000\r\n\r\n", "{"), llm.ServerError,
			" (status 503): unexpected EOF", ""},
		"hang up": {hangUp("", ""), llm.Unreachable, `: Post "URL": EOF`, ""},
		"empty":   {respond(""), llm.Malformed, " (status 200): the answer is empty", noEvent},
		"no JSON": {respond("<html>"), llm.Malformed, ` (status 200): the answer is not JSON, it begins with "<html>": invalid character '<' looking for beginning of value`,
			noEvent + `, it begins with "<html>"`},
		"other JSON": {respond("data: {\"choices\":7}\n\n"), llm.Malformed, ` (status 200): the answer is not JSON, it begins with "data: {\"choices\":7}": invalid character 'd' looking for beginning of value`,
			"model: cut off (status 200): the stream ended before the answer was complete"},
		"no choice":  {respond(`{"choices":[]}`), llm.Malformed, ` (status 200): there is no choice in the answer, it begins with "{\"choices\":[]}"`, ""},
		"many calls": {respond(`{"choices":[{"message":` + many + `}]}`), llm.Malformed, ": there are more than 1000 calls in the answer", ""},
		"cut":        {hangUp(longHeader, `{"choices":[{"mess`), llm.Unreachable, " (status 200): unexpected EOF", "model: cut off (status 200): unexpected EOF"},
		"cut stream": {hangUp(longHeader, event(`{"content":"Hel"}`, "")), llm.Unreachable, " (status 200): unexpected EOF",
			"model: cut off (status 200): unexpected EOF"},
		"broken event": {respond(event(`{"content":"Hel"}`, "") + "data: {\"choices\"\n\n"), llm.Malformed, notJSON + `":{\"content\":\"Hel\"},\"finish_reason\":null}]} data: {\"choices\""` + unexpected,
			"model: malformed response (status 200): unexpected end of JSON input"},
		"many calls in a stream": {respond(event(strings.ReplaceAll(many, `"id":"x"`, `"index":0`), "")), llm.Malformed,
			notJSON + `":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"x\"}},{\"index\":0,\"function…"` + unexpected, "model: cut off (status 200): the stream ended before the answer was complete"},
		"error in a stream": {respond(event(`{"content":"Hel"}`, "") + "data: " + slow + "\n\n"), llm.Malformed,
			notJSON + `":{\"content\":\"Hel\"},\"finish_reason\":null}]} data: {\"error\":{\"message\":\"Sl…"` + unexpected, "model: rate limited (status 200): Slow down, please."},
	} {
		t.Run(name, func(t *testing.T) {
			m := serve(t, test.handler)
			want := "model: " + strings.ReplaceAll(test.kind, "_", " ") + test.text
			_, err := m.Generate(t.Context(), llm.Request{Prompt: "?"})
			checkError(t, err, want)
			var e *llm.Error
			if errors.As(err, &e) && e.Kind != test.kind {
				t.Errorf("the kind is %s", e.Kind)
			}
			if wait := e.RetryAfter; name == "429" != (wait == 7*time.Second) {
				t.Errorf("retry after %v", wait)
			}
			_, _, err = stream(t.Context(), m, llm.Request{Prompt: "?"})
			checkError(t, err, cmp.Or(test.stream, want))
		})
	}
}

// checkError fails unless the error is an *llm.Error with the given text, in which URL stands for the
// address of the server.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	var e *llm.Error
	if !errors.As(err, &e) {
		t.Fatalf("%#v is no *llm.Error, want %s", err, want)
	}
	got := e.Error()
	if head, address, found := strings.Cut(got, `"http://`); found {
		_, tail, _ := strings.Cut(address, `"`)
		got = head + `"URL"` + tail
	}
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestRedirect checks that a request is sent only to its endpoint.
func TestRedirect(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s %s comes with %v", r.Method, r.URL, r.Header)
	}))
	defer elsewhere.Close()
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		m := serve(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL+"/v2/chat/completions?key=secret", status)
		}, openai.Header("Api-Key", "secret"))
		_, err := m.Generate(t.Context(), llm.Request{})
		if e, ok := errors.AsType[*llm.Error](err); !ok || e.Kind != llm.BadRequest ||
			!strings.Contains(err.Error(), `the endpoint redirects to "`+elsewhere.URL+`/v2/chat/completions": create`) {
			t.Errorf("%d: %v", status, err)
		}
	}
	here := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("again") {
			respond(plain)(w, r)
			return
		}
		http.Redirect(w, r, r.URL.Path+"?again", http.StatusTemporaryRedirect)
	})
	if response, err := here.Generate(t.Context(), llm.Request{Prompt: "x"}); err != nil || response.Text != "Hello." {
		t.Errorf("%+v, %v", response, err)
	}
}

// TestContextFull checks errors of endpoints about requests that are too long.
func TestContextFull(t *testing.T) {
	for name, answer := range map[string]struct {
		status int
		body   string
	}{
		"OpenAI":      {400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`},
		"newer":       {400, `{"error":{"message":"Your input exceeds the context window of this model.","type":"invalid_request_error","code":"context_length_exceeded"}}`},
		"vLLM":        {400, `{"object":"error","message":"This model's maximum context length is 2048 tokens. However, you requested 3000 tokens.","type":"BadRequestError","param":null,"code":400}`},
		"llama.cpp":   {400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`},
		"older":       {500, `{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"server_error"}}`},
		"Gemini":      {400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`},
		"Groq":        {413, `{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","code":"context_length_exceeded"}}`},
		"Anthropic":   {400, `{"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`},
		"with 200":    {200, `{"error":{"message":"This endpoint's maximum context length is 8192 tokens.","code":400}}`},
		"no such one": {429, `{"error":{"message":"Rate limit reached: reduce the length of the messages.","type":"rate_limit_error"}}`},
	} {
		want := llm.ContextFull
		if answer.status == 429 {
			want = llm.RateLimited
		}
		m := serve(t, fail(answer.status, answer.body))
		if _, err := m.Generate(t.Context(), llm.Request{Prompt: "?"}); kind(err) != want {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := stream(t.Context(), m, llm.Request{Prompt: "?"}); kind(err) != want {
			t.Errorf("%s, streamed: %v", name, err)
		}
	}
}

// TestStreamedError checks errors that endpoints send after the status 200.
func TestStreamedError(t *testing.T) {
	for body, want := range map[string]string{
		`{"message":"x","type":"insufficient_quota"}`:           "model: quota exceeded (status 200): x",
		`{"message":"x","code":429}`:                            "model: rate limited (status 200): x",
		`{"message":"x","code":503}`:                            "model: server error (status 200): x",
		`{"message":"x","code":"rate_limit_exceeded"}`:          "model: rate limited (status 200): x",
		`{"message":"x","type":"invalid_request_error"}`:        "model: bad request (status 200): x",
		`{"message":"x","type":"BadRequestError","code":400}`:   "model: bad request (status 200): x",
		`{"message":"","type":"server_error","code":"unknown"}`: "model: server error (status 200): the endpoint reports only: server_error unknown",
		`{"message":"","param":null}`:                           "model: server error (status 200): the endpoint gives no reason",
		`{"message":"x","code":"429"}`:                          "model: rate limited (status 200): x",
	} {
		_, _, err := stream(t.Context(), serve(t, respond("data: {\"error\":"+body+"}\n\n"+done)), llm.Request{})
		checkError(t, err, want)
	}
}

// TestWellAndNot checks errors that replace the answer although the status is 200, with and without
// streaming.
func TestWellAndNot(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"message":"Slow down.","code":429}}`:             "model: rate limited (status 200): Slow down.",
		`{"error":{"message":"No.","code":400},"choices":null}`:     "model: bad request (status 200): No.",
		`{"error":{"message":"Pay.","type":"insufficient_quota"}}`:  "model: quota exceeded (status 200): Pay.",
		`{"error":"model not loaded"}`:                              "model: server error (status 200): model not loaded",
		`{"id":"x","error":{"message":"Overloaded.","code":"529"}}`: "model: server error (status 200): Overloaded.",
	} {
		_, err := serve(t, respond(body)).Generate(t.Context(), llm.Request{})
		checkError(t, err, want)
		_, _, err = stream(t.Context(), serve(t, respond(body)), llm.Request{})
		checkError(t, err, want)
	}
	for body, want := range map[string]string{
		`{"id":"x","error":{"message":"Overloaded.","code":503},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`: "model: server error (status 200): Overloaded.",
		`{"id":"x","error":"Overloaded."}`: "model: server error (status 200): Overloaded.",
		`{"error":"Overloaded."}`:          "model: server error (status 200): Overloaded.",
	} {
		_, _, err := stream(t.Context(), serve(t, respond(event(`{"content":"Hel"}`, "")+"data: "+body+"\n\n"+done)), llm.Request{})
		checkError(t, err, want)
	}
}

// TestNotAnAnswer checks responses with the status 200 that are not answers. Repeating the request may
// help.
func TestNotAnAnswer(t *testing.T) {
	for _, body := range []string{
		"", " ", "<html><body>Bad gateway</body></html>", "{}", "[]", "null", "7", `"ok"`, "ok", `{"choices":[]}`, `{"choices":null}`, `{"choices":7}`,
		`{"choices":[`, `{"object":"list","data":[]}`, "data: [DONE]\n\n", "data: {}\n\n", "data: <html>\n\n", ": still there\n\n",
	} {
		_, err := serve(t, respond(body)).Generate(t.Context(), llm.Request{Prompt: "?"})
		_, _, streamErr := stream(t.Context(), serve(t, respond(body)), llm.Request{Prompt: "?"})
		for _, err := range []error{err, streamErr} {
			if e, ok := errors.AsType[*llm.Error](err); !ok || !e.Retryable() || e.Kind != llm.Malformed && e.Kind != llm.CutOff {
				t.Errorf("%q: %v", body, err)
			}
		}
	}
	asked := 0
	m := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked == 1 {
			respond("<html>")(w, r)
			return
		}
		respond(plain)(w, r)
	})
	if response, err := (llm.Retry{Model: m, Backoff: 1}).Generate(t.Context(), llm.Request{}); err != nil || response.Text != "Hello." || asked != 2 {
		t.Errorf("%+v, %v after %d attempts", response, err, asked)
	}
}
