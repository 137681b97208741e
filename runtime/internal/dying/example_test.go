package dying_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/aiongen/aiongen/runtime/internal/dying"
	"github.com/aiongen/aiongen/runtime/journal"
)

func Example() {
	var kept journal.Map
	worker := dying.Journal(&kept, 2, true)
	ctx := context.Background()
	for n := range 3 {
		err := worker.Append(ctx, "r", n, journal.Entry{Kind: "step", By: "w"})
		fmt.Println(errors.Is(err, dying.Err))
	}
	for info := range kept.Runs(ctx, journal.Filter{}) {
		fmt.Println(info.Entries, "entries")
	}
	// Output:
	// false
	// true
	// true
	// 2 entries
}
