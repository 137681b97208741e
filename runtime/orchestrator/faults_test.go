package orchestrator_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/cyclelog"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var faultyRuns = flag.Int("faults", 150, "how many runs against an endpoint that goes wrong")

// endpoint answers chat completions, and goes wrong in every way at random.
type endpoint struct {
	mu     sync.Mutex // a server has goroutines of its own
	random *rand.Rand
	faults map[string]int
}

// answer is a response, or a connection that is cut after a part of its body, or
// on which nothing comes.
type answer struct {
	status int
	header http.Header
	body   string
	cut    bool
	silent bool
}

func (e *endpoint) answer(request []byte) answer {
	e.mu.Lock()
	defer e.mu.Unlock()
	chance := e.random.IntN(100)
	whole, half, malformed := completion, "half an answer", `{"choices":[{`
	if bytes.Contains(request, []byte(`"stream":true`)) {
		whole, half, malformed = stream, "half a stream", "data: {\"choices\":[{\n\n"
	}
	name, a := "answered", answer{status: 200}
	switch {
	case chance < 4:
		name, a.status, a.header = "429 with Retry-After", 429, http.Header{"Retry-After": {"2"}}
	case chance < 8:
		name, a.status = "429", 429
	case chance < 12:
		name, a.status, a.body = "500", 500, `{"error":{"message":"overloaded"}}`
	case chance < 15:
		name, a.silent = "timeout", true
	case chance < 18:
		name, a.cut = "connection cut", true
	case chance < 21:
		text := whole(e.text(request))
		name, a.cut, a.body = half, true, text[:len(text)/2]
	case chance < 24:
		name, a.body = "malformed JSON", malformed
	case chance < 26:
		name, a.body = "no choices", `{"choices":[]}`
	case chance < 27:
		name, a.status, a.body = "401", 401, `{"error":{"message":"bad key"}}`
	default:
		a.body = whole(e.text(request))
	}
	e.faults[name]++
	return a
}

// heads tosses a coin.
func (e *endpoint) heads() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.random.IntN(2) == 0
}

const usage = `"usage":{"prompt_tokens":10,"completion_tokens":3}`

// completion is an answer in one piece.
func completion(text string) string {
	return `{"model":"m","choices":[{"finish_reason":"stop","message":{"role":"assistant","content":` + quote(text) + `}}],` + usage + `}`
}

// stream is an answer in several pieces.
func stream(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		piece := text[:min(len(text), 16)]
		b.WriteString(`data: {"model":"m","choices":[{"delta":{"content":` + quote(piece) + "}}]}\n\n")
		text = text[len(piece):]
	}
	return b.String() + `data: {"model":"m","choices":[{"delta":{},"finish_reason":"stop"}],` + usage + "}\n\ndata: [DONE]\n\n"
}

func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// text is what a model may say to a prompt, seldom what it should.
func (e *endpoint) text(request []byte) string {
	pick := func(texts ...string) string { return texts[e.random.IntN(len(texts))] }
	said := func(name, text string) string {
		e.faults[name]++
		return text
	}
	switch {
	case bytes.Contains(request, []byte("Make a plan")) || bytes.Contains(request, []byte("should be a plan")):
		switch e.random.IntN(40) {
		case 0, 1, 2, 3:
			return said("no plan", pick("I cannot.", `{"goal":"g","steps":[]}`, `{"goal":"g"`, `[1,2]`))
		case 4:
			return said("empty answer", "")
		case 5:
			return said("endless plan", e.plan(plan.MaxSteps+5))
		}
		return pick("", "```json\n", "Here: ") + e.plan(1+e.random.IntN(12))
	case bytes.Contains(request, []byte("A step of a plan cannot")):
		if e.random.IntN(3) == 0 {
			return said("invented tool", `{"step_id":"1","description":"d","tool":"invented"}`)
		}
		return pick(`{}`, `{"step_id":"1","description":"d","tool":"add"}`, `{"step_id":"2","description":"d","tool":"fail"}`, `?`)
	default:
		switch e.random.IntN(9) {
		case 0, 1:
			return said("wrong arguments", pick(`{"a":"1","b":2}`, `{"a":1}`, `{"result":[1]}`))
		case 2:
			return said("empty answer", "")
		case 3:
			return pick(`words "and <more>`, "{\"a\": 1, \"b\": \x00\xff", strings.Repeat("[", 2000))
		}
		return `{"a":1,"b":2}`
	}
}

