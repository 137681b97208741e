package plan_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
)

var echo = []tool.Definition{{Name: "echo"}}

// TestRead reads one plan in the shapes that models write.
func TestRead(t *testing.T) {
	want := plan.Plan{Goal: "say it", Steps: []plan.Step{
		{ID: "1", Description: "Call echo", Status: plan.Pending, Tool: "echo", Arguments: json.RawMessage(`{"a":1}`)},
		{ID: "2", Description: "tell", Status: plan.Pending, Agent: "llm"},
	}}
	const call, tell = `{"step_id":1,"description":"Call echo","tool":"echo","arguments":{"a":1}}`, `{"step_id":"2","description":"tell","agent":"llm"}`
	whole := func(call, tell string) string { return `{"goal":"say it","steps":[` + call + `,` + tell + `]}` }
	for name, reply := range map[string]string{
		"plain":             whole(call, tell),
		"in a plan":         `{"plan":` + whole(call, tell) + `}`,
		"in a result":       "```json\n" + `{"result":{"plan":` + whole(call, tell) + "}}\n```",
		"plan is the list":  `{"plan":[` + call + `,` + tell + `]}`,
		"goal and list":     `{"goal":"say it","plan":[` + call + `,` + tell + `]}`,
		"a list":            "<think>[1]</think>Here it is:\n[" + call + `,` + tell + `]`,
		"no goal":           `{"steps":[` + call + `,` + tell + `]}`,
		"objective, tasks":  `{"objective":"say it","tasks":[` + call + `,` + tell + `]}`,
		"id":                whole(strings.Replace(call, "step_id", "id", 1), strings.Replace(tell, "step_id", "id", 1)),
		"step":              whole(strings.Replace(call, "step_id", "step", 1), strings.Replace(tell, "step_id", "step", 1)),
		"no ids":            whole(strings.Replace(call, `"step_id":1,`, "", 1), strings.Replace(tell, `"step_id":"2",`, "", 1)),
		"no description":    whole(strings.Replace(call, `"description":"Call echo",`, "", 1), tell),
		"task":              whole(strings.Replace(call, "description", "task", 1), strings.Replace(tell, "description", "instruction", 1)),
		"empty tool":        whole(call, strings.Replace(tell, `"agent"`, `"tool":"","agent"`, 1)),
		"tool none":         whole(call, strings.Replace(tell, `"agent"`, `"tool":"None","agent"`, 1)),
		"tool_name":         whole(strings.Replace(call, `"tool"`, `"tool_name"`, 1), tell),
		"action":            whole(strings.NewReplacer(`"tool"`, `"action"`, `"arguments"`, `"action_input"`).Replace(call), tell),
		"functions.echo":    whole(strings.Replace(call, `"echo"`, `"functions.echo"`, 1), tell),
		"a call":            whole(`{"step_id":1,"description":"Call echo","tool":{"name":"echo","args":{"a":1}}}`, tell),
		"arguments as text": whole(strings.Replace(call, `{"a":1}`, `"{\"a\": 1}"`, 1), tell),
		"two, the same":     whole(call, tell) + "\n" + whole(call, tell),
		"pairs":             whole(strings.Replace(call, `{"a":1}`, `[{"name":"a","value":1}]`, 1), tell),
		"keys, values":      whole(strings.Replace(call, `{"a":1}`, `[{"key":"a","value":1,"type":"integer"}]`, 1), tell),
		"steps by ID":       `{"goal":"say it","steps":{"1":` + strings.Replace(call, `"step_id":1,`, "", 1) + `,"2":` + tell + `}}`,
		"steps by number":   `{"goal":"say it","steps":{"1":` + call + `,"2":` + tell + `}}`,
		"a task is a tool":  whole(strings.NewReplacer(`"description":"Call echo",`, "", `"tool":"echo"`, `"task":"echo","dep":[-1],"id":1`, `"step_id":1,`, "").Replace(call), tell),
		"harmless members":  `{"thought":"t","plan":{"reasoning":"r","goal":"say it","steps":[` + strings.Replace(call, "{", `{"dependsOn":[],"reason":"r","type":"tool","condition":null,"tool_calls":[],"expected_output":{"items":[]},"metadata":{"minutes":5},"errors":["x"],"status":"done",`, 1) + "," + strings.Replace(tell, "{", `{"depends_on":["1"],"note":"n","why":"w",`, 1) + `]}}`,
		"action is prose":   whole(call, strings.Replace(tell, "description", "action", 1)),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := plan.Read(reply, "say it", echo)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestReadFaults checks that a plan with no reading, or with two, is refused, and that no step loses
// its tool.
func TestReadFaults(t *testing.T) {
	for reply, want := range map[string]string{
		``:                       "there is no plan",
		`I cannot do that.`:      "there is no plan",
		`{"steps":["echo"]}`:     `/steps/0: expected an object`,
		`{"answer":1}`:           `/steps: expected a list of steps`,
		`{"steps":[{"id":1}]}`:   `/steps/0/description: expected a text`,
		`[{"id":1,"task":"x"}`:   "cut off",
		`{"steps":{"1":"echo"}}`: `/steps: expected a list of steps`,
		`{"steps":[{"id":1,"tool":"echo","action":"other"},{"id":2,"tool":"echo","tool_name":"pay"}]}`: `/steps/1/tool: expected one value, found "echo" and "pay"`,
	} {
		_, err := plan.Read(reply, "say it", echo)
		var bad *plan.Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", reply, err, want)
		}
	}
	p, err := plan.Read(`[{"id":1,"tool_name":"pay"}]`, "say it", echo)
	if err != nil || p.Steps[0].Tool != "pay" {
		t.Error(p, err)
	}
}

// TestUnknownMembers checks that an unknown member that may limit a step or have an effect is a fault
// that says what to write instead, and that the step is not read without it.
func TestUnknownMembers(t *testing.T) {
	const condition, loop, calls, otherwise, approval, only = "`replan`", "write a step for each value", "a step makes one call", "if a step fails, you are asked", "which calls a person must approve", "only the members agent, arguments, description, errors, status, step_id, tool"
	for member, want := range map[string]string{
		`"condition":"only if the status is 'lost'"`: condition, `"if":"<<step:1/status>> == 'paid'"`: condition, `"when":{"a":1}`: condition, `"runIf":false`: condition, `"IF":0`: condition, `"else":[1]`: condition, `"only_if":"x"`: condition, `"unless":"x"`: condition, `"while":"x"`: condition,
		`"foreach":"<<step:1>>"`: loop, `"for_each":["a"]`: loop, `"loop":true`: loop, `"repeat":3`: loop, `"items":[1]`: loop, `"retries":2`: loop,
		`"tool_calls":[{"name":"echo"}]`: calls, `"tools":["ship"]`: calls, `"steps":[{"tool":"ship"}]`: calls, `"sub-steps":[1]`: calls, `"parallel":true`: calls, `"next":"2"`: calls, `"task":"echo","tool":"pay"`: "", `"plan":{"steps":[]}`: calls,
		`"on_error":"stop"`: otherwise, `"fallback":{"tool":"echo"}`: otherwise,
		`"requires_approval":true`: approval,
		`"code":"rm"`:              only, `"delay":5`: only, `"type":"loop"`: only, `"endpoint":"https://example.com"`: only, `"body":{"a":1}`: only,
		`"metadata":{"condition":"the order is lost"}`: condition, `"thought":{"then":[{"tool":"ship"}]}`: condition, `"context":[{"foreach":"<<step:1/tags>>"}]`: loop, `"request":{"tool":"ship"}`: "in the step itself",
		`"status":"skipped"`: "leave out a step that is not to run", `"status":"Not needed"`: "leave out a step that is not to run", `"status":{"if":"x"}`: "expected a text",
		`"depends_on":["2"]`: "IDs of steps that come before", `"depends_on":["1 if it failed"]`: "IDs of steps that come before", `"depends_on":[1,{"id":2}]`: "IDs of steps that come before",
	} {
		for name, format := range map[string]string{
			"a plan":   `{"goal":"g","steps":[{"step_id":"1","description":"d","tool":"echo",%s}]}`,
			"wrapped":  `{"plan":{"steps":[{"id":1,"description":"d","tool":"echo",%s}]}}`,
			"a list":   `[{"id":"1","action":"echo","description":"d",%s}]`,
			"an agent": `{"steps":[{"id":1,"description":"d","agent":"llm",%s}]}`,
		} {
			reply := strings.Replace(format, "%s", member, 1)
			p, err := plan.Read(reply, "say it", echo)
			if want == "" { // a task next to a tool also describes the step
				want = "expected one value"
			}
			if name == "an agent" && strings.Contains(member, `"task"`) {
				continue
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %s: %+v, %v", name, member, p, err)
			}
		}
		if strings.Contains(member, "depends_on") || strings.Contains(member, "status\":") || strings.Contains(member, `"task"`) || strings.Contains(member, `"plan"`) || strings.Contains(member, `"steps"`) || want == calls {
			continue
		}
		for _, format := range []string{`{"goal":"g","steps":[{"step_id":"1","description":"d"}],%s}`, `{"plan":{"goal":"g","steps":[{"step_id":"1","description":"d"}]},%s}`} {
			if _, err := plan.Read(strings.Replace(format, "%s", member, 1), "say it", echo); err == nil {
				t.Errorf("%s is ignored beside the steps", member)
			}
		}
	}
	for _, reply := range []string{
		`{"steps":[{"id":1,"description":"d","tool":{"name":"echo","condition":"x"}}]}`, // within a call
		`{"steps":[{"id":1,"description":"d","arguments":{"a":1}}]}`,                    // a call without a tool
		`{"steps":[{"id":1,"name":"pay","description":"d","arguments":{"a":1}}]}`,
	} {
		if p, err := plan.Read(reply, "say it", echo); err == nil {
			t.Errorf("%s: %+v", reply, p)
		}
	}
}

// TestReplanStep checks the ways in which models write that planning continues.
func TestReplanStep(t *testing.T) {
	for _, step := range []string{
		`{"description":"d","agent":"replan"}`, `{"description":"d","agent":"Replan"}`, `{"description":"d","tool":"replan"}`, `{"description":"d","action":"replan"}`,
		`{"description":"d","replan":true}`, `{"replan":"d"}`, `{"description":"d","type":"replan"}`, `{"task":"d","tool":{"name":"replan"}}`,
	} {
		p, err := plan.Read(`{"steps":[`+step+`]}`, "say it", echo)
		if want := []plan.Step{{ID: "1", Description: "d", Status: plan.Pending, Agent: plan.AgentReplan}}; err != nil || cmp.Diff(want, p.Steps) != "" {
			t.Errorf("%s: %+v, %v", step, p.Steps, err)
		}
	}
	if p, err := plan.Read(`{"steps":[{"description":"d","tool":"replan"}]}`, "say it", []tool.Definition{{Name: "replan"}}); err != nil || p.Steps[0].Tool != "replan" {
		t.Errorf("a tool named replan: %+v, %v", p, err)
	}
	for _, step := range []string{`{"description":"d","tool":"echo","agent":"replan"}`, `{"description":"d","tool":"echo","replan":true}`} {
		if p, err := plan.Read(`{"steps":[`+step+`]}`, "say it", echo); err == nil || !strings.Contains(err.Error(), "expected two steps") {
			t.Errorf("%s: %+v, %v", step, p, err)
		}
	}
}

// TestTwoPlans checks the fault of an answer with several plans.
func TestTwoPlans(t *testing.T) {
	const a, b = `{"goal":"a","steps":[{"step_id":"1","description":"d","tool":"echo"}]}`, `{"goal":"b","steps":[{"step_id":"1","description":"d","agent":"llm"}]}`
	for _, reply := range []string{a + "\n" + b, "First:\n```json\n" + a + "\n```\nor\n```json\n" + b + "\n```", "[" + a + "," + b + "]", `{"plans":[` + a + "," + b + `]}`, `{"plan":[` + a + "," + b + `]}`, `{"plan":` + a + `,"alternative":` + b + `}`} {
		if p, err := plan.Read(reply, "say it", echo); err == nil || !strings.Contains(err.Error(), "there are 2 plans in the answer: write one") {
			t.Errorf("%s: %+v, %v", reply, p, err)
		}
	}
}

// FuzzRead checks that reading the JSON of a plan yields the same plan.
func FuzzRead(f *testing.F) {
	f.Add(`{"plan":[{"action":"echo","action_input":"{\"a\":1}"}]}`)
	f.Add(`[{"id":1,"tool":{"name":"functions.echo","args":{}},"task":"t"},{"id":2,"task":"u","tool":"none","agent":"LLM"}]`)
	f.Add(`{"result":{"output":{"steps":[{"step":1,"description":null,"tool_name":"x"}]}},"steps":null}`)
	f.Fuzz(func(t *testing.T, reply string) {
		p, err := plan.Read(reply, "say it", echo)
		if err != nil {
			return
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := plan.Read(string(text), "another", echo)
		if one, _ := json.Marshal(again); err != nil || string(one) != string(text) {
			t.Errorf("%s became %s, %v", text, one, err)
		}
	})
}
