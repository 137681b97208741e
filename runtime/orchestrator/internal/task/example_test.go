package task_test

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/run"
)

// The run reads what the program has written at its start.
func Example() {
	data, err := jsontext.Encode(task.Task{Request: "Greet Ada.", Meta: map[string]string{"user": "grace"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	begins := run.Input{Kind: task.Plan, Data: data}

	var given task.Task
	if err := json.Unmarshal(begins.Data, &given); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(begins.Kind, string(begins.Data))
	fmt.Println(given.Request, given.Plan == nil)
	// Output:
	// plan {"request":"Greet Ada.","meta":{"user":"grace"}}
	// Greet Ada. true
}
