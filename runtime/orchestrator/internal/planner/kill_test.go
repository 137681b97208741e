package planner_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/internal/testdata/dying"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// worlds are runs that together use every feature of plans.
var worlds = map[string]func() *world{
	"given": func() *world {
		return &world{task: task.Task{Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{
			newStep("1", "find_customer", find), newStep("2", "list_orders", `{"customer_id":42}`), newStep("3", "refund", `{"order_id":"{{2[0].id}}","amount":9}`),
			newStep("4", "tag", tagIt), newStep("5", "send_email", `{"to":"<<step:1/email>>","body":"It is <<step:3>>."}`),
		}}}, says: replyByPurpose()}
	},
	"planned": func() *world {
		return &world{task: task.Task{Request: "Refund the first order of Ada."}, gate: []string{"refund"}, says: replyByPurpose("plan", steps(
			step("1", "find_customer", find), step("2", "list_orders", `{"customer_id":42}`), step("3", "refund", `{"amount":"9"}`),
			step("4", "llm", ""), step("5", "tag", tagIt), step("6", "send_email", `{"to":"<<step:1/email>>"}`),
		), `arguments|["order_id"]`, `{"arguments":{"order_id":"<<step:2/0/id>>"}}`, "arguments", `{"arguments":{"body":"Dear Ada"}}`)}
	},
	"anew": func() *world {
		return &world{task: task.Task{Request: "Refund."}, fails: map[string]error{"refund": errors.New("down")}, says: replyByPurpose(
			"plan", steps(step("1", "find_customer", find), step("2", "refund", `{"order_id":7,"amount":9}`), step("3", "tag", tagIt)),
			`replan|others: ["1","2"]`, steps(step("4", "refund", `{"order_id":7,"amount":9}`)),
			"replan", steps(step("5", "send_email", `{"to":"<<step:1/email>>","body":"Later."}`), step("6", "llm", "")))}
	},
	"mended": func() *world {
		return &world{task: task.Task{Request: "Refund.", Answer: json.RawMessage(`{"type":"object","required":["paid"],"properties":{"paid":{"type":"integer"}}}`)}, says: replyByPurpose(
			"plan|That cannot be used", steps(step("1", "Find-Customer", find), step("2", "pay_back", `{"order_id":7,"amount":9}`)),
			"plan", steps(step("1", "find_customer", `{"query":"<the result of step 0>"}`)),
			"repair|pay_back", `{"tool":"refund"}`, "repair", `{"goal":"g","steps":[]}`,
			"answer|That cannot be used", `{"paid":9}`, "answer", `{"paid":"nine"}`)}
	},
	"refused": func() *world {
		return &world{refuses: noAddress, task: task.Task{Request: "Greet Ada."}, says: replyByPurpose("plan", steps(step("1", "send_email", `{"to":"Ada","body":"Hi"}`), step("2", "send_email", `{"to":"Bob","body":"Hi"}`)),
			`arguments|"step 2"`+"\n\nIts tool", `{"cannot":"who is Bob?"}`, "arguments", `{"arguments":{"to":"ada@example.com"}}`, "replan", `{"give_up":"Who is Bob?"}`)}
	},
	"shortened": func() *world {
		return &world{Settings: planner.Settings{ShownBytes: 4000}, reads: 3000, task: task.Task{Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{newStep("1", "llm", ""), newStep("2", "llm", ""), newStep("3", "tag", tagIt), newStep("4", "llm", "")}}},
			says: replyByPurpose("reasoning", strings.Repeat("long ", 1000))}
	},
	"repaired": func() *world {
		return &world{task: task.Task{Request: "Find Ada."}, says: replyByPurpose(
			"plan", steps(step("1", "find_customer", `{"words":"Ada"}`)), "repair", steps(step("1", "find_customer", find)))}
	},
	"continues": func() *world {
		return &world{task: task.Task{Request: "Refund the first order of Ada if it is cheap."}, says: replyByPurpose(
			"plan", steps(step("1", "find_customer", find), step("2", "list_orders", `{"customer_id":"{{step1.id}}"}`), step("3", "replan", ""), step("4", "llm", "")),
			`replan|from which planning goes on, as a JSON string: "step 3"`, steps(step("5", "refund", `{"order_id":"<<step:2/1/id>>","amount":50}`), step("6", "replan", "")),
			"replan", `{"goal":"g","steps":[]}`)}
	},
	"suspect": func() *world {
		return &world{task: task.Task{Request: "Mail Ada."}, says: replyByPurpose(
			"plan", steps(step("2", "send_email", `{"to":"<<step:1/email>>","body":"TBD"}`), step("1", "find_customer", find), step("3", "send_email", `{"to":"<customer email>","body":"Hi"}`)),
			`arguments|That cannot be used`, `{"arguments":{"body":"[Name] is right"}}`, `arguments|"step 2"`+"\n", `{"arguments":{"body":"[Name] is right"}}`, "arguments", `{"arguments":{"to":"<customer email>"}}`)}
	},
	"continued": func() *world {
		return &world{Settings: planner.Settings{AfterFailure: planner.Continue}, task: task.Task{Request: "Refund."}, fails: map[string]error{"send_email": errors.New("full")}, gate: []string{"tag"}, says: replyByPurpose(
			"plan", steps(step("1", "send_email", `{"to":"ada","body":"Hi"}`), step("2", "tag", `{"order_id":7,"tag":"<<step:1>> it is"}`), step("3", "tag", tagIt), step("4", "nothing", ""), step("5", "refund", "")),
			"repair", "{}", "arguments", `{"cannot":"no order"}`)}
	},
}

