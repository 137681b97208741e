package killtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// childOrder is the variable that has the order of a child, as JSON.
const childOrder = "KILLTEST_ORDER"

// order tells a child what to do.
type order struct {
	Place   string
	Effects string // a file
	Run     string
	Kind    string
	Varies  bool // the model writes other arguments whenever it is asked
}

// outcome is what a child prints when it ends without being killed.
type outcome struct {
	Result    *record.Result
	TakenOver bool
}

// execute starts or continues a run and prints the outcome.
func execute(ctx context.Context, text string, open func(place string) (journal.Journal, error)) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	j, err := open(o.Place)
	if err != nil {
		return err
	}
	tools, err := world{o.Effects}.registry()
	if err != nil {
		return err
	}
	orchestrator, err := o.orchestrator(tools, j)
	if err != nil {
		return err
	}
	r, err := o.run(ctx, orchestrator)
	if err != nil {
		return err
	}
	result, err := r.Execute(ctx)
	_, takenOver := errors.AsType[*record.TakenOver](err)
	if err != nil && !takenOver {
		return err
	}
	said, err := json.Marshal(outcome{result, takenOver})
	fmt.Printf("\noutcome %s\n", said)
	return err
}

func (o order) orchestrator(tools *tool.Registry, j journal.Journal) (*orchestrator.Orchestrator, error) {
	return orchestrator.New(llm.Func(o.generate), tools, orchestrator.Journal(reporting{j}))
}

// run opens the run, or starts it if there is none.
func (o order) run(ctx context.Context, orch *orchestrator.Orchestrator) (*orchestrator.Run, error) {
	r, err := orch.Open(ctx, o.Run)
	if _, gone := errors.AsType[*journal.Gone](err); gone {
		return orch.Start(ctx, orchestrator.Input{ID: o.Run, Kind: o.Kind, Request: "Do it."})
	}
	return r, err
}

// reporting is a journal that prints a line before and after each append.
type reporting struct{ journal.Journal }

func (j reporting) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	fmt.Println("\nappends", n)
	err := j.Journal.Append(ctx, run, n, entries...)
	fmt.Println("\nappended", n)
	return err
}

// number returns arguments with n, or with a random number if arguments vary.
func (o order) number(n int) string {
	if o.Varies {
		n = 1000 + rand.IntN(1_000_000)
	}
	return fmt.Sprintf(`{"n":%d}`, n)
}

// generate is the model.
func (o order) generate(ctx context.Context, r llm.Request) (llm.Response, error) {
	e, _ := record.EventFrom(ctx)
	start, _ := e.What.(record.ModelStart)
	fmt.Println("\nasked for", start.For)
	pause()
	if slices.ContainsFunc(r.Dialogue(), func(m llm.Message) bool { return strings.Contains(m.Text, message) }) {
		if err := (world{o.Effects}).write(effect{o.Run + "/0/0", shown, "{}"}); err != nil {
			return llm.Response{}, err
		}
	}
	response := llm.Response{Text: "done", Usage: llm.Usage{Input: 10, Output: 5}}
	switch start.For {
	case event.ForPlan:
		response.Text = o.plan("1 find", "2 pay", "3 tag", "4 send", "5 pay", "6 order", "7 find", "8 pay -")
	case event.ForReplan:
		response.Text = o.plan(fmt.Sprintf("%d pay", 100+len(r.Prompt)%10_000), fmt.Sprintf("%d tag", 20_000+len(r.Prompt)%10_000))
	case event.ForArguments:
		response.Text = `{"arguments":` + o.number(8) + `}`
	case event.ForTurn:
		o.turn(r, &response)
	}
	return response, nil
}

// plan returns a plan. Each step is an ID and a tool, and a "-" if it lacks arguments.
func (o order) plan(steps ...string) string {
	var all []string
	for i, text := range steps {
		parts := strings.Fields(text)
		arguments := o.number(i)
		if len(parts) > 2 {
			arguments = "{}"
		}
		all = append(all, fmt.Sprintf(`{"step_id":%q,"description":"do %s","tool":%q,"arguments":%s}`, parts[0], parts[1], parts[1], arguments))
	}
	return `{"goal":"all","steps":[` + strings.Join(all, ",") + `]}`
}

// turn fills in the calls of a turn of a conversation.
func (o order) turn(r llm.Request, response *llm.Response) {
	turn := 0
	for _, m := range r.Messages {
		if m.Role == llm.RoleAssistant {
			turn++
		}
	}
	calls := [][]string{{"find", "pay", "tag"}, {"send", "pay", "find"}, {"order"}, nil, {"pay"}}
	if turn >= len(calls) || calls[turn] == nil {
		return
	}
	response.Text = ""
	for i, name := range calls[turn] {
		response.Calls = append(response.Calls, tool.Request{ID: fmt.Sprint("c", turn, i), Name: name, Arguments: json.RawMessage(o.number(10*turn + i))})
	}
}