func (e *endpoint) plan(steps int) string {
	p := plan.Plan{Goal: "g"}
	for i := range steps {
		s := plan.Step{ID: fmt.Sprint(i + 1), Description: "d", Status: plan.Pending}
		switch e.random.IntN(8) {
		case 0, 1:
			s.Tool, s.Arguments = "add", json.RawMessage(`{"a":1,"b":2}`)
		case 2:
			e.faults["wrong arguments"]++
			s.Tool, s.Arguments = "add", json.RawMessage(`{"a":"x","c":[]}`)
		case 3:
			s.Tool = []string{"add", "fail", "now"}[e.random.IntN(3)]
		case 4:
			e.faults["invented tool"]++
			s.Tool = "invented"
		case 5:
			s.Agent = plan.AgentLLM
		case 6:
			s.Tool, s.Arguments = "send", json.RawMessage(`{"to":"x"}`)
		}
		p.Steps = append(p.Steps, s)
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// RoundTrip answers without a socket.
func (e *endpoint) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	a := e.answer(body)
	if a.silent {
		return nil, os.ErrDeadlineExceeded // as a connection with a deadline
	}
	if a.cut && a.body == "" {
		return nil, &net.OpError{Op: "read", Net: "tcp", Err: errors.New("connection reset by peer")}
	}
	var r io.Reader = strings.NewReader(a.body)
	if a.cut {
		r = io.MultiReader(r, cutOff{})
	}
	if a.header == nil {
		a.header = http.Header{}
	}
	return &http.Response{StatusCode: a.status, Header: a.header, Body: io.NopCloser(r), Request: req}, nil
}

type cutOff struct{}

func (cutOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// ServeHTTP answers over a socket.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	a := e.answer(body)
	if a.silent {
		<-req.Context().Done() // until the client gives up
		return
	}
	for name, values := range a.header {
		w.Header()[name] = values
	}
	if a.cut {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.body)+1000))
	}
	w.WriteHeader(a.status)
	io.WriteString(w, a.body)
	if a.cut {
		panic(http.ErrAbortHandler)
	}
}

// streamed is a model that has another one answer in pieces.
func streamed(model llm.Model) llm.Model {
	return llm.Func(func(ctx context.Context, req llm.Request) (response llm.Response, err error) {
		for chunk, err := range llm.Stream(ctx, model, req) {
			if err != nil {
				return llm.Response{}, err
			}
			if chunk.Response != nil {
				response = *chunk.Response
			}
		}
		return response, nil
	})
}

