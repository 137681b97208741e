package anthropic_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/adapters/anthropic"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/llmtest"
)

// endpoint is an endpoint that refuses what Anthropic refuses, and records the bodies of requests.
type endpoint struct {
	url string

	mu     sync.Mutex
	bodies []string
}

// startEndpoint starts an endpoint that answers with handle if it accepts a request.
func startEndpoint(t *testing.T, handle http.HandlerFunc) *endpoint {
	t.Helper()
	e := &endpoint{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client has gone
		}
		e.mu.Lock()
		e.bodies = append(e.bodies, string(body))
		e.mu.Unlock()
		if _, err := (messagesAPI{}).Decode(r, body); err != nil {
			t.Errorf("the endpoint refuses %s: %v", body, err)
			sendError(w, 400, "invalid_request_error", err.Error())
			return
		}
		handle(w, r)
	}))
	t.Cleanup(server.Close)
	e.url = server.URL
	return e
}

// model returns a model at the endpoint.
func (e *endpoint) model(name string, options ...anthropic.Option) llm.Model {
	return anthropic.New(newClient(e.url), name, append([]anthropic.Option{anthropic.NoRetry()}, options...)...)
}

// last returns the last request.
func (e *endpoint) last(t *testing.T) (body string, sent wireRequest) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.bodies) == 0 {
		t.Fatal("there was no request")
	}
	body = e.bodies[len(e.bodies)-1]
	if err := json.Unmarshal([]byte(body), &sent); err != nil {
		t.Fatal(err)
	}
	return body, sent
}

// answerContent answers with blocks, as a document or as a stream without pieces.
func answerContent(stop string, blocks ...string) http.HandlerFunc {
	content := strings.Join(blocks, ",")
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"type":"message","role":"assistant","model":"m-1","content":[`+content+`],"stop_reason":"`+stop+`","usage":{"input_tokens":3,"output_tokens":5}}`)
	}
}

// sendError sends an error of the API.
func sendError(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, inJSON(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}}))
}

// inTurn answers each request with the next handler.
func inTurn(handlers ...http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		next := handlers[0]
		handlers = handlers[1:]
		next(w, r)
	}
}

// answerEvents streams an answer of the double.
func answerEvents(a llmtest.Answer) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, strings.Join(messagesAPI{}.Events(a), ""))
	}
}

// kindOf returns the kind of an error.
func kindOf(err error) string {
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return e.Kind
	}
	return ""
}

// generate sends a request that must succeed.
func generate(t *testing.T, m llm.Model, req llm.Request) llm.Response {
	t.Helper()
	response, err := m.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// throughJournal returns a message as another process reads it.
func throughJournal(t *testing.T, m llm.Message) (read llm.Message) {
	t.Helper()
	text, err := json.Marshal(m)
	if err == nil {
		err = json.Unmarshal(text, &read)
	}
	if err != nil {
		t.Fatal(err)
	}
	return read
}
