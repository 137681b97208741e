// Package sampleruns makes runs of all kinds for the tests of pages that show them. Their journal is
// the same each time.
package sampleruns

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/scripted"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Hostile is a text that breaks pages which do not escape it.
const Hostile = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>{{.}}\u202e\x1b[31m</style>javascript:alert(3)"

// Samples are runs in a journal, with the agent that made them.
type Samples struct {
	Journal *journal.Map
	Agent   *orchestrator.Orchestrator // its model answers "Done." to everything
}

// New makes the samples:
//
//	plan      a plan with references, a missing argument and a repaired one; completed
//	approval  a plan that waits for an approval
//	edited    like approval, then approved with other arguments
//	talk      a conversation with an answer, which waits for a message
//	question  a conversation whose tool asks a person
//	lost      a plan whose process was killed during a payment; it waits for a decision
//	killed    like lost, before another process has noticed
//	agent     a conversation with an agent as a tool
//	fork      a fork of plan
//	failed    a request for which the model made no plan
//	damaged   like plan, with an entry that cannot be read
//	hostile   a conversation of hostile texts
func New(ctx context.Context) (*Samples, error) {
	s := &sampler{ctx: ctx, journal: new(journal.Map)}
	for id, make := range s.scenes() {
		if s.err = make(id); s.err != nil {
			return nil, fmt.Errorf("sample %q: %w", id, s.err)
		}
	}
	stable, err := s.stableCopy()
	if err != nil {
		return nil, err
	}
	s.journal = stable
	agent, err := s.newAgent(orchestrator.Conversation{})
	return &Samples{Journal: stable, Agent: agent}, err
}

// sampler makes runs.
type sampler struct {
	ctx     context.Context
	journal *journal.Map
	answers []scripted.Answer
	err     error
}

// scenes yields the IDs of the samples and the methods that make them, in order: some are copies of earlier ones.
func (s *sampler) scenes() func(yield func(string, func(string) error) bool) {
	return func(yield func(string, func(string) error) bool) {
		_ = yield("plan", s.makePlan) && yield("approval", s.makeApproval) && yield("edited", s.makeEdited) && yield("talk", s.makeTalk) &&
			yield("question", s.makeQuestion) && yield("killed", s.makeKilled) && yield("lost", s.makeLost) && yield("agent", s.makeAgent) &&
			yield("fork", s.makeFork) && yield("failed", s.makeFailed) && yield("damaged", s.makeDamaged) && yield("hostile", s.makeHostile)
	}
}

// newRegistry returns the tools of the samples.
func newRegistry() (*tool.Registry, error) {
	r := tool.NewRegistry(tool.Tolerant(repair.Arguments), tool.Use(middleware.Gate(middleware.RequireApproval(middleware.NameMatches("send_email")), middleware.Allow())))
	returns := func(output string) func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(output), nil }
	}
	for _, t := range []struct {
		name, description, input string
		does                     tool.Annotations
		f                        func(context.Context, json.RawMessage) (json.RawMessage, error)
	}{
		{"find_customer", "Finds a customer by name.", `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`, tool.Annotations{ReadOnly: true}, returns(`{"id":4711,"email":"ada@example.org","name":"Ada Lovelace"}`)},
		{"list_orders", "Lists the orders of a customer.", `{"type":"object","properties":{"customer":{"type":"integer"},"limit":{"type":"integer"}},"required":["customer","limit"]}`, tool.Annotations{ReadOnly: true}, returns(`[{"order":"A-17","total":12.5}]`)},
		{"pay", "Pays an invoice.", `{"type":"object","properties":{"invoice":{"type":"string"},"amount":{"type":"number"}},"required":["invoice"]}`, tool.Annotations{}, returns(`{"receipt":"R-1"}`)},
		{"send_email", "Sends an e-mail.", `{"type":"object","properties":{"to":{"type":"string"},"subject":{"type":"string"}},"required":["to","subject"]}`, tool.Annotations{}, returns(`"sent"`)},
		{"book_room", "Books a room.", `{"type":"object","properties":{"seats":{"type":"integer"}},"required":["seats"]}`, tool.Annotations{}, askDay},
		{"echo", "Repeats a text.", `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`, tool.Annotations{ReadOnly: true}, returns(encode(Hostile))},
	} {
		dynamicTool, err := schema.Dynamic(tool.Definition{Name: t.name, Description: t.description, Input: json.RawMessage(t.input), Annotations: t.does}, t.f)
		if err == nil {
			err = r.Register(dynamicTool)
		}
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// askDay asks for the day before it books.
func askDay(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
	q := tool.AskPerson("Which day?", json.RawMessage(`{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}`))
	a, err := tool.ExchangeFrom(ctx).Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return json.RawMessage(encode("booked for " + string(a[0].Value))), nil
}

func encode(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text can be encoded
	}
	return string(b)
}

