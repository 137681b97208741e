package postgres_test

import (
	"context"
	"fmt"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// An entry is in the database, visible to every process, as soon as Append returns.
func Example() {
	ctx := context.Background()
	db, err := postgres.Open(ctx, sharedCluster.URL()) // such as postgres://desk@db.example.com/desk
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	err = db.Journal().Append(ctx, "example/1", 0, journal.Entry{Kind: "begin", By: "a", Status: "running"})
	fmt.Println(err)
	for info, err := range db.Journal().Runs(ctx, journal.Filter{Status: []string{"running"}, Limit: 10}) {
		fmt.Println(info.Run, info.Entries, err)
	}
	// Output:
	// <nil>
	// example/1 1 <nil>
}

// The programs that start runs and those that execute them are usually separate, but create the same engine.
func ExampleDB_Engine() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	db, err := postgres.Open(ctx, sharedCluster.URL())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	model := llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
		return llm.Response{Text: fmt.Sprintf("I was told %q.", r.Messages[len(r.Messages)-1].Text)}, nil
	})
	o, err := orchestrator.New(model, tool.NewRegistry(), orchestrator.Journal(db.Journal()), orchestrator.Conversation{})
	if err != nil {
		fmt.Println(err)
		return
	}
	engine, err := db.Engine(o, postgres.PerTenant("user", 3))
	if err != nil {
		fmt.Println(err)
		return
	}

	worker := make(chan error)
	go func() { worker <- engine.Work(ctx) }()

	id, err := engine.Start(ctx, orchestrator.Input{ID: "talk", Request: "Good morning.", Meta: map[string]string{"user": "ann"}})
	fmt.Println(id, err)
	for _, next := range []run.Signal{run.Say(llm.Message{Text: "Good night."}), run.Cancel("asleep")} {
		stands, err := engine.Result(ctx, id)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(stands.Status, "for a", stands.WaitsFor, string(stands.Answer))
		fmt.Println(engine.Send(ctx, id, next))
	}
	ended, err := engine.Result(ctx, id)
	fmt.Println(ended.Status, err)

	stop()
	fmt.Println(<-worker)
	// Output:
	// talk <nil>
	// waiting for a message "I was told \"Good morning.\"."
	// <nil>
	// waiting for a message "I was told \"Good night.\"."
	// <nil>
	// cancelled <nil>
	// context canceled
}