// TestWorlds checks the outcomes of the worlds, whose workers the following tests kill.
func TestWorlds(t *testing.T) {
	for name, want := range map[string][2]string{
		"given":     {run.Completed, `do begin, outcome r/1/1, outcome r/2/1, request r/3/1, outcome r/3/1, request r/4/1, outcome r/4/1, request r/5/1, outcome r/5/1, end`},
		"planned":   {run.Completed, `do begin, model plan/, outcome r/1/1, outcome r/2/1, model arguments/3, request r/3/1, outcome r/3/1, approve r/3/1, request r/3/1, outcome r/3/1, model reasoning/4, request r/5/1, outcome r/5/1, model arguments/6, request r/6/1, outcome r/6/1, model answer/, end`},
		"anew":      {run.Completed, `do begin, model plan/, outcome r/1/1, request r/2/1, outcome r/2/1, model replan/, request r/4/1, outcome r/4/1, model replan/, request r/5/1, outcome r/5/1, model reasoning/6, end`},
		"mended":    {run.Completed, `do begin, model plan/, model plan/, model repair/, do compile, outcome r/1/1, request r/2/1, outcome r/2/1, model answer/, model answer/, end`},
		"repaired":  {run.Completed, `do begin, model plan/, model repair/, do compile, outcome r/1/1, model answer/, end`},
		"continues": {run.Completed, `do begin, model plan/, outcome r/1/1, outcome r/2/1, model replan/, request r/5/1, outcome r/5/1, model replan/, model answer/, end`},
		"suspect":   {run.Completed, `do begin, model plan/, outcome r/1/1, model arguments/2, model arguments/2, request r/2/1, outcome r/2/1, model arguments/3, request r/3/1, outcome r/3/1, model answer/, end`},
		"refused":   {run.Failed, `do begin, model plan/, request r/1/1, outcome r/1/1, model arguments/1, request r/1/2, outcome r/1/2, request r/2/1, outcome r/2/1, model arguments/2, model replan/, end`},
		"shortened": {run.Completed, `do begin, model reasoning/1, model reasoning/2, model reasoning/2, request r/3/1, outcome r/3/1, model reasoning/4, end`},
		"continued": {run.Failed, `do begin, model plan/, model repair/, do compile, request r/1/1, outcome r/1/1, request r/3/1, outcome r/3/1, deny r/3/1, outcome r/3/1, model fallback/4, model arguments/5, model answer/, end`},
	} {
		w, j := worlds[name](), new(journal.Map)
		w.begin(t, j)
		result, _ := settle(t, w, func() journal.Journal { return j })
		if diff := cmp.Diff(want, [2]string{result.Status, strings.Join(kinds(t, j), ", ")}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// settle executes a run until it has ended. It approves calls, except for tag, which it denies, and
// repeats calls with an unknown outcome.
func settle(t *testing.T, w *world, open func() journal.Journal) (result *run.Result, redone []string) {
	t.Helper()
	for range 100 {
		j := open()
		result, err := w.env(t, j).Execute(t.Context(), "r", w.Run, nil)
		if err != nil {
			t.Fatal(err)
		}
		if result.Status != run.Waiting {
			return result, redone
		}
		for _, c := range result.Calls {
			switch {
			case c.For == run.ForDecision:
				send(t, j, run.Redo(c.Call))
				redone = append(redone, c.Call)
			case len(w.gate) > 0 && w.gate[0] == "tag":
				send(t, j, run.Deny(c.Call, "no tags"))
			default:
				send(t, j, run.Approve(c.Call, "ada", nil))
			}
		}
	}
	t.Fatal("it waits for ever")
	return nil, nil
}

// calm returns the outcome of a run without kills.
type calm struct {
	result  *run.Result
	history []string
}

func calmly(t *testing.T, w *world) *calm {
	t.Helper()
	j := new(journal.Map)
	w.begin(t, j)
	result, _ := settle(t, w, func() journal.Journal { return j })
	return &calm{result, history(t, j)}
}

// killed executes a run with workers that die at the given appends, checks that the outcome is that
// without kills, and reports whether the first worker died.
func killed(t *testing.T, w *world, calm *calm, open func() journal.Journal, kills []int, after bool) (died bool) {
	t.Helper()
	w.begin(t, open())
	for i, n := range kills {
		if n == 0 {
			continue
		}
		_, err := w.env(t, dying.Journal(open(), n, after)).Execute(t.Context(), "r", w.Run, nil)
		if err != nil && !errors.Is(err, dying.Err) {
			t.Fatal(err)
		}
		died = died || i == 0 && err != nil
	}
	got, redone := settle(t, w, open)
	if diff := cmp.Diff(calm.result, got); diff != "" {
		t.Errorf("killed at %v, after it: %t: %s", kills, after, diff)
	}
	if diff := cmp.Diff(calm.history, history(t, open())); diff != "" {
		t.Errorf("killed at %v, after it: %t: %s", kills, after, diff)
	}
	w.once(t, redone)
	return died
}

// TestKilled kills workers before and after every append, and also the workers that take over.
func TestKilled(t *testing.T) {
	seconds := 3
	if testing.Short() {
		seconds = 1
	}
	for name, make := range worlds {
		t.Run(name, func(t *testing.T) {
			calm := calmly(t, make())
			for kill, died := 1, true; died && !t.Failed(); kill++ {
				for second := range seconds {
					for _, after := range []bool{false, true} {
						j := new(journal.Map)
						died = killed(t, make(), calm, func() journal.Journal { return j }, []int{kill, second}, after)
					}
				}
			}
		})
	}
}

// TestKilledOnFile does the same with files, which every worker opens itself.
func TestKilledOnFile(t *testing.T) {
	for name, make := range worlds {
		t.Run(name, func(t *testing.T) {
			calm := calmly(t, make())
			for kill, died := 1, true; died && !t.Failed(); kill++ {
				folder := t.TempDir()
				died = killed(t, make(), calm, func() journal.Journal {
					j, err := file.Open(folder)
					if err != nil {
						t.Fatal(err)
					}
					return j
				}, []int{kill}, kill%2 == 0)
			}
		})
	}
}

// TestReplayed checks that a completed run can be replayed without a model or tools, and passes the
// same events to the fold.
func TestReplayed(t *testing.T) {
	for name, make := range worlds {
		t.Run(name, func(t *testing.T) {
			w, j := make(), new(journal.Map)
			w.begin(t, j)
			want, _ := settle(t, w, func() journal.Journal { return j })
			w.says, w.effects = nil, nil
			var events []string
			for range 2 {
				var told []string
				got, err := w.env(t, j).Replay(t.Context(), "r", w.Run, func(e run.Event) {
					what, _ := json.Marshal(e.What)
					told = append(told, fmt.Sprintf("%T %s %s", e.What, e.Step, what))
				})
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Error(diff, err)
				}
				if diff := cmp.Diff(events, told); diff != "" && events != nil {
					t.Error(diff)
				}
				events = told
			}
			if len(w.effects) > 0 {
				t.Error(w.effects)
			}
		})
	}
}

// stopping are effects of which the n-th stops the run.
type stopping struct {
	run.Effects
	left int
	past int // effects that were requested after that
	stop *run.Stop
}

func (s *stopping) stops() bool {
	if s.left--; s.left < 0 {
		s.past++
	}
	return s.left <= 0
}

func (s *stopping) Model(a run.Ask) (answer run.Answer, err error) {
	if s.stops() {
		return answer, s.stop
	}
	return s.Effects.Model(a)
}

// TestStopped lets each effect in turn stop the run. The function must return that stop and request
// nothing more.
func TestStopped(t *testing.T) {
	for name, make := range worlds {
		t.Run(name, func(t *testing.T) {
			for n, stopped := 1, true; stopped; n++ {
				w, j := make(), new(journal.Map)
				w.gate = nil
				w.begin(t, j)
				s := &stopping{left: n, stop: &run.Stop{Status: run.Interrupted}}
				_, err := w.env(t, j).Execute(t.Context(), "r", func(fx run.Effects, in run.Input) (json.RawMessage, error) {
					s.Effects = fx
					answer, err := w.Run(s, in)
					if stopped = s.left <= 0; stopped && err != error(s.stop) || s.past > 0 {
						t.Errorf("effect %d: it returned %v, and asked for %d more", n, err, s.past)
					}
					return answer, nil
				}, nil)
				if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func (s *stopping) Call(requests ...run.Request) ([]*tool.Call, error) {
	if s.stops() {
		return nil, s.stop
	}
	return s.Effects.Call(requests...)
}

func (s *stopping) Do(name string, f func(context.Context) (json.RawMessage, error)) (json.RawMessage, error) {
	if s.stops() {
		return nil, s.stop
	}
	return s.Effects.Do(name, f)
}
