package planner_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/internal/testdata/dying"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// sentMessage is a message that is sent to a plan when something happens.
type sentMessage struct {
	when string // "begun", the purpose of a request to the model, or the name of a called tool
	text string
}

// message is a plan during which a message is sent.
type message struct {
	settings planner.Settings
	task     task.Task
	said     []sentMessage
	model    []string
	effects  []string
	status   string
	answer   string
	asked    string // expected purposes, in order
}

var first = steps(step("1", "find_customer", `{"query":"Ada"}`), step("2", "send_email", `{"to":"<<step:1/email>>","body":"Hello."}`))

const found, mailed = `find_customer {"query":"Ada"}`, `send_email {"to":"ada@example.com","body":"Hello."}`

var messages = map[string]message{
	"before it begins": {
		task: task.Task{Request: "Mail Ada."}, said: []sentMessage{{"begun", "Do not send the mail."}},
		model:   []string{"plan|Do not send", steps(step("1", "find_customer", `{"query":"Ada"}`)), "plan", first},
		effects: []string{found}, status: run.Completed, answer: `"the answer"`, asked: "plan answer",
	},
	"while the plan is made": {
		task: task.Task{Request: "Mail Ada."}, said: []sentMessage{{"plan", "Do not send the mail."}},
		model:   []string{"plan", first, "replan|Do not send", steps(step("3", "find_customer", `{"query":"Bob"}`))},
		effects: []string{`find_customer {"query":"Bob"}`}, status: run.Completed, answer: `"the answer"`, asked: "plan replan answer",
	},
	"while a step runs": {
		task: task.Task{Request: "Mail Ada."}, said: []sentMessage{{"find_customer", "Do not send the mail."}},
		model:   []string{"plan", first, "replan|Do not send", steps(step("3", "tag", `{"order_id":7,"tag":"x"}`))},
		effects: []string{found, `tag {"order_id":7,"tag":"x"}`}, status: run.Completed, answer: `"the answer"`, asked: "plan replan answer",
	},
	"two, and one more while the rest is planned": {
		task: task.Task{Request: "Mail Ada."}, said: []sentMessage{{"find_customer", "Do not send the mail."}, {"find_customer", "Tag it."}, {"replan", "Twice."}},
		model:   []string{"plan", first, "replan|Twice", steps(step("3", "tag", `{"order_id":7,"tag":"2"}`)), "replan|Tag it", steps(step("3", "tag", `{"order_id":7,"tag":"x"}`))},
		effects: []string{found, `tag {"order_id":7,"tag":"2"}`}, status: run.Completed, answer: `"the answer"`, asked: "plan replan replan answer",
	},
	"nothing is left to do": {
		task: task.Task{Request: "Mail Ada."}, said: []sentMessage{{"find_customer", "Do not send the mail."}},
		model:   []string{"plan", first, "replan", `{"goal":"nothing","steps":[]}`, "answer|Do not send", "Nothing was sent."},
		effects: []string{found}, status: run.Completed, answer: `"Nothing was sent."`, asked: "plan replan answer",
	},
	"nothing is done at all": {
		task: task.Task{Request: "Mail Ada."}, said: []sentMessage{{"plan", "Never mind."}},
		model:   []string{"plan", first, "replan", `{"goal":"nothing","steps":[]}`, "answer", "All right."},
		effects: nil, status: run.Completed, answer: `"All right."`, asked: "plan replan answer",
	},
	"while it answers": {
		task: task.Task{Request: "Mail Ada."}, said: []sentMessage{{"answer", "Tag it, too."}},
		model:   []string{"plan", first, "replan|Tag it", steps(step("3", "tag", `{"order_id":7,"tag":"x"}`))},
		effects: []string{found, mailed, `tag {"order_id":7,"tag":"x"}`}, status: run.Completed, answer: `"the answer"`, asked: "plan answer replan answer",
	},
	"while it answers, with nothing to do": {
		task: task.Task{Request: "Mail Ada."}, said: []sentMessage{{"answer", "In French, please."}},
		model:   []string{"plan", first, "replan", `{"steps":[]}`, "answer|French", "C'est fait."},
		effects: []string{found, mailed}, status: run.Completed, answer: `"C'est fait."`, asked: "plan answer replan answer",
	},
	"the model gives up": {
		task: task.Task{Request: "Mail Ada."}, said: []sentMessage{{"plan", "Cancel all that."}},
		model:   []string{"plan|Cancel", `{"give_up":"It was withdrawn."}`, "plan", first, "replan", `{"give_up":"It was withdrawn."}`},
		effects: nil, status: run.Failed, asked: "plan replan",
	},
	"a plan that was given, which stops after a failure": {
		settings: planner.Settings{AfterFailure: planner.Stop},
		task:     task.Task{Plan: &plan.Plan{Goal: "mail", Steps: []plan.Step{newStep("1", "find_customer", `{"query":"Ada"}`), newStep("2", "refund", `{"order_id":7,"amount":9}`)}}},
		said:     []sentMessage{{"find_customer", "Pay 8."}},
		model:    []string{"replan|Pay 8", steps(step("3", "refund", `{"order_id":7,"amount":8}`))},
		effects:  []string{found, `refund {"order_id":7,"amount":8}`}, status: run.Completed, answer: `"the answer"`, asked: "replan answer",
	},
}

