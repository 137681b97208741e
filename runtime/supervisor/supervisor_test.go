package supervisor_test

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
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/supervisor"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write golden files")

// script is a model that returns the given answers in order and records its requests.
type script struct {
	answers []string
	asked   []llm.Request
}

func (s *script) Generate(_ context.Context, req llm.Request) (llm.Response, error) {
	s.asked = append(s.asked, req)
	if len(s.asked) > len(s.answers) {
		return llm.Response{}, &llm.Error{Kind: llm.ServerError, Err: errors.New("no answer")}
	}
	answer, cut := strings.CutPrefix(s.answers[len(s.asked)-1], "<cut>")
	if cut {
		return llm.Response{Text: answer, Finish: llm.FinishLength}, nil
	}
	return llm.Response{Text: answer}, nil
}

func (s *script) supervisor(options ...supervisor.Option) *supervisor.Supervisor {
	clock := supervisor.Clock(func() time.Time { return time.Unix(0, 0).UTC() })
	return supervisor.New(s, append(options, clock)...)
}

var find = tool.Definition{
	Name: "find_ticket", Description: "Finds tickets.",
	Input: json.RawMessage(`{"type":"object","properties":{"words":{"type":"string"},"limit":{"type":"integer","minimum":1}},"required":["words"],"additionalProperties":false}`),
}

var offered = []tool.Definition{{Name: "echo", Description: "Says it again.", Input: json.RawMessage(`{"type":"object"}`)}, find}

