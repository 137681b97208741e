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

// TestRead has one plan in the shapes that models write.
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

// TestReadFaults: what has no reading, or two, is refused, and no step loses a tool
// that it names.
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

// FuzzRead: what is read is a plan that is read again as the same.
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
