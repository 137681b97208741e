package redact_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/middleware"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/redact"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// desk is a program with an agent that logs everything through one Redactor.
type desk struct {
	events, cycles, calls bytes.Buffer
	mu                    sync.Mutex
	answers               []llm.Response
	outputs               map[string]string
}

// Generate returns the next answer.
func (d *desk) Generate(context.Context, llm.Request) (llm.Response, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.answers) == 0 {
		return llm.Response{Text: "Done."}, nil
	}
	answer := d.answers[0]
	d.answers = d.answers[1:]
	return answer, nil
}

var deskTools = []tool.Definition{
	{Name: "find_customer", Description: "Finds.", Annotations: tool.Annotations{ReadOnly: true}, Input: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}`),
		Output: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"},"phone":{"type":"string"}},"required":["id","phone"]}`)},
	{Name: "send_email", Description: "Sends.", Input: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"body":{"type":"string"}},"additionalProperties":false}`)},
}

// hidesContacts hides the telephone numbers of customers and the texts of emails.
func hidesContacts(name, pointer string, value json.RawMessage) json.RawMessage {
	if name == "find_customer" && pointer == "/output/phone" || name == "send_email" && pointer == "/arguments/body" {
		return json.RawMessage(`"hidden"`)
	}
	return value
}

// orchestrator returns an orchestrator like that of another process, with its own Redactor.
func (d *desk) orchestrator(t *testing.T, j journal.Journal, options ...orchestrator.Option) *orchestrator.Orchestrator {
	t.Helper()
	r := redact.New(hidesContacts)
	registry := tool.NewRegistry(tool.Use(middleware.LogRedacted(slog.New(slog.NewTextHandler(&d.calls, nil)), r.Call)))
	for _, definition := range deskTools {
		made, err := schema.Dynamic(definition, func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(d.outputs[definition.Name]), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		registry.Replace(made)
	}
	o, err := orchestrator.New(d, registry, append(options, orchestrator.Journal(j),
		orchestrator.Events(r.Events(func(_ context.Context, e run.Event) { fmt.Fprintf(&d.events, "%+v %s\n", e.What, text(t, e.What)) })),
		orchestrator.Events(orchestrator.CycleLog(&d.cycles, r, nil)))...)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// checkHidden fails if an output contains something that must be hidden.
func (d *desk) checkHidden(t *testing.T, secret string) {
	t.Helper()
	for name, output := range map[string]string{"events": d.events.String(), "cycles": d.cycles.String(), "calls": d.calls.String()} {
		if output == "" || strings.Contains(output, secret) {
			t.Errorf("the %s are %s", name, output)
		}
	}
}

// TestGoalBeforeArguments checks an answer with a value in the goal and in a description before the
// place where the rule hides it.
func TestGoalBeforeArguments(t *testing.T) {
	d := &desk{answers: []llm.Response{{Text: `{"goal":"tell him ` + secret + `","steps":[{"step_id":"1","description":"send ` + secret + `","tool":"send_email","arguments":{"to":"a@b.example","body":"` + secret + `"}}]}`}},
		outputs: map[string]string{"send_email": "1"}}
	execute(t, d.orchestrator(t, &journal.Map{}))
	d.checkHidden(t, secret)
	if log := d.cycles.String(); !strings.Contains(log, "a@b.example") || !strings.Contains(log, "completed") {
		t.Error(log)
	}
}

func execute(t *testing.T, o *orchestrator.Orchestrator) *run.Result {
	t.Helper()
	r, err := o.Start(t.Context(), orchestrator.Input{ID: "r", Request: "tell him"})
	if err != nil {
		t.Fatal(err)
	}
	result, err := r.Execute(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestReferenceInLogOfCalls checks that a hidden result that a reference passes to another tool is
// hidden in the log of calls.
func TestReferenceInLogOfCalls(t *testing.T) {
	const phone = "+44 555 0100"
	d := &desk{answers: []llm.Response{{Text: `{"goal":"write","steps":[{"step_id":"1","description":"find","tool":"find_customer","arguments":{"name":"Ada"}},{"step_id":"2","description":"send","tool":"send_email","arguments":{"to":"<<step:1/phone>>","body":"x"}}]}`}},
		outputs: map[string]string{"find_customer": `{"id":"C-1","phone":"` + phone + `"}`, "send_email": "1"}}
	if result := execute(t, d.orchestrator(t, &journal.Map{})); result.Status != run.Completed {
		t.Fatalf("%+v", result)
	}
	d.checkHidden(t, phone)
	if log := d.calls.String(); strings.Count(log, "tool call") != 2 || !strings.Contains(log, "Ada") {
		t.Error(log)
	}
}

// TestLogOfCallsAlone does the same without events. Calls of one run share the hidden values, as do
// calls without a run; calls of another run do not.
func TestLogOfCallsAlone(t *testing.T) {
	const phone = "+44 555 0100"
	for _, ids := range [][2]string{{"r/1/1", "r/2/1"}, {"a/b/1/1", "a/b/2/7"}, {"", ""}, {"call_1", "call_2"}} {
		d := &desk{outputs: map[string]string{"find_customer": `{"id":"C-1","phone":"` + phone + `"}`, "send_email": "1"}}
		r := redact.New(hidesContacts)
		registry := tool.NewRegistry(tool.Use(middleware.LogRedacted(slog.New(slog.NewTextHandler(&d.calls, nil)), r.Call)))
		for _, definition := range deskTools {
			made, err := schema.Dynamic(definition, func(context.Context, json.RawMessage) (json.RawMessage, error) {
				return json.RawMessage(d.outputs[definition.Name]), nil
			})
			if err != nil {
				t.Fatal(err)
			}
			registry.Replace(made)
		}
		registry.Call(t.Context(), tool.Request{ID: ids[0], Name: "find_customer", Arguments: json.RawMessage(`{"name":"Ada"}`)})
		registry.Call(t.Context(), tool.Request{ID: ids[1], Name: "send_email", Arguments: json.RawMessage(`{"to":"` + phone + `"}`)})
		if strings.Contains(d.calls.String(), phone) {
			t.Errorf("%v: %s", ids, d.calls.String())
		}
		d.calls.Reset()
		if registry.Call(t.Context(), tool.Request{ID: "other/1/1", Name: "send_email", Arguments: json.RawMessage(`{"to":"` + phone + `"}`)}); !strings.Contains(d.calls.String(), phone) {
			t.Errorf("another run: %s", d.calls.String())
		}
	}
}

// TestLine checks that a line of the log of cycles hides values that a later event of the cycle hides.
func TestLine(t *testing.T) {
	const phone = "+44 555 0100"
	d := &desk{answers: []llm.Response{{Text: "I look whether it is " + phone + ".", Calls: []tool.Request{{ID: "c1", Name: "find_customer", Arguments: json.RawMessage(`{"name":"Ada"}`)}}}, {Text: "It is " + phone + "."}},
		outputs: map[string]string{"find_customer": `{"id":"C-1","phone":"` + phone + `"}`}}
	execute(t, d.orchestrator(t, &journal.Map{}, orchestrator.Conversation{}))
	if strings.Contains(d.cycles.String(), phone) || !strings.Contains(d.events.String(), phone) || strings.Count(d.events.String(), "It is "+phone) != 0 {
		t.Errorf("%s\n%s", d.cycles.String(), d.events.String())
	}
}

// TestAnotherProcess continues a run in another process, while only the first one has seen its
// secrets.
func TestAnotherProcess(t *testing.T) {
	const phone = "+44 555 0100"
	j := &journal.Map{}
	first := &desk{answers: []llm.Response{{Calls: []tool.Request{{ID: "c1", Name: "find_customer", Arguments: json.RawMessage(`{"name":"Ada"}`)}}}, {Text: "Found."}},
		outputs: map[string]string{"find_customer": `{"id":"C-1","phone":"` + phone + `"}`}}
	if result := execute(t, first.orchestrator(t, j, orchestrator.Conversation{})); result.Status != run.Waiting {
		t.Fatalf("%+v", result)
	}
	second := &desk{answers: []llm.Response{{Text: "I write to " + phone, Calls: []tool.Request{{ID: "c2", Name: "send_email", Arguments: json.RawMessage(`{"to":"` + phone + `"}`)}}}, {Text: "Sent to +44-555-0100."}},
		outputs: map[string]string{"send_email": `"` + phone + `"`}}
	r, err := second.orchestrator(t, j, orchestrator.Conversation{}).Open(t.Context(), "r")
	if err == nil {
		err = r.Send(t.Context(), run.Say(llm.Message{Text: "Write to " + phone}))
	}
	if err == nil {
		_, err = r.Execute(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	second.checkHidden(t, phone)
	second.checkHidden(t, "+44-555-0100")
	if !strings.Contains(second.cycles.String(), "send_email") {
		t.Error(second.cycles.String())
	}
}

// TestPanickingRule checks that values for which a rule panics are hidden everywhere.
func TestPanickingRule(t *testing.T) {
	r := redact.New(func(_, pointer string, value json.RawMessage) json.RawMessage {
		if pointer == "/output/secret" {
			panic(string(value))
		}
		return value
	})
	told, log := writtenOutput(t, r, learningEvent(secret), run.MessageRead{Message: llm.Message{Text: "It is " + secret}})
	if strings.Contains(told+log, secret) || !strings.Contains(log, `"id":"C-1","secret":"redacted"`) {
		t.Errorf("%s\n%s", told, log)
	}
}

// TestShortValues checks that values that are short or occur everywhere are hidden only where the rule
// says so.
func TestShortValues(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	for _, value := range []string{`1`, `"1"`, `true`, `null`, `false`, `"true"`, `""`, `" "`, `"a"`, `"no"`, `"GBP"`, `0`, `-1`, `1.5`, `"------"`[:6] + `"`, `[]`, `{}`, `[1,2,3]`} {
		source := learningEvent("x")
		source.Call.Output = json.RawMessage(`{"id":"C-1","secret":` + value + `}`)
		const said = "1 of 10 is true, no? a GBP 1.5 null 0 false - [1,2,3]"
		for _, s := range matrixShapes(form{"", said, jsontext.Quote(said)}) {
			clear, _ := writtenOutput(t, nil, s.what)
			before, _ := writtenOutput(t, redact.New(hidesSecrets), s.what)
			after, _ := writtenOutput(t, redact.New(hidesSecrets), source, s.what)
			if strings.Contains(clear, said) && strings.Contains(before, said) != strings.Contains(after, said) {
				t.Errorf("after %s was hidden, %s is %s", value, s.name, after)
			}
		}
	}
}

