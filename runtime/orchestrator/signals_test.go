package orchestrator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// state is a point in a run at which it receives a signal.
type state struct {
	call    string // the tool of its first step
	limits  run.Limits
	when    string // a purpose of the model or a tool that is running at this point; "" if Execute has returned
	waits   string // what the run waits for, about the call of the first step
	ended   bool
	gone    bool
	begin   func(*signalRun) // brings the run to this point instead of Execute
	plan    bool             // only a plan reaches this point
	noPlan  bool             // only a conversation reaches this point
	expired bool             // continues after Extend
}

var states = map[string]state{
	"not started":           {call: "find", begin: func(*signalRun) {}},
	"the model is asked":    {call: "find", when: "plan"},
	"arguments are asked":   {call: "ship", when: "arguments", plan: true},
	"a call runs":           {call: "pay", when: "pay"},
	"it answers":            {call: "find", when: "answer"},
	"waits for approval":    {call: "send", waits: run.ForApproval},
	"waits for an answer":   {call: "asks", waits: run.ForAnswer},
	"waits for a decision":  {call: "lose", waits: run.ForDecision},
	"waits for a message":   {call: "find", noPlan: true},
	"interrupted":           {call: "find", begin: func(s *signalRun) { s.down = true; s.execute(run.Interrupted); s.down = false }},
	"interrupted in a step": {call: "find", begin: func(s *signalRun) { s.downAt = "answer"; s.execute(run.Interrupted); s.downAt = "" }},
	"too many steps":        {call: "find", limits: run.Limits{Steps: 1}, noPlan: true, expired: true},
	"over budget":           {call: "find", limits: run.Limits{Tokens: 1}, expired: true},
	"completed":             {call: "find", ended: true, plan: true},
	"failed":                {call: "fail", ended: true, plan: true},
	"canceled": {call: "find", ended: true, begin: func(s *signalRun) {
		if err := s.run.Send(s.t.Context(), run.Cancel("enough")); err != nil {
			s.t.Fatal(err)
		}
	}},
	"deleted": {call: "find", gone: true, begin: func(s *signalRun) {
		if err := s.w.Delete(s.t.Context(), "r"); err != nil {
			s.t.Fatal(err)
		}
	}},
}

// sentSignal is a signal with its expected outcome.
type sentSignal struct {
	signal  run.Signal
	waits   string // what the run must be waiting for; "any" means a person
	invalid bool   // no run accepts it
	shape   bool   // not a valid signal, or one that no run accepts
	seen    func(*signalRun) bool
}

const mark = "the mark 4711"

func wasShown(s *signalRun) bool { return strings.Contains(s.prompts.String(), mark) }

func hasDone(effect string, times int) func(*signalRun) bool {
	return func(s *signalRun) bool {
		n := 0
		for _, e := range s.w.effects {
			if e == effect {
				n++
			}
		}
		return n == times
	}
}

