package planner_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/internal/dying"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// worlds are runs that, together, do everything that a plan can do.
var worlds = map[string]func() *world{
	"given": func() *world {
		return &world{task: task.Task{Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{
			given("1", "find_customer", find), given("2", "list_orders", `{"customer_id":42}`), given("3", "refund", `{"order_id":"{{2[0].id}}","amount":9}`),
			given("4", "tag", tagIt), given("5", "send_email", `{"to":"<<step:1/email>>","body":"It is <<step:3>>."}`),
		}}}, says: says()}
	},
	"planned": func() *world {
		return &world{task: task.Task{Request: "Refund the first order of Ada."}, gate: []string{"refund"}, says: says("plan", steps(
			step("1", "find_customer", find), step("2", "list_orders", `{"customer_id":42}`), step("3", "refund", `{"amount":"9"}`),
			step("4", "llm", ""), step("5", "tag", tagIt), step("6", "send_email", `{"to":"<<step:1/email>>"}`),
		), `arguments|["order_id"]`, `{"arguments":{"order_id":"<<step:2/0/id>>"}}`, "arguments", `{"arguments":{"body":"Dear Ada"}}`)}
	},
	"anew": func() *world {
		return &world{task: task.Task{Request: "Refund."}, fails: map[string]error{"refund": errors.New("down")}, says: says(
			"plan", steps(step("1", "find_customer", find), step("2", "refund", `{"order_id":7,"amount":9}`), step("3", "tag", tagIt)),
			`replan|others: ["1","2"]`, steps(step("4", "refund", `{"order_id":7,"amount":9}`)),
			"replan", steps(step("5", "send_email", `{"to":"<<step:1/email>>","body":"Later."}`), step("6", "llm", "")))}
	},
	"mended": func() *world {
		return &world{task: task.Task{Request: "Refund.", Answer: json.RawMessage(`{"type":"object","required":["paid"],"properties":{"paid":{"type":"integer"}}}`)}, says: says(
			"plan|That cannot be used", steps(step("1", "Find-Customer", find), step("2", "pay_back", `{"order_id":7,"amount":9}`)),
			"plan", steps(step("1", "find_customer", `{"query":"<the result of step 0>"}`)),
			"repair|pay_back", `{"tool":"refund"}`, "repair", `{"goal":"g","steps":[]}`,
			"answer|That cannot be used", `{"paid":9}`, "answer", `{"paid":"nine"}`)}
	},
	"refused": func() *world {
		return &world{refuses: noAddress, task: task.Task{Request: "Greet Ada."}, says: says("plan", steps(step("1", "send_email", `{"to":"Ada","body":"Hi"}`), step("2", "send_email", `{"to":"Bob","body":"Hi"}`)),
			`arguments|"step 2"`+"\n\nIts tool", `{"cannot":"who is Bob?"}`, "arguments", `{"arguments":{"to":"ada@example.com"}}`, "replan", `{"give_up":"Who is Bob?"}`)}
	},
	"shortened": func() *world {
		return &world{Settings: planner.Settings{ShownBytes: 4000}, reads: 3000, task: task.Task{Plan: &plan.Plan{Goal: "g", Steps: []plan.Step{given("1", "llm", ""), given("2", "llm", ""), given("3", "tag", tagIt), given("4", "llm", "")}}},
			says: says("reasoning", strings.Repeat("long ", 1000))}
	},
	"repaired": func() *world {
		return &world{task: task.Task{Request: "Find Ada."}, says: says(
			"plan", steps(step("1", "find_customer", `{"words":"Ada"}`)), "repair", steps(step("1", "find_customer", find)))}
	},
	"continues": func() *world {
		return &world{task: task.Task{Request: "Refund the first order of Ada if it is cheap."}, says: says(
			"plan", steps(step("1", "find_customer", find), step("2", "list_orders", `{"customer_id":"{{step1.id}}"}`), step("3", "replan", ""), step("4", "llm", "")),
			`replan|from which planning goes on, as a JSON string: "step 3"`, steps(step("5", "refund", `{"order_id":"<<step:2/1/id>>","amount":50}`), step("6", "replan", "")),
			"replan", `{"goal":"g","steps":[]}`)}
	},
	"suspect": func() *world {
		return &world{task: task.Task{Request: "Mail Ada."}, says: says(
			"plan", steps(step("2", "send_email", `{"to":"<<step:1/email>>","body":"TBD"}`), step("1", "find_customer", find), step("3", "send_email", `{"to":"<customer email>","body":"Hi"}`)),
			`arguments|That cannot be used`, `{"arguments":{"body":"[Name] is right"}}`, `arguments|"step 2"`+"\n", `{"arguments":{"body":"[Name] is right"}}`, "arguments", `{"arguments":{"to":"<customer email>"}}`)}
	},
	"continued": func() *world {
		return &world{Settings: planner.Settings{AfterFailure: planner.Continue}, task: task.Task{Request: "Refund."}, fails: map[string]error{"send_email": errors.New("full")}, gate: []string{"tag"}, says: says(
			"plan", steps(step("1", "send_email", `{"to":"ada","body":"Hi"}`), step("2", "tag", `{"order_id":7,"tag":"<<step:1>> it is"}`), step("3", "tag", tagIt), step("4", "nothing", ""), step("5", "refund", "")),
			"repair", "{}", "arguments", `{"cannot":"no order"}`)}
	},
}

