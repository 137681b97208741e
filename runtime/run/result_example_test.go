package run_test

import (
	"encoding/json"
	"fmt"

	"github.com/aiongen/aiongen/runtime/run"
)

// A person approves a call with another amount than the model gave.
func ExampleApprove() {
	approved := run.Approve("42-pay-1", "8f3a", json.RawMessage(`{"amount":5,"for":"tea"}`))
	entry, err := json.Marshal(approved)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(approved.Kind, string(entry))

	var kept run.Signal
	if err := json.Unmarshal(entry, &kept); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(kept.Call, string(kept.Arguments))
	// Output:
	// approve {"call":"42-pay-1","approval":"8f3a","arguments":{"amount":5,"for":"tea"}}
	// 42-pay-1 {"amount":5,"for":"tea"}
}