var signals = map[string]sentSignal{
	"approve":                   {signal: run.Approve("r/1/1", "ada", nil), waits: run.ForApproval, seen: hasDone("send r/1/1 {}", 1)},
	"approve, edited":           {signal: run.Approve("r/1/1", "ada", json.RawMessage(`{"n":7}`)), waits: run.ForApproval, seen: hasDone(`send r/1/1 {"n":7}`, 1)},
	"approve by nobody":         {signal: run.Approve("r/1/1", "", nil), waits: run.ForApproval, invalid: true},
	"approve by a blank name":   {signal: run.Approve("r/1/1", " \t", nil), waits: run.ForApproval, invalid: true},
	"approve by an unseen name": {signal: run.Approve("r/1/1", "\u200b\u00ad", nil), waits: run.ForApproval, invalid: true},
	"approve, with bad JSON":    {signal: run.Approve("r/1/1", "ada", json.RawMessage(`{"n":`)), shape: true},
	"approve, misfit":           {signal: run.Approve("r/1/1", "ada", json.RawMessage(`{"m":7}`)), waits: run.ForApproval, invalid: true},
	"approve, with an output":   {signal: run.Signal{Kind: "approve", Call: "r/1/1", Approval: "ada", Output: json.RawMessage("1")}, waits: run.ForApproval, invalid: true},
	"approve another call":      {signal: run.Approve("r/9/9", "ada", nil), waits: "nothing"},
	"approve without a call":    {signal: run.Approve("", "ada", nil), waits: "nothing"},
	"deny":                      {signal: run.Deny("r/1/1", mark), waits: "any", seen: wasShown},
	"deny without a reason":     {signal: run.Deny("r/1/1", ""), waits: "any", seen: func(s *signalRun) bool { return strings.Contains(s.prompts.String(), "not allowed") }},
	"deny another call":         {signal: run.Deny("r/2/1", "no"), waits: "nothing"},
	"deny, with limits":         {signal: run.Signal{Kind: "deny", Call: "r/1/1", Limits: &run.Limits{}}, waits: "any", invalid: true},
	"redo":                      {signal: run.Redo("r/1/1"), waits: run.ForDecision, seen: hasDone("lose r/1/1 {}", 2)},
	"redo, with a reason":       {signal: run.Signal{Kind: "redo", Call: "r/1/1", Reason: "again"}, waits: run.ForDecision, invalid: true},
	"supply":                    {signal: run.Supply("r/1/1", json.RawMessage(`"`+mark+`"`)), waits: run.ForDecision, seen: wasShown},
	"supply nothing":            {signal: run.Supply("r/1/1", nil), waits: run.ForDecision, invalid: true},
	"supply an empty text":      {signal: run.Supply("r/1/1", json.RawMessage("")), waits: run.ForDecision, invalid: true},
	"supply, misfit":            {signal: run.Supply("r/1/1", json.RawMessage("7")), waits: run.ForDecision, invalid: true},
	"supply too much":           {signal: run.Supply("r/1/1", json.RawMessage(`"`+strings.Repeat("x", 25<<20)+`"`)), waits: run.ForDecision, invalid: true},
	"reply":                     {signal: run.Reply("r/1/1", whom.Accept(json.RawMessage(`{"name":"`+mark+`"}`))), waits: run.ForAnswer, seen: wasShown},
	"reply with another answer": {signal: run.Reply("r/1/1", whom.Accept(json.RawMessage(`{"nom":"ada"}`))), waits: run.ForAnswer, invalid: true},
	"reply with none":           {signal: run.Reply("r/1/1"), waits: run.ForAnswer, invalid: true},
	"say":                       {signal: run.Say(llm.Message{Text: mark}), seen: wasShown},
	"say as a user":             {signal: run.Say(llm.Message{Role: llm.RoleUser, Text: mark}), seen: wasShown},
	"say nothing":               {signal: run.Say(llm.Message{Text: " \n"}), invalid: true},
	"say nothing visible":       {signal: run.Say(llm.Message{Text: "\u200b\x00"}), invalid: true},
	"say as an assistant":       {signal: run.Say(llm.Message{Role: llm.RoleAssistant, Text: "x"}), invalid: true},
	"say with calls":            {signal: run.Say(llm.Message{Text: "x", Calls: []tool.Request{{Name: "pay"}}}), invalid: true},
	"say with a result":         {signal: run.Say(llm.Message{Text: "x", Result: &tool.Call{ID: "r/1/1"}}), invalid: true},
	"say with an empty part":    {signal: run.Say(llm.Message{Text: "x", Parts: []content.Part{{}}}), invalid: true},
	"say about a call":          {signal: run.Signal{Kind: "say", Call: "r/1/1", Message: &llm.Message{Text: "x"}}, invalid: true},
	"say without a message":     {signal: run.Signal{Kind: "say"}, shape: true},
	"extend":                    {signal: run.Extend(run.Limits{Steps: 77})},
	"extend below zero":         {signal: run.Extend(run.Limits{Tokens: -1}), invalid: true},
	"extend without limits":     {signal: run.Signal{Kind: "extend"}, shape: true},
	"cancel":                    {signal: run.Cancel("enough"), seen: func(s *signalRun) bool { return s.run.State().Status == run.Cancelled }},
	"cancel a call":             {signal: run.Signal{Kind: "cancel", Call: "r/1/1"}, invalid: true},
	"no such signal":            {signal: run.Signal{Kind: "shout"}, shape: true},
	"an entry":                  {signal: run.Signal{Kind: "outcome", Call: "r/1/1"}, shape: true},
}

