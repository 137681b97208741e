package plan_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
)

func TestParse(t *testing.T) {
	want := plan.Plan{Goal: "g", Steps: []plan.Step{
		{ID: "1", Description: "find", Status: plan.Pending, Tool: "find", Arguments: json.RawMessage(`{"a":{"b":{"c":"}"}}}`)},
		{ID: "2", Description: "tell", Status: plan.Pending, Agent: "llm"},
	}}
	const object = `{"goal":" g ","steps":[{"step_id":1,"description":"find","tool":"find","arguments":{"a":{"b":{"c":"}"}}},"status":"complete"},{"step_id":" 2 ","description":"tell","agent":" LLM","tool":null,"errors":["x"]}]}`
	for name, reply := range map[string]string{
		"bare":           object,
		"fenced":         "```json\n" + object + "\n```",
		"no label":       "```\n" + object + "\n```",
		"prose":          "Here is the plan:\n" + object + "\nShall I go on?",
		"open fence":     "```json\n" + object,
		"other names":    strings.NewReplacer(`"arguments"`, `"args"`, `"step_id"`, `"Step_ID"`, `"goal"`, `"why":{},"Goal"`).Replace(object),
		"number":         strings.Replace(object, `"step_id":1,`, `"step_id":1.0,`, 1),
		"twice the same": strings.Replace(object, `"tool":"find",`, `"tool":"find","tool":"find",`, 1),
		"trailing comma": strings.TrimSuffix(object, "}") + ",}",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := plan.Parse(reply)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseFaults(t *testing.T) {
	step := func(members string) string {
		return `{"goal":"g","steps":[{"step_id":"1","description":"d"` + members + `}]}`
	}
	for name, test := range map[string]struct{ reply, want string }{
		"empty":             {"", "there is no plan"},
		"empty status":      {step(`,"status":""`), `wrong plan: /steps/0/status: expected a text, found ""`},
		"several lines":     {step(",\"tool\":[\n1,\n2]"), "/steps/0/tool: expected a text, found [1,2]"},
		"prose":             {"I cannot do that.", "there is no plan"},
		"cut off":           {`{"goal":"g","steps":[{"step_id":"1","description":"d"},{"step_id":"2","descr`, "cut off"},
		"a list":            {`[1,2]`, "wrong plan: expected an object with goal and steps, found"},
		"no goal":           {`{"steps":[{"step_id":"1","description":"d"}]}`, "/goal: expected a text, found nothing"},
		"no steps":          {`{"goal":"g"}`, "/steps: expected a list of steps, found nothing"},
		"empty steps":       {`{"goal":"g","steps":[]}`, "/steps: expected 1 to 1000 steps, found 0"},
		"a step is text":    {`{"goal":"g","steps":["search"]}`, `/steps/0: expected an object, found "search"`},
		"duplicate":         {`{"goal":"g","steps":[{"step_id":1,"description":"d"},{"step_id":"1","description":"e"}]}`, `/steps/1/step_id: expected a unique ID, found "1", as in /steps/0`},
		"blank description": {`{"goal":"g","steps":[{"step_id":"1","description":" "}]}`, `/steps/0/description: expected a text, found " "`},
		"status":            {step(`,"status":"done"`), `/steps/0/status: expected pending, running, complete or failed (leave out a step that is not to run), found "done"`},
		"agent":             {step(`,"agent":"human"`), `/steps/0/agent: expected "llm", "replan" or no agent, found "human"`},
		"two tools":         {step(`,"tool":"pay","tool":"delete_all"`), `/steps/0/tool: expected one value, found "pay" and "delete_all"`},
		"two goals":         {`{"goal":"g","goal":"h","steps":[{"step_id":"1","description":"d"}]}`, `/goal: expected one value, found`},
		"two arguments":     {step(`,"tool":"pay","args":{"a":1},"arguments":{"a":2}`), `/steps/0/arguments: expected one value, found`},
		"blank tool":        {step(`,"tool":"  "`), "/steps/0/tool: expected a text"},
		"empty tool":        {step(`,"tool":""`), `/steps/0/tool: expected a text, found ""`},
		"tool is a number":  {step(`,"tool":7`), "/steps/0/tool: expected a text, found 7"},
		"long id":           {`{"goal":"g","steps":[{"step_id":"` + strings.Repeat("x", 129) + `","description":"d"}]}`, "/steps/0/step_id: expected at most 128 bytes, found 129"},
		"long goal":         {`{"goal":"` + strings.Repeat("x", 65537) + `","steps":[{"step_id":"1","description":"` + strings.Repeat("x", 65536) + `"}]}`, "wrong plan: /goal: expected at most 65536 bytes, found 65537"},
		"long description":  {`{"goal":"` + strings.Repeat("x", 65536) + `","steps":[{"step_id":"1","description":"` + strings.Repeat("x", 65537) + `"}]}`, "wrong plan: /steps/0/description: expected at most 65536 bytes, found 65537"},
		"long tool":         {step(`,"tool":"` + strings.Repeat("x", 65537) + `"`), "/steps/0/tool: expected at most 65536 bytes, found 65537"},
		"endless":           {`{"goal":"g","steps":[` + strings.Repeat(`{},`, 10_000) + `{}]}`, "wrong plan: /steps: expected 1 to 1000 steps, found 10001"},
		"deep arguments":    {step(`,"arguments":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000)), "/steps/0/arguments: expected JSON, found"},
		"many faults":       {`{"goal":"g","steps":[` + strings.Repeat(`7,`, 99) + `7]}`, `; /steps/63: expected an object, found 7; and 36 more`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := plan.Parse(test.reply)
			var bad *plan.Error
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// TestAllFaults has every kind of fault in one plan, those of types and those of
// values: they come together, in the order of pointers.
func TestAllFaults(t *testing.T) {
	good := plan.Step{ID: "x", Description: "d", Status: plan.Pending}
	many := plan.Plan{Steps: []plan.Step{{ID: " ", Status: "done", Tool: " ", Agent: "human", Arguments: json.RawMessage("{")}}}
	for range 11 {
		many.Steps = append(many.Steps, good)
	}
	many.Steps[11].ID = "\xff"
	duplicates := []string{"/steps/2/step_id", "/steps/3/step_id", "/steps/4/step_id", "/steps/5/step_id", "/steps/6/step_id", "/steps/7/step_id", "/steps/8/step_id", "/steps/9/step_id", "/steps/10/step_id"}
	_, parsed := plan.Parse(`{"goal":7,"steps":[{"step_id":1,"description":"d"},7,{"step_id":"1","description":{},"agent":"x"},{"step_id":"2","description":"d","tool":[]}]}`)
	for name, test := range map[string]struct {
		err  error
		want []string
	}{
		"validate": {plan.Validate(many), slices.Concat([]string{"/goal", "/steps/0/agent", "/steps/0/arguments", "/steps/0/description", "/steps/0/status", "/steps/0/step_id", "/steps/0/tool"}, duplicates, []string{"/steps/11/step_id"})},
		"parse":    {parsed, []string{"/goal", "/steps/1", "/steps/2/agent", "/steps/2/description", "/steps/2/step_id", "/steps/3/tool"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			var bad *plan.Error
			if errors.As(test.err, &bad) {
				for _, f := range bad.Faults {
					got = append(got, f.Pointer)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s\n%v", diff, test.err)
			}
		})
	}
}

func TestValidateStep(t *testing.T) {
	offered := []tool.Definition{{Name: "find"}}
	for name, test := range map[string]struct {
		tool string
		want []string
	}{
		"offered": {"find", nil},
		"none":    {"", nil},
		"unknown": {"fly", []string{"Tool 'fly' not found in registry"}},
		"blank":   {" ", []string{"Tool field cannot be empty"}},
	} {
		t.Run(name, func(t *testing.T) {
			step := plan.Step{Tool: test.tool}
			for range 2 {
				if ok := plan.ValidateStep(&step, offered); ok != (test.want == nil) {
					t.Errorf("valid: %v", ok)
				}
			}
			if diff := cmp.Diff(test.want, step.Errors); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestNoStatus has a plan made by hand without a status: its steps are pending.
func TestNoStatus(t *testing.T) {
	p := plan.Plan{Goal: "g", Steps: []plan.Step{{ID: "1", Description: "x", Tool: "t"}}}
	if err := plan.Validate(p); err != nil {
		t.Error(err)
	}
	text, err := json.Marshal(p)
	if want := `{"goal":"g","steps":[{"step_id":"1","description":"x","status":"pending","tool":"t"}]}`; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	if err := p.Steps[0].Advance(plan.Complete); err == nil || err.Error() != `step "1" cannot go from pending to complete` {
		t.Error(err)
	}
	if err := p.Steps[0].Advance(plan.Running); err != nil || p.Steps[0].Status != plan.Running {
		t.Error(err, p.Steps[0].Status)
	}
}

func TestAdvance(t *testing.T) {
	all := []plan.Status{plan.Pending, plan.Running, plan.Complete, plan.Failed, "done"}
	allowed := map[[2]plan.Status]bool{
		{plan.Pending, plan.Running}:  true,
		{plan.Running, plan.Complete}: true,
		{plan.Running, plan.Failed}:   true,
	}
	for _, from := range all {
		for _, to := range all {
			step := plan.Step{ID: "1", Status: from}
			err := step.Advance(to)
			if ok := allowed[[2]plan.Status{from, to}]; ok != (err == nil) || !ok && (tool.Code(err) != "step_transition" || step.Status != from) || ok && step.Status != to {
				t.Errorf("from %s to %s: %v, now %s", from, to, err, step.Status)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"goal":"g","steps":[{"step_id":1,"description":"d","tool":"t","arguments":{"a":1}}]}`)
	f.Add("```json\n{goal: 'g', steps: [{step_id: 1.50, description: d, agent: LLM}]}")
	f.Add(`{"goal":"g","steps":[null,{"step_id":null}]}`)
	f.Fuzz(func(t *testing.T, reply string) {
		p, err := plan.Parse(reply)
		if err != nil {
			return
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := plan.Parse(string(text))
		if err != nil {
			t.Fatalf("%s is refused: %v", text, err)
		}
		// Arguments are written without white space.
		if one, _ := json.Marshal(again); string(one) != string(text) {
			t.Errorf("%s became %s", text, one)
		}
	})
}