// TestShownBeside checks that texts without a hidden value are shown unchanged everywhere.
func TestShownBeside(t *testing.T) {
	texts := []string{"Ada wants tea", "order 4711-8 of 2026-11-26", "https://example.com/a%20b?c=d", "aGVsbG8gd29ybGQ=", "hunter", "+44 7700 123"}
	if testing.Short() {
		texts = texts[:2]
	}
	shown, places := 0, 0
	for _, said := range texts {
		f := form{"", said, jsontext.Quote(said)}
		for _, s := range matrixShapes(f) {
			before, _ := writtenOutput(t, redact.New(hidesSecrets), s.what)
			for _, secret := range secrets {
				after, _ := writtenOutput(t, redact.New(hidesSecrets), learningEvent(secret), s.what)
				places++
				if strings.Contains(before, said) {
					shown++
					if !strings.Contains(after, said) {
						t.Errorf("after %s was hidden, %q as %s is %s", secret, said, s.name, after)
					}
				}
			}
		}
	}
	if shown < places*6/10 {
		t.Errorf("only %d of %d are shown", shown, places)
	}
}

// TestPartlyHidden checks that the removed part of a value is remembered, and not the rest.
func TestPartlyHidden(t *testing.T) {
	for _, c := range []struct{ value, shown, later, want string }{
		{`"call +44 555 0100 today"`, `"call *** today"`, "+44 555 0100", "redacted"},
		{`"pay Smithson to Lovelace"`, `"pay *** to ***"`, "it is Lovelace", "redacted"},
		{`"pay Smithson to Lovelace"`, `"pay *** to Lovelace"`, "it is Lovelace", "it is Lovelace"},
		{`{"name":"Lovelace","phone":"+44 555 0100"}`, `{"name":"Lovelace"}`, "Lovelace called", "Lovelace called"},
		{`{"name":"Lovelace","phone":"+44 555 0100"}`, `{"name":"Lovelace"}`, "(+44) 5550100", "redacted"},
		{`"4111111111111111"`, `"************1111"`, "4111-1111-1111-1111", "redacted"},
		{`"Your code is 123456. Order A-7788-x."`, `"hidden"`, "code=123456", "redacted"},
		{`"Your code is 123456. Order A-7788-x."`, `"hidden"`, "a-7788-X", "redacted"},
		{`"{\"pin\":\"887766\"}"`, `"hidden"`, "887766", "redacted"},
		{`{"a":[{"b":"887766"}]}`, `null`, "887766", "redacted"},
		{`"c3dvcmRmaXNo"`, `"hidden"`, "a swordfish", "redacted"},
		{`"a%2Fb%20c%2Fd-9"`, `"hidden"`, "a/b c/d-9", "redacted"},
	} {
		r := redact.New(func(name, pointer string, value json.RawMessage) json.RawMessage {
			if name == "find_customer" && pointer == "/output/secret" {
				return json.RawMessage(c.shown)
			}
			return value
		})
		source := learningEvent("x")
		source.Call.Output = json.RawMessage(`{"id":"C-1","secret":` + c.value + `}`)
		r.Learn(run.Event{Run: "r", Tools: matrixTools, What: source})
		got := r.Event(run.Event{Run: "r", Tools: matrixTools, What: run.PlanMade{Plan: plan.Plan{Goal: c.later}}}).What.(run.PlanMade).Plan.Goal
		if got != c.want {
			t.Errorf("%s, shown as %s: then %q is %q, want %q", c.value, c.shown, c.later, got, c.want)
		}
	}
}