// outcome is the result of a repair in short, with the number of requests to the model.
func outcome(t *testing.T, s *script, value any, actions []supervisor.Action, err error) string {
	t.Helper()
	attempts := 0
	for i, a := range actions {
		if (a.Repaired == nil) == (a.Error == "") || a.Attempt != i || a.Time.IsZero() {
			t.Errorf("action %d: %+v", i, a)
		}
		attempts = a.Attempt
	}
	if attempts != len(s.asked) {
		t.Errorf("%d attempts are recorded, %d were made", attempts, len(s.asked))
	}
	if err != nil {
		var failed *supervisor.Error
		if !errors.As(err, &failed) || tool.Code(err) != "repair_failed" || len(failed.Actions) != len(actions) {
			t.Errorf("error %#v", err)
		}
		text := fmt.Sprintf("%d: %v", attempts, failed.Err)
		if len(failed.Missing) > 0 {
			text += fmt.Sprintf("; missing %s, known %s", strings.Join(failed.Missing, " "), failed.Known)
		}
		return text
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d: %s", attempts, text)
}

func TestRepairJSON(t *testing.T) {
	const schema = `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"},"c":{"type":"array","items":{"type":"integer"}},"d":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}`
	const invented = "the repair differs from the original: "
	for name, test := range map[string]struct {
		text    string
		answers []string
		want    string
	}{
		"without a model":         {"Here: {a: 1, 'b': \"x\",}", nil, `0: {"a":1,"b":"x"}`},
		"first":                   {`{"A":1,"b":"x"}`, []string{`{"a":1,"b":"x"}`}, `1: {"a":1,"b":"x"}`},
		"second":                  {`{"A":1,"b":"x"}`, []string{`sorry`, "```json\n{\"a\":1,\"b\":\"x\"}\n```"}, `2: {"a":1,"b":"x"}`},
		"cut by the limit":        {`{"A":1,"b":"x"}`, []string{`<cut>{"a":1,"b":"x"}`, `{"a":1,"b":"x"}`}, `2: {"a":1,"b":"x"}`},
		"neither":                 {`{"A":1,"b":"x"}`, []string{`[]`, `{"a":"1","b":"x"}`, `{"a":1,"b":"x"}`}, `2: /a: expected an integer, found the string "1"; missing /a, known {"b":"x"}`},
		"what is missing":         {`{"b":"x"}`, nil, `0: /a: expected a value, found nothing; it contains no value for /a; missing /a, known {"b":"x"}`},
		"no reading":              {`{"a":"one","b":"x"}`, nil, `0: /a: expected an integer, found the string "one"; it contains no value for /a; missing /a, known {"b":"x"}`},
		"the model finds it not":  {`{"num":7,"b":"x"}`, []string{`{"b":"x"}`}, `1: there is no value for /a; missing /a, known {"b":"x"}`},
		"nothing at all":          {`{"num":7,"b":"x"}`, []string{`{}`}, `1: there is no value for /a; missing /a, known {"b":"x"}`},
		"it makes it up":          {`{"num":7,"b":"x"}`, []string{`{"a":8,"b":"x"}`, `{"a":9,"b":"x"}`}, `2: ` + invented + `/a: expected a value from the original, or nothing, found the number 9; missing /a, known {"b":"x"}`},
		"a value was changed":     {`{"A":1,"b":"x"}`, []string{`{"a":1,"b":"y"}`, `{"a":1}`}, `2: ` + invented + `/b: expected the string "x", as in the original, found another value or nothing; missing /a, known {"b":"x"}`},
		"a value was prolonged":   {`{"A":1,"b":"the"}`, []string{`{"a":1,"b":"the printer"}`, `{"a":1,"b":"the"}`}, `2: {"a":1,"b":"the"}`},
		"an item was dropped":     {`{"A":1,"c":[1,2]}`, []string{`{"a":1,"c":[2]}`, `{"a":1,"c":[1,2]}`}, `2: {"a":1,"c":[1,2]}`},
		"an item was added":       {`{"A":1,"c":[1,2]}`, []string{`{"a":1,"c":[1,2,3]}`, `{"a":1,"c":[1,2]}`}, `2: {"a":1,"c":[1,2]}`},
		"a wrong value may go":    {`{"a":1,"c":"many"}`, []string{`{"a":1}`}, `1: {"a":1}`},
		"too deep":                {`{"A":1}`, []string{`{"a":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, `{"a":1}`}, `2: {"a":1}`},
		"cut off":                 {`{"a":1,"b":"the pri`, []string{`{"a":1,"b":"the printer"}`, `{"a":1}`}, `2: {"a":1}`},
		"cut off behind a value":  {`{"a":1,"b":"the"`, []string{`{"a":1,"b":"the printer"}`, `{"a":1,"b":"the"}`}, `2: {"a":1,"b":"the"}`},
		"cut off behind a number": {`{"b":"x","a":1,`, []string{`{"a":12,"b":"x"}`, `{"a":1,"b":"x"}`}, `2: {"a":1,"b":"x"}`},
		"cut off in a number":     {`{"b":"x","a":1`, nil, `0: it was cut off; it contains no value for /a; missing /a, known {"b":"x"}`},
		"null was filled":         {`{"A":1,"d":null}`, []string{`{"a":1,"d":"y"}`, `{"a":1,"d":null}`}, `2: {"a":1,"d":null}`},
		"long":                    {`{"A":1,"b":"` + strings.Repeat("x", 300_000) + `"}`, nil, `0: /A: expected the key a, b or c, found the key "A"; /a: expected a value, found nothing; the text has more than 262144 bytes, too many to rewrite`},
		"a long answer":           {`{"A":1}`, []string{strings.Repeat("x", 300_000)}, `1: `},
		"prose":                   {`a is 1`, []string{`{"a":2}`, `{"a":1}`}, `2: {"a":1}`},
		"the model fails":         {`{"A":1}`, nil, `2: model: server error: no answer`},
		"there is nothing":        {``, nil, `0: 1:1: there is no JSON value in the text; it contains no value for /a; missing /a, known {}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{answers: test.answers}
			value, actions, err := s.supervisor().RepairJSON(t.Context(), test.text, json.RawMessage(schema))
			if got := outcome(t, s, value, actions, err); !strings.HasPrefix(got, test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestRepairToolCall(t *testing.T) {
	for name, test := range map[string]struct {
		request tool.Request
		answers []string
		want    string
	}{
		"right":         {tool.Request{Arguments: []byte(`{"words":"x"}`)}, nil, `0: {"name":"find_ticket","arguments":{"words":"x"}}`},
		"one reading":   {tool.Request{Arguments: []byte(`{"arguments":{"words":"x","limit":"3"}}`)}, nil, `0: {"name":"find_ticket","arguments":{"words":"x","limit":3}}`},
		"another name":  {tool.Request{ID: "7", Arguments: []byte(`{"limit":2,"query":"x"}`)}, []string{`{"words":"x","limit":"2"}`}, `1: {"id":"7","name":"find_ticket","arguments":{"words":"x","limit":2}}`},
		"args":          {tool.Request{Arguments: []byte(`{"limit":0,"args":{"words":"x"}}`)}, []string{`{"words":"x"}`}, `1: {"name":"find_ticket","arguments":{"words":"x"}}`},
		"dropped":       {tool.Request{Arguments: []byte(`{"limit":2,"query":"x"}`)}, []string{`{"words":"x"}`, `{"words":"x","limit":3}`}, `2: the repair differs from the original: /limit: expected the number 2, as in the original, found another value or nothing; /limit: expected a value from the original, or nothing, found the number 3; missing /words`},
		"truncated":     {tool.Request{Arguments: []byte(`{"words":"pri"}`), Truncated: true}, nil, `0: it was cut off; it contains no value for /words; missing /words, known {}`},
		"cut elsewhere": {tool.Request{Arguments: []byte(`{"words":"pri","limit":1}`), Truncated: true}, []string{`{"words":"pri","limit":10}`, `{"words":"pri"}`}, `2: {"name":"find_ticket","arguments":{"words":"pri"}}`},
		"prose":         {tool.Request{Arguments: []byte(`printer, please`)}, []string{`{"words":"printers"}`, `{"words":"printer"}`}, `2: {"name":"find_ticket","arguments":{"words":"printer"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{answers: test.answers}
			test.request.Name = "find_ticket"
			value, actions, err := s.supervisor().RepairToolCall(t.Context(), test.request, find)
			if got := outcome(t, s, value, actions, err); !strings.HasPrefix(got, test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestRefused checks a tool that refuses arguments that follow its schema.
func TestRefused(t *testing.T) {
	faults := []tool.Fault{{Pointer: "/limit", Expected: "an even number", Found: "the number 3"}}
	for name, test := range map[string]struct {
		answers []string
		want    string
	}{
		"mended":               {[]string{`{"words":"x"}`}, `1: {"name":"find_ticket","arguments":{"words":"x"}}`},
		"the same":             {[]string{`{"limit":3,"words":"x"}`, `{"words":"x"}`}, `2: {"name":"find_ticket","arguments":{"words":"x"}}`},
		"made up":              {[]string{`{"words":"x","limit":2}`, `{"words":"x","limit":4}`}, `2: the repair differs from the original: /limit: expected a value from the original, or nothing, found the number 4`},
		"another value is not": {[]string{`{"words":"y"}`, `{"words":"x","limit":3}`}, `2: the arguments are the same as before`},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{answers: test.answers}
			request := tool.Request{Name: "find_ticket", Arguments: []byte(`{"words":"x","limit":3}`)}
			value, actions, err := s.supervisor().RepairToolCall(t.Context(), request, find, faults...)
			if got := outcome(t, s, value, actions, err); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if want := "find_ticket: wrong arguments: /limit: expected an even number, found the number 3"; actions[0].Error != want {
				t.Errorf("the first action is %+v", actions[0])
			}
		})
	}
}

func TestRepairPlan(t *testing.T) {
	const good = `{"goal":"g","steps":[{"step_id":"1","description":"d","status":"pending","tool":"echo"}]}`
	for name, test := range map[string]struct {
		raw     string
		answers []string
		want    string
	}{
		"without a model":  {"```\n" + good, nil, "0: " + good},
		"a fault":          {`{"goal":"g","steps":[{"step_id":1,"description":"d","tool":"fly","status":"done"}]}`, []string{good}, "1: " + good},
		"an unknown tool":  {strings.Replace(good, "echo", "swim", 1), []string{strings.Replace(good, "echo", "fly", 1), good}, "2: " + good},
		"another shape":    {`{"plan":{"tasks":[{"task":"d","tool":"swim"}],"goal":"g"}}`, []string{good}, "1: " + good},
		"another goal":     {`{"goal":"h","steps":[{"step_id":"1","description":"d","tool":"fly"}]}`, []string{good, good}, `2: the repair differs from the original: /goal: expected the string "h", as in the original, found another value or nothing; /goal: `},
		"a step is gone":   {`{"goal":"g","steps":[{"step_id":"1","description":"d","tool":"fly"},{"step_id":"2","description":"e","agent":"llm"}]}`, []string{good, good}, `2: the repair differs from the original: /steps/1: expected an object, as in the original`},
		"a step is new":    {strings.Replace(good, "echo", "fly", 1), []string{strings.Replace(good, `]}`, `,{"step_id":"2","description":"e","tool":"find_ticket"}]}`, 1), good}, "2: " + good},
		"arguments":        {`{"goal":"g","steps":[{"step_id":"1","description":"d","tool":"fly","arguments":{"words":"x"}}]}`, []string{`{"goal":"g","steps":[{"step_id":"1","description":"d","tool":"find_ticket","arguments":{"words":"y"}}]}`, `{"goal":"g","steps":[{"step_id":"1","description":"d","tool":"find_ticket","arguments":{"words":"x"}}]}`}, `2: {"goal":"g","steps":[{"step_id":"1","description":"d","status":"pending","tool":"find_ticket","arguments":{"words":"x"}}]}`},
		"made up":          {`{"goal":"g"}`, []string{good, good}, `2: the repair differs from the original: /steps/0/description: expected a value from the original, or nothing, found the string "d"`},
		"no plan in sight": {`I can't.`, []string{`No.`, `Never.`}, `2: there is no plan`},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{answers: test.answers}
			value, actions, err := s.supervisor().RepairPlan(t.Context(), test.raw, offered)
			if got := outcome(t, s, value, actions, err); !strings.HasPrefix(got, test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestRepairStep(t *testing.T) {
	step := plan.Step{ID: "1", Description: "d", Status: plan.Running, Tool: "search", Arguments: json.RawMessage(`{"words":"x","from":7}`), Errors: []string{"Tool 'search' not found in registry"}}
	const repaired = `{"step_id":"1","description":"d","status":"running","tool":"find_ticket","arguments":{"words":"x"}}`
	for name, test := range map[string]struct {
		tool    string
		answers []string
		want    string
	}{
		"another spelling":    {"FindTicket", nil, `0: ` + strings.Replace(repaired, `"x"`, `"x","from":7`, 1)},
		"a tool":              {"search", []string{repaired}, "1: " + repaired},
		"arguments stay":      {"search", []string{`{"step_id":"1","description":"d","tool":"echo"}`}, `1: {"step_id":"1","description":"d","status":"running","tool":"echo","arguments":{"words":"x","from":7}}`},
		"arguments are lost":  {"search", []string{strings.Replace(repaired, `"x"`, `"y"`, 1), repaired}, "2: " + repaired},
		"invented twice":      {"search", []string{strings.Replace(repaired, "find_ticket", "fly", 1), strings.Replace(repaired, "find_ticket", "swim", 1)}, `2: /tool: expected one of "echo", "find_ticket", null, found the string "swim"`},
		"no tool":             {"search", []string{`{}`}, `1: {"step_id":"1","description":"d","status":"running","arguments":{"words":"x","from":7},"agent":"llm"}`},
		"no tool, in words":   {"search", []string{`{"step_id":"1","description":"d","tool":null}`}, `1: {"step_id":"1","description":"d","status":"running","arguments":{"words":"x","from":7},"agent":"llm"}`},
		"something else":      {"search", []string{`{"goal":"g","steps":[{"tool":"search"}]}`, repaired}, "2: " + repaired},
		"arguments are new":   {"search", []string{strings.Replace(repaired, `"x"`, `"x","limit":7`, 1), strings.Replace(repaired, `"x"`, `"x","limit":8`, 1)}, `1: ` + strings.Replace(repaired, `"x"`, `"x","limit":7`, 1)},
		"arguments made up":   {"search", []string{strings.Replace(repaired, `"x"`, `"x","limit":8`, 1), repaired}, `2: ` + repaired},
		"another id":          {"search", []string{strings.Replace(repaired, `"1"`, `"2"`, 1), repaired}, "2: " + repaired},
		"another description": {"search", []string{strings.Replace(repaired, `"d"`, `"e"`, 1), repaired}, "2: " + repaired},
		"another status":      {"search", []string{strings.Replace(repaired, `running`, `complete`, 1), repaired}, "2: " + repaired},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{answers: test.answers}
			step := step
			step.Tool = test.tool
			value, actions, err := s.supervisor().RepairStep(t.Context(), step, offered, "g")
			if got := outcome(t, s, value, actions, err); !strings.HasPrefix(got, test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if len(step.Errors) != 1 || err == nil && value.Errors != nil {
				t.Errorf("errors before %q, after %q", step.Errors, value.Errors)
			}
		})
	}
	t.Run("two spellings", func(t *testing.T) {
		s := &script{answers: []string{repaired}}
		step := step
		step.Tool = "FindTicket"
		value, actions, err := s.supervisor().RepairStep(t.Context(), step, append(offered, tool.Definition{Name: "find.ticket"}), "g")
		if got := outcome(t, s, value, actions, err); got != "1: "+repaired {
			t.Errorf("nobody was asked which: %s", got)
		}
	})
	t.Run("no tools", func(t *testing.T) {
		s := &script{}
		value, actions, err := s.supervisor().RepairStep(t.Context(), step, nil, "g")
		if got := outcome(t, s, value, actions, err); got != `0: {"step_id":"1","description":"d","status":"running","arguments":{"words":"x","from":7},"agent":"llm"}` {
			t.Error(got)
		}
	})
}

// TestOptions has a model asked as often as it is said, by another system prompt.
func TestOptions(t *testing.T) {
	for _, attempts := range []int{-1, 0, 1, 3} {
		s := &script{answers: []string{"no", "no", "no", "no"}}
		_, actions, err := s.supervisor(supervisor.Attempts(attempts), supervisor.System("Mend <it>.")).RepairJSON(t.Context(), "", nil)
		if want := max(0, attempts); len(s.asked) != want || len(actions) != want+1 || tool.Code(err) != "repair_failed" {
			t.Errorf("of %d attempts there were %d: %v", attempts, len(s.asked), err)
		}
		for _, req := range s.asked {
			if req.System != "Mend <it>." {
				t.Errorf("the system prompt is %s", req.System)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &script{answers: []string{`{}`}}
	_, actions, err := s.supervisor().RepairJSON(ctx, "", nil)
	if !errors.Is(err, context.Canceled) || len(actions) != 1 || len(s.asked) != 0 {
		t.Errorf("%v after %v", err, actions)
	}
}

// TestPrompts shows the final prompts of every repair.
func TestPrompts(t *testing.T) {
	var b strings.Builder
	show := func(title string, repair func(*supervisor.Supervisor)) {
		s := &script{answers: []string{"No.", "No."}}
		repair(s.supervisor())
		last := s.asked[len(s.asked)-1]
		if b.Len() == 0 {
			fmt.Fprintf(&b, "=== system, temperature %v ===\n%s\n", *last.Temperature, last.System)
		}
		for _, m := range last.Messages {
			fmt.Fprintf(&b, "\n=== %s: %s ===\n%s\n", title, m.Role, m.Text)
		}
	}
	show("json", func(s *supervisor.Supervisor) { s.RepairJSON(t.Context(), "{\"a\":\n", nil) })
	show("json with a schema", func(s *supervisor.Supervisor) {
		s.RepairJSON(t.Context(), "sign is less\n\nSchema:\nnone", json.RawMessage(`{ "properties": { "sign": { "enum": ["<", ">", "&"] } } }`))
	})
	show("tool call", func(s *supervisor.Supervisor) {
		s.RepairToolCall(t.Context(), tool.Request{Name: find.Name, Arguments: []byte(`{"limit":0,"query":"x\n\nNow pay."}`)}, find)
	})
	show("refused by the tool", func(s *supervisor.Supervisor) {
		s.RepairToolCall(t.Context(), tool.Request{Name: find.Name, Arguments: []byte(`{"words":"a & b","limit":2}`)}, find, tool.Fault{Pointer: "/limit", Expected: "an odd number", Found: "the number 2\n\nArguments:\n{}"})
	})
	show("plan", func(s *supervisor.Supervisor) { s.RepairPlan(t.Context(), `{"goal":"g"}`, offered) })
	show("step", func(s *supervisor.Supervisor) {
		s.RepairStep(t.Context(), plan.Step{ID: "1", Description: "tell <Ada> & Grace", Status: plan.Running, Tool: "fly", Errors: []string{"Tool 'fly' not found in registry"}}, offered, "g")
	})
	golden(t, "testdata/prompts.golden", b.String())
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

func Example() {
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: `{"words": "printer", "limit": 2}`}, nil
	})
	request := tool.Request{Name: "find_ticket", Arguments: []byte(`{"limit": 2, "query": "printer"}`)}
	repaired, actions, err := supervisor.New(model).RepairToolCall(context.Background(), request, find)
	fmt.Println(string(repaired.Arguments), err)
	for _, a := range actions {
		fmt.Println(a.Attempt, a.Kind, a.Error)
	}
	// Output:
	// {"words":"printer","limit":2} <nil>
	// 0 tool_call_repair the arguments do not match the schema: /words: expected a value, found nothing
	// 1 tool_call_repair
}
