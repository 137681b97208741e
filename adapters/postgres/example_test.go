package postgres_test

import (
	"context"
	"fmt"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/runtime/journal"
)

// A run is in the database as soon as Append returns, for every process.
func Example() {
	ctx := context.Background()
	db, err := postgres.Open(ctx, shared.URL()) // such as postgres://desk@db.example.com/desk
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
