package orchestrator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
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

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
)

var faultyRuns = flag.Int("faults", 150, "how many runs against an endpoint that goes wrong")

// endpoint answers chat completions, and fails at random in every possible way.
type endpoint struct {
	mu      sync.Mutex // the server runs on its own goroutines
	random  *rand.Rand
	faults  map[string]int
	seconds int64 // on its clock
	down    int64 // until then
}

// now is the current time, which passes only by waiting.
func (e *endpoint) now() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return time.Unix(e.seconds, 0)
}

func (e *endpoint) sleep(_ context.Context, d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seconds += int64(d / time.Second)
}

// answer sends a response, sends a part of the body and disconnects, or sends nothing more.
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
	if e.down > e.seconds {
		chance, name, a.status = 100, "503 for minutes", 503
	}
	switch {
	case chance == 100:
	case chance < 1:
		name, a.status, e.down = "503 for minutes", 503, e.seconds+300
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

// heads returns true with a probability of 1/2.
func (e *endpoint) heads() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.random.IntN(2) == 0
}

const usage = `"usage":{"prompt_tokens":10,"completion_tokens":3}`

// completion is an answer in one piece.
func completion(text, calls string) string {
	message := `"content":` + quote(text)
	if calls != "" {
		message = `"tool_calls":[` + calls + "]"
	}
	return `{"model":"m","choices":[{"finish_reason":"stop","message":{"role":"assistant",` + message + `}}],` + usage + `}`
}

