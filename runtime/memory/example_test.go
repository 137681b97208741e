package memory_test

import (
	"context"
	"fmt"

	"github.com/aiongen/aiongen/runtime/memory"
)

func Example() {
	ctx := context.Background()
	var store memory.Map
	run := memory.Prefix(&store, "run/1/")
	for key, value := range map[string]any{
		"step_a_result": map[string]any{"ticket": 42, "open": true},
		"step_b_result": "Closed the ticket.",
	} {
		if err := run.Write(ctx, key, value); err != nil {
			fmt.Println(err)
		}
	}
	for entry, err := range store.Search(ctx, "run/1/step_") {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(entry.Key, string(entry.Value))
	}
	// Output:
	// run/1/step_a_result {"open":true,"ticket":42}
	// run/1/step_b_result "Closed the ticket."
}

// A tool that takes a Store gets the one from the context of its call.
func ExampleWith() {
	ctx := memory.With(context.Background(), &memory.Map{})
	store, err := memory.Supplied(ctx) // as generated code does
	fmt.Println(store != nil, err)
	_, err = memory.Supplied(context.Background())
	fmt.Println(err)
	// Output:
	// true <nil>
	// there is no store: the context needs one, by memory.With
}
