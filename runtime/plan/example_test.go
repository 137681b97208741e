package plan_test

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
)

func Example() {
	p, err := plan.Parse("Sure!\n```json\n" + `{"goal": "Mend the printer", "steps": [
		{"step_id": 1, "description": "Look for tickets", "tool": "find_tickets"},
		{"step_id": 2, "description": "Say what to do", "agent": "LLM"}
	]}` + "\n```")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range p.Steps {
		valid := plan.ValidateStep(&step, []tool.Definition{{Name: "echo"}})
		fmt.Println(step.ID, step.Status, step.Agent, valid, step.Errors)
	}
	// Output:
	// 1 pending  false [Tool 'find_tickets' not found in registry]
	// 2 pending llm true []
}

func ExampleCompile() {
	tools := []tool.Definition{{
		Name:   "find_customer",
		Input:  json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`),
		Output: json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"},"email":{"type":"string"}},"additionalProperties":false}`),
	}, {
		Name:  "send_email",
		Input: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"body":{"type":"string"}},"required":["to","body"]}`),
	}}
	p := plan.Plan{Goal: "Greet Ada", Steps: []plan.Step{
		{ID: "1", Description: "Find her", Tool: "find_customer", Arguments: json.RawMessage(`{"query":"Ada"}`)},
		{ID: "2", Description: "Write to her", Tool: "send_email", Arguments: json.RawMessage(`{"to":"<<step:1/emial>>","body":"<a greeting from step 1>"}`)},
	}}
	_, _, err := plan.Compile(p, tools, 50)
	fmt.Println(err)

	p.Steps[1].Arguments = json.RawMessage(`{"to":"{{step1.result.email}}","body":"Hello!"}`)
	p, edits, err := plan.Compile(p, tools, 50)
	fmt.Println(string(p.Steps[1].Arguments), edits[0].Before, err)

	arguments, err := p.Steps[1].Fill(func(string) (plan.Result, bool) {
		return plan.Result{Value: json.RawMessage(`{"id":7,"email":"ada@example.com"}`), Output: tools[0].Output}, true
	})
	fmt.Println(string(arguments), err)
	// Output:
	// wrong plan: /steps/1/arguments/body: expected a value, or a reference to a step of the plan, such as <<step:1/id>>, found "<a greeting from step 1>"; /steps/1/arguments/to: expected the key email of <<step:1>>, found "<<step:1/emial>>"
	// {"to":"<<step:1/email>>","body":"Hello!"} {{step1.result.email}} <nil>
	// {"to":"ada@example.com","body":"Hello!"} <nil>
}
