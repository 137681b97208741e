package plan_test

import (
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
