package planner_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// world is a shop with the effects of runs, and the model that they ask.
type world struct {
	planner.Settings
	task   task.Task
	limits run.Limits

	says  func(purpose, prompt string) string // by the model
	reads int                                 // bytes that the model can read; 0 is any
	gate  []string                            // tools that need an approval
	fails map[string]error                    // tools that fail

	refuses func(tool.Request) bool // faults that a tool reports although the arguments follow its schema

	tools   *tool.Registry // answers that are used once
	mu      sync.Mutex
	effects []string // "refund r/2/1 {…}", in the order of the effects
	prompts []string // prompts in order, each after its purpose
}

// The purposes of requests, recognized by parts of their prompts.
var purposes = [][2]string{
	{"You correct what a language model wrote", "repair"},
	{"Make a plan for this request.", "plan"},
	{"A step of a plan failed.", "replan"},
	{"A plan goes on from a step that says so.", "replan"},
	{"The user has sent a message while", "replan"},
	{"lacks arguments for the call", "arguments"},
	{"Answer this request with what came", "answer"},
	{"There is no tool for the next step.", "fallback"},
	{"Do this step", "reasoning"},
}

// Generate implements the model. Its answer depends only on the request, so it repeats itself if asked
// again.
func (w *world) Generate(_ context.Context, req llm.Request) (llm.Response, error) {
	var prompt []string
	for _, m := range req.Dialogue() {
		prompt = append(prompt, m.Text)
	}
	text := strings.Join(prompt, "\n")
	i := slices.IndexFunc(purposes, func(p [2]string) bool { return strings.Contains(text, p[0]) })
	purpose := purposes[i][1]
	w.mu.Lock()
	w.prompts = append(w.prompts, purpose+": "+text)
	w.mu.Unlock()
	if w.reads > 0 && len(text) > w.reads {
		return llm.Response{}, &llm.Error{Kind: llm.ContextFull, Status: 400}
	}
	return llm.Response{Text: w.says(purpose, text), Usage: llm.Usage{Input: 10, Output: 5}}, nil
}

// asked returns the prompts for a purpose.
func (w *world) asked(purpose string) (all []string) {
	for _, p := range w.prompts {
		if strings.HasPrefix(p, purpose+": ") {
			all = append(all, p)
		}
	}
	return all
}

// did returns the effects, without the IDs of calls.
func (w *world) did() (all []string) {
	for _, e := range w.effects {
		parts := strings.SplitN(e, " ", 3)
		all = append(all, parts[0]+" "+parts[2])
	}
	return all
}

const orderSchema = `{"type":"object","properties":{"id":{"type":"integer"},"total":{"type":"integer"}},"required":["id","total"],"additionalProperties":false}`

