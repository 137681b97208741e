package orchestrator_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestReply checks that the question of a tool is in the state of its run, for everybody who opens it,
// and that answers are checked. The Meta of the input identifies the caller.
func TestReply(t *testing.T) {
	whom := tool.AskPerson("Whom?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`))
	for kind, in := range map[string]orchestrator.Input{
		"plan":         {Plan: steps("pay {}")},
		"conversation": {Kind: "conversation", Request: "Pay."},
	} {
		t.Run(kind, func(t *testing.T) {
			w := newWorld(t)
			if w.answers = append(w.answers, calls("pay {}")); in.Plan != nil {
				w.answers = nil
			}
			var callers []tool.Caller
			w.during["pay"] = func(ctx context.Context) (any, error) {
				x := tool.ExchangeFrom(ctx)
				callers = append(callers, x.Caller())
				answers, err := x.Ask(ctx, whom)
				if err != nil {
					return nil, err
				}
				var who struct{ Name string }
				err = answers[0].Into(&who)
				return who.Name, err
			}
			in.Meta = map[string]string{"user": "ada", "session": "7"}
			execute(t, start(t, w.orchestrator(t), in), run.Waiting)
			r := open(t, w.orchestrator(t))
			state := r.State()
			if state.WaitsFor != run.ForAnswer || len(state.Calls) != 1 || state.Calls[0].Request.Name != "pay" {
				t.Fatalf("it waits for %s: %+v", state.WaitsFor, state.Calls)
			}
			if diff := cmp.Diff([]tool.Question{whom}, state.Calls[0].Questions); diff != "" {
				t.Error(diff)
			}
			q := state.Calls[0].Questions[0] // as it was read from the journal
			err := r.Send(t.Context(), run.Reply("r/1/1", q.Accept(json.RawMessage(`{"nom":"ada"}`))))
			if tool.Code(err) != "invalid_input" || !strings.Contains(err.Error(), `the answer to "Whom?": /name: `) {
				t.Errorf("it is refused with %v", err)
			}
			if err := r.Send(t.Context(), run.Reply("r/1/1", q.Accept(json.RawMessage(`{"name":"ada"}`)))); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Execute(t.Context()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]tool.Caller{{User: "ada", Session: "7"}, {User: "ada", Session: "7"}}, callers); diff != "" {
				t.Error(diff)
			}
			var ends []string
			for _, e := range w.events {
				if end, ok := e.What.(run.CallEnd); ok {
					ends = append(ends, string(end.Call.Output))
				}
			}
			if diff := cmp.Diff([]string{`"ada"`}, ends); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestProgress checks that the progress of parallel tools is reported to sinks, one report at a time.
func TestProgress(t *testing.T) {
	w := newWorld(t)
	w.during["find"] = func(ctx context.Context) (any, error) {
		x := tool.ExchangeFrom(ctx)
		for i := range 20 {
			if !x.Progress(float64(i), 20, "") {
				t.Error("nobody is told")
			}
		}
		return "found", nil
	}
	execute(t, start(t, w.orchestrator(t), orchestrator.Input{Plan: steps("find {}", "find {}", "find {}")}), run.Completed)
	told := map[string]float64{}
	for _, e := range w.events {
		if p, ok := e.What.(run.Progress); ok {
			if p.Done != told[p.Call] || e.Step == "" || e.Run != "r" || p.Call != "r/"+e.Step+"/1" {
				t.Errorf("%+v after %v", e, told[p.Call])
			}
			told[p.Call]++
		}
	}
	if len(told) != 3 || told["r/1/1"] != 20 || told["r/2/1"] != 20 || told["r/3/1"] != 20 {
		t.Errorf("it is told %v", told)
	}
}