// world returns the world of the run, and a journal whose process dies at an append.
func (m message) world(t *testing.T, said *int, j journal.Journal) *world {
	tell := func(when string) {
		for *said < len(m.said) && m.said[*said].when == when {
			*said++
			send(t, j, run.Say(llm.Message{Text: m.said[*said-1].text}))
		}
	}
	w := &world{Settings: m.settings, task: m.task}
	reply := replyByPurpose(m.model...)
	w.says = func(purpose, prompt string) string { tell(purpose); return reply(purpose, prompt) }
	w.refuses = func(r tool.Request) bool { tell(r.Name); return false }
	w.begin(t, j)
	tell("begun")
	return w
}

// TestMessages sends messages to plans. Each must be read before the next step, which is planned
// again, or before the run ends.
func TestMessages(t *testing.T) {
	for name, m := range messages {
		t.Run(name, func(t *testing.T) {
			j, said := new(journal.Map), 0
			w := m.world(t, &said, j)
			result := w.execute(t, j, nil)
			var asked []string
			for _, p := range w.prompts {
				purpose, _, _ := strings.Cut(p, ":")
				asked = append(asked, purpose)
			}
			if result.Status != m.status || string(result.Answer) != m.answer || !slices.Equal(w.did(), m.effects) || strings.Join(asked, " ") != m.asked {
				t.Errorf("it is %s, %s, %v; it did %q, and asked %q", result.Status, result.Answer, result.Error, w.did(), asked)
			}
			if said != len(m.said) {
				t.Errorf("%d messages were sent, want %d", said, len(m.said))
			}
			replayed, err := w.env(t, j).Replay(t.Context(), "r", w.Run, nil)
			if diff := cmp.Diff(result, replayed); diff != "" || err != nil {
				t.Errorf("replayed it is another: %s %v", diff, err)
			}
		})
	}
}

// TestMessagesKilled kills the worker of such runs at every append. No message may be lost, and no
// effect repeated.
func TestMessagesKilled(t *testing.T) {
	for name, m := range messages {
		t.Run(name, func(t *testing.T) {
			for kill, killed := 1, true; killed; kill++ {
				for _, after := range []bool{false, true} {
					j, said := new(journal.Map), 0
					w := m.world(t, &said, j)
					_, err := w.env(t, dying.Journal(j, kill, after)).Execute(t.Context(), "r", w.Run, nil)
					if killed = err != nil; killed && !errors.Is(err, dying.Err) {
						t.Fatal(err)
					}
					result := w.execute(t, j, nil)
					for result.Status == run.Waiting {
						send(t, j, run.Supply(result.Calls[0].Call, []byte(map[string]string{"refund": `"paid"`, "send_email": "true"}[result.Calls[0].Request.Name])))
						result = w.execute(t, j, nil)
					}
					w.once(t, nil)
					if last := m.said[len(m.said)-1].text; said != len(m.said) || !strings.Contains(strings.Join(w.prompts, ""), last) {
						t.Errorf("killed at %d %t: the model was not shown %q", kill, after, last)
					}
					if result.Status != m.status {
						t.Errorf("killed at %d %t: it is %s, %v", kill, after, result.Status, result.Error)
					}
				}
			}
		})
	}
}

// TestMessagesOfOldRuns replays a run that started before plans read messages. The messages that it
// was sent are not read.
func TestMessagesOfOldRuns(t *testing.T) {
	w := &world{task: task.Task{Request: "Mail Ada."}, says: replyByPurpose("plan", first)}
	j := new(journal.Map)
	w.begin(t, &beforeMessages{j})
	w.refuses = func(r tool.Request) bool {
		if r.Name != "find_customer" {
			return false
		}
		all := entries(t, j)
		err := j.Append(t.Context(), "r", len(all), journal.Entry{Format: 1, Kind: "say", By: "old", Status: run.Running, Data: []byte(`{"message":{"role":"user","text":"Do not."}}`)})
		if err != nil {
			t.Error(err)
		}
		return false
	}
	result := w.execute(t, j, nil)
	if result.Status != run.Completed || !slices.Equal(w.did(), []string{found, mailed}) || len(w.asked("replan")) > 0 {
		t.Errorf("it is %s, and did %q", result.Status, w.did())
	}
	if replayed, err := w.env(t, j).Replay(t.Context(), "r", w.Run, nil); err != nil || replayed.Status != run.Completed {
		t.Errorf("replayed it is %+v, %v", replayed, err)
	}
}

// beforeMessages is the journal of a program whose runs do not read messages.
type beforeMessages struct{ *journal.Map }

func (j beforeMessages) Append(ctx context.Context, run string, n int, entries ...journal.Entry) error {
	for i, e := range entries {
		entries[i].Data = []byte(strings.Replace(string(e.Data), `,"messages":true`, "", 1))
	}
	return j.Map.Append(ctx, run, n, entries...)
}