// shop contains the tools and their results.
var shop = []struct {
	tool.Definition
	output string
}{
	{tool.Definition{Name: "find_customer", Description: "Finds a customer.", Annotations: tool.Annotations{ReadOnly: true},
		Input:  json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"},"email":{"type":"string"},"notes":{}},"required":["id","email"],"additionalProperties":false}`)},
		`{"id":42,"email":"ada@example.com"}`},
	{tool.Definition{Name: "list_orders", Description: "Lists the orders of a customer.", Annotations: tool.Annotations{ReadOnly: true},
		Input:  json.RawMessage(`{"type":"object","properties":{"customer_id":{"type":"integer"},"limit":{"type":"integer"}},"required":["customer_id"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"array","items":` + orderSchema + `}`)},
		`[{"id":7,"total":99},{"id":8,"total":50}]`},
	{tool.Definition{Name: "refund", Description: "Pays an order back.",
		Input:  json.RawMessage(`{"type":"object","properties":{"order_id":{"type":"integer"},"amount":{"type":"integer"}},"required":["order_id","amount"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"string"}`)},
		`"paid"`},
	{tool.Definition{Name: "send_email", Description: "Sends an email.",
		Input:  json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"body":{"type":"string"}},"required":["to","body"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"boolean"}`)},
		`true`},
	{tool.Definition{Name: "tag", Description: "Tags an order.", Annotations: tool.Annotations{Idempotent: true},
		Input: json.RawMessage(`{"type":"object","properties":{"order_id":{"type":"integer"},"tag":{"type":"string"}},"required":["order_id","tag"],"additionalProperties":false}`)},
		`null`},
}

// registry returns the tools of the shop.
func (w *world) registry(t testing.TB) *tool.Registry {
	t.Helper()
	if w.tools != nil {
		return w.tools
	}
	r := tool.NewRegistry(tool.Use(middleware.Gate(middleware.RequireApproval(middleware.NameMatches(w.gate...)), middleware.Allow())))
	for _, s := range shop {
		made, err := schema.Dynamic(s.Definition, func(ctx context.Context, arguments json.RawMessage) (json.RawMessage, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.effects = append(w.effects, fmt.Sprintf("%s %s %s", s.Name, tool.CallFrom(ctx).ID, arguments))
			return json.RawMessage(s.output), w.fails[s.Name]
		})
		if err == nil {
			err = r.Register(made)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w.tools = r
	return r
}

// env returns the environment of a worker that does not wait between attempts.
func (w *world) env(t testing.TB, j journal.Journal) *run.Env {
	begun := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	registry := w.registry(t)
	call := caller(func(ctx context.Context, r tool.Request) *tool.Call {
		if w.refuses == nil || !w.refuses(r) {
			return registry.Call(ctx, r)
		}
		return &tool.Call{ID: r.ID, Request: r, Arguments: r.Arguments, Status: tool.StatusFailed,
			Err: &tool.ArgumentError{Tool: r.Name, Faults: []tool.Fault{{Pointer: "/to", Expected: "an address", Found: "a name"}}, Count: 1}}
	})
	return &run.Env{Journal: j, Model: w, Tools: call, Sleep: func(context.Context, time.Duration) {}, Clock: func() time.Time { return begun }}
}

// caller calls tools instead of a registry.
type caller func(context.Context, tool.Request) *tool.Call

func (f caller) Call(ctx context.Context, r tool.Request) *tool.Call { return f(ctx, r) }

// noAddress refuses emails without a recipient.
func noAddress(r tool.Request) bool {
	return r.Name == "send_email" && !strings.Contains(string(r.Arguments), "@")
}

// begin writes the first entry of the run r.
func (w *world) begin(t testing.TB, j journal.Journal) {
	t.Helper()
	data, err := jsontext.Encode(w.task)
	if err != nil {
		t.Fatal(err)
	}
	env := w.env(t, j)
	in := run.Input{Kind: task.Plan, Data: data, Tools: w.registry(t).Available(nil), Limits: w.limits, Messages: true}
	if err := env.Begin(t.Context(), "r", in); err != nil {
		t.Fatal(err)
	}
}

// execute continues the run r.
func (w *world) execute(t testing.TB, j journal.Journal, fold func(run.Event)) *run.Result {
	t.Helper()
	result, err := w.env(t, j).Execute(t.Context(), "r", w.Run, fold)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// run starts and executes a run and checks its status.
func (w *world) run(t testing.TB, status string) *run.Result {
	t.Helper()
	j := new(journal.Map)
	w.begin(t, j)
	result := w.execute(t, j, nil)
	if result.Status != status {
		t.Fatalf("it is %s, want %s: %v", result.Status, status, result.Error)
	}
	return result
}

// steps returns a plan as a model writes it.
func steps(all ...string) string {
	return `{"goal":"please Ada","steps":[` + strings.Join(all, ",") + `]}`
}

// step is a step as a model writes it.
func step(id, name, arguments string) string {
	if name == "llm" || name == "replan" {
		return fmt.Sprintf(`{"step_id":%q,"description":"step %s","agent":%q}`, id, id, name)
	}
	if arguments == "" {
		return fmt.Sprintf(`{"step_id":%q,"description":"step %s","tool":%q}`, id, id, name)
	}
	return fmt.Sprintf(`{"step_id":%q,"description":"step %s","tool":%q,"arguments":%s}`, id, id, name, arguments)
}

// replyByPurpose is a model with one answer for each purpose.
func replyByPurpose(pairs ...string) func(string, string) string {
	return func(purpose, prompt string) string {
		for i := 0; i < len(pairs); i += 2 {
			of, having, _ := strings.Cut(pairs[i], "|")
			if purpose == of && strings.Contains(prompt, having) {
				return pairs[i+1]
			}
		}
		return "the " + purpose
	}
}

func send(t testing.TB, j journal.Journal, s run.Signal) {
	t.Helper()
	if err := run.SendSignal(t.Context(), j, "r", time.Now(), s, nil); err != nil {
		t.Fatal(err)
	}
}

func entries(t testing.TB, j journal.Journal) (all []journal.Entry) {
	t.Helper()
	for e, err := range j.Read(t.Context(), "r", 0) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// kinds returns the effects in a journal.
func kinds(t testing.TB, j journal.Journal) (all []string) {
	for _, e := range entries(t, j) {
		if e.Effect != "" || e.Kind == "end" {
			all = append(all, strings.TrimSpace(e.Kind+" "+e.Effect))
		}
	}
	return all
}

// history returns the journal of a run without times, writers, claims, stops and decisions.
// Consecutive calls are in the order of their IDs.
func history(t testing.TB, j journal.Journal) (texts []string) {
	t.Helper()
	isCall := func(text string) bool {
		return strings.HasPrefix(text, "request ") || strings.HasPrefix(text, "outcome ")
	}
	for _, e := range entries(t, j) {
		switch e.Kind {
		case "begin", "model", "do", "end", "request", "outcome":
			text := e.Kind + " " + e.Effect + " " + passing.ReplaceAllString(string(e.Data), "")
			if !isCall(text) || !slices.Contains(texts, text) { // a call may have been repeated
				texts = append(texts, text)
			}
		}
	}
	for i := 0; i < len(texts); {
		k := i
		for k < len(texts) && isCall(texts[k]) {
			k++
		}
		slices.Sort(texts[i:k])
		i = k + 1
	}
	return texts
}

var passing = regexp.MustCompile(`"(attempt|duration|started|timestamp)":("[^"]*"|\d+),?`)

// once checks that calls of tools that are neither read-only nor idempotent were made at most once,
// except for repeated ones, and that an ID always has the same arguments.
func (w *world) once(t testing.TB, redone []string) {
	t.Helper()
	arguments, times := map[string]string{}, map[string]int{}
	for _, e := range w.effects {
		parts := strings.SplitN(e, " ", 3)
		if before, known := arguments[parts[1]]; known && before != parts[2] {
			t.Errorf("%s ran with %s and %s", parts[1], before, parts[2])
		}
		arguments[parts[1]] = parts[2]
		times[parts[1]]++
		if times[parts[1]] > 1 && (parts[0] == "refund" || parts[0] == "send_email") && !slices.Contains(redone, parts[1]) {
			t.Errorf("it happened again: %s", e)
		}
	}
}

// newStep returns a step of a plan in Go.
func newStep(id, name, arguments string) plan.Step {
	s := plan.Step{ID: id, Description: "step " + id, Tool: name, Arguments: json.RawMessage(arguments)}
	if name == "llm" {
		s.Tool, s.Agent, s.Arguments = "", plan.AgentLLM, nil
	}
	return s
}