// TestWorlds holds what they do: what is killed below is this.
func TestWorlds(t *testing.T) {
	for name, want := range map[string][2]string{
		"given":     {record.Completed, `do begin, outcome r/1/1, outcome r/2/1, request r/3/1, outcome r/3/1, request r/4/1, outcome r/4/1, request r/5/1, outcome r/5/1, end`},
		"planned":   {record.Completed, `do begin, model plan/, outcome r/1/1, outcome r/2/1, model arguments/3, request r/3/1, outcome r/3/1, approve r/3/1, request r/3/1, outcome r/3/1, model reasoning/4, request r/5/1, outcome r/5/1, model arguments/6, request r/6/1, outcome r/6/1, model answer/, end`},
		"anew":      {record.Completed, `do begin, model plan/, outcome r/1/1, request r/2/1, outcome r/2/1, model replan/, request r/4/1, outcome r/4/1, model replan/, request r/5/1, outcome r/5/1, model reasoning/6, end`},
		"mended":    {record.Completed, `do begin, model plan/, model plan/, model repair/, do compile, outcome r/1/1, request r/2/1, outcome r/2/1, model answer/, model answer/, end`},
		"repaired":  {record.Completed, `do begin, model plan/, model repair/, do compile, outcome r/1/1, model answer/, end`},
		"continues": {record.Completed, `do begin, model plan/, outcome r/1/1, outcome r/2/1, model replan/, request r/5/1, outcome r/5/1, model replan/, model answer/, end`},
		"suspect":   {record.Completed, `do begin, model plan/, outcome r/1/1, model arguments/2, model arguments/2, request r/2/1, outcome r/2/1, model arguments/3, request r/3/1, outcome r/3/1, model answer/, end`},
		"refused":   {record.Failed, `do begin, model plan/, request r/1/1, outcome r/1/1, model arguments/1, request r/1/2, outcome r/1/2, request r/2/1, outcome r/2/1, model arguments/2, model replan/, end`},
		"shortened": {record.Completed, `do begin, model reasoning/1, model reasoning/2, model reasoning/2, request r/3/1, outcome r/3/1, model reasoning/4, end`},
		"continued": {record.Failed, `do begin, model plan/, model repair/, do compile, request r/1/1, outcome r/1/1, request r/3/1, outcome r/3/1, deny r/3/1, outcome r/3/1, model fallback/4, model arguments/5, model answer/, end`},
	} {
		w, j := worlds[name](), new(journal.Map)
		w.begin(t, j)
		result, _ := settle(t, w, func() journal.Journal { return j })
		if diff := cmp.Diff(want, [2]string{result.Status, strings.Join(kinds(t, j), ", ")}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// settle executes a run until it has ended. What waits for an approval is approved, a
// tag denied; calls that nobody knows of are redone.
func settle(t *testing.T, w *world, open func() journal.Journal) (result *record.Result, redone []string) {
	t.Helper()
	for range 100 {
		j := open()
		result, err := w.env(t, j).Execute(t.Context(), "r", w.Run, nil)
		if err != nil {
			t.Fatal(err)
		}
		if result.Status != record.Waiting {
			return result, redone
		}
		for _, c := range result.Calls {
			switch {
			case c.For == record.ForDecision:
				send(t, j, record.Redo(c.Call))
				redone = append(redone, c.Call)
			case len(w.gate) > 0 && w.gate[0] == "tag":
				send(t, j, record.Deny(c.Call, "no tags"))
			default:
				send(t, j, record.Approve(c.Call, "ada", nil))
			}
		}
	}
	t.Fatal("it waits for ever")
	return nil, nil
}

// calm is what becomes of a run that nobody kills.
type calm struct {
	result  *record.Result
	history []string
}

func calmly(t *testing.T, w *world) *calm {
	t.Helper()
	j := new(journal.Map)
	w.begin(t, j)
	result, _ := settle(t, w, func() journal.Journal { return j })
	return &calm{result, history(t, j)}
}

// killed has a run go through workers that die at the given appends, and returns
// whether the first did; what becomes of the run is what becomes of one that nobody
// kills.
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

// TestKilled kills workers at every append, before and after it, and those that go on,
// too (agent.md A5).
func TestKilled(t *testing.T) {
	for name, make := range worlds {
		t.Run(name, func(t *testing.T) {
			calm := calmly(t, make())
			for kill, died := 1, true; died && !t.Failed(); kill++ {
				for second := range 3 {
					for _, after := range []bool{false, true} {
						j := new(journal.Map)
						died = killed(t, make(), calm, func() journal.Journal { return j }, []int{kill, second}, after)
					}
				}
			}
		})
	}
}

// TestKilledOnFile is the same on files, of which every worker opens its own.
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

// TestReplayed: a run that ended is replayed as it was, without a model or tools, and
// tells the fold the same.
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
				got, err := w.env(t, j).Replay(t.Context(), "r", w.Run, func(e record.Event) {
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
	past int // effects that were asked for after that
	stop *record.Stop
}

func (s *stopping) stops() bool {
	if s.left--; s.left < 0 {
		s.past++
	}
	return s.left <= 0
}

func (s *stopping) Model(a run.Ask) (answer record.Answer, err error) {
	if s.stops() {
		return answer, s.stop
	}
	return s.Effects.Model(a)
}

// TestStopped has each effect in turn stop the run: the function returns that stop, and
// asks for nothing more.
func TestStopped(t *testing.T) {
	for name, make := range worlds {
		t.Run(name, func(t *testing.T) {
			for n, stopped := 1, true; stopped; n++ {
				w, j := make(), new(journal.Map)
				w.gate = nil
				w.begin(t, j)
				s := &stopping{left: n, stop: &record.Stop{Status: record.Interrupted}}
				_, err := w.env(t, j).Execute(t.Context(), "r", func(fx run.Effects, in record.Input) (json.RawMessage, error) {
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