// TestParts hides parts of a long text that are long or identify something.
func TestParts(t *testing.T) {
	long := strings.Repeat("", 0)
	for i := range 40 {
		long += fmt.Sprintf("Sentence number %c%c says something else. ", 'a'+i%26, 'a'+i/26)
	}
	r := redact.New(hidesSecrets)
	r.Learn(run.Event{Run: "r", Tools: matrixTools, What: learningEvent(long)})
	hidden := func(text string) bool {
		e := r.Event(run.Event{Run: "r", Tools: matrixTools, What: run.PlanMade{Plan: plan.Plan{Goal: text}}})
		return e.What.(run.PlanMade).Plan.Goal != text
	}
	for start := 0; start+60 < len(long); start++ {
		if part := long[start : start+60]; !hidden("They wrote: " + part) {
			t.Fatalf("%q is shown", part)
		}
	}
	for _, text := range []string{"Sentence number", "says something else", "another text"} {
		if hidden(text) {
			t.Errorf("%q is hidden", text)
		}
	}
}

// TestManyValues checks that a run with more values than can be remembered shows nothing more, and
// that other runs and calls without a run are not affected.
func TestManyValues(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long with the race detector; the full suite runs it")
	}
	var rows strings.Builder
	for i := range 70_000 {
		fmt.Fprintf(&rows, `,"value-%d"`, i)
	}
	source := learningEvent("x")
	source.Call.Output = json.RawMessage(`{"id":"C-1","secret":[` + rows.String()[1:] + `]}`)
	r := redact.New(hidesSecrets)
	goal := func(runID, text string) string {
		return r.Event(run.Event{Run: runID, Tools: matrixTools, What: run.PlanMade{Plan: plan.Plan{Goal: text}}}).What.(run.PlanMade).Plan.Goal
	}
	r.Learn(run.Event{Run: "r", Tools: matrixTools, What: source})
	for _, text := range []string{"value-1", "value-69999", "anything"} {
		if got := goal("r", text); got != "redacted" {
			t.Errorf("%s is %s", text, got)
		}
	}
	if got := goal("s", "anything"); got != "anything" {
		t.Errorf("in another run it is %s", got)
	}
	source.Call.ID, source.Call.Request.ID = "", ""
	r.Call(t.Context(), source.Call, matrixTools[0])
	c := r.Call(t.Context(), &tool.Call{Request: tool.Request{Name: "send", Arguments: json.RawMessage(`{"body":"value-69999","to":"me"}`)}}, matrixTools[2])
	if got := string(c.Request.Arguments); got != `{"body":"redacted","to":"me"}` {
		t.Error(got)
	}
}