var whom = tool.AskPerson("Whom?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}`))

// want returns the code with which a run refuses a signal; "" if it accepts the signal.
func want(s state, x sentSignal) string {
	personal := slices.Contains([]string{run.ForApproval, run.ForAnswer, run.ForDecision}, s.waits)
	switch {
	case x.shape:
		return "invalid_input"
	case s.gone:
		return "journal_gone"
	case s.ended:
		return "run_ended"
	case x.waits == "any" && !personal, x.waits != "" && x.waits != "any" && x.waits != s.waits:
		return "not_waiting"
	case x.invalid:
		return "invalid_input"
	}
	return ""
}

// signalRun is a run that receives signals.
type signalRun struct {
	t       *testing.T
	w       *world
	run     *orchestrator.Run
	kind    string
	state   state
	prompts strings.Builder // after the signal
	down    bool            // the model
	downAt  string          // a purpose
	sent    bool
	tell    func()
}

// purpose returns the purpose of a request to the model.
func (s *signalRun) purpose(r llm.Request, prompt string) string {
	called := slices.ContainsFunc(r.Messages, func(m llm.Message) bool { return m.Result != nil })
	for text, purpose := range map[string]string{"Make a plan": "plan", "The user has sent a message while": "replan", "A step of a plan failed": "failed", "lacks arguments": "arguments", "Answer this request": "answer"} {
		if s.kind == "plan" && strings.Contains(prompt, text) {
			return purpose
		}
	}
	if called {
		return "answer"
	}
	return "plan"
}

func (s *signalRun) generate(_ context.Context, r llm.Request) (llm.Response, error) {
	text, _ := json.Marshal(r.Dialogue())
	var prompt strings.Builder
	for _, m := range r.Dialogue() {
		prompt.WriteString(m.Content() + "\n")
	}
	if s.sent {
		s.prompts.WriteString(prompt.String() + string(text))
	}
	purpose := s.purpose(r, prompt.String())
	if s.down || s.downAt == purpose {
		return llm.Response{}, &llm.Error{Kind: llm.ServerError}
	}
	if s.state.when == purpose {
		s.tell()
	}
	response := llm.Response{Text: "done", Usage: llm.Usage{Input: 5, Output: 5}}
	switch {
	case purpose == "plan" && s.kind == "plan":
		response.Text = fmt.Sprintf(`{"goal":"g","steps":[{"step_id":"1","description":"d","tool":%q,"arguments":{}},{"step_id":"2","description":"d","tool":"tag","arguments":{}}]}`, s.state.call)
	case purpose == "plan":
		response = calls(s.state.call + " {}")
	case purpose == "replan":
		response.Text = `{"steps":[]}`
	case purpose == "failed":
		response.Text = `{"give_up":"it failed"}`
	case purpose == "arguments":
		response.Text = `{"arguments":{"to":"ada"}}`
	}
	return response, nil
}

func (s *signalRun) execute(status string) *run.Result {
	s.t.Helper()
	return execute(s.t, s.run, status)
}

// newSignalRun returns a run before it starts.
func newSignalRun(t *testing.T, kind string, st state) *signalRun {
	s := &signalRun{t: t, w: newWorld(t), kind: kind, state: st, tell: func() {}}
	for _, name := range []string{"asks", "lose", "fail"} {
		if err := s.w.Register(s.w.tool(t, name, tool.Annotations{})); err != nil {
			t.Fatal(err)
		}
	}
	ship, err := schema.Dynamic(tool.Definition{
		Name: "ship", Description: "Ships.", Output: json.RawMessage(`{"type":"string"}`),
		Input: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"}},"required":["to"],"additionalProperties":false}`),
	}, func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"shipped"`), nil
	})
	if err == nil {
		err = s.w.Register(ship)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.w.during["pay"] = func(context.Context) (any, error) {
		if st.when == "pay" {
			s.tell()
		}
		return "paid", nil
	}
	s.w.during["fail"] = func(context.Context) (any, error) { return nil, errDown }
	s.w.during["asks"] = func(ctx context.Context) (any, error) {
		answers, err := tool.ExchangeFrom(ctx).Ask(ctx, whom)
		if err != nil {
			return nil, err
		}
		return string(answers[0].Value), nil
	}
	lost := false
	s.w.during["lose"] = func(context.Context) (any, error) {
		if !lost {
			lost = true
			return nil, &tool.UnknownOutcomeError{}
		}
		return "found", nil
	}
	s.run = start(t, s.orchestrator(), orchestrator.Input{Kind: kind, Request: "Do it.", Limits: st.limits})
	return s
}

func (s *signalRun) orchestrator() *orchestrator.Orchestrator {
	o, err := orchestrator.New(llm.Func(s.generate), lossyRegistry{s.w.Registry}, orchestrator.Journal(&s.w.Map), orchestrator.ConfigureEnv(func(env *run.Env) { env.Grace = 1 }))
	if err != nil {
		s.t.Fatal(err)
	}
	return o
}

// lossyRegistry is a registry that returns unknown outcomes for some calls.
type lossyRegistry struct{ *tool.Registry }

func (l lossyRegistry) Call(ctx context.Context, r tool.Request) *tool.Call {
	c := l.Registry.Call(ctx, r)
	if tool.Code(c.Err) == "unknown" {
		c = &tool.Call{ID: r.ID, Request: r, Status: tool.StatusFailed, Err: &tool.UnknownOutcomeError{}}
	}
	return c
}

// settle executes a run until it can do nothing more, and decides what it waits for.
func (s *signalRun) settle() *run.Result {
	for range 10 {
		result, err := s.run.Execute(s.t.Context())
		if err != nil {
			s.t.Fatal(err)
		}
		var next run.Signal
		switch result.WaitsFor {
		case run.ForApproval:
			next = run.Approve(result.Calls[0].Call, "bob", nil)
		case run.ForAnswer:
			next = run.Reply(result.Calls[0].Call, whom.Accept(json.RawMessage(`{"name":"bob"}`)))
		case run.ForDecision:
			next = run.Supply(result.Calls[0].Call, json.RawMessage(`"supplied"`))
		default:
			switch result.Status {
			case run.Interrupted:
				continue // finds out what the run waits for
			case run.Expired, run.OverBudget:
				next = run.Extend(run.Limits{})
			default:
				return result
			}
		}
		if err := s.run.Send(s.t.Context(), next); err != nil {
			s.t.Fatal(err)
		}
	}
	s.t.Fatal("it goes on for ever")
	return nil
}

// TestSignals sends every signal to plans and conversations at every point, from the process that
// executes them and from another one. An accepted signal must have its effect, and a refused one must
// change nothing.
func TestSignals(t *testing.T) {
	for kind, others := range map[string]bool{"plan": false, "conversation": true} {
		for at, st := range states {
			if others && st.plan || !others && st.noPlan {
				continue
			}
			for what, x := range signals {
				for _, elsewhere := range []bool{false, true} {
					if elsewhere && (st.gone || x.invalid || x.shape) { // the outcome is the same there
						continue
					}
					if len(x.signal.Output) > 1<<20 && st.waits != run.ForDecision { // takes long
						continue
					}
					t.Run(fmt.Sprintf("%s/%s/%s/%t", kind, at, what, elsewhere), func(t *testing.T) { tellRun(t, kind, st, x, elsewhere) })
				}
			}
		}
	}
}

// tellRun sends a signal to a run in a state.
func tellRun(t *testing.T, kind string, st state, x sentSignal, elsewhere bool) {
	s := newSignalRun(t, kind, st)
	code := want(st, x)
	s.tell = func() {
		if s.sent {
			return
		}
		r := s.run
		if elsewhere {
			r = open(t, s.orchestrator())
		}
		before := s.entries()
		err := r.Send(t.Context(), x.signal)
		if tool.Code(err) != code {
			t.Fatalf("it is refused with %q, want %q: %v", tool.Code(err), code, err)
		}
		if code != "" && (s.entries() != before || err.Error() == "") {
			t.Errorf("it is refused with %v, and the journal has %d entries, %d before", err, s.entries(), before)
		}
		if again := tool.Code(r.Send(t.Context(), x.signal)); code == "" && x.waits != "" && again != "not_waiting" {
			t.Errorf("a second time it is refused with %q", again)
		}
		s.sent = true
	}
	switch {
	case st.begin != nil:
		st.begin(s)
	case st.waits == run.ForDecision:
		s.execute(run.Interrupted)
		s.execute(run.Waiting)
	default:
		if _, err := s.run.Execute(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if st.when == "" {
		s.tell()
	}
	if !s.sent {
		t.Fatal("it never came there")
	}
	if st.gone {
		return
	}
	result := s.settle()
	if code == "" && x.seen != nil && !x.seen(s) {
		t.Errorf("nothing came of it: the run is %s, it did %q, and the model was shown\n%s", result.Status, s.w.effects, s.prompts.String())
	}
}

// entries returns the number of entries in the journal of the run.
func (s *signalRun) entries() (n int) {
	for _, err := range s.w.Read(s.t.Context(), "r", 0) {
		if err == nil {
			n++
		}
	}
	return n
}