// newAgent returns an agent whose model gives the answers of the sampler, then "Done.".
func (s *sampler) newAgent(kind orchestrator.Option, more ...tool.Tool) (*orchestrator.Orchestrator, error) {
	r, err := newRegistry()
	if err != nil {
		return nil, err
	}
	for _, t := range more {
		if err := r.Register(t); err != nil {
			return nil, err
		}
	}
	model := scripted.NewFunc(func(context.Context, llm.Request) (llm.Response, error) {
		response := llm.Response{Text: "Done."}
		if len(s.answers) > 0 {
			next, err := scripted.New(s.answers[0]).Generate(s.ctx, llm.Request{Tools: r.All()})
			s.answers = s.answers[1:]
			if err != nil {
				return next, err
			}
			response = next
		}
		response.Usage, response.Model = llm.Usage{Input: 120, Output: 30}, "sample-1"
		return response, nil
	})
	return orchestrator.New(model, r, orchestrator.Journal(s.journal), kind, orchestrator.ConfigureEnv(func(env *run.Env) {
		env.Cost = func(string, llm.Usage) float64 { return 0.002 }
	}))
}

// execute starts and executes a run.
func (s *sampler) execute(id string, kind orchestrator.Option, in orchestrator.Input, answers ...scripted.Answer) (*orchestrator.Run, error) {
	s.answers = answers
	agent, err := s.newAgent(kind)
	if err != nil {
		return nil, err
	}
	in.ID = id
	r, err := agent.Start(s.ctx, in)
	if err == nil {
		_, err = r.Execute(s.ctx)
	}
	return r, err
}

const samplePlan = `{"goal":"Tell Ada what she ordered","steps":[
	{"step_id":"find","description":"Find the customer","tool":"find_customer","arguments":{"name":"Ada Lovelace"}},
	{"step_id":"orders","description":"List her orders","tool":"list_orders","arguments":{"customer":"<<step:find/id>>"}},
	{"step_id":"pay","description":"Pay the order","tool":"pay","arguments":{"invoice":"<<step:orders/0/order>>","amount":"12.5"}},
	{"step_id":"sum","description":"Sum up","agent":"llm"}]}`

func (s *sampler) makePlan(id string) error {
	_, err := s.execute(id, orchestrator.Plan{}, orchestrator.Input{Request: "What did Ada Lovelace order? Pay it."},
		scripted.Text(samplePlan), scripted.Text(`{"arguments":{"limit":5}}`), scripted.Text("Ada ordered A-17, which is paid."))
	return err
}

const emailPlan = `{"goal":"Write to Ada","steps":[
	{"step_id":"find","description":"Find the customer","tool":"find_customer","arguments":{"name":"Ada"}},
	{"step_id":"mail","description":"Write to her","tool":"send_email","arguments":{"to":"<<step:find/email>>","subject":"Your order, <<step:find/name>>"}}]}`

func (s *sampler) makeApproval(id string) error {
	_, err := s.execute(id, orchestrator.Plan{}, orchestrator.Input{Request: "Write to Ada about her order."}, scripted.Text(emailPlan))
	return err
}

func (s *sampler) makeEdited(id string) error {
	r, err := s.execute(id, orchestrator.Plan{}, orchestrator.Input{Request: "Write to Ada about her order."}, scripted.Text(emailPlan))
	if err != nil {
		return err
	}
	if err := r.Send(s.ctx, run.Approve(r.State().Calls[0].Call, "Grace", json.RawMessage(`{"to":"ada@example.org","subject":"Your order has arrived"}`))); err != nil {
		return err
	}
	_, err = r.Execute(s.ctx)
	return err
}

func (s *sampler) makeTalk(id string) error {
	_, err := s.execute(id, orchestrator.Conversation{}, orchestrator.Input{Request: "Which orders has Ada Lovelace?"},
		scripted.Call("find_customer", `{"name":"Ada Lovelace"}`), scripted.Call("list_orders", `{"customer":4711,"limit":3}`), scripted.Text("Ada has one order, A-17."))
	return err
}

func (s *sampler) makeQuestion(id string) error {
	_, err := s.execute(id, orchestrator.Conversation{}, orchestrator.Input{Request: "Book a room for 12."}, scripted.Call("book_room", `{"seats":12}`))
	return err
}

// makeKilled copies the run plan up to the beginning of the payment.
func (s *sampler) makeKilled(id string) error {
	return s.copyRun("plan", id, func(e journal.Entry) (journal.Entry, bool) {
		return e, e.Kind != "outcome" || !strings.Contains(string(e.Data), `"pay"`)
	})
}

func (s *sampler) makeLost(id string) error {
	if err := s.makeKilled(id); err != nil {
		return err
	}
	agent, err := s.newAgent(orchestrator.Plan{})
	if err != nil {
		return err
	}
	r, err := agent.Open(s.ctx, id)
	if err == nil {
		_, err = r.Execute(s.ctx)
	}
	return err
}

