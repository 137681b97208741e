package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// world records the effects of runs.
type world struct {
	mu      sync.Mutex
	effects []string // "pay r/2/1 {…}", in the order of the effects
	asked   []string // purposes of the requests to the model
	ask     map[string]func(n int) (llm.Response, error)
	do      map[string]func(ctx context.Context, r tool.Request) (string, error) // functions that replace those of tools
	gate    map[string]bool                                                      // tools that need an approval
	asks    map[string][]tool.Question                                           // questions of tools, in order
}

// tools are the tools of every world.
var tools = []tool.Definition{
	{Name: "find", Annotations: tool.Annotations{ReadOnly: true}},
	{Name: "tag", Annotations: tool.Annotations{Idempotent: true}},
	{Name: "pay"},
}

// Call implements the methods of a registry that a run needs.
func (w *world) Call(ctx context.Context, r tool.Request) *tool.Call {
	c := &tool.Call{ID: r.ID, Request: r, Arguments: r.Arguments, Status: tool.StatusFailed, Started: time.Now(), Duration: 1}
	if w.gate[r.Name] && r.Approval == "" {
		c.Err = &tool.ApprovalError{Tool: r.Name}
		return c
	}
	if w.asks[r.Name] != nil {
		return w.exchange(ctx, r)
	}
	output, err := w.act(ctx, r)
	if err != nil {
		c.Err = &tool.ToolError{Tool: r.Name, Err: err}
		if errors.Is(ctx.Err(), context.Canceled) {
			c.Status = tool.StatusCancelled
		}
		return c
	}
	c.Status, c.Output = tool.StatusCompleted, json.RawMessage(output)
	return c
}

// act performs the effect of a tool.
func (w *world) act(ctx context.Context, r tool.Request) (output string, err error) {
	w.mu.Lock()
	w.effects = append(w.effects, fmt.Sprintf("%s %s %s", r.Name, r.ID, r.Arguments))
	w.mu.Unlock()
	if do := w.do[r.Name]; do != nil {
		return do(ctx, r)
	}
	return fmt.Sprintf(`{"%s":%q}`, r.Name, r.ID), nil
}

// exchange calls a tool that asks its questions in order, takes effect, and returns the answers.
func (w *world) exchange(ctx context.Context, r tool.Request) *tool.Call {
	asks, err := schema.Dynamic(tool.Definition{Name: r.Name, Description: "Asks.", Input: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		var said []string
		for _, q := range w.asks[r.Name] {
			answers, err := tool.ExchangeFrom(ctx).Ask(ctx, q)
			if err != nil {
				return nil, err
			}
			said = append(said, string(answers[0].Action)+string(answers[0].Value))
		}
		output, err := w.act(ctx, r)
		if err != nil {
			return nil, err
		}
		return json.Marshal(append(said, output))
	})
	if err != nil {
		panic(err)
	}
	registry := tool.NewRegistry()
	if err := registry.Register(asks); err != nil {
		panic(err)
	}
	return registry.Call(ctx, r)
}

// Generate answers with the purpose of the request.
func (w *world) Generate(_ context.Context, req llm.Request) (llm.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, req.Prompt)
	if ask := w.ask[req.Prompt]; ask != nil {
		n := 0
		for _, purpose := range w.asked {
			if purpose == req.Prompt {
				n++
			}
		}
		return ask(n)
	}
	return llm.Response{Text: "about " + req.Prompt, Usage: llm.Usage{Input: 10, Output: 5}}, nil
}

// happened returns how often a tool took effect.
func (w *world) happened(name string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, e := range w.effects {
		if strings.HasPrefix(e, name+" ") {
			n++
		}
	}
	return n
}

// env returns the environment of a worker that does not wait between attempts.
func (w *world) env(j journal.Journal) *run.Env {
	return &run.Env{Journal: j, Model: w, Tools: w, Sleep: func(context.Context, time.Duration) {}}
}

func ask(purpose, step string) run.Ask {
	return run.Ask{For: purpose, Step: step, Request: func() llm.Request { return llm.Request{Prompt: purpose} },
		Read: func(r llm.Response) json.RawMessage { return json.RawMessage(fmt.Sprintf("%q", "read "+r.Text)) }}
}

func request(step, name, arguments string) run.Request {
	return run.Request{Step: step, Request: tool.Request{Name: name, Arguments: json.RawMessage(arguments)}}
}