// TestConcurrentWriters writes events and calls of two runs from several goroutines. The secrets of a
// run must not be in anything that it writes after hiding them.
func TestConcurrentWriters(t *testing.T) {
	r := redact.New(hidesSecrets)
	var mu sync.Mutex
	var out strings.Builder
	sink := r.Events(func(_ context.Context, e run.Event) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(&out, "%+v\n", e.What)
	})
	cycles := orchestrator.CycleLog(&out2{mu: &mu, to: &out}, r, nil)
	var wg sync.WaitGroup
	for worker := range 6 {
		wg.Go(func() {
			runID := fmt.Sprint("run", worker%2)
			for i := range 60 {
				secret := fmt.Sprintf("secret-%d-%d-z", worker, i)
				for _, what := range []any{learningEvent(secret), run.MessageRead{Message: llm.Message{Text: "x" + secret}}, run.Progress{Tool: "send", Text: secret}, run.PlanMade{Plan: plan.Plan{Goal: secret}}} {
					e := run.Event{Run: runID, Tools: matrixTools, Step: fmt.Sprint(worker), What: what}
					sink(t.Context(), e)
					cycles(t.Context(), e)
				}
				c := r.Call(t.Context(), &tool.Call{ID: runID + "/1/1", Request: tool.Request{ID: runID + "/1/1", Name: "send", Arguments: json.RawMessage(`{"body":"` + secret + `"}`)}}, matrixTools[2])
				mu.Lock()
				fmt.Fprintf(&out, "%s\n", c.Request.Arguments)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if i := strings.Index(out.String(), "secret-"); i >= 0 {
		t.Error(out.String()[max(0, i-200) : i+40])
	}
}

type out2 struct {
	mu *sync.Mutex
	to *strings.Builder
}

func (o *out2) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.to.Write(p)
}

// TestLinear checks that the memory for a text, and the work of the rule, grow linearly with the text,
// even with many values that begin alike and with texts that may be encoded.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("this counts the work of one goroutine, which takes long under the race detector")
	}
	const length = 1 << 14
	for name, unit := range map[string]string{"words": "value-1x and ", "base64": "dmFsdWUtMXgg", "hex": "76616c75652d3178", "escapes": `\u0076%61&#108;`, "brackets": `{"a":["`, "calls": "send(body='x') ", "other calls": "open_vault(password='x') ",
		"arguments": "password: ", "objects": `{"password":"x"} `, "digits": "12-34 56/", "backslashes": `\\\\`, "percent": "%25%25", "lines": "a\n", "quotes": `"`} {
		given := 0
		r := redact.New(func(name, pointer string, value json.RawMessage) json.RawMessage {
			given += len(value)
			return hidesSecrets(name, pointer, value)
		})
		for i := range 500 {
			r.Learn(run.Event{Run: "r", Tools: matrixTools, What: learningEvent(fmt.Sprintf("value-1%d-%s", i, strings.Repeat("y", i%40)))})
		}
		work := func(size int) int {
			said := strings.Repeat(unit, size/len(unit))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			given = 0
			r.Event(run.Event{Run: "r", Tools: matrixTools, What: run.MessageRead{Message: llm.Message{Text: said}}})
			runtime.ReadMemStats(&after)
			return int(after.TotalAlloc-before.TotalAlloc) + given
		}
		small, large := work(length), work(8*length)
		t.Logf("%s: %d for a text, %d for one that is eight times as long", name, small, large)
		if large > 12*small+1<<20 {
			t.Errorf("%s: %d for a text, %d for one that is eight times as long", name, small, large)
		}
	}
}