// stream is an answer in several pieces.
func stream(text, calls string) string {
	var b strings.Builder
	if calls != "" {
		text = ""
		b.WriteString(`data: {"model":"m","choices":[{"delta":{"tool_calls":[` + calls + "]}}]}\n\n")
	}
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

// text returns a reply to a prompt, which is rarely a correct one, or the calls of a reply.
func (e *endpoint) text(request []byte) (text, calls string) {
	pick := func(texts ...string) string { return texts[e.random.IntN(len(texts))] }
	said := func(name, text string) (string, string) {
		e.faults[name]++
		return text, ""
	}
	has := func(text string) bool { return bytes.Contains(request, []byte(text)) }
	switch {
	case has("Make a plan") || has("should be a plan") || has("Write the steps that are left anew"):
		switch e.random.IntN(40) {
		case 0, 1, 2:
			return said("no plan", pick("I cannot.", `{"goal":"g","steps":[]}`, `{"goal":"g"`, `[1,2]`, `{"give_up":"no"}`))
		case 3:
			return said("empty answer", "")
		case 4:
			return said("endless plan", e.plan(plan.MaxSteps+5))
		}
		return pick("", "```json\n", "Here: ") + e.plan(1+e.random.IntN(6)), ""
	case has("A step of a plan cannot"):
		if e.random.IntN(3) == 0 {
			return said("invented tool", `{"step_id":"1","description":"d","tool":"invented"}`)
		}
		return pick(`{}`, `{"step_id":"1","description":"d","tool":"find"}`, `?`), ""
	case has(`"tools":[`) && e.random.IntN(3) > 0:
		for i := range 1 + e.random.IntN(3) {
			arguments := pick(`{"n":`+strconv.Itoa(e.random.IntN(9))+`}`, `{"n":"1"}`, `{"m":1}`, `{"n"`)
			calls += fmt.Sprintf(`,{"index":%d,"id":"c%d","type":"function","function":{"name":%q,"arguments":%s}}`, i, i, pick("find", "tag", "pay", "send", "invented"), quote(arguments))
		}
		return "", calls[1:]
	}
	switch e.random.IntN(9) {
	case 0:
		return said("empty answer", "")
	case 1:
		return pick(`words "and <more>`, "{\"a\": 1, \"b\": \x00\xff", strings.Repeat("[", 2000)), ""
	}
	return pick("done", `{"arguments":{"n":1}}`), ""
}

func (e *endpoint) plan(steps int) string {
	p := plan.Plan{Goal: "g"}
	for i := range steps {
		s := plan.Step{ID: fmt.Sprint(e.random.IntN(1000), "-", i), Description: "d"}
		switch e.random.IntN(9) {
		case 0, 1:
			s.Tool, s.Arguments = "find", json.RawMessage(`{"n":1}`)
		case 2, 3:
			s.Tool, s.Arguments = "pay", json.RawMessage(fmt.Sprintf(`{"n":%d}`, e.random.IntN(100)))
		case 4:
			s.Tool, s.Arguments = "tag", json.RawMessage(fmt.Sprintf(`{"n":"%d"}`, e.random.IntN(100)))
		case 5:
			e.faults["wrong arguments"]++
			s.Tool, s.Arguments = "find", json.RawMessage(`{"n":"x","c":[]}`)
		case 6:
			e.faults["invented tool"]++
			s.Tool = "invented"
		case 7:
			s.Agent = plan.AgentLLM
		case 8:
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
		return nil, os.ErrDeadlineExceeded // like a connection with a deadline
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

// mortal is the journal of a worker that dies now and then.
type mortal struct {
	journal.Journal
	e    *endpoint
	dead bool
}

func (j *mortal) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	j.e.mu.Lock()
	before, after := j.e.random.IntN(30) == 0, j.e.random.IntN(30) == 0
	j.e.mu.Unlock()
	if j.dead = j.dead || before; j.dead {
		return errDown
	}
	err := j.Journal.Append(ctx, run, n, entries...)
	if j.dead = after; j.dead {
		return errDown
	}
	return err
}

func (j *mortal) Read(ctx context.Context, run string, from int) iter.Seq2[journal.Entry, error] {
	if j.dead {
		return func(yield func(journal.Entry, error) bool) { yield(journal.Entry{}, errDown) }
	}
	return j.Journal.Read(ctx, run, from)
}

// faultyRun carries out a run at the endpoint until it ends, or answers, and checks what
// must hold of it. If kill is true, its workers die.
func faultyRun(t *testing.T, e *endpoint, client *http.Client, url, kind string, stream, kill bool) {
	t.Helper()
	w := newWorld(t)
	model := llm.Retry{
		Model:  openai.New("m", openai.BaseURL(url), openai.HTTPClient(client), openai.NoRetry()),
		Sleep:  e.sleep,
		Random: func() float64 { return 0.5 },
	}
	worker := func() *orchestrator.Orchestrator {
		var j journal.Journal = &w.Map
		if kill {
			j = &mortal{Journal: j, e: e}
		}
		o, err := orchestrator.New(model, w.Registry, orchestrator.Journal(j), orchestrator.ConfigureEnv(func(env *run.Env) {
			env.Clock, env.Sleep = e.now, e.sleep
			if stream {
				env.Chunks = func(context.Context, run.Event) {}
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	_, err := w.orchestrator(t).Start(t.Context(), orchestrator.Input{ID: "r", Kind: kind, Request: "x", Limits: run.Limits{Steps: 30}})
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		if n > 1000 {
			t.Fatal("the run goes on for ever")
		}
		r, err := worker().Open(t.Context(), "r")
		var result *run.Result
		if err == nil {
			result, err = r.Execute(t.Context())
		}
		switch {
		case errors.Is(err, errDown):
			e.count("worker died")
		case err != nil:
			t.Fatal(err)
		case result.Status == run.Interrupted:
			e.count("run interrupted")
			e.sleep(t.Context(), time.Minute)
		case len(result.Calls) > 0:
			for _, wait := range result.Calls {
				decide(t, w.orchestrator(t), e, wait)
			}
		default:
			e.count("run " + result.Status)
			checkSound(t, w, r.State())
			return
		}
	}
}

func (e *endpoint) count(name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.faults[name]++
}

// decide decides about a call, and never has one made again.
func decide(t *testing.T, o *orchestrator.Orchestrator, e *endpoint, wait run.Wait) {
	t.Helper()
	signal := run.Deny(wait.Call, "no")
	if e.heads() {
		if signal = run.Supply(wait.Call, json.RawMessage(`"it was"`)); wait.For == run.ForApproval {
			signal = run.Approve(wait.Call, "yes", nil)
		}
	}
	if err := open(t, o).Send(t.Context(), signal); err != nil {
		t.Fatal(err)
	}
}

// checkSound checks that no result is lost, that nothing happened twice, that tools did only
// what they were asked to, and that status, steps and journal agree.
func checkSound(t *testing.T, w *world, s orchestrator.State) {
	t.Helper()
	happened := map[string]int{}
	for _, effect := range w.effects {
		name, rest, _ := strings.Cut(effect, " ")
		id, _, _ := strings.Cut(rest, " ")
		if happened[id]++; happened[id] > 1 && (name == "pay" || name == "send") {
			t.Fatalf("twice: %s", effect)
		}
	}
	if diff := cmp.Diff(encode(t, s), encode(t, open(t, w.orchestrator(t)).State())); diff != "" {
		t.Fatalf("the journal says otherwise: %s", diff)
	}
	results := map[string]bool{}
	for _, step := range s.Steps {
		if _, twice := results[step.StepID]; twice || step.Success == (step.Error != nil) {
			t.Fatalf("step %s has several results, or none: %+v", step.StepID, step)
		}
		results[step.StepID] = step.Success
	}
	if s.Plan != nil {
		for _, step := range s.Plan.Steps {
			if success, ran := results[step.ID]; step.Status.Final() != ran || success != (step.Status == plan.Complete) {
				t.Fatalf("step %s is %s, and came to %t", step.ID, step.Status, success)
			}
		}
	}
	told := map[string]bool{}
	for i, m := range s.Messages {
		if m.Result != nil {
			told[m.Result.Request.ID] = true
		}
		for k, call := range m.Calls {
			if at := i + 1 + k; at >= len(s.Messages) || s.Messages[at].Result == nil || s.Messages[at].Result.ID != call.ID {
				t.Fatalf("call %s of message %d has no result", call.ID, i)
			}
		}
	}
	for id := range happened { // the effect of a tool is reported
		step := strings.Split(strings.TrimPrefix(id, "r/"), "/")[0]
		if _, ended := results[step]; !told[id] && !ended && (s.Kind == "conversation" || s.Status == run.Completed) {
			t.Fatalf("%s did something, and nobody is told", id)
		}
	}
	if (s.Status == run.Completed || s.WaitsFor == run.ForMessage && s.Error == nil) && s.Answer == nil {
		t.Fatalf("there is no answer: %+v", s)
	}
}

// TestFaults makes runs, half of them plans and half conversations, against an endpoint that goes wrong,
// half of them with answers in pieces, and half of them with workers that die.
func TestFaults(t *testing.T) {
	t.Parallel()
	faults := map[string]int{}
	for i := range *faultyRuns {
		e := &endpoint{random: rand.New(rand.NewPCG(8, uint64(i))), faults: faults}
		kind := [...]string{"plan", "conversation"}[i%2]
		faultyRun(t, e, &http.Client{Transport: e}, "http://model.invalid/v1", kind, i/2%2 == 1, i/4%2 == 1)
	}
	figures(t, faults, "worker died")
}

// figures fails the test if something did not occur, and shows how often all did.
func figures(t *testing.T, faults map[string]int, more ...string) {
	for _, name := range append(more, "answered", "429", "429 with Retry-After", "500", "503 for minutes", "401", "timeout", "connection cut", "half an answer", "half a stream",
		"malformed JSON", "no choices", "invented tool", "wrong arguments", "endless plan", "empty answer", "no plan",
		"run completed", "run failed", "run interrupted", "run waiting",
	) {
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
		faultyRun(t, e, client, server.URL+"/v1", [...]string{"plan", "conversation"}[i%2], i/2%2 == 1, false)
	}
	server.Close() // waits for its goroutines
	figures(t, e.faults)
}

func encode(t *testing.T, x any) string {
	t.Helper()
	text, err := jsontext.Encode(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
