package orchestrator_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// world is the environment of runs: a model that returns its answers in order and then "done", and
// tools that record their effects.
type world struct {
	*tool.Registry
	journal.Map

	mu      sync.Mutex
	answers []llm.Response
	err     error // errors of the model, each used once
	asked   []llm.Request
	effects []string                                          // "pay r/1/1 {…}"
	during  map[string]func(ctx context.Context) (any, error) // functions that replace those of tools
	events  []run.Event
}

// newWorld returns a world with the tools find, which is read-only, tag, which is idempotent, pay, and
// send, which needs an approval. Each returns the ID of its call.
func newWorld(t *testing.T, answers ...string) *world {
	t.Helper()
	w := &world{Registry: tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval(middleware.NameMatches("send")), middleware.Allow()))), during: map[string]func(context.Context) (any, error){}}
	for _, text := range answers {
		w.answers = append(w.answers, llm.Response{Text: text})
	}
	for name, does := range map[string]tool.Annotations{"find": {ReadOnly: true}, "tag": {Idempotent: true}, "pay": {}, "send": {}} {
		if err := w.Register(w.tool(t, name, does)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) tool(t *testing.T, name string, does tool.Annotations) tool.Tool {
	t.Helper()
	made, err := schema.Dynamic(tool.Definition{
		Name: name, Description: "Does " + name + ".", Annotations: does,
		Input:  json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"n":{"type":"integer"}},"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"string"}`),
	}, func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
		id := tool.CallFrom(ctx).ID
		w.mu.Lock()
		w.effects = append(w.effects, fmt.Sprintf("%s %s %s", name, id, arguments))
		does := w.during[name]
		w.mu.Unlock()
		if does == nil {
			return json.Marshal(id)
		}
		value, err := does(ctx)
		if err != nil {
			return nil, err
		}
		return json.Marshal(value)
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Generate returns the next answer.
func (w *world) Generate(ctx context.Context, r llm.Request) (llm.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, r)
	if err := w.err; err != nil {
		w.err = nil
		return llm.Response{}, err
	}
	answer := llm.Response{Text: "done"}
	if len(w.answers) > 0 {
		answer, w.answers = w.answers[0], w.answers[1:]
	}
	answer.Usage = llm.Usage{Input: 10, Output: 2}
	return answer, nil
}

// orchestrator returns an orchestrator like that of another process.
func (w *world) orchestrator(t *testing.T, options ...orchestrator.Option) *orchestrator.Orchestrator {
	t.Helper()
	o, err := orchestrator.New(w, w.Registry, append([]orchestrator.Option{
		orchestrator.Journal(&w.Map),
		orchestrator.ConfigureEnv(func(env *run.Env) { env.Grace = 1 }),
		orchestrator.Events(func(_ context.Context, e run.Event) { w.events = append(w.events, e) }),
	}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// start starts the run "r".
func start(t *testing.T, o *orchestrator.Orchestrator, in orchestrator.Input) *orchestrator.Run {
	t.Helper()
	in.ID = "r"
	r, err := o.Start(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// open opens the run "r".
func open(t *testing.T, o *orchestrator.Orchestrator) *orchestrator.Run {
	t.Helper()
	r, err := o.Open(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// execute executes a run and checks its status.
func execute(t *testing.T, r *orchestrator.Run, status string) *run.Result {
	t.Helper()
	result, err := r.Execute(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if result.Status != status {
		t.Fatalf("the run is %s, want %s: %+v", result.Status, status, result)
	}
	return result
}

// steps returns a plan of steps, each a tool and its arguments.
func steps(texts ...string) *plan.Plan {
	p := &plan.Plan{Goal: "the goal"}
	for i, text := range texts {
		name, arguments, _ := strings.Cut(text, " ")
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint(i + 1), Description: fmt.Sprintf("do part %d", i+1), Tool: name, Arguments: json.RawMessage(arguments)})
	}
	return p
}

func calls(names ...string) (r llm.Response) {
	for i, text := range names {
		name, arguments, _ := strings.Cut(text, " ")
		r.Calls = append(r.Calls, tool.Request{ID: fmt.Sprint("c", i), Name: name, Arguments: json.RawMessage(arguments)})
	}
	return r
}

var errDown = errors.New("the store is down")