// faultyRun carries out a run at the endpoint, returns its log, and checks what
// must hold of it. If kill is true, it is killed after every other step.
func faultyRun(t *testing.T, e *endpoint, client *http.Client, url string, stream, kill bool) string {
	t.Helper()
	w := newWorld()
	var b bytes.Buffer
	log := cyclelog.Old(&b)
	var model llm.Model = llm.Retry{
		Model:  openai.New("m", openai.BaseURL(url), openai.HTTPClient(client), openai.NoRetry()),
		Sleep:  func(_ context.Context, d time.Duration) { w.seconds += int64(d / time.Second) },
		Random: func() float64 { return 0.5 },
	}
	if stream {
		model = streamed(model)
	}
	store := &memory.Map{}
	kernel := func() *orchestrator.Orchestrator {
		return orchestrator.New(model, store, w, orchestrator.Clock(w.now), orchestrator.TTL(8), orchestrator.Events(log.Event))
	}
	run, err := kernel().Start(t.Context(), orchestrator.Input{ID: "r", Request: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for more := true; more; {
		if more, err = run.Step(t.Context()); err != nil && (more || tool.Code(err) == "") {
			t.Fatalf("%v, %v", more, err)
		}
		s := run.State()
		if kill && s.Cycles%2 == 0 {
			if run, err = kernel().Resume(s); err != nil {
				t.Fatal(err)
			}
		}
		if s.Status == orchestrator.Waiting {
			if more = true; e.heads() {
				err = run.Deny(s.CurrentStep)
			} else {
				err = run.Approve(s.CurrentStep, "yes")
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	s := run.State()
	e.mu.Lock()
	e.faults["run "+string(s.Status)]++
	e.mu.Unlock()
	sound(t, w, s, b.String())
	return b.String()
}

// sound checks that no result is lost, no step ran twice, tools were called with
// what their schemas say, and status and log agree with the steps.
func sound(t *testing.T, w *world, s orchestrator.State, log string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(log), "\n")
	if len(lines) != s.Cycles || len(w.calls) != len(s.ToolHistory) || s.TTL != 8-len(s.Results) || s.CurrentStep != "" {
		t.Fatalf("%d lines, %d calls: %s", len(lines), len(w.calls), toJSON(t, s))
	}
	for _, call := range w.calls {
		for _, d := range w.offered {
			arguments := cmp.Or(string(call.Arguments), "{}")
			if err := schema.Validate(d.Input, []byte(arguments)); d.Name == call.Name && err != nil {
				t.Fatalf("%s was called with %s: %v", d.Name, arguments, err)
			}
		}
	}
	if s.Plan == nil {
		if s.Status != orchestrator.Failed || s.Error == nil {
			t.Fatalf("without a plan: %s", toJSON(t, s))
		}
		return
	}
	var last record.Cycle
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
		t.Fatal(err)
	}
	if len(s.Results) > 0 && toJSON(t, last.Plan) != toJSON(t, s.Plan) {
		t.Fatalf("the log ends with %s, the state with %s", toJSON(t, last.Plan), toJSON(t, s.Plan))
	}
	ran := map[string]int{}
	for _, call := range s.ToolHistory {
		if call.Call.Status == tool.StatusCompleted {
			ran[call.StepID]++
		}
	}
	final, failures := 0, 0
	for i, step := range s.Plan.Steps {
		if ran[step.ID] > 1 {
			t.Fatalf("step %s ran %d times", step.ID, ran[step.ID])
		}
		if step.Status == plan.Failed {
			failures++
		}
		if step.Status.Final() {
			final++
			if i >= len(s.Results) || s.Results[i].StepID != step.ID || s.Results[i].Success != (step.Status == plan.Complete) {
				t.Fatalf("step %s has no result of its own", step.ID)
			}
		}
	}
	all := final == len(s.Plan.Steps)
	want := map[bool]orchestrator.Status{true: orchestrator.Completed, false: orchestrator.Failed}[failures == 0]
	if !all && s.TTL == 0 {
		want = orchestrator.TTLExpired
	}
	if s.Status != want || final != len(s.Results) {
		t.Fatalf("%s, want %s: %s", s.Status, want, toJSON(t, s))
	}
}

// TestFaults makes runs at random against an endpoint that goes wrong, every other
// one with answers in pieces. Those of the same seed have the same log, also if
// they are killed meanwhile.
func TestFaults(t *testing.T) {
	t.Parallel()
	faults := map[string]int{}
	for i := range *faultyRuns {
		again := func(kill bool, faults map[string]int) string {
			e := &endpoint{random: rand.New(rand.NewPCG(8, uint64(i))), faults: faults}
			return faultyRun(t, e, &http.Client{Transport: e}, "http://model.invalid/v1", i%2 == 1, kill)
		}
		log := again(false, faults)
		if i%10 < 2 {
			if second := again(true, map[string]int{}); second != log {
				t.Fatalf("run %d has two logs:\n%s\n%s", i, log, second)
			}
		}
	}
	figures(t, faults)
}

// figures fails the test if something did not occur, and shows how often all did.
func figures(t *testing.T, faults map[string]int) {
	for _, name := range []string{
		"answered", "429", "429 with Retry-After", "500", "401", "timeout", "connection cut", "half an answer", "half a stream",
		"malformed JSON", "no choices", "invented tool", "wrong arguments", "endless plan", "empty answer", "no plan",
		"run completed", "run failed", "run ttl_expired",
	} {
		t.Logf("%6d %s", faults[name], name)
		if faults[name] == 0 {
			t.Errorf("there was no %s", name)
		}
	}
}

// TestFaultsOverSockets is the same over sockets, but for what the network does
// with time.
func TestFaultsOverSockets(t *testing.T) {
	e := &endpoint{random: rand.New(rand.NewPCG(9, 0)), faults: map[string]int{}}
	server := httptest.NewServer(e)
	defer server.Close()
	client := server.Client()
	client.Timeout = 50 * time.Millisecond
	for i := range min(200, *faultyRuns) {
		faultyRun(t, e, client, server.URL+"/v1", i%2 == 1, false)
	}
	server.Close() // waits for its goroutines
	figures(t, e.faults)
}
