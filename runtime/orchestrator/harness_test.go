package orchestrator_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// world is all that a run touches, without chance: a model that gives the answers
// in turn ("!" is an error), tools that count how often they ran, and a clock that
// goes on by a second whenever it is looked at.
type world struct {
	answers []string
	asked   []llm.Request
	calls   []tool.Request
	events  []record.Event
	store   memory.Store
	seconds int64
	during  func()     // runs in every tool
	finish  llm.Finish // of every answer
	offered []tool.Definition
}

func newWorld(answers ...string) *world {
	return &world{answers: answers, store: &memory.Map{}, finish: llm.FinishStop, offered: []tool.Definition{add, fail, now, send}}
}

const number = `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}`

var (
	add  = tool.Definition{Name: "add", Description: "Adds <two> numbers.", Input: json.RawMessage(number), Output: json.RawMessage(`{"type":"integer"}`)}
	fail = tool.Definition{Name: "fail", Description: "Fails.", Input: json.RawMessage(`{"type":"object","additionalProperties":false}`)}
	now  = tool.Definition{Name: "now", Description: "Tells the time.", Input: json.RawMessage(`{"type":"object","additionalProperties":false}`), Output: json.RawMessage(`{"type":"string"}`)}
	send = tool.Definition{Name: "send", Description: "Sends mail; needs approval.", Input: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"}},"required":["to"],"additionalProperties":false}`)}
)

func (w *world) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	w.asked = append(w.asked, req)
	if err := llm.ContextError(ctx, nil); err != nil {
		return llm.Response{}, err
	}
	if len(w.asked) > len(w.answers) || w.answers[len(w.asked)-1] == "!" {
		return llm.Response{}, &llm.Error{Kind: llm.Unreachable, Err: errors.New("no route")}
	}
	return llm.Response{Text: w.answers[len(w.asked)-1], Model: "script", Finish: w.finish, Usage: llm.Usage{Input: 10, Output: 1}}, nil
}

func (w *world) Definitions(context.Context) ([]tool.Definition, error) { return w.offered, nil }

func (w *world) Call(ctx context.Context, request tool.Request) *tool.Call {
	w.calls = append(w.calls, request)
	if w.during != nil {
		w.during()
	}
	c := &tool.Call{ID: request.ID, Request: request, Arguments: request.Arguments, Status: tool.StatusCompleted, Started: w.now(), Duration: time.Millisecond}
	refuse := func(status tool.Status, err error) *tool.Call {
		c.Status, c.Err = status, err
		return c
	}
	if err := ctx.Err(); err != nil {
		return refuse(tool.StatusCancelled, err)
	}
	switch request.Name {
	case "add":
		var x struct{ A, B int }
		if err := json.Unmarshal(request.Arguments, &x); err != nil {
			return refuse(tool.StatusFailed, err)
		}
		c.Output = fmt.Append(nil, x.A+x.B)
	case "now":
		c.Output = json.RawMessage("12") // not the string that it promises
	case "fail":
		return refuse(tool.StatusFailed, &tool.ToolError{Tool: "fail", Err: errors.New("out of <paper>")})
	case "send":
		if request.Approval == "" {
			return refuse(tool.StatusFailed, &tool.ApprovalError{Tool: "send"})
		}
		c.Output = json.RawMessage(`{ "sent" : "<&>" }`)
	default:
		return refuse(tool.StatusFailed, &tool.UnknownToolError{Name: request.Name})
	}
	return c
}

func (w *world) now() time.Time {
	w.seconds++
	return time.Unix(w.seconds, 0)
}

func (w *world) orchestrator(options ...orchestrator.Option) *orchestrator.Orchestrator {
	return orchestrator.New(w, w.store, w, append([]orchestrator.Option{
		orchestrator.Clock(w.now),
		orchestrator.Events(func(e record.Event) { w.events = append(w.events, e) }),
	}, options...)...)
}

// kinds are the events in short.
func (w *world) kinds() string {
	var b strings.Builder
	for _, e := range w.events {
		b.WriteString(string(e.Kind) + " ")
	}
	return strings.TrimSpace(b.String())
}

// steps is a plan of steps given as "tool {arguments}", "llm" or "".
func steps(texts ...string) *plan.Plan {
	p := &plan.Plan{Goal: "the <goal>"}
	for i, text := range texts {
		s := plan.Step{ID: fmt.Sprint(i + 1), Description: fmt.Sprintf("do part %d & more", i+1), Status: plan.Pending}
		name, arguments, _ := strings.Cut(text, " ")
		if name == "llm" {
			s.Agent = plan.AgentLLM
		} else {
			s.Tool = name
		}
		if arguments != "" {
			s.Arguments = json.RawMessage(arguments)
		}
		p.Steps = append(p.Steps, s)
	}
	return p
}

// summary is a result in short: status, TTL, steps as status and mode, error.
func summary(r *orchestrator.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d:", r.Status, r.State.TTL)
	results := map[string]record.StepResult{}
	for _, x := range r.State.Results {
		results[x.StepID] = x
	}
	for _, s := range r.Plan.Steps {
		fmt.Fprintf(&b, " %s", s.Status)
		if x, ok := results[s.ID]; ok {
			fmt.Fprintf(&b, "/%s", x.Mode)
		}
	}
	if r.Error != nil {
		fmt.Fprintf(&b, " (%s)", r.Error.Kind)
	}
	return b.String()
}

func toJSON(t *testing.T, x any) string {
	t.Helper()
	text, err := json.MarshalIndent(x, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); run with -update if it is right:\n%s", file, diff)
	}
}