// copyRun copies the entries that change returns from one run to another. It stops when change returns false.
func (s *sampler) copyRun(from, to string, change func(journal.Entry) (journal.Entry, bool)) error {
	for e, err := range s.journal.Read(s.ctx, from, 0) {
		if err != nil {
			return err
		}
		e, more := change(e)
		if !more {
			return nil
		}
		if call, ok := strings.CutPrefix(e.Effect, from+"/"); ok && e.Kind != "model" {
			e.Effect = to + "/" + call
		}
		e.Data = json.RawMessage(strings.ReplaceAll(string(e.Data), `"`+from+`/`, `"`+to+`/`))
		if err := s.journal.Append(s.ctx, to, e.N, e); err != nil {
			return err
		}
	}
	return nil
}

func (s *sampler) makeAgent(id string) error {
	helper, err := s.newAgent(orchestrator.Conversation{})
	if err != nil {
		return err
	}
	t, err := orchestrator.AsTool(helper, tool.Definition{Name: "clerk", Description: "Knows the customers."})
	if err != nil {
		return err
	}
	s.answers = []scripted.Answer{scripted.Call("clerk", `{"request":"Find Ada Lovelace."}`), scripted.Call("find_customer", `{"name":"Ada Lovelace"}`), scripted.Text("She is number 4711."), scripted.Text("Her number is 4711.")}
	agent, err := s.newAgent(orchestrator.Conversation{}, t)
	if err != nil {
		return err
	}
	r, err := agent.Start(s.ctx, orchestrator.Input{ID: id, Request: "What is Ada's number?"})
	if err == nil {
		_, err = r.Execute(s.ctx)
	}
	return err
}

// makeFork forks the run plan before the last answer of the model, which is different in the fork.
func (s *sampler) makeFork(id string) error {
	last := 0
	for r, err := range run.Records(s.ctx, s.journal, "plan") {
		if err != nil {
			return err
		}
		if r.Answer != nil {
			last = r.N
		}
	}
	s.answers = []scripted.Answer{scripted.Text("One order, paid.")}
	agent, err := s.newAgent(orchestrator.Plan{})
	if err != nil {
		return err
	}
	forked, err := agent.Fork(s.ctx, "plan", last)
	if err != nil {
		return err
	}
	if _, err := forked.Execute(s.ctx); err != nil {
		return err
	}
	if err := s.copyRun(forked.ID(), id, func(e journal.Entry) (journal.Entry, bool) { return e, true }); err != nil {
		return err
	}
	return s.journal.Delete(s.ctx, forked.ID())
}

func (s *sampler) makeFailed(id string) error {
	_, err := s.execute(id, orchestrator.Plan{}, orchestrator.Input{Request: "Do something impossible."}, scripted.Text(`{"give_up":"No tool can do this."}`))
	return err
}

func (s *sampler) makeDamaged(id string) error {
	return s.copyRun("plan", id, func(e journal.Entry) (journal.Entry, bool) {
		if e.N == 3 {
			e.Format, e.Data = 99, json.RawMessage(encode(Hostile))
		}
		return e, true
	})
}

func (s *sampler) makeHostile(id string) error {
	arguments := `{"text":` + encode(Hostile) + `}`
	r, err := s.execute(id, orchestrator.Conversation{}, orchestrator.Input{Request: Hostile},
		scripted.Call("echo", arguments), scripted.Call("send_email", `{"to":`+encode(Hostile)+`,"subject":"`+strings.Repeat("long", 300)+`"}`))
	if err != nil {
		return err
	}
	return r.Send(s.ctx, run.Say(llm.Message{Text: Hostile}))
}

var (
	startedMember  = regexp.MustCompile(`"started":"[^"]*"`)
	durationMember = regexp.MustCompile(`"duration":\d+`)     // of an answer
	durationText   = regexp.MustCompile(`"duration":"[^"]*"`) // of a call
)

// stableCopy returns a copy of the journal in which times and writers do not depend on the execution.
func (s *sampler) stableCopy() (*journal.Map, error) {
	stable := new(journal.Map)
	at := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	for id := range s.scenes() {
		workers := map[string]string{}
		for e, err := range s.journal.Read(s.ctx, id, 0) {
			if err != nil {
				return nil, err
			}
			if workers[e.By] == "" {
				workers[e.By] = fmt.Sprintf("worker-%d", len(workers)+1)
			}
			at = at.Add(time.Second)
			e.By, e.Time = workers[e.By], at
			data := startedMember.ReplaceAllString(string(e.Data), `"started":"`+at.Add(-400*time.Millisecond).Format(time.RFC3339Nano)+`"`)
			data = durationMember.ReplaceAllString(data, `"duration":350000000`)
			e.Data = json.RawMessage(durationText.ReplaceAllString(data, `"duration":"350ms"`))
			if err := stable.Append(s.ctx, id, e.N, e); err != nil {
				return nil, err
			}
		}
		at = at.Add(time.Minute)
	}
	return stable, nil
}