// everything uses all effects and returns their outcomes.
func everything(fx run.Effects, in run.Input) (json.RawMessage, error) {
	var told []string
	note := func(x any, err error) error {
		text, _ := json.Marshal(x)
		told = append(told, string(text))
		return err
	}
	for _, effect := range []func() error{
		func() error { a, err := fx.Model(ask("plan", "")); return note(string(a.Read), err) },
		func() error {
			return note(fx.Do("recall", func(context.Context) (json.RawMessage, error) { return json.RawMessage(`"it"`), nil }))
		},
		func() error {
			return call(fx, note, request("1", "find", `{"a":1}`), request("2", "find", `{"a":2}`), request("3", "pay", `{"a":1}`), request("4", "pay", `{"a":2}`))
		},
		func() error { return call(fx, note, request("5", "tag", `{"a":1}`)) },
		func() error {
			fx.Emit("5", "said")
			a, err := fx.Model(ask("think", "5"))
			return note(a.Response.Text, err)
		},
		func() error { return call(fx, note, request("5", "pay", `{"a":3}`)) },
		func() error { a, err := fx.Model(ask("answer", "")); return note(a.Response.Text, err) },
	} {
		if err := effect(); err != nil {
			return nil, err
		}
	}
	return json.Marshal(told)
}

func call(fx run.Effects, note func(any, error) error, requests ...run.Request) error {
	calls, err := fx.Call(requests...)
	for _, c := range calls {
		text := string(c.Output)
		if c.Err != nil {
			text = tool.Code(c.Err) + ": " + c.Err.Error()
		}
		_ = note(text, nil)
	}
	return err
}

// createRun creates the run "r".
func createRun(t *testing.T, env *run.Env, limits run.Limits) {
	t.Helper()
	if err := env.Begin(t.Context(), "r", run.Input{Kind: "test", Tools: tools, Limits: limits, Messages: true}); err != nil {
		t.Fatal(err)
	}
}

// execute executes "r" and checks its status.
func execute(t *testing.T, env *run.Env, f run.Func, status string) *run.Result {
	t.Helper()
	result, err := env.Execute(t.Context(), "r", f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if result.Status != status {
		t.Fatalf("the run is %+v, want %s", result, status)
	}
	return result
}

func send(t *testing.T, j journal.Journal, s run.Signal) {
	t.Helper()
	if err := run.SendSignal(t.Context(), j, "r", time.Now(), s, nil); err != nil {
		t.Fatal(err)
	}
}

func entries(t *testing.T, j journal.Journal) (all []journal.Entry) {
	t.Helper()
	for e, err := range j.Read(t.Context(), "r", 0) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// history returns the journal of a run without times, writers, claims, interruptions and decisions.
// Calls, with their requests to the model, are in the order of their IDs.
func history(t *testing.T, j journal.Journal) []string {
	t.Helper()
	ofCall := func(kind, effect string) bool {
		return kind == "request" || kind == "outcome" || strings.HasPrefix(effect, "question/")
	}
	type line struct{ key, text string }
	var lines []line
	for _, e := range entries(t, j) {
		var data map[string]json.RawMessage
		if err := json.Unmarshal(e.Data, &data); err != nil {
			t.Fatal(err)
		}
		switch e.Kind {
		case "begin", "model", "do", "end":
			delete(data, "duration")
		case "request", "outcome":
			delete(data, "attempt")
			if e.Kind == "outcome" {
				var c map[string]json.RawMessage
				if err := json.Unmarshal(data["call"], &c); err != nil {
					t.Fatal(err)
				}
				delete(c, "started")
				delete(c, "duration")
				data["call"], _ = json.Marshal(c)
			}
		default:
			continue
		}
		text, _ := json.Marshal(data)
		l := line{e.Effect, e.Kind + " " + e.Effect + " " + string(text)}
		if !ofCall(e.Kind, e.Effect) {
			l.key = fmt.Sprintf("%d", len(lines))
		}
		if !slices.Contains(lines, l) { // a request may have been repeated
			lines = append(lines, l)
		}
	}
	var texts []string
	for _, l := range lines {
		texts = append(texts, l.text)
	}
	// Calls between two other effects are sorted.
	for i := 0; i < len(texts); {
		k := i
		for k < len(texts) && ofCall(strings.Fields(texts[k])[0], strings.Fields(texts[k])[1]) {
			k++
		}
		slices.Sort(texts[i:k])
		i = k + 1
	}
	return texts
}
