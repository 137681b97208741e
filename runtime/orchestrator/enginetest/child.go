package enginetest

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
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// childOrderVariable is the environment variable that contains the order of a child, as JSON.
const childOrderVariable = "KILLTEST_ORDER"

// childOrder tells a child what to do.
type childOrder struct {
	Place   string // of the journal
	Effects string // file in which the tools record their effects
	Run     string // ID of the run
	Kind    string // of the run
	Varies  bool   // the model writes different arguments in each answer
}

// outcome is printed by a child that ends without being killed.
type outcome struct {
	Result    *run.Result
	TakenOver bool
}

// executeChild starts or continues a run and prints the outcome.
func executeChild(ctx context.Context, text string, open func(place string) (journal.Journal, error)) error {
	var o childOrder
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	j, err := open(o.Place)
	if err != nil {
		return err
	}
	tools, err := world{o.Effects}.newRegistry()
	if err != nil {
		return err
	}
	orch, err := orchestrator.New(llm.Func(o.generateResponse), tools, orchestrator.Journal(reportingJournal{j}))
	if err != nil {
		return err
	}
	r, err := o.openRun(ctx, orch)
	if err != nil {
		return err
	}
	result, err := r.Execute(ctx)
	_, takenOver := errors.AsType[*run.TakenOverError](err)
	if err != nil && !takenOver {
		return err
	}
	printed, err := json.Marshal(outcome{result, takenOver})
	fmt.Printf("\noutcome %s\n", printed)
	return err
}

// openRun opens the run, or starts it if there is none.
func (o childOrder) openRun(ctx context.Context, orch *orchestrator.Orchestrator) (*orchestrator.Run, error) {
	r, err := orch.Open(ctx, o.Run)
	if _, notFound := errors.AsType[*journal.NotFoundError](err); notFound {
		return orch.Start(ctx, orchestrator.Input{ID: o.Run, Kind: o.Kind, Request: "Do it."})
	}
	return r, err
}

// reportingJournal is a journal that prints a line before and after each append.
type reportingJournal struct{ journal.Journal }

func (j reportingJournal) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	fmt.Println("\nappends", n)
	err := j.Journal.Append(ctx, run, n, entries...)
	fmt.Println("\nappended", n)
	return err
}

// numberText returns arguments with n, or with a random number if arguments vary.
func (o childOrder) numberText(n int) string {
	if o.Varies {
		n = 1000 + rand.IntN(1_000_000)
	}
	return fmt.Sprintf(`{"n":%d}`, n)
}

// generateResponse is the model. If it is shown the message of the parent, it records this as an
// effect.
func (o childOrder) generateResponse(ctx context.Context, r llm.Request) (llm.Response, error) {
	e, _ := run.EventFrom(ctx)
	start, _ := e.What.(run.ModelStart)
	fmt.Println("\nasked for", start.For)
	shortPause()
	if slices.ContainsFunc(r.Dialogue(), func(m llm.Message) bool { return strings.Contains(m.Text, message) }) {
		if err := (world{o.Effects}).writeEffect(effect{o.Run + "/0/0", shown, "{}"}); err != nil {
			return llm.Response{}, err
		}
	}
	response := llm.Response{Text: "done", Usage: llm.Usage{Input: 10, Output: 5}}
	switch start.For {
	case run.PurposePlan:
		response.Text = o.planText("1 find", "2 pay", "3 tag", "4 send", "5 pay", "6 order", "7 find", "8 pay -")
	case run.PurposeReplan:
		response.Text = o.planText(fmt.Sprintf("%d pay", 100+len(r.Prompt)%10_000), fmt.Sprintf("%d tag", 20_000+len(r.Prompt)%10_000))
	case run.PurposeArguments:
		response.Text = `{"arguments":` + o.numberText(8) + `}`
	case run.PurposeTurn:
		o.setTurn(r, &response)
	}
	return response, nil
}

// planText returns a plan. A step is written as "1 find", its ID and its tool, or as "8 pay -" if its
// arguments are to be missing.
func (o childOrder) planText(steps ...string) string {
	var all []string
	for i, text := range steps {
		parts := strings.Fields(text)
		arguments := o.numberText(i)
		if len(parts) > 2 {
			arguments = "{}"
		}
		all = append(all, fmt.Sprintf(`{"step_id":%q,"description":"do %s","tool":%q,"arguments":%s}`, parts[0], parts[1], parts[1], arguments))
	}
	return `{"goal":"all","steps":[` + strings.Join(all, ",") + `]}`
}

// setTurn fills in the calls of a turn of a conversation.
func (o childOrder) setTurn(r llm.Request, response *llm.Response) {
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
		response.Calls = append(response.Calls, tool.Request{ID: fmt.Sprint("c", turn, i), Name: name, Arguments: json.RawMessage(o.numberText(10*turn + i))})
	}
}
