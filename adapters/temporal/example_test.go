package temporal_test

import (
	"context"
	"fmt"
	"log"

	"go.temporal.io/sdk/client"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Workers execute runs; the process that starts a run needs no worker.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	c, err := client.Dial(client.Options{HostPort: sharedServer.Address(), Logger: discardLogger{}}) // the address of a Temporal server
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "Good morning!", Usage: llm.Usage{Input: 5, Output: 3}}, nil
	})
	engine, err := temporal.New(c, "example", model, tool.NewRegistry(), temporal.RunOptions(orchestrator.Conversation{}))
	if err != nil {
		log.Fatal(err)
	}
	worked := make(chan error)
	go func() { worked <- engine.Work(ctx) }()

	id, err := engine.Start(ctx, orchestrator.Input{Request: "Good morning."})
	if err != nil {
		log.Fatal(err)
	}
	result, err := engine.Result(ctx, id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status, result.WaitsFor, string(result.Answer))
	stop()
	<-worked
	// Output: waiting message "Good morning!"
}
